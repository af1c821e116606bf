# SPDX-License-Identifier: Apache-2.0
"""What is known of a table's risk, in sentences and rows of short texts for terminals, pages and notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shoal.ground.wording import number, percent, phrase, shortened, some

if TYPE_CHECKING:
    from shoal.studies.exposing.risk import ColumnSet, RiskReport

BAR = 20
"""Letters of a full bar."""
NAME = 24
"""Letters of a column's name in a table."""
FEW_ROWS = 5
"""Most exposed rows in a terminal."""
COLUMN_HEADS = ("column", "values", "alone", "adds", "without", "special")
ROW_HEADS = ("row", "look-alikes", "score", "singled out by")


def told(risk: RiskReport) -> list[str]:
    """The whole, for a terminal."""
    which = "seem to be known to others" if risk.guessed else "were named"
    lines = [f"{'Columns':<13} {len(risk.columns)} {which}: {some(list(risk.columns))}"]
    lines.append(f"{'Alone':<13} {alone_sentence(risk)}")
    lines += [
        f"  fewer than {k:>3} alike  {'#' * round(BAR * rows / max(risk.rows, 1)):<{BAR}}  {_share(risk, rows):>8}"
        for k, rows in risk.below.items()
    ]
    lines.append(f"{'Risk':<13} {expected_sentence(risk)}")
    lines += [f"{'Households':<13} {said}" for said in household_sentences(risk)]
    lines.append("")
    sets = smallest_sets(risk.sets)
    lines += [f"{'Singled out' if not place else '':<13} {_set_words(risk, one)}" for place, one in enumerate(sets)]
    lines.append(f"{'Special':<13} {special_sentence(risk)}")
    lines += ["", *_aligned([COLUMN_HEADS, *column_rows(risk)])]
    if risk.most_exposed:
        rows = [(f"row {one[0]}", *one[1:]) for one in exposed_rows(risk)[:FEW_ROWS]]
        lines += ["", *_aligned([("most exposed", *ROW_HEADS[1:]), *rows])]
    return lines


def alone_sentence(risk: RiskReport) -> str:
    """How many rows are alone."""
    return f"{risk.alone:,} of {risk.rows:,} rows ({_share(risk, risk.alone)}) look like no other in these columns"


def expected_sentence(risk: RiskReport) -> str:
    """How many rows would be named rightly."""
    about = f"about {number(round(risk.expected, 1))} of {risk.rows:,} rows ({_share(risk, risk.expected)})"
    return f"whoever knows these columns of everybody names {about} rightly" + (f"; {risk.note}" if risk.note else "")


def household_sentences(risk: RiskReport) -> list[str]:
    """What members of a household give away of each other; nothing where no households were named."""
    told = risk.households
    if told is None:
        return []
    about = f"about {number(round(told.expected, 1))} of {risk.rows:,} rows ({_share(risk, told.expected)})"
    return [
        f"{told.drawn_in:,} rows have look-alikes, but share one of {told.households:,} households with a row that has "
        f"none; {about} are named, or somebody of their household is"
    ]


def special_sentence(risk: RiskReport) -> str:
    """How many rows few columns suffice for."""
    if not risk.special:
        return f"no row is singled out by up to {risk.largest} columns"
    sizes = ", ".join(f"{rows:,} by {size}" for size, rows in risk.special.items() if size < len(risk.columns))
    searched = "" if risk.largest == len(risk.columns) else f" (sets of up to {risk.largest} were searched)"
    return f"{risk.specials:,} rows need fewer than all {len(risk.columns)} columns{sizes and f': {sizes}'}{searched}"


def smallest_sets(sets: Sequence[ColumnSet]) -> list[ColumnSet]:
    """Of each size the first, which singles out the most rows."""
    return list({len(one.columns): one for one in reversed(sets)}.values())[::-1]


def column_rows(risk: RiskReport) -> list[tuple[str, ...]]:
    """One row of texts for each column, the one that adds most first."""
    ordered = sorted(risk.columns.items(), key=lambda item: -item[1].adds)
    return [
        (shortened(name, NAME), f"{one.values:,}", *map(percent, (one.alone, one.adds, one.without, one.contribution)))
        for name, one in ordered
    ]


def exposed_rows(risk: RiskReport) -> list[tuple[str, ...]]:
    """The most exposed rows as texts."""
    return [
        (f"{one.row:,}", f"{one.look_alikes:,}", number(one.score), phrase(one.columns)) for one in risk.most_exposed
    ]


def _set_words(risk: RiskReport, one: ColumnSet) -> str:
    return f"{_share(risk, one.rows)} of the rows by {phrase(one.columns)}"


def _share(risk: RiskReport, rows: float) -> str:
    return percent(rows / max(risk.rows, 1))


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Numbers to the right; the first and, of a list of names, the last column to the left."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    names = rows[0] == COLUMN_HEADS
    last = len(widths) - (0 if names else 1)
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(row[place].rjust(widths[place]) for place in range(1, last))]
        lines.append("  " + "  ".join([*cells, *row[last:]]).rstrip())
    return lines
