# SPDX-License-Identifier: Apache-2.0
r"""Make a table safe to publish: a release folder with table, report, plan and manifest.

TABLE is a file, several files of the same columns, a folder of files of one format, or a database.

\b
    shoal anonymize adult.csv -o released -k 10 --qi age,sex,education \
        --sensitive occupation --identifier name --hierarchy education=education.csv
    shoal anonymize adult.csv -o released --plan plan.toml
    shoal anonymize postgresql://localhost/health --table patients \
        -o released --plan plan.toml --to postgresql://localhost/open

The release is written whole or not at all, and only after its table was read back and judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.cli import _flags as flags
from shoal.cli._models import model_flags
from shoal.cli._output import note, say, say_json
from shoal.errors import ShoalError

if TYPE_CHECKING:
    from shoal.plan import Plan
    from shoal.releases.release import Release


@click.command(help=__doc__)
@click.argument("tables", nargs=-1, required=True, type=flags.place, metavar="TABLE...")
@click.option("-o", "--output", type=flags.path, required=True, metavar="DIR", help="The release folder to make.")
@flags.plan_flag
@flags.k_flag
@flags.role_flags
@flags.identifier_flag
@flags.person_flag
@flags.column_flags
@flags.method_flags
@flags.weaker_flag
@flags.suppression_flag
@flags.missing_flag
@model_flags
@flags.release_flags
@flags.reading_flags
@flags.database_flags
@flags.target_flags
@flags.json_flag
@flags.quiet_flag
def command(
    tables: tuple[Path | str, ...],
    output: Path,
    overwrite: bool,
    to: Path | str | None,
    to_table: str | None,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Read the flags, run the flow, say what came out."""
    from shoal.cli._plans import plan_of
    from shoal.releases.folder import check_target

    check_target(output, overwrite)
    plan = plan_of(given)
    if to is not None:
        _check_database(tables, plan, to, to_table, overwrite=overwrite)
    release = anonymized(tables, plan, output, overwrite=overwrite, quiet=quiet)
    written = [] if to is None else _to_database(release, output, to, to_table, overwrite=overwrite)
    tell(release, output, as_json=as_json, written=written)


def _check_database(
    tables: tuple[Path | str, ...], plan: Plan, to: Path | str, name: str | None, *, overwrite: bool
) -> None:
    """Refuse a database that could not be written, before any long work."""
    from shoal.releases.publishing import check_place, refuse_source

    refuse_source(check_place(to, name, overwrite=overwrite), name, tables, plan.reading)


def _to_database(release: Release, output: Path, to: Path | str, name: str | None, *, overwrite: bool) -> list[str]:
    """Write the released table to a database, too; what was written, in words."""
    from shoal.releases.publishing import publish
    from shoal.tables.databases import place_of

    try:
        names = publish(release, to, name, overwrite=overwrite)
    except ShoalError as problem:
        problem.todo += f"; the release folder {str(output)!r} is complete, the database is as before"
        raise
    return [f"table {one} of {place_of(to).shown}" for one in names]


def anonymized(tables: tuple[Path | str, ...], plan: Plan, output: Path, *, overwrite: bool, quiet: bool) -> Release:
    """The flow from files to a release folder, with a progress bar."""
    from shoal.cli._progress import progress_bar, tell_if_compiling
    from shoal.pipeline import run
    from shoal.plan import load_hierarchies
    from shoal.tables.sources import read_table, require_writable
    from shoal.weaker import announcement

    if said := announcement(plan):
        note(f"Note: {said}", quiet=quiet)
    plan = load_hierarchies(plan)  # a faulty tree is found before a long read
    if plan.format is not None:
        require_writable(plan.format)
    with progress_bar(quiet) as progress:
        progress.phase("read")
        source = read_table(tables, plan.reading)
        tell_if_compiling(plan.method, quiet)
        release = run(source.table, replace(plan, reading=source.reading), progress)
        progress.phase("write")
        release.save(output, overwrite=overwrite, format=plan.format or source.released_as)
    return release


def tell(release: Release, output: Path, *, as_json: bool, written: Sequence[str] = ()) -> None:
    """What the run came to, and where it is."""
    if as_json:
        from shoal.reports.json_report import report_dict

        also = {"written": list(written)} if written else {}
        say_json({"release": str(output), **also, **report_dict(release)})
    else:
        from shoal.reports.text import summary

        tables = sorted(output.glob("table*.*"), key=lambda path: (len(path.name), path.name))
        places = [*(("Publish", str(table)) for table in tables), ("Report", str(output / "report.html"))]
        places += [("Written", place) for place in written]
        say("\n".join([summary(release), "", *(f"{name:<13} {where}" for name, where in places)]))
