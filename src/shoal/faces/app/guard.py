# SPDX-License-Identifier: Apache-2.0
"""The guard at the door: asks before every request, dresses every answer, and keeps a log without any content."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shoal.faces.app.door import HEADERS, KEPT, Door
from shoal.faces.app.showing import refused_page

LOG = logging.getLogger("shoal.app")
"""Time, name of the route, status, milliseconds; never an address, a name of a file or column, or a cell."""


class Guard:
    """Stands before the whole app."""

    def __init__(self, app: ASGIApp, door: Door, noticed: Callable[[], None]) -> None:
        self._app, self._door, self._noticed = app, door, noticed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or let pass."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        begun, status = time.perf_counter(), 0

        async def dressed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                if status == 200 and self._door.is_own(scope["path"]):
                    headers["cache-control"] = KEPT
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refused = self._door.refusal(scope["method"], scope["path"], Headers(scope=scope))
        if refused:
            await refused_page(refused)(scope, receive, dressed)
        else:
            self._noticed()
            await self._app(scope, receive, dressed)
        name = getattr(scope.get("endpoint"), "__name__", "refused" if refused else "none")
        LOG.info("%s %d %.0f ms", name, status, 1000 * (time.perf_counter() - begun))
