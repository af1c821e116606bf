# SPDX-License-Identifier: Apache-2.0
"""No private value fills more than the share alpha of any class.

(α,k)-anonymity: the table is k-anonymous, which ``k_anonymity`` judges, and in every class each value of a sensitive
column has a share of at most α: whoever finds the class of a person guesses their private value rightly with a chance
of at most α. With ``values`` only the listed ones are bounded (the paper's single sensitive value, such as HIV); the
others may fill a class.

    |rows of C with the value s| / |C| <= α    for every class C and every value s

A missing private value counts as a value, unless values are listed. Each sensitive column is judged by itself. Rows are
alike as in k-anonymity, missing quasi-identifiers being values of their own; under the plan's ``missing = "wildcard"``
that is the stricter reading, since a union of classes that hold, holds.

Paper: R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang, (α,k)-anonymity: an enhanced k-anonymity model for privacy preserving
data publishing, KDD 2006.

Limits: the same as frequency l-diversity with l = 1/α, which it generalises. A bound that a common value needs lets a
rare one become far more common in a class than in the table; see ``beta_likeness``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from shoal.ground.arrays import Flags, Floats, Ints
from shoal.ground.errors import CannotHoldError, PlanError
from shoal.ground.parameters import parameter
from shoal.ground.requirements import Requirement, Rule
from shoal.ground.settings import ModelFlag
from shoal.judging.privacy_models._values import NUDGE, answered, finding_above, sensitive
from shoal.judging.private_values import private_codes
from shoal.judging.tallying import SLACK, Asked, Measure, Question, ValueCounts
from shoal.judging.verdicts import Finding
from shoal.plan.plan import Plan
from shoal.tables.meanings import meaning_codes
from shoal.tables.table import Table

IN_CELLS = True
"""Whether classes can be made to hold it in the parts of a table, knowing the digest of the whole."""


@dataclass(frozen=True)
class Parameters:
    """What is claimed."""

    alpha: float | None = parameter(None, "largest share of a value in a class; none: tell what holds", least=0, most=1)
    values: tuple[str, ...] = parameter((), "the values it bounds, in whichever column they stand; none: all")
    columns: tuple[str, ...] = parameter((), "the sensitive columns it is about; none: all")


FLAG: ModelFlag = {"flag": "--alpha [COLUMN=]SHARE", "columns": True, "after": "--t-closeness",
    "forms": {"": [{"alpha": "number"}]},
    "help": "Largest share of a private value in a class, e.g. 0.5.",
    "examples": "0.5, or any share from 0 to 1"}  # fmt: skip


def requirement(parameters: Parameters, table: Table, plan: Plan) -> Requirement:
    """The share of each value is bounded in every class; refused if not even the whole table stays below."""
    columns = sensitive(plan, "alpha_k", parameters.columns)
    alpha = parameters.alpha
    if alpha is None:
        return Requirement()
    if parameters.values and len(table):
        _refuse_unknown(table, columns, parameters)
    rules = []
    for name in columns:
        codes = meaning_codes(table, name)
        bounded = _bounded(table, name, codes, parameters)
        most = float(table.shares(name, codes)[bounded].max(initial=0.0))
        if most > alpha + SLACK:
            raise _cannot_hold(name, most, parameters)
        upper = np.where(bounded, min(alpha + NUDGE, 1.0), 1.0)
        rules.append(Rule("bounds", codes, lower=np.zeros(len(upper)), upper=upper, column=name))
    size = 1 if parameters.values or not alpha else math.ceil(1 / alpha - SLACK)
    return Requirement(size=size, rules=tuple(rules))


def check(released: Table, plan: Plan, parameters: Parameters) -> Finding:
    """Find the commonest of the bounded values in every class of a released table."""
    return answered(question(released, plan, parameters), released, plan)


def question(table: Table, plan: Plan, parameters: Parameters) -> Question:
    """The share of the commonest of the bounded values in every class."""
    measure = Measure("alpha", parameters.alpha)
    more: dict[str, Any] = {"values": len(parameters.values)} if parameters.values else {}
    columns = sensitive(plan, "alpha_k", parameters.columns)
    asked = {name: _asked(table, name, parameters) for name in columns}
    return Question(asked, measure, partial(finding_above, "alpha_k", measure, **more))


def _asked(table: Table, name: str, parameters: Parameters) -> Asked:
    codes = private_codes(table, name)
    return Asked(codes, partial(_commonest, bounded=_bounded(table, name, codes, parameters)))


def _commonest(counts: ValueCounts, bounded: Flags) -> Floats:
    return counts.largest(np.where(bounded[counts.value], counts.shares, 0.0))


def _bounded(table: Table, name: str, values: Ints, parameters: Parameters) -> Flags:
    """[value] whether its share is bounded: no values are listed, or a cell of its rows is."""
    codes, texts = table.codes(name)
    listed = np.array([*(not parameters.values or text in parameters.values for text in texts), not parameters.values])
    bounded = np.zeros(int(values.max(initial=-1)) + 1, dtype=bool)
    np.logical_or.at(bounded, values, listed[codes])
    return bounded


def _refuse_unknown(table: Table, columns: list[str], parameters: Parameters) -> None:
    """A value that occurs nowhere may be misspelt, and would protect nobody."""
    there = {value for name in columns for value in table.codes(name)[1]}
    absent = sum(value not in there for value in parameters.values)
    if absent:
        raise PlanError(
            "A value is to be bounded that no sensitive column holds.",
            where="parameter 'values' of model 'alpha_k'",
            allowed="values of the sensitive columns, as the table writes them",
            received=f"{len(parameters.values)} values, {absent} of which occur in no row",
            todo="check spelling, case and blanks, or leave them out",
        )


def _cannot_hold(name: str, most: float, parameters: Parameters) -> CannotHoldError:
    least = math.ceil(most * 1e4 - 1e-3) / 1e4
    which = "commonest of the listed values" if parameters.values else "commonest value"
    return CannotHoldError(
        f"alpha = {parameters.alpha:g} is impossible for column {name!r}: "
        f"its {which} fills {100 * most:.0f} % of the rows.",
        where=f"model 'alpha_k', column {name!r}",
        allowed=f"alpha of at least {least:g}",
        received=f"alpha = {parameters.alpha:g}",
        todo=f"ask for alpha = {least:g} or more, or for another model",
    )
