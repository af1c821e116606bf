# SPDX-License-Identifier: Apache-2.0
"""Every row looks like at least k people of the population, whoever of them are in the table.

A release keeps k-map if, for each of its rows, at least k people of the population have quasi-identifiers that the
row's labels allow: somebody who knows the whole population, but not who is in the table, cannot tell which of k people
a row is about. It is weaker than k-anonymity where the table holds a part of the population only: a row that is alone
in the table may still look like many outside.

    |people of the population whom the labels of C allow| >= k    for every class C

The population is a table with the same quasi-identifiers as the original, named by the plan's ``population``. Labels
are matched by what they allow: a range its values, a node its leaves, a set its members, ``*`` anything. Where classes
overlap, as they may after local recoding, a person may match several of them and counts for each. A missing cell allows
a missing one; under the plan's ``missing = "wildcard"`` it matches anything.

What is asked of the classes beforehand is a size: as many records as are needed for any of them together to look like k
people exactly as they stand. That is k at most if everybody in the table is in the population, and less if every record
has look-alikes outside. Smaller classes may do; the judge decides on the released table.

Paper: L. Sweeney, Computational disclosure control: a primer on data privacy protection, PhD thesis, MIT 2001; as in
ARX, with an explicit population.

Limits: holds only as far as the population table is complete and the attacker does not know who is in the release; if
they may, ask for k-anonymity. Says nothing about sensitive values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from shoal.ground.arrays import Ints
from shoal.ground.errors import CannotHoldError
from shoal.ground.parameters import parameter
from shoal.ground.requirements import Requirement
from shoal.ground.settings import ModelFlag
from shoal.judging.linking.matching import match, refuse_centres
from shoal.judging.look_alikes import population_table, required_population
from shoal.judging.verdicts import Finding
from shoal.plan.plan import Plan, load_hierarchies
from shoal.tables.table import Table


@dataclass(frozen=True)
class Parameters:
    """What is claimed."""

    k: int | None = parameter(None, "fewest people of the population whom a row looks like; none: tell", least=1)


FLAG: ModelFlag = {"flag": "--k-map K", "after": "--t-closeness", "forms": {"": [{"k": "whole"}]},
    "help": "Fewest people of the --population whom a row looks like.",
    "examples": "5, or any whole number from 1"}  # fmt: skip


def requirement(parameters: Parameters, table: Table, plan: Plan) -> Requirement:
    """Classes so large that their records, as they stand, look like k people; refused if the population has fewer."""
    if parameters.k is None:
        return Requirement()
    population = required_population(plan, "k_map")
    refuse_centres(plan)
    if len(population) < parameters.k:
        what = f"k-map with k = {parameters.k} is impossible: the population has fewer people."
        allowed, todo = f"k of at most {len(population)}", "ask for a smaller k, or give the whole population"
        raise CannotHoldError(what, "model 'k_map'", allowed, f"k = {parameters.k}", todo)
    if plan.missing == "wildcard":  # kinds of records overlap there, and their people cannot be added up
        return Requirement(size=min(parameters.k, max(len(table), 1)))
    as_it_stands = {name: replace(plan.columns[name], render=None) for name in plan.quasi_identifiers}
    found = match(table, population, load_hierarchies(replace(plan.with_columns(as_it_stands), render=None)))
    return Requirement(size=min(sure_size(found.sizes, found.people, parameters.k), max(len(table), 1)))


def sure_size(rows: Ints, people: Ints, k: int) -> int:
    """How many records surely look like k people together, given the rows and people of each kind of record.

    The worst class takes records with the fewest people per row first.

    >>> sure_size(np.array([1, 2, 1]), np.array([1, 20, 30]), 5)
    2
    >>> sure_size(np.array([4, 4]), np.array([4, 4]), 5)
    5
    """
    if not int(people.sum()) >= k:
        return int(rows.sum())
    per_row = people / rows
    order = np.argsort(per_row, kind="stable")
    reached = np.cumsum(people[order])
    last = int(np.searchsorted(reached, k))
    before = int(reached[last] - people[order[last]])
    return int(rows[order[:last]].sum()) + math.ceil((k - before) / float(per_row[order[last]]) - 1e-9)


def check(released: Table, plan: Plan, parameters: Parameters) -> Finding:
    """Count the people of the population whom every row of a released table looks like."""
    population = population_table(plan) if parameters.k is None else required_population(plan, "k_map")
    if population is None:
        return Finding("k_map", None, "no table of the population was given, so k-map cannot be told")
    found = match(released, population, load_hierarchies(plan))
    per_row = found.people[found.alike]
    claimed = parameters.k
    figures: dict[str, Any] = {
        "k_found": int(per_row.min(initial=len(population))),
        "k_claimed": claimed,
        "people": len(population),
        "classes": len(found.sizes),
        "rows": len(released),
        "rows_below_k": int((per_row < (claimed or 1)).sum()),
        "rows_without_match": int((per_row == 0).sum()),
    }
    holds = None if claimed is None else figures["rows_below_k"] == 0
    return Finding("k_map", holds, _statement(figures), figures)


def _statement(figures: dict[str, Any]) -> str:
    found, claimed, below = figures["k_found"], figures["k_claimed"], figures["rows_below_k"]
    if not figures["rows"]:
        return "the table has no rows, so nobody can be named"
    lost = figures["rows_without_match"]
    aside = f"; {lost} rows match nobody in the population" if lost else ""
    if claimed is not None and below:
        return (
            f"k = {found} in the population, but {claimed} was claimed: {below} of {figures['rows']} rows look like "
            f"fewer people{aside}"
        )
    return f"k = {found}: every row looks like {found} or more of {figures['people']} people{aside}"
