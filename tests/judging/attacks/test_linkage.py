# SPDX-License-Identifier: Apache-2.0
"""Linkage: candidates are those that the published labels allow, success is what a blind pick among them gives."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_flow

import shoal
from shoal.judging.attempts import wilson
from shoal.judging.linking import links
from shoal.judging.linking.assigning import _Placing
from shoal.judging.linking.links import grouped, link
from shoal.tables.table import Table
from tests.counts import repeats
from tests.judging.attacks.people import QUASI_IDENTIFIERS, RANGES, K, candidates, people, released

ON = (QUASI_IDENTIFIERS, ["whole"], ["size", "tree"], ["flat", "code", "day"])


def matches(table: pl.DataFrame, release: shoal.Release, on: list[str]) -> np.ndarray:
    """[target, released row] by the lab."""
    targets = grouped(Table(table), on)
    found = link(targets, release.released, on, release.plan)
    allowed = np.zeros((len(targets), len(found.sizes)), dtype=bool)
    for who, where in found.pairs():
        assert not allowed[who, where].any(), "no pair twice"
        allowed[who, where] = True
    assert (found.candidates == (allowed * found.sizes).sum(axis=1)).all()
    return allowed[targets.kind][:, found.group]


@pytest.mark.thin(3)
@pytest.mark.parametrize("block", [1, 40, 200_000])
@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("render", ["generalise", "set", "bounds"])
def test_candidates_are_those_that_the_classes_allow(
    render: str, missing: float, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Labels of every kind, read by the lab, allow exactly the people whom the classes behind them allow."""
    monkeypatch.setattr(links, "BLOCK", block)
    for seed in repeats(1, 4):
        table = people(seed, missing)
        release = released(table, render=render)
        for on in ON:
            assert (matches(table, release, on) == candidates(table, release, on, render)).all(), (seed, on)


def test_text_tables_are_read_the_same() -> None:
    """A file without types gives the candidates of the typed table."""
    table = people(5, 0.1).drop("size")
    on = [name for name in QUASI_IDENTIFIERS if name != "size"]
    text = Table(table.with_columns(pl.all().cast(pl.String)), untyped=True)
    typed, untyped = (released(one, quasi_identifiers=on, formulas="prefix") for one in (Table(table), text))
    assert (np.sort(typed.rows) == np.sort(untyped.rows)).all()
    by_row = [np.argsort(one.rows) for one in (typed, untyped)]
    found = [matches(table, typed, on)[:, by_row[0]], matches(text.frame, untyped, on)[:, by_row[1]]]
    assert (found[0] == candidates(table, typed, on, "generalise")[:, by_row[0]]).all()
    targets = grouped(text, on)
    other = link(targets, untyped.released, on, untyped.plan)
    assert (other.candidates[targets.kind] == found[0].sum(axis=1)).all()


def test_a_missing_cell_may_match_anything() -> None:
    """Under the wildcard reading a missing cell, known or published, fits every row and every person."""
    table = people(7, 0.3)
    release = released(table, missing="wildcard")
    cells = np.array([[cell is None for cell in row] for row in table.select(QUASI_IDENTIFIERS).rows()])
    found = matches(table, release, QUASI_IDENTIFIERS)
    everything_missing = cells.all(axis=1)
    assert found[everything_missing].all()
    rate = shoal.attack(release, known=table, attacks=["linkage"]).attempts[0]
    assert rate.broken is False
    own = found[release.rows, np.arange(len(table))]
    assert own.all()


