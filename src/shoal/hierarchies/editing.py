# SPDX-License-Identifier: Apache-2.0
"""Small changes to a hierarchy: rename, move, merge, split, add, remove. Each gives a new tree, checked like any other.

Nodes are named by their labels, which stand for one group each.
"""

from __future__ import annotations

from collections.abc import Sequence

from shoal.ground.errors import HierarchyError, nearest
from shoal.hierarchies.hierarchy import Hierarchy

WHERE = "hierarchy"


def rename(tree: Hierarchy, old: str, new: str) -> Hierarchy:
    """Give a group another label. A value keeps its name: it is what the table says.

    >>> tree = Hierarchy.from_rows([["Local", "Gov", "*"], ["State", "Gov", "*"], ["Private", "*"]])
    >>> rename(tree, "Gov", "Government").rows()[0]
    ['Local', 'Government', '*']
    """
    _known(tree, old)
    if old in tree.leaf_numbers:
        allowed = "labels of groups; values must be written as the table writes them"
        todo = "rename its group; or remove the value and add another"
        raise HierarchyError("A value cannot be renamed.", WHERE, allowed, repr(old), todo)
    _unused(tree, new)
    return _built([[new if label == old else label for label in row] for row in tree.rows()])


def move(tree: Hierarchy, label: str, parent: str) -> Hierarchy:
    """Hang a group or a value, with all below it, under another group."""
    _known(tree, label)
    above = _path(tree, parent)
    root = tree.labels[0]
    if label in above or label == root:
        what, allowed = "A group cannot be moved into itself.", "a new parent that is neither the group nor below it"
        raise HierarchyError(what, WHERE, allowed, f"{label!r} under {parent!r}", "name another parent")
    rows = [[*_upto(row, label), *above] if label in row else row for row in tree.rows()]
    return _built(rows)


def merge(tree: Hierarchy, labels: Sequence[str], name: str) -> Hierarchy:
    """Put values or groups that have the same parent into one group; groups dissolve in it."""
    for label in labels:
        _known(tree, label)
    tops = {label: _path(tree, label)[1:] for label in labels}
    parents = len({tuple(path) for path in tops.values()})
    if len(labels) < 2 or parents != 1 or not all(tops.values()):
        what, allowed = "Only neighbours can be merged.", "two or more values or groups directly under the same parent"
        received = f"{len(labels)} labels under {parents} parents"
        raise HierarchyError(what, WHERE, allowed, received, "move them under one parent first")
    if name not in labels:
        _unused(tree, name)
    above = next(iter(tops.values()))
    rows = []
    for row in tree.rows():
        hit = next((label for label in labels if label in row), None)
        if hit is None:
            rows.append(row)
        else:
            kept = [hit] if row[0] == hit else [label for label in _upto(row, hit) if label != hit]
            rows.append([*kept, name, *above])
    return _built(rows)


def split(tree: Hierarchy, labels: Sequence[str], name: str) -> Hierarchy:
    """Take some members out of a group into a new group beside it.

    >>> tree = Hierarchy.from_rows([["Local", "Gov", "*"], ["State", "Gov", "*"], ["Private", "*"]])
    >>> split(tree, ["State"], "Federal").rows()[1]
    ['State', 'Federal', '*']
    """
    for label in labels:
        _known(tree, label)
    above = {tuple(_path(tree, label)[1:]) for label in labels}
    if len(above) != 1 or len(next(iter(above))) < 2:
        what, todo = "Only members of one group can be split off.", "choose members of one group"
        allowed = "one or more values or groups directly under the same group, which is not the root"
        raise HierarchyError(what, WHERE, allowed, f"{len(labels)} labels under {len(above)} groups", todo)
    _unused(tree, name)
    (path,) = above
    rows = []
    for row in tree.rows():
        hit = next((label for label in labels if label in row), None)
        rows.append(row if hit is None else [*_upto(row, hit), name, *path[1:]])
    return _built(rows)


def add(tree: Hierarchy, value: str, parent: str) -> Hierarchy:
    """One more value, under a group or the root."""
    _unused(tree, value)
    return _built([*tree.rows(), [value, *_path(tree, parent)]])


def remove(tree: Hierarchy, label: str) -> Hierarchy:
    """Take a value away; or a group, whose members then hang under its parent."""
    _known(tree, label)
    if label == tree.labels[0]:
        allowed = "values and groups below the root"
        raise HierarchyError("The root cannot be removed.", WHERE, allowed, repr(label), "rename it")
    if label in tree.leaf_numbers:
        return _built([row for row in tree.rows() if row[0] != label])
    return _built([[held for held in row if held != label] for row in tree.rows()])


def _path(tree: Hierarchy, label: str) -> list[str]:
    """Labels from a node up to the root; a label that stands on several levels of a branch counts once."""
    _known(tree, label)
    row = next(row for row in tree.rows() if label in row)
    return row[len(_upto(row, label)) - 1 :]


def _upto(row: Sequence[str], label: str) -> list[str]:
    """The part of a line up to the last standing of a label."""
    return list(row[: len(row) - list(reversed(row)).index(label)])


def _known(tree: Hierarchy, label: str) -> None:
    if label not in tree.labels:
        what, allowed = "The hierarchy has no such label.", "labels of values and groups as the file writes them"
        todo = nearest(label, tree.labels) or "see shoal hierarchy show"
        raise HierarchyError(what, WHERE, allowed, repr(label), todo)


def _unused(tree: Hierarchy, label: str) -> None:
    if label in tree.labels or not label.strip():
        what, allowed = "The label cannot be given.", "a label that no other node has, and not an empty one"
        raise HierarchyError(what, WHERE, allowed, repr(label), "choose another label")


def _built(rows: list[list[str]]) -> Hierarchy:
    """The tree, with the lines of one branch together again."""
    return Hierarchy.from_rows(rows, where=WHERE)
