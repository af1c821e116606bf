# SPDX-License-Identifier: Apache-2.0
"""Text that holds several values in one cell: JSON objects and lists, XML.

Columns of nested types are refused, but the same can be written as text. Whatever stands inside such cells (a name, an
address) is one long text to every other search, and different in nearly every row. Ranges and sets, ``[35, 39]`` and
``{a, b}``, are no such text; a single cell is left alone, most of a column is not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from shoal.ground.wording import counted
from shoal.judging.leak_search import WARNING, Leak, LeakScene

MOST = 0.5
"""Share of the different cells from which on a column counts as nested."""
LONGEST_RANGE = 2
"""Numbers that a range may list."""
XML = re.compile(r"<([A-Za-z_][\w:.-]*)[^<>]*(?:/>|>.*</\1>)", re.DOTALL)


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns published as they are whose text is nested."""
    for name in scene.others:
        cells = scene.cells(name)
        if all(sign.isalnum() for sign in {text[:1] for text in cells.texts}):
            continue  # most columns, of which there may be millions of texts
        nested = [place for place, text in enumerate(cells.texts) if not text[:1].isalnum() and is_nested(text)]
        if nested and len(nested) >= MOST * len(cells.texts):
            rows = counted(int(cells.counts[nested].sum()), "row")
            said = f"column {name!r} holds several values per cell, as JSON or XML, in {rows}: nothing looks inside"
            yield Leak("nested_text", WARNING, said, "unpack it into plain columns, or leave it out", (name,))


def is_nested(text: str) -> bool:
    """Whether a text is an object, a list or an element, and no range or set.

    >>> is_nested('{"name": "x"}'), is_nested("[35, 39]"), is_nested("{a, b}"), is_nested("<p>x</p>")
    (True, False, False, True)
    """
    bare = text.strip()
    if bare.startswith("<"):
        return XML.fullmatch(bare) is not None
    if not bare.startswith(("{", "[")):
        return False
    try:
        value = json.loads(bare)
    except (ValueError, RecursionError):
        return False
    if isinstance(value, dict):
        return True
    return isinstance(value, list) and (
        len(value) > LONGEST_RANGE or any(not isinstance(one, int | float) for one in value)
    )
