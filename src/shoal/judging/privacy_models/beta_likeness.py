# SPDX-License-Identifier: Apache-2.0
"""No private value is more than (1 + beta) times as common in a class as in the whole table.

With p the share of a value in the table and q its share in a class, the gain of a value that is commoner in the class
is (q - p) / p. Every class must keep, for every value,

* ``basic``: (q - p) / p <= β;
* ``enhanced``: (q - p) / p <= min(β, -ln p), which is stricter for common values, so that the share of none of them can
  come near 1: q stays below (1 - ln p) p.

A value may be rarer in a class than in the table, or absent. A missing private value counts as a value. Each sensitive
column is judged by itself. Rows are alike as in k-anonymity, missing quasi-identifiers being values of their own; under
the plan's ``missing = "wildcard"`` that is the stricter reading, since a union of classes that hold, holds.

The found β is the least with which all classes hold; enhanced, there may be none.

Paper: J. Cao, P. Karras, Publishing microdata with a robust privacy guarantee, PVLDB 5(11), 2012. ARX has both kinds
under the same definitions.

Limits: says nothing about what a class tells by leaving a value out; see ``delta_disclosure``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from shoal.ground.arrays import Floats
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

BASIC, ENHANCED = KINDS = ("basic", "enhanced")


IN_CELLS = True
"""Whether classes can be made to hold it in the parts of a table, knowing the digest of the whole."""
OF_ALL_ROWS = True
"""Whether classes are compared with all released rows, so that who is left out matters to all."""


@dataclass(frozen=True)
class Parameters:
    """What is claimed."""

    kind: str = parameter(ENHANCED, "whether common values are bounded by -ln p, too", choices=KINDS)
    beta: float | None = parameter(None, "largest relative gain; none: tell what holds", least=0)
    columns: tuple[str, ...] = parameter((), "the sensitive columns it is about; none: all")


FLAG: ModelFlag = {"flag": "--beta [COLUMN=][KIND:]BETA", "columns": True, "after": "--t-closeness",
    "forms": {"": [{"beta": "number"}], "basic": [{"beta": "number"}], "enhanced": [{"beta": "number"}]},
    "help": "How much commoner a private value may be in a class than in the table: 2 (enhanced) or basic:2.",
    "examples": "2 (enhanced), enhanced:2, basic:2"}  # fmt: skip


def requirement(parameters: Parameters, table: Table, plan: Plan) -> Requirement:
    """The share of each value is bounded in every class; one class of all rows always holds."""
    columns = sensitive(plan, "beta_likeness", parameters.columns)
    beta = parameters.beta
    if beta is None or not len(table):
        return Requirement()
    rules, size = [], 1
    for name in columns:
        codes = meaning_codes(table, name)
        whole = table.shares(name, codes)
        gain = np.minimum(beta, _ceiling(whole, parameters.kind))
        upper = np.minimum((1 + gain) * whole + NUDGE, 1.0)
        rules.append(Rule("bounds", codes, lower=np.zeros(len(upper)), upper=upper, column=name))
        size = max(size, math.ceil(1 / upper.max() - SLACK))  # some value must fit in once
    return Requirement(size=size, rules=tuple(rules))


def check(released: Table, plan: Plan, parameters: Parameters) -> Finding:
    """Find the largest gain of every class of a released table."""
    return answered(question(released, plan, parameters), released, plan)


def question(table: Table, plan: Plan, parameters: Parameters) -> Question:
    """The largest gain in every class."""
    measure, figure = Measure("beta", parameters.beta), partial(gains, kind=parameters.kind)
    columns = sensitive(plan, "beta_likeness", parameters.columns)
    asked = {name: Asked(private_codes(table, name), figure) for name in columns}
    return Question(asked, measure, partial(finding_above, "beta_likeness", measure, kind=parameters.kind))


def gains(counts: ValueCounts, kind: str) -> Floats:
    """[class] the least β with which it holds; infinite where a gain passes -ln p.

    >>> from shoal.judging.tallying import counted
    >>> counts = counted(np.array([0, 0, 1, 1]), np.array([0, 0, 0, 1]))
    >>> gains(counts, "basic").round(6).tolist(), gains(counts, "enhanced").round(6).tolist()
    ([0.333333, 1.0], [inf, 1.0])
    """
    whole = counts.whole[counts.value]
    gain = (counts.shares - whole) / whole
    gain = np.where(gain > _ceiling(whole, kind) + SLACK, np.inf, np.maximum(gain, 0.0))
    return counts.largest(gain)


def _ceiling(whole: Floats, kind: str) -> Floats:
    """[value] what its gain may not pass whatever β is."""
    return -np.log(whole) if kind == ENHANCED else np.full(len(whole), np.inf)
