# SPDX-License-Identifier: Apache-2.0
"""One column: all its settings, drawn from their declarations, and some of its values."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from shoal.faces.app.forms import field_of, given_settings
from shoal.faces.app.opening import count_exposed
from shoal.faces.app.screens.columns import with_kind
from shoal.faces.app.showing import fresh_form, house_of, screen, to
from shoal.ground.errors import ShoalError
from shoal.ground.settings import settings_of
from shoal.plan.columns import ColumnPlan

TREE = "hierarchy"
"""Has a screen of its own."""


def _own() -> list:  # type: ignore[type-arg]
    return [one for one in settings_of(ColumnPlan) if one.name != TREE]


def place_in(request: Request) -> int | None:
    """Which column an address is about."""
    desk = house_of(request).desk
    place = request.path_params["place"]
    return place if desk.table is not None and place < len(desk.table.columns) else None


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


async def column(request: Request) -> Response:
    """The screen."""
    return _shown(request)


async def change(request: Request) -> Response:
    """Take in what was chosen."""
    house = house_of(request)
    desk = house.desk
    place = place_in(request)
    given = await fresh_form(request)
    if place is None:
        return to(request, "columns")
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


ROUTES = [Route("/columns/{place:int}", column), Route("/columns/{place:int}", change, methods=["POST"])]
