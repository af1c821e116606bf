# SPDX-License-Identifier: Apache-2.0
"""Compare: which k and which method? The loss against k, the proven bound below it; a point becomes the plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from shoal.faces.app.desk import bound_key
from shoal.faces.app.facts import Compared, Declared
from shoal.faces.app.screens.columns import blocked
from shoal.faces.app.screens.run import start_run
from shoal.faces.app.showing import first, form_of, fresh_form, house_of, page, screen, to
from shoal.faces.app.workers import Job
from shoal.ground import catalog
from shoal.ground.errors import PlanError, ShoalError
from shoal.ground.pages import trusted

SIZES = "5, 10, 20, 50"
LIMIT = "60"
AT_FIRST = 4
"""Methods that are chosen besides the plan's own: some that make look-alike groups and say that they are fast."""
HERE = "compare"


def _shown(request: Request, problem: ShoalError | None = None, given: dict[str, list[str]] | None = None) -> Response:
    house = house_of(request)
    desk = house.desk
    if desk.table is None:
        return screen(request, "no_table", here=HERE, wants="compare methods")
    found: Compared | None = desk.found.get(HERE)
    asked = given or {}
    methods = desk.declared.get("algorithms", {})
    chosen = asked.get("method") or _chosen(desk.plan.method, methods)
    return screen(
        request,
        HERE,
        problem=problem,
        methods=[(one.name, one.summary, one.name in chosen) for one in methods.values()],
        sizes=first(asked, "sizes", SIZES),
        limit=first(asked, "limit", LIMIT),
        found=found,
        chart=trusted(found.chart) if found else "",
        choose=True,
        blocked=blocked(desk),
    )


def _chosen(own: str, methods: Mapping[str, Declared]) -> list[str]:
    """At first the plan's own method, and some that are fast."""
    fast = [one.name for one in methods.values() if one.fast and one.name != own]
    return [own, *fast[:AT_FIRST]]


async def begin(request: Request) -> Response:
    """Run the grid."""
    house = house_of(request)
    desk = house.desk
    given = await form_of(request)
    if desk.table is None:
        return to(request, HERE)
    try:
        about = {
            "methods": tuple(name for name in given.get("method", ()) if catalog.find("algorithms", name)),
            "sizes": _numbers(first(given, "sizes")),
            "limit": _limit(first(given, "limit", LIMIT)),
        }
    except ShoalError as problem:
        return _shown(request, problem, given)

    asked = desk.plan

    def compared(found: Compared) -> None:
        desk.found[HERE] = found
        desk.bounds |= {bound_key(replace(asked, k=k)): bound for k, bound in found.bounds.items() if bound is not None}

    about |= {"places": desk.table.places, "reading": desk.table.reading, "plan": asked}
    job = house.workers.submit(Job(HERE, "Comparing", about, compared, HERE, HERE))
    return to(request, f"run?job={job.id}")


def _numbers(text: str) -> tuple[int, ...]:
    parts = text.replace(",", " ").split()
    if not parts or not all(part.isdecimal() and 0 < int(part) < 10**9 for part in parts):
        allowed = "one or more whole numbers of at least 1, e.g. 5, 10, 50"
        raise PlanError(
            "The list of k cannot be read.", where="k", allowed=allowed, received=repr(text), todo="mend it"
        )
    return tuple(map(int, parts))


def _limit(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e6:
        raise PlanError(
            "The limit is no time.", where="limit", allowed="seconds above 0", received=repr(text), todo="mend it"
        )
    return seconds


async def use(request: Request) -> Response:
    """Make a point the plan, and run it."""
    house = house_of(request)
    desk = house.desk
    given = await fresh_form(request)
    found: Compared | None = desk.found.get(HERE)
    text = first(given, "point")
    if found is None or not text.isdecimal() or int(text) >= len(found.points) or not found.points[int(text)].done:
        return to(request, HERE)
    point = found.points[int(text)]
    same = point.method == desk.plan.method
    parameters = dict(desk.plan.parameters) if same else {}
    plan = replace(desk.plan, k=point.k, method=point.method, parameters=parameters)
    desk.change(plan, f"chosen by comparing: {point.method}, k = {point.k}")
    return to(request, f"run?job={start_run(house).id}")


ROUTES = [
    Route("/compare", page(_shown)),
    Route("/compare", begin, methods=["POST"]),
    Route("/compare/use", use, methods=["POST"]),
]
