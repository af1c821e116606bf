# SPDX-License-Identifier: Apache-2.0
"""Opens a table: reads it, says what each column seems to be and why, and shows a few rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from shoal.faces.app.archives import refuse_swollen
from shoal.faces.app.bench import Bench
from shoal.faces.app.facts import ColumnFacts, Places, TableFacts
from shoal.ground.errors import ShoalError, TableError
from shoal.ground.progress import ProgressCallback, Step
from shoal.releases.manifest import fingerprints
from shoal.suggesting.suggest import suggest
from shoal.suggesting.suggestion import Suggestion
from shoal.tables.databases import is_url
from shoal.tables.profile import marks_among_numbers
from shoal.tables.reading import Reading
from shoal.tables.sources import Source
from shoal.tables.table import Table

SHOWN = 20
"""Rows that the first look shows."""
SEARCH_SECONDS = 15.0
"""Of a search, unless somebody wants another budget."""
LONGEST = 200
"""Letters of a cell that are shown."""


def run(bench: Bench, progress: ProgressCallback, *, places: Places, reading: Reading) -> TableFacts:
    """Read and look."""
    source, noted = _read(bench, progress, places, reading)
    if not source.reading.na and (marks := marks_among_numbers(source.table)):
        source = bench.source(places, replace(source.reading, na=tuple(marks)), progress)
    progress(Step("look"))
    found = suggest(source.table, reading=source.reading)
    bench.suggestion = found
    progress(Step("forecast"))
    plan = replace(found.plan, steps=None, time_budget=SEARCH_SECONDS, formulas="prefix")
    names = source.table.names
    first = source.table.take(np.arange(min(len(source.table), SHOWN)))
    return TableFacts(
        places,
        len(source.table),
        source.format,
        source.reading,
        " ".join(str(one["sha256"]) for one in fingerprints(source.places)),
        tuple(_column(name, found, first) for name in names),
        plan,
        found.alone,
        (*noted, *found.notes),
        _forecast(found),
    )


def _read(bench: Bench, progress: ProgressCallback, places: Places, reading: Reading) -> tuple[Source, tuple[str, ...]]:
    """The table; text that is not UTF-8 is read in the encoding that it seems to have, and that is said."""
    for place in places if isinstance(places, tuple) else (places,):
        if not is_url(place) and Path(place).is_file():
            refuse_swollen(Path(place))
    try:
        return bench.source(places, reading, progress), ()
    except TableError as problem:
        if not problem.encoding or reading.encoding is not None:
            raise
        source = bench.source(places, replace(reading, encoding=problem.encoding), progress)
        return source, (f"read in the encoding {problem.encoding}, which it seems to have: check words with accents",)


def _column(name: str, found: Suggestion, first: Table) -> ColumnFacts:
    one = found.columns[name]
    return ColumnFacts(
        name,
        one.planned,
        one.kind,
        one.distinct,
        one.missing,
        one.sure,
        one.why,
        one.adds,
        one.built,
        shown_cells(first, name),
    )


def shown_cells(table: Table, name: str) -> tuple[str | None, ...]:
    """The cells of a column as text; what cannot be shown, and what is very long, is cut."""
    try:
        texts = table.texts(name).to_list()
    except ShoalError:
        return ("…",) * len(table)
    return tuple(text if text is None or len(text) <= LONGEST else f"{text[:LONGEST]}…" for text in texts)


def _forecast(found: Suggestion) -> str:
    """What the plan will cost, in words; nothing where that cannot be told."""
    from shoal.studies.forecasting import forecast

    try:
        expected = forecast(found)
    except ShoalError:
        return ""
    return str(expected) if expected.classes else ""
