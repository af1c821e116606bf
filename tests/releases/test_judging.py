# SPDX-License-Identifier: Apache-2.0
"""Releases are judged by their own plan: in memory, as a folder, and as the table that they publish."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.releases.folder import reported

PEOPLE = shoal.synthetic_patients(200, seed=4).select("name", "age", "sex", "diagnosis")
ROLES: dict[str, Any] = {
    "k": 5,
    "quasi_identifiers": ["age", "sex"],
    "sensitive": ["diagnosis"],
    "identifiers": ["name"],
}


@pytest.fixture(scope="module")
def release() -> shoal.Release:
    """Two hundred patients."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return shoal.anonymize(PEOPLE, method="mondrian", **ROLES)


def said(verdict: shoal.Verdict) -> list[tuple[str, Any, str]]:
    """What a verdict says."""
    return [(one.model, one.holds, one.statement) for one in verdict.findings]


def test_a_release_in_memory_its_folder_and_its_table_are_judged_alike(release: shoal.Release, tmp_path: Path) -> None:
    """One plan, one table, one verdict, one set of figures."""
    folder = release.save(tmp_path / "out")
    table = shoal.check(release.table, plan=release.plan)
    assert said(shoal.check(release)) == said(shoal.check(folder)) == said(shoal.check(str(folder))) == said(table)
    beside = shoal.check(release, original=PEOPLE)
    assert beside.holds
    assert said(beside) == said(shoal.check(folder, original=PEOPLE))
    figures = [{one.metric: one.value for one in shoal.measure(PEOPLE, one)} for one in (release, folder)]
    assert figures[0] == pytest.approx({one.metric: one.value for one in release.measurements}, nan_ok=True)
    assert figures[1]["ncp"] == figures[0]["ncp"]
    (only,) = shoal.measure(PEOPLE, release, metrics=["ncp"])
    assert only.value == figures[0]["ncp"]


