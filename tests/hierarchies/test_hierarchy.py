# SPDX-License-Identifier: Apache-2.0
"""Trees: built, refused, numbered depth-first, asked."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.ground.errors import HierarchyError
from shoal.hierarchies.hierarchy import Hierarchy, check_covers
from shoal.hierarchies.kinds.prefixes import prefix_hierarchy
from tests.reference import losses as plain
from tests.strategies import random_tree

SEEDS = range(60)


@pytest.mark.parametrize("seed", SEEDS)
def test_leaves_below_a_node_are_an_interval(seed: int) -> None:
    """Leaves are numbered depth-first: first and last speak for all, parents come before children."""
    tree = random_tree(np.random.default_rng(seed), 1 + seed % 25)
    assert tree.parents[0] == -1
    assert all(tree.parents[node] < node for node in range(len(tree.labels)))
    for node in range(len(tree.labels)):
        below = plain.below(tree, node)
        assert below == list(range(tree.first[node], tree.last[node] + 1))
        assert tree.leaf_counts[node] == len(below)
        assert tree.heights[node] == plain.height(tree, node)
        assert tree.depths[node] == len(plain.up(tree, node)) - 1


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_ancestors_and_paths_lead_up(seed: int, missing: bool) -> None:
    """Two leaves' columns become equal at their common ancestor and stay so; short branches repeat the leaf."""
    tree = random_tree(np.random.default_rng(seed), 2 + seed % 12)
    tree = tree.with_missing() if missing else tree
    for a in range(tree.n_leaves):
        up = plain.up(tree, int(tree.leaves[a]))
        assert list(dict.fromkeys(tree.ancestors[:, a].tolist())) == up
        assert list(dict.fromkeys(tree.paths[::-1, a].tolist())) == up
        assert all(tree.paths[tree.depths[node], a] == node for node in up)
        for b in range(tree.n_leaves):
            meet = tree.ancestors[:, a] == tree.ancestors[:, b]
            common = plain.common_ancestor(tree, [a, b])
            assert tree.ancestors[int(meet.argmax()), a] == common == tree.lca(min(a, b), max(a, b))
            assert meet.tolist() == sorted(meet.tolist())


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_lead_back_to_the_same_tree(seed: int) -> None:
    """A tree written as level rows and read again is the same tree."""
    tree = random_tree(np.random.default_rng(seed), 1 + seed % 25)
    again = Hierarchy.from_rows(tree.rows())
    assert again.labels == tree.labels
    assert again.parents.tolist() == tree.parents.tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_missing_is_one_more_leaf_under_the_root(seed: int) -> None:
    """It comes last, changes no other leaf's number, and meets the others only at the root."""
    tree = random_tree(np.random.default_rng(seed), 1 + seed % 12)
    grown = tree.with_missing()
    assert grown.n_leaves == tree.n_leaves + 1
    assert grown.leaf_labels == [*tree.leaf_labels, ""]
    assert all(grown.lca(leaf, tree.n_leaves) == 0 for leaf in range(tree.n_leaves))
    assert all(grown.lca(leaf, leaf) == tree.lca(leaf, leaf) for leaf in range(tree.n_leaves))
    assert tree.n_leaves == len(tree.leaf_labels)


def test_missing_over_no_values_is_the_only_leaf() -> None:
    """A column of nothing but missing cells has one value."""
    grown = Hierarchy.flat([]).with_missing()
    assert grown.leaf_labels == [""]
    assert grown.lca(0, 0) == 1


@pytest.mark.parametrize("names", [["a"], ["a", "b", "c"], [str(number) for number in range(1000)]])
def test_flat(names: list[str]) -> None:
    """One root over all values, in their order."""
    tree = Hierarchy.flat(names)
    assert tree.is_flat
    assert tree.leaf_labels == names
    assert tree.rows() == [[name, "*"] for name in names]
    assert tree.leaf_numbers == {name: number for number, name in enumerate(names)}


