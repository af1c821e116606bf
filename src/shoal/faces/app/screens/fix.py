# SPDX-License-Identifier: Apache-2.0
"""Fix this column: what would help a column that costs much, with what it would save, and one click tries it."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from shoal.faces.app.desk import Result
from shoal.faces.app.facts import ColumnFacts, Helped
from shoal.faces.app.opening import count_exposed
from shoal.faces.app.screens.column import place_in
from shoal.faces.app.screens.result import result_of
from shoal.faces.app.screens.run import start_run
from shoal.faces.app.showing import House, first, fresh_form, house_of, screen, to
from shoal.faces.app.workers import Job
from shoal.plan.plan import ColumnPlan
from shoal.plan.roles import DROP
from shoal.studies.comparing.grid import BIN, HALVE
from shoal.studies.comparing.grid import DROP as LEFT_OUT

WORDS = {
    LEFT_OUT: "Leave the column out",
    HALVE: "Let its detail count half",
    BIN: "Make it coarser beforehand, in bins or by a tree",
}
"""What each change is called; bins are made on the tree's screen, the others by one click."""
TRIED = (LEFT_OUT, HALVE)


def _measure(house: House, found: Result, place: int, facts: ColumnFacts) -> Job:
    """Have every change tried, unless that is known."""
    table = house.desk.table
    assert table is not None

    def measured(helped: tuple[Helped, ...]) -> None:
        found.extra[f"helped {place}"] = helped

    given = {"places": table.places, "reading": table.reading, "plan": found.version.plan, "column": facts.name}
    back = f"result/{found.id}/fix/{place}"
    return house.workers.submit(
        Job("mend", f"Trying what helps {facts.name}", given, measured, back, f"result/{found.id}")
    )


async def fix(request: Request) -> Response:
    """The screen."""
    house = house_of(request)
    place, found = place_in(request), result_of(request)
    if place is None or found is None:
        return to(request, "result")
    facts = house.desk.column(place)
    return screen(
        request,
        "fix",
        here="result",
        result=found,
        place=place,
        facts=facts,
        planned=found.version.plan.columns.get(facts.name, ColumnPlan()),
        loss=dict(found.shown.losses).get(facts.name),
        helped=found.extra.get(f"helped {place}"),
        words=WORDS,
        tried=TRIED,
    )


async def measure(request: Request) -> Response:
    """Try every change."""
    house = house_of(request)
    place, found = place_in(request), result_of(request)
    if place is None or found is None:
        return to(request, "result")
    return to(request, f"run?job={_measure(house, found, place, house.desk.column(place)).id}")


async def apply(request: Request) -> Response:
    """Change the plan in that way, and run again."""
    house = house_of(request)
    given = await fresh_form(request)
    place, change = place_in(request), first(given, "change")
    if place is None or change not in TRIED:
        return to(request, "result")
    name = house.desk.column(place).name
    column = house.desk.plan.columns.get(name, ColumnPlan())
    changed = replace(column, role=DROP) if change == LEFT_OUT else replace(column, weight=column.weight / 2)
    house.desk.change(house.desk.plan.with_columns({name: changed}), f"{WORDS[change].lower()}: {name}")
    count_exposed(house)
    return to(request, f"run?job={start_run(house).id}")


AT = "/result/{id}/fix/{place:int}"
ROUTES = [
    Route(AT, fix),
    Route(AT + "/measure", measure, methods=["POST"]),
    Route(AT + "/apply", apply, methods=["POST"]),
]
