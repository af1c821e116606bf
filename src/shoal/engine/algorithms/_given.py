# SPDX-License-Identifier: Apache-2.0
"""Rows that a user may give instead of a draw: the order in which records are visited, the first of every class."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.ground.arrays import Ints
from shoal.ground.errors import PlanError
from shoal.ground.parameters import parameter


def order_parameter(when: str, otherwise: str = "drawn with the seed") -> Any:
    """The parameter ``order``; the method says what happens to rows in that order."""
    help = f"rows in the order in which {when}; {otherwise} if not given"
    return parameter((), help, advanced=True)


def visiting_order(given: tuple[int, ...], n: int, random: np.random.Generator, method: str) -> Ints:
    """A random permutation of all rows; or the given rows first, then all others in row order.

    >>> visiting_order((2, 0), 4, np.random.default_rng(0), "k_members").tolist()
    [2, 0, 1, 3]
    """
    return given_first(given, n, method) if given else random.permutation(n)


def given_first(given: tuple[int, ...], n: int, method: str) -> Ints:
    """The given rows, then all others in row order."""
    rows = _checked(given, n, "The order of rows does not fit the table.", f"parameter 'order' of method {method!r}")
    return np.concatenate([rows, np.setdiff1d(np.arange(n), rows)])


def first_rows(
    given: tuple[int, ...], n: int, n_classes: int, random: np.random.Generator, what: str, method: str
) -> Ints:
    """A row for each class to start from, drawn or given."""
    if not given:
        return random.choice(n, n_classes, replace=False)
    return _checked(given, n, f"{what} do not fit the table.", f"parameter 'init' of method {method!r}", n_classes)


def _checked(given: tuple[int, ...], n: int, what: str, where: str, wanted: int | None = None) -> Ints:
    """The rows, if all are different, in the table and, where that is asked, of the wanted number."""
    rows = np.array(given, dtype=np.int64)
    counted = wanted in (None, len(rows))
    if not counted or len(np.unique(rows)) < len(rows) or rows.min(initial=0) < 0 or rows.max(initial=0) >= n:
        count, reason = ("", "") if wanted is None else (f"{wanted} ", ", one for each k records")
        raise PlanError(
            what,
            where=where,
            allowed=f"{count}different row numbers from 0 to {n - 1}{reason}",
            received=f"{len(rows)} numbers" + (", some repeated or out of range" if counted else ""),
            todo="correct the list, or leave it out",
        )
    return rows
