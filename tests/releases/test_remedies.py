# SPDX-License-Identifier: Apache-2.0
"""What would stop private values from being given away: named where it is needed, true when it is asked for."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.judging.evidence import per_cell
from shoal.judging.exposures import Exposure
from shoal.judging.metrics.given_away import told
from shoal.releases.release import Release
from shoal.releases.remedies import _wanted
from shoal.releases.reports.findings import exposures_of, main_loss, measurement_of, remedy_sentences
from tests.attacks.test_rows_left_out import people as people_with_a_loner
from tests.attacks.test_rows_left_out import released

ROLES: dict[str, Any] = {"quasi_identifiers": ["age", "zip"], "rest": "drop", "method": "hilbert"}


def people(rows: int = 400, common: float = 0.7) -> pl.DataFrame:
    """Ages and places, one illness that most have, and a salary."""
    random = np.random.default_rng(2)
    return pl.DataFrame(
        {
            "age": random.integers(20, 80, rows),
            "zip": random.choice(["10115", "10117", "20095", "80331"], rows),
            "ill": random.choice(["flu", "cold", "cough"], rows, p=[common, (1 - common) / 2, (1 - common) / 2]),
            "salary": random.integers(20_000, 90_000, rows),
        }
    )


def given_away(release: Release) -> dict[str, tuple[int, int, int]]:
    """Rows that are certain, nearly, and in a narrow range, by column."""
    found = told(measurement_of(release, "given_away"), len(release.released))
    return {one.column: (one.certain, one.nearly, one.narrow) for one in found}


def test_what_is_named_does_stop_it() -> None:
    """With the model that the release names nobody's value is given away, at no more than the loss that was told."""
    before = shoal.anonymize(people(), k=4, sensitive=["ill", "salary"], **ROLES)
    assert given_away(before)["ill"][0] > 0
    remedy = next(one for one in before.remedies if one.model == "l_diversity")
    assert remedy.asked == "--l-diversity 2"
    after = shoal.anonymize(
        people(), k=4, sensitive=["ill", "salary"], models={remedy.model: remedy.parameters}, refine=True, **ROLES
    )
    assert given_away(after)["ill"][0] == 0
    losses = [per_cell(main_loss(one)) for one in (before, after)]
    assert losses[1] <= remedy.after(losses[0])


def test_nearly_is_stopped_by_a_share() -> None:
    """Of classes of twelve, nine of ten with one illness ask for alpha, which stops both."""
    before = shoal.anonymize(people(900, 0.78), k=12, sensitive=["ill"], **ROLES)
    assert given_away(before)["ill"][1] > 0
    remedy = next(one for one in before.remedies if one.model == "alpha_k")
    after = shoal.anonymize(people(900, 0.78), k=12, sensitive=["ill"], models={"alpha_k": remedy.parameters}, **ROLES)
    assert given_away(after)["ill"] == (0, 0, 0)


