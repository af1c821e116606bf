# SPDX-License-Identifier: Apache-2.0
"""How many rows look alike, and how many were left out."""

from __future__ import annotations

from collections.abc import Mapping

from shoal.reports import weaker_sections
from shoal.reports.charts import Bar, histogram
from shoal.reports.findings import Reported, kind_of, size_bins, sizes_of
from shoal.reports.pieces import figure, folded, paragraphs, text_table
from shoal.reports.text import percent

HEADING = "How many look alike"

NO_ROWS = "The table has no rows, so there are no groups."
AXES = "Upright: number of rows. Along: size of the group, from k."
SUPPRESSED = (
    "{rows:,} of {given:,} rows ({share}) were left out, because nothing was to be blurred as much as they would have "
    "asked for. They are in no file of this release. Whoever knows that a person was in the original and fits no group "
    "knows that they are among them."
)


def section(release: Reported) -> str:
    """A histogram of group sizes."""
    if kind_of(release) != "classes":
        return weaker_sections.groups(release)
    k, sizes = release.plan.k, sizes_of(release.facts)
    bins = size_bins(sizes, k)
    if not bins:
        return paragraphs(NO_ROWS)
    title, tallest = _title(sizes), max(one.rows for one in bins)
    told = ", ".join(f"{one.rows:,} rows in groups of {one.label}" for one in bins)
    columns = [Bar(_sizes(one.first, one.last), one.rows / tallest, _compact(one.rows)) for one in bins]
    mark = f"k = {k:,}" if bins[0].first == k else ""
    drawn = histogram("sizes", title, f"Rows by the size of their group: {told}.", columns, mark)
    rows = [(one.label, f"{one.groups:,}", f"{one.rows:,}") for one in bins]
    table = text_table("Groups by size", ("Rows in the group", "Groups", "Rows in all"), rows, (1, 2))
    return figure(title, drawn, AXES) + folded("Numbers", table) + _left_out(release)


def _left_out(release: Reported) -> str:
    given, gone = int(release.facts.get("rows", 0)), int(release.facts.get("suppressed", 0))
    if not gone:
        return ""
    said = SUPPRESSED.format(rows=gone, given=given, share=percent(gone / given))
    return f"<h3>Rows left out</h3>{paragraphs(said)}"


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
    return _compact(first) if first == last else f"{_compact(first)}–{_compact(last)}"


def _compact(count: int) -> str:
    """A count that fits under a narrow column: 1,200 is 1.2k."""
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if count >= size:
            return f"{count / size:.1f}".rstrip("0").rstrip(".") + letter
    return str(count)
