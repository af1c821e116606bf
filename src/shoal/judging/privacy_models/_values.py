# SPDX-License-Identifier: Apache-2.0
"""How often each private value occurs in each class: common ground of the models about sensitive columns.

A missing private value counts as a value. Which cells hold the same value is decided twice: for classes yet to be made
by :mod:`shoal.tables.meanings`, for a released table by :mod:`shoal.judging.private_values`. Only the pairs of class
and value that do occur are kept, so a column with as many values as rows costs no more than any other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import PlanError, listed, nearest
from shoal.judging.verdicts import Finding
from shoal.plan.plan import Plan
from shoal.plan.roles import SENSITIVE
from shoal.tables.equivalence_classes import classes
from shoal.tables.table import Table

SLACK = 1e-9
"""Shares and distances are sums of rounded quotients: what passes a limit by less does not pass it."""

NUDGE = 1e-12
"""Bounds that are handed over are wider by this much, so that their own rounding never decides; less than SLACK."""


@dataclass(frozen=True)
class ValueCounts:
    """How many rows of each class show each value; pairs in the order of classes, then of values."""

    owner: Ints
    """[pair] the class."""
    value: Ints
    rows: Ints
    sizes: Ints
    """[class] its rows."""
    totals: Ints
    """[value] rows of the whole table that show it."""

    @cached_property
    def shares(self) -> Floats:
        """[pair] share of the value in the class."""
        return self.rows / self.sizes[self.owner]

    @cached_property
    def whole(self) -> Floats:
        """[value] share in the whole table."""
        return self.totals / max(int(self.totals.sum()), 1)

    @property
    def begin(self) -> Ints:
        """[class] its first pair."""
        return np.flatnonzero(np.diff(self.owner, prepend=-1))

    def largest(self, figures: Floats) -> Floats:
        """[class] the largest figure of its pairs."""
        if not len(figures):
            return np.zeros(0)
        largest: Floats = np.maximum.reduceat(figures, self.begin)
        return largest


def counted(alike: Ints, codes: Ints, rows: Ints | None = None) -> ValueCounts:
    """Count values by class; both are numbered from 0 without gaps. Each entry is a row, or as many as ``rows`` says.

    >>> counted(np.array([0, 0, 0, 1]), np.array([1, 0, 1, 1])).shares.round(3).tolist()
    [0.333, 0.667, 1.0]
    """
    values = int(codes.max(initial=-1)) + 1
    met, which = np.unique(alike * values + codes, return_inverse=True)
    owner, value = np.divmod(met, max(values, 1))
    return ValueCounts(owner, value, *(_summed(of, rows) for of in (which.ravel(), alike, codes)))


def _summed(of: Ints, rows: Ints | None) -> Ints:
    return np.bincount(of, weights=rows).astype(np.int64)


def sensitive(plan: Plan, model: str, only: Sequence[str] = ()) -> list[str]:
    """The sensitive columns, or those of them that a model is to be about."""
    columns = plan.having(SENSITIVE)
    if not columns:
        raise PlanError(
            f"{model.replace('_', '-')} is asked for, but no column is sensitive.",
            where="--sensitive / sensitive / [columns]",
            allowed="one or more sensitive columns",
            received="none",
            todo="name the columns that hold private facts, e.g. --sensitive disease",
        )
    for name in only:
        if name not in columns:
            raise PlanError(
                "A model is asked for about a column that is not sensitive.",
                where=f"parameter 'columns' of model {model!r}",
                allowed=f"sensitive columns: {listed(columns)}",
                received=repr(name),
                todo=nearest(name, columns) or "give the column the role sensitive, or leave it out",
            )
    return [name for name in columns if not only or name in only]


def alike_rows(released: Table, plan: Plan, columns: Sequence[str]) -> Ints:
    """The class of each row of a released table that shows these sensitive columns."""
    released.require(columns, where="sensitive columns of the released table")
    return classes(released, plan.published_quasi_identifiers)


@dataclass(frozen=True)
class Asked:
    """What a model asks about the private values of one column: a number for each class."""

    codes: Ints
    """[row of the table that was looked at, which may be a digest] its value, from 0 without gaps."""
    figure: Callable[[ValueCounts], Floats]
    """[class] how it stands, from how often each value occurs in it."""


@dataclass(frozen=True)
class ClassTally:
    """How some classes stand with a model; those of all parts of a table add up."""

    worst: Mapping[str, float]
    """By column, the figure of the class that stands worst; infinitely good if there is no class."""
    classes: int = 0
    rows: int = 0
    broken: int = 0
    """Classes that break the claim in some column."""
    rows_broken: int = 0

    def joined(self, other: ClassTally, best: float) -> ClassTally:
        """Both together; ``best`` is the figure of no class at all."""
        pick = min if best > 0 else max
        worst = {name: pick(one, other.worst[name]) for name, one in self.worst.items()}
        sums = (getattr(self, name) + getattr(other, name) for name in ("classes", "rows", "broken", "rows_broken"))
        return ClassTally(worst, *sums)


@dataclass(frozen=True)
class Measure:
    """How a model about private values tells classes that keep the claim from those that break it."""

    symbol: str
    claimed: float | None
    slack: float = SLACK
    """A figure breaks the claim if it is beyond it by more."""
    larger_is_better: bool = False

    @property
    def best(self) -> float:
        """What a table without classes is told to have found."""
        return math.inf if self.larger_is_better else -math.inf

    def tally(self, found: Mapping[str, Floats], sizes: Ints) -> ClassTally:
        """How classes of these sizes stand, given their figures by column."""
        broken = np.zeros(len(sizes), dtype=bool)
        for figures in found.values() if self.claimed is not None else ():
            beyond = self.claimed - figures if self.larger_is_better else figures - self.claimed
            broken |= beyond > self.slack
        worst = {
            name: float(figures.min(initial=math.inf) if self.larger_is_better else figures.max(initial=-math.inf))
            for name, figures in found.items()
        }
        return ClassTally(worst, len(sizes), int(sizes.sum()), int(broken.sum()), int(sizes[broken].sum()))


@dataclass(frozen=True)
class Question:
    """All that a model about private values wants to know, whoever counts the classes; and what it says then."""

    columns: Mapping[str, Asked]
    measure: Measure
    told: Callable[[ClassTally], Finding]


def answered(question: Question, released: Table, plan: Plan) -> Finding:
    """What a model says of a table whose classes are counted here."""
    alike = alike_rows(released, plan, list(question.columns))
    found = {name: asked.figure(counted(alike, asked.codes)) for name, asked in question.columns.items()}
    return question.told(question.measure.tally(found, np.bincount(alike)))


def finding_above(model: str, measure: Measure, tally: ClassTally, **more: Any) -> Finding:
    """What a model finds whose parameter is the largest that a class may show, infinite where none would do."""
    symbol = measure.symbol
    shown = {name: _rounded_up(worst) for name, worst in tally.worst.items()}
    known = [one for one in shown.values() if one is not None]
    figures: dict[str, Any] = {
        f"{symbol}_found": max(known) if known and len(known) == len(shown) else None,
        f"{symbol}_claimed": measure.claimed,
        "columns": shown,
        "classes": tally.classes,
        f"classes_above_{symbol}": tally.broken,
        "rows": tally.rows,
        f"rows_above_{symbol}": tally.rows_broken,
        **more,
    }
    holds = None if measure.claimed is None else not tally.broken
    return Finding(model, holds, _statement(symbol, figures), figures)


def _rounded_up(worst: float) -> float | None:
    """The worst class's figure, so that nothing is claimed too much; None if there is no such number."""
    worst = max(worst, 0.0)
    return math.ceil(worst * 1e6 - 1e-3) / 1e6 if math.isfinite(worst) else None


def _statement(symbol: str, figures: Mapping[str, Any]) -> str:
    if not figures["rows"]:
        return "the table has no rows, so no private value is disclosed"
    found, claimed, broken = figures[f"{symbol}_found"], figures[f"{symbol}_claimed"], figures[f"rows_above_{symbol}"]
    said = f"no {symbol} holds" if found is None else f"{symbol} = {found:g}"
    kinds = figures.get("kind")
    if kinds:
        said += f" ({kinds if isinstance(kinds, str) else ', '.join(dict.fromkeys(kinds.values()))})"
    if broken:
        number = figures[f"classes_above_{symbol}"]
        which = f"{number} classes that tell more" if number > 1 else "a class that tells more"
        return f"{said}, but {claimed:g} was claimed: {broken} of {figures['rows']} rows are in {which}"
    columns = len(figures["columns"])
    return f"{said} in the most telling class" + (f" and column of {columns}" if columns > 1 else "")
