# SPDX-License-Identifier: Apache-2.0
r"""Tell what an attacker who holds another table learns from a release.

RELEASED is a release folder, or a table made by anything; several tables are sub-tables of the same people.

\b
    shoal attack released/ --known register.csv --on age,sex,zip
    shoal attack released/ --original adult.csv
    shoal attack table.csv --known register.csv --on age,sex -k 10 --truth id

Without --known the attacker holds the original. Success is scored by --truth, a column that tells who is who, or
where the known table equals the original row by row; else candidates are counted. Exit 1: more was learned than
was promised.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.faces.cli import _flags as flags
from shoal.faces.cli._output import say, say_json
from shoal.faces.cli._settings import plan_flags, reading_flags, reading_of
from shoal.ground import catalog
from shoal.ground.errors import PlanError

if TYPE_CHECKING:
    from shoal.plan.plan import Plan
    from shoal.tables.table import Table


@click.command(help=flags.shown(__doc__))
@click.argument("released", nargs=-1, required=True, type=flags.place, metavar="RELEASED...")
@click.option("--known", type=flags.place, metavar="EXTERNAL", help="The table that the attacker holds.")
@flags.names_flag("--on", "What the attacker knows of a person.")
@click.option("--original", type=flags.place, metavar="TABLE", help="The original, for scoring and for comparison.")
@click.option("--truth", metavar="COLUMN", help="A column that tells who is who, in both tables; for scoring only.")
@click.option("--second", type=flags.path, metavar="RELEASED", help="Another release of overlapping people.")
@flags.names_flag("--attack", f"Only these: {', '.join(catalog.names('attacks'))}.", "NAME,...")
@click.option("--targets", type=int, metavar="N", help="Attack at most so many, drawn evenly; 100,000 unless given.")
@flags.plan_flag
@plan_flags("attack", ("columns", "privacy"))
@reading_flags
@flags.json_flag
@click.pass_context
def command(
    context: click.Context,
    /,
    released: tuple[Path, ...],
    on: tuple[str, ...],
    attack: tuple[str, ...],
    targets: int | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Attack, say what was learned, and end with the exit code."""
    for name in attack:
        catalog.find("attacks", name)
    from shoal.releases import attacking

    chosen = {name: given.pop(name) for name in ("known", "original", "truth", "second")}
    release, plan = _released(released, on, given)
    if chosen["known"] is not None:
        chosen["known"] = _held(chosen["known"], given, plan)
    limit = attacking.MOST_TARGETS if targets is None else targets
    report = attacking.attack(release, plan=plan, on=on, attacks=attack, targets=limit, **chosen)
    if as_json:
        say_json(report.to_dict())
    else:
        say(str(report))
    context.exit(1 if report.broken else 0)


def _released(paths: tuple[Path, ...], on: tuple[str, ...], given: dict[str, Any]) -> tuple[Any, Plan]:
    """What is attacked, and its plan: the folder's own, changed by flags, or one made of flags alone."""
    from shoal.faces.cli._plans import is_release_folder, plan_of
    from shoal.plan.plan import Plan
    from shoal.releases.inspection import PLAN

    if len(paths) == 1 and is_release_folder(paths[0]):
        return paths[0], plan_of(given, base=Plan.read(paths[0] / PLAN))
    if any(is_release_folder(path) for path in paths):
        raise PlanError(
            "Several tables were named, and one of them is a release folder.",
            where="RELEASED",
            allowed="one release folder, or the sub-tables themselves",
            received=f"{len(paths)} paths",
            todo="name one folder; the table that it was made from with --original, one that the attacker holds with "
            "--known, another release with --second",
        )
    release = list(paths) if len(paths) > 1 else paths[0]
    if given["plan"] is None:
        given["qi"] = given["qi"] or on
    return release, plan_of(given, k=1)


def _held(path: Path, given: dict[str, Any], plan: Plan) -> Table:
    """The attacker's table: not of the release's making, so only its marks of missing cells and numbers are assumed."""
    from shoal.tables.sources import read_table

    return read_table(path, reading_of(given, plan.reading.of_others())).table
