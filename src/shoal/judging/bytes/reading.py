# SPDX-License-Identifier: Apache-2.0
"""What is to be judged, as the judge sees it: every cell by its bytes, whoever wrote it.

A file is read as everybody's tools read it, and a second time by the judge's own code, which tells how each cell is
written. Where the two do not fit together, or where a row is marked by something that belongs to no cell, the file is
refused.
"""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module, util
from pathlib import Path
from typing import Any

import polars as pl

from shoal.judging.bytes.spellings import NOTHING_HIDDEN, Written, refuse_unjudgeable, refused, told_apart
from shoal.tables.databases import masked, place_of
from shoal.tables.reading import Reading
from shoal.tables.sources import Paths, Source, read_released, read_table
from shoal.tables.table import Table


def judged_file(paths: Paths, reading: Reading, shown: Collection[str], format: str | None = None) -> Table:
    """A file, several files, a folder of them or a table of a database; ``shown`` are the quasi-identifiers."""
    return _judged(read_table(paths, reading, format), shown)


def _judged(source: Source, shown: Collection[str]) -> Table:
    where = ", ".join(_where(place) for place in source.places[:3])
    refuse_unjudgeable(source.table, where)
    parts = [_written(source, place) for place in source.places]
    if any(set(part) != set(parts[0]) for part in parts):
        allowed, received = "files that store their columns alike", f"{len(parts)} files of which some do not"
        raise refused("The files store the same columns differently.", where, allowed, received)
    written = {name: pl.concat([part[name] for part in parts]) for name in parts[0]}
    return told_apart(source.table, written, shown, where)


def judged_data(data: Any, reading: Reading, shown: Collection[str]) -> Table:
    """Whatever a user may call a table: a path or several, a dataframe, or a table that was read before."""
    if isinstance(data, Table):
        refuse_unjudgeable(data, "the table")
        return data
    if isinstance(data, str | Path | list | tuple):
        return _judged(read_released(data, reading), shown)
    from shoal.judging.bytes.frames import FRAME, written_in
    from shoal.tables.frames import take_in

    taken = take_in(data)
    taken.check_index()
    refuse_unjudgeable(taken.table, FRAME)
    return told_apart(taken.table, written_in(taken.native), shown, FRAME)


def _where(place: Path | str) -> str:
    return f"file {str(place)!r}" if isinstance(place, Path) else f"database {masked(place)!r}"


def _written(source: Source, place: Path | str) -> Written:
    """How the cells of one file are written; a format that somebody added is taken at its reader's word."""
    name = f"{__package__}.{source.format}"
    if util.find_spec(name) is None:
        return NOTHING_HIDDEN
    local = isinstance(place, Path) or not place_of(place).module.EXTENSIONS
    path = place if local else Path(place_of(place).address)
    written: Written = import_module(name).written_cells(path, source.table.names, source.reading)
    return written
