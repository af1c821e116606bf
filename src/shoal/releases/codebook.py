# SPDX-License-Identifier: Apache-2.0
"""The codebook for whoever receives a release: what each column is, which labels it has, how to work with them.

Everything in it follows from the released tables and from what their plan says of the columns that are published, so
it tells nothing that the tables do not. ``codebook.csv`` lists the labels for programs, ``codebook.md`` explains them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shoal.ground.csv_text import csv_text
from shoal.ground.errors import ShoalError
from shoal.ground.wording import counted, visible
from shoal.judging.labels.ends import Ends, ends_of
from shoal.judging.labels.reach import CENTRES
from shoal.plan.plan import Plan
from shoal.plan.roles import COMMON, DATE, NUMERIC, QUASI_IDENTIFIER, RANGE_KINDS, TEXT_PREFIX
from shoal.plan.values import told_of
from shoal.releases.kinds.kind import Kind
from shoal.releases.numeric import published_ranges
from shoal.tables.profile import distinct_values, tally
from shoal.tables.stowaways import without_prefixes
from shoal.tables.table import Table

CODEBOOK_CSV, CODEBOOK_MD = "codebook.csv", "codebook.md"
CODEBOOK = (CODEBOOK_MD, CODEBOOK_CSV)
MOST_LABELS = 1000
"""Different labels up to which a quasi-identifier is listed label by label."""
MOST_VALUES = 50
"""The same for a column that is published as it is: more are no list of categories."""
SHOWN = 12
"""Labels of a column that the page shows."""
HEAD = (
    "table",
    "column",
    "role",
    "kind",
    "published_as",
    "different",
    "label",
    "rows",
    "low",
    "high",
    "middle",
    "weight",
)

_RANGES = (
    "A range such as `[35, 39]` says that the value lies between its ends, both included; a single value is exact; `*` "
    "says nothing. "
)
_MIDDLES = (
    "The table of labels in codebook.csv has both ends, the middle and a weight, which is 1 for an exact value and "
    "falls to 0 as the range reaches over the whole column (in Python: `shoal.intervals`). Means and totals of "
    "middles, weighted or not, come out well; spreads and extremes come out too small."
)
HOW = {
    "range": _RANGES + "Ranges of different rows overlap: do not count by label. " + _MIDDLES,
    "band": _RANGES + "No two labels overlap: count by label. " + _MIDDLES,
    "lower bound": "The value of each row lies at or above this number, and at or below the other bound.",
    "upper bound": "The value of each row lies at or below this number, and at or above the other bound.",
    "node": "A label stands for all values that it is the common name of; `*` for any. Coarse and fine labels stand "
    "side by side: to count, bring them to the coarsest that you need.",
    "level": "A label stands for all values that it is the common name of. No two labels overlap: count by label.",
    "prefix": "Stars stand for the signs that are not told: `554**` is any code that begins with 554. To count, cut "
    "all labels to the shortest that you need.",
    "set": "`{a, b}` says that the value is one of these; a single value is exact; `*` says nothing.",
    "centre": "One typical value (RENDERING) for each group of look-alikes, not the value of any person. Totals and "
    "means come out well, spreads too small.",
    "as it was": "Cells are those of the original.",
}
"""How to work with a column, by what it is published as."""


@dataclass(frozen=True)
class LabelEntry:
    """A label of a column: in how many rows, and, of a range, what it says as numbers or days."""

    text: str
    rows: int
    low: str = ""
    high: str = ""
    middle: str = ""
    weight: str = ""


@dataclass(frozen=True)
class ColumnEntry:
    """A column of a released table."""

    table: str
    column: str
    role: str
    kind: str
    published_as: str
    rendering: str
    different: int
    missing: int
    labels: tuple[LabelEntry, ...]
    """None where they are too many to be listed."""

    @property
    def how(self) -> str:
        """How to work with it."""
        return HOW[self.published_as].replace("RENDERING", self.rendering)


def codebook_files(tables: Mapping[str, Table], plan: Plan, kind: Kind) -> dict[str, str]:
    """The two files, by their names, for released tables by the names of theirs."""
    entries = codebook_of(tables, plan)
    rows = len(next(iter(tables.values())))
    return {CODEBOOK_MD: codebook_md(entries, plan, kind, rows), CODEBOOK_CSV: codebook_csv(entries)}


def codebook_of(tables: Mapping[str, Table], plan: Plan) -> list[ColumnEntry]:
    """What there is to say of every column of the released tables, by the names of their files."""
    sources = {shown: name for name in plan.quasi_identifiers for shown in plan.published(name)}
    return [
        _entry(file, table.select([shown]), shown, sources.get(shown), plan)
        for file, table in tables.items()
        for shown in table.names
    ]


def _entry(file: str, table: Table, shown: str, source: str | None, plan: Plan) -> ColumnEntry:
    """One column; ``source`` is the quasi-identifier that it shows, if it shows one."""
    given = plan.columns[source or shown].kind if (source or shown) in plan.columns else None
    kind = given or table.natural_kind(shown)
    cells = tally(table, shown, MOST_LABELS if source else MOST_VALUES)
    ranged = source is not None and source in published_ranges(plan) and plan.published(source) == [source]
    return ColumnEntry(
        file,
        shown,
        QUASI_IDENTIFIER if source else plan.role_of(shown),
        kind,
        _published_as(source, shown, given, plan) if source else "as it was",
        plan.rendering(source) if source else "",
        distinct_values(table, shown),
        int(table.missing(shown).sum()),
        tuple(_ranges(source, cells, plan) if source and ranged else _plain(shown, cells, kind, plan)),
    )


def _published_as(name: str, shown: str, kind: str | None, plan: Plan) -> str:
    rendering, common = plan.rendering(name), plan.columns[name].levels == COMMON
    if rendering == "bounds":
        return "lower bound" if shown == plan.published(name)[0] else "upper bound"
    if rendering in CENTRES or rendering == "set":
        return "centre" if rendering in CENTRES else "set"
    if kind in RANGE_KINDS:
        return "band" if common else "range"
    return "level" if common else "prefix" if kind == TEXT_PREFIX else "node"


def _ranges(name: str, cells: Sequence[tuple[str, int]], plan: Plan) -> Iterator[LabelEntry]:
    """The labels of ranges with what they say, from the lowest on."""
    ends = _ends(name, cells, plan)
    if ends is None:
        yield from (LabelEntry(text, rows) for text, rows in cells)
        return
    figures = {what: _written(column) for what, column in ends.figures().items()}
    for place in sorted(range(len(cells)), key=lambda at: (ends.low[at], ends.high[at], cells[at][0])):
        low, high, middle, weight = (figures[what][place] for what in ("lo", "hi", "mid", "weight"))
        yield LabelEntry(*cells[place], low, high, middle, weight)


def _plain(name: str, cells: Sequence[tuple[str, int]], kind: str, plan: Plan) -> Iterator[LabelEntry]:
    """Labels that need no explanation: numbers and dates from the lowest on, words as they are sorted."""
    ends = _ends(name, cells, plan) if kind in (NUMERIC, DATE) and name in plan.columns else None
    order = range(len(cells)) if ends is None else sorted(range(len(cells)), key=lambda at: ends.low[at])
    yield from (LabelEntry(*cells[place]) for place in order)


def _ends(name: str, cells: Sequence[tuple[str, int]], plan: Plan) -> Ends | None:
    """What the labels say as numbers or days; None if they are written so that nobody can compute with them."""
    labels = without_prefixes(Table.from_columns({name: [text for text, _ in cells]}))
    try:
        return ends_of(labels, name, told_of(plan.columns[name], plan), f"column {name!r}")
    except ShoalError:
        return None


def _written(column: Sequence[object]) -> list[str]:
    return ["" if cell is None else f"{cell:.12g}" if isinstance(cell, float) else str(cell) for cell in column]


# -- the file for programs -----------------------------------------------------------------------------------


def codebook_csv(entries: Sequence[ColumnEntry]) -> str:
    """One line per label; one for a column whose labels are too many, and one for missing cells."""
    return csv_text([HEAD, *(line for entry in entries for line in _lines(entry))])


def _lines(entry: ColumnEntry) -> Iterator[list[object]]:
    first = [entry.table, entry.column, entry.role, entry.kind]
    if not entry.labels:
        yield [*first, entry.published_as, entry.different, *[""] * 6]
    for one in entry.labels:
        told = (one.text, one.rows, one.low, one.high, one.middle, one.weight)
        yield [*first, entry.published_as, entry.different, *told]
    if entry.missing:
        yield [*first, "missing", entry.different, "", entry.missing, *[""] * 4]


# -- the page for people -------------------------------------------------------------------------------------


def codebook_md(entries: Sequence[ColumnEntry], plan: Plan, kind: Kind, rows: int) -> str:
    """The codebook as a page of Markdown."""
    files = list(dict.fromkeys(entry.table for entry in entries))
    lines = [
        f"# Codebook of {_safe(plan.title) if plan.title else ' and '.join(files)}",
        "",
        "For whoever receives the table; publish it with the table. All of it was made from the released table and "
        "from what was done to its columns.",
        "",
        f"{rows:,} rows. {_safe(kind.statement(plan))}",
        *(["", f"Questions: {_safe(plan.contact)}"] if plan.contact else []),
    ]
    for file in files:
        of_file = [entry for entry in entries if entry.table == file]
        lines += ["", f"## {file}", "", *_overview(of_file)]
        lines += [line for entry in of_file for line in _section(entry)]
    return "\n".join(lines) + "\n"


def _overview(entries: Sequence[ColumnEntry]) -> list[str]:
    rows = [
        f"| {_safe(one.column)} | {one.role} | {one.kind} | {one.published_as} | {one.different:,} | {one.missing:,} |"
        for one in entries
    ]
    return ["| column | role | kind | published as | different | missing |", "|---|---|---|---|---|---|", *rows]


def _section(entry: ColumnEntry) -> list[str]:
    lines = ["", f"### {_safe(entry.column)}", "", entry.how]
    if entry.missing:
        lines += ["", f"{counted(entry.missing, 'cell is', 'cells are')} missing: nothing was known there."]
    if not entry.labels:
        return [*lines, "", f"{entry.different:,} different cells, which are not listed."]
    ends = any(one.low for one in entry.labels)
    lines += [
        "",
        "| label | rows | low | high |" if ends else "| label | rows |",
        "|---|---|---|---|" if ends else "|---|---|",
    ]
    for one in entry.labels[:SHOWN]:
        figures = f" {one.low} | {one.high} |" if ends else ""
        lines.append(f"| {_safe(visible(one.text))} | {one.rows:,} |{figures}")
    if len(entry.labels) > SHOWN:
        lines += ["", f"The other {len(entry.labels) - SHOWN:,} labels are in {CODEBOOK_CSV}."]
    return lines


def _safe(text: str | None) -> str:
    """Text that stays text in Markdown."""
    shown = " ".join((text or "").split())
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|~" else sign for sign in shown)
