# SPDX-License-Identifier: Apache-2.0
"""Uploads: refused by their length before they begin, and while they come; written block by block."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import unquote

from starlette.requests import Request

from shoal.faces.app.opening import upload_place
from shoal.faces.app.showing import house_of, too_large
from shoal.ground.errors import InputError

SPARE = 256 << 20
"""Bytes that stay free on the disk."""


async def taken_table(request: Request) -> tuple[Path, str]:
    """Where a table that is sent was written to, and what it is called."""
    house = house_of(request)
    name = unquote(request.headers.get("x-file-name", "table.csv"))[:200]
    place = upload_place(house, name)
    await taken_in(request, place, house.desk.most_upload)
    return place, Path(name.replace("\\", "/")).name


async def taken_in(request: Request, place: Path, most: int) -> None:
    """Write what is sent to a file of this user alone."""
    room = shutil.disk_usage(place.parent).free - SPARE
    limit = f"{most / 2**20:,.0f} MB"
    length = request.headers.get("content-length", "")
    told = int(length) if length.isdecimal() else 0
    if told > most:
        raise too_large(limit)
    if told > room:
        raise _no_room()
    written = 0
    try:
        with place.open("xb") as file:
            async for block in request.stream():
                written += len(block)
                if written > most:
                    raise too_large(limit)
                if written > room:
                    raise _no_room()
                file.write(block)
        if told and written < told:
            raise _broken_off()
    except OSError:  # somebody else was quicker to fill the disk
        place.unlink(missing_ok=True)
        raise _no_room() from None
    except BaseException:
        place.unlink(missing_ok=True)
        raise


def _no_room() -> InputError:
    return InputError(
        "There is not enough room on the disk.",
        where="upload",
        allowed="less than what is free",
        received="more",
        todo="free some space, or start the app with the file: shoal app TABLE",
    )


def _broken_off() -> InputError:
    return InputError(
        "The upload broke off.", where="upload", allowed="the whole file", received="a part of it", todo="send it again"
    )
