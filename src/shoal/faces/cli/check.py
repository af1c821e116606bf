# SPDX-License-Identifier: Apache-2.0
r"""Judge a released table or a release folder, ours or anybody's.

RELEASED is a release folder, or a table file (several files, a folder of files) made by anything.

\b
    shoal check released/
    shoal check table.csv --qi age,sex,zip -k 10
    shoal check table.csv --qi age,sex,zip -k 10 --original patients.csv --strict

A release folder carries its own plan; its files are also compared with its manifest. Without k, tells what
holds and exits 0. Exit 1: some promise does not hold. Leaks that break no promise (shoal leaks) are warned about.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.faces.cli import _flags as flags
from shoal.faces.cli._annotations import FORMS, annotation_lines
from shoal.faces.cli._output import note, say, say_json
from shoal.faces.cli._settings import given_by, plan_flags, reading_flags, reading_of
from shoal.ground.errors import PlanError

if TYPE_CHECKING:
    from shoal.judging.verdicts import Verdict
    from shoal.plan.plan import Plan


@click.command(help=flags.shown(__doc__))
@click.argument("released", nargs=-1, required=True, type=flags.place, metavar="RELEASED...")
@flags.plan_flag
@plan_flags("check")
@click.option("--original", type=flags.place, metavar="FILE", help="The table it was made from: finds more leaks.")
@reading_flags
@click.option("--in-database", is_flag=True, help="Let the database count and fetch no rows; finds no leaks.")
@click.option("--as-sql", is_flag=True, help="Print the query that finds a broken promise, and judge nothing.")
@click.option("--strict", is_flag=True, help="A warning counts as a no.")
@flags.names_flag("--allow", "Leaks that are accepted; see shoal leaks.", "LEAK,...")
@click.option("--explain", is_flag=True, help="Also say what to do about leaks, and what is worth knowing.")
@click.option("--annotate", type=click.Choice(FORMS), help="Also print annotations for a pipeline.")
@flags.json_flag
@click.pass_context
def command(
    context: click.Context,
    /,
    released: tuple[Path | str, ...],
    strict: bool,
    explain: bool,
    annotate: str | None,
    as_json: bool,
    as_sql: bool,
    **given: Any,
) -> None:
    """Judge, say the verdict, and end with its exit code."""
    from shoal.faces.cli._plans import is_release_folder

    first = released[0]
    _refuse_unread_original(given, as_sql)
    if as_sql:
        say(_query(first, given))
        return
    if len(released) == 1 and isinstance(first, Path) and is_release_folder(first):
        verdict, problems, path = _judge_folder(first, given)
    else:
        verdict, problems, path = _judge_table(released, given), [], _shown(first)
    holds = verdict.holds and not problems and not (strict and verdict.warnings)
    if as_json:
        say_json({**verdict.to_dict(), "holds": holds, "problems": problems})
    else:
        say("\n".join(_lines(verdict, problems, explain)))
    if annotate:  # a pipeline reads both streams; beside JSON they must not stand on stdout
        for line in annotation_lines(verdict, problems, path, strict=strict, explain=explain):
            note(line) if as_json else say(line)
    context.exit(0 if holds else 1)


def _lines(verdict: Verdict, problems: list[str], explain: bool) -> list[str]:
    from shoal.releases.reports.text import found_exposure_lines, leak_lines, verdict_lines

    lines = [
        *verdict_lines(verdict),
        *found_exposure_lines(verdict),
        *(f"{'PROBLEM':<13} {problem}" for problem in problems),
    ]
    return [*lines, *leak_lines(verdict)] if explain else lines


def _shown(place: Path | str) -> Path:
    """Where a table is, for annotations; of an address only what may be shown."""
    from shoal.tables.databases import masked

    return place if isinstance(place, Path) else Path(masked(place))


def _judge_folder(folder: Path, given: Mapping[str, Any]) -> tuple[Verdict, list[str], Path]:
    """The verdict on a release folder, what about it does not fit its manifest, and where its table is."""
    from shoal.faces.cli._plans import plan_of
    from shoal.releases.folder import read_release

    if given["memory"] is not None:
        from shoal.large.checking import check_folder

        return check_folder(folder, lambda base: plan_of(given, base=base), given["memory"])
    saved = read_release(folder)
    plan = plan_of(given, base=saved.plan)
    reading = reading_of(given, plan.reading)
    return saved.check(plan, _original(given, reading), given["allow"]), saved.problems, saved.files[0]


def _judge_table(paths: tuple[Path | str, ...], given: Mapping[str, Any]) -> Verdict:
    """The verdict on a table of unknown origin."""
    from shoal.faces.cli._models import models_of
    from shoal.faces.cli._plans import plan_of, roles_of
    from shoal.judging.bytes.reading import judged_file
    from shoal.judging.checking import check
    from shoal.plan.plan import Plan
    from shoal.tables.sources import refuse_unreadable

    files = list(paths)
    refuse_unreadable(files)
    _require_columns(given)
    if given["memory"] is not None:
        from shoal.large.checking import check_files

        return check_files(files, *_claimed(given), given["memory"])
    if _counted_there(paths, given):
        return _judge_there(paths[0], given)
    if given["plan"] is not None:
        plan = plan_of(given)
        return check(paths, plan=plan, original=_original(given, plan.reading), allow=given["allow"], files=files)
    reading = reading_of(given)
    keywords = {"hierarchy": "hierarchies", "kind": "kinds", "order": "orders"}
    keywords |= {name: name for name in ("levels", "date_format", "decimal", "thousands")}
    values = {keyword: given[f"columns_{name}"] for name, keyword in keywords.items()}
    claims = {**given_by(given, Plan), "models": models_of(given), "reading": reading}
    table = judged_file(paths, reading, given["qi"])
    beside = {"original": _original(given, reading), "allow": given["allow"], "files": files}
    return check(table, **roles_of(given), **values, **claims, **beside)


def _refuse_unread_original(given: Mapping[str, Any], as_sql: bool) -> None:
    """Refuse an original where rows are only counted: nothing would be looked for beside it, and no word said."""
    counting = {"--as-sql": as_sql, "--in-database": given["in_database"], "--memory": given["memory"] is not None}
    if given["original"] is None or not any(counting.values()):
        return
    flag = next(name for name, is_given in counting.items() if is_given)
    raise PlanError(
        "An original was given where rows are only counted, so nothing could be looked for beside it.",
        where=f"flags --original and {flag}",
        allowed="either of the two",
        received="both",
        todo=f"leave out {flag}, or --original",
    )


def _require_columns(given: Mapping[str, Any]) -> None:
    """Refuse to judge a table of which nobody says what could help recognise someone."""
    if given["plan"] is None and not given["qi"]:
        raise PlanError(
            "Nothing says which columns could help recognise someone.",
            where="flag --qi",
            allowed="--qi with column names, --plan, or a release folder",
            received="a table without either",
            todo="name the quasi-identifiers, e.g. --qi age,sex,zip",
        )


def _counted_there(paths: tuple[Path | str, ...], given: Mapping[str, Any]) -> bool:
    """Whether a database is to count: because that is asked for, or because its table would not fit memory."""
    from shoal.judging.in_database import is_database, too_large

    if given["in_database"]:
        return True
    alone = len(paths) == 1 and given["original"] is None
    large = alone and is_database(paths[0]) and too_large(paths[0], _claimed(given)[0].reading)
    if large:
        note("Note: the table does not fit into free memory, so the database counts; leaks are not looked for.")
    return large


def _judge_there(place: Path | str, given: Mapping[str, Any]) -> Verdict:
    """The verdict of a database that counts by itself."""
    from shoal.judging.in_database import judged

    return judged(place, *_claimed(given))


def _query(place: Path | str, given: Mapping[str, Any]) -> str:
    """The query of a claim."""
    from shoal.judging.in_database import failing_query, is_database

    if is_database(place):
        _require_columns(given)
    return failing_query(place, *_claimed(given))


def _claimed(given: Mapping[str, Any]) -> tuple[Plan, int | None]:
    """The plan that flags and file describe, and the k that is claimed, if one is."""
    from shoal.faces.cli._plans import plan_of

    plan = plan_of(given, k=1)
    return plan, given["k"] if given["plan"] is None else plan.k


def _original(given: Mapping[str, Any], reading: Any) -> Any:
    """The table that the release was made from, if it is given."""
    from shoal.releases.judging import refuse_as_original
    from shoal.tables.sources import read_table

    refuse_as_original(given["original"], "--original / original")
    return None if given["original"] is None else read_table(given["original"], reading).table
