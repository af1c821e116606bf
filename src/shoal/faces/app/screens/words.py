# SPDX-License-Identifier: Apache-2.0
"""Words: what the terms mean, as the report explains them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from shoal.faces.app.showing import house_of, screen


async def words(request: Request) -> Response:
    """The screen."""
    rooms = {"Methods": "algorithms", "Privacy models": "privacy_models", "Metrics": "metrics", "Attacks": "attacks"}
    declared = house_of(request).desk.declared
    listed = [
        (title, [(one.name, one.summary) for one in declared.get(room, {}).values()]) for title, room in rooms.items()
    ]
    return screen(request, "words", rooms=listed)


ROUTES = [Route("/words", words)]
