# SPDX-License-Identifier: Apache-2.0
"""Check a file: is this released file as safe as claimed? Works without its original and without a plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from shoal.faces.app.facts import Checked
from shoal.faces.app.showing import House, first, form_of, house_of, page, screen, to
from shoal.faces.app.uploads import taken_table
from shoal.faces.app.workers import Job
from shoal.ground.errors import InputError, ShoalError

HERE = "check"
MOST = 200
"""Columns that can be ticked; others are typed."""


def _shown(request: Request, problem: ShoalError | None = None) -> Response:
    desk = house_of(request).desk
    asked = desk.found.get("asked", {})
    return screen(request, HERE, problem=problem, found=desk.found.get(HERE), asked=asked, most=MOST)


def _begin(house: House, asked: dict[str, Any]) -> Job:
    """Judge, and remember what was asked."""

    def judged(found: Checked) -> None:
        house.desk.found |= {HERE: found, "asked": asked}

    given = {name: asked[name] for name in ("place", "names", "private", "k", "original")}
    return house.workers.submit(Job(HERE, f"Checking {asked['name']}", given, judged, HERE, HERE))


def _new(place: Path, name: str) -> dict[str, Any]:
    return {"place": place, "name": name, "names": None, "private": (), "k": None, "original": None}


async def upload(request: Request) -> Response:
    """Take a file in and judge it; its columns are guessed at first."""
    house = house_of(request)
    place, name = await taken_table(request)
    job = _begin(house, _new(place, name))
    return JSONResponse({"to": f"{house.door.base}/run?job={job.id}"})


async def by_path(request: Request) -> Response:
    """Judge a file or a release folder where it lies."""
    given = await form_of(request)
    place = Path(first(given, "path").strip().strip('"')).expanduser()
    if not first(given, "path").strip() or not place.exists():
        problem = InputError(
            "There is no such file.", where="path", allowed="a file or a release folder", todo="check it"
        )
        return _shown(request, problem)
    return to(request, f"run?job={_begin(house_of(request), _new(place, place.name)).id}")


async def again(request: Request) -> Response:
    """Judge the same file by other columns, or another claim."""
    house = house_of(request)
    given = await form_of(request)
    asked = house.desk.found.get("asked")
    if asked is None:
        return to(request, HERE)
    k = first(given, "k").strip()
    if k and not (k.isdecimal() and 0 < int(k) < 10**9):
        problem = InputError("k must be a whole number.", where="k", allowed="at least 1, or nothing", received=repr(k))
        return _shown(request, problem)
    original = first(given, "original").strip()
    changed = {
        "names": tuple(given.get("name", ())),
        "private": tuple(given.get("private", ())),
        "k": int(k) if k else None,
        "original": original or None,
    }
    return to(request, f"run?job={_begin(house, asked | changed).id}")


ROUTES = [
    Route("/check", page(_shown)),
    Route("/check/upload", upload, methods=["POST"]),
    Route("/check/path", by_path, methods=["POST"]),
    Route("/check/again", again, methods=["POST"]),
]
