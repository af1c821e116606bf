# SPDX-License-Identifier: Apache-2.0
r"""Guess roles, kinds and hierarchies of a table, say why, and write a plan.

TABLE is a file, several files of the same columns, a folder of files of one format, or a database.

\b
    shoal suggest people.csv
    shoal suggest people.csv -o plan.toml
    shoal anonymize people.csv --plan plan.toml -o released

With -o the plan is written with its reasons as comments, and the hierarchies into a folder beside it. A suggestion is a
start and no verdict: look it over. Nothing leaves this machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from shoal.cli import _flags as flags
from shoal.cli._output import note, say, say_json


@click.command(help=(__doc__ or "").replace(r"\b", "\b"))
@click.argument("tables", nargs=-1, required=True, type=flags.place, metavar="TABLE...")
@click.option("-o", "--output", type=flags.path, metavar="FILE", help="The plan to write, e.g. plan.toml.")
@click.option("--overwrite", is_flag=True, help="Replace an earlier plan and its hierarchies.")
@click.option("-k", "k", type=int, help="Least number of look-alikes per record; 10 unless given.")
@flags.reading_flags
@flags.database_flags
@flags.json_flag
@flags.quiet_flag
def command(
    tables: tuple[Path | str, ...],
    output: Path | None,
    overwrite: bool,
    k: int | None,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Look at the table, say what was found, write the plan."""
    from shoal.suggesting.suggest import suggest

    reading = flags.reading_of(given)
    found = suggest(list(tables), k=k, reading=reading)
    if output is not None:
        found.save(output, overwrite=overwrite)
    if as_json:
        say_json(found.to_dict() | ({"plan": str(output)} if output is not None else {}))
    else:
        say(str(found))
    if output is None:
        note("Write it down with -o plan.toml.", quiet=quiet)
    else:
        files = found.hierarchy_files()
        beside = f", with {len(files)} hierarchies in {output.parent / 'hierarchies'}" if files else ""
        note(f"Plan written to {output}{beside}.", quiet=quiet)
