# SPDX-License-Identifier: Apache-2.0
"""Files that ARX reads: what we write keeps its rules, what others wrote for it is read without change."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.hierarchies.building import build_hierarchy
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.level_files import even, read_levels, write_levels
from shoal.hierarchies.review import review
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from tests.strategies import random_tree

ADULT = (
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex capital-gain "
    "capital-loss hours-per-week native-country income"
).split()
#: Values of both Adult files that a published tree lacks, from the README beside them.
GAPS = {
    ("arx", "workclass"): 1,
    ("arx", "occupation"): 1,
    ("arx", "native-country"): 1,
    ("qiyuangong", "workclass"): 1,
    ("qiyuangong", "occupation"): 1,
    ("qiyuangong", "native-country"): 1,
}


def as_arx_reads(path: Path) -> list[list[str]]:
    """The fields of a file by the rules of ARX's reader.

    ``;`` parts fields, ``"`` quotes them and doubles inside, a line feed ends a line, empty lines are skipped, blanks
    around a field that is not quoted are dropped.
    """
    rows: list[list[str]] = [[]]
    text, field, quoted, was_quoted, place = path.read_bytes().decode("utf-8"), "", False, False, 0
    while place < len(text):
        mark = text[place]
        if quoted:
            if mark == '"' and text[place + 1 : place + 2] == '"':
                field, place = field + '"', place + 1
            elif mark == '"':
                quoted = False
            else:
                field += mark
        elif mark == '"' and not field:
            quoted = was_quoted = True
        elif mark in ";\n":
            rows[-1].append(field if was_quoted else field.strip())
            field, was_quoted = "", False
            if mark == "\n":
                rows.append([])
        else:
            field += mark
        place += 1
    return [row for row in rows if row and row != [""]]


def keeps_the_rules(rows: list[list[str]]) -> None:
    """What ARX checks: lines as long as the first, each value once, one next label per label of a level; ``*`` last."""
    assert {len(row) for row in rows} == {len(rows[0])}
    assert len({row[0] for row in rows}) == len(rows)
    assert {row[-1] for row in rows} == {"*"}
    for level in range(len(rows[0]) - 1):
        parents: dict[str, str] = {}
        assert all(parents.setdefault(row[level], row[level + 1]) == row[level + 1] for row in rows)


@pytest.mark.parametrize("seed", range(25))
def test_trees_are_written_as_arx_reads_them(seed: int, tmp_path: Path) -> None:
    """Ragged trees, and roots of other names, come out even and under ``*``, with the same groups."""
    tree = random_tree(np.random.default_rng(seed), 2 + seed)
    write_levels(even(tree), tmp_path / "tree.csv")
    rows = as_arx_reads(tmp_path / "tree.csv")
    keeps_the_rules(rows)
    assert read_levels(tmp_path / "tree.csv").rows() == rows == even(tree).rows()
    again = even(tree)
    assert again.leaf_labels == tree.leaf_labels
    groups = {(int(tree.first[node]), int(tree.last[node])) for node in range(len(tree.labels))}
    assert {(int(again.first[node]), int(again.last[node])) for node in range(len(again.labels))} == groups


labels = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=6)


@given(
    names=st.lists(labels.map(str.strip).filter(lambda one: one not in ("", "*")), min_size=1, max_size=6, unique=True)
)
def test_awkward_labels_reach_arx(names: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    """Separators and quotes inside labels survive its reader."""
    path = tmp_path_factory.mktemp("tree") / "tree.csv"
    write_levels(even(Hierarchy.flat(names)), path)
    assert [row[0] for row in as_arx_reads(path)] == names


@pytest.mark.data
@pytest.mark.parametrize("source", ["arx", "anjana", "qiyuangong"])
def test_published_trees_are_read_without_change(source: str, shared_data: Path, tmp_path: Path) -> None:
    """Every published tree of Adult is read; even ones are written back byte for byte; gaps are the known ones."""
    reading = Reading(header=False, columns=tuple(ADULT))
    adult = read_table(shared_data / "adult" / "adult.data", reading).table
    for path in sorted((shared_data / "adult" / "hierarchies" / source).glob("*.csv")):
        column = path.stem.removeprefix("adult_hierarchy_").replace("salary-class", "income")
        tree = read_levels(path)
        found = build_hierarchy(adult, column, "arx", file=str(path))
        assert len(review(tree, dict.fromkeys(adult.codes(column)[1], 1)).lacking) == GAPS.get((source, column), 0)
        assert review(found, dict.fromkeys(adult.codes(column)[1], 1)).covers
        write_levels(even(tree), tmp_path / "again.csv")
        keeps_the_rules(as_arx_reads(tmp_path / "again.csv"))
        if source == "arx":
            lines = path.read_text(encoding="utf-8").split()
            assert sorted((tmp_path / "again.csv").read_text(encoding="utf-8").split()) == sorted(lines)
