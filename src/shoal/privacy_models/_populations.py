# SPDX-License-Identifier: Apache-2.0
"""The population table that models of re-identification and membership are judged against."""

from __future__ import annotations

from shoal.errors import PlanError
from shoal.metrics._population import population_of
from shoal.plan import Plan
from shoal.tables.table import Table


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
