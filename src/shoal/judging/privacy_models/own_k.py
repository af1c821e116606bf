# SPDX-License-Identifier: Apache-2.0
"""Every row has as many look-alikes as the person behind it asks for: personalised k.

Some people need more protection than others, or ask for it. A release keeps own-k if each row stands in a class of at
least as many rows as its person asks for; so every class satisfies the largest k of its members. The plan's k is the
least that anybody gets.

    |C| >= max(k, largest k that a row of C asks for)    for every class C

A column of the table tells the k of each row; unless the plan says otherwise it is not published, for the wish tells
something about the person. Or the values of a column ask for a k, e.g. 20 for one diagnosis, and all other values for
the plan's. Where that column is published as it is (a sensitive one), anybody can judge the release. Else its maker
judged it row by row, and whoever has the original can judge whether the release is such a one of it: whether all its
rows can be given to different records of the original that its labels allow, each in a class that is large enough.

Paper: X. Xiao, Y. Tao, Personalized privacy preservation, SIGMOD 2006, for the idea of a protection of one's own;
personalised k as in B. Gedik, L. Liu, Location privacy in mobile systems: a personalized anonymization model,
ICDCS 2005.

Limits: says nothing about private values. Counts rows, so it cannot be asked for where k counts persons. A wish that
follows from what everybody knows may tell whose class is large.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from shoal.ground.arrays import Flags, Floats, Ints
from shoal.ground.errors import CannotHoldError, PlanError, TableError
from shoal.ground.parameters import parameter
from shoal.ground.requirements import Requirement, Rule
from shoal.ground.settings import ModelFlag
from shoal.ground.wording import counted
from shoal.judging.labels.reach import CENTRES
from shoal.judging.linking.assigning import Undecided, most_placed
from shoal.judging.linking.matching import match
from shoal.judging.tallying import Asked, ClassTally, Measure, Question, ValueCounts
from shoal.judging.verdicts import Beside, Finding
from shoal.plan.plan import Plan
from shoal.plan.roles import QUASI_IDENTIFIER
from shoal.tables.digest import rows_meant
from shoal.tables.equivalence_classes import class_sizes, has_missing, wildcard_class_sizes
from shoal.tables.table import Table

IN_CELLS = True
"""Whether classes can be made to hold it in the parts of a table, if those show the column."""
WHERE = "--own-k / [privacy] own_k"
WHOLE = re.compile(r"\s*[0-9]{1,9}(\.0*)?\s*", re.ASCII)


@dataclass(frozen=True)
class Parameters:
    """What is claimed."""

    column: str | None = parameter(None, "the column with the k of each row, or whose values ask for one")
    values: Mapping[str, int] | None = parameter(None, "the k that values of the column ask for; others: the plan's")


FLAG: ModelFlag = {"flag": "--own-k COLUMN[=VALUE:K,...]", "reads": "column", "forms": {},
    "help": "The column with the k of each row, or values of a column that ask for a larger one.",
    "examples": "wish (a column of numbers), or diagnosis=HIV:20,TB:10"}  # fmt: skip


def own_sizes(table: Table, plan: Plan, parameters: Parameters) -> Ints:
    """[row] the k that its person gets: what is asked for, and no less than the plan's."""
    name = str(parameters.column)
    table.require([name], where=WHERE)
    codes, texts = table.codes(name)
    if parameters.values is None:
        return np.maximum(_wishes(codes, texts, name), plan.k)
    asked = _of_values(parameters.values)
    sizes = np.array([*(asked.get(text, 1) for text in texts), 1], dtype=np.int64)  # the last: missing
    return np.maximum(sizes[codes], plan.k)


def _wishes(codes: Ints, texts: list[str], name: str) -> Ints:
    """The numbers of a column; refused if a cell is missing or is no whole number of at least 1."""
    sizes = np.array([int(float(text)) if WHOLE.fullmatch(text) else 0 for text in [*texts, ""]], dtype=np.int64)
    bad = int((sizes[codes] < 1).sum())
    if bad:
        raise TableError(
            "Some cells of the column with the k of each row tell none.",
            where=f"{WHERE}, column {name!r}",
            allowed="a whole number of at least 1 in every row",
            received=f"{counted(bad, 'row')} with something else, or with nothing",
            todo="fill in 1 where nobody asked for more: everybody gets the k of the plan",
        )
    return sizes[codes]


def _of_values(values: Mapping[str, int]) -> Mapping[str, int]:
    for k in values.values():
        if not isinstance(k, int) or isinstance(k, bool) or k < 1:
            raise PlanError(
                "A value asks for a k that is none.",
                where=WHERE,
                allowed="a whole number of at least 1 for each value",
                received=f"something of type {type(k).__name__}" if not isinstance(k, int) else str(k),
                todo="write it like --own-k diagnosis=HIV:20",
            )
    return values


def requirement(parameters: Parameters, table: Table, plan: Plan) -> Requirement:
    """Classes as large as each of their rows asks for; refused if somebody asks for more rows than there are."""
    if parameters.column is None:
        return Requirement()
    if plan.person is not None:
        raise PlanError(
            "A k of one's own counts rows, and this plan counts persons.",
            where=f"{WHERE}, --person / [privacy] person",
            allowed="one of the two",
            received="both",
            todo="leave out one of them",
        )
    own = own_sizes(table, plan, parameters)
    missed = set(parameters.values or ()) - set(table.codes(parameters.column)[1])
    if missed:
        raise CannotHoldError(
            "Values ask for a k of their own that no row has.",
            where=f"{WHERE}, column {parameters.column!r}",
            allowed="values of the column, written as they stand there",
            received=f"{len(missed)} values that do not occur, of {len(parameters.values or ())}",
            todo="mend their spelling, or leave them out",
        )
    rows = rows_meant(table)
    if len(own) and own.max() > rows:
        what, allowed = "Somebody asks for more look-alikes than the table has rows.", f"a k of at most {rows}"
        where, larger = f"{WHERE}, column {parameters.column!r}", _rows(table, parameters, own > rows)
        todo = "ask for less, or release more rows"
        raise CannotHoldError(what, where, allowed, f"{counted(larger, 'row')} with a larger one", todo)
    sizes, codes = np.unique(own, return_inverse=True)
    if len(sizes) < 2:
        return Requirement(size=int(sizes.max(initial=plan.k)))
    rule = Rule("own_size", codes.astype(np.int64), sizes=sizes, column=parameters.column)
    return Requirement(size=int(sizes[0]), rules=(rule,))


