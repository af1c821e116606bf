# SPDX-License-Identifier: Apache-2.0
"""Real tables: suggested roles agree with their READMEs, with names and without, and the plans run as they are."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from shoal.pipeline import run
from shoal.plan.plan import Plan
from shoal.suggesting.suggest import suggest
from shoal.tables.table import Table
from tests.counts import count
from tests.suggesting.truth import TRUTHS, Truth

ROWS = count(5_000, 20_000)
RUN_ROWS = count(200, 400)
"""Rows of the tables that plans are run on; a plan that fits the whole table fits a part of it, too."""

pytestmark = pytest.mark.data


def renamed(table: Table) -> tuple[Table, dict[str, str]]:
    """The table with its columns called c1, c2, ..., and what each was called."""
    names = {name: f"c{number}" for number, name in enumerate(table.names, 1)}
    return replace(table, frame=table.frame.rename(names)), names


@cache
def suggested(path: str, folder: Path, names: bool) -> dict[str, str]:
    """The role that is suggested for each column of a table, its name known or hidden."""
    table = next(truth for truth in TRUTHS if truth.path == path).table(folder, ROWS)
    new = {name: name for name in table.names}
    if not names:
        table, new = renamed(table)
    columns = suggest(table).columns
    return {name: columns[new[name]].role for name in new}


def agreeing(truth: Truth, folder: Path, *, names: bool) -> tuple[int, int]:
    """Columns whose suggested role is that of the README, and columns that it names."""
    roles = suggested(truth.path, folder, names)
    return sum(roles[name] == role for name, role in truth.roles.items()), len(truth.roles)


@pytest.mark.parametrize(("names", "least"), [(True, 0.90), (False, 0.80)], ids=["named", "c1, c2, ..."])
def test_roles_agree_with_the_readmes(names: bool, least: float, shared_data: Path) -> None:
    """Over all named columns together, and also without the one table that makes up a third of them."""
    counts = {truth.path: agreeing(truth, shared_data, names=names) for truth in TRUTHS}
    rest = [pair for path, pair in counts.items() if not path.startswith("lung-cancer")]
    for pairs in (list(counts.values()), rest):
        assert sum(right for right, _ in pairs) >= least * sum(all_ for _, all_ in pairs), counts


@pytest.mark.parametrize("truth", TRUTHS, ids=lambda one: one.path.partition("/")[0])
def test_every_table_agrees_by_itself(truth: Truth, shared_data: Path) -> None:
    """No table is far off while the others make up for it, one column of a short list aside; identifiers are found."""
    right, named = agreeing(truth, shared_data, names=True)
    assert right >= 0.75 * named or right >= named - 1
    roles = suggested(truth.path, shared_data, True)
    assert [name for name in truth.identifiers.split() if roles[name] != "identifier"] == []


@pytest.mark.thin(3)
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
    """Values that a public classification knows get its groups."""
    truth = next(one for one in TRUTHS if one.path.endswith("atuscps.parquet"))
    one = suggest(truth.table(shared_data, ROWS)).columns["state"]
    assert one.hierarchy is not None
    assert {row[2] for row in one.hierarchy.rows()} == {"Midwest", "Northeast", "South", "West"}
    assert one.built == "by divisions and regions of the USA"
