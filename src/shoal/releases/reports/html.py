# SPDX-License-Identifier: Apache-2.0
"""The report as one HTML page: no network, no script, readable on paper, in the dark and without eyes.

No cell of the original is ever shown. The same release gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable

from shoal import __version__
from shoal.ground import cards
from shoal.ground.pages import page, render
from shoal.ground.wording import one_in, percent
from shoal.judging.evidence import per_cell
from shoal.releases.reports.findings import Reported, exposures_of, main_loss, remedy_sentences, risk, state_of
from shoal.releases.reports.first_page import first_page
from shoal.releases.reports.sections import columns, done, groups, holds, learned, lost, promise, risks, together
from shoal.releases.reports.words import NOT_COVERED, NOT_FOR_PUBLICATION, NOT_LEGAL

TEMPLATES = "releases/reports/templates/"
STYLE = TEMPLATES + "report.css"
SECTIONS: dict[str, tuple[str, Callable[[Reported], str]]] = {
    "promise": ("What is promised", promise.section),
    "holds": ("What holds, and what it does not hide", holds.section),
    "lost": ("What was lost", lost.section),
    "columns": ("Before and after, column by column", columns.section),
    "together": ("What still goes together", together.section),
    "groups": ("How many look alike", groups.section),
    "risk": ("What risk remains", risks.section),
    "learned": ("What an attacker could still learn", learned.section),
    "limits": ("What this does not protect against", lambda _: render(TEMPLATES + "limits.html", texts=NOT_COVERED)),
    "done": ("How it was made, and how to verify it", done.section),
}
"""Headings and what gives their HTML, in the order of the page, by the name that links use."""


def html(release: Reported) -> str:
    """The whole page."""
    return page(
        TEMPLATES + "page.html",
        STYLE,
        headline=_headline(release),
        version=__version__,
        plan=release.plan,
        kind=release.kind.name,
        first_page=first_page(release),
        sections=[(name, heading, body(release)) for name, (heading, body) in SECTIONS.items()],
        not_for_publication=NOT_FOR_PUBLICATION,
        not_legal=NOT_LEGAL,
    )


def card(release: Reported) -> str:
    """A few lines for a notebook; styled by the notebook itself."""
    loss, found = main_loss(release), risk(release)
    promised = release.kind.told(release.kind.rows, release)
    rows = [("Verdict", state_of(release)[1]), *promised, *_given_away(release)]
    rows += [("⚠ Warning", said) for said in release.warnings]
    rows.append(("Method", release.plan.method))
    rows.append(("Rows", f"{release.released_rows:,}"))
    if loss:
        rows.append((f"Loss per cell ({loss.metric})", percent(per_cell(loss))))
    if found:
        rows.append(("Largest risk", one_in(found.largest)))
    rows += [("Note", note) for note in release.notes]
    return cards.card("shoal release", ((), rows))


def _given_away(release: Reported) -> list[tuple[str, str]]:
    """What k does not hide, and what would stop it."""
    found = exposures_of(release)
    given = [one for one in found if one.total]
    if not given:
        return [("Given away", "✔ no private value, nor nearly")] if found else []
    told = [("⚠ Given away", one.sentence()) for one in given]
    return [*told, *(("What would stop it", said) for said in remedy_sentences(release, in_python=True))]


def _headline(release: Reported) -> str:
    if not release.verdict.holds:
        return f"{release.released_rows:,} rows that do not hold what was promised"
    return release.kind.headline.format(**release.kind.numbers(release))