def test_what_no_longer_holds_is_told_of_a_release(release: shoal.Release, tmp_path: Path) -> None:
    """Another plan asks for more; a folder that was changed is no longer what it was."""
    more = shoal.Plan.of(50, **{name: value for name, value in ROLES.items() if name != "k"})
    assert not shoal.check(release, plan=more).holds
    folder = release.save(tmp_path / "out")
    (folder / "report.json").unlink()
    verdict = shoal.check(folder)
    assert not verdict.holds
    assert ("release_folder", False, "report.json is missing.") in said(verdict)


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_a_measured_folder_that_was_changed_is_told(release: shoal.Release, tmp_path: Path) -> None:
    """Its figures may be those of other rows, in memory and where rows are only counted."""
    from click.testing import CliRunner

    from shoal.faces.cli import shoal as command

    folder = release.save(tmp_path / "out", format="delimited")
    PEOPLE.write_csv(tmp_path / "people.csv")
    asked = ["measure", str(tmp_path / "people.csv"), str(folder), "--json"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shoal.measure(PEOPLE, folder)
    assert "PROBLEM" not in CliRunner().invoke(command, asked).stderr
    table = folder / "table.csv"
    table.write_text("\n".join(table.read_text().splitlines()[:100]) + "\n")
    with pytest.warns(shoal.PrivacyWarning, match=r"not as it was released: table\.csv"):
        shoal.measure(PEOPLE, folder)
    for flags in ([], ["--memory", "1GiB"]):
        done = CliRunner().invoke(command, [*asked, *flags])
        assert done.exit_code == 0, done.stderr
        assert "PROBLEM       table.csv" in done.stderr


def test_figures_of_the_report_are_told_in_python_too(tmp_path: Path) -> None:
    """Beside the very file that the release was made from, as the command does; else it is only pointed to."""
    path = tmp_path / "people.csv"
    PEOPLE.write_csv(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = shoal.anonymize(path, method="hilbert", **ROLES)
    folder = made.save(tmp_path / "out")
    (wanted,) = [one for one in made.measurements if one.metric == "sse"]
    (told,) = shoal.measure(path, folder, metrics=["sse"])
    assert told.value == pytest.approx(wanted.value)
    assert "no signature" in told.note
    (unknown,) = shoal.measure(PEOPLE, folder, metrics=["sse"])
    assert unknown.value != unknown.value
    assert "report.json of the release has the figure" in unknown.note


@pytest.mark.parametrize(
    "told",
    [
        {"value": True},
        {"value": 1, "figures": 3},
        {"value": 1, "per_column": [1]},
        {"value": 1, "figures": {"gcp": "x"}},
        {"value": 10**400},
        {"value": None},
        [1],
        "sse",
    ],
)
def test_what_is_no_measurement_is_not_reported(told: Any, tmp_path: Path) -> None:
    """A report may have been written by anybody."""
    sound = {"metric": "ncp", "value": 2, "figures": {"gcp": None}, "per_column": {"age": 0.5}}
    bent = {"metric": "sse", **told} if isinstance(told, dict) else told
    (tmp_path / "report.json").write_text(json.dumps({"measurements": [bent, sound]}))
    assert reported(tmp_path) == {"ncp": sound}


def test_a_release_is_no_original(release: shoal.Release, tmp_path: Path) -> None:
    """It is said so wherever an original is asked for."""
    from click.testing import CliRunner

    from shoal.faces.cli import shoal as command

    folder = release.save(tmp_path / "out")
    for one in (release, folder, str(folder)):
        for call in (
            lambda one=one: shoal.check(release, original=one),
            lambda one=one: shoal.measure(one, release),
            lambda one=one: shoal.attack(release, original=one),
        ):
            with pytest.raises(shoal.ShoalError, match="not what something was made from"):
                call()
    done = CliRunner().invoke(command, ["check", str(folder), "--original", str(folder)])
    assert done.exit_code == 2
    assert "not what something was made from" in done.stderr


def test_a_release_changed_in_memory_is_called_so(release: shoal.Release) -> None:
    """Nothing of it was cut."""
    changed = replace(release, released=release.released.take(np.arange(10)))
    with pytest.raises(shoal.ShoalError, match="changed since the release was made"):
        shoal.check(changed)


def test_the_wrong_original_is_refused_beside_a_release(release: shoal.Release) -> None:
    """As beside a table."""
    with pytest.raises(shoal.ShoalError, match="--original / original"):
        shoal.check(release, original=PEOPLE.drop("age"))


@pytest.mark.parametrize("keywords", [{"k": 3}, {"quasi_identifiers": ["age"]}, {"models": {"l_diversity": {"l": 2}}}])
def test_keywords_beside_a_release_are_refused(release: shoal.Release, keywords: dict[str, Any]) -> None:
    """It carries its own plan, and nothing would say which counts."""
    with pytest.raises(shoal.ShoalError, match="together with keywords"):
        shoal.check(release, **keywords)


def test_empty_keywords_say_nothing(release: shoal.Release) -> None:
    """Programs hand on what their users left out."""
    assert shoal.check(release, quasi_identifiers=(), k=None, models=None).holds


def test_persons_count_in_a_release(release: shoal.Release) -> None:
    """What only the maker knows is used: two rows of a person are one."""
    twice = pl.concat([PEOPLE, PEOPLE]).rename({"name": "who"})
    roles = {**ROLES, "identifiers": ["who"]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = shoal.anonymize(twice, method="mondrian", person="who", **roles)
    assert said(shoal.check(made)) == said(made.verdict)


def test_a_weaker_release_is_judged_by_its_maker() -> None:
    """Sub-tables joined are known in memory; an original beside them is not looked at, which is said."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = shoal.anonymize(PEOPLE, method="equal_combination", accept_weaker=True, **ROLES)
    verdict = shoal.check(made, original=PEOPLE)
    assert said(verdict) == said(made.verdict)
    assert "nothing was looked for beside the original: that needs a table of classes" in verdict.warnings
    assert {one.metric for one in shoal.measure(PEOPLE, made)} == {one.metric for one in made.measurements}


def test_a_table_without_a_plan_is_refused_with_advice(release: shoal.Release) -> None:
    """It was an error of Python that named an argument."""
    with pytest.raises(shoal.ShoalError, match=r"shoal\.measure, plan(.|\n)*Plan\.of"):
        shoal.measure(PEOPLE, release.table, metrics=["ncp"])
