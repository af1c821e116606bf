# SPDX-License-Identifier: Apache-2.0
"""A tree from a level file of ARX, made to fit the table: its root becomes *, values that it lacks are added.

ARX asks for one line per value. Values of the table without a line are put directly under the root, so that they
are either published as they are or not at all; ``--set gaps=refuse`` stops instead. Values that only the file has
stay, for they count as possible.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import PlanError
from shoal.hierarchies.hierarchy import ROOT, Hierarchy, check_covers
from shoal.hierarchies.kinds._protocol import Values, tree_of
from shoal.hierarchies.level_files import read_levels
from shoal.parameters import parameter


@dataclass(frozen=True)
class Parameters:
    """Which file, and what to do about gaps."""

    file: str = parameter("", "the level file")
    gaps: str = parameter("root", "values without a line: under the root, or refused", choices=("root", "refuse"))


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """The file's tree with the table's values."""
    if not parameters.file:
        raise PlanError(
            "Nothing says which level file to read.",
            where="parameter 'file' of arx",
            allowed="the path of a level file",
            received="nothing",
            todo="name the file with --from",
        )
    tree = read_levels(parameters.file)
    if parameters.gaps == "refuse":
        check_covers(tree, values.texts, column=values.where)
    rows = [[*row[:-1], ROOT] for row in tree.rows()]
    lacking = [[text, ROOT] for text in values.texts if text not in tree.leaf_numbers]
    return tree_of([*rows, *lacking], values)


def arx_hierarchy(path: str | Path, values: Iterable[str] = ()) -> Hierarchy:
    """The tree of a level file, with the values that it lacks under the root."""
    return build(Values.of(values), Parameters(str(path)))
