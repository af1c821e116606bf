# SPDX-License-Identifier: Apache-2.0
"""Homogeneity, skewness and intersection: what the candidates' private values tell, counted one by one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.judging.attacks import _private_values
from tests.judging.attacks.people import QUASI_IDENTIFIERS, K, candidates, people, released

ON = ["whole", "tree", "flat"]


def counts(table: pl.DataFrame, release: shoal.Release, column: str) -> list[Counter[Any]]:
    """[target] the private values of the candidate rows."""
    allowed = candidates(table, release, ON, "generalise")
    cells = [table.get_column(column)[int(row)] for row in release.rows]
    return [Counter(cell for cell, one in zip(cells, row, strict=True) if one) for row in allowed]


@pytest.mark.parametrize("chunk", [7, 4096])
@pytest.mark.parametrize("seed", range(3))
def test_certain_and_likely_values(seed: int, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Certain: one value among the candidates. Guess: the commonest. Both scored against the true value."""
    monkeypatch.setattr(_private_values, "CHUNK", chunk)
    table = people(seed, rows=40)
    release = released(table, method="k_member")
    report = shoal.attack(release, known=table, on=ON, attacks=["homogeneity", "skewness"])
    for column in ("disease", "cost"):
        found = {one.attack: one for one in report.attempts if one.figures["column"] == column}
        seen, truth = counts(table, release, column), table.get_column(column).to_list()
        certain = [len(one) == 1 for one in seen]
        assert found["homogeneity"].figures["certain"] == sum(certain)
        assert found["homogeneity"].rate == pytest.approx(np.mean(certain))
        text = {value: str(value) for value in truth}
        guess = [min(one, key=lambda value: (-one[value], text[value])) for one in seen]
        assert found["skewness"].rate == pytest.approx(np.mean([a == b for a, b in zip(guess, truth, strict=True)]))
        share = [max(one.values()) / one.total() for one in seen]
        assert found["skewness"].figures["largest_share"] == pytest.approx(max(share))
        usual = Counter(truth)
        assert found["skewness"].baseline == pytest.approx(max(usual.values()) / len(truth))
        exposed = [s >= 0.5 and s >= 2 * usual[g] / len(truth) for s, g in zip(share, guess, strict=True)]
        assert found["skewness"].figures["exposed"] == sum(exposed)
        assert all(one.broken is None for one in found.values())


def test_without_a_known_table_every_row_is_a_target() -> None:
    """Then the candidates of a row are those that look like it."""
    table = people(2, rows=40)
    release = released(table, method="k_member")
    report = shoal.attack(release, attacks=["homogeneity", "skewness"])
    shown = release.table.group_by(QUASI_IDENTIFIERS).agg(pl.col("disease").n_unique().alias("values"), pl.len())
    certain = shown.filter(pl.col("values") == 1).get_column("len").sum()
    found = report.of("homogeneity")[0]
    assert (found.figures["certain"], found.targets) == (certain, len(table))
    top = release.table.group_by(QUASI_IDENTIFIERS).agg(pl.col("disease").value_counts().struct.field("count").max())
    assert report.of("skewness")[0].rate == pytest.approx(top.get_column("count").sum() / len(table))


@pytest.mark.parametrize(
    ("model", "broken"), [({"kind": "distinct", "l": 2}, True), ({"kind": "frequency", "l": 2}, True), (None, None)]
)
def test_a_promise_about_private_values_is_held_against_the_release(model: dict[str, Any] | None, broken: Any) -> None:
    """A table that claims l-diversity and has a class of one value is broken; without a claim it is only told."""
    table = pl.DataFrame({"age": ["[20, 29]"] * 3 + ["[30, 39]"] * 3, "disease": ["flu"] * 3 + ["flu", "cold", "gout"]})
    plan = shoal.Plan.of(
        3, quasi_identifiers=["age"], sensitive=["disease"], models={"l_diversity": model} if model else {}
    )
    report = shoal.attack(table, plan=plan, attacks=["homogeneity", "skewness"])
    homogeneity, skewness = report.attempts
    assert homogeneity.broken is broken
    assert homogeneity.figures["certain"] == 3
    assert skewness.broken is (True if model and model["kind"] == "frequency" else None)
    assert report.broken is bool(broken)


