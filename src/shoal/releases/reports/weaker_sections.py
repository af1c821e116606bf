# SPDX-License-Identifier: Apache-2.0
"""In place of the groups of look-alikes: sub-tables and boxes, which have none."""

from __future__ import annotations

from shoal.ground.pages import render
from shoal.ground.pieces import TextTable
from shoal.ground.wording import number, percent, phrase
from shoal.releases.reports.findings import Reported, size_bins
from shoal.releases.reports.tables import sizes_table


def subtables(release: Reported) -> str:
    """Every sub-table by itself, and all of them joined."""
    facts = release.facts
    rows = [
        (f"table-{place}", phrase(one["columns"]), f"{one['k']:,}", f"{one['classes']:,}")
        for place, one in enumerate(facts["subtables"], 1)
    ]
    heads = ("Sub-table", "Recognisable columns", "k per sub-table", "Groups")
    sizes = {int(size): int(count) for size, count in facts["joint_class_sizes"].items()}
    joint = [one for one in size_bins(sizes, release.plan.k) if one.groups]
    return render(
        "releases/reports/templates/subtables.html",
        each=TextTable("Every sub-table by itself", heads, rows, (2, 3)),
        joint=sizes_table("Groups by size, joined", joint),
        left_out=facts.get("left_out") or [],
    )


def boxes(release: Reported) -> str:
    """What the boxes cost, and what they hold."""
    facts, k = release.facts, release.plan.k
    rows = [("Rings of records", f"{facts['rings']:,}"), ("Records per box", f"at least {k:,}")]
    rows += [(f"Loss of a row, {name}", percent(value)) for name, value in facts["row_loss"].items()]
    private = facts.get("private_values_per_box") or {}
    rows += [(f"Different private values per box, {name}", number(value)) for name, value in private.items()]
    return render("releases/reports/templates/boxes.html", boxes=TextTable("Boxes", ("What", "Value"), rows, (1,)))
