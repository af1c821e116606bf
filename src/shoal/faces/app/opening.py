# SPDX-License-Identifier: Apache-2.0
"""How a table gets onto the desk: by its path, by an upload, as the built-in one, or as what was worked on last."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from shoal.faces.app.facts import Exposed, Places, TableFacts
from shoal.faces.app.showing import House
from shoal.faces.app.workers import Job
from shoal.tables.reading import Reading

EXAMPLE = "Made-up patients"


@dataclass(frozen=True)
class Wanted:
    """What the app is started with."""

    places: tuple[str | Path, ...] = ()
    example: bool = False


def begin(house: House, wanted: Wanted) -> None:
    """The first jobs: what can be chosen, and the table that was named."""
    house.workers.submit(Job("declare", "Getting ready", {}, house.desk.declared.update))
    if wanted.example:
        open_example(house)
    elif wanted.places:
        places = tuple(os.path.abspath(one) if isinstance(one, Path) else one for one in wanted.places)
        open_places(house, places if len(places) > 1 else places[0])


def open_places(
    house: House,
    places: Places,
    name: str = "",
    *,
    reading: Reading | None = None,
    uploaded: bool = False,
) -> Job:
    """Read a table and look at its columns."""
    desk = house.desk
    shown = name or _called(places)

    def opened(facts: TableFacts) -> None:
        desk.open(facts, shown, uploaded=uploaded)
        count_exposed(house)

    given = {"places": places, "reading": reading or Reading()}
    return house.workers.submit(Job("open_table", f"Reading {shown}", given, opened, to="columns", back="file"))


def open_example(house: House) -> Job:
    """The built-in table, written into the private folder."""
    path = house.desk.folder / "example" / "patients.csv"

    def written(_: object) -> None:
        open_places(house, str(path), EXAMPLE, uploaded=True)

    return house.workers.submit(
        Job("example", "Inventing patients", {"path": path}, written, to="columns", back="file")
    )


def upload_place(house: House, name: str) -> Path:
    """Where an upload goes: a random name of ours, with an ending that tells the format."""
    endings = "".join(Path(Path(name.replace("\\", "/")).name).suffixes[-2:]).lower()
    plain = "".join(mark for mark in endings if mark.isascii() and (mark.isalnum() or mark == "."))[:20]
    folder = house.desk.folder / "uploads"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / f"{secrets.token_hex(8)}{plain}"


def read_anew(house: House, reading: Reading) -> Job:
    """The same table, read in another way."""
    table = house.desk.table
    assert table is not None
    return open_places(house, table.places, house.desk.name, reading=reading, uploaded=house.desk.uploaded)


def count_exposed(house: House) -> None:
    """Have the rows counted that are alone with the columns as they are now, unless that is known."""
    desk = house.desk
    table = desk.table
    if table is None or desk.quasi_identifiers in desk.exposed:
        return

    def counted(found: Exposed) -> None:
        if desk.table is table:
            desk.exposed[found.names] = found

    given = {"places": table.places, "reading": table.reading, "names": desk.quasi_identifiers}
    house.workers.submit(Job("expose", "Counting look-alikes", given, counted))


def _called(places: Places) -> str:
    from shoal.tables.databases import is_url, masked

    first = places[0] if isinstance(places, tuple) else places
    name = masked(str(first)) if is_url(first) else Path(first).name
    return f"{name} and {len(places) - 1} more" if isinstance(places, tuple) and len(places) > 1 else name
