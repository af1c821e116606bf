# SPDX-License-Identifier: Apache-2.0
"""How long a run takes, told before it begins."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from shoal.engine.bounds.bound import STEPS_LISTED, STEPS_UNDER_SHARES, seconds_for
from shoal.engine.bounds.lattice import Caps
from shoal.ground import catalog
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.plan import effort
from shoal.plan.plan import Plan
from shoal.studies.duration import BOUND, expected_seconds, foretold, is_of_names, numbers_in
from shoal.tables.table import Table
from tests.conftest import USUAL_SEARCH


@pytest.fixture(autouse=True)
def usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps and cores that people have."""
    monkeypatch.setattr(effort, "STEPS", USUAL_SEARCH)
    monkeypatch.setattr(effort.os, "cpu_count", lambda: 2)


def asked(columns: int, **more: Any) -> Plan:
    """A plan with so many quasi-identifiers."""
    return Plan.of(10, quasi_identifiers=[f"q{number}" for number in range(columns)], **more)


def test_a_long_run_is_announced_and_a_short_one_is_not() -> None:
    """What ends within seconds says nothing; else how long, and what Ctrl-C does where there is a search."""
    assert foretold(1_000, 14, asked(7)) == ""
    assert foretold(280_000, 65, asked(65)).endswith("; Ctrl-C during the search takes the best so far.")
    assert "Ctrl-C" not in foretold(2_000_000, 14, asked(7, method="k_members"))
    assert foretold(1_000, 14, asked(7, time_budget=600)).startswith("This takes about 10 minutes")


def test_it_grows_with_the_effort() -> None:
    """Quick takes less, thorough more; the usual wide table two to three minutes on two cores."""
    quick, usual, thorough = (expected_seconds(280_000, 65, asked(65, effort=one)) for one in effort.EFFORTS)
    assert quick < usual < thorough
    assert 60 < usual < 180


def test_it_knows_how_small_tables_are_searched() -> None:
    """Their classes are one block, of which there are more tries: more than a third of the time of thrice the rows."""
    few, more = (expected_seconds(rows, 14, asked(7), 2) for rows in (10_000, 30_000))
    assert few > 0.4 * more
    assert 4 < expected_seconds(3_000, 14, asked(7), 2) < 6
    assert 2 < expected_seconds(300, 14, asked(7), 2) < 3


def test_it_knows_that_several_columns_of_numbers_take_longer() -> None:
    """There the bound searches for boxes, 10 to 13 processor seconds for 30,000 rows; not so beyond 16 columns."""
    usual, longer = (expected_seconds(30_000, 8, asked(8), numbers) for numbers in (1, 4))
    assert 5 < longer - usual < 10
    assert expected_seconds(280_000, 65, asked(65), 65) == expected_seconds(280_000, 65, asked(65))


def besides_search(rows: int, plan: Plan) -> float:
    """Seconds of all but the search, on a table of nine columns, one of them of numbers."""
    return expected_seconds(rows, 9, plan, 1) - effort.search_seconds(plan, rows)


SHARES: list[dict[str, Any]] = [
    {"alpha_k": {"alpha": 0.8}},
    {"l_diversity": {"kind": "frequency", "l": 2}},
    {"delta_disclosure": {"delta": 1.0}},
    {"beta_likeness": {"beta": 2.0}},
]


@pytest.mark.parametrize("models", SHARES)
def test_it_knows_that_limits_on_shares_take_longer(models: dict[str, Any]) -> None:
    """There the bound has more steps where boxes are listed, as the rules of the model say."""
    limited = asked(8, sensitive=["ill"], models=models)
    usual, longer = (besides_search(10_000, plan) for plan in (asked(8), limited))
    more = STEPS_UNDER_SHARES / STEPS_LISTED - 1
    assert longer - usual == pytest.approx(more * BOUND * (seconds_for(10_000, 8) - seconds_for(0, 8)))
    table = Table.of(pl.DataFrame({"ill": ["a", "b", "c", "d"] * 10}))
    ((model, given),) = models.items()
    module = catalog.load("privacy_models", model)
    rules = module.requirement(module.Parameters(**given), table, limited).rules
    assert Caps.of(rules) is not None


@pytest.mark.parametrize("models", [{"l_diversity": {"l": 2}}, {"t_closeness": {"t": 0.2}}])
def test_other_models_take_no_longer(models: dict[str, Any]) -> None:
    """Of their rules the bound makes no use."""
    plan = asked(8, sensitive=["ill"], models=models)
    assert besides_search(10_000, plan) == pytest.approx(besides_search(10_000, asked(8)))


def test_numbers_are_those_without_a_tree() -> None:
    """By what the plan says, else by what the column seems to be."""
    table = Table.of(pl.DataFrame({"age": [1, 2], "pay": [3, 4], "sex": ["f", "m"], "code": [5, 6]}))
    plan = Plan.of(2, quasi_identifiers=["age", "pay", "sex", "code", "gone"], kinds={"code": "categorical"})
    assert numbers_in(table, plan) == 2


def test_it_knows_tables_of_names() -> None:
    """They are searched in another way, which takes longer; a number or a tree with levels, and they are none."""
    table = Table.of(pl.DataFrame({"q0": ["a", "b"], "q1": ["c", "d"], "x": [1, 2]}))
    assert is_of_names(table, asked(2))
    assert not is_of_names(table, Plan.of(10, quasi_identifiers=["q0", "x"]))
    assert is_of_names(table, Plan.of(10, quasi_identifiers=["q0", "x"], kinds={"x": "categorical"}))
    for tree, is_flat in (
        (Hierarchy.flat("ab"), True),
        (Hierarchy.from_rows([["a", "*"], ["b", "*"]]), True),
        (Hierarchy.from_rows([["a", "n", "*"], ["b", "n", "*"]]), False),
    ):
        assert is_of_names(table, Plan.of(10, quasi_identifiers=["q0"], hierarchies={"q0": tree})) == is_flat
    plain, of_names = (expected_seconds(30_000, 8, asked(8), names=names) for names in (False, True))
    assert 1.5 * plain < of_names < 3 * plain
    assert foretold(30_000, 8, asked(8), names=True) != foretold(30_000, 8, asked(8))
