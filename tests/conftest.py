# SPDX-License-Identifier: Apache-2.0
"""Fixtures shared by all rooms."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The first example of a property test may compile kernels; a deadline would blame it.
settings.register_profile("shoal", deadline=None, print_blob=True)
settings.load_profile("shoal")

ROOT = Path(__file__).resolve().parent.parent
SHARED_DATA = Path(os.environ.get("SHOAL_DATA", ROOT.parent / "shared" / "data"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real tables."""
    return SHARED_DATA


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that need the real tables are named as not run where the tables are absent."""
    if SHARED_DATA.is_dir():
        return
    absent = pytest.mark.skip(reason=f"no data folder at SHOAL_DATA ({SHARED_DATA.name})")
    for item in items:
        if "data" in item.keywords:
            item.add_marker(absent)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In continuous integration, with the real tables present, a skipped test is a failure."""
    if os.environ.get("CI") != "true" or not SHARED_DATA.is_dir():
        return
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and reporter.stats.get("skipped"):
        reporter.write_line("CI=true: a skipped test counts as failed", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
