# SPDX-License-Identifier: Apache-2.0
"""Anonymise a built-in table of synthetic patients and show what happened.

Writes patients.csv, the hierarchies, plan.toml and a release folder below DIR. Nothing in it is about real
people. Running it again replaces its own earlier output and nothing else.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from shoal.faces.cli import _flags as flags
from shoal.faces.cli._output import columns_of_text, say
from shoal.faces.cli._progress import INTERRUPTING
from shoal.ground.errors import Interrupted, OutputError, PlanError

if TYPE_CHECKING:
    from shoal.plan.plan import Plan
    from shoal.releases.release import Release
    from shoal.tables.table import Table

MARK = "README.txt"
MARK_TEXT = """Made by `shoal demo` from invented patients; it may be deleted or made again at any time.

patients.csv    the private table
plan.toml       what to do with it, with the hierarchies beside it
release         the release folder; of its files table.csv and the codebook may be published, and nothing else

The same by hand:  shoal anonymize patients.csv --plan plan.toml -o another-release
"""
SHOWN = ("name", "age", "sex", "postcode", "marital_status", "diagnosis")
"""Columns of the before-and-after picture; a removed one is shown empty afterwards."""


@click.command(help=flags.shown(__doc__, INTERRUPTING))
@click.option("-o", "--output", type=flags.path, default=Path("shoal-demo"), metavar="DIR", show_default=True)
@click.option("--rows", type=int, default=1000, show_default=True, help="How many patients.")
@click.option("-k", "k", type=int, default=5, show_default=True, help="Least number of look-alikes per patient.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of patients and method.")
@flags.quiet_flag
def command(output: Path, rows: int, k: int, seed: int, quiet: bool) -> None:
    """Make the table, anonymise it the way a user would, show both."""
    from shoal.faces.cli.anonymize import anonymized, tell
    from shoal.plan.plan import Plan
    from shoal.studies.samples.patients import patient_plan, patients_table

    plan = Plan.of(**patient_plan(k), seed=seed)
    if rows < k:
        what = "There are fewer patients than each of them needs look-alikes."
        raise PlanError(what, "flag --rows", f"at least k = {k}", str(rows), "raise --rows or lower -k")
    table = patients_table(rows, seed)
    _claim(output)
    _write_inputs(output, table, plan)
    place = output / "release"
    inputs = (output / "patients.csv",)
    try:
        release = anonymized(inputs, Plan.read(output / "plan.toml"), place, overwrite=True, quiet=quiet)
    except (KeyboardInterrupt, Interrupted):
        raise Interrupted(
            "interrupted; the patients and their plan are written, no release of them is",
            where=f"output folder {str(output)!r}",
            todo="give the same command again, which replaces them",
        ) from None
    say(_before_and_after(table, release))
    tell(release, place, as_json=False)


def _claim(output: Path) -> None:
    """Make the folder, or take back the one an earlier demonstration made."""
    ours = (output / MARK).is_file() and (output / MARK).read_text(encoding="utf-8", errors="replace") == MARK_TEXT
    if not ours and output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise OutputError(
            "The folder holds things that this demonstration did not make.",
            where=f"output folder {str(output)!r}",
            allowed="a new or empty folder, or that of an earlier demonstration",
            received="a folder with other things in it" if output.is_dir() else "a file of that name",
            todo="choose another folder with -o",
        )
    output.mkdir(parents=True, exist_ok=True)
    (output / MARK).write_text(MARK_TEXT, encoding="utf-8")


def _write_inputs(output: Path, table: Table, plan: Plan) -> None:
    """What a custodian would bring: the private table, a plan and its hierarchies."""
    from shoal.hierarchies.hierarchy import Hierarchy
    from shoal.hierarchies.level_files import write_levels
    from shoal.tables.sources import write_table

    write_table(table, output / "patients.csv", "delimited", plan.reading)
    (output / "hierarchies").mkdir(exist_ok=True)
    files = {}
    for name, column in plan.columns.items():
        if isinstance(column.hierarchy, Hierarchy):
            files[name] = f"hierarchies/{name}.csv"
            write_levels(column.hierarchy, output / files[name])
    (output / "plan.toml").write_text(plan.to_toml(files), encoding="utf-8")


def _before_and_after(table: Table, release: Release) -> str:
    """Three look-alikes before and after; cells may be shown, for these people are invented."""
    import numpy as np

    members = [place for place, row in enumerate(release.rows) if release.classes[row] == 0][:3]
    before = table.take(release.rows[members])
    after = release.released.take(np.array(members))
    return "\n".join(["Before:", _picture(before), "", "After:", _picture(after), ""])


def _picture(table: Table) -> str:
    columns = [[name, *_cells(table, name)] for name in SHOWN]
    return columns_of_text(zip(*columns))


def _cells(table: Table, name: str) -> list[str]:
    if name not in table.names:
        return ["(gone)"] * len(table)
    return ["" if cell is None else cell for cell in table.texts(name)]
