# SPDX-License-Identifier: Apache-2.0
"""What an attacker could still learn, measured, in words."""

from __future__ import annotations

import math
from html import escape

from shoal.attacks._protocol import Attempt
from shoal.metrics._protocol import Measurement
from shoal.reports.charts import Change, moved
from shoal.reports.findings import Reported
from shoal.reports.pieces import figure, key, paragraphs, sentence, text_table
from shoal.reports.text import share
from shoal.reports.words import QUESTIONS

HEADING = "What an attacker could still learn"

TRIED = (
    "The checker played these attackers on this release. They hold no table of their own; what one who does could "
    "learn is for shoal attack."
)
MARKS = {True: ("bad", "✘ More than was promised"), False: ("good", "✔ No more than was promised")}
FOUND = ("warn", "Nothing was promised about it")
NOT_TRIED = ("", "Not tried")
UNKNOWN = "No attack was tried on this release."


def section(release: Reported) -> str:
    """A card for each attack, and a chart beside guessing."""
    attempts = release.portrait.attempts if release.portrait else ()
    if not attempts:
        return paragraphs(UNKNOWN) + _gain(release)
    cards = "".join(_card(one) for one in attempts)
    return paragraphs(TRIED) + _chart(attempts) + f'<div class="cards">{cards}</div>' + _gain(release)


def _chart(attempts: tuple[Attempt, ...]) -> str:
    scored = [one for one in attempts if math.isfinite(one.rate) and math.isfinite(one.baseline)]
    if not scored:
        return ""
    rows = [Change(_name(one), one.baseline, one.rate, f"{share(one.baseline)} → {share(one.rate)}") for one in scored]
    title = "How often the attacker is right, beside guessing"
    numbers = "; ".join(f"{row.label}: {row.text}" for row in rows)
    drawn = moved("attacks", title, f"By guessing and with the release: {numbers}.", rows, ("0 %", "50 %", "100 %"))
    return figure(title, drawn, key=key("by guessing", "with this release", round_marks=True))


def _name(one: Attempt) -> str:
    column = one.figures.get("column")
    return f"{one.attack.replace('_', ' ')}, {column}" if column else one.attack.replace("_", " ")


def _card(one: Attempt) -> str:
    style, word = NOT_TRIED if not one.tried else FOUND if one.broken is None else MARKS[one.broken]
    question = QUESTIONS.get(one.attack, _name(one))
    return (
        f'<div class="card"><h3>{escape(question)}</h3><p><span class="{style}">{word}</span> '
        f"({escape(_name(one))})</p>{paragraphs(sentence(one.statement))}</div>"
    )


def _gain(release: Reported) -> str:
    """How much better a private fact can be guessed, as the metric has it."""
    given = next((one for one in release.measurements if one.metric == "inference_gain"), None)
    if given is None or not math.isfinite(given.value):
        return ""
    heads = ("Private column", "By guessing", "With this release", "Gain")
    return text_table("How often a private fact is guessed rightly", heads, _gains(given), (1, 2, 3))


def _gains(given: Measurement) -> list[tuple[str, ...]]:
    names = [name.removeprefix("gain ") for name in given.figures if name.startswith("gain ")]
    words = ("without", "with", "gain")
    return [(name, *(share(given.figures.get(f"{word} {name}", math.nan)) for word in words)) for name in names]
