# SPDX-License-Identifier: Apache-2.0
"""The papers' experiments run, their verdicts follow from the figures, and the pages show both."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.papers import equal_combination, k_members, kacpc
from benchmarks.papers.claims import DIRECTION, MARKS, NOT, REPRODUCED, UNTRIED, of_number, of_settings
from benchmarks.papers.figures import Figures
from benchmarks.papers.pages import csv_of, pages, papers
from benchmarks.papers.running import Cell, Effort, measured
from shoal.engine.methods import Partition, Subtables
from shoal.pipeline import run
from shoal.tables.sources import read_table

PAGES = Path(__file__).resolve().parents[2] / "docs" / "reproduction"
SHARES = {"binary_k_means": 0.005, "kacpc": 0.04, "equal_combination": 0.03, "k_members": 0.05, "wf_c_means": 1.0}
"""Which part of its rows each paper is tried with."""


def test_pages_agree_with_the_figures_beside_them() -> None:
    """Whoever reads a verdict can trust that the CSV file beside it says so; no page and no picture is left over."""
    wanted = pages(PAGES)
    found = {path for path in PAGES.iterdir() if path.suffix in (".md", ".svg")}
    assert found == set(wanted)
    assert [path.name for path, content in wanted.items() if path.read_text(encoding="utf-8") != content] == []


def test_every_paper_has_its_figures() -> None:
    """No paper is without a page."""
    assert [name for name, paper in papers().items() if not csv_of(paper, PAGES).exists()] == []


def test_verdicts_follow_from_the_figures() -> None:
    """All, most, fewer: a verdict is counted, and a printed number is met or missed."""
    assert [of_settings(flags).mark for flags in ([True] * 4, [True] * 3 + [False], [True, False], [])] == [
        REPRODUCED, DIRECTION, NOT, UNTRIED,
    ]  # fmt: skip
    marks = [of_number(ours, 1.0, 2.0, direction=ours > 0, told="").mark for ours in (1.5, 3.0, -1.0)]
    assert marks == [REPRODUCED, DIRECTION, NOT]


def test_readings_are_of_verdicts() -> None:
    """A reading whose key is misspelt would never be shown."""
    keys = {key for paper in papers().values() for claim in paper.claims for key in claim.why}
    assert keys <= set(MARKS.values())


def test_figures_survive_their_file(tmp_path: Path) -> None:
    """What is written to a CSV file is read from it again, with its types."""
    rows = [{"method": "NH, curve", "k": 10, "gcp": 0.125, "gcp_spread": 0.0}]
    path = tmp_path / "some.csv"
    path.write_text(Figures(rows).text(), encoding="utf-8")
    assert Figures.read(path).rows == rows


@pytest.mark.data
@pytest.mark.parametrize("name", papers())
def test_experiments_run(name: str, tmp_path: Path) -> None:
    """Every script runs on a small part of its tables and ends with a page that judges every claim."""
    paper, effort = papers()[name], Effort(runs=1, share=SHARES[name], thin=True)
    rows = measured(paper.cells(effort), paper.run, paper.drawn, effort, cores=1)
    csv_of(paper, tmp_path).write_text(Figures(rows).text(), encoding="utf-8")
    page = pages(tmp_path)[tmp_path / f"{name}.md"]
    assert [claim.text for claim in paper.claims if claim.text not in page] == []


@pytest.mark.data
def test_precision_is_that_of_a_release() -> None:
    """The figures of a page are those that a release made with the same seed reports."""
    rows, k = 300, 10
    table = read_table(kacpc.ADULT.path).table
    table = table.take(np.sort(np.random.default_rng(0).permutation(len(table))[:rows]))
    release = run(table, kacpc.plan_of(6, k, method="kacpc"), certified=False)
    (eloss,) = [one for one in release.measurements if one.metric == "eloss"]
    ours = kacpc.run(Cell("adult", "KACPC", k, 6, rows), 0)["precision"]
    assert ours == pytest.approx(1 - eloss.figures["per_cell"])


def test_levels_are_searched_for_the_best() -> None:
    """Of all combinations of levels without a class below k the cheapest is found."""
    fine, coarse = (np.array([0, 0, 1, 1]), np.zeros(4)), (np.zeros(4, dtype=np.int64), np.ones(4))
    other = [(np.array([0, 1, 0, 1]), np.zeros(4)), coarse]
    assert k_members.best_levels([[fine, coarse], other], 2) == (0.5, 2, 2)
    assert k_members.best_levels([[fine, coarse], other], 3) == (1.0, 4, 4)


def test_comparisons_are_counted_as_printed() -> None:
    """Five records, k = 2: 4 candidates, then 2, then one leftover looks at two classes."""
    assert k_members.comparisons(5, 2) == 4 + 2 + 2


@pytest.mark.data
def test_joint_classes_are_intersections_of_what_is_shown() -> None:
    """Two sub-tables joined show the pairs of what each shows; one table shows its classes."""
    encoded = equal_combination.adult(40)[0].part((0, 4))
    halves = Partition.of(np.repeat([0, 1], 20))
    sexes = Partition.of(encoded.columns[1].points.astype(np.int64))
    joint = equal_combination.joint_classes(encoded, Subtables(((0,), (1,)), (halves, sexes)))
    pairs = {(int(one), int(half), int(sex)) for one, half, sex in zip(joint, halves.labels, sexes.labels)}
    assert len(pairs) == joint.max() + 1 == 4
