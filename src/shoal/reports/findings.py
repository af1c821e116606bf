# SPDX-License-Identifier: Apache-2.0
"""What the faces of a release have in common: its promise in words, its main loss, its risks, its groups by size."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from textwrap import dedent
from typing import Any, NamedTuple, Protocol

from shoal import catalog
from shoal.bounds.certificate import Certificate
from shoal.metrics._protocol import Measurement
from shoal.plan import Plan
from shoal.portraits.portrait import Portrait
from shoal.privacy_models._protocol import Verdict
from shoal.reports.words import WEAKER
from shoal.tables.table import Table

METRIC_OF_LOSS = {"height": "il"}
"""Losses whose metric has another name."""
COLUMNS = 12
"""Most columns of a histogram."""
MARKS = {True: ("good", "✔ Holds"), False: ("bad", "✘ Does not hold"), None: ("", "Found")}
"""Style and word of a verdict; the word says it, not the colour."""
RISKS = ("inference_gain",)
"""Metrics of risk whose names do not say so."""


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

    @property
    def certificate(self) -> Certificate | None:
        """How far the loss can be above the smallest possible."""

    @property
    def portrait(self) -> Portrait | None:
        """The release beside its original."""


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


class Definition(NamedTuple):
    """What an implementation says about itself."""

    summary: str
    formula: str
    texts: tuple[str, ...]


def definition_of(room: str, name: str) -> Definition:
    """The words of an implementation: its summary, its formula (the indented lines), the rest."""
    entry = catalog.entries(room).get(name)
    parts = entry.docstring.replace("``", "").split("\n\n") if entry else [""]
    formula = "\n".join(part for part in parts[1:] if part.startswith("    "))
    texts = tuple(" ".join(part.split()) for part in parts[1:] if not part.startswith("    "))
    return Definition(" ".join(parts[0].split()), dedent(formula), texts)


def search_of(plan: Plan) -> str:
    """The search that followed the method and its budget, in words; empty if there was none."""
    if plan.steps is None:
        return ""
    stopped = f", stopped after {plan.stop_after:,}" if plan.stop_after is not None else ", all of them used"
    return f"exchanges records between groups as long as that lowers the loss; {plan.steps:,} steps per row{stopped}"


def verification(release: Reported) -> dict[str, str]:
    """Commands, and what each is for."""
    secret = kind_of(release) == "boxes" and release.plan.seed is None
    again = "with the same boxes, but a new secret draw" if secret else "with the same bytes as result"
    on = ",".join(release.plan.quasi_identifiers)
    return {
        "shoal check .": "Reads the table from its file, judges it against plan.toml and compares each file with its "
        "SHA-256 in manifest.json. It ends with exit code 0 if everything holds and 1 if not:",
        "shoal anonymize ORIGINAL --plan plan.toml -o again": f"Repeats the whole run from the original, {again}:",
        f"shoal attack . --known REGISTER --on {on}": "Plays an attacker who holds a register of people:",
    }


def measured(release: Reported, metric: str) -> float:
    """The value of a metric, NaN if it was not measured."""
    return next((one.value for one in release.measurements if one.metric == metric), math.nan)


def is_risk(measurement: Measurement) -> bool:
    """Whether a metric is about risk, not about loss."""
    return "risk" in measurement.metric or measurement.metric in RISKS


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
