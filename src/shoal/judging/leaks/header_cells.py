# SPDX-License-Identifier: Apache-2.0
"""Names that carry cells: values of the original, or texts that look like data about somebody.

A name is published like a cell, but no model judges it. Beside the original a name that the original does not have is
compared with its cells; without it, e-mail addresses, dates, long numbers, lines and whole sentences as names are told.
Labels of columns, which statistical packages carry, are sentences, so of them only e-mail addresses and whole cells are
told, and identifiers within them. Names of sheets and tables in a file are looked at like those of columns. Neither
names nor labels are quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from shoal.judging.containers.extras import NAMED, extras_in
from shoal.judging.leak_search import BREAKS, WARNING, Leak, LeakScene

SHORTEST = 3
"""Letters from which on a value inside a longer name is no accident."""
LONGEST = 100
LOOKS_LIKE_DATA = re.compile(
    r".*[^\s@]+@[^\s@]+\.\w+.*|\d{4}-\d{2}-\d{2}.*|\d{1,2}[./]\d{1,2}[./]\d{2,4}|[+-]?\d+[.,]\d+"
    r"|(?:.*\W)?\d{5,}(?:\W.*)?|\[.*\d.*\]|\+?\d[\d /-]{6,}"
)
EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.\w+")
BORDER = re.compile(r"[\s=:;,|/_]+")
ADVICE = "give the columns the names that they had, or names that describe them"


def find(scene: LeakScene) -> Iterator[Leak]:
    """Names that equal cells, or look like some."""
    known = set(scene.original.names) if scene.original is not None else set()
    known |= set(scene.plan.columns) | set(scene.plan.published_quasi_identifiers)
    strange = [(place, name) for place, name in enumerate(scene.released.names, 1) if name not in known]
    cells = _cells(scene) if strange else set()
    for place, name in strange:
        if not cells.isdisjoint(_pieces(name)):
            said = f"the name of column {place} holds a cell of the original"
            yield Leak("header_cells", BREAKS if name.strip() in cells else WARNING, said, ADVICE)
        elif _looks_like_data(name):
            yield Leak("header_cells", WARNING, f"the name of column {place} looks like data, not like a name", ADVICE)
    for path, extra in extras_in(scene, NAMED):
        cells = cells or _cells(scene)
        if extra.name.strip() in cells or _looks_like_data(extra.name):
            said = f"file {path.name!r} calls {extra.said} by what is a cell of the original, or looks like data"
            yield Leak("header_cells", WARNING, said, "give it a name that says nothing")
    labels = scene.released.labels.columns
    cells = cells or (_cells(scene) if labels else set())
    hidden = _cells(scene, scene.hidden) if labels else set()
    for name, label in labels.items():
        if label.strip() in cells or EMAIL.search(label) or not hidden.isdisjoint(_pieces(label)):
            said = f"the label of column {name!r} holds a cell of the original or an e-mail address"
            yield Leak("header_cells", WARNING, said, "give the column another label", (name,))


def _looks_like_data(name: str) -> bool:
    return bool(LOOKS_LIKE_DATA.fullmatch(name.strip()) or "\n" in name.strip() or len(name) > LONGEST)


def _pieces(name: str) -> set[str]:
    """A name and all that stands between two of its borders.

    >>> sorted(_pieces("note=Anna Bell"))
    ['Anna', 'Anna Bell', 'Bell', 'note', 'note=Anna', 'note=Anna Bell']
    """
    borders = [found.span() for found in BORDER.finditer(name[:LONGEST])]
    starts, ends = [0, *(end for _, end in borders)], [*(start for start, _ in borders), len(name)]
    pieces = {name[start:end] for start in starts for end in ends if start < end}
    return {piece for piece in pieces if len(piece) >= SHORTEST}


def _cells(scene: LeakScene, names: Iterable[str] | None = None) -> set[str]:
    """Cells of the original, where it is given, or of some of its columns."""
    if scene.original is None:
        return set()
    readable = [name for name in scene.original.names if scene.has_texts(name) and (names is None or name in names)]
    return {text for name in readable for text in scene.original_cells(name).texts if len(text) >= SHORTEST}
