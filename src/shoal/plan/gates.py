# SPDX-License-Identifier: Apache-2.0
"""Quality gates: how good a release must be, as people write it: ``loss <= 0.1``, ``rows_kept >= 99 %``."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shoal.ground import catalog
from shoal.ground.errors import PlanError, short, unknown

LOSS = "loss"
"""The loss that the plan asks to keep low, per cell, by whatever metric that is."""
WHERE = "--require / [quality] require"
EXAMPLE = "loss <= 0.1"
SIGNS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_FORM = re.compile(
    r"\s*(?P<metric>\w+)(?:\.(?P<figure>[^<>=]+?))?\s*(?P<sign>>=|<=|>|<)\s*(?P<bound>\S+?)\s*(?P<of>%?)\s*"
)


@dataclass(frozen=True)
class Gate:
    """One requirement: a metric, or one of its figures, and what it must reach."""

    metric: str
    figure: str
    sign: str
    bound: float

    def __str__(self) -> str:
        name = f"{self.metric}.{self.figure}" if self.figure else self.metric
        return f"{name} {self.sign} {self.bound:g}"

    def met_by(self, value: float) -> bool:
        """Whether a value passes; one that is undefined does not."""
        return math.isfinite(value) and SIGNS[self.sign](value, self.bound)


def gate_of(text: str) -> Gate:
    """Read a gate.

    >>> str(gate_of("rows_kept>=99%")), str(gate_of("pmse.ratio < 10"))
    ('rows_kept >= 0.99', 'pmse.ratio < 10')
    """
    found = _FORM.fullmatch(text)
    bound = _number(found["bound"]) if found else math.nan
    if found is None or not math.isfinite(bound):
        raise PlanError(
            "A requirement of quality cannot be read.",
            where=WHERE,
            allowed=f"a metric, one of {' '.join(SIGNS)}, and a number, e.g. {EXAMPLE}",
            received=short(text),
            todo=f"write it like '{EXAMPLE}'; shoal metrics lists what can be required",
        )
    known = [LOSS, *catalog.names("metrics")]
    if found["metric"] not in known:
        raise unknown(found["metric"], known, "There is no such metric.", where=WHERE, otherwise="see shoal metrics")
    return Gate(found["metric"], (found["figure"] or "").strip(), found["sign"], bound / (100 if found["of"] else 1))


def gates_of(texts: Sequence[str]) -> list[Gate]:
    """All gates of a plan."""
    return [gate_of(text) for text in texts]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