def check(released: Table, plan: Plan, parameters: Parameters) -> Finding:
    """Judge a table by itself: as far as it shows what asks for a larger k."""
    return check_beside(released, plan, parameters, Beside())


def check_beside(released: Table, plan: Plan, parameters: Parameters, beside: Beside) -> Finding:
    """Judge by what the maker knows of every row, by what the table shows, or by the original, whichever is there."""
    name = parameters.column
    if name is None:
        return Finding("own_k", None, "no column tells who asks for a larger k, so nothing more is asked")
    if beside.own_k is not None:
        return _by_rows(released, plan, beside.own_k)
    role = plan.columns[name].role if name in plan.columns else None
    if name in released.names and role != QUASI_IDENTIFIER:
        return _by_rows(released, plan, own_sizes(released, plan, parameters))
    if beside.original is not None:
        return _by_original(released, plan, own_sizes(beside.original, plan, parameters), beside.original)
    said = "who asks for a larger k is not published; it was judged when the release was made, and can be beside the "
    return Finding("own_k", None, said + "original (--original)", judged=False)


def question(table: Table, plan: Plan, parameters: Parameters) -> Question:
    """Whether every class of a table that shows the column has as many rows as each of its rows asks for."""
    own = own_sizes(table, plan, parameters)
    sizes, codes = np.unique(own, return_inverse=True)
    asked = Asked(codes.astype(np.int64), partial(_beyond, asked=sizes.astype(np.float64)))
    more = _rows(table, parameters, own > plan.k)
    told = partial(_told, {"rows_asking_more": more, "largest_own_k": int(own.max(initial=plan.k))}, plan.k)
    return Question({str(parameters.column): asked}, Measure("own_k", 0.0, larger_is_better=True), told)


def _beyond(counts: ValueCounts, asked: Floats) -> Floats:
    """[class] how many rows it has beyond what its rows ask for."""
    beyond: Floats = counts.sizes - counts.largest(asked[counts.value])
    return beyond


def _told(asking: dict[str, Any], k: int, tally: ClassTally) -> Finding:
    """What is said of classes that were counted, some of them for too few rows."""
    figures = {"rows": tally.rows, **asking, "classes_below_own_k": tally.broken}
    if tally.broken:
        said = f"{tally.broken} of {tally.classes} classes have fewer rows than somebody in them asks for"
        return Finding("own_k", False, said, figures)
    said = (
        f"every row has as many look-alikes as its person asks for, {asking['rows_asking_more']} of them more than {k}"
    )
    return Finding("own_k", True, f"{said}, up to {asking['largest_own_k']}", figures)


def _rows(table: Table, parameters: Parameters, which: Flags) -> int:
    """How many rows the chosen ones of a table, or of a digest, stand for."""
    return int(table.stands_for.get(str(parameters.column), np.ones(len(table), dtype=np.int64))[which].sum())


def _by_rows(released: Table, plan: Plan, own: Ints) -> Finding:
    """Every row by itself: its look-alikes are counted."""
    columns = plan.published_quasi_identifiers
    wildcard = plan.missing == "wildcard" and has_missing(released, columns)
    below = int(((wildcard_class_sizes if wildcard else class_sizes)(released, columns) < own).sum())
    said = "every row has as many look-alikes as its person asks for"
    if below:
        said = f"{below} of {len(own)} rows have fewer look-alikes than their person asks for"
    return Finding(
        "own_k", not below, f"{said}, {_asked(own, plan)}", {**_figures(own, plan), "rows_below_own_k": below}
    )


def _by_original(released: Table, plan: Plan, own: Ints, original: Table) -> Finding:
    """Whether all rows can be given to records of the original that their labels allow, in classes large enough."""
    figures = {**_figures(own, plan), "rows": len(released)}
    if any(plan.rendering(name) in CENTRES for name in plan.quasi_identifiers):
        said = "the release shows centres of classes, by which nobody can tell who is in them"
        return Finding("own_k", None, said, figures, judged=False)
    found = match(released, original, plan)
    try:
        placed = most_placed(found, own)
    except Undecided:
        said = "there are too many ways in which the rows may be those of the original to try them all"
        return Finding("own_k", None, said, figures, judged=False)
    lost = len(released) - placed
    said = "by its labels, the table is a release of the original in which every class is as large as its members ask"
    if lost:
        said = f"{lost} of {len(released)} rows can be of nobody in the original whose k their class satisfies"
    return Finding("own_k", not lost, f"{said}, {_asked(own, plan)}", {**figures, "rows_below_own_k": lost})


def _figures(own: Ints, plan: Plan) -> dict[str, Any]:
    more = own > plan.k
    return {"rows": len(own), "rows_asking_more": int(more.sum()), "largest_own_k": int(own.max(initial=plan.k))}


def _asked(own: Ints, plan: Plan) -> str:
    more = int((own > plan.k).sum())
    return f"{more} of them more than {plan.k}, up to {int(own.max(initial=plan.k))}"
