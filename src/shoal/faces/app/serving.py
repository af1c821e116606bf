# SPDX-License-Identifier: Apache-2.0
"""Starts the app on this computer, opens a browser, and ends it: by Ctrl-C, by a signal, or when nobody is there."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import time
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from shoal.faces.app import memory
from shoal.faces.app.app import make_app
from shoal.faces.app.desk import Desk
from shoal.faces.app.door import Door
from shoal.faces.app.opening import Wanted, begin
from shoal.faces.app.showing import House
from shoal.faces.app.workers import Workers
from shoal.ground.errors import InputError

ADDRESS = "127.0.0.1"
LOOK = 5.0
"""Seconds between two looks at whether anybody is there."""


@dataclass(frozen=True)
class Options:
    """How the app is to run."""

    port: int = 0
    browser: bool = True
    idle: float = 60.0
    """Minutes without a tab and without a job after which it ends; 0: never."""
    most_upload: int = 4 << 30
    out: Path | None = None
    verbose: bool = False


def serve(wanted: Wanted, options: Options, say: Callable[[str], None]) -> None:
    """Run the app until it ends."""
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.WARNING, stream=sys.stderr)
    logging.getLogger("shoal.app").setLevel(logging.INFO if options.verbose else logging.WARNING)
    with _listening(options.port) as listener, memory.run_folder() as folder:
        os.umask(0o077)
        port = listener.getsockname()[1]
        desk = Desk(folder, options.out, options.most_upload, offered=memory.last())
        house = House(Door(port), desk, Workers())
        try:
            asyncio.run(_serve(house, listener, wanted, options, say))
        except KeyboardInterrupt:
            pass  # the usual end
        finally:
            house.workers.close()
    say("The app has ended; its temporary files are removed.")


def _listening(port: int) -> socket.socket:
    """A socket of this computer alone; made first, so that the address is known and taken."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((ADDRESS, port))
    except (OSError, OverflowError):
        made.close()
        allowed, todo = "a port that is free, from 1024 to 65535, or 0 for any", "leave --port out, or name another one"
        raise InputError("The port cannot be used.", "--port", allowed, str(port), todo) from None
    made.listen(256)
    return made


async def _serve(
    house: House, listener: socket.socket, wanted: Wanted, options: Options, say: Callable[[str], None]
) -> None:
    seen = time.monotonic()

    def noticed() -> None:
        nonlocal seen
        seen = time.monotonic()

    app = make_app(house, noticed)
    config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", server_header=False)
    config.timeout_graceful_shutdown = 2
    server = uvicorn.Server(config)
    begin(house, wanted)
    link = house.door.new_link()
    say(f"shoal is open at {link}\nThe link works once; press Enter for a new one, Ctrl-C to end.")
    if options.browser:
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, link)
    asked = _links_on_enter(house, say)
    watching = asyncio.create_task(_end_when_idle(server, house, options.idle, lambda: seen))
    try:
        await server.serve(sockets=[listener])
    finally:
        watching.cancel()
        if asked:
            asyncio.get_running_loop().remove_reader(sys.stdin)


def _links_on_enter(house: House, say: Callable[[str], None]) -> bool:
    """Whoever sits at the terminal gets a new link by pressing Enter."""
    if not sys.stdin or not sys.stdin.isatty():
        return False

    def pressed() -> None:
        if sys.stdin.readline():
            say(house.door.new_link())

    with suppress(OSError, ValueError, NotImplementedError):
        asyncio.get_running_loop().add_reader(sys.stdin, pressed)
        return True
    return False


async def _end_when_idle(server: uvicorn.Server, house: House, minutes: float, seen: Callable[[], float]) -> None:
    while minutes > 0:
        await asyncio.sleep(min(LOOK, 6 * minutes))
        if not house.workers.busy and time.monotonic() - seen() > 60 * minutes:
            server.should_exit = True
            return
