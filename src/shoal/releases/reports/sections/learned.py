# SPDX-License-Identifier: Apache-2.0
"""What an attacker could still learn, measured, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator

from shoal.ground.pages import render
from shoal.ground.pieces import Figure, TextTable
from shoal.ground.wording import share
from shoal.judging.attempts import Attempt
from shoal.releases.reports.charts import BESIDE, Change, moved
from shoal.releases.reports.findings import Reported, measurement_of
from shoal.releases.reports.words import EXPLAINED, QUESTIONS

MARKS = {True: ("bad", "✘ More than was promised"), False: ("good", "✔ No more than was promised")}
FOUND = ("warn", "⚠ Nothing was promised about it")
NOTHING = ("good", "✔ Nothing was learned")
NOTE = ("", "Note: nothing was promised about it")
NOT_TRIED = ("", "Not tried")
CHARTED = ("homogeneity", "skewness")
"""Attacks that guess the private value of a person, so that one scale fits them; the first where it told any."""
MOST = 8


def section(release: Reported) -> str:
    """A chart beside guessing, and a row for each question."""
    attempts = release.portrait.attempts if release.portrait else ()
    return render(
        "releases/reports/templates/learned.html",
        attempts=list(_rows(attempts)),
        chart=_chart(attempts),
        gains=_gains(release),
    )


def _chart(attempts: tuple[Attempt, ...]) -> Figure | None:
    guessed = [one for one in attempts if one.attack in CHARTED and (one.rate > 0 or one.attack != CHARTED[0])]
    scored = [one for one in guessed if math.isfinite(one.rate) and math.isfinite(one.baseline)][:MOST]
    if not scored:
        return None
    rows = [Change(_name(one), one.baseline, one.rate, f"{share(one.baseline)} → {share(one.rate)}") for one in scored]
    title = "How often a private value is told, without the release and with it"
    numbers = "; ".join(f"{row.label}: {row.text}" for row in rows)
    drawn = moved("attacks", title, f"Without and with the release: {numbers}.", rows, ("0 %", "50 %", "100 %"))
    return Figure(title, drawn, key=("without it", "with this release"))


def _name(attempt: Attempt) -> str:
    told = {"homogeneity": "certain", "skewness": "best guess"}.get(attempt.attack, attempt.attack)
    column = attempt.figures.get("column")
    return f"{column}{BESIDE}{told}" if column else told


def _rows(attempts: tuple[Attempt, ...]) -> Iterator[dict[str, object]]:
    """A question with all that was found about it, one sentence per column."""
    for attack in dict.fromkeys(one.attack for one in attempts):
        asked = [one for one in attempts if one.attack == attack]
        style, word = min((_mark(one) for one in asked), key=ORDER.index)
        said = [one.statement for one in asked if one.statement]
        if attack in EXPLAINED and any(one.figures.get("pinned") for one in asked):
            said = [EXPLAINED[attack]]
        yield {"question": QUESTIONS.get(attack, attack), "style": style, "word": word, "said": said}


def _mark(attempt: Attempt) -> tuple[str, str]:
    if not attempt.tried:
        return NOT_TRIED
    if attempt.broken is not None:
        return MARKS[attempt.broken]
    if attempt.attack == "homogeneity":
        return FOUND if attempt.rate > 0 else NOTHING
    return NOTE


ORDER = [MARKS[True], FOUND, NOTE, MARKS[False], NOTHING, NOT_TRIED]
"""The worst first."""


def _gains(release: Reported) -> TextTable | None:
    """How much better a private fact can be guessed, as the metric has it."""
    given = measurement_of(release, "inference_gain")
    if given is None or not math.isfinite(given.value):
        return None
    names = [name.removeprefix("gain ") for name in given.figures if name.startswith("gain ")]
    words = ("without", "with", "gain")
    rows = [(name, *(share(given.figures.get(f"{word} {name}", math.nan)) for word in words)) for name in names]
    heads = ("Private column", "By guessing", "With this release", "Gain")
    return TextTable("How often a private fact is guessed rightly", heads, rows, (1, 2, 3))
