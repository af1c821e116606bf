# SPDX-License-Identifier: Apache-2.0
"""How many rows of the release look like each row, and how many people of the population.

The rows are counted, under the plan's reading of missing cells. The people are counted, estimated, or bounded, as far
as they are known:

* The plan names a table of the population: the people are counted who match the labels of the row.
* It names the number of people N: with n rows drawn, at a rate of π = n/N, the number F of people in a class of which
  f are in the table is taken as negative binomial, f + NB(f, π). Then the mean of 1/F is

      E[1/F] = π ∫_0^1 v^(f-1) / (π + (1 - π) v) dv,        for f = 1: π/(1 - π) ln(1/π)

  Estimators of the number of unique people (Pitman, Zayatz, SNB) start from the unique rows of the table; a table in
  classes of k has none, so they say nothing here.
* It names a column of survey weights: each class of f rows was drawn at a rate of f / the sum of its weights.
* It names none of these: at least the people in the table are there, so 1/f is the largest that 1/F can be.

Paper: R. Benedetti, L. Franconi, Statistical and technological solutions for controlled data dissemination, New
Techniques and Technologies for Statistics, 1998, as in the tools μ-ARGUS and sdcMicro.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import PlanError
from shoal.judging.evidence import Evidence, once
from shoal.judging.linking.matching import match
from shoal.judging.survey import survey_weights
from shoal.plan.plan import Plan
from shoal.plan.values import as_known
from shoal.tables.equivalence_classes import class_sizes, classes, has_missing, wildcard_class_sizes
from shoal.tables.table import Table

SIZES = (2, 3, 5, 10, 20, 50, 100)
"""Values of k for which rows with too few look-alikes are told."""
FEW = 8
"""Rates that are quicker worked out one by one than together."""
UNKNOWN = (
    "no population is known: each row is taken to have no more look-alikes there than in the table, which is the most "
    "that the risk can be"
)


@dataclass(frozen=True)
class RowRisks:
    """For each row the chance 1/F of naming the right one of F people, and how F is known."""

    risks: Floats
    note: str = ""


def row_sizes(evidence: Evidence) -> Ints:
    """Size of the class of each released row; with ``missing = "wildcard"``, the number of rows it matches.

    Where there are no classes: the number of records among which each hides, as it was told.
    """
    if evidence.look_alikes is not None:
        return evidence.look_alikes
    return once(evidence.read, "look-alikes of each row", lambda: _row_sizes(evidence))


def _row_sizes(evidence: Evidence) -> Ints:
    columns = evidence.plan.published_quasi_identifiers
    wildcard = evidence.plan.missing == "wildcard" and has_missing(evidence.released, columns)
    return (wildcard_class_sizes if wildcard else class_sizes)(evidence.released, columns)


def sizes_met(evidence: Evidence) -> tuple[Ints, Ints]:
    """The different sizes of :func:`row_sizes`, and how many rows have each."""
    if evidence.sizes is not None:
        return evidence.sizes
    sizes, rows = np.unique(row_sizes(evidence), return_counts=True)
    return sizes, rows


def rows_below(sizes: Ints) -> dict[int, int]:
    """[k] rows like which there are fewer than k, themselves included; below 2 they are alone.

    >>> rows_below(np.array([1, 2, 2, 4]))[3]
    3
    """
    return {k: int((sizes < k).sum()) for k in SIZES}


def number_of_classes(sizes: Ints) -> float:
    """Each row of a class of f brings 1/f, so that rows which match without being alike still add up."""
    size, rows = np.unique(sizes, return_counts=True)
    return float((rows / size).sum())


def population_of(plan: Plan) -> Table | int | None:
    """The population that a plan names, read if it is a file."""
    given = plan.population
    if isinstance(given, Path):
        from shoal.tables.sources import read_table

        given = read_table(given, plan.reading.of_others()).table
    return as_known(given, plan) if isinstance(given, Table) else given


def population_table(plan: Plan) -> Table | None:
    """The population that a plan names as a table; None if it names none."""
    found = population_of(plan)
    return found if isinstance(found, Table) else None


def required_population(plan: Plan, model: str) -> Table:
    """The same; refuses a claim about a population that was not given."""
    found = population_table(plan)
    if found is None:
        raise PlanError(
            f"{model.replace('_', '-')} is a promise about a population, and no table of it was given.",
            where="--population / population / [privacy] population",
            allowed="a table that holds everybody of whom the released one holds some, with the same columns",
            received="nothing" if plan.population is None else "a number of people",
            todo="name the table, e.g. --population voters.csv",
        )
    return found


def row_risks(evidence: Evidence) -> RowRisks:
    """1/F of every released row; worked out once for all metrics."""
    return once(evidence.read, "people like each row", lambda: _row_risks(evidence))


def _row_risks(evidence: Evidence) -> RowRisks:
    population = population_of(evidence.plan)
    sizes = row_sizes(evidence)
    if isinstance(population, Table):
        found = match(evidence.released, population, evidence.plan)
        people = found.people[found.alike]
        strangers = int((people < sizes).sum())
        note = f"{strangers} rows match fewer people than rows; at least the people of the table are taken to be there"
        return RowRisks(1.0 / np.maximum(people, sizes), note if strangers else "")
    if population is None and evidence.plan.sample_weight in evidence.released.names:
        return _by_weights(evidence)
    if population is None:
        return RowRisks(1.0 / sizes, UNKNOWN)
    if population < len(sizes):
        return RowRisks(1.0 / sizes, f"the population is smaller than the table; {UNKNOWN.partition(': ')[2]}")
    mean = mean_inverse(int(sizes.max(initial=0)), len(sizes) / population if population else 1.0)
    return RowRisks(mean[sizes], "estimated from the number of people in the population (Benedetti and Franconi)")


def _by_weights(evidence: Evidence) -> RowRisks:
    """Rows of a sample that carry survey weights, those of a class added up."""
    columns = evidence.plan.published_quasi_identifiers
    if evidence.plan.missing == "wildcard" and has_missing(evidence.released, columns):
        raise PlanError(
            "Weights are added up over rows that are equal, and a missing cell is to match anything.",
            where="--sample-weight / [privacy] sample_weight, --missing wildcard",
            allowed="missing cells as a value of their own, or no weights",
            received="weights, and missing cells that match anything",
            todo="use --missing own, or leave out the weights",
        )
    weights = survey_weights(evidence.released, str(evidence.plan.sample_weight))
    note = "estimated from the survey weights of look-alikes (Benedetti and Franconi)"
    return RowRisks(weighted_risks(classes(evidence.released, columns), weights), note)


def weighted_risks(alike: Ints, weights: Floats) -> Floats:
    """[row] mean of 1/F where the rows carry survey weights: those of its class add up to the people it stands for.

    Each class of f rows was drawn at a rate of its own, f / sum of its weights, at most 1 (Benedetti and Franconi).

    >>> weighted_risks(np.array([0, 1, 1]), np.array([10.0, 1.0, 1.0])).round(6).tolist()
    [0.255843, 0.5, 0.5]
    """
    rows = np.bincount(alike)
    rates = rows / np.maximum(np.bincount(alike, weights), rows)
    found = np.zeros(len(rows))
    seldom = rates <= 0.5
    for f in np.unique(rows[rows > 0]).tolist():
        for these in (np.flatnonzero((rows == f) & seldom), np.flatnonzero((rows == f) & ~seldom)):
            if len(these) > FEW:
                found[these] = mean_inverses(f, rates[these])
            else:
                found[these] = [mean_inverse(f, rate)[f] for rate in rates[these].tolist()]
    return found[alike]


def household_risks(risks: Floats, households: Ints) -> Floats:
    """[row] chance that somebody of its household is named, which gives the others away: 1 - Π (1 - risk of each).

    >>> household_risks(np.array([0.5, 0.5, 0.1]), np.array([0, 0, 1])).round(6).tolist()
    [0.75, 0.75, 0.1]
    """
    with np.errstate(divide="ignore"):
        hidden = np.bincount(households, np.log1p(-np.minimum(risks, 1.0)))
    return -np.expm1(hidden)[households]


def mean_inverse(largest: int, rate: float) -> Floats:
    """[f] mean of 1/F of classes of f rows, for f from 0 (undefined) to the largest, drawn at a rate above 0.

    >>> mean_inverse(3, 1.0)[1:].round(6).tolist(), mean_inverse(3, 0.1)[1:].round(6).tolist()
    ([1.0, 0.5, 0.333333], [0.255843, 0.082684, 0.046368])
    """
    found = np.full(largest + 1, math.nan)
    if largest:
        found[1:] = list(_walked(largest, rate, -math.log(rate) / (1 - rate) if rate <= 0.5 else math.nan))
    return found


def mean_inverses(f: int, rates: Floats) -> Floats:
    """[rate] the mean of 1/F of classes of f rows, for rates all up to one half, or all above."""
    last: Floats = _walked(f, rates, -np.log(rates) / (1 - rates) if rates.max() <= 0.5 else math.nan)[-1]
    return last


def _walked(largest: int, rate: Any, first: Any) -> list[Any]:
    """The means for f from 1 on, of one rate or of many.

    The integrals I_f obey (1 - π) I_(f+1) + π I_f = 1/f: walked upwards from the first, which is known, or downwards,
    whichever shrinks errors.
    """
    found = [first]
    if not np.isnan(first).any():
        for f in range(1, largest):
            found.append((1 / f - rate * found[-1]) / (1 - rate))
        return [rate * one for one in found]
    last = largest + 1000
    following = (1 + (1 - rate) / (last + 2)) / (last + 1)  # nearly right, and each step down shrinks the error
    found = []
    for f in range(last, 0, -1):
        following = (1 / f - (1 - rate) * following) / rate
        if f <= largest:
            found.append(following)
    return [rate * one for one in reversed(found)]