@pytest.mark.parametrize("attack", ["homogeneity", "skewness"])
def test_what_the_attacker_was_told_is_not_found_out(attack: str) -> None:
    """A private column among those that are known is no finding; who knows all of them has nothing to try."""
    table = people(2, rows=40)
    release = released(table, method="k_member")
    one = shoal.attack(release, known=table, on=[*ON, "disease"], attacks=[attack])
    assert [found.figures["column"] for found in one.attempts] == ["cost"]
    alone = shoal.attack(release, on=["disease"], attacks=[attack])
    assert [found.figures["column"] for found in alone.attempts] == ["cost"]
    (none,) = shoal.attack(release, known=table, on=[*ON, "disease", "cost"], attacks=[attack]).attempts
    assert not none.tried
    assert none.statement == "the attacker knows all that is private, 'disease', 'cost'"


@pytest.mark.parametrize(("on", "broken"), [(["age"], True), (["age", "pet"], None)])
def test_a_promise_speaks_of_those_who_know_quasi_identifiers(on: list[str], broken: Any) -> None:
    """Who knows a private column, too, learns more than l-diversity is about: that is told and breaks nothing."""
    table = pl.DataFrame(
        {
            "age": ["[20, 29]"] * 4,
            "pet": ["cat", "cat", "dog", "dog"],
            "disease": ["flu", "flu", "cold", "cold"] if broken is None else ["flu"] * 4,
        }
    )
    original = table.with_columns(age=pl.Series([21, 22, 28, 29]))
    model = {"l_diversity": {"kind": "frequency", "l": 2, "columns": ["disease"]}}
    plan = shoal.Plan.of(2, quasi_identifiers=["age"], sensitive=["pet", "disease"], models=model)
    report = shoal.attack(table, plan=plan, original=original, on=on, attacks=["homogeneity", "skewness"])
    about = [found for found in report.attempts if found.figures["column"] == "disease"]
    assert [found.figures.get("certain", 4) for found in about] == [4, 4]
    assert [found.broken for found in about] == [broken, broken]


@pytest.mark.parametrize(("rare", "certain"), [(5, "nobody's is certain"), (0, "the whole table has that one value")])
def test_certain_and_guessed_do_not_contradict(rare: int, certain: str) -> None:
    """What is certain is set against what is certain without the release, a guess against guesses."""
    ill = ["flu"] * (100 - rare) + ["cold"] * rare
    table = pl.DataFrame({"age": ["[20, 29]"] * 50 + ["[30, 39]"] * 50, "disease": ill})
    report = shoal.attack(table, quasi_identifiers=["age"], sensitive=["disease"], attacks=["homogeneity", "skewness"])
    homogeneity, skewness = report.attempts
    assert homogeneity.statement.endswith(certain)
    assert "guess" not in homogeneity.statement
    assert f"who knows only the whole table guesses right in {100 - rare} %" in skewness.statement
    assert (homogeneity.baseline, skewness.baseline) == (float(rare == 0), (100 - rare) / 100)


@pytest.mark.parametrize("seed", range(3))
def test_two_releases_leave_no_more_people_than_their_common_values(seed: int) -> None:
    """For each combination of private values the smaller number of candidates counts; checked one by one."""
    table = people(seed, rows=50)
    halves = [table[:35], table[15:]]
    releases = [released(half, method="k_member") for half in halves]
    report = shoal.attack(releases[0], known=halves[0], on=ON, second=releases[1], attacks=["intersection"])
    left = []
    for person in range(len(halves[0])):
        seen = []
        for half, release in zip(halves, releases, strict=True):
            both = pl.concat([halves[0][person : person + 1], half])
            moved = replace(release.private, classes=np.append(-1, release.classes), rows=(release.rows + 1,))
            own = replace(release, private=moved)
            row = candidates(both, own, ON, "generalise")[0]
            private = half.select("disease", "cost").rows()
            seen.append(Counter(private[int(i)] for i, one in zip(release.rows, row, strict=True) if one))
        left.append((seen[0] & seen[1]).total())
    left = [one for one in left if one]
    found = report.attempts[0]
    assert found.targets == len(left)
    assert found.rate == pytest.approx(np.mean([1 / one for one in left]))
    assert found.figures["people_fewest"] == min(left)
    assert found.figures["below_k"] == sum(one < K for one in left)
    assert found.broken is (min(left) < K)
    assert found.rate >= found.baseline - 1e-12


def test_the_same_release_twice_tells_nothing_new() -> None:
    """The attack is not fooled by a copy."""
    table = people(1)
    release = released(table)
    found = shoal.attack(release, known=table, second=release, attacks=["intersection"]).attempts[0]
    assert found.rate == pytest.approx(found.baseline)
    assert found.broken is False
