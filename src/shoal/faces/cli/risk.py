# SPDX-License-Identifier: Apache-2.0
r"""Tell how exposed a table is before anything is anonymised, and which columns make it so.

TABLE is a file, several files of the same columns, a folder of files of one format, or a database.

\b
    shoal risk people.csv
    shoal risk people.csv --qi age,sex,zip -o risk
    shoal risk people.csv --plan plan.toml --population 80000000

Counts rows without look-alikes, the smallest sets of columns that single people out, special uniques (SUDA), and what
each column adds. Without --qi or --plan the columns are those that seem to be known to others. No cell of the table is
shown. What -o writes is for those who keep the table, and not for publishing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from shoal.faces.cli import _flags as flags
from shoal.faces.cli._output import note, say, say_json
from shoal.faces.cli._settings import all_reading_flags, plan_flags


@click.command(help=flags.shown(__doc__))
@click.argument("tables", nargs=-1, required=True, type=flags.place, metavar="TABLE...")
@click.option("-o", "--output", type=flags.path, metavar="DIR", help="Write a page, JSON, and the risk of every row.")
@click.option("--overwrite", is_flag=True, help="Replace what an earlier run wrote to DIR.")
@flags.plan_flag
@flags.names_flag("--qi", "Columns that others may know of a person.")
@plan_flags("risk", ("privacy",))
@click.option("--household", metavar="COLUMN", help="A column that is the same for all members of a household.")
@click.option("--largest", type=int, metavar="N", help="Search sets of up to so many columns.")
@all_reading_flags
@flags.json_flag
@flags.quiet_flag
def command(
    tables: tuple[Path | str, ...],
    output: Path | None,
    overwrite: bool,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Count, say what was found, write the page."""
    from shoal.faces.cli._plans import plan_of
    from shoal.faces.cli._progress import passed_on, progress_bar
    from shoal.studies.exposing.risk import risk
    from shoal.tables.sources import read_table

    asked = {name: given.pop(name) for name in ("household", "largest")}
    named = given.pop("qi")
    plan = plan_of(given, k=1)
    table = read_table(list(tables), plan.reading).table
    with progress_bar(quiet) as progress:
        found = risk(table, plan, quasi_identifiers=named, **asked, progress=passed_on(progress))
    if output is not None:
        found.save(output, overwrite=overwrite)
    if as_json:
        say_json(found.to_dict())
    else:
        say(str(found))
    if output is not None:
        note(f"Page written to {output / 'report.html'}; rows.csv beside it is for your eyes alone.", quiet=quiet)