def test_numbers_close_together_name_closeness() -> None:
    """Pairs of look-alikes with neighbouring salaries; what that would cost is not made up."""
    frame = pl.DataFrame({"age": np.arange(200) // 2, "zip": ["1"] * 200, "salary": np.arange(200) * 100})
    release = shoal.anonymize(frame, k=2, sensitive=["salary"], accept=["salary"], **ROLES)
    assert given_away(release)["salary"] == (0, 0, 200)
    assert [(one.asked, one.extra) for one in release.remedies] == [("--t-closeness 0.2", None)]
    assert "loss" not in release.remedies[0].sentence(0.1)


def test_nothing_given_away_names_nothing() -> None:
    """No remedy without an illness, and no time spent."""
    frame = people().with_columns(ill=pl.Series([f"ill {row % 7}" for row in range(400)]))
    release = shoal.anonymize(frame, k=8, sensitive=["ill"], **ROLES)
    assert release.remedies == ()
    assert "weigh" not in release.timings


def test_one_value_in_the_whole_table_has_no_remedy() -> None:
    """No classes could hide it, so no model is promised to; another column is still helped, by a line of the plan."""
    frame = people().with_columns(same=pl.lit("yes"))
    release = shoal.anonymize(frame, k=4, sensitive=["ill", "same"], **ROLES)
    assert given_away(release)["same"][0] == 400
    assert release.remedies[0].parameters["columns"] == ["ill"]
    assert 'columns = ["ill"]' in release.remedies[0].asked


def test_a_share_is_asked_of_the_columns_that_can_keep_it() -> None:
    """Where nearly everybody has one value no share below it can hold; the line of the plan names the other column."""
    plan = shoal.Plan.of(4, quasi_identifiers=["age"], sensitive=["ill", "rare"])
    both = [Exposure("ill", 100, 0, 20, commonest=0.6), Exposure("rare", 100, 0, 20, commonest=0.6)]
    (remedy,) = _wanted(plan, both)
    assert (remedy.model, remedy.asked.split()[0]) == ("alpha_k", "--alpha")
    (remedy,) = _wanted(plan, [both[0], Exposure("rare", 100, 0, 20, commonest=0.99)])
    assert remedy.parameters["columns"] == ["ill"]
    assert 'columns = ["ill"]' in remedy.asked


def test_a_column_that_no_share_can_help_is_named_with_the_reason() -> None:
    """Beside the line that helps another column, and alone; how usual its value is stands with what is given away."""
    frame = people(900, 0.78).with_columns(claims=pl.Series([int(row % 13 == 0) * (1 + row) for row in range(900)]))
    release = shoal.anonymize(frame, k=30, sensitive=["ill", "claims"], **ROLES)
    assert given_away(release)["claims"][1] > 0  # 29 of 30
    said = remedy_sentences(release)
    assert "no share is asked of 'claims' (92 %)" in said[-1]
    assert not [one for one in said if "at most" in one]
    (told_,) = [one.sentence() for one in exposures_of(release) if one.column == "claims"]
    assert told_.endswith("92 % of all rows have one value anyway")
    usual = shoal.anonymize(people(900, 0.78), k=12, sensitive=["ill"], **ROLES)
    assert not [one for one in remedy_sentences(usual) if "no share" in one]
    assert "anyway" not in exposures_of(usual)[0].sentence()


@pytest.mark.parametrize("others", [{"loss": "sse", "render": "mean", "method": "mdav"}, {"missing": "wildcard"}])
def test_where_no_hulls_are_published_no_cost_is_told(others: dict[str, Any]) -> None:
    """The model is named all the same."""
    release = shoal.anonymize(people(), k=4, sensitive=["ill"], **{**ROLES, **others})
    assert release.remedies
    assert all(one.extra is None for one in release.remedies)


@pytest.mark.parametrize("last", [{"income": 50_000_000}, {"job": "spy"}, {"born": date(1899, 12, 31)}])
def test_rows_left_out_are_in_no_cost(tmp_path: Path, last: dict[str, Any]) -> None:
    """Whatever the one person is like who was left out: the same words, byte for byte."""
    folders = []
    for name, row in (("a", {}), ("b", last)):
        ill = pl.when(pl.col("income") < 20_020).then(pl.lit("flu")).otherwise(pl.col("sex"))
        release = released(people_with_a_loner(**row).with_columns(ill=ill))
        assert release.remedies[0].extra
        folders.append(release.save(tmp_path / name))
    for name in ("table.parquet", "report.json", "report.html"):
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes(), name


def test_sub_tables_tell_the_worst_of_them() -> None:
    """Each repeats the private column; the measurement says which gives away most."""
    with pytest.warns(UserWarning, match="sub-tables"):
        release = shoal.anonymize(
            people(), k=3, sensitive=["ill"], **{**ROLES, "method": "equal_combination"}, accept_weaker=True
        )
    measured = measurement_of(release, "given_away")
    assert measured is not None
    assert "sub-table" in measured.note
