# SPDX-License-Identifier: Apache-2.0
"""Real tables: suggested roles agree with their READMEs, with names and without, and the plans run as they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from shoal.pipeline import run
from shoal.plan import Plan
from shoal.suggesting.suggest import suggest
from shoal.tables.table import Table
from tests.suggesting.truth import TRUTHS, Truth

ROWS = 20_000
RUN_ROWS = 400
"""Rows of the tables that plans are run on; a plan that fits the whole table fits a part of it, too."""

pytestmark = pytest.mark.data


def renamed(table: Table) -> tuple[Table, dict[str, str]]:
    """The table with its columns called c1, c2, ..., and what each was called."""
    names = {name: f"c{number}" for number, name in enumerate(table.names, 1)}
    return replace(table, frame=table.frame.rename(names)), names


def agreeing(truth: Truth, folder: Path, *, names: bool) -> tuple[int, int]:
    """Columns whose suggested role is that of the README, and columns that it names."""
    table = truth.table(folder, ROWS)
    new = {name: name for name in table.names}
    if not names:
        table, new = renamed(table)
    found = suggest(table).columns
    return sum(found[new[name]].role == role for name, role in truth.roles.items()), len(truth.roles)


@pytest.mark.parametrize(("names", "least"), [(True, 0.85), (False, 0.70)], ids=["named", "c1, c2, ..."])
def test_roles_agree_with_the_readmes(names: bool, least: float, shared_data: Path) -> None:
    """Over all named columns together, and also without the one table that makes up a third of them."""
    counts = {truth.path: agreeing(truth, shared_data, names=names) for truth in TRUTHS}
    rest = [pair for path, pair in counts.items() if not path.startswith("lung-cancer")]
    for pairs in (list(counts.values()), rest):
        assert sum(right for right, _ in pairs) >= least * sum(all_ for _, all_ in pairs), counts


@pytest.mark.parametrize("truth", TRUTHS, ids=lambda one: one.path.partition("/")[0])
def test_every_table_agrees_by_itself(truth: Truth, shared_data: Path) -> None:
    """No table is far off while the others make up for it; identifiers are all found."""
    right, named = agreeing(truth, shared_data, names=True)
    assert right >= 0.75 * named
    found = suggest(truth.table(shared_data, ROWS)).columns
    assert [name for name in truth.identifiers.split() if found[name].role != "identifier"] == []


@pytest.mark.parametrize("truth", TRUTHS, ids=lambda one: one.path.rpartition("/")[2])
@pytest.mark.parametrize("names", [True, False], ids=["named", "c1, c2, ..."])
def test_plans_run_unedited(truth: Truth, names: bool, shared_data: Path, tmp_path: Path) -> None:
    """The saved plan is read back and run as it is, and what it promises holds."""
    table = truth.table(shared_data, RUN_ROWS)
    if not names:
        table, _ = renamed(table)
    suggest(table).save(tmp_path / "plan.toml")
    plan = Plan.read(tmp_path / "plan.toml")
    release = run(table, plan)
    assert release.verdict.holds
    assert {column.kind for column in release.plan.columns.values() if column.role == "quasi-identifier"}


def test_states_lead_to_their_region(shared_data: Path) -> None:
    """A column whose values all lead to another one gets that one as its groups."""
    truth = next(one for one in TRUTHS if one.path.endswith("atuscps.parquet"))
    one = suggest(truth.table(shared_data, ROWS)).columns["state"]
    assert one.hierarchy is not None
    assert {row[1] for row in one.hierarchy.rows()} == {"midwest", "northeast", "south", "west"}
