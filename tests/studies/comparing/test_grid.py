# SPDX-License-Identifier: Apache-2.0
"""The grid holds each cell once, and each cell has the plan it should."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from shoal.ground import catalog
from shoal.ground.errors import PlanError, UnknownNameError
from shoal.plan.plan import Plan
from shoal.plan.workload import weighed
from shoal.studies.comparing.grid import BOUND, DROP, HALVE, Cell, cells_of, methods_of, whole_numbers
from shoal.studies.comparing.starting import begin
from shoal.tables.frames import as_table


def test_all_methods_unless_some_are_named() -> None:
    """Without a list, and with the word all, every method there is takes part."""
    assert methods_of(None) == methods_of("all") == methods_of(["hilbert", "all"]) == tuple(catalog.names("algorithms"))
    assert methods_of(["hilbert", "mondrian", "hilbert"]) == ("hilbert", "mondrian")


def test_an_unknown_method_is_refused_with_the_nearest() -> None:
    """A misspelt method is told before anything runs."""
    with pytest.raises(UnknownNameError) as problem:
        methods_of(["hilbrt"])
    assert "hilbert" in problem.value.todo


def test_only_methods_that_draw_run_with_every_seed() -> None:
    """A method without randomness would give the same table again."""
    cells = cells_of(["mondrian", "k_member"], [5, 10], [1, 2])
    assert [(one.method, one.k, one.seed) for one in cells] == [
        ("mondrian", 5, 1),
        ("k_member", 5, 1),
        ("k_member", 5, 2),
        ("mondrian", 10, 1),
        ("k_member", 10, 1),
        ("k_member", 10, 2),
    ]


@pytest.mark.parametrize("wrong", [[], [0], [True], [2.5], ["5"]], ids=str)
def test_lists_that_are_no_numbers_are_refused(wrong: Any) -> None:
    """The values of k are of whole numbers of at least 1."""
    with pytest.raises(PlanError) as problem:
        whole_numbers(wrong, "k", 1)
    assert all(problem.value.parts().get(part) for part in ("what", "where", "allowed", "received", "next"))


def test_parameters_stay_with_their_method() -> None:
    """A parameter of the plan's method is not handed to another, which would refuse it."""
    base = Plan.of(5, quasi_identifiers=["a"], method="linkage", parameters={"kind": "single"})
    assert dict(Cell("linkage", 7, 2).plan(base).parameters) == {"kind": "single"}
    other = Cell("mondrian", 7, 2).plan(base)
    assert (other.method, other.k, other.seed, dict(other.parameters)) == ("mondrian", 7, 2, {})
    assert Cell(BOUND, 7).plan(base).k == 7


def test_changes_of_a_column() -> None:
    """A dropped column is removed, never published as it is; a halved one keeps its role."""
    base = Plan.of(5, quasi_identifiers=["a", "b"], weights={"a": 3.0})
    dropped = Cell("mondrian", 5, 0, DROP, "a").plan(base)
    assert dropped.quasi_identifiers == ["b"]
    assert dropped.columns["a"].role == "drop"
    assert Cell("mondrian", 5, 0, HALVE, "a").plan(base).columns["a"].weight == 1.5


def test_a_workload_weighs_once_for_all_cells() -> None:
    """Dropping a column that matters, or halving its weight, leaves the weights of the others as they are."""
    frame = pl.DataFrame({"a": [1, 2, 3, 4], "b": [1, 1, 2, 2], "ill": ["no", "no", "yes", "yes"]})
    _, plan, _ = begin(frame, None, 2, {"quasi_identifiers": ["a", "b"], "sensitive": ["ill"], "matters": ["b"]})
    assert (plan.columns["a"].weight, plan.columns["b"].weight, plan.matters) == (1, 3, ())
    table = as_table(frame)
    assert weighed(Cell("mondrian", 2, 0, DROP, "b").plan(plan), table).columns["a"].weight == 1
    assert weighed(Cell("mondrian", 2, 0, HALVE, "a").plan(plan), table).columns["b"].weight == 3
