# SPDX-License-Identifier: Apache-2.0
"""``make reproduce [PAPER=NAME ...]``: runs the experiments of the papers and rewrites their pages."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from benchmarks.papers.figures import Figures
from benchmarks.papers.pages import csv_of, papers, write_pages
from benchmarks.papers.running import Effort, cores, measured
from benchmarks.tables import DATA, ROOT

PAGES = ROOT / "docs" / "reproduction"


def main() -> int:
    """Run the papers named, or all of them."""
    asked = _arguments()
    if not asked.pages and not DATA.is_dir():
        print("not run: no data folder; set SHOAL_DATA to the folder of the real tables")
        return 1
    asked.to.mkdir(parents=True, exist_ok=True)
    effort = Effort(asked.runs, asked.share, asked.thin)
    for name in [] if asked.pages else asked.papers or papers():
        started = time.perf_counter()
        paper = papers()[name]
        rows = measured(paper.cells(effort), paper.run, paper.drawn, effort, asked.cores)
        csv_of(paper, asked.to).write_text(Figures(rows).text(), encoding="utf-8")
        print(f"{name}: {len(rows)} settings in {time.perf_counter() - started:.0f} s", flush=True)
    write_pages(asked.to)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.papers", description=__doc__)
    parser.add_argument(
        "papers", nargs="*", metavar="PAPER", help=f"some of {', '.join(papers())}; all if none is named"
    )
    parser.add_argument("--to", type=Path, default=PAGES, help="folder of the pages")
    parser.add_argument("--runs", type=int, default=Effort.runs, help="runs of a random method")
    parser.add_argument("--share", type=float, default=Effort.share, help="part of the rows of each table")
    parser.add_argument("--thin", action="store_true", help="only the first and last value of each setting")
    parser.add_argument(
        "--pages", action="store_true", help="run nothing, rewrite the pages from the figures that are there"
    )
    parser.add_argument("--cores", type=int, default=cores(), help="processes side by side")
    asked = parser.parse_args()
    if unknown := sorted(set(asked.papers) - set(papers())):
        parser.error(f"no such paper: {', '.join(unknown)}; there are {', '.join(papers())}")
    return asked


if __name__ == "__main__":
    raise SystemExit(main())
