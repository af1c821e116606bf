# SPDX-License-Identifier: Apache-2.0
"""Run: what is under way, how far it is, how long it may take; stop with the best so far, or cancel."""

from __future__ import annotations

import secrets
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from shoal.faces.app import memory
from shoal.faces.app.desk import Result, bound_key
from shoal.faces.app.facts import Compared, ReleaseShown
from shoal.faces.app.showing import TEMPLATES, House, first, form_of, fresh_form, house_of, screen, to
from shoal.faces.app.workers import DONE, Job
from shoal.ground.pages import render, trusted
from shoal.ground.svg import Scale, box, described, line, path, text, ticks
from shoal.ground.wording import percent, seconds

PHASES = {
    "read": "reading the table",
    "look": "looking at the columns",
    "forecast": "estimating what it will cost",
    "count": "counting look-alikes",
    "encode": "preparing",
    "levels": "finding shared levels",
    "cluster": "grouping look-alikes",
    "foretell": "a first look at how little could be lost",
    "enforce": "keeping the further promises",
    "refine": "searching for groups that lose less",
    "suppress": "leaving rows out",
    "generalise": "making values coarser",
    "check": "checking independently",
    "coarsen": "making groups larger where the check asks for it",
    "measure": "measuring loss and risk",
    "weigh": "weighing what would stop leaks",
    "bound": "proving how little could be lost",
    "portray": "drawing before and after",
    "write": "writing the release and checking it as written",
    "prepare": "preparing this machine (only the first time)",
}
"""What each phase does, in words."""
SEARCHING = ("refine", "bound")
"""Phases that may be ended with what there is."""
WIDE, TALL = 560, 130


def start_run(house: House) -> Job:
    """Make a release with the plan as it is."""
    desk = house.desk
    table = desk.table
    assert table is not None
    version = desk.history[desk.place]
    folder = desk.folder / secrets.token_hex(8) / "release"

    def made(shown: ReleaseShown) -> None:
        if desk.table is not table:  # another one was opened meanwhile
            memory.remove(folder.parent)
            return
        result = desk.add_result(shown, version, taken_early=job.wish == "finish")
        job.to = f"result/{result.id}"
        _copied(house, result)

    given = {"places": table.places, "reading": table.reading, "plan": version.plan, "folder": folder}
    given["actions"] = desk.actions() if desk.tells else ()
    job = Job("release", f"Making a release, k = {version.plan.k:,}", given, made, "result", "columns")
    job.otherwise = lambda: memory.remove(folder.parent)
    under_way = [one for one in house.workers.jobs.values() if one.open and one.task == "release"]
    same = next((one for one in under_way if one.arguments["plan"] == version.plan), None)
    return same or house.workers.submit(job)


def _copied(house: House, result: Result) -> None:
    """Put the folder also where the app was told to."""
    if house.desk.out is not None:
        given = {"folder": result.shown.folder, "out": house.desk.out, "number": result.number}
        house.workers.submit(Job("copy_out", "Copying the release", given, lambda _: None))


def job_of(request: Request) -> Job | None:
    """The job that a request is about: the one named, else what is under way, else the last."""
    jobs = house_of(request).workers.jobs
    named = request.query_params.get("job", "")
    if named:
        return jobs.get(named)
    return next((one for one in jobs.values() if one.open), next(reversed(jobs.values()), None))


async def run(request: Request) -> Response:
    """The screen; once the job is done, the one that shows what it gave."""
    job = job_of(request)
    if job is None:
        return to(request, "")
    following = _following(request, job)
    if following is not None:
        return to(request, f"run?job={following.id}")
    if job.state == DONE and job.to:
        return to(request, job.to)
    return screen(request, "run", here="", job=job, told=_told(job), so_far=_so_far(request, job))


def _following(request: Request, job: Job) -> Job | None:
    """The job that a finished one led to, on its way to the same screen."""
    others = house_of(request).workers.jobs.values()
    same = [one for one in others if one is not job and one.to == job.to and one.open]
    return same[-1] if job.state == DONE and job.task == "example" and same else None


async def status(request: Request) -> Response:
    """The same for scripts: asked every second, by tabs that are seen."""
    house = house_of(request)
    job = job_of(request)
    running = next((one for one in house.workers.jobs.values() if one.open), None)
    exposed = None
    if house.desk.table is not None:
        exposed = house.desk.quasi_identifiers in house.desk.exposed
    about: dict[str, Any] = {"revision": house.desk.revision, "exposed": exposed, "running": bool(running)}
    about["table"] = house.desk.table is not None
    if running is not None:
        about["title"] = running.title
    if job is not None:
        about["job"] = {"state": job.state, "open": job.open, **_told(job)}
        about["so_far"] = str(_so_far(request, job) or "")
    return JSONResponse(about)


