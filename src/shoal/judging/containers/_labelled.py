# SPDX-License-Identifier: Apache-2.0
"""What files of statistical packages carry beside the cells: notes, labels of files, labels of codes no cell has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from shoal.ground.catalog import library
from shoal.ground.wording import counted
from shoal.judging.containers.extras import INFORMATION, NOTE, Extra, OpenedFile, text_of, unseen_values


def described(opened: OpenedFile, reader: str, **options: Any) -> Any:
    """What the library tells about a file besides its cells."""
    stat = library("pyreadstat", extra="stats-formats", what="A look into a file of SPSS, Stata or SAS")
    return getattr(stat, reader)(str(opened.path), metadataonly=True, **options)[1]


def look_at_labels(opened: OpenedFile, meta: Any) -> Iterator[Extra]:
    """Notes, and labels of codes that no cell shows."""
    if meta.notes:
        yield Extra(NOTE, f"carries {counted(len(meta.notes), 'note')}")
    if meta.file_label:
        yield Extra(NOTE, "carries a label of the whole file")
    for name, codes in meta.variable_value_labels.items():
        if unused := _unused(opened, name, codes):
            yield unseen_values(name, unused, "the value labels")
    attached = set(meta.variable_to_label.values())
    if loose := set(meta.value_labels) - attached:
        yield Extra(NOTE, f"carries {counted(len(loose), 'set')} of value labels that belong to no column")
    if named := [name for name, label in meta.column_names_to_labels.items() if label]:
        said = f"carries labels of {counted(len(named), 'column')}, which are published with the table"
        yield Extra(NOTE, said, INFORMATION, tuple(named))


def _unused(opened: OpenedFile, name: str, codes: Mapping[Any, str]) -> int:
    shown = opened.shown.get(name, set())
    return sum(text_of(code) not in shown and str(code) not in shown for code in codes)


def undeclared(opened: OpenedFile, missing: Mapping[str, Any]) -> Iterator[Extra]:
    """Codes that are declared as missing and that no cell shows."""
    for name, ranges in missing.items():
        ends = {end for one in ranges for end in ((one["lo"], one["hi"]) if isinstance(one, dict) else (one,))}
        finite = [end for end in ends if not isinstance(end, float) or abs(end) < 1e300]
        if unused := _unused(opened, name, dict.fromkeys(finite, "")):
            yield unseen_values(name, unused, "the declared missing codes")
