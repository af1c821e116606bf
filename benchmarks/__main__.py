# SPDX-License-Identifier: Apache-2.0
"""``make bench``: every table that can be measured here, as ratios from one run."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

from benchmarks.clustering import measured
from benchmarks.end_to_end import METHOD, anonymized
from benchmarks.tables import ACS, ADULT, CENSUS, DATA, FREMTPL2, TABLES
from shoal.ground import catalog

K = 10
GROWTH = {
    "census-income-kdd": (50_000, 100_000, 200_000, 299_285),
    "fremtpl2": (50_000, 100_000, 200_000, 400_000, 677_991),
}
"""Rows at which the growth of k_member is measured; drawn at random from the whole table."""


def show(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print one table."""
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    print(f"\n{title}")
    for row in [heads, *rows]:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)), flush=True)


def clustering() -> None:
    """Every method on Adult; those without a limit on large tables too, with their growth from n/4 to n."""
    able = {name: catalog.load("algorithms", name).CAPABILITIES for name in catalog.names("algorithms")}
    large = [name for name, one in able.items() if one.largest_rows is None and one.largest_distinct is None]
    of_means = [name for name in large if able[name].render == "mean"]
    clustering_on("adult", K, list(able), grown=False)
    for k in (10, 100):
        clustering_on(CENSUS.name, k, [name for name in large if name not in of_means], grown=True)
        clustering_on(ACS.name, k, ["k_member", *of_means], grown=True)


def clustering_on(table: str, k: int, methods: Sequence[str], *, grown: bool) -> None:
    """The clustering step of several methods on one table, warm, k_member first as the yardstick."""
    rows = []
    base, whole = 0.0, 0
    for method in sorted(methods, key=lambda name: name != "k_member"):
        found, other = measured(table, method, k, 0, "ncp"), measured(table, method, k, 0, "height")
        base, whole = base or found["cpu_seconds"], found["rows"]
        slope = "-"
        if grown:
            quarter = measured(table, method, k, whole // 4, "ncp")
            slope = f"{exponent((quarter['rows'], whole), (quarter['cpu_seconds'], found['cpu_seconds'])):.2f}"
        rows.append([
            method, f"{found['seconds']:.2f}", f"{found['cpu_seconds']:.2f}", f"{found['cpu_seconds'] / base:.2f}",
            f"{found['peak_mib']:.0f}", f"{other['loss']:.4f}", f"{found['loss']:.4f}", slope,
        ])  # fmt: skip
    heads = ["method", "seconds", "CPU seconds", "to k_member", "peak MiB", "loss height", "loss ncp", "exponent"]
    show(f"Clustering step, {table}, {whole:,} rows, k = {k}; loss per cell, growth from n/4 to n", heads, rows)


def growth() -> None:
    """How the time of k_member grows with the number of rows."""
    for name, sizes in GROWTH.items():
        found = [measured(name, "k_member", K, size) for size in sizes]
        spent = [one["cpu_seconds"] for one in found]
        rows = [
            [f"{size:,}", f"{one['seconds']:.2f}", f"{cpu:.2f}", f"{cpu / spent[0]:.2f}", f"{one['peak_mib']:.0f}"]
            for size, one, cpu in zip(sizes, found, spent)
        ]
        show(f"Growth of k_member, {name}, k = {K}", ["rows", "seconds", "CPU seconds", "ratio", "peak MiB"], rows)
        print(f"  exponent {exponent(sizes, spent):.2f} of CPU seconds (bar: 1.35)")


def exponent(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """Slope of log seconds over log rows, by least squares."""
    x, y = [math.log(size) for size in sizes], [math.log(value) for value in seconds]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def end_to_end() -> None:
    """Command line from file to release folder."""
    bars = {ADULT.name: "-", CENSUS.name: "15 s", FREMTPL2.name: "45 s, 2048 MiB"}
    rows = []
    for bench in (ADULT, CENSUS, FREMTPL2):
        seconds, peak = anonymized(bench, K)
        rows.append([bench.name, f"{seconds:.1f}", f"{peak:.0f}", bars[bench.name]])
    show(f"shoal anonymize, end to end, {METHOD}, k = {K}", ["table", "seconds", "peak MiB", "bar"], rows)


def quality() -> None:
    """How little our own method loses."""
    from benchmarks import quality as of

    show("Adult, height, loss per cell", ["k", "loss", "bar", "seconds", "CPU seconds"], list(of.bars()))
    show(
        "Loss beside the lower bound, Adult, height",
        ["asked", "k", "loss", "bound", "ratio", "bar", "seconds"],
        list(of.gap()),
    )
    heads = ["table", "k", "mdav", "shoal", "ratio", "bar of shoal", "seconds", "bound", "shoal / bound"]
    show("100 SSE/SST, z-scored", heads, list(of.squared_errors()))
    heads = [
        "table",
        "loss",
        "k",
        "shoal",
        "best other",
        "ratio",
        "bar",
        "seconds",
        "peak MiB",
        "bound",
        "shoal / bound",
    ]
    show("Against the best other method", heads, list(of.ratios()))


def main() -> int:
    """Run all parts, or those named on the command line."""
    if not DATA.is_dir():
        print("not run: no data folder; set SHOAL_DATA to the folder of the real tables")
        return 1
    for bench in TABLES.values():
        print(f"prepared {bench.path.name}", flush=True)
    parts = {"quality": quality, "clustering": clustering, "growth": growth, "end_to_end": end_to_end}
    for name in sys.argv[1:] or parts:
        parts[name]()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
