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
COLUMN, GROUP = "NAME", "NAMES"
"""How a declared figure ends that there is of several columns, or of several columns together."""
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
    gate = Gate(found["metric"], (found["figure"] or "").strip(), found["sign"], bound / (100 if found["of"] else 1))
    _check_figure(gate)
    return gate


def figure_about(gate: Gate) -> str | None:
    """The column that a figure is about, as the metric declares its figures; None where it is about none.

    >>> figure_about(gate_of("distribution_shift.mean age < 0.1"))
    'age'
    """
    return _behind(gate, COLUMN)


def _behind(gate: Gate, ending: str) -> str | None:
    heads = [one.removesuffix(ending) for one in _figures(gate) if one.endswith(f" {ending}")]
    return next((gate.figure.removeprefix(head) for head in heads if gate.figure.startswith(head)), None)


def _figures(gate: Gate) -> Sequence[str]:
    entry = catalog.entries("metrics").get(gate.metric)
    return tuple(entry.constants("FIGURES").get("FIGURES", ())) if entry else ()


def _check_figure(gate: Gate) -> None:
    known = _figures(gate)
    declared = gate.figure in known or _behind(gate, COLUMN) or _behind(gate, GROUP)
    if not gate.figure or declared or (not known and gate.metric != LOSS):
        return
    raise unknown(
        gate.figure,
        known,
        f"{gate.metric} has no such figure.",
        where=WHERE,
        otherwise=f"see shoal metrics {gate.metric}" if known else f"require {gate.metric} itself",
    )


def gates_of(texts: Sequence[str]) -> list[Gate]:
    """All gates of a plan."""
    return [gate_of(text) for text in texts]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
