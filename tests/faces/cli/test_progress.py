# SPDX-License-Identifier: Apache-2.0
"""The progress bar: always an estimate, a word about kernels, and a question when Ctrl-C is pressed."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import time
from pathlib import Path

import pytest

from shoal.faces.cli import _progress
from shoal.faces.cli._progress import PREPARING, _more, _word, left, progress_bar
from shoal.ground.progress import PREPARE, Step, expected

SLOW = """
import os, time
import shoal.engine.refining.search as search
import shoal.engine.bounds.bound as bounds
from shoal.ground.progress import Progress
{patch}
from shoal.faces.cli import main
main()
"""
SLOW_BOUND = """
def slow(encoded, size, progress=None, **_):
    for _ in range(6000):
        progress(1, 6000)
        time.sleep(0.01)
    raise SystemExit("nobody stopped it")
bounds.lower_bound = slow
"""


class Terminal:
    """A command with a terminal of its own, as a person has it."""

    def __init__(self, script: str, *arguments: object) -> None:
        self.process, self.leader = pty.fork()
        if self.process == 0:
            os.environ.update(TERM="xterm", COLUMNS="100")
            os.execv(sys.executable, [sys.executable, "-c", script, *map(str, arguments)])
        self.seen = ""

    def until(self, text: str, seconds: float = 120.0) -> str:
        """Read until a text is shown."""
        end = time.monotonic() + seconds
        while text not in self.seen and time.monotonic() < end:
            if select.select([self.leader], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.leader, 4096).decode(errors="replace")
                except OSError:
                    break
        assert text in self.seen, self.seen[-2000:]
        return self.seen

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self.leader, text.encode())

    def ended(self) -> int:
        """Read to the end; the exit code."""
        while True:
            try:
                if not (more := os.read(self.leader, 4096)):
                    break
                self.seen += more.decode(errors="replace")
            except OSError:
                break
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


@pytest.fixture
def bounding(table: Path, roles: tuple[str, ...]) -> Terminal:
    """A run whose bound takes a minute, at that point."""
    script = SLOW.format(patch=SLOW_BOUND)
    out = table.parent / "out"
    terminal = Terminal(script, "anonymize", table, "-o", out, "-k", 5, *roles, "--method", "mondrian")
    terminal.until("bound")
    return terminal


@pytest.mark.thin(3)
@pytest.mark.parametrize(("answer", "code", "released"), [("e", 0, True), ("", 0, True), ("s", 130, False)])
def test_ctrl_c_asks_on_a_terminal(bounding: Terminal, table: Path, answer: str, code: int, released: bool) -> None:
    """The phase can end early, or the run; nothing else is decided for the user."""
    bounding.type("\x03")
    bounding.until("Leave out the certificate (e), stop without a release (s) or go on (g)?")
    bounding.type(f"{answer}\n")
    assert bounding.ended() == code, bounding.seen
    assert (table.parent / "out" / "table.csv").exists() == released
    assert "Traceback" not in bounding.seen


def test_who_goes_on_is_asked_again(bounding: Terminal, table: Path) -> None:
    """To go on is no answer for good, and Ctrl-C at the question stops the run."""
    for _ in range(2):
        bounding.type("\x03")
        bounding.until("or go on (g)?")
        bounding.seen = ""
        bounding.type("g\n")
        bounding.until("left")
        bounding.seen = ""
    bounding.type("\x03")
    bounding.until("or go on (g)?")
    time.sleep(0.5)  # Python does not hear a key that is pressed between its question and its listening
    bounding.type("\x03")
    assert bounding.ended() == 130, bounding.seen
    assert not (table.parent / "out").exists()


def test_progress_always_has_an_estimate(table: Path, roles: tuple[str, ...]) -> None:
    """Whatever phase is shown, time left is shown beside it; never a dash."""
    line = ["anonymize", table, "-o", table.parent / "out", "-k", 5, *roles, "--steps", 20_000]
    terminal = Terminal("from shoal.faces.cli import main; main()", *line)
    assert terminal.ended() == 0, terminal.seen
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.seen)
    shown = [part for part in re.split(r"[\r\n]+", plain) if "gone," in part]
    assert shown
    for part in shown:
        assert re.search(r"gone, (about )?(\d+:)?\d+:\d\d left", part), part
        assert "-:--" not in part.partition("gone,")[2]


@pytest.mark.parametrize("phase", ["read", "encode", "cluster", "refine", "check", "write", "something new"])
def test_every_phase_has_a_first_estimate(phase: str) -> None:
    """Before a phase can tell how far it is, the size of the table says how long it takes about."""
    assert 0 < expected(phase, 0) < expected(phase, 10**6) < 60


def test_time_left_follows_what_is_known() -> None:
    """By speed once there is one; what takes longer than it should is not said to be over."""
    assert left(10.0, 50, 100, 3.0) == "0:10"
    assert left(7200.0, 50, 100, None) == "2:00:00"
    assert left(300.0, 0, None, 6.0) == "about 1:40"
    assert left(0.0, 0, None, None) == "about 0:01"


def test_kernels_are_named() -> None:
    """While something is compiled, the bar tells which kernel, and that this happens once."""
    assert _more(Step(PREPARE, 3, 10, what="grow in order")) == "(grow in order; kept for later runs)"
    assert _more(Step("refine", 3, 10, 0.25)) == "loss 0.25000; Ctrl-C: good enough"
    assert _more(Step("cluster", 3, 10)) == ""


@pytest.mark.parametrize("quiet", [False, True])
def test_without_a_bar_one_line_tells_of_kernels(quiet: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a log it is one line with an estimate; none if quiet was asked for, and none if nothing is compiled."""
    said: list[str] = []
    monkeypatch.setattr(_progress, "note", lambda text, **_: said.append(text))
    show = _word(quiet)
    for step in (Step("cluster", 1, 2), Step(PREPARE, 0, 100, what="a"), Step(PREPARE, 50, 100, what="b")):
        show(step)
    assert said == ([] if quiet else [PREPARING.format(seconds=7.0)])


def test_preparing_does_not_take_ctrl_c_from_the_phase_it_is_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that is compiled during the search: Ctrl-C still asks about the search."""
    monkeypatch.setattr(_progress, "note", lambda *_, **__: None)
    with progress_bar(quiet=True) as progress:
        progress.phase("refine")
        progress.prepare("search", 1, 10)
        os.kill(os.getpid(), signal.SIGINT)
        assert progress.search(1, 4, 0.5, 0.0), "finish"
