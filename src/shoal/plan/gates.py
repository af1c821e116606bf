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
_NAME = r"\s*(?P<metric>\w+)(?:\.\s*(?P<figure>\S.*?))?\s*"
_FORM = re.compile(_NAME + r"(?P<sign>>=|<=|>|<)\s*(?P<bound>[^\s<>=]+?)\s*(?P<of>%?)\s*")
_NAMED = re.compile(_NAME)


@dataclass(frozen=True)
class NamedFigure:
    """A metric, or one of its figures, as people name them: ``pmse``, ``pmse.ratio``."""

    metric: str
    figure: str

    @property
    def name(self) -> str:
        """The metric, and the figure behind a point."""
        return f"{self.metric}.{self.figure}" if self.figure else self.metric

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Gate(NamedFigure):
    """One requirement: a metric, or one of its figures, and what it must reach."""

    sign: str
    bound: float

    def __str__(self) -> str:
        return f"{self.name} {self.sign} {self.bound:.12g}"

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
    named = _named(found, WHERE)
    gate = Gate(named.metric, named.figure, found["sign"], bound / (100 if found["of"] else 1))
    _check_bound(gate, percents=bool(found["of"]))
    return gate


def figure_of(text: str, where: str) -> NamedFigure:
    """Read the name of a metric, or of one of its figures.

    >>> figure_of("pmse.ratio", "--rank")
    NamedFigure(metric='pmse', figure='ratio')
    """
    found = _NAMED.fullmatch(text)
    if found is None:
        raise PlanError(
            "The name of a figure cannot be read.",
            where=where,
            allowed="a metric, or a metric and one of its figures, e.g. query_error.median",
            received=short(text),
            todo="name it as shoal metrics does",
        )
    return _named(found, where)


def _named(found: re.Match[str], where: str) -> NamedFigure:
    """The metric and the figure that were found, both of them known."""
    known = [LOSS, *catalog.names("metrics")]
    if found["metric"] not in known:
        raise unknown(found["metric"], known, "There is no such metric.", where=where, otherwise="see shoal metrics")
    named = NamedFigure(found["metric"], (found["figure"] or "").strip())
    _check_figure(named, where)
    return named


def figure_about(named: NamedFigure) -> str | None:
    """The column that a figure is about, as the metric declares its figures; None where it is about none.

    >>> figure_about(gate_of("distribution_shift.mean age < 0.1"))
    'age'
    """
    return _behind(named, COLUMN)


def group_about(named: NamedFigure) -> str | None:
    """The columns together that a figure is about, as it names them; None where it is about none.

    >>> group_about(gate_of("query_error.group sex + town < 0.1"))
    'sex + town'
    """
    return _behind(named, GROUP)


def _behind(named: NamedFigure, ending: str) -> str | None:
    heads = [one.removesuffix(ending) for one in _figures(named) if one.endswith(f" {ending}")]
    return next((named.figure.removeprefix(head) for head in heads if named.figure.startswith(head)), None)


def _figures(named: NamedFigure) -> Sequence[str]:
    entry = catalog.entries("metrics").get(named.metric)
    return tuple(entry.constants("FIGURES").get("FIGURES", ())) if entry else ()


def _check_figure(named: NamedFigure, where: str) -> None:
    known = _figures(named)
    declared = named.figure in known or figure_about(named) or group_about(named)
    if not named.figure or declared or (not known and named.metric != LOSS):
        return
    raise unknown(
        named.figure,
        known,
        f"{named.metric} has no such figure.",
        where=where,
        otherwise=f"see shoal metrics {named.metric}" if known else f"name {named.metric} itself",
    )


def _check_bound(gate: Gate, *, percents: bool) -> None:
    """Refuse what no release can reach, and what none can miss, by the limits that the metric declares (``LIMITS``)."""
    entry = catalog.entries("metrics").get(gate.metric)
    limits = entry.constants("LIMITS").get("LIMITS") if entry else (0.0, 1.0)
    if gate.figure or limits is None:
        return
    least, most = limits[0], math.inf if math.isnan(limits[1]) else limits[1]
    if least <= gate.bound <= most and any(SIGNS[gate.sign](end, gate.bound) for end in (least, most)):
        return
    meant = most == 1 and 1 < gate.bound <= 100 and not percents
    raise PlanError(
        "No release can be as good, or as bad, as that.",
        where=WHERE,
        allowed=f"{gate.metric} lies between {least:g} and {most:g}" if most < math.inf else f"{least:g} or more",
        received=str(gate),
        todo=f"did you mean {gate.metric} {gate.sign} {gate.bound:g} %?" if meant else "require another number",
    )


def gates_of(texts: Sequence[str]) -> list[Gate]:
    """All gates of a plan."""
    return [gate_of(text) for text in texts]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
