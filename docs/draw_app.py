# SPDX-License-Identifier: Apache-2.0
"""Takes the pictures of the app that README shows, in a real Chromium: ``python docs/draw_app.py``."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

DOCS = Path(__file__).resolve().parent
FLAGS = ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"]
SIZE = {"width": 1120, "height": 760}


def main() -> None:
    """Start the app with the invented patients, walk to the result, and take two pictures."""
    with tempfile.TemporaryDirectory() as state:
        env = {**os.environ, "XDG_STATE_HOME": state}
        command = [sys.executable, "-m", "shoal", "app", "--example", "--no-browser"]
        app = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=env)
        try:
            assert app.stdout is not None
            found = re.search(r"http://\S+", app.stdout.readline())
            assert found is not None
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
                draw(browser.new_page(viewport=SIZE), found[0])
                browser.close()
        finally:
            app.terminate()
            app.wait()


def draw(page: Page, link: str) -> None:
    """The screen of columns, and that of the result."""
    page.goto(link)
    page.wait_for_url("**/r/**")
    base = page.url.rstrip("/")
    while "columns" not in page.url:
        page.wait_for_timeout(500)
        page.goto(f"{base}/columns")
    page.wait_for_selector("#exposed[data-known=yes]", timeout=120_000)
    page.screenshot(path=DOCS / "app-columns.png")
    page.get_by_role("button", name="Make it safe to share", exact=True).click()
    page.wait_for_url("**/result/**", timeout=300_000)
    page.screenshot(path=DOCS / "app-result.png")


if __name__ == "__main__":
    main()
