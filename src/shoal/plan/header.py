# SPDX-License-Identifier: Apache-2.0
"""Names of columns that a spreadsheet would run as formulas, with an apostrophe in front where the plan says so.

The table and the plan are renamed together, before anything else is done, so that the released table, its plan and its
report know one name for each column. A plan that knows the new names already is left alone: it is that of a release.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from shoal.plan.plan import OWN_K, Plan
from shoal.tables.stowaways import prefixed_names
from shoal.tables.table import Table


def named_safely(table: Table, plan: Plan) -> tuple[Table, Plan]:
    """Table and plan under names that no spreadsheet runs, if the plan asks for that."""
    if plan.formulas != "prefix":
        return table, plan
    names = dict(zip(table.names, prefixed_names(table.names)))
    if all(old == new for old, new in names.items()):
        return table, plan
    columns = {names.get(name, name): column for name, column in plan.columns.items()}
    alone = {one: getattr(plan, one) for one in ("person", "target", "sample_weight")}
    several = {one: getattr(plan, one) for one in ("accept", "matters")}
    lists = {one: getattr(plan, one) for one in ("pairs", "group_by")}
    said: dict[str, Any] = {one: names.get(name, name) for one, name in alone.items()}
    said |= {one: tuple(names.get(name, name) for name in given) for one, given in several.items()}
    said |= {
        one: tuple(tuple(names.get(name, name) for name in each) for each in given) for one, given in lists.items()
    }
    models = dict(plan.models)
    if (given := models.get(OWN_K)) and given.get("column") in names:
        models[OWN_K] = {**given, "column": names[given["column"]]}
    return table.renamed(list(names.values())), replace(plan, columns=columns, models=models, **said)


def as_planned(original: Table, plan: Plan) -> Table:
    """The original under the names that the plan of its release has."""
    known = all(name in original.names for name in plan.columns)
    return original if known else named_safely(original, plan)[0]
