# SPDX-License-Identifier: Apache-2.0
"""Result: safe enough, and still useful? Verdict, risk, loss, before and after; and the release to take away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from shoal.faces.app.desk import Result
from shoal.faces.app.door import REPORT_POLICY
from shoal.faces.app.facts import Exposed
from shoal.faces.app.opening import count_exposed
from shoal.faces.app.packing import packed
from shoal.faces.app.screens.run import start_run
from shoal.faces.app.showing import Answer, first, fresh_form, house_of, page, refused_page, screen, to
from shoal.ground.pages import trusted
from shoal.ground.wording import one_in, percent
from shoal.releases.reports.charts import Amount, chances

WIDEST = 30
"""Columns whose losses are put side by side."""


def result_of(request: Request) -> Result | None:
    """The result that an address names, else the last one."""
    desk = house_of(request).desk
    named = request.path_params.get("id")
    return desk.result(named) if named else desk.current


async def result(request: Request) -> Response:
    """The screen."""
    desk = house_of(request).desk
    found = result_of(request)
    if found is None:
        return screen(request, "no_result", here="result") if desk.table else to(request, "")
    exposed = desk.exposed.get(tuple(found.version.plan.quasi_identifiers))
    others = [one for one in desk.results if one is not found]
    return screen(
        request,
        "result",
        result=found,
        shown=found.shown,
        published={name for name, _ in found.shown.after},
        sections=[(name, heading, trusted(body)) for name, heading, body in found.shown.sections],
        exposed=exposed,
        stale=desk.out_of_date(found),
        others=others,
        costly=[(place, name, percent(loss)) for place, name, loss in _costly(request, found)],
        beside=_beside(found),
        gauge=_gauge(found, exposed),
        against=_against(found, others[-1]) if others else None,
    )


def _gauge(found: Result, exposed: Exposed | None) -> Any:
    """The best guess about one person, before and after, beside what was asked for."""
    after = found.shown.risk
    if exposed is None or after is None or not exposed.smallest:
        return None
    before = 1 / exposed.smallest
    title = f"The best guess about one person was right {one_in(before)}, and is now {one_in(after)} at most"
    points = [Amount("before", before, one_in(before)), Amount("after", after, one_in(after))]
    return title, chances("gauge", title, f"{title}.", points, 1 / found.version.plan.k)


def _against(found: Result, other: Result) -> tuple[int, list[tuple[str, str, str]]]:
    """The number of another result, and the losses of every column in both."""
    here, there = dict(found.shown.losses), dict(other.shown.losses)
    names = [*here, *(name for name in there if name not in here)][:WIDEST]
    told = [(name, *(percent(each[name]) if name in each else "not there" for each in (there, here))) for name in names]
    return other.number, told  # type: ignore[return-value]


def _costly(request: Request, found: Result) -> list[tuple[int, str, float]]:
    """Columns with their place and loss, those that lost most first."""
    table = house_of(request).desk.table
    assert table is not None
    places = {one.name: place for place, one in enumerate(table.columns)}
    return [(places[name], name, loss) for name, loss in found.shown.losses if name in places][:10]


def _beside(found: Result) -> list[tuple[str, list[tuple[str | None, str | None]]]]:
    """Column by column, the cells before and after of the rows that are shown."""
    after = dict(found.shown.after)
    return [(name, list(zip(cells, after.get(name, (None,) * len(cells))))) for name, cells in found.shown.before]


def _file(found: Result, kind: str) -> Path | None:
    """A file of the release, by what it is; no name from outside is ever joined to a path."""
    folder = found.shown.folder
    if kind == "report":
        return folder / "report.html"
    return next(iter(sorted(folder.glob("table*.*"))), None) if kind == "table" else None


def publishable(give: Callable[[Request, Result], Response]) -> Answer:
    """What answers with files to publish; refused if the result does not hold."""

    def given(request: Request) -> Response:
        found = result_of(request)
        if found is None or not found.kept:
            return _gone()
        if not found.shown.holds:
            return refused_page(403, ("Not safe to publish", "The check says that the promise does not hold."))
        return give(request, found)

    return page(given)


@publishable
def download(request: Request, found: Result) -> Response:
    """The table."""
    path = _file(found, "table")
    several = sorted(found.shown.folder.glob("table*.*"))
    if path is None:
        return _gone()
    if len(several) > 1:
        return packed({one.name: one for one in several}, "tables.zip")
    return FileResponse(path, filename=f"released-{path.name}", media_type="application/octet-stream")


@publishable
def folder(request: Request, found: Result) -> Response:
    """The whole release folder as one archive."""
    root = found.shown.folder
    files = {f"release/{one.relative_to(root).as_posix()}": one for one in sorted(root.rglob("*")) if one.is_file()}
    return packed(files, "release.zip", _actions(request) if request.query_params.get("actions") else None)


def _actions(request: Request) -> dict[str, str]:
    """What was done to the plan, for the archive."""
    return {"actions.txt": "\n".join(["What was done to the plan, in order:", *house_of(request).desk.actions(), ""])}


async def report(request: Request) -> Response:
    """The report, as it stands in the folder, where no script can run."""
    found = result_of(request)
    path = _file(found, "report") if found and found.kept else None
    if path is None or not path.is_file():
        return _gone()
    return HTMLResponse(path.read_bytes(), headers={"content-security-policy": REPORT_POLICY})


async def plan_of_result(request: Request) -> Response:
    """The plan that gives the same bytes again, with its trees."""
    found = result_of(request)
    if found is None or not found.kept:
        return _gone()
    root = found.shown.folder
    files = {"plan.toml": root / "plan.toml"}
    files |= {f"hierarchies/{one.name}": one for one in sorted((root / "hierarchies").glob("*.csv"))}
    return packed(files, "plan.zip")


async def require(request: Request) -> Response:
    """Add a model that would stop what is given away, and run again."""
    house = house_of(request)
    given = await fresh_form(request)
    found = result_of(request)
    place = first(given, "place")
    if found is None or not place.isdecimal() or int(place) >= len(found.shown.given_away):
        return _gone()
    _, model = found.shown.given_away[int(place)]
    plan = house.desk.plan
    added = {name: dict(given) for name, given in model.items()}  # type: ignore[call-overload]
    house.desk.change(replace(plan, models={**plan.models, **added}), f"added {', '.join(model)}")
    count_exposed(house)
    return to(request, f"run?job={start_run(house).id}")


def _gone() -> Response:
    return refused_page(404, ("This result is not kept any more", "Only the last three are; run the plan again."))


ROUTES = [
    Route("/result", result),
    Route("/result/{id}", result),
    Route("/result/{id}/table", download),
    Route("/result/{id}/folder", folder),
    Route("/result/{id}/report", report),
    Route("/result/{id}/plan", plan_of_result),
    Route("/result/{id}/require", require, methods=["POST"]),
]
