# SPDX-License-Identifier: Apache-2.0
r"""Tell what a release lost and what risk remains, against the original.

\b
    shoal measure adult.csv released/
    shoal measure adult.csv released/ --utility
    shoal measure adult.csv table.csv --qi age,education --hierarchy education=education.csv
    shoal measure parts/ released/ --memory 4GiB

RELEASED is a release folder, which carries its own plan, or a table made by anything. Models that flags ask for, and
what is required of the quality, are judged, too, and told below the measurements. Exit 1: some of it does not hold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.faces.cli import _flags as flags
from shoal.faces.cli._output import columns_of_text, note, say, say_json
from shoal.faces.cli._settings import plan_flags, reading_flags
from shoal.ground import catalog
from shoal.ground.errors import PlanError

if TYPE_CHECKING:
    from shoal.judging.evidence import Measurement
    from shoal.judging.verdicts import Verdict

UNREAD = (
    "Note: labels are read by the kind or hierarchy that they were made with: give the release folder or its plan "
    "(--plan plan.toml), or say it of the columns named above: --kind COLUMN=text-prefix, --hierarchy COLUMN=FILE."
)
DETAILS = "All figures of a metric: --metric NAME; of all metrics: --json. What it means: shoal metrics NAME."


@click.command(help=flags.shown(__doc__))
@click.argument("original", type=flags.place)
@click.argument("released", type=flags.place)
@flags.plan_flag
@plan_flags("measure")
@flags.metric_flag
@click.option("--utility", is_flag=True, help="Also how well analyses still work: models, counts, correlations.")
@reading_flags
@flags.json_flag
@click.pass_context
def command(
    context: click.Context,
    /,
    original: Path | str,
    released: Path | str,
    metric: tuple[str, ...],
    as_json: bool,
    **given: Any,
) -> None:
    """Measure, print a table, and end with the exit code of what was asked for."""
    for name in metric:
        catalog.find("metrics", name)
    measured, asked = _measured(original, released, metric, given)
    if as_json:
        say_json([*(one.to_dict() for one in measured), *asked.to_dict()["findings"]])
    else:
        from shoal.releases.reports.text import verdict_lines

        told = _told(measured, details=bool(metric) or given["utility"])
        say("\n".join([told, *(["", *verdict_lines(asked)] if asked.findings else [])]))
    if any("cannot be read" in one.note for one in measured):
        note(UNREAD, quiet=False)
    context.exit(0 if asked.holds else 1)


def _measured(
    original: Path | str, released: Path | str, metrics: tuple[str, ...], given: Mapping[str, Any]
) -> tuple[tuple[Measurement, ...], Verdict]:
    """The measurements, and what the models found that flags ask for, and the gates of quality."""
    from shoal.faces.cli._models import models_of
    from shoal.faces.cli._plans import is_release_folder, plan_of
    from shoal.faces.cli._progress import progress_bar
    from shoal.judging.checking import check, measure
    from shoal.judging.gates import judged_gates, metrics_of_gates
    from shoal.judging.verdicts import Verdict
    from shoal.plan.plan import load_hierarchies
    from shoal.releases.judging import retold
    from shoal.releases.kinds import USUAL, kind_named
    from shoal.tables.sources import read_released, read_table

    if is_release_folder(original):
        raise PlanError(
            "A release is not what something was made from.",
            where=f"folder {str(original)!r}",
            allowed="first the table before, then the release: shoal measure ORIGINAL RELEASED",
            received="a release folder as ORIGINAL",
            todo="swap the two, or name the table before",
        )
    if given["memory"] is not None:
        return _counted(original, released, metrics, given)
    if is_release_folder(released):
        from shoal.releases.folder import read_release

        saved = read_release(released)
        _tell_of(saved.problems)
        asked_of = plan_of(given, base=saved.plan)
        plan = load_hierarchies(asked_of)
        table, kind, learnt = saved.side_by_side(plan), saved.kind, saved.learnt
    else:
        saved, asked_of = None, plan_of(given, k=1)
        plan = load_hierarchies(asked_of)
        table, kind, learnt = read_released([released], plan.reading).table, kind_named(USUAL), {}
    source = read_table([original], plan.reading)
    before = source.table
    beside = [name for name in metrics_of_gates(plan) if metrics and name not in metrics]
    asked_for: dict[str, Any] = {"metrics": [*metrics, *beside] or None, "utility": given["utility"]}
    with progress_bar(quiet=False) as progress:
        progress.phase("measure", len(before) * len(before.names))
        measured = measure(before, table, plan, **asked_for, releases=kind.name, learnt=learnt, progress=progress)
    if saved is not None:
        measured = retold(measured, released, saved, asked_of, source.places)
    asked = {} if kind.weaker else models_of(given)
    found = check(table, plan=plan).findings if asked else ()
    gates = judged_gates(plan, measured)
    shown = tuple(one for one in measured if one.metric not in beside or given["utility"])
    return shown, Verdict((*(one for one in found if one.model in asked), *gates))


def _tell_of(problems: Sequence[str]) -> None:
    """What about a release folder does not fit its manifest: its figures may be those of other rows."""
    for problem in problems:
        note(f"{'PROBLEM':<13} {problem}")


def _counted(
    original: Path | str, released: Path | str, metrics: tuple[str, ...], given: Mapping[str, Any]
) -> tuple[tuple[Measurement, ...], Verdict]:
    """The same of tables beyond memory, as far as it needs no rows."""
    from shoal.faces.cli._models import models_of
    from shoal.faces.cli._plans import is_release_folder, plan_of
    from shoal.judging.gates import judged_gates
    from shoal.judging.verdicts import Verdict
    from shoal.large.checking import check_files, measure_files, measure_folder
    from shoal.releases.folder import described

    if is_release_folder(released):
        base, _, files = described(Path(released))
        plan = plan_of(given, base=base)
        found, problems = measure_folder(original, Path(released), plan, given["memory"])
        _tell_of(problems)
    else:
        files, plan = [Path(released)], plan_of(given, k=1)
        found = measure_files(original, files, plan, given["memory"])
    asked = models_of(given)
    findings = check_files(files, plan, None, given["memory"]).findings if asked else ()
    verdict = Verdict((*(one for one in findings if one.model in asked), *judged_gates(plan, found)))
    return tuple(one for one in found if not metrics or one.metric in metrics), verdict


def _told(measured: Sequence[Measurement], *, details: bool) -> str:
    """One line per metric, then the loss of each column under the metrics that tell columns apart.

    ``details``: with all figures of each metric; else with what it is about, and where the figures are.
    """
    from shoal.ground.wording import number
    from shoal.releases.reports.text import brief_lines, measurement_lines

    lines = measurement_lines(measured) if details else brief_lines(measured)
    by_column = [one for one in measured if one.per_column]
    if by_column:
        names = dict.fromkeys(name for one in by_column for name in one.per_column)
        rows = [("column", *(one.metric for one in by_column))]
        rows += [(name, *(number(one.per_column.get(name, math.nan)) for one in by_column)) for name in names]
        lines += ["", columns_of_text(rows, indent=0)]
    if not details:
        lines += ["", DETAILS]
    return "\n".join(lines)
