# SPDX-License-Identifier: Apache-2.0
"""Pages out: every screen in the same frame, and the pages that say no."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from shoal import __version__
from shoal.faces.app.desk import Desk
from shoal.faces.app.forms import LARGEST, parsed
from shoal.ground.errors import InputError, ShoalError
from shoal.ground.pages import render
from shoal.releases.reports.words import GLOSSARY

if TYPE_CHECKING:
    from shoal.faces.app.door import Door
    from shoal.faces.app.workers import Workers

TEMPLATES = "faces/app/templates/"
STEPS = (
    ("file", "File"),
    ("columns", "Columns"),
    ("protection", "Protection"),
    ("result", "Result"),
)
"""The way to a release."""
BESIDES = (("compare", "Compare"), ("attack", "Attack"), ("check", "Check a file"), ("words", "Words"))
REFUSALS = {
    401: ("This door is closed", "The link was used already, or is too old, or this browser has not been let in."),
    403: ("Refused", "The request did not come from one of the app's own pages, so nothing was changed."),
    421: ("Refused", "The app answers only under the names of this computer: 127.0.0.1 or localhost."),
}

Answer = Callable[[Request], Awaitable[Response]]
"""What answers requests."""


@dataclass(eq=False)
class House:
    """All that the screens share."""

    door: Door
    desk: Desk
    workers: Workers


def house_of(request: Request) -> House:
    """The one that a request came to."""
    house: House = request.app.state.house
    return house


def screen(
    request: Request, name: str, status: int = 200, problem: ShoalError | None = None, **values: Any
) -> Response:
    """A screen in its frame."""
    house = house_of(request)
    running = next((job for job in house.workers.jobs.values() if job.open), None)
    page = render(
        f"{TEMPLATES}{name}.html",
        base=house.door.base,
        here=values.pop("here", name),
        desk=house.desk,
        running=running,
        steps=STEPS,
        besides=BESIDES,
        version=__version__,
        glossary=GLOSSARY,
        problem=problem.parts() if problem else None,
        **values,
    )
    return HTMLResponse(str(page), 400 if problem and status == 200 else status)


def page(draw: Callable[[Request], Response]) -> Answer:
    """What answers for a screen that is drawn at once: plain functions would be given a thread of their own."""

    async def answer(request: Request) -> Response:
        return draw(request)

    return answer


def to(request: Request, place: str) -> Response:
    """Sends the browser to another screen after something was done."""
    return RedirectResponse(f"{house_of(request).door.base}/{place}", 303)


def refused_page(status: int, words: tuple[str, str] | None = None) -> Response:
    """A page for those who may not pass."""
    title, said = words or REFUSALS.get(status, ("Refused", ""))
    page = render(f"{TEMPLATES}refused.html", title=title, said=said, status=status)
    return HTMLResponse(str(page), status)


async def form_of(request: Request) -> dict[str, list[str]]:
    """What the form of a request says."""
    body = b""
    async for block in request.stream():
        body += block
        if len(body) > LARGEST:
            raise too_large(f"{LARGEST:,} bytes")
    return parsed(body)


async def fresh_form(request: Request) -> dict[str, list[str]]:
    """What a form sent that changes the plan; refused if the plan was changed elsewhere since its page was made."""
    given = await form_of(request)
    house_of(request).desk.expect(first(given, "revision"))
    return given


def too_large(limit: str) -> ShoalError:
    """The refusal of what is too large to be taken in."""
    return InputError(
        "This is too large to be sent.",
        where="what was sent to the app",
        allowed=limit,
        received="more",
        todo="start the app with the file instead: shoal app TABLE",
    )


def first(given: Mapping[str, list[str]], name: str, otherwise: str = "") -> str:
    """The text of a field that stands once in a form."""
    return given.get(name, [otherwise])[0]
