# SPDX-License-Identifier: Apache-2.0
"""Columns: what is each column? Roles and kinds as suggested, with reasons; and how exposed the table is now."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from shoal.faces.app.desk import Desk
from shoal.faces.app.facts import ColumnFacts, Exposed
from shoal.faces.app.opening import count_exposed
from shoal.faces.app.screens.run import start_run
from shoal.faces.app.showing import first, fresh_form, house_of, page, screen, to
from shoal.ground.errors import PlanError, ShoalError
from shoal.ground.wording import percent
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.plan.roles import DROP, IDENTIFIER, INSENSITIVE, KINDS, QUASI_IDENTIFIER, RANGE_KINDS, SENSITIVE
from shoal.releases.reports.charts import Amount, histogram
from shoal.studies.space import needed, too_much

PAGE = 50
"""Columns on a page."""
ROLE_WORDS = {
    IDENTIFIER: "Names a person",
    QUASI_IDENTIFIER: "Could help recognise",
    SENSITIVE: "Private fact",
    INSENSITIVE: "Neither",
    DROP: "Leave out",
}
ROLE_HELP = {
    IDENTIFIER: "points to one person by itself; it will be removed",
    QUASI_IDENTIFIER: "somebody might know it about a person; it will be made coarser",
    SENSITIVE: "what nobody should find out; published as it is",
    INSENSITIVE: "neither known by others nor private; published as it is",
    DROP: "nobody needs it; it will be removed",
}


def _shown(request: Request, problem: ShoalError | None = None) -> Response:
    house = house_of(request)
    desk = house.desk
    if desk.table is None:
        return to(request, "")
    wanted = request.query_params.get("find", "").strip().lower()
    only = request.query_params.get("only", "")
    chosen = [place for place, one in enumerate(desk.table.columns) if _fits(desk, one, wanted, only)]
    chosen.sort(key=lambda place: desk.column(place).sure)  # unsure ones first
    page = _whole(request.query_params.get("page", ""), 1)
    pages = max(-(-len(chosen) // PAGE), 1)
    page = min(page, pages)
    exposed = desk.exposed.get(desk.quasi_identifiers)
    return screen(
        request,
        "columns",
        problem=problem,
        rows=[(place, desk.column(place), _planned(desk, place)) for place in chosen[(page - 1) * PAGE : page * PAGE]],
        page=page,
        pages=pages,
        chosen=len(chosen),
        find=wanted,
        only=only,
        roles=ROLE_WORDS,
        role_help=ROLE_HELP,
        kinds=KINDS,
        unsure=sum(not one.sure for one in desk.table.columns),
        exposed=exposed,
        chart=_chart(exposed) if exposed else None,
        blocked=blocked(desk),
        needs=needed(*size_of(desk)),
        persons=_persons(desk),
    )


def _whole(text: str, otherwise: int) -> int:
    return max(int(text), 1) if text.isdecimal() and len(text) < 9 else otherwise


def _fits(desk: Desk, one: ColumnFacts, wanted: str, only: str) -> bool:
    role = desk.plan.columns[one.name].role if one.name in desk.plan.columns else None
    return wanted in one.name.lower() and (not only or role == only or (only == "check" and not one.sure))


def _planned(desk: Desk, place: int) -> ColumnPlan:
    return desk.plan.columns.get(desk.column(place).name, ColumnPlan())


def _persons(desk: Desk) -> list[str]:
    """Columns that might tell whose row it is: those whose values repeat, or that name persons."""
    assert desk.table is not None
    rows = desk.table.rows
    found = [
        one.name
        for one in desk.table.columns
        if (desk.plan.columns.get(one.name, ColumnPlan()).role in (IDENTIFIER, DROP)) and 1 < one.distinct < rows
    ]
    named = [desk.plan.person] if desk.plan.person else []
    return list(dict.fromkeys([*named, *found]))[:PAGE]


def _chart(found: Exposed) -> Any:
    """The share of rows that fewer than k look like, for each k."""
    shares = [(k, below / max(found.rows, 1)) for k, below in found.below]
    amounts = [Amount(f"k = {k}", share, percent(share)) for k, share in shares]
    title = f"{percent(found.alone / max(found.rows, 1))} of the rows are alone with these columns"
    told = ", ".join(f"{percent(share)} have fewer than {k} look-alikes" for k, share in shares)
    return title, histogram("exposed", title, f"{told}.", amounts), shares


def blocked(desk: Desk) -> str:
    """Why nothing can be made yet; empty if it can."""
    assert desk.table is not None
    plan = desk.plan
    if not plan.quasi_identifiers:
        return (
            "No column is marked “Could help recognise”, so nothing would be protected. Mark what somebody might know."
        )
    if desk.table.rows < plan.k:
        return f"The table has {desk.table.rows:,} rows, and each person is to be among {plan.k:,}. Choose a smaller k."
    if too_much(*size_of(desk)):
        told = needed(*size_of(desk))
        return (
            f"It {told}. Leave out columns that nobody needs, or make the release on a larger machine, with the plan."
        )
    return ""


def size_of(desk: Desk) -> tuple[int, int]:
    """Rows and columns that a run has to do with."""
    assert desk.table is not None
    left_out = len(desk.plan.having(DROP)) + len(desk.plan.having(IDENTIFIER))
    return desk.table.rows, max(len(desk.table.columns) - left_out, 1)


async def change_columns(request: Request) -> Response:
    """Take in what was chosen, and go on if that is wanted."""
    house = house_of(request)
    desk = house.desk
    given = await fresh_form(request)
    try:
        plan = _changed(desk, given)
    except ShoalError as problem:
        return _shown(request, problem)
    desk.change(plan, _told(desk, plan))
    count_exposed(house)
    if first(given, "go") == "run" and not blocked(desk):
        return to(request, f"run?job={start_run(house).id}")
    if first(given, "go") == "protection":
        return to(request, "protection")
    back = "&".join(f"{name}={first(given, name)}" for name in ("page", "only") if first(given, name))
    return to(request, f"columns?{back}")


def _changed(desk: Desk, given: dict[str, list[str]]) -> Plan:
    """The plan with what a form says of roles, kinds, whose row it is, and what is accepted."""
    assert desk.table is not None
    plan, changed, accept = desk.plan, {}, set(desk.plan.accept)
    every = first(given, "every")
    for text in given.get("column", ()):
        place = int(text) if text.isdecimal() and int(text) < len(desk.table.columns) else -1
        if place < 0:
            continue
        name = desk.column(place).name
        column = plan.columns.get(name, ColumnPlan())
        role = every if every and text in given.get("chosen", ()) else first(given, f"role.{place}", column.role or "")
        kind = first(given, f"kind.{place}", column.kind or "") or None
        changed[name] = with_kind(replace(column, role=role or None), kind)
        accept -= {name}
        accept |= {name} if f"accept.{place}" in given else set()
    person = first(given, "person", plan.person or "") or None
    if person is not None and person not in {one.name for one in desk.table.columns}:
        raise PlanError("There is no such column.", where="whose row is it", received="another name", todo="choose one")
    kept = tuple(one.name for one in desk.table.columns if one.name in accept)
    return replace(plan.with_columns(changed), person=person, accept=kept)


def with_kind(column: ColumnPlan, kind: str | None) -> ColumnPlan:
    """A column of another kind, without what that kind cannot have."""
    if kind == column.kind:
        return column
    tree = None if kind in RANGE_KINDS else column.hierarchy
    order = column.order if kind in (None, "ordered") else None
    return replace(column, kind=kind, hierarchy=tree, order=order, scale="range")


def _told(desk: Desk, plan: Plan) -> str:
    """What was changed, in words and without values."""
    before = desk.plan.columns
    names = [name for name, column in plan.columns.items() if before.get(name) != column]
    said = ", ".join(f"{name}: {ROLE_WORDS.get(plan.columns[name].role or '', 'no role')}" for name in names[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    whose = f"; person: {plan.person or 'none'}" if plan.person != desk.plan.person else ""
    return f"columns ({said}{more}{whose})"


ROUTES = [Route("/columns", page(_shown)), Route("/columns", change_columns, methods=["POST"])]
