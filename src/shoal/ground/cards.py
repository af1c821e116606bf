# SPDX-License-Identifier: Apache-2.0
"""Small tables of HTML for notebooks: no colours of their own, so that light and dark are the notebook's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shoal.ground.pages import render


def card(title: str, *tables: tuple[Sequence[str], Sequence[Sequence[str]]]) -> str:
    """A title and below it tables, each of heads (which may be none) and rows; the first cell of a row heads it.

    >>> card("shoal", ((), [("k",)]))
    '<div><strong>shoal</strong><table><tbody><tr><th style="text-align:left">k</th></tr></tbody></table></div>'
    """
    return str(render("ground/templates/card.html", title=title, tables=[one for one in tables if one[1]]))


def in_words(value: Any) -> str:
    """A setting in a few words that show no value of a table: of lists and trees only how large they are.

    >>> in_words({"alpha": 0.9, "values": ["a", "b"]})
    'alpha = 0.9, values = 2 in all'
    """
    if hasattr(value, "n_leaves"):
        return f"{value.n_leaves:,} values, {value.levels} levels"
    if isinstance(value, Path):
        return value.name
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {in_words(of)}" for name, of in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"{len(value)} in all"
    return "" if value is None else str(value)
