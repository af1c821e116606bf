# SPDX-License-Identifier: Apache-2.0
"""Classes in, publishable table out: quasi-identifiers rendered, columns to remove gone, all else untouched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.generalizing.bands import settled_bands
from shoal.engine.generalizing.groups import ClassedColumn
from shoal.ground import catalog
from shoal.ground.arrays import order_of
from shoal.ground.errors import PlanError, TableError, listed
from shoal.plan.checks import DEFAULT_RENDER
from shoal.plan.plan import Plan
from shoal.plan.roles import RANGE_KINDS
from shoal.tables.column_types import has_type, in_type_of
from shoal.tables.table import Table

ROOM = "renderings"


def settle_renderings(plan: Plan, default: str = DEFAULT_RENDER) -> Plan:
    """The plan with a rendering for every quasi-identifier that its kind can show.

    A rendering chosen for the whole plan falls back where it does not fit (``mean`` shows the mode of names);
    one chosen for a column that cannot show it is refused.
    """
    whole = plan.render or default
    decided = {}
    for name in plan.quasi_identifiers:
        column = plan.columns[name]
        shape = "range" if column.kind in RANGE_KINDS else "tree"
        wanted = column.render or whole
        chosen = ("interval" if shape == "range" else "ancestor") if wanted == DEFAULT_RENDER else wanted
        rendering = catalog.load(ROOM, chosen)
        if shape not in rendering.KINDS:
            if column.render is not None:
                raise _misfit(name, column.render, str(column.kind))
            chosen = rendering.OTHERWISE
        decided[name] = replace(column, render=chosen)
    return replace(plan, render=whole).with_columns(decided)


def _misfit(name: str, render: str, kind: str) -> PlanError:
    shape = "range" if kind in RANGE_KINDS else "tree"
    fitting = [one for one in catalog.names(ROOM) if shape in catalog.load(ROOM, one).KINDS]
    return PlanError(
        "A column cannot be published that way.",
        where=f"column {name!r}",
        allowed=listed([DEFAULT_RENDER, *fitting]),
        received=f"{render!r} for a column of kind {kind!r}",
        todo="choose another rendering, or another kind for the column",
    )


def generalize(table: Table, encoded: Encoded, labels: NDArray[np.int64], plan: Plan) -> Table:
    """The released rows (in input order, suppressed ones left out) with every class showing one value per column."""
    kept = np.flatnonzero(labels >= 0)
    shown = table if len(kept) == len(labels) else table.take(kept)
    new: dict[str, Mapping[str, Any]] = {}
    by_class = order_of(labels[kept])
    for column in encoded.take(kept).columns:
        shared = labels[kept] if column.behind is None else settled_bands(column, labels[kept])
        typed, notation = has_type(table, column.name), table.notation(column.name)
        order = by_class if column.behind is None else None
        groups = ClassedColumn(column.written, shared, int(shared.max()) + 1, typed, notation, order)
        new[column.name] = rendered(groups, table, plan)
    dropped = [name for name in plan.removed if name in table.names]
    check_new_names(shown, new)
    return shown.without(dropped).replace_columns(new)


def rendered(groups: ClassedColumn, table: Table, plan: Plan) -> dict[str, Any]:
    """What the classes show of one column, in the types of the table's own."""
    name = groups.column.name
    rendering = catalog.load(ROOM, plan.rendering(name))
    values = getattr(rendering, "VALUES", False)
    return {label: in_type_of(table, name, cells, values=values) for label, cells in rendering.render(groups).items()}


def check_new_names(table: Table, new: Mapping[str, Iterable[str]]) -> None:
    """Refuse a rendering whose new columns would have the name of one that is there, be it an identifier to drop."""
    taken = set(table.names)
    clashes = [label for name, labels in new.items() for label in labels if label != name and label in taken]
    if clashes:
        raise TableError(
            "A new column would have the name of one that is there.",
            where=f"columns {listed(clashes)}",
            allowed="names that are free",
            received="rendering 'bounds', which adds a lower and an upper column",
            todo="rename the column in the table, or choose another rendering",
        )
