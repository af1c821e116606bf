# SPDX-License-Identifier: Apache-2.0
"""The report as lines of text, for a terminal: verdict, loss per column, risk, groups."""

from __future__ import annotations

import math
from collections.abc import Iterable

from shoal.metrics._protocol import Measurement
from shoal.privacy_models._protocol import Verdict
from shoal.reports.findings import Reported, kind_of, losses, main_loss, per_cell, risk

BAR = 20
"""Letters of a full bar."""
MOST_COLUMNS = 12
MARKS = {True: "HOLDS", False: "DOES NOT HOLD", None: "FOUND"}


def summary_lines(release: Reported) -> list[str]:
    """What a run came to, in the lines a user wants to see first."""
    return [*verdict_lines(release.verdict), "", *group_lines(release), "", *loss_lines(release)]


def summary(release: Reported) -> str:
    """The same as one text."""
    return "\n".join(summary_lines(release))


def verdict_lines(verdict: Verdict) -> list[str]:
    """One line per model, one per warning; the word says it, not a colour."""
    found = [f"{MARKS[one.holds]:<13} {one.model}: {one.statement}" for one in verdict.findings]
    return [*found, *(f"{'WARNING':<13} {warning}" for warning in verdict.warnings)]


def leak_lines(verdict: Verdict) -> list[str]:
    """What to do about each leak, and what is worth knowing though it is no leak by itself."""
    lines = [""] if verdict.leaks else []
    for leak in verdict.leaks:
        word = {"breaks": "LEAK", "warning": "WARNING", "information": "NOTE"}[leak.severity]
        lines += [f"{word:<13} {leak.kind}: {leak.statement}", f"{'':<13} -> {leak.todo}"]
    return lines


def group_lines(release: Reported) -> list[str]:
    """Rows, look-alike groups and the risk that follows from their sizes."""
    facts = release.facts
    if kind_of(release) != "classes":
        return weaker_lines(release)
    left_out = f", {facts['suppressed']:,} left out" if facts.get("suppressed") else ""
    lines = [f"{'Rows':<13} {len(release.released):,} released{left_out}"]
    if chances := risk(release):
        smallest, largest = facts["smallest_class"], facts["largest_class"]
        sizes = f"{smallest:,}" if smallest == largest else f"{smallest:,} to {largest:,}"
        lines.append(f"{'Groups':<13} {facts['classes']:,} of {sizes} look-alikes")
        most, mean = one_in(chances.largest), one_in(chances.mean)
        lines.append(f"{'Risk':<13} best guess about a person right {most} at most, {mean} on average")
    return lines


def weaker_lines(release: Reported) -> list[str]:
    """The same where there are no groups of look-alikes: what is promised instead."""
    facts = release.facts
    if kind_of(release) == "subtables":
        lines = [
            f"{'Rows':<13} {len(release.released):,} released in {len(facts['subtables'])} sub-tables",
            f"{'Per table':<13} k per sub-table = {facts['k_per_subtable']:,}",
            f"{'Joined':<13} k joint = {facts['k_joint']:,}",
        ]
        who = "of one who can link the sub-tables about a person"
    else:
        lines = [
            f"{'Rows':<13} {len(release.released):,} released, each with a box of its own",
            f"{'Boxes':<13} (k,k) = ({release.plan.k:,},{release.plan.k:,}), {facts['rings']:,} rings",
        ]
        who = "about a person"
    if chances := risk(release):
        most, mean = one_in(chances.largest), one_in(chances.mean)
        lines.append(f"{'Risk':<13} best guess {who} right {most} at most, {mean} on average")
    return lines


def loss_lines(release: Reported) -> list[str]:
    """The loss per cell, and a bar for each column, the largest first."""
    loss = main_loss(release)
    if loss is None:
        return []
    share = per_cell(loss)
    columns = losses(loss)
    known = f"{percent(share)} of the detail in the recognisable columns" if math.isfinite(share) else "undefined"
    lines = [f"{'Loss':<13} {known} ({loss.metric}, per cell)"]
    width = max(len(_short(name)) for name, _ in columns[:MOST_COLUMNS])
    for name, value in columns[:MOST_COLUMNS]:
        filled = round(BAR * min(max(value, 0.0), 1.0)) if math.isfinite(value) else 0
        lines.append(f"  {_short(name):<{width}}  {'#' * filled:<{BAR}}  {percent(value):>8}")
    if len(columns) > MOST_COLUMNS:
        lines.append(f"  and {len(columns) - MOST_COLUMNS} more columns")
    if release.certificate:
        lines.append(f"{'Certificate':<13} {release.certificate.sentence()}")
    return lines


def measurement_lines(measurements: Iterable[Measurement]) -> list[str]:
    """One line per metric with its further figures."""
    lines = []
    for one in measurements:
        figures = ", ".join(f"{name} {number(value)}" for name, value in one.figures.items())
        note = f" - {one.note}" if one.note else ""
        lines.append(f"{one.metric:<22} {number(one.value):>12}{'  (' + figures + ')' if figures else ''}{note}")
    return lines


def number(value: float) -> str:
    """A number for people: whole ones with thousands, others to four digits; undefined ones say so."""
    if not math.isfinite(value):
        return "undefined"
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"


def percent(share: float) -> str:
    """A share as a percentage.

    >>> percent(0.0423), percent(0.00004), percent(0.0)
    ('4.23 %', '< 0.01 %', '0 %')
    """
    if not math.isfinite(share):
        return "undefined"
    if 0 < share < 0.0001:
        return "< 0.01 %"
    return f"{100 * share:.2f}".rstrip("0").rstrip(".") + " %"


def share(part: float) -> str:
    """A share as a percentage to one digit, for figures that stand in columns.

    >>> share(0.4231), share(0.0004), share(0.0), share(1.0)
    ('42.3 %', '< 0.1 %', '0 %', '100 %')
    """
    if not math.isfinite(part):
        return "undefined"
    if 0 < part < 0.0005:
        return "< 0.1 %"
    return f"{100 * part:.1f}".removesuffix(".0") + " %"


def one_in(chance: float) -> str:
    """A chance in words.

    >>> one_in(0.1), one_in(0.0823)
    ('1 in 10', '1 in 12.2')
    """
    return f"1 in {number(round(1 / chance, 1))}"


def _short(name: str, limit: int = 30) -> str:
    plain = "".join(letter if letter.isprintable() else "?" for letter in name)
    return plain if len(plain) <= limit else plain[: limit - 1] + "…"
