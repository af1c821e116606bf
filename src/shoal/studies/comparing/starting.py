# SPDX-License-Identifier: Apache-2.0
"""From what the caller hands over to a table and a settled plan; wrong input is refused before any cell runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.engine.encoding.encode import complete, encode
from shoal.plan.keywords import no_k, refuse_both
from shoal.plan.plan import Plan
from shoal.plan.roles import DROP
from shoal.plan.values import understood
from shoal.plan.workload import weighed
from shoal.tables.side_doors import frame_like
from shoal.tables.table import Table


def frame_of(like: Any, records: Sequence[Mapping[str, Any]]) -> Any:
    """Records as a frame of the kind that the caller handed over."""
    return frame_like(like, {name: [one[name] for one in records] for name in records[0]})


def asked_k(k: int | Iterable[int] | None, plan: Plan | None) -> int | Iterable[int]:
    """The k that was asked for: as given, else the plan's."""
    if k is not None:
        return k
    if plan is None:
        raise no_k("k", "whole numbers", "nothing")
    return plan.k


def begin(
    data: Any, plan: Plan | None, k: int, keywords: Mapping[str, Any], *, told: bool = False
) -> tuple[Table, Plan, Any]:
    """Table, complete plan, and the caller's frame if it is one; a workload is weighed, and told of only if asked."""
    from shoal.tables.frames import take_in
    from shoal.tables.sources import read_table

    refuse_both(plan, keywords, "shoal.compare", "quasi_identifiers", "loss='height'")
    plan = Plan.of(k, **keywords) if plan is None else replace(plan, k=k, stop_after=None, stop_bound_after=None)
    like = None
    if isinstance(data, Table):
        table = data
    elif isinstance(data, str | Path | list | tuple):
        source = read_table(data, plan.reading)
        table, plan = source.table, replace(plan, reading=source.reading)
    else:
        table, like = take_in(data).table, data
    table.require_rows("so there is nothing to compare")
    plan = replace(plan, rest=DROP, accept=tuple(table.names))  # nothing is published, so nothing by oversight
    table, plan, _ = understood(table, plan)
    plan = complete(weighed(plan, table), table)  # once, for cells may drop or halve a column
    plan = plan if told else replace(plan, matters=(), group_by=(), pairs=())
    encode(table, plan)  # refuses cells that no method could take
    return table, plan, like
