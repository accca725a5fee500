"""Where the shipped files are: inside the wheel, or in the checkout that this package runs from."""

from __future__ import annotations

import os
from pathlib import Path

from specharness.errors import BadSuite

_PACKAGE = Path(__file__).resolve().parent


def data_root() -> Path:
    """The folder that holds `spec/` and `cases/`. Raises `BadSuite` where neither place has them."""
    for root in (_PACKAGE / "_data", _PACKAGE.parent.parent):
        if (root / "spec" / "verification.md").is_file():
            return root
    raise BadSuite(
        [f"{_PACKAGE}: the spec and cases that belong to this installation are missing; install specharness again"]
    )


def cache_folder() -> Path:
    """Where packs may be kept between runs. It need not exist or be writable."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.expanduser("~/.cache")
    return Path(base if os.path.isabs(base) else os.devnull) / "specharness"
