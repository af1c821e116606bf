# SPDX-License-Identifier: Apache-2.0
"""Small tables of HTML for notebooks: no colours of their own, so that light and dark are the notebook's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

LEFT = ' style="text-align:left"'


def card(title: str, *tables: tuple[Sequence[str], Sequence[Sequence[str]]]) -> str:
    """A title and below it tables, each of heads (which may be none) and rows; the first cell of a row heads it.

    >>> card("shoal", ((), [("k",)]))
    '<div><strong>shoal</strong><table><tbody><tr><th style="text-align:left">k</th></tr></tbody></table></div>'
    """
    made = "".join(_table(heads, rows) for heads, rows in tables if rows)
    return f"<div><strong>{escape(title)}</strong>{made}</div>"


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


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col"{LEFT}>{escape(one)}</th>' for one in heads)
    body = "".join(f"<tr>{_row(row)}</tr>" for row in rows)
    return f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>"


def _row(cells: Sequence[str]) -> str:
    first, *others = (escape(one) for one in cells)
    return f"<th{LEFT}>{first}</th>" + "".join(f"<td{LEFT}>{one}</td>" for one in others)
