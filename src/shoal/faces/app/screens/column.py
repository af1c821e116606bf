# SPDX-License-Identifier: Apache-2.0
"""One column: all its settings, drawn from their declarations, and some of its values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from shoal.faces.app.forms import field_of, given_settings
from shoal.faces.app.opening import count_exposed
from shoal.faces.app.screens.columns import with_kind
from shoal.faces.app.showing import Answer, fresh_form, house_of, page, screen, to
from shoal.ground.errors import ShoalError
from shoal.ground.settings import settings_of
from shoal.plan.columns import ColumnPlan

Form = dict[str, list[str]]
TREE = "hierarchy"
"""Has a screen of its own."""


def _own() -> list:  # type: ignore[type-arg]
    return [one for one in settings_of(ColumnPlan) if one.name != TREE]


def place_in(request: Request) -> int | None:
    """Which column an address is about."""
    desk = house_of(request).desk
    place = request.path_params["place"]
    return place if desk.table is not None and place < len(desk.table.columns) else None


def of_column(change: Callable[[Request, int, Form], Awaitable[Response]]) -> Answer:
    """What answers a form about one column: back to all of them where there is no such column."""

    async def answer(request: Request) -> Response:
        place, given = place_in(request), await fresh_form(request)
        return to(request, "columns") if place is None else await change(request, place, given)

    return answer


def _shown(request: Request, problem: ShoalError | None = None) -> Response:
    desk = house_of(request).desk
    place = place_in(request)
    if place is None:
        return to(request, "columns")
    facts = desk.column(place)
    planned = desk.plan.columns.get(facts.name, ColumnPlan())
    fields = [field_of(one, getattr(planned, one.name)) for one in _own()]
    return screen(
        request, "column", problem=problem, here="columns", place=place, facts=facts, planned=planned, fields=fields
    )


@of_column
async def change(request: Request, place: int, given: Form) -> Response:
    """Take in what was chosen."""
    house = house_of(request)
    desk = house.desk
    name = desk.column(place).name
    try:
        settings = given_settings(_own(), given)
        column = with_kind(desk.plan.columns.get(name, ColumnPlan()), settings.pop("kind"))
        plan = desk.plan.with_columns({name: replace(column, **settings)})
    except ShoalError as problem:
        return _shown(request, problem)
    desk.change(plan, f"column {name}")
    count_exposed(house)
    return to(request, "columns")


ROUTES = [Route("/columns/{place:int}", page(_shown)), Route("/columns/{place:int}", change, methods=["POST"])]
