"""Where a Chromium is."""

import os
import shutil
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)


def find_browser() -> str | None:
    """The browser that SPECHARNESS_BROWSER names, else one of the usual names or places; None where there is none."""
    named = os.environ.get("SPECHARNESS_BROWSER")
    if named:
        return shutil.which(named)
    return next(filter(None, map(shutil.which, NAMES)), None) or next(
        (place for place in ELSEWHERE if Path(place).exists()), None
    )


if __name__ == "__main__":
    found = find_browser()
    if found is None:
        sys.exit(1)
    print(found)
