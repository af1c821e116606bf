# SPDX-License-Identifier: Apache-2.0
"""ARX level files: one row per value, ``leaf;level1;...;root``, read and written.

Separator, encoding and quoting are guessed from the file: ``;`` as ARX writes, else ``,`` or tab. Rows may be
ragged. Written files are UTF-8, ``;``, line feeds, quoted only where a label needs it.

ARX itself is stricter: every line has as many labels as the first one, and the last is ``*``. :func:`write_arx` keeps
to that.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

from shoal.errors import HierarchyError
from shoal.hierarchies.hierarchy import ROOT, Hierarchy

SEPARATORS = ";,\t|"


def read_levels(path: str | Path) -> Hierarchy:
    """Read a level file into a hierarchy, with errors that name the file and the kind of problem."""
    where = f"hierarchy file {str(path)!r}"
    return parse_levels(read_text(Path(path), where), where)


def parse_levels(text: str, where: str) -> Hierarchy:
    """The hierarchy that the content of a level file describes."""
    separator = separator_of(text)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) if row]
    except csv.Error:
        raise HierarchyError(
            "The hierarchy file is no table of labels.",
            where=where,
            allowed=f"labels of at most {csv.field_size_limit():,} characters, separated as in ARX level files",
            received="a label that is longer, or a quote that is never closed",
            todo="look for a quote without its pair",
        ) from None
    rows = [_without_trailing_blanks([label.strip() for label in row]) for row in rows]
    return Hierarchy.from_rows(rows, where=where)


def write_levels(tree: Hierarchy, path: str | Path) -> None:
    """Write a level file that reads back as the same tree (ragged branches stay ragged)."""
    Path(path).write_text(levels_text(tree), encoding="utf-8", newline="")


def write_arx(tree: Hierarchy, path: str | Path) -> None:
    """Write a level file as ARX reads it: lines of equal length, the value first, ``*`` last."""
    write_levels(even(tree), path)


def levels_text(tree: Hierarchy) -> str:
    """The content of a level file."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";", lineterminator="\n")
    for row in tree.rows():
        writer.writerow(row)
    return out.getvalue()


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


def read_text(path: Path, where: str) -> str:
    """The text of a file of labels."""
    try:
        return path.read_bytes().decode("utf-8-sig")
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
            todo="check the path; relative paths start from the plan's folder, or from here for flags",
        ) from None


def separator_of(text: str) -> str:
    """The separator that stands in most of the lines; ARX's own wins ties."""
    lines = text.splitlines()[:1000]
    return max(SEPARATORS, key=lambda mark: (sum(mark in line for line in lines), -SEPARATORS.index(mark)))


def _without_trailing_blanks(row: list[str]) -> list[str]:
    while row and row[-1] == "":
        row.pop()
    return row
