# SPDX-License-Identifier: Apache-2.0
"""What a paper claims, and how the figures judge it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from benchmarks.papers.figures import Figures

REPRODUCED, DIRECTION, NOT = "reproduced", "reproduced in direction", "not reproduced"
MARKS = {REPRODUCED: "reproduced", DIRECTION: "direction", NOT: "not"}
"""How a claim may fare, and the key of our reading of it among the words."""
UNTRIED = "not run"
OURS = "ours"
"""Where a claim stands that the paper does not make."""
MOST = 0.75
"""A claim about many settings that holds in this share of them is reproduced in direction."""


@dataclass(frozen=True)
class Verdict:
    """How a claim fared, and the figure that says so."""

    mark: str
    figure: str


@dataclass(frozen=True)
class Claim:
    """One statement of a paper, or one of ours beside it."""

    where: str
    """Figure or table of the paper, or ``ours``."""
    text: str
    judge: Callable[[Figures], Verdict]
    why: Mapping[str, str] = field(default_factory=dict)
    """Our reading, for each way the claim may fare."""

    def reading(self, mark: str) -> str:
        """Our reading of this verdict, if there is one."""
        return self.why.get(MARKS.get(mark, ""), "").strip()


def of_settings(held: Iterable[bool], told: str = "") -> Verdict:
    """A claim about many settings: in all of them, in most, or in fewer."""
    flags = list(held)
    if not flags:
        return Verdict(UNTRIED, "none of its settings was run")
    share = sum(flags) / len(flags)
    mark = REPRODUCED if share == 1 else DIRECTION if share >= MOST else NOT
    return Verdict(mark, f"holds in {sum(flags)} of {len(flags)} comparisons" + (f"; {told}" if told else ""))


def of_number(ours: float, low: float, high: float, *, direction: bool, told: str) -> Verdict:
    """A claim with a printed number: ours lies between low and high, or at least on the same side."""
    mark = REPRODUCED if low <= ours <= high else DIRECTION if direction else NOT
    return Verdict(mark, told)


def falls(line: Mapping[float, float]) -> list[bool]:
    """For every two settings, whether the later one has the smaller figure."""
    return [later < earlier for earlier, later in combinations(line.values(), 2)]


def rises(line: Mapping[float, float]) -> list[bool]:
    """For every two settings, whether the later one has the larger figure."""
    return [later > earlier for earlier, later in combinations(line.values(), 2)]


def ratios(above: Mapping[float, float], below: Mapping[float, float]) -> dict[float, float]:
    """One line over another, at their common settings."""
    return {at: above[at] / below[at] for at in above if at in below}


def gaps(above: Mapping[float, float], below: Mapping[float, float]) -> dict[float, float]:
    """One line less another, at their common settings."""
    return {at: above[at] - below[at] for at in above if at in below}


def between(values: Iterable[float], style: str = "{:.3f}") -> str:
    """The smallest and the largest of some figures, in words."""
    known: Sequence[float] = sorted(values) or [math.nan]
    return f"{style.format(known[0])} to {style.format(known[-1])}"
