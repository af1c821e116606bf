# SPDX-License-Identifier: Apache-2.0
"""``shoal.attack``: what can be attacked, how success is scored, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.ground import catalog
from shoal.ground.errors import PlanError, ShoalError, TableError, UnknownNameError
from tests.judging.attacks.people import QUASI_IDENTIFIERS, K, people, released

TABLE = people(8, rows=80).with_columns(pl.Series("id", [f"person {row}" for row in range(80)]))


@pytest.fixture(scope="module")
def release() -> shoal.Release:
    """A release without the key."""
    return released(TABLE, identifiers=["id"])


def linkage(*arguments: Any, **keywords: Any) -> Any:
    """The one attempt at linkage."""
    return shoal.attack(*arguments, attacks=["linkage"], **keywords).attempts[0]


def test_every_attack_answers_and_the_report_has_every_face(release: shoal.Release) -> None:
    """Text, HTML and JSON tell the same attempts, and JSON has no NaN."""
    report = shoal.attack(release, known=TABLE)
    assert list(dict.fromkeys(one.attack for one in report.attempts)) == catalog.names("attacks")
    facts = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert [one["statement"] for one in facts["attacks"]] == [one.statement for one in report.attempts]
    text, page = str(report), report._repr_html_()
    for one in report.attempts:
        assert f"{one.mark:<13} {one.attack}: {one.statement}" in text
        assert one.mark in page
        assert (one.mark == "NOTHING FOUND") == (one.tried and one.broken is None and one.rate == 0)
    assert facts["attacks"][2]["interval"]["method"] == "Wilson"


def test_plain_words(release: shoal.Release) -> None:
    """The main sentence says what is known, how often it works, how sure that is, and what was promised."""
    said = linkage(release, known=TABLE, on=["whole", "flat", "code"]).statement
    assert said.startswith("an attacker who knows whole, flat and code of a person finds the right row in ")
    assert "(95 %: " in said
    assert "the promise was at most 25 %" in said
    assert "in the original table in " in said


def test_files_with_the_original_score_like_memory(release: shoal.Release, tmp_path: Path) -> None:
    """Labels are true, so from the folder and the original the rate is that of the release in memory."""
    folder = release.save(tmp_path / "released")
    TABLE.write_parquet(tmp_path / "original.parquet")
    memory = linkage(release, known=TABLE)
    for keywords in ({"original": tmp_path / "original.parquet"}, {"known": TABLE, "original": TABLE}):
        files = linkage(folder, **keywords)
        assert (files.rate, files.before, files.broken) == (memory.rate, memory.before, False)


def test_truth_by_a_key(release: shoal.Release, tmp_path: Path) -> None:
    """A shuffled register with strangers in it is scored by the key; strangers are counted apart."""
    known = pl.concat([TABLE[50:], TABLE[:30].with_columns((pl.lit("stranger") + pl.col("id")).alias("id"))])
    found = linkage(release, known=known, original=TABLE, truth="id")
    assert (found.targets, found.figures["strangers"]) == (30, 30)
    by_number = linkage(release, known=known, truth=np.append(np.arange(50, 80), np.full(30, -1)))
    assert found.rate == by_number.rate
    assert linkage(release.save(tmp_path / "released"), known=known, original=TABLE, truth="id").rate == found.rate


def test_truth_by_a_key_left_in_the_release() -> None:
    """A table that still shows the key can be scored without the original."""
    shown = released(TABLE, k=K, rest="insensitive", accept=["id"])  # the key is published
    table = shown.table
    found = linkage(
        table,
        known=TABLE[::-1],
        on=QUASI_IDENTIFIERS,
        truth="id",
        k=K,
        hierarchies={"tree": shown.plan.columns["tree"].hierarchy},
        kinds={name: shown.plan.columns[name].kind for name in QUASI_IDENTIFIERS},
    )
    assert found.rate == pytest.approx(linkage(shown, known=TABLE).rate)


def test_without_truth_only_candidates_are_counted(release: shoal.Release) -> None:
    """Then the rate is undefined, and k still holds for every target who fits a row."""
    found = linkage(release, known=TABLE[5:25])
    assert np.isnan(found.rate)
    assert found.figures["fewest_candidates"] >= K
    assert found.broken is False
    assert "not counted" in found.statement


def test_columns_beyond_the_promise_break_nothing(release: shoal.Release) -> None:
    """Whoever also knows a private column does better, but nothing was promised about it."""
    found = linkage(release, known=TABLE, on=[*QUASI_IDENTIFIERS, "cost"])
    assert found.broken is None
    assert np.isnan(found.promise)
    assert found.rate >= linkage(release, known=TABLE).rate


def test_a_class_that_is_too_small_is_broken_even_without_truth() -> None:
    """Fewer candidates than promised need no truth."""
    shown = pl.DataFrame({"age": ["[20, 29]", "[20, 29]", "[30, 39]"], "sex": ["m", "m", "f"]})
    known = pl.DataFrame({"age": [25, 33], "sex": ["m", "f"]})
    found = linkage(shown, known=known, on=["age", "sex"], k=2, kinds={"age": "numeric"})
    assert found.broken is True
    assert found.figures["one_candidate"] == 1
    assert linkage(shown, known=known, on=["age", "sex"], kinds={"age": "numeric"}).broken is None


def test_a_sample_of_targets(release: shoal.Release) -> None:
    """Fewer targets, drawn evenly and always the same, with a wider interval."""
    every, some = (shoal.attack(release, known=TABLE, targets=number) for number in (80, 40))
    assert some.of("linkage")[0].targets == 40
    assert "drawn evenly" in str(some)
    assert str(some) == str(shoal.attack(release, known=TABLE, targets=40))
    low, high = some.of("linkage")[0].interval
    assert high - low > np.diff(every.of("linkage")[0].interval)


@pytest.mark.parametrize(
    ("keywords", "error"),
    [
        ({"known": TABLE, "on": ["nosuch"]}, TableError),
        ({"known": TABLE, "on": ["id"]}, TableError),
        ({"known": TABLE.select("cost")}, PlanError),
        ({"known": TABLE, "truth": "nosuch"}, TableError),
        ({"known": TABLE, "original": TABLE, "truth": "flat"}, TableError),
        ({"known": TABLE, "truth": [1, 2]}, PlanError),
        ({"known": TABLE, "truth": np.full(80, 80)}, PlanError),
        ({"known": TABLE, "original": TABLE[:50]}, TableError),
        ({"known": TABLE, "targets": 0}, PlanError),
        ({"known": TABLE, "attacks": ["nosuch"]}, UnknownNameError),
        ({"known": TABLE, "k": 5}, PlanError),
        ({"known": 7}, TableError),
        ({"known": TABLE.with_columns(pl.col("whole").cast(pl.String) + " years")}, TableError),
    ],
    ids=lambda given: ",".join(given) if isinstance(given, dict) else "",
)
def test_wrong_input(release: shoal.Release, keywords: dict[str, Any], error: type[ShoalError]) -> None:
    """Refused in five parts, and no cell is quoted."""
    with pytest.raises(error) as problem:
        shoal.attack(release, **keywords)
    assert set(problem.value.parts()) == {"what", "where", "allowed", "received", "next"}
    assert "person 1" not in str(problem.value)


def test_a_lacking_hierarchy_is_hinted_at() -> None:
    """Labels of an unknown tree fit nobody; the report says what is lacking."""
    shown = pl.DataFrame({"work": ["Gov", "Gov"]})
    known = pl.DataFrame({"work": ["Local", "State"]})
    report = shoal.attack(shown, known=known, on=["work"], k=2, attacks=["linkage"])
    assert "column 'work'" in report.notes[-1]
    tree = [["Local", "Gov", "*"], ["State", "Gov", "*"], ["Self", "*"]]
    whole = shoal.attack(shown, known=known, on=["work"], k=2, attacks=["linkage"], hierarchies={"work": tree})
    assert whole.attempts[0].figures["with_candidates"] == 2
    assert "column 'work'" not in "".join(whole.notes)


def test_labels_that_cannot_be_read_are_counted_and_not_shown() -> None:
    """A label of an unknown kind is no traceback and no quotation."""
    shown = pl.DataFrame({"age": ["young", "young", "old"]})
    with pytest.raises(TableError) as problem:
        shoal.attack(shown, known=pl.DataFrame({"age": [25]}), on=["age"], kinds={"age": "numeric"})
    assert "2 different labels" in problem.value.received
    assert "young" not in str(problem.value)


def test_the_rate_before_counts_everybody() -> None:
    """Against the original a row is found in one case of as many as look like it, the first person's too."""
    table = pl.DataFrame({"x": [1, 7, 7, 7, 7, 7], "ill": ["a", "b", "c", "d", "e", "f"]})
    made = shoal.anonymize(table, k=3, quasi_identifiers=["x"], sensitive=["ill"], method="mondrian")
    assert linkage(made, known=table).before == pytest.approx((1 + 5 / 5) / 6)


def test_a_column_named_twice_is_refused() -> None:
    """It is said so, whichever way the release came."""
    frame = pl.DataFrame({"age": [30, 30, 40, 40], "sex": ["f", "f", "m", "m"]})
    with pytest.raises(shoal.ShoalError, match="named more than once"):
        shoal.attack(frame, known=frame, on=["age", "sex", "age"], quasi_identifiers=["age", "sex"])
