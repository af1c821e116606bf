# SPDX-License-Identifier: Apache-2.0
"""What the faces of a release have in common: its promise in words, its main loss, its risks, its groups by size."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from shoal import catalog
from shoal.metrics._protocol import Measurement
from shoal.plan import Plan
from shoal.privacy_models._protocol import Verdict
from shoal.reports.words import WEAKER
from shoal.tables.table import Table

METRIC_OF_LOSS = {"height": "il"}
"""Losses whose metric has another name."""
COLUMNS = 12
"""Most columns of a histogram."""


class Reported(Protocol):
    """What a report looks at; a :class:`shoal.Release` is one."""

    @property
    def released(self) -> Table:
        """The released table; only its shape is shown."""

    @property
    def plan(self) -> Plan:
        """The complete plan."""

    @property
    def verdict(self) -> Verdict:
        """What holds."""

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """Loss and risk."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """Counts about the run."""


def kind_of(release: Reported) -> str:
    """What a release consists of: ``classes``, ``subtables`` or ``boxes``."""
    return str(release.facts.get("releases", "classes"))


def promise_of(release: Reported) -> str:
    """The promise of a release in plain sentences, and for a weaker one what it does not promise."""
    kind = kind_of(release)
    return guarantee(release.plan) if kind == "classes" else WEAKER[kind].format(method=release.plan.method)


def promise_figures(release: Reported) -> dict[str, int]:
    """The numbers of the promise; never a plain k where there is no single table of classes."""
    kind, facts = kind_of(release), release.facts
    if kind == "subtables":
        return {"k_per_subtable": facts["k_per_subtable"], "k_joint": facts["k_joint"]}
    return (
        {"boxes_per_record": release.plan.k, "records_per_box": release.plan.k}
        if kind == "boxes"
        else {"k": release.plan.k}
    )


def guarantee(plan: Plan) -> str:
    """The promise of a table of classes in one plain sentence."""
    columns = in_words(plan.quasi_identifiers)
    if plan.k == 1:
        return f"Nothing is promised: with k = 1 a row may be the only one of its kind in {columns}."
    others = "one other row" if plan.k == 2 else f"{plan.k - 1} other rows"
    return (
        f"Every row of the table looks exactly like at least {others} in {columns}, so whoever knows these about a "
        f"person and picks a row is right at most 1 time in {plan.k}."
    )


def in_words(names: list[str]) -> str:
    """Names as a phrase: ``age, sex and zip``."""
    if not names:
        return "no column"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def summary_of(room: str, name: str) -> str:
    """The first line of what an implementation says about itself; empty if it is not installed here."""
    entry = catalog.entries(room).get(name)
    return entry.summary if entry else ""


def main_loss(release: Reported) -> Measurement | None:
    """The measurement of the loss that the plan asked for, else the first that tells its columns apart."""
    wanted = METRIC_OF_LOSS.get(release.plan.loss, release.plan.loss)
    told = [one for one in release.measurements if one.per_column]
    return next((one for one in told if one.metric == wanted), told[0] if told else None)


def per_cell(loss: Measurement) -> float:
    """A loss as a share of the largest possible one, 0 to 1."""
    share = loss.figures.get("per_cell", loss.value if loss.limits == (0.0, 1.0) else math.nan)
    return float(share)


def losses(loss: Measurement) -> list[tuple[str, float]]:
    """Columns and their losses, the largest first."""
    return sorted(loss.per_column.items(), key=lambda one: (-_known(one[1]), one[0]))


def _known(value: float) -> float:
    return value if math.isfinite(value) else -1.0


class Risk(NamedTuple):
    """Chances of picking the right row, for the best-placed person and on average."""

    largest: float
    mean: float


def risk(release: Reported) -> Risk | None:
    """As the judge measured it, else as it follows from the sizes of the groups; None where there is no row."""
    judged = next((one for one in release.measurements if one.metric == "prosecutor_risk"), None)
    if judged and math.isfinite(judged.value) and "mean" in judged.figures:
        return Risk(judged.value, judged.figures["mean"])
    sizes = sizes_of(release.facts)
    if not sizes:
        return None
    rows = sum(size * groups for size, groups in sizes.items())
    return Risk(1 / min(sizes), sum(sizes.values()) / rows)


def sizes_of(facts: Mapping[str, object]) -> dict[int, int]:
    """Number of groups of each size, smallest size first."""
    sizes = facts.get("class_sizes")
    return {int(size): int(groups) for size, groups in sorted(sizes.items())} if isinstance(sizes, Mapping) else {}


class SizeBin(NamedTuple):
    """Groups of ``first`` to ``last`` rows: how many there are, and how many rows they hold."""

    first: int
    last: int
    groups: int
    rows: int

    @property
    def label(self) -> str:
        """The sizes in words."""
        return f"{self.first:,}" if self.first == self.last else f"{self.first:,} to {self.last:,}"


def size_bins(sizes: Mapping[int, int], k: int) -> list[SizeBin]:
    """Groups by size from k up: even bins, or doubling ones where the largest group is many times k.

    >>> [one.label for one in size_bins({3: 5, 4: 1, 5: 2}, k=3)]
    ['3', '4', '5']
    >>> [one.label for one in size_bins({10: 5, 900: 1}, k=10)][:3]
    ['10 to 19', '20 to 39', '40 to 79']
    """
    if not sizes:
        return []
    start, end = min(k, *sizes), max(sizes)
    if end <= 4 * start + COLUMNS:
        width = -(-(end - start + 1) // COLUMNS)
        edges = list(range(start, end + width + 1, width))
    else:
        edges = [start]
        while edges[-1] <= end:
            edges.append(2 * edges[-1])
    return [_bin(sizes, first, after - 1) for first, after in pairwise(edges) if first <= end]


def _bin(sizes: Mapping[int, int], first: int, last: int) -> SizeBin:
    inside = {size: groups for size, groups in sizes.items() if first <= size <= last}
    return SizeBin(first, last, sum(inside.values()), sum(size * groups for size, groups in inside.items()))
