# SPDX-License-Identifier: Apache-2.0
"""A real Chromium for tests of pages: the system's, or the one that Playwright installs. ``make test`` sees to it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP evil.test 127.0.0.1"),
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
"""axe-core, which finds what people with disabilities would stumble over."""


@pytest.fixture(scope="module")  # one for a whole run would not outlive tests that end all processes below them
def chromium() -> Iterator[Browser]:
    """The browser; a test that needs it is named as not run where there is none."""
    given = os.environ.get("SHOAL_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright:
        if given is None and not Path(playwright.chromium.executable_path).is_file():
            pytest.skip("no Chromium here: make test installs it, or name one in SHOAL_CHROMIUM")
        browser = playwright.chromium.launch(executable_path=given, args=FLAGS)
        yield browser
        browser.close()


class Watched:
    """A page without a network, and everything that it asked for or complained about."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append("a dialog"), dialog.dismiss()))

    def violations(self, impacts: tuple[str, ...] = ("serious", "critical")) -> list[str]:
        """What axe-core finds, of these impacts, in words."""
        self.page.evaluate(AXE)
        found = self.page.evaluate("async () => (await axe.run({resultTypes: ['violations']})).violations")
        return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found if one["impact"] in impacts]


@contextmanager
def opened(browser: Browser, path: Path, *, width: int = 1200, scheme: str = "light") -> Iterator[Watched]:
    """A file in a window of its own, the network off."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True)
    try:
        watched = Watched(context.new_page())
        watched.page.goto(path.as_uri())
        yield watched
    finally:
        context.close()
