# SPDX-License-Identifier: Apache-2.0
"""What the maker of a release knows and nobody else may: one object beside the release, in no file of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from shoal.ground.arrays import Ints
from shoal.ground.errors import OutputError
from shoal.judging.boxes import Rings
from shoal.tables.table import Table


@dataclass(frozen=True, repr=False, eq=False)
class Private:
    """Links released rows to input rows, and holds what is still needed of the input. Never pickled."""

    classes: Ints
    """Class of each *input* row, -1 if it was left out; of sub-tables, as if joined; of boxes, the ring."""
    rows: tuple[Ints, ...]
    """Input row shown in each released row, table by table."""
    original: Table | None = None
    """The quasi-identifiers of the input, and survey weights, for the portrait and for the judge of boxes."""
    persons: Ints | None = None
    """Number of the person behind each released row, where k counts persons."""
    own_k: Ints | None = None
    """Look-alikes that the person of each *input* row asks for, where a model is about that."""
    rings: Rings | None = None
    """Whose box is whose."""
    hand_back: Callable[..., Any] | None = None
    """Turns a released table into the kind of frame that came in, with the input's own untouched columns."""

    def __reduce__(self) -> NoReturn:
        raise OutputError(
            "The release still holds private things: classes, the rows behind its rows, columns of the original.",
            where="pickle",
            allowed="a release that holds nothing private",
            received="a release as it was made",
            todo="pickle release.publishable(), or save the release with release.save(folder)",
        )
