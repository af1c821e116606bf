# SPDX-License-Identifier: Apache-2.0
"""The pages of ``docs/reproduction``: one per paper and an index, made from the CSV files beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

from benchmarks.papers.claims import DIRECTION, MARKS, MOST, NOT, OURS, REPRODUCED, Claim, Verdict
from benchmarks.papers.figures import Figures
from benchmarks.papers.paper import Chart, Paper
from benchmarks.papers.plots import Line, lines_of, picture, told

NAMES = ("wf_c_means", "equal_combination", "kacpc", "binary_k_means", "k_members")
"""The scripts, in the order of the index."""

INDEX = f"""\
# The papers' experiments, run again

Each of the papers whose methods shoal set out from has a page: what was run, what the paper claims, and how each claim
fared, with the figure that says so. `make reproduce` runs everything, with the real tables in the folder `SHOAL_DATA`;
`make reproduce PAPER=kacpc` runs one paper. The pages are made from the CSV files beside them, verdicts included.

- **{REPRODUCED}**: holds in every setting that was run; a printed number is met.
- **{DIRECTION}**: holds in at least {MOST:.0%} of the settings; a printed number is missed, but on the same side.
- **{NOT}**: holds in fewer.

"Falls with k" is asked of every two values of k, and so are all trends. Random methods run ten times unless a page
says otherwise; figures are means, and ± is the standard deviation. Times are CPU seconds of the clustering step alone,
of our implementations on one machine: they say how methods compare here, not how fast a paper's program was.
"""

Judged = Sequence[tuple[Claim, Verdict]]
Drawn = Sequence[tuple[Chart, Mapping[str, Line]]]


@cache
def papers() -> Mapping[str, Paper]:
    """All papers by the name of their method."""
    return {name: import_module(f"benchmarks.papers.{name}").PAPER for name in NAMES}


def csv_of(paper: Paper, folder: Path) -> Path:
    """The file of a paper's figures."""
    return folder / f"{paper.method}.csv"


def write_pages(folder: Path) -> None:
    """Rewrite every page whose figures are there, and the index."""
    for path, content in pages(folder).items():
        path.write_text(content, encoding="utf-8")


def pages(folder: Path) -> dict[Path, str]:
    """What the pages and pictures of a folder should hold."""
    found: dict[Path, str] = {}
    judged: dict[str, Judged] = {}
    for name, paper in papers().items():
        if not csv_of(paper, folder).exists():
            continue
        figures = Figures.read(csv_of(paper, folder))
        judged[name] = [(claim, claim.judge(figures)) for claim in paper.claims]
        drawn = [(chart, lines) for chart in paper.charts if (lines := lines_of(chart, figures))]
        for chart, lines in drawn:
            if chart.pictured:
                found[folder / _file_of(paper, chart)] = picture(chart, lines).svg
        found[folder / f"{name}.md"] = "\n".join(_page(paper, figures, judged[name], drawn)) + "\n"
    found[folder / "index.md"] = "\n".join(_index(judged)) + "\n"
    return found


def _file_of(paper: Paper, chart: Chart) -> str:
    return f"{paper.method}-{chart.name}.svg"


def _index(judged: Mapping[str, Judged]) -> Iterator[str]:
    yield INDEX
    yield f"| paper | method | {' | '.join(MARKS)} |"
    yield "|---|---" + "|---" * len(MARKS) + "|"
    for name, each in judged.items():
        paper = papers()[name]
        count = Counter(verdict.mark for claim, verdict in each if claim.where != OURS)
        cells = " | ".join(str(count[mark]) for mark in MARKS)
        yield f"| {paper.reference} | [{paper.title}]({name}.md) | {cells} |"
    for name, each in judged.items():
        yield f"\n## {papers()[name].title}\n"
        yield from (f"- {claim.text} ({claim.where}): **{verdict.mark}**" for claim, verdict in each)


def _page(paper: Paper, figures: Figures, judged: Judged, drawn: Drawn) -> Iterator[str]:
    yield f"# {paper.title}\n\n{paper.reference}. [All papers](index.md); [the method](../methods/{paper.method}.md).\n"
    yield f"{paper.setup}\n## Claims"
    for number, (claim, verdict) in enumerate(judged, 1):
        yield f"\n**{number}. {claim.text}** ({claim.where})  "
        reading = claim.reading(verdict.mark)
        yield f"{verdict.mark[0].upper()}{verdict.mark[1:]}: {verdict.figure}." + (f"\n\n{reading}" if reading else "")
    yield f"\n## Figures\n\nAll of them: [{paper.method}.csv]({paper.method}.csv). {_runs(paper, figures)}"
    for chart, lines in drawn:
        yield f"\n### {chart.title}\n"
        if chart.pictured:
            yield f"![{chart.title}]({_file_of(paper, chart)})\n"
        yield from _table(chart, lines)


def _runs(paper: Paper, figures: Figures) -> str:
    """How often random methods ran, in words."""
    runs = sorted({row["runs"] for row in figures.rows if paper.drawn(row["method"])})
    return f"Random methods ran {' or '.join(map(str, runs))} times."


def _table(chart: Chart, lines: Mapping[str, Line]) -> Iterator[str]:
    settings = sorted({at for each in lines.values() for at in each})
    yield f"| {chart.over} | {' | '.join(lines)} |"
    yield "|---:" * (len(lines) + 1) + "|"
    for at in settings:
        cells = (told(*each[at]) if at in each else "" for each in lines.values())
        yield f"| {at:,} | {' | '.join(cells)} |"
