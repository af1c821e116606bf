# SPDX-License-Identifier: Apache-2.0
"""Fixtures shared by all rooms."""

from __future__ import annotations

import fcntl
import gc
import os
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.compiling import CompilingProcess, ask_at

pytest_plugins = ["tests.browser"]  # the browser of all tests of pages
FULL = os.environ.get("SHOAL_TESTS") == "full"
if not FULL:  # on small tables, threads cost more than they do; those of tests that are about threads are set there
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
# The first example of a property test may compile kernels; a deadline would blame it.
settings.register_profile("shoal", deadline=None, print_blob=True, max_examples=100 if FULL else 20)
settings.load_profile("shoal")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell; children would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent
USUAL_SEARCH, SHORT_SEARCH = 100_000, 5_000
SELDOM = 20_000, 20, 20
"""How many new objects bring a look for garbage: tests make little of it, and each look costs."""
COMPILING = pytest.StashKey[CompilingProcess]()
SHARED_DATA = Path(os.environ.get("SHOAL_DATA", ROOT.parent / "shared" / "data"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real tables."""
    return SHARED_DATA


@pytest.fixture(scope="session")
def once_for_all(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], None]], Path]:
    """A folder that one worker fills and all others read: ``once_for_all(name, fill)``."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent

    def filled(name: str, fill: Callable[[Path], None]) -> Path:
        place = shared / name
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # the others wait; where the first failed, the next one tries
            if not place.exists():
                begun = Path(tempfile.mkdtemp(dir=shared))
                fill(begun)
                begun.rename(place)
        return place

    return filled


def in_docs(item: pytest.Item) -> bool:
    """Whether a test is about pages."""
    return item.path.is_relative_to(ROOT / "tests" / "docs")


@pytest.hookimpl(tryfirst=True)  # before those are left out that are marked as long
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Pages last; tests that need the real tables are named as not run where the tables are absent."""
    items.sort(key=in_docs)  # the processes that they start find all kernels compiled
    _thin_out(items)
    if SHARED_DATA.is_dir():
        return
    absent = pytest.mark.skip(reason=f"no data folder at SHOAL_DATA ({SHARED_DATA.name})")
    for item in items:
        if "data" in item.keywords:
            item.add_marker(absent)


def _thin_out(items: list[pytest.Item]) -> None:
    """Of tests marked as thin, all cases but every n-th are long ones."""
    seen: Counter[str] = Counter()
    for item in items:
        thin = item.get_closest_marker("thin")
        if thin is None:
            continue
        family = item.nodeid.partition("[")[0]
        if seen[family] % thin.args[0]:
            item.add_marker(pytest.mark.long)
        seen[family] += 1


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Workers learn whom to ask for kernels; whoever starts them sees to it that there is somebody."""
    stash = node.config.stash
    if COMPILING not in stash:
        stash[COMPILING] = CompilingProcess()
    node.workerinput["compiling"] = stash[COMPILING].address


def pytest_collection_finish(session: pytest.Session) -> None:
    """Workers do not compile the same parts of kernels each; what lasts to the end is no garbage to look through."""
    gc.freeze()
    gc.set_threshold(*SELDOM)
    if "numba" in sys.modules and hasattr(session.config, "workerinput"):
        ask_at(session.config.workerinput["compiling"])


def pytest_unconfigure(config: pytest.Config) -> None:
    """Nobody asks any more, and what lasted may go."""
    gc.unfreeze()
    if compiling := config.stash.get(COMPILING, None):
        compiling.end()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """The search is short, where it is not what is tested and nothing on a page depends on it."""
    if FULL:
        return
    from shoal.plan import effort

    shown = item.path.is_relative_to(ROOT / "src") or in_docs(item)
    effort.STEPS = USUAL_SEARCH if shown else SHORT_SEARCH


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In continuous integration, with the real tables present, a skipped test is a failure."""
    if os.environ.get("CI") != "true" or not SHARED_DATA.is_dir():
        return
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and reporter.stats.get("skipped"):
        reporter.write_line("CI=true: a skipped test counts as failed", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
