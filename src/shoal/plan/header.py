# SPDX-License-Identifier: Apache-2.0
"""Names of columns that a spreadsheet would run as formulas, with an apostrophe in front where the plan says so.

The table and the plan are renamed together, before anything else is done, so that the released table, its plan and its
report know one name for each column. A plan that knows the new names already is left alone: it is that of a release.
"""

from __future__ import annotations

from dataclasses import replace

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
    person = plan.person if plan.person is None else names.get(plan.person, plan.person)
    accept, matters = (tuple(names.get(name, name) for name in given) for given in (plan.accept, plan.matters))
    target = plan.target if plan.target is None else names.get(plan.target, plan.target)
    models = dict(plan.models)
    if (given := models.get(OWN_K)) and given.get("column") in names:
        models[OWN_K] = {**given, "column": names[given["column"]]}
    renamed = replace(
        plan, columns=columns, person=person, accept=accept, models=models, target=target, matters=matters
    )
    return table.renamed(list(names.values())), renamed


def as_planned(original: Table, plan: Plan) -> Table:
    """The original under the names that the plan of its release has."""
    known = all(name in original.names for name in plan.columns)
    return original if known else named_safely(original, plan)[0]
