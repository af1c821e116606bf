# SPDX-License-Identifier: Apache-2.0
"""What was lost: in all, column by column, beside what no grouping could avoid, and by every measure."""

from __future__ import annotations

import math
from html import escape

from shoal.metrics._protocol import Measurement
from shoal.reports.charts import Bar, bars
from shoal.reports.findings import Reported, definition_of, is_risk, losses, main_loss, per_cell
from shoal.reports.measures import measures_table
from shoal.reports.pieces import figure, folded, paragraphs, text_table
from shoal.reports.text import number, percent
from shoal.reports.words import CERTIFICATE

HEADING = "What was lost"

CHARTED = 30
"""Most columns in the loss chart; all are in the table below it."""


def section(release: Reported) -> str:
    """Chart and definition of the main loss, the certificate, every other measure."""
    loss = main_loss(release)
    told = _chart(loss) + _definition(loss) if loss and loss.per_column else paragraphs("No loss was measured.")
    others = [one for one in release.measurements if not is_risk(one)]
    every = folded("Every measure of the loss", measures_table(others, "Every measure of the loss"), printed=True)
    return told + _certificate(release) + every


def _chart(loss: Measurement) -> str:
    columns = losses(loss)
    title = _title(loss)
    shown = [Bar(name, value if math.isfinite(value) else 0.0, percent(value)) for name, value in columns]
    numbers = ", ".join(f"{bar.label} {bar.text}" for bar in shown[:CHARTED])
    note = f"The {CHARTED} largest of {len(shown)} columns." if len(shown) > CHARTED else ""
    drawn = bars("loss", title, f"Loss per column, {loss.metric}: {numbers}.", shown[:CHARTED])
    rows = [(one.label, one.text) for one in shown]
    rows.append(("All columns, per cell", percent(per_cell(loss))))
    rows.append((f"All columns, in total ({loss.metric})", number(loss.value)))
    table = text_table(f"Loss per column ({loss.metric})", ("Column", "Loss"), rows, (1,))
    return figure(title, drawn, note) + folded("Numbers", table)


def _title(loss: Measurement) -> str:
    worst, most = losses(loss)[0]
    if not math.isfinite(most):
        return "The loss of the columns is undefined"
    if most == 0:
        return "No detail was blurred in any column"
    whole = per_cell(loss)
    told = f"{percent(whole)} of the detail was blurred, the" if math.isfinite(whole) else "The"
    return f"{told} most in {worst} ({percent(most)})"


def _definition(loss: Measurement) -> str:
    told = definition_of("metrics", loss.metric)
    formula = f"<pre><code>{escape(told.formula)}</code></pre>" if told.formula else ""
    name = f"<p><strong>{escape(loss.metric)}.</strong> {escape(told.summary)}</p>" if told.summary else ""
    texts = "".join(f'<p class="note">{escape(text)}</p>' for text in told.texts)
    return f"<h3>How it is measured</h3>{name}{formula}{texts}" if name else ""


def _certificate(release: Reported) -> str:
    """How good the groups are, beside a bound that no others can go below."""
    given = release.certificate
    if given is None:
        return ""
    whole = max(given.loss, given.bound) or 1.0
    shown = [
        Bar("Loss per cell of these groups", given.loss / whole, percent(given.loss)),
        Bar("Lower bound for any groups", given.bound / whole, percent(given.bound)),
    ]
    rows = [(one.label, one.text) for one in shown]
    rows.append(("Rows for which the bound was worked out", f"{given.records_covered:,} of {given.records:,}"))
    drawn = bars("bound", given.sentence(), " ".join(f"{label}: {text}." for label, text in rows), shown)
    table = text_table("Loss and lower bound", ("What", "Value"), rows, (1,))
    return (
        f"<h3>How much less could be lost</h3>{figure(given.sentence(), drawn)}"
        + paragraphs(CERTIFICATE)
        + folded("Numbers", table)
    )
