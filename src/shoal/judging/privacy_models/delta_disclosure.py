# SPDX-License-Identifier: Apache-2.0
"""Every private value is nearly as common in every class as in the whole table, by a factor below exp(delta).

With p the share of a value in a class and q its share in the table, every class must keep, for every value of the
column,

    |ln(p / q)| < δ

so that q exp(-δ) < p < q exp(δ). The definition asks this of all values: one that a class does not show at all makes
the logarithm infinite, and the class breaks every δ. That is strict; a column with rare values can be kept so only by
few and large classes.

A missing private value counts as a value. Each sensitive column is judged by itself. Rows are alike as in k-anonymity,
missing quasi-identifiers being values of their own; under the plan's ``missing = "wildcard"`` that is the stricter
reading, since a union of classes that hold, holds.

The found δ is the bound of the worst class, below which δ must not be: the inequality is strict.

Paper: J. Brickell, V. Shmatikov, The cost of privacy: destruction of data-mining utility in anonymized data publishing,
KDD 2008. ARX takes the logarithm to base 2 (its δ is ours / ln 2) and looks only at the values that a class shows.

Limits: the strictest of the models about private values, and the most costly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from shoal.ground.arrays import Floats
from shoal.ground.errors import PlanError
from shoal.ground.parameters import parameter
from shoal.ground.requirements import Requirement, Rule
from shoal.ground.settings import ModelFlag
from shoal.judging.privacy_models._values import answered, finding_above, sensitive
from shoal.judging.private_values import private_codes
from shoal.judging.tallying import SLACK, Asked, Measure, Question, ValueCounts
from shoal.judging.verdicts import Finding
from shoal.plan.plan import Plan
from shoal.tables.meanings import meaning_codes
from shoal.tables.table import Table

IN_CELLS = True
"""Whether classes can be made to hold it in the parts of a table, knowing the digest of the whole."""
OF_ALL_ROWS = True
"""Whether classes are compared with all released rows, so that who is left out matters to all."""


@dataclass(frozen=True)
class Parameters:
    """What is claimed."""

    delta: float | None = parameter(None, "what |ln(p / q)| stays below; none: tell what holds", least=0)
    columns: tuple[str, ...] = parameter((), "the sensitive columns it is about; none: all")


FLAG: ModelFlag = {"flag": "--delta-disclosure [COLUMN=]DELTA", "columns": True,
    "after": "--t-closeness", "forms": {"": [{"delta": "number"}]},
    "help": "What |ln(share in class / share in table)| of private values stays below, e.g. 1.5.",
    "examples": "1.5, or any number above 0"}  # fmt: skip


def requirement(parameters: Parameters, table: Table, plan: Plan) -> Requirement:
    """The share of each value is bounded from both sides in every class; one class of all rows always holds."""
    columns = _columns(plan, parameters)
    if parameters.delta is None or not len(table):
        return Requirement()
    factor = math.exp(max(parameters.delta - SLACK, 0.0))  # the bounds of a rule may be met, those of the model not
    rules, size = [], 1
    for name in columns:
        codes = meaning_codes(table, name)
        whole = table.shares(name, codes)
        upper = np.minimum(whole * factor, 1.0)
        rules.append(Rule("bounds", codes, lower=whole / factor, upper=upper, column=name))
        size = max(size, len(whole), math.ceil(1 / upper.min() - SLACK))  # each value must fit in once
    return Requirement(size=size, rules=tuple(rules))


def check(released: Table, plan: Plan, parameters: Parameters) -> Finding:
    """Find the value whose share is furthest from its share in the table, in every class of a released table."""
    return answered(question(released, plan, parameters), released, plan)


def question(table: Table, plan: Plan, parameters: Parameters) -> Question:
    """How far the furthest value is, in every class."""
    measure = Measure("delta", parameters.delta, slack=-SLACK)
    asked = {name: Asked(private_codes(table, name), disclosures) for name in _columns(plan, parameters)}
    return Question(asked, measure, partial(finding_above, "delta_disclosure", measure))


def disclosures(counts: ValueCounts) -> Floats:
    """[class] the largest |ln(p / q)|; infinite where a value of the table is absent.

    >>> from shoal.judging.tallying import counted
    >>> disclosures(counted(np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 0, 0]))).round(6).tolist()
    [0.510826, inf]
    """
    largest = counts.largest(np.abs(np.log(counts.shares / counts.whole[counts.value])))
    shown = np.bincount(counts.owner, minlength=len(counts.sizes))
    return np.where(shown < len(counts.totals), np.inf, largest)


def _columns(plan: Plan, parameters: Parameters) -> list[str]:
    if parameters.delta is not None and parameters.delta <= SLACK:
        raise PlanError(
            "delta-disclosure needs a delta above 0: the inequality is strict, so 0 can never hold.",
            where="--delta-disclosure / [privacy] delta_disclosure",
            allowed="a number above 0, e.g. 1.5",
            received=f"{parameters.delta:g}",
            todo="ask for a larger delta",
        )
    return sensitive(plan, "delta_disclosure", parameters.columns)
