# SPDX-License-Identifier: Apache-2.0
"""File: which table do you want to share? By its path, as an upload, from a database, or a built-in one."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from shoal.faces.app.archives import unpacked
from shoal.faces.app.forms import field_of, given_settings
from shoal.faces.app.opening import EXAMPLE, open_example, open_places, read_anew, upload_place
from shoal.faces.app.showing import first, form_of, house_of, page, screen, to
from shoal.faces.app.uploads import taken_in, taken_table
from shoal.ground.errors import InputError, PlanError, ShoalError
from shoal.ground.settings import settings_of
from shoal.plan.plan import Plan, load_hierarchies
from shoal.tables.databases import is_url
from shoal.tables.reading import Reading

LARGEST_PLAN = 20_000_000
"""Bytes of a plan with its trees."""
WIDEST = 40
"""Columns of the first rows that are shown at once."""


def _shown(request: Request, problem: ShoalError | None = None, typed: str = "") -> Response:
    desk = house_of(request).desk
    reading = desk.table.reading if desk.table else Reading()
    fields = [field_of(one, getattr(reading, one.name)) for one in settings_of(Reading)]
    limit = f"{desk.most_upload / 2**30:g} GiB" if desk.most_upload >= 2**30 else f"{desk.most_upload / 2**20:g} MiB"
    return screen(
        request, "file", problem=problem, fields=fields, typed=typed, limit=limit, example=EXAMPLE, widest=WIDEST
    )


async def open_path(request: Request) -> Response:
    """Open a file where it lies, or a database."""
    given = await form_of(request)
    place = first(given, "path").strip().strip('"')
    if not place:
        problem = InputError("No file was named.", where="path", allowed="the path of a file", todo="type it")
        return _shown(request, problem)
    if not is_url(place) and not Path(place).expanduser().exists():
        problem = InputError(
            "There is no such file.",
            where="path",
            allowed="the path of a file on this computer, or the address of a database",
            received="a path that leads nowhere",
            todo="check the spelling; a path begins with / or with a drive",
        )
        return _shown(request, problem, place)
    name = first(given, "table") or None
    reading = Reading(table=name) if name else None
    job = open_places(house_of(request), place if is_url(place) else str(Path(place).expanduser()), reading=reading)
    return to(request, f"run?job={job.id}")


async def open_builtin(request: Request) -> Response:
    """Open the built-in table."""
    return to(request, f"run?job={open_example(house_of(request)).id}")


async def upload(request: Request) -> Response:
    """Take a file in, block by block, and open it."""
    house = house_of(request)
    place, name = await taken_table(request)
    job = open_places(house, str(place), name, uploaded=True)
    return JSONResponse({"to": f"{house.door.base}/run?job={job.id}"})


async def upload_plan(request: Request) -> Response:
    """Take a plan in, for the table that is open: ``plan.toml``, or the archive that the app saves, with its trees."""
    house = house_of(request)
    desk = house.desk
    if desk.table is None:
        raise PlanError("A plan needs a table.", where="plan", allowed="a table that is open", todo="open it first")
    place = upload_place(house, unquote(request.headers.get("x-file-name", "plan.toml")))
    await taken_in(request, place, LARGEST_PLAN)
    packed = place.suffix == ".zip"
    plan = load_hierarchies(Plan.read(unpacked(place, place.with_suffix("")) / "plan.toml" if packed else place))
    unknown = [name for name in plan.columns if name not in {one.name for one in desk.table.columns}]
    if unknown:
        raise PlanError(
            "The plan is for another table.",
            where="plan",
            allowed="a plan that names columns of the open table only",
            received=f"{len(unknown)} columns that it has not",
            todo="open the table that the plan was made for",
        )
    desk.change(plan, "plan reused")
    return JSONResponse({"to": f"{house.door.base}/columns"})


async def reread(request: Request) -> Response:
    """Read the open table in another way."""
    given = await form_of(request)
    try:
        reading = Reading(**given_settings(settings_of(Reading), given))
    except ShoalError as problem:
        return _shown(request, problem)
    return to(request, f"run?job={read_anew(house_of(request), reading).id}")


async def go_on(request: Request) -> Response:
    """Open again what was worked on last."""
    house = house_of(request)
    offered = house.desk.offered
    if offered is None or not offered.places:
        return to(request, "")
    places = offered.places if len(offered.places) > 1 else offered.places[0]
    job = open_places(house, places, offered.name, reading=offered.plan.reading)
    return to(request, f"run?job={job.id}")


async def forget(request: Request) -> Response:
    """Do not offer it any more."""
    from shoal.faces.app import memory

    house_of(request).desk.offered = None
    memory.forget()
    return to(request, "")


async def close(request: Request) -> Response:
    """Put the table away, with all results."""
    desk = house_of(request).desk
    for one in desk.results:
        shutil.rmtree(one.shown.folder.parent, ignore_errors=True)
    desk.table, desk.history, desk.place, desk.results = None, [], -1, []
    desk.revision += 1
    return to(request, "")


POST = ["POST"]
ROUTES = [
    Route("/", page(_shown)),
    Route("/file", page(_shown)),
    Route("/open/path", open_path, methods=POST),
    Route("/open/builtin", open_builtin, methods=POST),
    Route("/open/upload", upload, methods=POST),
    Route("/open/plan", upload_plan, methods=POST),
    Route("/open/reading", reread, methods=POST),
    Route("/open/last", go_on, methods=POST),
    Route("/open/forget", forget, methods=POST),
    Route("/open/close", close, methods=POST),
]
