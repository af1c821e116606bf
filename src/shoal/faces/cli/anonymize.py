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

from shoal.faces.cli import _flags as flags
from shoal.faces.cli._output import note, say, say_json
from shoal.faces.cli._progress import INTERRUPTING
from shoal.faces.cli._settings import plan_flags, writing_flags
from shoal.ground.errors import Interrupted, ShoalError

if TYPE_CHECKING:
    from shoal.plan.plan import Plan
    from shoal.releases.release import Release


BYTES_PER_CELL = 8
"""Of a file of text, about."""


@click.command(help=flags.shown(__doc__, INTERRUPTING))
@click.argument("tables", nargs=-1, required=True, type=flags.place, metavar="TABLE...")
@click.option("-o", "--output", type=flags.path, required=True, metavar="DIR", help="The release folder to make.")
@flags.plan_flag
@plan_flags("anonymize")
@flags.overwrite_flag
@writing_flags
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
    from shoal.faces.cli._plans import plan_of
    from shoal.releases.folder import check_target

    check_target(output, overwrite)
    plan = plan_of(given)
    if to is not None:  # a database that could not be written is refused before any long work
        from shoal.releases.publishing import check_place, refuse_source

        refuse_source(check_place(to, to_table, overwrite=overwrite), to_table, tables, plan.reading)
    release = anonymized(tables, plan, output, overwrite=overwrite, quiet=quiet, to=to)
    written = [] if to is None else _to_database(release, output, to, to_table, overwrite=overwrite)
    tell(release, output, as_json=as_json, written=written)


def _to_database(release: Release, output: Path, to: Path | str, name: str | None, *, overwrite: bool) -> list[str]:
    """Write the released table to a database, too; what was written, in words."""
    from shoal.releases.publishing import publish
    from shoal.tables.databases import place_of

    so_far = f"the release folder {str(output)!r} is complete, the database is as before"
    try:
        names = publish(release, to, name, overwrite=overwrite)
    except ShoalError as problem:
        problem.todo += f"; {so_far}"
        raise
    except KeyboardInterrupt:
        again = "give the same command again with --overwrite, which replaces the folder"
        raise Interrupted(f"interrupted; {so_far}", todo=again) from None
    return [f"table {one} of {place_of(to).shown}" for one in names]


def anonymized(
    tables: tuple[Path | str, ...],
    plan: Plan,
    output: Path,
    *,
    overwrite: bool,
    quiet: bool,
    to: Path | str | None = None,
) -> Release:
    """The flow from files to a release folder, with a progress bar; ``to`` tells where else it is to be written."""
    from shoal.faces.cli._progress import progress_bar
    from shoal.pipeline import run
    from shoal.plan.plan import load_hierarchies
    from shoal.releases.kinds import announcement
    from shoal.releases.manifest import fingerprints
    from shoal.studies.duration import foretold, is_of_names, numbers_in
    from shoal.tables.sources import read_table, require_writable

    if said := announcement(plan):
        note(f"Note: {said}", quiet=quiet)
    plan = load_hierarchies(plan)  # a faulty tree is found before a long read
    if plan.format is not None:
        require_writable(plan.format)
    if plan.cell_rows is not None or plan.memory is not None:
        from shoal.large.choosing import must_be_cut, refuse_other_targets
        from shoal.large.release import release_long

        if must_be_cut(tables, plan):
            refuse_other_targets(plan, to)
            with progress_bar(quiet) as progress:
                return release_long(tables, plan, output, progress, overwrite=overwrite)
    with progress_bar(quiet) as progress:
        progress.phase("read", _cells(tables))
        source = read_table(tables, plan.reading)
        inputs = fingerprints(source.places)
    numbers, names = numbers_in(source.table, plan), is_of_names(source.table, plan)
    if said := foretold(len(source.table), len(source.table.names), plan, numbers, names=names):
        note(said, quiet=quiet)
    with progress_bar(quiet) as progress:
        release = run(source.table, plan, progress, reading=source.reading, portrayed=True)
        release = replace(release, inputs=inputs)
        progress.phase("write", len(source.table) * len(source.table.names))
        release.save(output, overwrite=overwrite, format=plan.format or source.released_as)
    return release


def _cells(tables: tuple[Path | str, ...]) -> int:
    """About how many cells files hold, by their size."""
    files = [Path(one) for one in tables if isinstance(one, Path)]
    return sum(one.stat().st_size for one in files if one.is_file()) // BYTES_PER_CELL


def tell(release: Release, output: Path, *, as_json: bool, written: Sequence[str] = ()) -> None:
    """What the run came to, and where it is."""
    if as_json:
        from shoal.releases.reports.json_report import report_dict

        also = {"written": list(written)} if written else {}
        say_json({"release": str(output), **also, **report_dict(release)})
    else:
        from shoal.releases.reports.text import summary

        tables = sorted(output.glob("table*.*"), key=lambda path: (len(path.name), path.name))
        places = [*(("Publish", str(table)) for table in tables), ("Report", str(output / "report.html"))]
        places += [("Written", place) for place in written]
        say("\n".join([summary(release), "", *(f"{name:<13} {where}" for name, where in places)]))
