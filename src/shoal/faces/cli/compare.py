# SPDX-License-Identifier: Apache-2.0
r"""Compare methods over a grid of k: loss, risk, time, memory and the gap to the lower bound.

\b
    shoal compare adult.csv --k 5,10,50 --qi age,sex,education -o compared
    shoal compare adult.csv --k 10 --methods k_member,mondrian --plan plan.toml --attribution

Nothing is published. With -o every finished cell is kept at once: the same command goes on where it was stopped.
Ctrl-C stops the run, and what is finished is kept in DIR.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.faces.cli import _flags as flags
from shoal.faces.cli._output import say, say_json
from shoal.faces.cli._settings import plan_flags, reading_flags
from shoal.ground.errors import Interrupted, PlanError

if TYPE_CHECKING:
    from shoal.plan.plan import Plan
    from shoal.studies.comparing.comparison import Comparison


def _numbers(_context: click.Context, param: click.Parameter, text: str | None) -> tuple[int, ...] | None:
    """Whole numbers, separated by commas."""
    if text is None:
        return None
    try:
        return tuple(int(one) for one in text.split(","))
    except ValueError:
        raise PlanError(
            "A list of whole numbers cannot be read.",
            where=flags.flag_name(param),
            allowed="whole numbers separated by commas, e.g. 5,10,50",
            received=repr(text),
            todo="write it like 5,10,50",
        ) from None


@click.command(help=flags.shown(__doc__))
@click.argument("tables", nargs=-1, required=True, type=flags.place, metavar="TABLE...")
@click.option("-k", "--k", "k", callback=_numbers, metavar="N,...", help="The values of k to compare at, e.g. 5,10,50.")
@flags.names_flag("--methods", "Which methods; all unless given.", "NAME,...")
@click.option("--seeds", callback=_numbers, metavar="N,...", help="Seeds for methods that draw; 0 unless given.")
@plan_flags(
    "compare",
    ("method",),
    loss="The loss to keep low and to compare by: ncp, height, eloss, lm or sse.",
    refine="Search for classes of lower loss after every method.",
)
@click.option("--rank", metavar="METRIC", help="Rank methods by a metric or a figure of it, not by the loss.")
@click.option(
    "--attribution", is_flag=True, help="Also what each quasi-identifier costs, and what changing it gives back."
)
@click.option("-o", "--output", type=flags.path, metavar="DIR", help="Keep results there: JSON, CSV, a page, plots.")
@click.option("--fresh", is_flag=True, help="Forget what an earlier run left in DIR.")
@click.option("--limit", type=float, metavar="SECONDS", help="Stop a cell that takes longer, and go on with the next.")
@flags.plan_flag
@plan_flags("compare", ("columns", "privacy", "models", "workload"))
@reading_flags
@flags.json_flag
@flags.quiet_flag
def command(
    tables: tuple[Path, ...], k: tuple[int, ...] | None, output: Path | None, as_json: bool, quiet: bool, **given: Any
) -> None:
    """Read the flags, walk the grid, say what came out."""
    from shoal.faces.cli._plans import plan_of
    from shoal.plan.plan import load_hierarchies

    plan = load_hierarchies(plan_of(given | {"k": k[0] if k else None}))
    found = _compared(tables, plan, k, output, quiet, given)
    if as_json:
        say_json(found.to_dict())
    else:
        from shoal.faces.cli._comparison import told

        say(told(found))
        if output is not None:
            say(f"\nReport        {output / 'report.html'}\nTable         {output / 'comparison.csv'}")
    if not any(one.done for one in found.outcomes):
        raise click.exceptions.Exit(1)


def _compared(
    tables: tuple[Path, ...],
    plan: Plan,
    k: tuple[int, ...] | None,
    output: Path | None,
    quiet: bool,
    given: dict[str, Any],
) -> Comparison:
    from shoal.faces.cli._progress import passed_on, progress_bar
    from shoal.studies.comparing.comparison import compare

    try:
        with progress_bar(quiet) as progress:
            asked = {name: given[name] for name in ("seeds", "rank", "attribution", "fresh", "limit")}
            asked |= {"methods": given["methods"] or None, "progress": passed_on(progress)}
            return compare(list(tables), plan, k=k, output=output, **asked)
    except KeyboardInterrupt:
        raise _interrupted(output) from None


def _interrupted(output: Path | None) -> Interrupted:
    from shoal.studies.comparing.storing import CELLS

    if output is None:
        return Interrupted("interrupted; nothing is kept without an output folder", todo="give one with -o next time")
    kept = len(list((output / CELLS).glob("*.json")))
    return Interrupted(
        f"interrupted; what was finished is kept ({kept} cells)",
        where=f"output folder {str(output)!r}",
        todo="give the same command again to go on",
    )
