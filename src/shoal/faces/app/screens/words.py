# SPDX-License-Identifier: Apache-2.0
"""Words: what the terms mean, as the report explains them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from shoal.faces.app.showing import screen
from shoal.ground import catalog
from shoal.releases.reports.words import GLOSSARY


async def words(request: Request) -> Response:
    """The screen."""
    rooms = {"Methods": "algorithms", "Privacy models": "privacy_models", "Attacks": "attacks"}
    listed = [
        (title, [(one.name, one.summary) for one in catalog.entries(room).values()]) for title, room in rooms.items()
    ]
    return screen(request, "words", glossary=GLOSSARY, rooms=listed)


ROUTES = [Route("/words", words)]
