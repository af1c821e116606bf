# SPDX-License-Identifier: Apache-2.0
"""A tree from a level file of ARX, made to fit the table: its root becomes *, values that it lacks are added.

ARX asks for one line per value. Values of the table without a line are put directly under the root, so that they
are either published as they are or not at all; ``--set gaps=refuse`` stops instead. Values that only the file has
stay, for they count as possible.
"""

from __future__ import annotations

from dataclasses import dataclass

from shoal.ground.parameters import choice, parameter
from shoal.hierarchies.hierarchy import ROOT, Hierarchy, check_covers
from shoal.hierarchies.level_files import named_file, read_levels
from shoal.hierarchies.values import Values, tree_of


@dataclass(frozen=True)
class Parameters:
    """Which file, and what to do about gaps."""

    file: str = parameter("", "the level file")
    gaps: str = choice("values without a line: under the root, or refused", "root", "refuse")


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """The file's tree with the table's values."""
    file = named_file(parameters.file, "Nothing says which level file to read.", "the path of a level file", "arx")
    tree = read_levels(file)
    if parameters.gaps == "refuse":
        check_covers(tree, values.texts, column=values.where)
    rows = [[*row[:-1], ROOT] for row in tree.rows()]
    lacking = [[text, ROOT] for text in values.texts if text not in tree.leaf_numbers]
    return tree_of([*rows, *lacking], values)
