# SPDX-License-Identifier: Apache-2.0
"""Tables of the HTML report: plain texts in, escaped HTML out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def text_table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    """A table of plain texts; the first cell of each row is its heading, ``numbers`` are set to the right."""
    body = []
    for first, *others in rows:
        cells = "".join(f"<td{_side(place, numbers)}>{escape(cell)}</td>" for place, cell in enumerate(others, 1))
        body.append(f'<tr><th scope="row">{escape(first)}</th>{cells}</tr>')
    return framed(caption, heads, "".join(body), numbers)


def framed(caption: str, heads: Sequence[str], body: str, numbers: Sequence[int] = ()) -> str:
    """A table around rows that are HTML already."""
    named = f"<caption>{escape(caption)}</caption>" if caption else ""
    top = "".join(f'<th scope="col"{_side(place, numbers)}>{escape(head)}</th>' for place, head in enumerate(heads))
    head = f"<thead><tr>{top}</tr></thead>" if heads else ""
    region = f' role="region" aria-label="{escape(caption)}" tabindex="0"' if caption else ""
    prose = ' class="stack"' if len(heads) > 2 and len(heads) - len(numbers) > 1 else ""
    return f'<div class="wide"{region}><table{prose}>{named}{head}<tbody>{body}</tbody></table></div>'


def _side(place: int, numbers: Sequence[int]) -> str:
    return ' class="n"' if place in numbers else ""
