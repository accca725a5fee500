"""Build hook: the shipped cases are read and checked once, when the wheel is built, and packed beside them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PackHook(BuildHookInterface):  # type: ignore[type-arg]  # hatchling's own parameter says nothing here
    """Adds `suite.pack` to a wheel. An invalid case fails the build."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the pack; an editable install has none, its cases are read from the checkout."""
        if version == "editable":
            return
        root = Path(self.root)
        sys.path[:0] = [str(root / "harness"), str(root / "reference")]
        from specharness.suite.load import load_files, shipped_files, suite_key
        from specharness.suite.pack import write_pack

        pack = Path(self.directory) / "suite.pack"
        cases = load_files(shipped_files(root), shown_from=root)
        if not write_pack(pack, suite_key(root), cases):
            raise OSError(f"can't write {pack}")
        build_data["force_include"][str(pack)] = "specharness/_data/suite.pack"
