# SPDX-License-Identifier: Apache-2.0
"""Coverage, balance, the tree as text and as a picture, and edits."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.ground.errors import HierarchyError
from shoal.hierarchies import editing
from shoal.hierarchies.drawing import draw
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.outline import outline
from shoal.hierarchies.review import review
from tests.strategies import random_tree

ROWS = [["Local", "Gov", "*"], ["State", "Gov", "*"], ["Private", "*"]]
TREE = Hierarchy.from_rows(ROWS)


def test_coverage_is_counted_both_ways() -> None:
    """Values without a line, with their rows, and lines without a value; no value is told in sentences or JSON."""
    found = review(TREE, {"Local": 5, "Army": 2, "Navy": 1})
    assert (found.lacking, found.lacking_rows, found.absent) == (("Army", "Navy"), 3, ("State", "Private"))
    assert not found.covers
    told = " ".join(found.sentences()) + str(found.to_dict())
    assert "lacks 2 of 3 values of the column (3 rows)" in told
    assert "Army" not in told


def test_balance() -> None:
    """Levels, children per node, uneven branches, only children and lopsided groups are told."""
    found = review(Hierarchy.from_rows([["a", "b", "*"], ["c", "*"], ["d", "*"]]), {"a": 90, "c": 5, "d": 5})
    assert (found.leaves, found.levels, found.groups) == (3, 3, 1)
    assert (found.fewest, found.most, found.typical, found.only_children) == (1, 3, 2.0, 1)
    assert found.largest == 0.9
    told = " ".join(found.sentences())
    assert all(word in told for word in ("uneven", "single child", "lopsided", "covers all 3 values"))


@pytest.mark.parametrize("seed", range(10))
def test_every_node_has_its_line_and_its_place(seed: int) -> None:
    """Text and picture show every label, and the picture is well-formed."""
    tree = random_tree(np.random.default_rng(seed), 4 + seed)
    counts = {label: number for number, label in enumerate(tree.leaf_labels)}
    assert len(outline(tree).splitlines()) == len(tree.labels)
    picture = ElementTree.fromstring(draw(tree, counts, title="a & <b>"))
    texts = [(one.text or "").strip() for one in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["a & <b>", *tree.labels]


def test_large_trees_are_cut_short() -> None:
    """Children beyond the wanted number are counted instead of shown."""
    tree = Hierarchy.flat([f"v{one}" for one in range(100)])
    assert outline(tree, most=2).splitlines()[-1] == "└── ... 98 more"
    assert "… 98 more" in draw(tree, most=2)
    assert outline(tree, depth=0) == "*  100 values"


def test_edits() -> None:
    """Rename, move, merge, add and remove, each a new tree."""
    assert editing.rename(TREE, "Gov", "Public").rows()[0] == ["Local", "Public", "*"]
    assert editing.move(TREE, "Private", "Gov").rows()[2] == ["Private", "Gov", "*"]
    assert editing.move(TREE, "Local", "*").rows() == [["Local", "*"], ["State", "Gov", "*"], ["Private", "*"]]
    assert editing.merge(TREE, ["Gov", "Private"], "All").rows()[1] == ["State", "All", "*"]
    assert editing.merge(TREE, ["Local", "State"], "Any gov").rows()[0] == ["Local", "Any gov", "Gov", "*"]
    assert editing.split(TREE, ["State"], "Federal").rows()[1] == ["State", "Federal", "*"]
    assert editing.split(TREE, ["Local", "State"], "All").rows()[0] == ["Local", "All", "*"]
    assert editing.add(TREE, "Federal", "Gov").leaf_labels == ["Local", "State", "Federal", "Private"]
    assert editing.remove(TREE, "State").leaf_labels == ["Local", "Private"]
    assert editing.remove(TREE, "Gov").is_flat
    assert TREE.rows() == ROWS


def test_edits_of_even_trees() -> None:
    """A label that fills a branch up counts once."""
    tree = Hierarchy.from_rows([["a", "g", "*"], ["b", "g", "*"], ["c", "c", "*"]])
    assert editing.merge(tree, ["g", "c"], "all").rows() == [["a", "all", "*"], ["b", "all", "*"], ["c", "all", "*"]]
    assert editing.move(tree, "c", "g").rows()[2] == ["c", "c", "g", "*"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda: editing.rename(TREE, "Gv", "x"), "no such label"),
        (lambda: editing.split(TREE, ["Private"], "x"), "Only members of one group"),
        (lambda: editing.split(TREE, ["State"], "Gov"), "cannot be given"),
        (lambda: editing.rename(TREE, "Local", "x"), "value cannot be renamed"),
        (lambda: editing.rename(TREE, "Gov", "Private"), "cannot be given"),
        (lambda: editing.rename(TREE, "Gov", " "), "cannot be given"),
        (lambda: editing.move(TREE, "Gov", "Local"), "into itself"),
        (lambda: editing.move(TREE, "*", "Gov"), "into itself"),
        (lambda: editing.move(TREE, "Private", "Local"), "group of other values|two different groups"),
        (lambda: editing.merge(TREE, ["Local", "Private"], "x"), "Only neighbours"),
        (lambda: editing.merge(TREE, ["Gov"], "x"), "Only neighbours"),
        (lambda: editing.add(TREE, "Local", "*"), "cannot be given"),
        (lambda: editing.remove(TREE, "*"), "root cannot"),
    ],
)
def test_edits_that_make_no_tree(change, words: str) -> None:
    """Every refusal has its five parts."""
    with pytest.raises(HierarchyError, match=words) as raised:
        change()
    assert len(raised.value.parts()) == 5


def test_values_without_a_group_are_told(tmp_path: Path) -> None:
    """A mapping that leaves values out is told by their number, in Python as a warning."""
    pairs = tmp_path / "groups.csv"
    pairs.write_text("Spain;Europe\nItaly;Europe\n")
    frame = pl.DataFrame({"country": ["Spain", "Italy", "Chile", "Peru"]})
    with pytest.warns(UserWarning, match=r"2 of the 4 values(.|\n)*next +name their groups in the mapping"):
        tree = shoal.build_hierarchy(frame, "country", "mapping", file=str(pairs))
    assert review(tree).ungrouped == 2
    assert any("in no group" in said for said in review(tree).shape())