@pytest.mark.parametrize("block", [1, 50, 200_000])
def test_centres_are_matched_by_the_nearest(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a class shows one value, candidates are the rows nearest to the target, ties included."""
    monkeypatch.setattr(links, "BLOCK", block)
    for seed in repeats(1, 4):
        table = people(seed)
        release = released(table, render="median")
        shown = release.table
        gap = np.zeros((len(table), len(table)))
        for name in QUASI_IDENTIFIERS:
            mine, theirs = table.get_column(name), shown.get_column(name)
            if name in RANGES:
                if name == "size":
                    order = {value: rank for rank, value in enumerate(["S", "M, or so", "L", "XL"])}
                    mine, theirs = (pl.Series([order[cell] for cell in one]) for one in (mine, theirs))
                at, centre = (one.cast(pl.Float64 if name != "day" else pl.Int32).to_numpy() for one in (mine, theirs))
                gap += np.abs(at[:, None] - centre) / np.ptp(np.concatenate([at, centre]))
            else:
                gap += mine.to_numpy()[:, None] != theirs.to_numpy()
        gap = gap.round(12)
        assert (matches(table, release, QUASI_IDENTIFIERS) == (gap == gap.min(axis=1)[:, None])).all(), seed


def test_nothing_known_is_nearest_to_nothing_shown() -> None:
    """A class that shows no centre is as far as can be from all that is known, and the nearest to what is missing."""
    table = pl.DataFrame({"x": [1, 1, 9, 9, None, None]})
    release = shoal.anonymize(table, k=2, quasi_identifiers=["x"], method="mondrian", render="median")
    shown = release.table["x"].to_list()
    assert None in shown
    same = [[one == (None if cell is None else float(cell)) for cell in shown] for one in table["x"]]
    assert (matches(table, release, ["x"]) == np.array(same)).all()


@pytest.mark.parametrize(
    ("method", "render"),
    [
        *((method, render) for method in ("mondrian", "loukides_shao") for render in ("generalise", "mean", "bounds")),
        *(("non_homogeneous", render) for render in ("generalise", "bounds")),
    ],
)
def test_success_is_the_mean_chance_of_a_blind_pick(method: str, render: str) -> None:
    """With the truth known, a target counts 1 over its candidates if its own row is among them, else nothing."""
    table = people(3)
    release = released(table, method, render=render)
    found = matches(table, release, QUASI_IDENTIFIERS)
    row_of = {int(person): row for row, person in enumerate(release.rows)}
    chances = [
        1 / found[person].sum() if person in row_of and found[person, row_of[person]] else 0.0
        for person in range(len(table))
    ]
    attempt = shoal.attack(release, known=table, attacks=["linkage"]).attempts[0]
    assert attempt.rate == pytest.approx(np.mean(chances))
    assert attempt.interval == wilson(attempt.rate, len(table))
    assert attempt.broken is False
    assert attempt.promise == 1 / K
    unique = table.select(QUASI_IDENTIFIERS).is_unique().sum()
    assert attempt.before == pytest.approx(table.select(QUASI_IDENTIFIERS).n_unique() / len(table))
    assert unique <= attempt.before * len(table)


def test_the_raw_table_gives_unique_people_away() -> None:
    """An unchanged table is broken: everybody who is unique in it is found for certain."""
    table = people(11)
    report = shoal.attack(table, known=table, original=table, on=QUASI_IDENTIFIERS, k=K, kinds={"code": "text-prefix"})
    attempt = report.of("linkage")[0]
    assert report.broken
    assert attempt.figures["certain"] == table.select(QUASI_IDENTIFIERS).is_unique().sum()
    assert attempt.rate == pytest.approx(attempt.before)
    assert "of cases" in attempt.statement


def test_foreign_labels_with_gaps_ends_and_masks() -> None:
    """Labels of other tools: one-sided ranges, open ends, masks, sets of nodes."""
    shown = pl.DataFrame(
        {
            "age": [">=40", "[20, 40[", "30-39", "4*"],
            "zip": ["554**", "55440", "*", "{55440, 66100}"],
            "work": ["Gov", "{Gov, Self}", "Local", "*"],
        }
    )
    known = pl.DataFrame({"age": [40, 39, 30, 61], "zip": ["55440", "55441", "66100", "66200"], "work": ["Local"] * 4})
    tree = [["Local", "Gov", "*"], ["State", "Gov", "*"], ["Self", "*"], ["Private", "*"]]
    plan = shoal.Plan.of(
        1,
        quasi_identifiers=["age", "zip", "work"],
        hierarchies={"work": tree},
        kinds={"age": "numeric", "zip": "text-prefix"},
    )
    expected = {
        "age": [[1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 1, 0], [1, 0, 0, 0]],
        "zip": [[1, 1, 1, 1], [1, 0, 1, 0], [0, 0, 1, 1], [0, 0, 1, 0]],
        "work": [[1, 1, 1, 1]] * 4,
    }
    for name, allowed in expected.items():
        targets = grouped(Table(known), [name])
        found = link(targets, Table(shown), [name], plan)
        got = np.zeros((len(targets), len(found.sizes)), dtype=int)
        for who, where in found.pairs():
            got[who, where] = 1
        assert got[targets.kind][:, found.group].tolist() == allowed, name


@pytest.mark.parametrize(
    ("right", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_interval(right: int, of: int, low: float, high: float) -> None:
    """Wilson's interval as tabulated by R. G. Newcombe, Statistics in Medicine 17, 1998, method 3."""
    assert wilson(right / of, of) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_people_make_room_for_others() -> None:
    """Most people at once: whoever sits in the only class of another moves on, also from and through the first one."""
    assert _Placing([1, 1], [1, 1], [[0, 1], [0]]).total() == 2
    assert _Placing([1, 1, 1], [1, 1, 1], [[0, 1], [0, 1, 2], [1]]).total() == 3
    assert _Placing([2, 1], [1, 1, 1], [[0, 1], [0, 1]]).total() == 2
    placing = _Placing([1, 1, 1], [1, 1, 1], [[1, 0], [0, 2], [1, 0]])
    assert placing.total() == 3
    assert placing._left == [0, 0, 0]
    assert [sum(one.values()) for one in placing._inside] == [1, 1, 1]


@pytest.mark.parametrize("seed", repeats(20, 400))
def test_as_many_are_placed_as_a_flow_can_carry(seed: int) -> None:
    """Random people, classes and choices, against the largest flow; everybody is in one of their classes."""
    random = np.random.default_rng(seed)
    people, room = random.integers(0, 4, 5).tolist(), random.integers(0, 4, 4).tolist()
    choices = [[group for group in range(4) if random.random() < 0.5] for _ in people]
    capacity = np.zeros((11, 11), dtype=np.int32)  # a source, five kinds of people, four classes, a sink
    capacity[0, 1:6], capacity[6:10, 10] = people, room
    for one, groups in enumerate(choices):
        capacity[1 + one, [6 + group for group in groups]] = 99
    flow = maximum_flow(csr_matrix(capacity), 0, 10).flow_value
    placing = _Placing(list(people), list(room), choices)
    assert placing.total() == flow
    for one, many in enumerate(people):
        assert sum(inside.get(one, 0) for inside in placing._inside) + placing._left[one] == many
    for group, inside in enumerate(placing._inside):
        assert sum(inside.values()) + placing._room[group] == room[group]
        assert all(group in choices[one] for one in inside)
