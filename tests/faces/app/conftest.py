# SPDX-License-Identifier: Apache-2.0
"""A running app: started as people start it, in a process of its own, with a state folder of its own."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

import shoal
from tests.browser import Watched

expect.set_options(timeout=60_000)  # what is waited for comes, however busy the machine is
START = [sys.executable, "-m", "shoal", "app", "--no-browser"]


class RunningApp:
    """One process of the app, its address, and the way in."""

    def __init__(self, state: Path, *arguments: str) -> None:
        self.state = state
        env = {**os.environ, "XDG_STATE_HOME": str(state)}
        self.errors = (state.parent / f"{state.name}.errors").open("wb")
        self.process = subprocess.Popen(
            [*START, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            env=env,
        )
        assert self.process.stdout is not None
        self.link = re.search(r"http://\S+", self.process.stdout.readline())[0]
        self.port = int(re.search(r":(\d+)/", self.link)[1])
        self.base = self.cookie = ""

    def ask(
        self, method: str, path: str, fields: dict[str, str] | None = None, body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """A request by hand: status, headers, body. By default it comes from one of the app's own pages."""
        sent = {"host": f"127.0.0.1:{self.port}", "origin": f"http://127.0.0.1:{self.port}", "cookie": self.cookie}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {name: value for name, value in sent.items() if value}
        if fields is not None:
            body = urlencode(fields).encode()
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            line.request(method, path, body, sent)
            answer = line.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            line.close()

    def enter(self) -> None:
        """Hand the token over for the cookie."""
        status, headers, _ = self.ask("POST", "/open", {"token": self.link.partition("#")[2]})
        assert status == 303
        self.cookie = headers["set-cookie"].partition(";")[0]
        self.base = headers["location"].rstrip("/")

    def wait(self, known: Callable[[], bool], seconds: float = 90.0) -> None:
        """Until something is so."""
        end = time.monotonic() + seconds
        while not known():
            assert time.monotonic() < end, self.stderr()
            time.sleep(0.1)

    def wait_for_table(self) -> None:
        """Until the table that the app was started with is on the desk."""
        self.wait(lambda: self.ask("GET", f"{self.base}/columns")[0] == 200)

    def stderr(self) -> str:
        """What it said on the way."""
        return Path(self.errors.name).read_text(encoding="utf-8")

    def stop(self, number: int = signal.SIGTERM) -> int:
        """End it and wait."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(20)
        self.errors.close()
        return code


@pytest.fixture(scope="module")
def patients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small table of invented people."""
    path = tmp_path_factory.mktemp("tables") / "patients.csv"
    frame = shoal.synthetic_patients(300).select("name", "age", "sex", "postcode", "marital_status", "diagnosis")
    frame.write_csv(path)
    return path


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, patients: Path) -> Iterator[RunningApp]:
    """The app with that table; one for all tests of a file."""
    made = RunningApp(tmp_path_factory.mktemp("state"), str(patients), "--out", str(patients.parent / "out"))
    yield made
    made.stop()


class Visitor(Watched):
    """A tab of the app, from which nothing may leave this computer and nothing may be complained about."""

    def __init__(self, page: Page, base: str) -> None:
        super().__init__(page)
        self.base = base

    def see(self, screen: str) -> None:
        """Go to a screen."""
        self.page.goto(f"{self.base}/{screen}")

    def until(self, screen: str) -> None:
        """Wait for a screen."""
        self.page.wait_for_url(re.compile(f"{re.escape(self.base)}/{screen}"), timeout=120_000)

    def click(self, words: str) -> None:
        """A button, by its words."""
        self.page.get_by_role("button", name=words, exact=True).click()

    def quick(self, k: int = 5) -> None:
        """A plan that runs in a moment."""
        self.see("protection")
        self.page.fill("#k", str(k))
        self.page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        self.page.fill("#f-time_budget", "0.3")
        self.page.locator(".go button", has_text="Save").click()
        self.until("protection")

    def outside(self) -> list[str]:
        """Requests that went anywhere else."""
        return [url for url in self.requests if not url.startswith(self.base.partition("/r/")[0])]


@pytest.fixture(scope="module")
def tab(app: RunningApp, chromium: Browser) -> Iterator[BrowserContext]:
    """A browser that was let in."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, accept_downloads=True)
    page = context.new_page()
    page.goto(app.link)
    page.wait_for_url("**/r/**")
    app.base = re.search(r"/r/[^/]+", page.url)[0]
    app.cookie = "; ".join(f"{one['name']}={one['value']}" for one in context.cookies(page.url))
    page.close()
    yield context
    context.close()


@pytest.fixture
def visitor(app: RunningApp, tab: BrowserContext) -> Iterator[Visitor]:
    """A new tab; afterwards nothing has left, and nothing was complained about."""
    page = tab.new_page()
    made = Visitor(page, f"http://127.0.0.1:{app.port}{app.base}")
    app.wait_for_table()
    yield made
    page.wait_for_load_state()  # a tab that is closed on its way to another page may hang for ever
    page.close()
    assert made.outside() == []
    assert made.complaints == []
