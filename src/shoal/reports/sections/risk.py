# SPDX-License-Identifier: Apache-2.0
"""What risk remains: three attackers, the share of rows at risk, the limit that was promised."""

from __future__ import annotations

import math

from shoal.reports import weaker_sections
from shoal.reports.charts import Bar, chances
from shoal.reports.findings import Reported, Risk, is_risk, kind_of, measured, risk
from shoal.reports.measures import measures_table
from shoal.reports.pieces import figure, folded, paragraphs, text_table
from shoal.reports.text import one_in, percent
from shoal.reports.words import ATTACKERS

HEADING = "What risk remains"

NO_ROWS = "The table has no rows, so nobody can be picked out."
LIMIT = "Dashed line: the limit, 1 in k. Logarithmic: every step to the right is a tenth of the chance."
AT_RISK = "Rows whose best guess is right more often than"


def section(release: Reported) -> str:
    """A strip of chances, and tables."""
    found = risk(release)
    if found is None:
        return paragraphs(NO_ROWS)
    points, limit = _points(release, found), 1 / release.plan.k
    title = f"The best guess about one person is right in at most {one_in(found.largest)} cases"
    numbers = ", ".join(f"{one.label}: {one.text}" for one in points)
    drawn = chances("chances", title, f"{numbers}, limit: {one_in(limit)}.", points, limit)
    rows = [(one.label, one.text, percent(one.share)) for one in (*points, Bar("Limit (1 in k)", limit, one_in(limit)))]
    who = weaker_sections.risk_words(release) if kind_of(release) != "classes" else ATTACKERS
    table = text_table("Chance of picking the right row", ("Whose", "Chance", "In per cent"), rows, (1, 2))
    others = [one for one in release.measurements if is_risk(one)]
    return (
        paragraphs(who)
        + figure(title, drawn, LIMIT)
        + folded("Numbers", table)
        + _at_risk(release)
        + folded("Every measure of the risk", measures_table(others, "Every measure of the risk"), printed=True)
    )


def _points(release: Reported, found: Risk) -> list[Bar]:
    """The chances that are known."""
    told = {
        "Prosecutor, at most": found.largest,
        "Prosecutor, on average": found.mean,
        "Journalist, at most": measured(release, "journalist_risk"),
        "Marketer, on average": measured(release, "marketer_risk"),
    }
    return [
        Bar(label, chance, one_in(chance)) for label, chance in told.items() if math.isfinite(chance) and chance > 0
    ]


def _at_risk(release: Reported) -> str:
    given = next((one for one in release.measurements if one.metric == "records_at_risk"), None)
    if given is None:
        return ""
    steps = {int(name.rpartition("_")[2]): value for name, value in given.figures.items() if name.startswith("above_")}
    rows = [(one_in(1 / few), percent(steps[few])) for few in sorted(steps)]
    return text_table("Share of rows at risk", (AT_RISK, "Share of rows"), rows, (1,)) if rows else ""
