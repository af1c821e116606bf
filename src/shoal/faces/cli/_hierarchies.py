# SPDX-License-Identifier: Apache-2.0
"""What the hierarchy commands share: a column's values, edits by flags or in an editor, files written whole."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.faces.cli._settings import reading_of
from shoal.ground.errors import HierarchyError, OutputError, PlanError
from shoal.ground.writing import unwritable, write_files

if TYPE_CHECKING:
    from shoal.hierarchies.hierarchy import Hierarchy


def looked_up(file: Path, given: Mapping[str, Any]) -> dict[str, int] | None:
    """Rows of each value of the column that goes with a hierarchy file; None if no table is named."""
    if given["of"] is None:
        if given["column"] is not None:
            raise PlanError(
                "A column was named, but no table.",
                where="flag --column",
                allowed="--column together with --of",
                received="--column alone",
                todo="name the table with --of",
            )
        return None
    from shoal.hierarchies.building import values_of
    from shoal.tables.sources import read_table

    table = read_table(given["of"], reading_of(given)).table
    column = given["column"] or file.stem
    table.require([column], where="flag --column")
    values = values_of(table, column)
    return dict(zip(values.texts, values.counts.tolist(), strict=True))


def nested_facts(tree: Hierarchy, counts: Mapping[str, int] | None) -> dict[str, Any]:
    """The tree as nested objects: label, rows, children."""
    from shoal.hierarchies.outline import children_of, node_rows

    rows = None if counts is None else node_rows(tree, counts)
    facts: list[dict[str, Any]] = [
        {"label": label, **({} if rows is None else {"rows": int(rows[node])})}
        for node, label in enumerate(tree.labels)
    ]
    for node, below in enumerate(children_of(tree)):
        if below:
            facts[node]["children"] = [facts[child] for child in below]
    return facts[0]


def edited(tree: Hierarchy, changes: Mapping[str, Any]) -> Hierarchy:
    """The tree after the changes that flags ask for."""
    from shoal.hierarchies import editing

    for old, new in changes["rename"].items():
        tree = editing.rename(tree, old, new)
    for value, group in changes["add"].items():
        tree = editing.add(tree, value, group)
    for label, group in changes["move"].items():
        tree = editing.move(tree, label, group)
    for name, labels in changes["merge"].items():
        tree = editing.merge(tree, next(csv.reader([labels], skipinitialspace=True)), name)
    for label in changes["remove"]:
        tree = editing.remove(tree, label)
    return tree


def in_editor(file: Path) -> Hierarchy:
    """The tree after a visit to the user's editor; a draft that is no tree is kept, and the file left alone."""
    from shoal.hierarchies.level_files import parse_levels, read_levels, read_text

    where = f"hierarchy file {str(file)!r}"
    text = click.edit(read_text(file, where), extension=".csv")
    if text is None:
        return read_levels(file)
    try:
        return parse_levels(text, where)
    except HierarchyError as problem:
        draft = file.with_name(f"{file.name}.draft")
        write_whole(draft, text, overwrite=True)
        problem.todo += f"; your text is kept in {draft.name}, {file.name} is unchanged"
        raise


def write_whole(path: Path, text: str, *, overwrite: bool) -> None:
    """Write a file, whole or not at all."""
    if os.path.lexists(path) and not overwrite:
        raise OutputError(
            "The file exists already.",
            where=f"file {str(path)!r}",
            allowed="a new file, or --overwrite",
            received="a file of that name",
            todo="choose another name, or add --overwrite",
        )
    try:
        write_files({path: text})
    except OSError as problem:
        allowed = "a place that exists, with room and permission to write"
        what, where = "The file cannot be written.", f"file {str(path)!r}"
        raise unwritable(problem, what, where, allowed, "choose another place with -o") from None
