# SPDX-License-Identifier: Apache-2.0
"""Every class holds at least l well-represented values of each sensitive column.

Whoever finds the class of a person, but not the row, should not learn their private value. What "well-represented"
means is the ``kind``:

* ``distinct``: the class has l or more different values;
* ``frequency``: its commonest value has at most 1/l of the rows; l need not be whole;
* ``entropy``: the entropy of its values is at least log l, the entropy of l equally common values; l need not be whole;
* ``recursive``: with the counts in descending order, r1 < c (r_l + ... + r_m): the commonest value stays behind the
  sum of the rarer ones, c being a parameter. A class with fewer than l values fails.

A missing private value counts as a value. Values count by what they mean: ``5`` and ``5.0`` are one, ``flu`` and
``FLU``, a day and its midnight, and so are all spellings of missing. Each sensitive column is judged by itself, and the
table is as diverse as its worst class. Rows are alike as in k-anonymity, missing quasi-identifiers being values of
their own; under the plan's ``missing = "wildcard"`` that is the stricter reading, since a union of diverse classes is
diverse.

Paper: A. Machanavajjhala, J. Gehrke, D. Kifer, M. Venkitasubramaniam, l-diversity: privacy beyond k-anonymity, ICDE
2006; the frequency form as in He et al. 2012.

Limits: says nothing about how alike the values are (three kinds of cancer are three values), nor about what the share
of a value in the class tells compared with its share in the table. Several sensitive columns are not protected against
somebody who already knows one of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import CannotHoldError, PlanError
from shoal.ground.parameters import parameter
from shoal.ground.requirements import Requirement, Rule
from shoal.ground.settings import ModelFlag
from shoal.judging.privacy_models._values import answered, sensitive
from shoal.judging.private_values import private_codes
from shoal.judging.tallying import SLACK, Asked, ClassTally, Measure, Question, ValueCounts, counted
from shoal.judging.verdicts import Finding
from shoal.plan.plan import Plan
from shoal.tables.meanings import meaning_codes
from shoal.tables.table import Table

KINDS = ("distinct", "frequency", "entropy", "recursive")
REAL = ("frequency", "entropy")
"""Kinds whose l need not be whole."""


IN_CELLS = True
"""Whether classes can be made to hold it in the parts of a table, knowing the digest of the whole."""


@dataclass(frozen=True)
class Parameters:
    """What is claimed."""

    kind: str = parameter("distinct", "when values count as well-represented", choices=KINDS)
    l: float | None = parameter(None, "how many values; none: tell what holds", least=1)  # noqa: E741  (its name in all papers)
    c: float | None = parameter(None, "the factor of kind 'recursive', and of no other", least=0)
    columns: tuple[str, ...] = parameter((), "the sensitive columns it is about; none: all")


FLAG: ModelFlag = {"flag": "--l-diversity [COLUMN=][KIND:]L", "columns": True,
    "forms": {"distinct": [{"l": "whole"}], "frequency": [{"l": "number"}],
              "entropy": [{"l": "number"}], "recursive": [{"l": "whole", "c": "number"}]},
    "help": "Private values per class: 3 (distinct), frequency:3, entropy:2.5 or recursive:3:2.",
    "examples": "3 or distinct:3, frequency:3, entropy:2.5, recursive:3:2 (l, then c)"}  # fmt: skip


def requirement(parameters: Parameters, table: Table, plan: Plan) -> Requirement:
    """Every class holds l records or more, and its values obey a rule; refused if not even the whole table does."""
    columns = judged_columns(plan, parameters)
    wanted = _plain(parameters.l)
    if wanted is None:
        return Requirement()
    rules = []
    for name in columns:
        codes = meaning_codes(table, name)
        whole = counted(np.zeros(len(table), dtype=np.int64), codes, table.stands_for.get(name))
        most = float(levels(whole, parameters).min(initial=math.inf))
        if most < wanted - SLACK:
            raise _cannot_hold(name, codes, most, wanted, parameters)
        rules.append(_rule(name, codes, wanted, parameters))
    return Requirement(size=math.ceil(wanted - SLACK), rules=tuple(rules))


def check(released: Table, plan: Plan, parameters: Parameters) -> Finding:
    """Count the private values of every class of a released table."""
    return answered(question(released, plan, parameters), released, plan)


def question(table: Table, plan: Plan, parameters: Parameters) -> Question:
    """The l of every class."""
    figure = partial(levels, parameters=parameters)
    asked = {name: Asked(private_codes(table, name), figure) for name in judged_columns(plan, parameters)}
    measure = Measure("l", parameters.l, larger_is_better=True)
    return Question(asked, measure, partial(_finding, parameters=parameters))


def _finding(tally: ClassTally, parameters: Parameters) -> Finding:
    shown = {name: _rounded_down(worst) for name, worst in tally.worst.items()}
    figures: dict[str, Any] = {
        "kind": parameters.kind,
        "l_found": min((one for one in shown.values() if one is not None), default=None),
        "l_claimed": _plain(parameters.l),
        "columns": shown,
        "classes": tally.classes,
        "classes_below_l": tally.broken,
        "rows": tally.rows,
        "rows_below_l": tally.rows_broken,
    }
    holds = None if parameters.l is None else not tally.broken
    return Finding("l_diversity", holds, statement(figures), figures)


def levels(counts: ValueCounts, parameters: Parameters) -> Floats:
    """The l of each class: the largest for which it is diverse (of kind entropy and frequency, not only whole ones).

    >>> counts = counted(np.array([0, 0, 0, 1, 1]), np.array([0, 1, 1, 2, 0]))
    >>> levels(counts, Parameters("frequency")).tolist()
    [1.5, 2.0]
    """
    if not len(counts.sizes):
        return np.zeros(0)
    order = np.lexsort((-counts.rows, counts.owner))
    owner, rows = counts.owner[order], counts.rows[order]
    begin, sizes = counts.begin, counts.sizes.astype(np.float64)
    most = rows[begin]
    if parameters.kind == "distinct":
        return np.diff(begin, append=len(rows)).astype(np.float64)
    if parameters.kind == "frequency":
        return sizes / most
    if parameters.kind == "entropy":
        shares = rows / sizes[owner]
        surprise: Floats = np.add.reduceat(-shares * np.log(shares), begin)
        return np.exp(surprise).round(9)
    before = np.cumsum(rows) - rows
    from_here = sizes[owner] - (before - before[begin][owner])
    passed = most[owner] < np.round((parameters.c or 0.0) * from_here, 9)
    return np.add.reduceat(passed.astype(np.int64), begin).astype(np.float64)


def _plain(l: float | None) -> float | int | None:  # noqa: E741
    """Without a decimal point where it is whole."""
    return l if l is None or l != int(l) else int(l)


def _rule(name: str, codes: Ints, wanted: float, parameters: Parameters) -> Rule:
    if parameters.kind == "frequency":
        return Rule("share", codes, 1 / wanted, column=name)
    if parameters.kind == "recursive":
        return Rule("recursive", codes, parameters.c or 0.0, rank=int(wanted), column=name)
    return Rule(parameters.kind, codes, wanted, column=name)


def judged_columns(plan: Plan, parameters: Parameters) -> list[str]:
    """The sensitive columns; refuses claims that say too little or too much."""
    columns = sensitive(plan, "l_diversity", parameters.columns)
    if (parameters.kind == "recursive") != (parameters.c is not None):
        raise PlanError(
            "The factor c belongs to recursive l-diversity, which needs it.",
            where="--l-diversity / [privacy] l_diversity",
            allowed="kind 'recursive' with c, e.g. --l-diversity recursive:3:2, or another kind without c",
            received=f"kind {parameters.kind!r} {'without' if parameters.c is None else 'with'} c",
            todo="add c, or leave it out",
        )
    if parameters.kind not in REAL and isinstance(_plain(parameters.l), float):
        raise PlanError(
            "l counts values here, so it must be a whole number.",
            where="--l-diversity / [privacy] l_diversity",
            allowed=f"a whole number; other numbers for the kinds {' and '.join(REAL)}",
            received=f"l = {parameters.l:g} of kind {parameters.kind!r}",
            todo="round it up, or choose another kind",
        )
    return columns


def _cannot_hold(name: str, codes: Ints, most: float, wanted: float, parameters: Parameters) -> CannotHoldError:
    """The reason in numbers, none of which is a private value."""
    whole = np.bincount(codes)
    reason = f"its commonest value fills {100 * whole.max() / len(codes):.0f} % of the rows"
    if parameters.kind == "distinct":
        reason = f"it has {len(whole)} different value{'s' if len(whole) > 1 else ''}"
    elif parameters.kind == "entropy":
        reason += f", and all of them are as diverse as {most:.3g} equally common values"
    kind = parameters.kind if parameters.c is None else f"{parameters.kind}, c = {parameters.c:g}"
    largest = math.floor(most + SLACK)
    finest = math.floor(most * 100 + 1e-6) / 100
    finer = f"; {finest:g} if it need not be whole" if parameters.kind in REAL and finest > largest else ""
    return CannotHoldError(
        f"l = {wanted:g} is impossible for column {name!r}: {reason}.",
        where=f"model 'l_diversity', column {name!r}",
        allowed=f"l of at most {largest} ({kind}{finer})" if largest else f"no l at all ({kind})",
        received=f"l = {wanted:g}",
        todo=f"ask for l = {largest} or less, or for another kind"
        if largest
        else "ask for a larger c, or for another kind",
    )


def _rounded_down(worst: float) -> float | int | None:
    """The worst class's l, so that nothing is claimed too much; None if there is no class."""
    if math.isinf(worst):
        return None
    worst = math.floor(worst * 1e6) / 1e6
    return int(worst) if worst == int(worst) else worst


def statement(figures: Mapping[str, Any]) -> str:
    """The finding in words."""
    kind, found, claimed = figures["kind"], figures["l_found"], figures["l_claimed"]
    if not figures["rows"]:
        return "the table has no rows, so no private value is disclosed"
    if figures["rows_below_l"]:
        number = figures["classes_below_l"]
        which = f"{number} classes that are less diverse" if number > 1 else "a class that is less diverse"
        return (
            f"l = {found} ({kind}), but {claimed} was claimed: {figures['rows_below_l']} of {figures['rows']} rows "
            f"are in {which}"
        )
    columns = len(figures["columns"])
    return f"l = {found} ({kind}) in the least diverse class" + (f" and column of {columns}" if columns > 1 else "")
