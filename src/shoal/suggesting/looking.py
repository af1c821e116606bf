# SPDX-License-Identifier: Apache-2.0
"""A look at columns: what each seems to be, how sure that is, and why. Cheap for a few columns of a long table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from shoal.hierarchies.building import spread_rows
from shoal.plan.roles import DATE, NUMERIC
from shoal.plan.values import as_found
from shoal.suggesting.beside import decide_roles
from shoal.suggesting.deciding import KEY_VALUES, Guess
from shoal.suggesting.facts import SAMPLE, Facts, measure_columns
from shoal.tables.profile import fingerprints
from shoal.tables.table import MICROSECONDS_OF_A_DAY, Table

ALMOST = 0.98
"""Share of the values by which two columns may differ and still say the same; a name may be that of two things."""
SEVERAL = 2
"""Rows per value from which on a key is one of things, and not of rows."""


def look_at(table: Table, names: Sequence[str] | None = None) -> dict[str, Guess]:
    """The role that each column seems to have, whether that is sure, and the reasons; of all columns or of some."""
    seen, _ = as_found(table if names is None else table.select(list(names)))
    return decide(seen, measure_columns(seen))


def decide(table: Table, facts: Mapping[str, Facts]) -> dict[str, Guess]:
    """The same for columns that are measured already."""
    return decide_roles(facts, _spans(table, facts), _twins(table, facts))


def _spans(table: Table, facts: Mapping[str, Facts]) -> dict[str, float]:
    """Days that the dates of each column span."""
    spans = {}
    for name, column in facts.items():
        if column.kind == DATE and column.present:
            numbers = table.numbers(name)
            width = np.nanmax(numbers.values) - np.nanmin(numbers.values)
            spans[name] = float(width if numbers.style == "date" else width / MICROSECONDS_OF_A_DAY)
    return spans


def _twins(table: Table, facts: Mapping[str, Facts]) -> dict[str, str]:
    """Columns of many values, each on several rows, that say the same as another one; one of the two is text."""
    many = [one for one in facts.values() if one.distinct >= KEY_VALUES and one.repeats >= SEVERAL]
    sample = table.take(spread_rows(len(table), SAMPLE)).select([one.name for one in many])
    prints = {one.name: fingerprints(sample, one.name) for one in many}
    twins: dict[str, str] = {}
    for one, other in combinations(many, 2):
        fewest, largest = sorted([one.distinct, other.distinct])
        if {one.kind, other.kind} == {NUMERIC} or one.present != other.present or fewest < ALMOST * largest:
            continue
        pairs = prints[one.name] * np.uint64(3) + prints[other.name]
        if ALMOST * len(np.unique(pairs)) <= max(len(one.texts), len(other.texts)):
            twins.setdefault(one.name, other.name)
            twins.setdefault(other.name, one.name)
    return twins
