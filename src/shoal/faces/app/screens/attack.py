# SPDX-License-Identifier: Apache-2.0
"""Attack: what could an attacker learn? Before and after, from the original or from a table from outside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from shoal.faces.app.facts import Attacked
from shoal.faces.app.showing import House, house_of, screen, to
from shoal.faces.app.uploads import taken_table
from shoal.faces.app.workers import Job
from shoal.ground.errors import InputError
from shoal.ground.wording import percent
from shoal.releases.reports.charts import Change, moved
from shoal.releases.reports.words import EXPLAINED

HERE = "attack"


async def attack(request: Request) -> Response:
    """The screen."""
    desk = house_of(request).desk
    if desk.table is None:
        return screen(request, "no_table", here=HERE, wants="attack a release")
    if desk.current is None or not desk.current.kept:
        return screen(request, "no_result", here=HERE)
    found: Attacked | None = desk.current.extra.get(HERE)
    summaries = {name: one.summary for name, one in desk.declared.get("attacks", {}).items()}
    return screen(
        request, HERE, result=desk.current, found=found, chart=_chart(found) if found else None, summaries=summaries,
        explained=EXPLAINED,
        held=desk.current.extra.get("held", ""),
    )  # fmt: skip


def _chart(found: Attacked) -> Any:
    """Success before and after, of the attacks that were scored."""
    scored = [one for one in found.tried if one.after is not None and one.kind not in EXPLAINED]
    if not scored:
        return None
    rows = [
        Change(
            one.attack,
            one.before if one.before is not None else one.guess,
            one.after or 0.0,
            f"{percent(_first(one.before, one.guess))} → {percent(one.after or 0.0)}",
        )
        for one in scored
    ]
    title = "How often the attacks succeed: before (or without the release), and after"
    told = "; ".join(f"{row.label}: {row.text}" for row in rows)
    return title, moved("attacks", title, f"{told}.", rows, ("0 %", "50 %", "100 %"))


def _first(*values: float | None) -> float:
    return next((one for one in values if one is not None), 0.0)


def _begin(house: House, known: Path | None, name: str) -> Job:
    desk = house.desk
    result, table = desk.current, desk.table
    if result is None or table is None or not result.kept:
        raise InputError("There is nothing to attack.", where="attack", allowed="a result", todo="make a release first")

    def learnt(found: Attacked) -> None:
        result.extra |= {HERE: found, "held": name}

    given = {"places": table.places, "reading": table.reading, "folder": result.shown.folder, "known": known, "on": ()}
    return house.workers.submit(Job(HERE, "Attacking the release", given, learnt, HERE, HERE))


async def begin(request: Request) -> Response:
    """Attack as somebody who holds the original."""
    return to(request, f"run?job={_begin(house_of(request), None, '').id}")


async def upload(request: Request) -> Response:
    """Attack as somebody who holds another table."""
    house = house_of(request)
    place, name = await taken_table(request)
    job = _begin(house, place, name)
    return JSONResponse({"to": f"{house.door.base}/run?job={job.id}"})


ROUTES = [
    Route("/attack", attack),
    Route("/attack", begin, methods=["POST"]),
    Route("/attack/upload", upload, methods=["POST"]),
]
