"""A Chromium for the tests: the system's, else installed from what this machine offers.

``python tests/browser/chromium.py`` prints its path, or says what to do and fails.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")

# No sandbox: containers run as root. No background work of the browser's own: the tests count requests.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--no-first-run",
]

ADVICE = (
    "No Chromium: install one (Debian: apt-get install chromium; elsewhere: python -m playwright install chromium), "
    "or name one in the environment variable CHROMIUM."
)


def find() -> str | None:
    """Path of a Chromium that is there already."""
    return next((path for path in _candidates() if path and Path(path).is_file()), None)


def ensure() -> str | None:
    """Path of a Chromium, installed if need be; None when none can be had."""
    for install in (None, _apt, _playwright):
        if install is not None:
            install()
        if path := find():
            return path
    return None


def _candidates() -> Iterator[str | None]:
    yield os.environ.get("CHROMIUM")
    for name in NAMES:
        yield shutil.which(name)
    # A folder of Playwright's own is looked at last: the system's browser gets the system's fonts.
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return
    with sync_playwright() as playwright:
        yield playwright.chromium.executable_path


def _apt() -> None:
    if shutil.which("apt-get") and getattr(os, "geteuid", lambda: -1)() == 0:
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
            subprocess.run(["apt-get", "--quiet", *command], env=environment, stdout=sys.stderr, check=False)


def _playwright() -> None:
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], stdout=sys.stderr, check=False)


if __name__ == "__main__":
    found = ensure()
    print(found or ADVICE, file=sys.stdout if found else sys.stderr)
    sys.exit(0 if found else 1)
