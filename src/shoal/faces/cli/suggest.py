# SPDX-License-Identifier: Apache-2.0
r"""Guess roles, kinds and hierarchies of a table, say why, and write a plan.

TABLE is a file, several files of the same columns, a folder of files of one format, or a database.

\b
    shoal suggest people.csv
    shoal suggest people.csv -o plan.toml
    shoal suggest survey.csv --codebook codebook.xlsx -o plan.toml
    shoal anonymize people.csv --plan plan.toml -o released

With -o the plan is written with its reasons as comments, and the hierarchies into a folder beside it. Below the table
stands what the plan will cost, and what each of the next quasi-identifiers would. A suggestion is a start and no
verdict: look it over. Nothing leaves this machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.faces.cli import _flags as flags
from shoal.faces.cli._output import note, say, say_json
from shoal.faces.cli._settings import all_reading_flags, reading_of
from shoal.ground.errors import ShoalError
from shoal.ground.wording import counted

if TYPE_CHECKING:
    from shoal.studies.forecasting import Forecast
    from shoal.suggesting.suggestion import Suggestion


@click.command(help=flags.shown(__doc__))
@click.argument("tables", nargs=-1, required=True, type=flags.place, metavar="TABLE...")
@click.option("-o", "--output", type=flags.path, metavar="FILE", help="The plan to write, e.g. plan.toml.")
@click.option("--overwrite", is_flag=True, help="Replace an earlier plan and its hierarchies.")
@click.option("--codebook", type=flags.path, metavar="FILE", help="What columns and codes mean: CSV, Excel or JSON.")
@click.option("-k", "k", type=int, help="Least number of look-alikes per record; 10 unless given.")
@all_reading_flags
@flags.json_flag
@flags.quiet_flag
def command(
    tables: tuple[Path | str, ...],
    output: Path | None,
    overwrite: bool,
    codebook: Path | None,
    k: int | None,
    as_json: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Look at the table, say what was found, write the plan."""
    from shoal.suggesting.suggest import suggest
    from shoal.suggesting.suggestion import tree_folder

    reading = reading_of(given)
    found = suggest(list(tables), k=k, codebook=codebook, reading=reading)
    expected = _expected(found)
    if output is not None:  # last: whoever interrupts the forecast finds nothing written
        found.save(output, overwrite=overwrite)
    if as_json:
        told = {"forecast": expected.to_dict() if expected is not None else None}
        say_json(found.to_dict() | told | ({"plan": str(output)} if output is not None else {}))
    else:
        say(str(found))
        say("\n".join(_forecast_lines(found, expected)))
    if output is None:
        note("Write it down with -o plan.toml.", quiet=quiet)
    else:
        files = found.hierarchy_files(output.name)
        trees = counted(len(files), "hierarchy", "hierarchies")
        beside = f", with {trees} in {output.parent / tree_folder(output.name)}" if files else ""
        note(f"Plan written to {output}{beside}.", quiet=quiet)


def _expected(found: Suggestion) -> Forecast | None:
    """What the plan will cost; None where the table cannot be computed with, which the run will tell."""
    from shoal.studies.forecasting import forecast

    try:
        return forecast(found)
    except ShoalError:
        return None


def _forecast_lines(found: Suggestion, expected: Forecast | None) -> list[str]:
    """The forecast, and the next quasi-identifiers with what each would tell and cost."""
    if expected is None or not expected.classes:
        return ["Forecast: none, for there is no class to try it on."]
    lines = [f"Forecast: {expected}."]
    if expected.further:
        lines.append("Next quasi-identifiers, left out; what each would tell, and cost the others:")
    width = max((len(name) for name in expected.further), default=0)
    for name, cost in expected.further.items():
        adds = found.columns[name].adds or 0.0
        lines.append(f"  {name.ljust(width)}  makes {adds:.1%} more rows unique, costs {100 * cost:.1f} points of loss")
    return lines
