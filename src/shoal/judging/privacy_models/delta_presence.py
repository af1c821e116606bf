# SPDX-License-Identifier: Apache-2.0
"""Nobody in the population can be told to be in the table, or not to be, beyond given chances.

For every person of the population, the chance that they are in the table, as the release lets one reckon it, lies
between two bounds:

    δ_min <= P(t in the table | release) <= δ_max

With f the rows of a class and F the people of the population who match its labels, each of the f rows is of any of the
F people with the same chance, so the chance of a person is f / F in the one class that they match, and 0 if they match
none. Where classes overlap, as they may after local recoding, the chances of all classes that a person matches are
added (the expected number of rows that are theirs), and at most 1.

The population is a table with the same quasi-identifiers as the original, named by the plan's ``population``; the
table must hold a part of it. Labels are matched as in ``k_map``. A release with rows that match nobody breaks the
model: it is not a part of that population.

The mean chance is rows / people, so no release can stay below it everywhere, nor above: such bounds are refused at
once. More cannot be asked of single classes, since all that a person matches count. Classes that give somebody a chance
outside the bounds are joined with their neighbours until nobody has one. The larger a class, the closer to the mean are
the chances in it; so what one class of all rows does not keep, no release can.

Paper: M. E. Nergiz, M. Atzori, C. Clifton, Hiding the presence of individuals from shared databases, SIGMOD 2007; as in
ARX, with an explicit population.

Limits: holds only as far as the population table is complete. Says nothing about sensitive values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.ground.arrays import Flags, Floats
from shoal.ground.errors import CannotHoldError, PlanError
from shoal.ground.parameters import parameter
from shoal.ground.requirements import Requirement
from shoal.ground.settings import ModelFlag
from shoal.judging.linking.matching import match, refuse_centres
from shoal.judging.look_alikes import population_table, required_population
from shoal.judging.tallying import SLACK
from shoal.judging.verdicts import Finding
from shoal.plan.plan import Plan, load_hierarchies
from shoal.tables.table import Table


@dataclass(frozen=True)
class Parameters:
    """What is claimed."""

    delta_min: float = parameter(0.0, "smallest chance that a person is in the table", least=0, most=1)
    delta_max: float | None = parameter(None, "largest such chance; none: tell what holds", least=0, most=1)


FLAG: ModelFlag = {"flag": "--delta-presence [MIN:]MAX", "after": "--k-map",
    "forms": {"": [{"delta_max": "number"}, {"delta_min": "number", "delta_max": "number"}]},
    "help": "Between which chances anybody of the --population is in the table, e.g. 0.1:0.4.",
    "examples": "0.1:0.4 (least, then most), or 0.4 alone"}  # fmt: skip


def requirement(parameters: Parameters, table: Table, plan: Plan) -> Requirement:
    """Nothing of single classes; refused if the share of the population in the table is outside the bounds."""
    most = _claim(parameters)
    if most is None or not len(table):
        return Requirement()
    people = len(required_population(plan, "delta_presence"))
    refuse_centres(plan)
    mean = len(table) / people if people else math.inf
    if not parameters.delta_min - SLACK <= mean <= most + SLACK:
        raise CannotHoldError(
            "The bounds are impossible: the mean chance of being in the table is the share of the population in it.",
            where="model 'delta_presence'",
            allowed=f"bounds with {len(table)} rows / {people} people = {mean:.4g} between them",
            received=f"{parameters.delta_min:g} to {most:g}",
            todo="ask for wider bounds" if mean <= 1 else "give the whole population, which the table is a part of",
        )
    return Requirement()


def rows_at_fault(released: Table, plan: Plan, parameters: Parameters) -> Flags:
    """The rows of classes that match somebody whose chance is outside the bounds, or that match nobody.

    Whoever matches no class has too small a chance because of no class in particular: then it is all of them.
    """
    most = _claim(parameters)
    found = match(released, required_population(plan, "delta_presence"), load_hierarchies(plan))
    outside = _outside(found.chances, parameters.delta_min, 1.0 if most is None else most)
    if (outside & (found.chances == 0)).any():
        return np.ones(len(released), dtype=np.bool_)
    faulty = found.people == 0
    for kinds, classes in found.found.pairs():
        faulty[classes[outside[kinds]]] = True
    rows: Flags = faulty[found.alike]
    return rows


def check(released: Table, plan: Plan, parameters: Parameters) -> Finding:
    """Reckon for everybody in the population the chance of being in a released table."""
    claimed = _claim(parameters)
    population = population_table(plan) if claimed is None else required_population(plan, "delta_presence")
    if population is None:
        return Finding("delta_presence", None, "no table of the population was given, so delta-presence cannot be told")
    found = match(released, population, load_hierarchies(plan))
    chances = np.minimum(found.chances, 1.0)
    most = 1.0 if claimed is None else claimed
    outside = _outside(chances, parameters.delta_min, most)
    figures: dict[str, Any] = {
        "delta_min_found": _down(float(chances.min(initial=1.0))),
        "delta_max_found": -_down(-float(chances.max(initial=0.0))),
        "delta_min_claimed": None if claimed is None else parameters.delta_min,
        "delta_max_claimed": claimed,
        "people": len(population),
        "people_outside": 0 if claimed is None else int(found.kinds[outside].sum()),
        "rows": len(released),
        "rows_without_match": int(found.sizes[found.people == 0].sum()),
    }
    holds = None if claimed is None else not figures["people_outside"] and not figures["rows_without_match"]
    return Finding("delta_presence", holds, _statement(figures), figures)


def _outside(chances: Floats, least: float, most: float) -> Flags:
    chances = np.minimum(chances, 1.0)
    return (chances < least - SLACK) | (chances > most + SLACK)


def _claim(parameters: Parameters) -> float | None:
    most = parameters.delta_max
    if (most is None and parameters.delta_min) or (most is not None and most < parameters.delta_min):
        raise PlanError(
            "The two chances of delta-presence do not fit together.",
            where="--delta-presence / [privacy] delta_presence",
            allowed="delta_min not above delta_max, both from 0 to 1, e.g. --delta-presence 0.1:0.4",
            received=f"delta_min = {parameters.delta_min:g}, delta_max = {most}",
            todo="give both, the smaller one first",
        )
    return most


def _down(number: float) -> float:
    """Rounded down to six decimals."""
    return math.floor(number * 1e6 + 1e-3) / 1e6


def _statement(figures: dict[str, Any]) -> str:
    if not figures["rows"]:
        return "the table has no rows, so nobody is in it"
    low, high = figures["delta_min_found"], figures["delta_max_found"]
    said = f"a person of the population is in the table with a chance of {low:g} to {high:g}"
    if lost := figures["rows_without_match"]:
        said += f"; {lost} rows match nobody in the population, so they are no part of it"
    if outside := figures["people_outside"]:
        claimed = f"{figures['delta_min_claimed']:g} to {figures['delta_max_claimed']:g}"
        said += f"; {claimed} was claimed, and {outside} of {figures['people']} people are outside"
    return said