def _told(job: Job) -> dict[str, Any]:
    """How far a job is, in words."""
    last = job.steps[-1] if job.steps else None
    names = list(dict.fromkeys(step.phase for step in job.steps if step.phase != "prepare"))
    done, now = (names[:-1], names[-1]) if names and job.open else (names, "")
    share = last.done / last.total if last and last.total else None
    told = PHASES.get(last.phase, last.phase) if last else "waiting"
    return {
        "title": job.title,
        "done": [PHASES.get(name, name) for name in done],
        "now": PHASES.get(now, now) if last and last.phase != "prepare" else told,
        "share": None if share is None else round(min(share, 1.0), 3),
        "seconds": seconds(job.seconds),
        "left": _left(job, share),
        "loss": percent(job.losses[-1][1]) if job.losses else "",
        "can_finish": bool(job.open and not job.wish and last and _has_something(job, last.phase)),
        "wish": job.wish,
    }


def _has_something(job: Job, phase: str) -> bool:
    """Whether a job can end now with what it has."""
    return phase in SEARCHING if job.task == "release" else isinstance(job.found, Compared) and bool(job.found.points)


def _left(job: Job, share: float | None) -> str:
    """How long the phase under way may still take, as a range, once three seconds have told something."""
    last = job.steps[-1] if job.steps else None
    if not job.open or last is None or not share or share < 0.02 or job.seconds < 3:
        return ""
    rest = max(_since(job) * (1 - share) / share, 0.5)
    return f"about {seconds(0.7 * rest)} to {seconds(1.5 * rest)} left in this step"


def _since(job: Job) -> float:
    return max(job.seconds - job.phase_begun, 0.1)


def _so_far(request: Request, job: Job) -> Any:
    """What there is to see before a job has ended."""
    if isinstance(job.found, Compared):
        return render(f"{TEMPLATES}points.html", found=job.found, chart=trusted(job.found.chart), choose=False)
    return _chart(request, job)


def _chart(request: Request, job: Job) -> Any:
    """The loss as it falls, and below it the best bound that is proven so far."""
    if len(job.losses) < 2 or job.task != "release":
        return None
    known = house_of(request).desk.bounds.get(bound_key(job.arguments["plan"]), 0.0)
    bound = max(known, job.found or 0.0)
    highest = max(loss for _, loss in job.losses)
    across = Scale(job.losses[0][0], job.losses[-1][0], 52, WIDE - 12)
    up = Scale(0.0, ticks(highest)[-1], TALL - 24, 10)
    parts = [line(52, up(mark), WIDE - 12, up(mark), "grid") for mark in ticks(highest)]
    parts += [text(46, up(mark) + 4, percent(mark), "tick last") for mark in (ticks(highest)[0], ticks(highest)[-1])]
    if bound > 0:
        parts += [box(52, up(bound), WIDE - 64, max(up(0.0) - up(bound), 0.0), "never")]
        parts += [line(52, up(bound), WIDE - 12, up(bound), "mark")]
        parts += [text(58, up(bound) - 5, f"nobody can get below {percent(bound)}", "label")]
    parts.append(path([(across(at), up(loss)) for at, loss in job.losses], "falling"))
    now = percent(job.losses[-1][1])
    title = f"The loss has fallen from {percent(job.losses[0][1])} to {now}"
    told = f"{title} in {seconds(job.losses[-1][0])}."
    look = {"class_": "chart", "viewBox": f"0 0 {WIDE} {TALL}", "width": "100%"}
    return described("falling", title, told, parts, **look)


async def stop(request: Request) -> Response:
    """Finish with the best so far, or cancel."""
    house = house_of(request)
    given = await form_of(request)
    job = house.workers.jobs.get(first(given, "job"))
    if job is not None:
        house.workers.wish(job, "finish" if first(given, "wish") == "finish" else "cancel")
        return to(request, f"run?job={job.id}")
    return to(request, "")


async def begin(request: Request) -> Response:
    """Run the plan as it is."""
    from shoal.faces.app.screens.columns import blocked

    house = house_of(request)
    await fresh_form(request)
    if house.desk.table is None or blocked(house.desk):
        return to(request, "columns")
    return to(request, f"run?job={start_run(house).id}")


ROUTES = [
    Route("/run", run),
    Route("/run", begin, methods=["POST"]),
    Route("/run/stop", stop, methods=["POST"]),
    Route("/status.json", status),
]
