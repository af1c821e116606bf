# SPDX-License-Identifier: Apache-2.0
"""Plan: what was decided, as the file and the command that do the same; undo, redo, and cover values."""

from __future__ import annotations

import shlex

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from shoal.faces.app.memory import plan_files
from shoal.faces.app.opening import EXAMPLE, count_exposed
from shoal.faces.app.packing import packed
from shoal.faces.app.showing import first, form_of, fresh_form, house_of, screen, to

LONGEST = 60_000
"""Letters of a plan that are shown; the file has all."""


async def plan(request: Request) -> Response:
    """The screen."""
    desk = house_of(request).desk
    if desk.table is None:
        return to(request, "")
    written = plan_files(desk.plan)["plan.toml"]
    places = desk.table.places if isinstance(desk.table.places, tuple) else (desk.table.places,)
    named = [str(one) for one in places]
    if desk.uploaded:  # where it lies here is nowhere for anybody else
        named = ["TABLE"] if desk.name == EXAMPLE else [desk.name]
    command = f"shoal anonymize {' '.join(map(shlex.quote, named))} --plan plan.toml -o released"
    return screen(
        request, "plan", here="", written=written[:LONGEST], cut=len(written) > LONGEST, command=command,
        actions=list(enumerate(desk.history)),
    )  # fmt: skip


async def save(request: Request) -> Response:
    """The plan with its trees, as one archive."""
    desk = house_of(request).desk
    if desk.table is None:
        return to(request, "")
    return packed({}, "plan.zip", plan_files(desk.plan))


async def step(request: Request) -> Response:
    """Undo or redo."""
    house = house_of(request)
    given = await fresh_form(request)
    house.desk.step(1 if first(given, "way") == "redo" else -1)
    if house.desk.table is not None:
        count_exposed(house)
    return to(request, _back(first(given, "back")))


async def cover(request: Request) -> Response:
    """Hide all values, or show them again."""
    desk = house_of(request).desk
    given = await form_of(request)
    desk.covered = not desk.covered
    return to(request, _back(first(given, "back")))


async def tell(request: Request) -> Response:
    """Put the list of what was done into the reports of releases to come, or no longer."""
    desk = house_of(request).desk
    await form_of(request)
    desk.tells = not desk.tells
    return to(request, "plan")


def _back(screen: str) -> str:
    """Only screens of ours."""
    return screen if screen.isidentifier() else ""


ROUTES = [
    Route("/plan", plan),
    Route("/plan/save", save),
    Route("/plan/step", step, methods=["POST"]),
    Route("/plan/tell", tell, methods=["POST"]),
    Route("/cover", cover, methods=["POST"]),
]
