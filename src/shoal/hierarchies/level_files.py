# SPDX-License-Identifier: Apache-2.0
"""ARX level files: one row per value, ``leaf;level1;...;root``, read and written.

Separator, encoding and quoting are guessed from the file: ``;`` as ARX writes, else ``,`` or tab. Rows may be
ragged. Written files are UTF-8, ``;``, line feeds, quoted only where a label needs it.

ARX itself is stricter: every line has as many labels as the first one, and the last is ``*``. :func:`even` makes
such trees.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from pathlib import Path

from shoal.ground import catalog
from shoal.ground.csv_text import csv_text
from shoal.ground.errors import HierarchyError, PlanError
from shoal.ground.limits import TREE_BYTES, limited_bytes
from shoal.hierarchies.hierarchy import ROOT, Hierarchy

SEPARATORS = ";,\t|"
PATHS = "check the path; relative paths start from the plan's folder, or from here for flags"
FOLDER = "hierarchies"
"""The folder of trees beside a plan."""


def read_levels(path: str | Path) -> Hierarchy:
    """Read a level file into a hierarchy, with errors that name the file and the kind of problem."""
    where = f"hierarchy file {str(path)!r}"
    return parse_levels(read_text(Path(path), where), where)


def parse_levels(text: str, where: str) -> Hierarchy:
    """The hierarchy that the content of a level file describes."""
    try:
        rows = split_lines(text)
    except csv.Error:
        raise HierarchyError(
            "The hierarchy file is no table of labels.",
            where=where,
            allowed=f"labels of at most {csv.field_size_limit():,} characters, separated as in ARX level files",
            received="a label that is longer, or a quote that is never closed",
            todo="look for a quote without its pair",
        ) from None
    for row in rows:
        while row and row[-1] == "":
            row.pop()
    return Hierarchy.from_rows(rows, where=where)


def write_levels(tree: Hierarchy, path: str | Path) -> None:
    """Write a level file that reads back as the same tree (ragged branches stay ragged)."""
    Path(path).write_text(levels_text(tree), encoding="utf-8", newline="")


def levels_text(tree: Hierarchy) -> str:
    """The content of a level file."""
    return csv_text(tree.rows(), ";")


def safe_names(names: Iterable[str]) -> dict[str, str]:
    """A file name for each column name, whatever characters it has; no two differ in case only.

    >>> safe_names(["age", "Age", "a/b", "..", ""])
    {'age': 'age', 'Age': 'Age-2', 'a/b': 'a_b', '..': 'column', '': 'column-2'}
    """
    safe: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        stem = re.sub(r"[^\w-]+", "_", name)[:60].strip("_") or "column"
        found, number = stem, 1
        while found.casefold() in taken:
            number += 1
            found = f"{stem}-{number}"
        taken.add(found.casefold())
        safe[name] = found
    return safe


def even(tree: Hierarchy) -> Hierarchy:
    """The same groups with branches of equal length, short ones filled with their own value; the root is ``*``.

    >>> even(Hierarchy.from_rows([["Local", "Gov", "Any"], ["Private", "Any"]])).rows()
    [['Local', 'Gov', '*'], ['Private', 'Private', '*']]
    """
    depths = tree.depths[tree.leaves]
    if tree.labels[0] == ROOT and (depths == depths[0]).all():
        return tree
    rows = [[row[0]] * (tree.levels - len(row)) + row[:-1] + [ROOT] for row in tree.rows()]
    return Hierarchy.from_rows(rows)


def named_file(path: str, what: str, allowed: str, kind: str) -> Path:
    """The file that a builder needs, refused where none is named."""
    if not path:
        raise PlanError(
            what,
            where=f"parameter 'file' of {kind}",
            allowed=allowed,
            received="nothing",
            todo="name the file with --from",
        )
    return Path(path)


def read_text(path: Path, where: str) -> str:
    """The text of a file of labels."""
    try:
        return limited_bytes(path, TREE_BYTES, where, HierarchyError).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise HierarchyError(
            "The hierarchy file is not UTF-8 text.",
            where=where,
            allowed="a UTF-8 text file in ARX level format (leaf;level1;...;*)",
            received=f"bytes that are not UTF-8 at position {problem.start}",
            todo="save the file as UTF-8",
        ) from None
    except OSError as problem:
        raise HierarchyError(
            "The hierarchy file cannot be read.",
            where=where,
            allowed="a readable file in ARX level format",
            received=problem.strerror or "an unreadable file",
            todo=_built(path.name) or PATHS,
        ) from None


def _built(name: str) -> str:
    """What to do where not a file but a way to build one was named."""
    if name not in catalog.names("hierarchy_kinds"):
        return ""
    return f"{name} is a way to build one: shoal hierarchy build TABLE COLUMN --kind {name} -o FILE, and name that FILE"


def split_lines(text: str) -> list[list[str]]:
    """The labels of each line, parted by the separator that stands in most of the lines; ARX's own wins ties."""
    lines = text.splitlines()[:1000]
    separator = max(SEPARATORS, key=lambda mark: sum(mark in line for line in lines))
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    return [[label.strip() for label in row] for row in rows if row]
