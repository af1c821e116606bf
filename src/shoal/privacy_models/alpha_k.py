# SPDX-License-Identifier: Apache-2.0
"""No private value fills more than the share alpha of any class.

(α,k)-anonymity: the table is k-anonymous, which ``k_anonymity`` judges, and in every class each value of a sensitive
column has a share of at most α: whoever finds the class of a person guesses their private value rightly with a chance
of at most α. With ``values`` only the listed ones are bounded (the paper's single sensitive value, such as HIV); the
others may fill a class.

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

import numpy as np
from numpy.typing import NDArray

from shoal.errors import CannotHoldError, PlanError
from shoal.parameters import parameter
from shoal.plan import Plan
from shoal.privacy_models._private_values import (
    NUDGE,
    SLACK,
    alike_rows,
    counted,
    finding,
    sensitive_columns,
    value_codes,
)
from shoal.privacy_models._protocol import Finding
from shoal.requirements import Requirement, Rule
from shoal.tables.table import Table

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Parameters:
    """What is claimed."""

    alpha: float | None = parameter(None, "largest share of a value in a class; none: tell what holds", least=0, most=1)
    values: tuple[str, ...] = parameter((), "the values it bounds, in whichever column they stand; none: all")
    columns: tuple[str, ...] = parameter((), "the sensitive columns it is about; none: all")


def requirement(parameters: Parameters, table: Table, plan: Plan) -> Requirement:
    """The share of each value is bounded in every class; refused if not even the whole table stays below."""
    columns = sensitive_columns(plan, "alpha_k", parameters.columns)
    alpha = parameters.alpha
    if alpha is None:
        return Requirement()
    bound = {name: _bounded(table, name, parameters) for name in columns}
    if parameters.values and len(table):
        _refuse_unknown(table, columns, parameters)
    rules = []
    for name, bounded in bound.items():
        codes = value_codes(table, name)
        most = float((np.bincount(codes, minlength=len(bounded))[bounded] / max(len(table), 1)).max(initial=0.0))
        if most > alpha + SLACK:
            raise _cannot_hold(name, most, parameters)
        upper = np.where(bounded, min(alpha + NUDGE, 1.0), 1.0)
        rules.append(Rule("bounds", codes, lower=np.zeros(len(upper)), upper=upper))
    size = 1 if parameters.values or not alpha else math.ceil(1 / alpha - SLACK)
    return Requirement(size=size, rules=tuple(rules))


def check(released: Table, plan: Plan, parameters: Parameters) -> Finding:
    """Find the commonest of the bounded values in every class of a released table."""
    columns = sensitive_columns(plan, "alpha_k", parameters.columns)
    alike = alike_rows(released, plan, columns)
    found = {}
    for name in columns:
        counts = counted(alike, value_codes(released, name))
        bounded = _bounded(released, name, parameters)
        found[name] = counts.largest(np.where(bounded[counts.value], counts.shares, 0.0))
    more = {"values": len(parameters.values)} if parameters.values else {}
    return finding("alpha_k", "alpha", found, np.bincount(alike), parameters.alpha, **more)


def _bounded(table: Table, name: str, parameters: Parameters) -> Flags:
    """[value] whether its share is bounded; values are numbered as by ``value_codes``, missing last."""
    codes, values = table.codes(name)
    listed = [not parameters.values or value in parameters.values for value in values]
    return np.array([*listed, *[not parameters.values] * bool((codes < 0).any())], dtype=bool)


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
