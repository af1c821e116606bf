# SPDX-License-Identifier: Apache-2.0
"""What was lost: in all, column by column, beside what no grouping could avoid, and by every measure."""

from __future__ import annotations

import math

from shoal.engine.bounds.certificate import Certificate
from shoal.ground.pages import render
from shoal.ground.pieces import Figure, TextTable
from shoal.ground.wording import number, percent
from shoal.judging.evidence import Measurement, per_cell
from shoal.releases.reports.charts import Amount, bars
from shoal.releases.reports.findings import (
    Reported,
    definition_of,
    is_risk,
    levels_told,
    losses,
    main_loss,
    typical_widths,
    workload_told,
)
from shoal.releases.reports.tables import measures_table
from shoal.releases.reports.words import CERTIFICATE

CHARTED = 30
"""Most columns in the loss chart; all are in the table below it."""


def section(release: Reported) -> str:
    """Chart and definition of the main loss, the certificate, every other measure."""
    loss, certificate = main_loss(release), release.certificate
    others = [one for one in release.measurements if not is_risk(one)]
    return render(
        "releases/reports/templates/lost.html",
        chart=_chart(loss) if loss else None,
        metric=loss.metric if loss else "",
        definition=definition_of("metrics", loss.metric) if loss else None,
        widths=_widths(release),
        levels=levels_told(release),
        workload=workload_told(release),
        certificate=_bound(certificate) if certificate else None,
        uncertified=release.uncertified,
        meaning=CERTIFICATE,
        measures=measures_table(others, "Every measure of the loss"),
    )


def _chart(loss: Measurement) -> Figure:
    title = _title(loss)
    shown = [Amount(name, value if math.isfinite(value) else 0.0, percent(value)) for name, value in losses(loss)]
    numbers = ", ".join(f"{one.label} {one.text}" for one in shown[:CHARTED])
    rows = [
        *((one.label, one.text) for one in shown),
        ("All columns, per cell", percent(per_cell(loss))),
        (f"All columns, in total ({loss.metric})", number(loss.value)),
    ]
    return Figure(
        title,
        bars("loss", title, f"Loss per column, {loss.metric}: {numbers}.", shown[:CHARTED]),
        TextTable(f"Loss per column ({loss.metric})", ("Column", "Loss"), rows, (1,)),
        note=f"The {CHARTED} largest of {len(shown)} columns." if len(shown) > CHARTED else "",
    )


def _widths(release: Reported) -> TextTable | None:
    """How wide a usual interval is, for columns that have a unit."""
    rows = [(one.column, one.words, percent(one.share)) for one in typical_widths(release)]
    heads = ("Column", "Half of the rows are within", "Of the middle half of all values")
    return TextTable("How wide a usual interval is", heads, rows, (1, 2)) if rows else None


def _title(loss: Measurement) -> str:
    worst, most = losses(loss)[0]
    if not math.isfinite(most):
        return "The loss of the columns is undefined"
    if most == 0:
        return "No detail was blurred in any column"
    whole = per_cell(loss)
    told = f"{percent(whole)} of the detail was blurred, the" if math.isfinite(whole) else "The"
    return f"{told} most in {worst} ({percent(most)})"


def _bound(given: Certificate) -> Figure:
    """How good the groups are, beside a bound that no others can go below."""
    whole = max(given.loss, given.bound) or 1.0
    shown = [
        Amount("Loss per cell of these groups", given.loss / whole, percent(given.loss)),
        Amount(f"Lower bound, groups of {given.k:,} or more", given.bound / whole, percent(given.bound)),
    ]
    rows = [(one.label, one.text) for one in shown]
    rows.append(("Rows for which the bound was worked out", f"{given.records_covered:,} of {given.records:,}"))
    drawn = bars("bound", given.sentence(), " ".join(f"{label}: {text}." for label, text in rows), shown)
    return Figure(given.sentence(), drawn, TextTable("Loss and lower bound", ("What", "Value"), rows, (1,)))
