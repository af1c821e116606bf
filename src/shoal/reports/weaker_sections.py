# SPDX-License-Identifier: Apache-2.0
"""What the HTML report says differently about sub-tables and boxes, which have no groups of look-alikes."""

from __future__ import annotations

from html import escape

from shoal.reports.findings import Reported, in_words, kind_of, size_bins
from shoal.reports.pieces import text_table
from shoal.reports.text import number, percent


def headline(release: Reported) -> str:
    """The promise in a line."""
    rows, facts = f"{len(release.released):,} rows", release.facts
    if kind_of(release) == "boxes":
        return f"{rows}, each a box that fits at least {release.plan.k:,} records"
    tables = len(facts["subtables"])
    return f"{rows} in {tables} sub-tables: k per sub-table {facts['k_per_subtable']:,}, k joint {facts['k_joint']:,}"


def promised_rows(release: Reported) -> list[tuple[str, str]]:
    """The numbers of the promise, never a plain k."""
    facts = release.facts
    if kind_of(release) == "boxes":
        return [("Records per box, boxes per record", f"at least {release.plan.k:,}")]
    return [("k per sub-table", f"{facts['k_per_subtable']:,}"), ("k joint", f"{facts['k_joint']:,}")]


def risk_words(release: Reported) -> str:
    """Whose chances the risks are."""
    if kind_of(release) == "boxes":
        return (
            "For an attacker who knows that a person is in the table, and all recognisable columns about everybody, "
            "but not the secret draw nor any true row."
        )
    return (
        "For an attacker who knows all recognisable columns about a person and can link that person's rows in all "
        "sub-tables. Whoever meets one sub-table alone is right at most 1 time in k per sub-table."
    )


def groups(release: Reported) -> str:
    """In place of the groups of look-alikes."""
    return _boxes(release) if kind_of(release) == "boxes" else _subtables(release)


def _subtables(release: Reported) -> str:
    facts = release.facts
    rows = [
        (f"table-{place}", in_words(one["columns"]), f"{one['k']:,}", f"{one['classes']:,}")
        for place, one in enumerate(facts["subtables"], 1)
    ]
    heads = ("Sub-table", "Recognisable columns", "k per sub-table", "Groups")
    sizes = {int(size): int(count) for size, count in facts["joint_class_sizes"].items()}
    joint = [(one.label, f"{one.groups:,}", f"{one.rows:,}") for one in size_bins(sizes, release.plan.k) if one.groups]
    left_out = facts.get("left_out") or []
    note = f"<p>Left out, since it would link the sub-tables: {escape(in_words(left_out))}.</p>" if left_out else ""
    return (
        text_table("Every sub-table by itself", heads, rows, (2, 3))
        + "<p>If the rows of all sub-tables could be linked, these groups would remain:</p>"
        + text_table("Groups by size, joined", ("Rows in the group", "Groups", "Rows in all"), joint, (1, 2))
        + note
    )


def _boxes(release: Reported) -> str:
    facts, k = release.facts, release.plan.k
    rows = [("Rings of records", f"{facts['rings']:,}"), ("Records per box", f"at least {k:,}")]
    rows += [(f"Loss of a row, {name}", percent(value)) for name, value in facts["row_loss"].items()]
    private = facts.get("private_values_per_box") or {}
    rows += [(f"Different private values per box, {name}", number(value)) for name, value in private.items()]
    return (
        "<p>There are no groups. Records lie in rings; each row shows a box around some neighbours in a ring, with the "
        "private columns of one of them. Which one was drawn once per ring.</p>"
        + text_table("Boxes", ("What", "Value"), rows, (1,))
    )
