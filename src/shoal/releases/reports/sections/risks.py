# SPDX-License-Identifier: Apache-2.0
"""What risk remains: three attackers, the share of rows at risk, the limit that was promised."""

from __future__ import annotations

import math

from shoal.ground.pages import render
from shoal.ground.pieces import Figure, TextTable
from shoal.ground.wording import one_in, percent
from shoal.releases.reports.charts import Amount, chances
from shoal.releases.reports.findings import Reported, Risk, is_risk, measured, measurement_of, risk
from shoal.releases.reports.tables import measures_table
from shoal.releases.reports.words import ATTACKERS

LIMIT = "Dashed line: the limit, 1 in k. Logarithmic: every step to the right is a tenth of the chance."
AT_RISK = "Rows whose best guess is right more often than"


def section(release: Reported) -> str:
    """A strip of chances, and tables."""
    found = risk(release)
    others = [one for one in release.measurements if is_risk(one)]
    return render(
        "releases/reports/templates/risks.html",
        chart=_chart(release, found) if found else None,
        attackers=release.kind.attackers or ATTACKERS,
        at_risk=_at_risk(release),
        measures=measures_table(others, "Every measure of the risk"),
    )


def _chart(release: Reported, found: Risk) -> Figure:
    points, limit = _points(release, found), 1 / release.plan.k
    title = f"The best guess about one person is right in at most {one_in(found.largest)} cases"
    numbers = ", ".join(f"{one.label}: {one.text}" for one in points)
    drawn = chances("chances", title, f"{numbers}, limit: {one_in(limit)}.", points, limit)
    listed = [*points, Amount("Limit (1 in k)", limit, one_in(limit))]
    rows = [(one.label, one.text, percent(one.share)) for one in listed]
    table = TextTable("Chance of picking the right row", ("Whose", "Chance", "In per cent"), rows, (1, 2))
    return Figure(title, drawn, table, LIMIT)


def _points(release: Reported, found: Risk) -> list[Amount]:
    """The chances that are known."""
    told = {
        "Prosecutor, at most": found.largest,
        "Prosecutor, average": found.mean,
        "Journalist, at most": measured(release, "journalist_risk"),
        "Marketer, average": measured(release, "marketer_risk"),
    }
    return [Amount(label, one, one_in(one)) for label, one in told.items() if math.isfinite(one) and one > 0]


def _at_risk(release: Reported) -> TextTable | None:
    given = measurement_of(release, "records_at_risk")
    figures = given.figures.items() if given else ()
    steps = {int(name.rpartition("_")[2]): value for name, value in figures if name.startswith("above_")}
    rows = [(one_in(1 / few), percent(steps[few])) for few in sorted(steps)]
    return TextTable("Share of rows at risk", (AT_RISK, "Share of rows"), rows, (1,)) if rows else None
