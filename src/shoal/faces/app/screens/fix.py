# SPDX-License-Identifier: Apache-2.0
"""Fix this column: what would help a column that costs much, with what it would save, and one click tries it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from shoal.faces.app.desk import Result
from shoal.faces.app.facts import BEGINNINGS, TREE, ColumnFacts, Helped
from shoal.faces.app.opening import count_exposed
from shoal.faces.app.screens.column import place_in
from shoal.faces.app.screens.result import result_of
from shoal.faces.app.screens.run import start_run
from shoal.faces.app.showing import House, first, fresh_form, house_of, screen, to
from shoal.faces.app.workers import Job
from shoal.plan.columns import ColumnPlan
from shoal.studies.comparing.grid import BIN, DROP, HALVE

WORDS = {
    DROP: "Leave the column out",
    HALVE: "Let its detail count half",
    BIN: "Make it coarser beforehand, in bins or by a tree",
    TREE: "Group values that go along with the same others",
    BEGINNINGS: "Shorten values to their beginnings, as one does with postcodes",
}
"""What each change is called; all but bins are tried by one click."""


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
    place, found, change = place_in(request), result_of(request), first(given, "change")
    helped = found.extra.get(f"helped {place}", ()) if found is not None else ()
    becomes = next((one.becomes for one in helped if one.change == change), None)
    if place is None or becomes is None:
        return to(request, "result")
    name = house.desk.column(place).name
    house.desk.change(house.desk.plan.with_columns({name: becomes}), f"{WORDS[change].lower()}: {name}")
    count_exposed(house)
    return to(request, f"run?job={start_run(house).id}")


AT = "/result/{id}/fix/{place:int}"
ROUTES = [
    Route(AT, fix),
    Route(AT + "/measure", measure, methods=["POST"]),
    Route(AT + "/apply", apply, methods=["POST"]),
]
