# SPDX-License-Identifier: Apache-2.0
"""What the faces of a release have in common: its promise in words, its main loss, its risks, its groups by size."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from textwrap import dedent
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from shoal.ground import catalog
from shoal.ground.wording import number, percent, phrase
from shoal.judging.evidence import Measurement, loss_metric, per_cell
from shoal.judging.exposures import Exposure
from shoal.judging.gates import judged_gates, workload_metrics
from shoal.judging.metrics.given_away import told
from shoal.judging.verdicts import Finding
from shoal.plan.plan import Plan
from shoal.plan.roles import DATE, SENSITIVE

if TYPE_CHECKING:
    from shoal.releases.release import Release

COLUMNS = 12
"""Most columns of a histogram."""
MARKS = {True: ("good", "✔ Holds"), False: ("bad", "✘ Does not hold"), None: ("", "Found")}
"""Style and word of a verdict; the word says it, not the colour."""
NOTED = ("warn", "⚠ Holds, with a note")
"""The same where everything that was asked holds, and the report has something to say against it all the same."""
GIVEN_AWAY = "given away: "
"""How a warning about private values begins."""
RISKS = ("inference_gain", "given_away")
"""Metrics of risk whose names do not say so."""

Reported: TypeAlias = "Release"
"""What a report looks at."""


def guarantee(plan: Plan, columns: str = "") -> str:
    """The promise of a table of classes in one plain sentence; ``columns`` in fewer words, where they are many."""
    columns = columns or phrase(plan.quasi_identifiers)
    if plan.k == 1:
        return f"Nothing is promised: with k = 1 a row may be the only one of its kind in {columns}."
    others = "one other row" if plan.k == 2 else f"{plan.k - 1} other rows"
    return (
        f"Every row of the table looks exactly like at least {others} in {columns}, so whoever knows these about a "
        f"person and picks a row is right at most 1 time in {plan.k}."
    )


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
    secret = release.kind.secret and release.plan.seed is None
    again = "with the same boxes, but a new secret draw" if secret else "with the same bytes as result"
    on = ",".join(release.plan.quasi_identifiers)
    return {
        "shoal check .": "reads the table from its file, judges it against plan.toml and compares each file with its "
        "SHA-256 in manifest.json; ends with exit code 0 if everything holds and 1 if not",
        "shoal anonymize ORIGINAL --plan plan.toml -o again": f"repeats the whole run from the original, {again}",
        f"shoal attack . --known REGISTER --on {on}": "plays an attacker who holds a register of people",
    }


def measurement_of(release: Reported, metric: str) -> Measurement | None:
    """What was measured by a metric, if it was."""
    return next((one for one in release.measurements if one.metric == metric), None)


def measured(release: Reported, metric: str) -> float:
    """The value of a metric, NaN if it was not measured."""
    found = measurement_of(release, metric)
    return found.value if found else math.nan


def exposures_of(release: Reported) -> list[Exposure]:
    """Each private column with the rows whose value is given away, or nearly; the worst first."""
    return told(measurement_of(release, "given_away"), release.released_rows)


def uncounted(release: Reported) -> str:
    """Why nobody counted whose private value is given away; empty where it was counted, or nothing is private."""
    measured = measurement_of(release, "given_away")
    if measured is None or math.isfinite(measured.value) or not release.plan.having(SENSITIVE):
        return ""
    return f"whether look-alikes share private values was not counted ({measured.note})"


def gates_passed(release: Reported) -> list[Finding]:
    """How good the release had to be, and is; empty where nothing was required."""
    return judged_gates(release.plan, release.measurements)


def workload_told(release: Reported) -> list[str]:
    """How the analyses fare that the plan names, in sentences of the metrics that tell of them."""
    found = [(name, measurement_of(release, name)) for name in workload_metrics(release.plan)]
    return [said for name, one in found if one for said in catalog.load("metrics", name).told(one, release.plan)]


def rows_given_away(release: Reported) -> int:
    """Rows with a private value that is given away, or nearly."""
    found = measurement_of(release, "given_away")
    return int(found.figures.get("rows", 0)) if found else 0


def remedy_sentences(release: Reported, *, in_python: bool = False) -> list[str]:
    """What would stop it, and about what that would cost."""
    loss = main_loss(release)
    whole = int(release.facts.get("rows", 0)) or 1
    share = release.released_rows / whole
    asked = [one.in_python() if in_python else one for one in release.remedies]
    said = [one.sentence(per_cell(loss) if loss else math.nan, share) for one in asked]
    return [*said, *_unstopped(release)]


def _unstopped(release: Reported) -> list[str]:
    """Private columns that are nearly given away and of which no share can be asked, and why."""
    left = [one for one in exposures_of(release) if one.nearly and one.askable is None and one.commonest < 1]
    if not left:
        return []
    told = phrase([f"{one.column!r} ({math.floor(100 * one.commonest + 1e-9)} %)" for one in left])
    return [f"no share is asked of {told}: so many of all rows have one value anyway"]


def state_of(release: Reported) -> tuple[str, str]:
    """Style and word of the verdict; no plain yes above a page that tells of something given away, or of warnings."""
    if release.verdict.holds and (rows_given_away(release) or release.warnings):
        return NOTED
    return MARKS[release.verdict.holds]


def is_risk(measurement: Measurement) -> bool:
    """Whether a metric is about risk, not about loss."""
    return "risk" in measurement.metric or measurement.metric in RISKS


def main_loss(release: Reported) -> Measurement | None:
    """The measurement of the loss that the plan asked for, else the first that tells its columns apart."""
    told = [one for one in release.measurements if one.per_column]
    return next((one for one in told if one.metric == loss_metric(release.plan)), told[0] if told else None)


def losses(loss: Measurement) -> list[tuple[str, float]]:
    """Columns and their losses, the largest first."""
    return sorted(loss.per_column.items(), key=lambda one: (-one[1] if math.isfinite(one[1]) else 1.0, one[0]))


YEAR, MANY_DAYS = 365.25, 1000
"""Days of a year, and days from which on people count years."""


class Width(NamedTuple):
    """How wide the interval of a usual row is in one column."""

    column: str
    width: float
    """What half of the rows do not exceed."""
    unit: str
    """``days`` of dates; numbers have the unit of the column, which nobody told."""
    share: float
    """The same as a share of the interquartile range."""

    @property
    def words(self) -> str:
        """The width with its unit; many days as years.

        >>> Width("born", 10950.0, "days", 0.8).words, Width("seen", 222.0, "days", 0.6).words
        ('30 years', '222 days')
        """
        if self.unit == "days" and MANY_DAYS <= self.width < math.inf:
            return f"{number(round(self.width / YEAR, 1))} years"
        return f"{number(self.width)} {self.unit}".rstrip() if math.isfinite(self.width) else "undefined"


def typical_widths(release: Reported) -> list[Width]:
    """The columns of numbers and dates, in the plan's order."""
    measured = measurement_of(release, "typical_width")
    figures = measured.figures if measured else {}
    return [
        Width(name, figures[f"width {name}"], "days" * (column.kind == DATE), figures[f"of_iqr {name}"])
        for name, column in release.plan.columns.items()
        if f"width {name}" in figures
    ]


def certificate_told(release: Reported) -> str:
    """How far the loss is from the smallest possible, or why that is not told; empty if nobody asked."""
    if release.certificate is not None:
        return release.certificate.sentence()
    return f"none: {release.uncertified}" if release.uncertified else ""


def levels_told(release: Reported) -> str:
    """The columns whose levels all groups share, and what that costs; empty if there are none."""
    told = release.facts.get("levels")
    if not told:
        return ""
    levels = phrase([f"{name} in {many:,}" for name, many in told["columns"].items()])
    costs = f"{percent(told['loss'])} of the detail against {percent(told['loss_without'])}"
    return f"{levels} that all groups share and that do not overlap; by the method alone that costs {costs} without"


class Risk(NamedTuple):
    """Chances of picking the right row, for the best-placed person and on average."""

    largest: float
    mean: float


def risk(release: Reported) -> Risk | None:
    """As the judge measured it, else as it follows from the sizes of the groups; None where there is no row."""
    judged = measurement_of(release, "prosecutor_risk")
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
