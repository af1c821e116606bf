# SPDX-License-Identifier: Apache-2.0
"""k counted in persons: every class holds rows of at least k different persons.

Where a person has many rows (visits, purchases), k look-alike rows may all be theirs. The plan's ``person`` names the
column that says whose row it is; then every class must hold rows of k different persons. A person may well have rows in
several classes.

A row of which nobody knows whose it is may be of anybody in its class, so it counts as no further person.

The column is an identifier and is gone from the release. So the persons of the released rows are handed to the judge by
whoever made the release; of a table that still has the column, it is read there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.ground.arrays import Ints
from shoal.ground.errors import CannotHoldError, PlanError
from shoal.ground.requirements import Requirement, Rule
from shoal.judging.verdicts import Finding
from shoal.plan.plan import Plan
from shoal.plan.roles import QUASI_IDENTIFIER
from shoal.tables.equivalence_classes import classes
from shoal.tables.table import Table

MODEL = "person_k"
NOBODY = -1


def persons_of(table: Table, plan: Plan) -> Ints:
    """Number of the person of each row, -1 where nobody knows; the plan names the column."""
    name = str(plan.person)
    table.require([name], where="--person / [privacy] person")
    if name in plan.columns and plan.columns[name].role == QUASI_IDENTIFIER:
        raise PlanError(
            "The column that tells persons apart is a quasi-identifier.",
            where="--person / [privacy] person",
            allowed="an identifier, which is removed from the release",
            received=f"column {name!r} of role {QUASI_IDENTIFIER!r}",
            todo="leave it out of the quasi-identifiers",
        )
    return table.codes(name)[0].astype(np.int64)


def requirement(table: Table, plan: Plan) -> Requirement:
    """Rows of k different persons in every class; refused if the table has fewer persons.

    Rows of nobody known share one number, which adds one to the different numbers of a class, so one more is asked for.
    """
    persons = persons_of(table, plan)
    known = len(np.unique(persons[persons != NOBODY]))
    if known < plan.k:
        raise CannotHoldError(
            f"k = {plan.k} persons are impossible: the table has rows of {known}.",
            where="--person / [privacy] person",
            allowed=f"k from 1 to the number of persons, {known}",
            received=f"k = {plan.k}",
            todo="choose a smaller k, or release the rows of more persons",
        )
    limit = plan.k + bool((persons == NOBODY).any())
    numbers = np.unique(persons, return_inverse=True)[1].astype(np.int64)
    return Requirement(size=plan.k, rules=(Rule("distinct", numbers, limit),))


def check_persons(released: Table, plan: Plan, claimed: int | None, persons: Ints | None) -> Finding:
    """Count the persons of every class of a released table."""
    if persons is None:
        if str(plan.person) not in released.names:
            said = "persons were counted when the release was made, and cannot be without the column that told them"
            return Finding(MODEL, None, said, judged=claimed is None)
        persons = persons_of(released, plan)
    found = persons_per_class(classes(released, plan.published_quasi_identifiers), persons)
    figures: dict[str, Any] = {
        "persons_found": int(found.min(initial=len(persons))),
        "persons_claimed": claimed,
        "persons": len(np.unique(persons[persons != NOBODY])),
        "rows_of_nobody_known": int(np.count_nonzero(persons == NOBODY)),
        "classes": len(found),
        "classes_below_k": int((found < (claimed or 1)).sum()),
        "rows": len(released),
    }
    holds = None if claimed is None else figures["classes_below_k"] == 0
    return Finding(MODEL, holds, _statement(figures), figures)


def persons_per_class(alike: Ints, persons: Ints) -> Ints:
    """How many different persons each class has.

    >>> persons_per_class(np.array([0, 0, 0, 1]), np.array([5, 5, 7, -1])).tolist()
    [2, 0]
    """
    known = persons != NOBODY
    pairs = np.unique(np.column_stack([alike[known], persons[known]]), axis=0)
    return np.bincount(pairs[:, 0], minlength=int(alike.max(initial=-1)) + 1).astype(np.int64)


def _statement(figures: dict[str, Any]) -> str:
    if not figures["rows"]:
        return "the table has no rows, so nobody can be singled out"
    found, claimed = figures["persons_found"], figures["persons_claimed"]
    if figures["classes_below_k"] and claimed is not None:
        return f"some class has rows of {found} persons only, but {claimed} were claimed"
    return f"every class has rows of {found} or more persons"
