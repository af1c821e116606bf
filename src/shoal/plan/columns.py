# SPDX-License-Identifier: Apache-2.0
"""What a plan says of one column: its role, what its values are, and how they are published."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.ground.settings import setting
from shoal.plan.checks import DEFAULT_RENDER, LARGEST_WEIGHT
from shoal.plan.roles import KINDS, LEVELS, ROLES, SCALES

if TYPE_CHECKING:
    from shoal.hierarchies.hierarchy import Hierarchy
else:
    Hierarchy = object  # the command line looks at the settings for its help: the real one needs numpy

JUDGED = ("check", "measure", "attack", "compare")
MADE = ("measure", "attack", "compare")


# A declaration reads as a sentence, and all of them fit on a screen:
# fmt: off
@dataclass(frozen=True)
class ColumnPlan:
    """What one column is and how it is published."""

    role: str | None = setting(
        None, "What the column tells about a person.", table="columns", choices=tuple(ROLES), always=True,
        usual="by rest in [release], else refused")
    kind: str | None = setting(
        None, "What its values are.", table="columns", choices=tuple(KINDS), usual="from the values",
        example="numeric", flag="--kind COLUMN=KIND", flag_help="numeric, ordered, categorical, date or text-prefix.",
        after="--hierarchy", also=JUDGED)
    hierarchy: Hierarchy | Path | None = setting(
        None, "The tree of a column.", table="columns", example="age.csv", flag="--hierarchy COLUMN=FILE",
        also=JUDGED)
    order: tuple[str, ...] | None = setting(
        None, "The order of an ordered column's values, the first first.", table="columns", usual="as the values tell",
        example='"low<middle<high"', flag="--order COLUMN=A<B<...",
        flag_help="The order of the values of a column of words.", after="--kind", also=JUDGED)
    date_format: str | None = setting(
        None, "How its dates are written.", table="columns", usual="found", example="dd.mm.yyyy",
        flag="--date-format [COLUMN=]FORMAT", flag_help="How dates are written, in all columns or in one.",
        after="--order", also=JUDGED)
    decimal: str | None = setting(
        None, "Decimal mark of its numbers, a point or a comma.", table="columns", usual="found", example=",",
        flag="--decimal [COLUMN=]MARK", flag_help="Decimal mark of numbers, in all columns or in one.",
        after="--date-format", also=JUDGED)
    thousands: str | None = setting(
        None, "Mark between its thousands: point, comma, blank or apostrophe.", table="columns", usual="found",
        example=".", flag="--thousands [COLUMN=]MARK",
        flag_help="Mark between thousands, in all columns or in one: point, comma, blank or apostrophe.",
        after="--decimal", also=JUDGED)
    weight: float = setting(
        1.0, "How much a column's loss counts; 1 is usual.", table="columns", least=0, most=LARGEST_WEIGHT,
        example="2.5", flag="--weight COLUMN=NUMBER", also=MADE)
    scale: str = setting(
        "range", "What the loss of a column is counted on: its range, ranks of its values (rank) or logarithms (log).",
        table="columns", choices=tuple(SCALES), example="rank", flag="--scale COLUMN=HOW",
        flag_help="Count the loss of a column on its range, on ranks (rank) or on logarithms (log).", also=MADE)
    levels: str = setting(
        "own", "Whether each class has ranges or nodes of its own, or all share levels that do not overlap (common).",
        table="columns", choices=LEVELS, example="common", flag="--levels COLUMN=HOW",
        flag_help="Publish a column in levels that all classes share (common), to be tabulated.", also=JUDGED)
    render: str | None = setting(
        None, "How classes are published in this column.", table="columns", choices=(DEFAULT_RENDER,),
        room="renderings", usual="as the release", example="mean", flag="--render [COLUMN=]HOW",
        flag_help="How classes are published, for all columns or for one.", also=MADE)

    def __post_init__(self) -> None:
        given: Any = self.order
        if isinstance(given, list):
            object.__setattr__(self, "order", tuple(given))
