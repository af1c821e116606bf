# SPDX-License-Identifier: Apache-2.0
"""A released table in a database, beside its release folder: in one transaction, judged before it is committed.

What was written is read back inside the transaction and judged like the file of a folder. Whatever goes wrong, be it a
kill, a broken connection or a verdict, the transaction is undone and the database is as before.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from shoal.ground.errors import PlanError, RefusedReleaseError
from shoal.tables.databases import Place, check_target, is_url, place_of, write_database
from shoal.tables.reading import Reading
from shoal.tables.sql import RELEASED, parts_of
from shoal.tables.table import Table

if TYPE_CHECKING:
    from shoal.releases.release import Release


def check_place(to: str | Path, name: str | None, *, overwrite: bool) -> Place:
    """Refuse a database that could not be written, before any long work."""
    place = place_of(to)
    check_target(place, [name or RELEASED], overwrite=overwrite)
    return place


def refuse_source(place: Place, name: str | None, sources: tuple[str | Path, ...], reading: Reading) -> None:
    """Refuse to replace the very table that is read."""
    for source in sources:
        address = place_of(source).address if is_url(source) else str(source)
        wanted = name or RELEASED
        if address == place.address and parts_of(reading.table or wanted) == parts_of(wanted):
            raise PlanError(
                "The released table could replace the original.",
                where="--to and --to-table",
                allowed="another table, or another database",
                received=f"table {wanted!r} as source and as target",
                todo="choose another name with --to-table",
            )


def publish(release: Release, to: str | Path, name: str | None = None, *, overwrite: bool = False) -> list[str]:
    """Write the tables of a release to a database, all or none; the names that they got."""
    published = release.published
    first = name or RELEASED
    names = [first] if len(published) == 1 else [f"{first}_{number}" for number in range(1, len(published) + 1)]
    tables = dict(zip(names, published, strict=True))
    write_database(place_of(to), tables, overwrite=overwrite, approve=lambda read: _approve(release, read))
    return names


def _approve(release: Release, read: list[Table]) -> None:
    """Judge what can be read back, the way an outsider will."""
    whole = all(
        table.names == published.names and len(table) == len(published)
        for table, published in zip(read, release.published, strict=True)
    )
    if whole and release.judge_again(read, release.plan).holds:
        return
    raise RefusedReleaseError(
        "The table as read back from the database failed the independent check, so it was not kept.",
        where="the table as read back from the database",
        allowed="the released table, holding every promise of the plan",
        received="a table that breaks a promise" if whole else "other columns or rows",
        todo="please report this as a bug of shoal, with the plan and the versions that `shoal doctor` prints",
    )
