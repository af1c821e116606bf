# SPDX-License-Identifier: Apache-2.0
"""ARX level files: read in all their dialects, written so that they come back the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.ground.errors import HierarchyError
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.level_files import read_levels, write_levels
from tests.strategies import random_tree

ROWS = [["Local", "Gov", "*"], ["State", "Gov", "*"], ["Private", "*"]]


@pytest.mark.parametrize("mark", [";", ",", "\t", "|"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_dialects(mark: str, ending: str, encoding: str, tmp_path: Path) -> None:
    """Separator, line ends and a byte-order mark are recognised; blank lines and blanks around labels do not matter."""
    path = tmp_path / "tree.csv"
    text = ending.join([mark.join(f" {label}" for label in row) for row in ROWS] + ["", ""])
    path.write_bytes(text.encode(encoding))
    assert read_levels(path).rows() == ROWS


def test_short_rows_may_be_filled_with_blanks(tmp_path: Path) -> None:
    """Spreadsheets write uneven rows with empty cells at the end."""
    path = tmp_path / "tree.csv"
    path.write_text("Local;Gov;*\nState;Gov;*\nPrivate;*;\n", encoding="utf-8")
    assert read_levels(path).rows() == ROWS


@pytest.mark.parametrize("seed", range(20))
def test_trees_come_back(seed: int, tmp_path: Path) -> None:
    """Ragged branches stay ragged, leaves keep their numbers."""
    tree = random_tree(np.random.default_rng(seed), 2 + seed)
    write_levels(tree, tmp_path / "tree.csv")
    assert read_levels(tmp_path / "tree.csv").rows() == tree.rows()


labels = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6).map(str.strip)


@given(names=st.lists(labels.filter(lambda label: label not in ("", "*")), min_size=1, max_size=6, unique=True))
def test_awkward_labels_come_back(names: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    """Separators, quotes and any script survive."""
    path = tmp_path_factory.mktemp("tree") / "tree.csv"
    write_levels(Hierarchy.flat(names), path)
    assert read_levels(path).leaf_labels == names


def test_line_ends_in_labels_come_back(tmp_path: Path) -> None:
    """A return alone, too, which parts lines for most readers where no quotes stand around it."""
    write_levels(Hierarchy.flat(["a\rb", "a\nb", "a\r\nb"]), tmp_path / "tree.csv")
    assert read_levels(tmp_path / "tree.csv").leaf_labels == ["a\rb", "a\nb", "a\r\nb"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read"),
        (b"", "empty"),
        (b"a;x;*\nb;\xff;*\n", "not UTF-8"),
        (b"a;x;*\nb;y;Any\n", "more than one top"),
        (b"a;x;*\na;y;*\n", "more than one parent"),
        (b"a;;*\nb;x;*\n", "empty labels"),
        (b"a\nb\n", "more than one top"),
    ],
)
def test_files_that_hold_no_tree_are_refused(content: bytes | None, words: str, tmp_path: Path) -> None:
    """The message names the file and the kind of problem, with all five parts."""
    path = tmp_path / "tree.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(HierarchyError, match=words) as raised:
        read_levels(path)
    assert len(raised.value.parts()) == 5
    assert "tree.csv" in raised.value.where


def test_a_way_to_build_a_tree_is_no_file(tmp_path: Path) -> None:
    """Whoever names one in place of a file is told the command that builds the file; a file of that name is read."""
    with pytest.raises(HierarchyError) as raised:
        read_levels("icd10")
    assert raised.value.todo.startswith("icd10 is a way to build one: shoal hierarchy build TABLE COLUMN --kind icd10")
    (tmp_path / "icd10").write_text("a;*\n")
    assert read_levels(tmp_path / "icd10").leaf_labels == ["a"]


@pytest.mark.data
def test_the_trees_of_arx_are_read(shared_data: Path) -> None:
    """The published trees of Adult: sixteen kinds of education under one root."""
    folder = shared_data / "adult" / "hierarchies" / "arx"
    trees = {path.stem.removeprefix("adult_hierarchy_"): read_levels(path) for path in sorted(folder.glob("*.csv"))}
    assert trees["education"].n_leaves == 16
    assert trees["sex"].leaf_labels == ["Male", "Female"]
    assert {tree.labels[0] for tree in trees.values()} == {"*"}
