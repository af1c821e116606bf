# SPDX-License-Identifier: Apache-2.0
"""Who of a population could stand behind each class of a release: labels matched by what they allow.

A range allows the values between its ends, a node of a tree its leaves, a set its members, ``*`` and a root anything. A
missing cell allows a missing one and nothing else; with ``missing = "wildcard"``, on either side, it matches anything.
A label that cannot be read matches nobody, so that no crowd is ever made up. Two missing bounds (``age_min``,
``age_max``) may stand for "missing" or for "missing or present"; they are taken as the first, which finds fewer people.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import PlanError
from shoal.judging.labels.noting import as_read
from shoal.judging.labels.reach import CENTRES
from shoal.judging.linking.links import Link, grouped, link
from shoal.plan.plan import Plan
from shoal.plan.values import as_known
from shoal.tables.table import Table


@dataclass(frozen=True, eq=False)
class Matches:
    """The classes of a release beside the people of a population; alike people are counted together."""

    found: Link
    kinds: Ints
    """[kind] how many people look so: the different rows of the population."""
    looks: Ints
    """[person] their kind."""

    @property
    def alike(self) -> Ints:
        """[released row] its class."""
        return self.found.group

    @property
    def sizes(self) -> Ints:
        """[class] its rows."""
        return self.found.sizes

    @cached_property
    def people(self) -> Ints:
        """[class] how many people match it."""
        people = np.zeros(len(self.sizes), dtype=np.int64)
        for kinds, classes in self.found.pairs():
            np.add.at(people, classes, self.kinds[kinds])
        return people

    @cached_property
    def chances(self) -> Floats:
        """[kind] how many rows are expected to be of one such person, if every row is of any of its matches alike."""
        chances = np.zeros(len(self.kinds))
        for kinds, classes in self.found.pairs():
            np.add.at(chances, kinds, self.sizes[classes] / self.people[classes])
        return chances


def match(released: Table, population: Table, plan: Plan) -> Matches:
    """Find for every class of a release the people who could be in it."""
    names = plan.quasi_identifiers
    population.require(names, where="population table")
    refuse_centres(plan)
    people = grouped(as_known(population, plan), names)
    return Matches(
        link(people, as_read(released, plan), names, plan, cautious=True), np.bincount(people.kind), people.kind
    )


def refuse_centres(plan: Plan) -> None:
    """Refuse releases that show one value per class: nobody could say who else stands behind it."""
    shown = [name for name in plan.quasi_identifiers if plan.rendering(name) in CENTRES]
    if shown:
        how = plan.rendering(shown[0])
        raise PlanError(
            "The release shows the centre of each class, and people of a population cannot be matched with centres.",
            where=f"method {plan.method!r}, --render / [release] render, column {shown[0]!r}",
            allowed="ranges, ancestors or sets, which hold the values behind them",
            received=f"rendering {how!r}, which was asked for or is how the method publishes unless told otherwise",
            todo="add --render generalise, or leave out the population and the models about it",
        )
