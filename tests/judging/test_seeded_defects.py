# SPDX-License-Identifier: Apache-2.0
"""The checker finds every defect that was put into a good release, names it, and is calm about good releases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from shoal.judging.checking import check
from shoal.releases.folder import read_release
from tests.judging.seeded_defects import DEFECTS
from tests.judging.seeded_defects.good_release import Defect, Released, good, people, release, with_original

METHODS = ["mondrian", "k_member", "mdav", "hilbert", "top_down", "one_pass_k_means", "binary_k_means", "kaca"]


def messages(whole: Released) -> dict[str, list[str]]:
    """Everything that the checker complains about, by the name it gives it; information left out."""
    problems: list[str] = []
    if whole.folder is not None:
        saved = read_release(whole.folder)
        verdict, problems = saved.check(saved.plan, whole.original), saved.problems
    else:
        verdict = check(whole.path or whole.table, plan=whole.plan, original=whole.original)
    said = [(one.model, one.statement) for one in verdict.findings if one.holds is False]
    said += [(one.kind, one.statement) for one in verdict.leaks if one.severity == "warning"]
    said += [("release folder", problem) for problem in problems]
    found: dict[str, list[str]] = {}
    for name, statement in said:
        found.setdefault(name, []).append(statement)
    return found


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.__name__)
def test_defect_is_named_and_no_cell_quoted(defect: Defect, tmp_path: Path) -> None:
    """A damaged release is reported under the name of its defect, in a sentence that says what it is.

    Whatever is wrong, names, diseases and the labels of classes stay out of all messages.
    """
    name, words = DEFECTS[defect]
    found = messages(defect(good(), tmp_path))
    assert name in found, found
    assert any(words in one for one in found[name]), found[name]
    private = {*people()["name"], *people()["disease"], "rare", "anna@", "[7, 9]"}
    assert [cell for cell in private for told in found.values() for one in told if cell in one] == []


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "with its original"])
def test_good_releases_raise_no_alarm(method: str, beside: bool) -> None:
    """None of the defects is found where none was put, whatever method made the release."""
    whole = good(method)
    assert messages(with_original(whole) if beside else whole) == {}


@pytest.mark.parametrize("format", ["delimited", "parquet", "arrow_ipc"])
def test_good_files_raise_no_alarm(format: str, tmp_path: Path) -> None:
    """Nor in a release folder of any format."""
    whole = replace(good(), folder=release().save(tmp_path / "release", format=format), original=people())
    assert messages(whole) == {}


def test_there_are_enough_defects() -> None:
    """Twenty-five at least, of every kind of leak that is warned about."""
    from shoal.ground import catalog

    informing = {"homogeneous_classes", "insensitive_columns", "overlapping_labels"}
    assert len(DEFECTS) >= 25
    assert set(catalog.names("leaks")) - informing <= {name for name, _ in DEFECTS.values()}
