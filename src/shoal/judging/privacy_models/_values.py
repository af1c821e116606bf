# SPDX-License-Identifier: Apache-2.0
"""What the models about sensitive columns have in common.

A missing private value counts as a value. Which cells hold the same value is decided twice: for classes yet to be made
by :mod:`shoal.tables.meanings`, for a released table by :mod:`shoal.judging.private_values`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from shoal.ground.arrays import Ints
from shoal.ground.errors import PlanError, listed, nearest
from shoal.judging.tallying import ClassTally, Measure, Question, counted
from shoal.judging.verdicts import Finding
from shoal.plan.plan import Plan
from shoal.plan.roles import SENSITIVE
from shoal.tables.equivalence_classes import classes
from shoal.tables.table import Table

NUDGE = 1e-12
"""Bounds that are handed over are wider by this much, so that their own rounding never decides; less than SLACK."""


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
