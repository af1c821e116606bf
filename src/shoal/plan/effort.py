# SPDX-License-Identifier: Apache-2.0
"""How much work a run may be: steps of the search by the size of the table, so that any table takes a minute or two.

The number depends on rows, quasi-identifiers and k alone, not on the machine, and stands in the plan of the release.

>>> usual_steps(2_000_000, 65, size=10), usual_steps(5_000_000, 20, size=10)
(3800, 4100)
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shoal.plan.plan import Plan

EFFORTS = {"quick": 0.1, "default": 1.0, "thorough": 10.0}
"""How many times the usual work of search and bound."""
LARGEST = "thorough"
STEPS = 100_000
"""Steps per record of a table that is not large."""
MOST_STEPS = 250_000
"""No other table gets more: where there are several tries, they do together as much as several times ``STEPS``."""
WORK = 560_000_000_000
"""Steps times cells of the quasi-identifiers that any other table gets; two processors do them in about a minute."""
SMALL_CLASS, MORE, MOST_MORE = 10, 0.7, 3.0
"""Large classes of such a table get more steps, which take less time: as many times more as k is larger than that, to
this power, and no more than so many times as many."""
ANYWAY = 7
"""A step takes as long as if a record had so many quasi-identifiers more."""
PER_STEP = 2.2e-10
"""Processor seconds of one step of one try for one of these cells; on 17 tables of up to 10,000 rows it was 1.6e-10 to
3e-10."""
IN_BLOCKS_SLOWER = 1.3
"""Times as long where classes are several blocks: it was 2.2e-10 to 3.1e-10 on 4 tables of 20,000 to 100,000 rows, and
4.1e-10 on a fifth, most of whose columns have trees."""
FEWEST_TRIED, TRIES, TRIES_IN_BLOCKS = 200, (4, 0.9), (3, 0.5)
"""Rows from which on there are several tries; how many, and the share of the steps that each does, where all classes
are one block and where they are several: as the search has them (``engine/refining``), which a test compares."""
UNDER_RULES = 2
"""Tries in one block where searches cannot learn from each other: under rules about private values, of squares, of
names."""
UNDER_RULES_SLOWER, SQUARES_SLOWER = 2.7, 6.0
"""How many times as long such a step takes: 2.3 to 2.9 times under most rules, 4 of a large table under t-closeness."""
STEP_OF_NAMES, PROGRAMME, PROGRAMME_EACH = 1.7e-8, 50_000, 1.3e-4
"""Where classes are patterns of names: processor seconds of one step for one record, however many columns there are;
steps of which a linear programme takes the place, as the search has them; and its seconds per record, on one processor.
On 12 tables of 1,000 to 400,000 rows a step took 1e-8 to 4.1e-8, most on the smallest, and the programme 0.7e-4 to
2e-4; on one of ten it came to nothing, and all steps were done."""
IN_A_BLOCK = 300, 40_000, 1_000
"""Classes in a block, rows in a larger one, and classes in the largest one."""
ROUND, ROUNDS = 2_500, 80
"""Steps per record in a round of the search; and rounds of tables with work for less than twice the usual steps."""


def usual_steps(rows: int, columns: int, size: int) -> int:
    """Steps per record where nothing is said: as many as there is work for, to two digits, and no more than usual."""
    if _fitting(rows, columns) >= 2 * STEPS:
        return STEPS
    more = min(max(size / SMALL_CLASS, 1.0) ** MORE, MOST_MORE)
    return min(_fitting(rows, columns, more), MOST_STEPS)


def round_steps(rows: int, columns: int, size: int) -> int:
    """Steps per record in one round: shorter rounds where steps are few, or the search would end before it cools."""
    if _fitting(rows, columns) >= 2 * STEPS:
        return ROUND
    return max(usual_steps(rows, columns, size) // ROUNDS, 1)


def steps_for(plan: Plan, rows: int) -> int:
    """Steps per record that a plan asks for on a table of so many rows."""
    if plan.steps is not None:
        return plan.steps
    return max(round(usual_steps(rows, len(plan.quasi_identifiers), plan.k) * EFFORTS[plan.effort]), 1)


def search_seconds(plan: Plan, rows: int, *, names: bool = False) -> float:
    """What the search takes about on this machine; it runs on all cores.

    ``names``: whether all quasi-identifiers are names without levels.
    """
    if plan.time_budget is not None:
        return float(plan.time_budget)
    if names and not plan.models and plan.loss != "sse":
        return _seconds_of_names(plan, rows)
    tries, share = tries_for(plan, rows)
    cells = rows * (len(plan.quasi_identifiers) + ANYWAY)
    slower = SQUARES_SLOWER if plan.loss == "sse" else UNDER_RULES_SLOWER if plan.models else 1.0
    cores = max(os.cpu_count() or 1, 1)
    if _is_one_block(plan, rows):
        cores = min(cores, tries)
    else:
        slower *= IN_BLOCKS_SLOWER
    return round(cells * steps_for(plan, rows) * tries * share * slower * PER_STEP / cores, 3)


def _seconds_of_names(plan: Plan, rows: int) -> float:
    """The same where classes are patterns, which are searched in larger blocks, and as a rule after a programme."""
    steps, programme = steps_for(plan, rows), 0.0
    short = round_steps(rows, len(plan.quasi_identifiers), plan.k) < ROUND
    if steps >= PROGRAMME and rows >= FEWEST_TRIED and not short:
        steps, programme = steps - PROGRAMME, rows * PROGRAMME_EACH
    usual, records, _ = IN_A_BLOCK
    cores, tries = max(os.cpu_count() or 1, 1), 1
    if rows <= max(usual * plan.k, records):
        tries = 1 if rows < FEWEST_TRIED or short else UNDER_RULES
        cores = min(cores, tries)
    return round(programme + rows * steps * tries * STEP_OF_NAMES / cores, 3)


def tries_for(plan: Plan, rows: int) -> tuple[int, float]:
    """How many searches run side by side, and what share of the steps each does."""
    if rows < FEWEST_TRIED or round_steps(rows, len(plan.quasi_identifiers), plan.k) < ROUND:
        return 1, 1.0
    if plan.models or plan.loss == "sse":
        return (UNDER_RULES if _is_one_block(plan, rows) else 1), 1.0
    return TRIES if _is_one_block(plan, rows) else TRIES_IN_BLOCKS


def _is_one_block(plan: Plan, rows: int) -> bool:
    """Whether there are so few classes that each may take records from any other."""
    usual, records, largest = IN_A_BLOCK
    return rows <= plan.k * min(max(usual, records // plan.k), largest)


def _fitting(rows: int, columns: int, more: float = 1.0) -> int:
    """The work over the cells, cut to its first two digits, so that a row more or less changes nothing."""
    most = max(int(WORK * more) // max(rows * (columns + ANYWAY), 1), 1)
    unit = int("1" + "0" * max(len(str(most)) - 2, 0))
    return most // unit * unit
