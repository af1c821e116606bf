# SPDX-License-Identifier: Apache-2.0
"""Pieces of the HTML report: plain texts in, escaped HTML out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape


def text_table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    """A table of plain texts; the first cell of each row is its heading, ``numbers`` are set to the right."""
    stacked = heads if _stacks(heads, numbers) else ()
    body = []
    for first, *others in rows:
        cells = "".join(
            f"<td{_side(place, numbers)}{_named(place, stacked)}>{escape(cell)}</td>"
            for place, cell in enumerate(others, 1)
        )
        body.append(f'<tr><th scope="row">{escape(first)}</th>{cells}</tr>')
    return framed(caption, heads, "".join(body), numbers)


def framed(caption: str, heads: Sequence[str], body: str, numbers: Sequence[int] = ()) -> str:
    """A table around rows that are HTML already."""
    named = f"<caption>{escape(caption)}</caption>" if caption else ""
    top = "".join(f'<th scope="col"{_side(place, numbers)}>{escape(head)}</th>' for place, head in enumerate(heads))
    head = f"<thead><tr>{top}</tr></thead>" if heads else ""
    region = f' role="region" aria-label="{escape(caption)}" tabindex="0"' if caption else ""
    prose = ' class="stack"' if _stacks(heads, numbers) else ""
    return f'<div class="wide"{region}><table{prose}>{named}{head}<tbody>{body}</tbody></table></div>'


def figure(title: str, drawing: str, note: str = "", key: str = "") -> str:
    """A chart under its finding, and a note about how to read it."""
    said = f'<p class="note">{escape(note)}</p>' if note else ""
    return f"<figure><figcaption>{escape(title)}</figcaption>{key}{drawing}{said}</figure>"


def folded(summary: str, content: str, *, printed: bool = False) -> str:
    """Content that is opened on demand, and stands on paper only if asked for."""
    style = ' class="printed"' if printed else ""
    return f"<details{style}><summary>{escape(summary)}</summary>{content}</details>"


def key(before: str, after: str, round_marks: bool = False) -> str:
    """What outlines and fillings stand for; either may be empty."""
    shape = " round" if round_marks else ""
    marks = "".join(
        f'<span class="{style}{shape}">{escape(word)}</span>'
        for style, word in (("before", before), ("after", after))
        if word
    )
    return f'<p class="key">{marks}</p>'


def paragraphs(*texts: str) -> str:
    """Plain texts, those that say something."""
    return "".join(f"<p>{escape(text)}</p>" for text in texts if text)


def bullets(texts: Iterable[str]) -> str:
    """A list of plain texts."""
    return f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>"


def sentence(text: str) -> str:
    """Words as a sentence: a capital first, a stop last; letters that stand for numbers stay small.

    >>> sentence("a row"), sentence("k = 10 holds.")
    ('A row.', 'k = 10 holds.')
    """
    first = text[:1] if re.match(r"[klt][ -]", text) else text[:1].upper()
    return f"{first}{text[1:].rstrip('.')}." if text else ""


def _stacks(heads: Sequence[str], numbers: Sequence[int]) -> bool:
    """Whether a table holds so much prose that its cells stand below each other where the page is narrow."""
    return len(heads) > 2 and len(heads) - len(numbers) > 1


def _side(place: int, numbers: Sequence[int]) -> str:
    return ' class="n"' if place in numbers else ""


def _named(place: int, heads: Sequence[str]) -> str:
    return f' data-head="{escape(heads[place])}"' if heads else ""
