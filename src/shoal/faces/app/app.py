# SPDX-License-Identifier: Apache-2.0
"""The app as a whole: routes, and what is answered when something goes wrong."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from shoal.faces.app.desk import Stale
from shoal.faces.app.guard import Guard
from shoal.faces.app.screens import (
    attack,
    check,
    column,
    columns,
    compare,
    file,
    fix,
    plan,
    protection,
    result,
    run,
    tree,
    words,
)
from shoal.faces.app.showing import House, first, form_of, house_of, refused_page, screen
from shoal.ground.errors import ShoalError
from shoal.ground.pages import PACKAGE, render

STATIC = Path(__file__).parent / "static"
SHARED = {
    "report.css": PACKAGE / "releases/reports/templates/report.css",
    "picture.css": PACKAGE / "ground/templates/picture.css",
}
"""Style sheets of reports and charts, which the screens show."""
SCREENS = (file, columns, column, tree, protection, run, result, fix, compare, attack, check, plan, words)
LOG = logging.getLogger("shoal.app")


def make_app(house: House, noticed: Callable[[], None]) -> Starlette:
    """The app behind its door."""
    routes = [route for each in SCREENS for route in each.ROUTES]
    inside = [*routes, Route("/shared/{name}", shared), Mount("/static", StaticFiles(directory=STATIC))]
    app = Starlette(
        routes=[
            Route("/open", opening),
            Route("/open", admitting, methods=["POST"]),
            *(Route(f"/{name}", public) for name in ("open.js", "open.css", "icon.svg")),
            Mount(house.door.base, routes=inside),
        ],
        middleware=[Middleware(Guard, door=house.door, noticed=noticed)],
        exception_handlers={
            Stale: stale,
            ShoalError: known_problem,
            HTTPException: no_such_page,
            Exception: unknown_problem,
        },
    )
    app.state.house = house
    return app


async def public(request: Request) -> Response:
    """What the page at the door is made of."""
    return FileResponse(STATIC / request.url.path.removeprefix("/"))


async def opening(_request: Request) -> Response:
    """The page that hands over the token, which stands behind the # of its address."""
    return Response(str(render("faces/app/templates/open.html")), media_type="text/html")


async def admitting(request: Request) -> Response:
    """Takes a token, once, for the cookie."""
    door = house_of(request).door
    if not door.admit(first(await form_of(request), "token")):
        return refused_page(401)
    return RedirectResponse(f"{door.base}/", 303, headers={"set-cookie": door.cookie_line()})


async def shared(request: Request) -> Response:
    """A style sheet of the reports."""
    name = request.path_params["name"]
    return FileResponse(SHARED[name]) if name in SHARED else refused_page(404, ("No such page", ""))


async def stale(request: Request, _problem: Exception) -> Response:
    """The plan was changed in another tab since the page was made."""
    return screen(request, "stale", 409, here="")


async def known_problem(request: Request, problem: Exception) -> Response:
    """What the library refuses, where the screen has no better place for it."""
    assert isinstance(problem, ShoalError)
    return screen(request, "problem", 400, problem, here="")


async def no_such_page(_request: Request, problem: Exception) -> Response:
    """An address that leads nowhere."""
    status = problem.status_code if isinstance(problem, HTTPException) else 404
    return refused_page(status, ("No such page", "It may have been part of an earlier run of the app."))


async def unknown_problem(_request: Request, problem: Exception) -> Response:
    """Our own fault; the log gets type and place, never the text, which may quote a cell."""
    frames = traceback.extract_tb(problem.__traceback__)
    code = f"{type(problem).__name__}-{frames[-1].lineno if frames else 0}"
    LOG.error("%s at %s", code, " < ".join(f"{one.name}:{one.lineno}" for one in reversed(frames[-6:])))
    return refused_page(500, ("Something went wrong", f"Please report it as a bug of shoal, with the code {code}."))
