# SPDX-License-Identifier: Apache-2.0
"""What a column costs is found by running without it, and told in words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import shoal
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.losses import node_losses
from shoal.ground.errors import CannotHoldError, PlanError
from shoal.plan.plan import Plan
from shoal.studies.comparing.attribution import Attribution, Effect, attribute
from shoal.studies.comparing.binning import _round, binning_of
from shoal.studies.comparing.children import Children
from shoal.studies.comparing.comparison import compare
from shoal.studies.comparing.grid import Cell
from shoal.studies.comparing.outcome import Outcome
from shoal.studies.samples.patients import patient_plan, patients_table
from shoal.tables.table import Table


def test_a_column_of_noise_is_named(noisy: Table, tmp_path: Path) -> None:
    """Of two columns that go together and one of noise, the noise is what costs the others."""
    names = ["height", "weight", "noise"]
    found = attribute(noisy, k=5, quasi_identifiers=names, method="hilbert", output=tmp_path / "out")
    assert found.costliest == "noise"
    dropped = found.effect("noise", "drop")
    assert dropped is not None
    assert dropped.others_before is not None
    assert dropped.others is not None
    assert dropped.others < dropped.others_before / 2
    assert dropped.own == 1.0
    assert dropped.total == pytest.approx((1 + 2 * dropped.others) / 3)
    assert found.findings[0].startswith("Dropping noise would lower the loss of the others from ")
    for effect in found.effects:
        assert effect.others_before == pytest.approx(
            np.mean([found.per_column[name] for name in names if name != effect.column])
        )
    binned = found.effect("noise", "bin")
    assert binned is not None
    assert binned.note == "in bins of 50"
    assert sum(found.shares.values()) == pytest.approx(1)
    assert len(found.records) == len(found.table) == 9


def test_some_columns_are_enough(noisy: Table, monkeypatch) -> None:
    """Three runs beside the whole one for each column that is named; another name is refused with the nearest."""
    ran: list[Cell] = []

    def outcome(_children: Children, cell: Cell, _heard: object) -> Outcome:
        ran.append(cell)
        return Outcome(cell.method, cell.k, cell.seed, loss=0.5, per_column={"height": 0.5}, column=cell.column)

    monkeypatch.setattr(Children, "run", outcome)
    plan = Plan.of(5, quasi_identifiers=["height", "weight", "noise"], method="hilbert")
    attribute(noisy, plan, columns=["noise"])
    assert [cell.column for cell in ran] == ["", "noise", "noise", "noise"]
    with pytest.raises(PlanError, match="no such quasi-identifier"):
        attribute(noisy, plan, columns=["noice"])


def test_the_comparison_attributes_its_winner(patients: Table, plan: Plan, tmp_path: Path, monkeypatch) -> None:
    """With attribution, the best method at each k is examined, and its own cell is not run twice."""
    losses = {"hilbert": 0.2, "mondrian": 0.4}
    ran: list[Cell] = []

    def done(_self: Children, cell: Cell, _heard: object) -> Outcome:
        ran.append(cell)
        loss = losses.get(cell.method, 0.1)
        columns = dict.fromkeys(plan.quasi_identifiers, loss)
        return Outcome(
            cell.method, cell.k, cell.seed, loss=loss, per_column=columns, change=cell.change, column=cell.column
        )

    monkeypatch.setattr(Children, "run", done)
    found = compare(patients, plan, methods=list(losses), k=[3, 5], attribution=True, output=tmp_path / "out")
    assert [(one.method, one.k) for one in found.attributions] == [("hilbert", 3), ("hilbert", 5)]
    assert len(ran) == len(set(ran)) == 2 * (2 + 1 + 3 * 3)
    assert (tmp_path / "out" / "attribution.csv").read_text().count("\n") == 1 + 2 * 9
    assert (tmp_path / "out" / "attribution-k3.svg").exists()
    assert len(found.to_dict()["attributions"]) == 2


def test_words_say_what_it_costs_and_what_it_gives() -> None:
    """Gains first, the largest first; a total that rises is said to rise."""
    effects = (
        Effect("age", "bin", "in bins of 5", 0.5, 0.30, 0.25, 0.4),
        Effect("zip", "drop", "", 1.0, 0.30, 0.10, 0.2),
        Effect("sex", "halve", "", 0.1, 0.30, 0.35, 0.4),
    )
    found = Attribution(
        "m", 5, 0, "ncp", 0.3, {"age": 0.3, "zip": 0.3, "sex": 0.3}, dict.fromkeys(("age", "zip", "sex"), 1.0), effects
    )
    assert found.findings == [
        "Dropping zip would lower the loss of the others from 30 % to 10 %; "
        "the total, all of that column counted as lost, falls from 30 % to 20 %.",
        "Binning age (in bins of 5) would lower the loss of the others from 30 % to 25 %; "
        "the total rises from 30 % to 40 %.",
    ]
    nothing = Attribution("m", 5, 0, "ncp", 0.3, {"sex": 0.3}, {"sex": 1.0}, effects[2:])
    assert nothing.findings == ["No change of a single column would lower the loss of the others."]
    assert nothing.costliest is None
    assert "Others, if half weight" in found._repr_html_()


def test_without_a_release_there_is_nothing_to_attribute(patients: Table, plan: Plan, monkeypatch) -> None:
    """A method that refuses has no loss; the reason is passed on."""
    monkeypatch.setattr(Children, "run", lambda _s, cell, _h: Outcome.without(cell, "refused", "too large"))
    with pytest.raises(CannotHoldError) as problem:
        shoal.attribute(patients, plan)
    assert problem.value.received == "too large"


# -- binning -------------------------------------------------------------------------------------------------


def columns() -> dict[str, object]:
    """The columns of the patients, encoded, with what is needed to bin them."""
    table = patients_table(200, seed=2)
    plan = complete(Plan.of(**patient_plan(3)), table)
    return {"table": table, "plan": plan, "columns": encode(table, plan).columns}


@pytest.mark.parametrize("name", ["age", "postcode", "marital_status", "nationality", "insurance", "admission_date"])
def test_a_binned_column_is_coarser_and_still_fits(name: str) -> None:
    """Fewer values, the same missing cells, and a plan that takes them; one class loses all, and so does the loss."""
    made = columns()
    table, plan = made["table"], made["plan"]
    column = next(one for one in made["columns"] if one.name == name)
    binning = binning_of(column)
    assert binning is not None
    coarse, settled = binning.apply(table, plan)
    again = next(one for one in encode(coarse, settled).columns if one.name == name)
    assert len(np.unique(again.points)) < len(np.unique(column.points))
    assert (coarse.missing(name) == table.missing(name)).all()
    one_class = np.zeros(len(table), dtype=np.int64)
    assert binning.loss(one_class, "ncp") == pytest.approx(1.0)


def test_the_loss_of_bins_counts_whole_bins() -> None:
    """A class of one age publishes its bin, a class of one leaf the node above; by hand."""
    ages = np.array([20, 20, 33, 34, 20, 119])
    table = Table.from_columns({"age": ages, "work": ["a", "a", "a", "b", "c", "c"]})
    rows = [["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"]]
    plan = complete(Plan.of(2, quasi_identifiers=["age", "work"], hierarchies={"work": rows}), table)
    age, work = encode(table, plan).columns
    by_five = binning_of(age)
    assert by_five is not None
    assert by_five.width == 5
    labels = np.array([0, 0, 1, 1, -1, -1])
    assert by_five.loss(labels, "ncp") == pytest.approx((4 * 4 / 99 + 2) / 6)  # [20, 24], [30, 34], two left out
    up = binning_of(work)
    assert up is not None
    costs = node_losses(work.tree, "ncp")
    node = work.tree.labels.index("x")
    assert up.loss(labels, "ncp") == pytest.approx((4 * costs[node] + 2) / 6)


def test_what_cannot_be_binned_says_so() -> None:
    """A flat tree has nothing between its values and the root; a constant has nothing to bin."""
    table = Table.from_columns({"sex": ["f", "m"] * 5, "year": np.full(10, 7), "flag": np.arange(10) % 2})
    plan = complete(Plan.of(2, quasi_identifiers=["sex", "year", "flag"]), table)
    assert [binning_of(one) for one in encode(table, plan).columns] == [None] * 3


def test_bins_have_round_widths() -> None:
    """Widths are 1, 2 or 5 times a power of ten, at least as wide as asked."""
    for wanted in (0.003, 0.5, 1.0, 1.01, 37.0, 99_999.0):
        width = _round(wanted)
        assert wanted <= width * (1 + 1e-9)
        assert width <= 2.5 * wanted + 1e-12
