# SPDX-License-Identifier: Apache-2.0
"""How many rows look alike, and how many were left out."""

from __future__ import annotations

from collections.abc import Mapping

from shoal.ground.pages import render
from shoal.ground.pieces import Figure
from shoal.ground.wording import compact
from shoal.releases.reports.charts import Amount, histogram
from shoal.releases.reports.findings import Reported, size_bins, sizes_of
from shoal.releases.reports.tables import sizes_table

AXES = "Upright: number of rows. Along: size of the group, from k."


def section(release: Reported) -> str:
    """A histogram of group sizes."""
    if release.kind.groups is not None:
        return release.kind.groups(release)
    facts = release.facts
    return render(
        "releases/reports/templates/groups.html",
        chart=_chart(sizes_of(facts), release.plan.k),
        given=int(facts.get("rows", 0)),
        suppressed=int(facts.get("suppressed", 0)),
    )


def _chart(sizes: Mapping[int, int], k: int) -> Figure | None:
    bins = size_bins(sizes, k)
    if not bins:
        return None
    title, tallest = _title(sizes), max(one.rows for one in bins)
    told = ", ".join(f"{one.rows:,} rows in groups of {one.label}" for one in bins)
    columns = [Amount(_sizes(one.first, one.last), one.rows / tallest, compact(one.rows)) for one in bins]
    at = [place for place, one in enumerate(bins) if one.first <= k <= one.last]
    mark = (at[0], f"k = {k:,}") if at else None
    drawn = histogram("sizes", title, f"Rows by the size of their group: {told}.", columns, mark)
    return Figure(title, drawn, sizes_table("Groups by size", bins), AXES)


def _title(sizes: Mapping[int, int]) -> str:
    smallest, largest = min(sizes), max(sizes)
    if smallest == largest:
        return f"Every row is in a group of {smallest:,} look-alikes"
    rows, half = 0, sum(size * groups for size, groups in sizes.items()) / 2
    for middle in sorted(sizes):
        rows += middle * sizes[middle]
        if rows >= half:
            break
    return (
        f"Every row is in a group of {smallest:,} to {largest:,} look-alikes, half of them in groups up to {middle:,}"
    )


def _sizes(first: int, last: int) -> str:
    return compact(first) if first == last else f"{compact(first)}–{compact(last)}"
