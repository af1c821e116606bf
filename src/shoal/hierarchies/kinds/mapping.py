# SPDX-License-Identifier: Apache-2.0
"""Categories by a mapping that you give: which value belongs to which group, and groups to which larger group.

The file has two columns, value and group (``Spain;Southern Europe``), groups may stand on the left as well
(``Southern Europe;Europe``), and whatever has no group hangs under the root. A JSON object does, too.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from shoal.ground.errors import HierarchyError
from shoal.ground.parameters import parameter
from shoal.hierarchies.hierarchy import ROOT, Hierarchy
from shoal.hierarchies.level_files import named_file, read_text, split_lines
from shoal.hierarchies.values import Values, tree_of


@dataclass(frozen=True)
class Parameters:
    """Where the mapping stands."""

    file: str = parameter("", "the file with one line per value: value;group")


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """A tree from a file of pairs."""
    what, allowed = "Nothing says which value belongs to which group.", "the path of a file with lines value;group"
    return _tree(values, read_pairs(named_file(parameters.file, what, allowed, "mapping")))


def mapping_hierarchy(mapping: Mapping[str, str], values: Iterable[str] | None = None) -> Hierarchy:
    """A tree from a dictionary, over the given values or over all that are no group.

    >>> mapping_hierarchy({"Spain": "Europe", "Italy": "Europe", "Europe": "World"}).rows()
    [['Italy', 'Europe', 'World', '*'], ['Spain', 'Europe', 'World', '*']]
    """
    leaves = values if values is not None else set(mapping) - set(mapping.values())
    return _tree(Values.of(leaves), mapping)


def read_pairs(path: Path) -> dict[str, str]:
    """The pairs of a mapping file."""
    where = f"mapping file {str(path)!r}"
    text = read_text(path, where)
    pairs = _from_json(text) if text.lstrip().startswith("{") else _from_lines(text)
    if pairs is None:
        raise HierarchyError(
            "The mapping cannot be read.",
            where=where,
            allowed="lines value;group, each value once, or a JSON object of texts",
            received="lines with other than two labels, empty labels, or a value with two groups",
            todo="write one line per value: the value, a separator, its group",
        )
    return pairs


def _from_json(text: str) -> dict[str, str] | None:
    try:
        groups = json.loads(text)
    except ValueError:
        return None
    if not isinstance(groups, dict):
        return None
    labels = [*groups, *groups.values()]
    return groups if all(isinstance(label, str) and label for label in labels) else None


def _from_lines(text: str) -> dict[str, str] | None:
    try:
        pairs = dict.fromkeys(map(tuple, split_lines(text)))
    except csv.Error:
        return None
    if any(len(pair) != 2 or not all(pair) for pair in pairs):
        return None
    groups = {pair[0]: pair[1] for pair in pairs}
    return groups if len(groups) == len(pairs) else None


def _tree(values: Values, mapping: Mapping[str, str]) -> Hierarchy:
    rows = []
    for text in values.texts:
        row = [text]
        while row[-1] in mapping and mapping[row[-1]] != ROOT:
            row.append(mapping[row[-1]])
            if row[-1] in row[:-1]:
                raise HierarchyError(
                    "The mapping goes round in a circle.",
                    where=values.where,
                    allowed="groups that lead to ever larger groups",
                    received="a group that is, over other groups, its own group",
                    todo="remove one of the pairs of the circle",
                )
        rows.append([*row, ROOT])
    return tree_of(sorted(rows, key=lambda row: tuple(reversed(row))), values)
