# SPDX-License-Identifier: Apache-2.0
r"""Judge a released table or a release folder, ours or anybody's.

RELEASED is a release folder, or a table file (several files, a folder of files) made by anything.

\b
    shoal check released/
    shoal check table.csv --qi age,sex,zip -k 10

A release folder carries its own plan; its files are also compared with its manifest. Without k, tells what
holds and exits 0. Exit 1: some promise does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.cli import _flags as flags
from shoal.cli._output import say, say_json
from shoal.errors import PlanError

if TYPE_CHECKING:
    from shoal.privacy_models._protocol import Verdict


@click.command(help=__doc__)
@click.argument("released", nargs=-1, required=True, type=flags.path, metavar="RELEASED...")
@flags.plan_flag
@flags.k_flag
@flags.role_flags
@flags.identifier_flag
@flags.missing_flag
@flags.model_flags
@flags.reading_flags
@click.option("--strict", is_flag=True, help="A warning counts as a no.")
@flags.json_flag
@click.pass_context
def command(context: click.Context, /, released: tuple[Path, ...], strict: bool, as_json: bool, **given: Any) -> None:
    """Judge, say the verdict, and end with its exit code."""
    from shoal.cli._plans import is_release_folder

    if len(released) == 1 and is_release_folder(released[0]):
        verdict, problems = _judge_folder(released[0], given)
    else:
        verdict, problems = _judge_table(released, given), []
    holds = verdict.holds and not problems and not (strict and verdict.warnings)
    if as_json:
        say_json({**verdict.to_dict(), "holds": holds, "problems": problems})
    else:
        from shoal.reports.text import verdict_lines

        say("\n".join([*verdict_lines(verdict), *(f"{'PROBLEM':<13} {problem}" for problem in problems)]))
    context.exit(0 if holds else 1)


def _judge_folder(folder: Path, given: Mapping[str, Any]) -> tuple[Verdict, list[str]]:
    """The verdict on a release folder, and what about it does not fit its manifest."""
    from shoal.cli._plans import plan_of
    from shoal.releases.folder import read_release

    saved = read_release(folder)
    return saved.check(plan_of(given, base=saved.plan)), saved.problems


def _judge_table(paths: tuple[Path, ...], given: Mapping[str, Any]) -> Verdict:
    """The verdict on a table of unknown origin."""
    from shoal.cli._plans import models_of, plan_of
    from shoal.judging import check
    from shoal.tables.sources import read_table

    if given["plan"] is not None:
        plan = plan_of(given)
        return check(read_table(paths, plan.reading).table, plan=plan)
    if not given["qi"]:
        raise PlanError(
            "Nothing says which columns could help recognise someone.",
            where="flag --qi",
            allowed="--qi with column names, --plan, or a release folder",
            received="a table without either",
            todo="name the quasi-identifiers, e.g. --qi age,sex,zip",
        )
    table = read_table(paths, flags.reading_of(given)).table
    roles = {"quasi_identifiers": given["qi"], "sensitive": given["sensitive"], "identifiers": given["identifier"]}
    return check(table, **roles, k=given["k"], missing=given["missing"] or "own", models=models_of(given))