def test_a_label_may_be_repeated_up_its_own_branch() -> None:
    """ARX files fill short branches by repetition; the label keeps its meaning."""
    tree = Hierarchy.from_rows([["Private", "Private", "*"], ["Local", "Gov", "*"], ["State", "Gov", "*"]])
    assert tree.labels[tree.lca(0, 0)] == "Private"
    assert tree.labels[tree.lca(1, 2)] == "Gov"


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "empty"),
        ([[]], "empty"),
        ([["a", "*"], []], "empty row"),
        ([["a", "", "*"], ["b", "x", "*"]], "empty labels"),
        ([["a", "*"], ["b", "x"]], "more than one top"),
        ([["a", "x", "*"], ["b", "x"]], "more than one top"),
        ([["a"]], "its own root"),
        ([["*"], ["a", "*"]], "its own root"),
        ([["a", "x", "*"], ["a", "y", "*"]], "more than one parent"),
        ([["a", "x", "*"], ["a", "x", "*"]], "more than one row"),
        ([["a", "x", "*"], ["b", "x", "y", "*"]], "two different groups"),
        ([["a", "b", "*"], ["b", "*"]], "also a group"),
        ([["a", "b", "*"], ["b", "x", "*"]], "two different groups"),
        ([["a", "o", "x", "*"], ["b", "o", "y", "*"]], "two different groups"),
    ],
)
def test_what_is_no_tree_is_refused(rows: list[list[str]], words: str) -> None:
    """Each kind of mistake has its message, with counts and a repair, and no value of the column."""
    with pytest.raises(HierarchyError, match=words) as raised:
        Hierarchy.from_rows(rows, where="file 'x'")
    assert len(raised.value.parts()) == 5
    assert raised.value.where == "file 'x'"


def test_a_tree_that_misses_values_is_refused_with_their_number() -> None:
    """The values themselves are not told: they are cells of the table."""
    tree = Hierarchy.from_rows([["Private", "Work", "*"], ["State", "Work", "*"]])
    check_covers(tree, ["State"], column="workclass")
    with pytest.raises(HierarchyError) as raised:
        check_covers(tree, ["State", "Secret-service", "Smuggler"], column="workclass")
    text = str(raised.value)
    assert len(raised.value.parts()) == 5
    assert "2 of 3" in text
    assert "'workclass'" in text
    assert "Secret" not in text
    assert "Smuggler" not in text


@pytest.mark.parametrize(
    ("values", "rows"),
    [
        (["8001", "8002", "9001"], ["8001 800* 80** 8*** *", "8002 800* 80** 8*** *", "9001 900* 90** 9*** *"]),
        (["1", "2"], ["1 *", "2 *"]),
        (["12", "123"], ["12 1** *", "123 12* 1** *"]),
        (["a", "a", "b"], ["a *", "b *"]),
    ],
)
def test_codes_get_coarser_from_the_right(values: list[str], rows: list[str]) -> None:
    """One level per character; labels keep their length."""
    found = [" ".join(row) for row in prefix_hierarchy(values).rows()]
    assert [row.split()[0] for row in found] == sorted(set(values))
    assert found[-1] == rows[-1]
    if len({len(value) for value in values}) == 1:
        assert found == rows


def test_codes_of_different_length_make_a_tree() -> None:
    """Any set of codes has a prefix tree: each value is a leaf of its own."""
    random = np.random.default_rng(3)
    for _ in range(100):
        letters = random.choice(list("ab é"), (8, 4))
        values = {"".join(row)[: random.integers(1, 5)] for row in letters}
        tree = prefix_hierarchy(values)
        assert set(tree.leaf_labels) == values


def test_codes_that_are_masked_already_are_refused_where_they_are_ambiguous() -> None:
    """A code that would be a value and a group of values at once has no place in a tree."""
    assert prefix_hierarchy(["70**", "8001"]).leaf_labels == ["70**", "8001"]
    with pytest.raises(HierarchyError, match="also a group") as raised:
        prefix_hierarchy(["80**", "8001", "8002"], where="column 'zip'")
    assert raised.value.where == "column 'zip'"
    assert "80" not in str(raised.value)
