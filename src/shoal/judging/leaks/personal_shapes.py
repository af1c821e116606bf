# SPDX-License-Identifier: Apache-2.0
"""Cells that look like e-mail addresses, telephone numbers, account numbers or other things that point to one person.

An e-mail address is told wherever it stands, in free text too, for one is enough. Shapes that other cells may have by
accident are told only if most cells of a column have them: telephone numbers, UUIDs, IP addresses, bank accounts (IBAN,
with its check digits), payment cards (likewise), social security numbers, digests (a hashed name is still a
pseudonym: whoever has a list of names can hash them too), first name and surname where they hardly repeat, and whatever
else looks like a key: random tokens, numbers with a check digit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from shoal.ground import personal_shapes as general
from shoal.judging.labels.lines import span_of
from shoal.judging.leak_search import WARNING, Leak, LeakScene, TextCells
from shoal.judging.leaks._keys import keys_in

MOST = 0.5
"""Share of a column's cells from which on a shape is no accident."""
HARDLY_REPEATS = 0.5
FIRST_LOOK = 1000
"""Different cells that are looked at first; most of them must have a shape, or none is looked for."""
ADVICE = "leave the column out or cut the cells; name it with --identifier"


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns with cells that point to one person."""
    for name in scene.names:
        kind = scene.released.natural_kind(name)
        if kind == "date":
            continue
        cells = scene.cells(name)
        mails = _rows(cells, _mail) if kind != "numeric" else 0
        if mails:
            said = f"column {name!r} holds e-mail addresses in {mails} of {len(cells.codes)} rows"
            yield Leak("personal_shapes", WARNING, said, ADVICE, (name,))
            continue
        said = _shape(cells, kind == "numeric")
        if said:
            yield Leak("personal_shapes", WARNING, f"column {name!r} holds what looks like {said}", ADVICE, (name,))


def _shape(cells: TextCells, numeric: bool) -> str:
    """The shape of most cells of a column, and in how many rows; empty if they have none."""
    for what, fits in SHAPES.items() if not numeric else [(general.CARDS, general.is_card)]:
        if 2 * sum(map(fits, cells.texts[:FIRST_LOOK])) < min(len(cells.texts), FIRST_LOOK):
            continue
        rows = _rows(cells, fits)
        if rows and rows >= MOST * cells.present and (what not in general.REPEATING or _hardly_repeats(cells)):
            return f"{what} in {rows} of {len(cells.codes)} rows"
    every = -(-len(cells.texts) // FIRST_LOOK) or 1
    key = keys_in(cells.texts[::every], cells.present // every)
    return f"{key} in {cells.present} of {len(cells.codes)} rows" if key else ""


def _mail(text: str) -> bool:
    return "@" in text and general.EMAIL.search(text) is not None


def _rows(cells: TextCells, fits: Callable[[str], bool]) -> int:
    return int(sum(count for text, count in zip(cells.texts, cells.counts) if fits(text)))


def _hardly_repeats(cells: TextCells) -> bool:
    return len(cells.texts) >= max(HARDLY_REPEATS * cells.present, 5)


SHAPES = general.SHAPES | {general.PHONES: lambda text: general.is_phone(text) and span_of(text) is None}
"""A released range such as (0, 1000) is no telephone number."""
