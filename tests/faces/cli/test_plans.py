# SPDX-License-Identifier: Apache-2.0
"""Flags and plan files mean the same, and flags win."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from shoal.faces.cli import anonymize
from shoal.faces.cli._flags import toml_value
from shoal.faces.cli._plans import plan_of
from shoal.ground.errors import PlanError
from shoal.plan.plan import Plan

PLAN = """
[privacy]
k = 7
missing = "refuse"
[method]
name = "k_member"
seed = 3
[input]
na = ["?"]
[columns.age]
role = "quasi-identifier"
kind = "numeric"
weight = 2.0
[columns.sex]
role = "quasi-identifier"
[columns.disease]
role = "sensitive"
"""


@pytest.fixture
def planned(tmp_path: Path):
    """The plan that a command line describes."""
    (tmp_path / "plan.toml").write_text(PLAN)

    def parse(*arguments: str, file: bool = False) -> Plan:
        found: list[Plan] = []

        def catch(**given: Any) -> None:
            found.append(plan_of(given))

        probe = click.Command("probe", params=anonymize.command.params, callback=catch)
        plan = ["--plan", str(tmp_path / "plan.toml")] if file else []
        done = CliRunner().invoke(probe, ["table.csv", "-o", "out", *plan, *arguments])
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return found[0]

    return parse


def test_flags_alone_make_a_plan(planned) -> None:
    """Every flag lands in the plan key of its name."""
    plan = planned(
        *("-k", "4", "--qi", "age,sex", "--qi", "zip", "--sensitive", "disease", "--identifier", "name"),
        *("--hierarchy", "sex=trees/sex.csv", "--kind", "age=numeric", "--weight", "age=2.5", "--render", "mode"),
        *("--render", "age=interval", "--method", "mondrian", "--set", "mode=relaxed", "--seed", "9"),
        *("--loss", "eloss", "--missing", "wildcard", "--keep-order", "--formulas", "prefix", "--format", "parquet"),
        *("--no-header", "--columns", "age,sex,zip", "--na", "?", "--na", "n/a", "--separator", ";"),
        *("--encoding", "cp1252", "--decimal", ",", "--skip-lines", "3"),
    )
    assert plan.k == 4
    assert plan.quasi_identifiers == ["age", "sex", "zip"]
    assert plan.having("sensitive") == ["disease"]
    assert plan.having("identifier") == ["name"]
    assert plan.columns["sex"].hierarchy == Path("trees/sex.csv")
    age = plan.columns["age"]
    assert (age.kind, age.weight, age.render) == ("numeric", 2.5, "interval")
    assert (plan.render, plan.method, dict(plan.parameters), plan.seed) == ("mode", "mondrian", {"mode": "relaxed"}, 9)
    assert (plan.loss, plan.missing, plan.keep_order, plan.formulas) == ("eloss", "wildcard", True, "prefix")
    assert plan.format == "parquet"
    reading = plan.reading
    assert (reading.header, reading.columns, reading.na) == (False, ("age", "sex", "zip"), ("?", "n/a"))
    assert (reading.separator, reading.encoding, reading.decimal) == (";", "cp1252", ",")
    assert reading.skip_lines == 3


def test_a_plan_file_alone_is_unchanged(planned, tmp_path: Path) -> None:
    """Without flags the plan is the file's."""
    assert planned(file=True) == Plan.read(tmp_path / "plan.toml")


def test_flags_override_the_file(planned) -> None:
    """What a flag says replaces what the file says; all else stays."""
    plan = planned("-k", "9", "--missing", "own", "--weight", "age=1", "--na", "-", "--qi", "zip", file=True)
    assert (plan.k, plan.missing, plan.seed) == (9, "own", 3)
    assert plan.columns["age"].weight == 1.0
    assert plan.columns["age"].kind == "numeric"
    assert plan.reading.na == ("-",)
    assert plan.having("sensitive") == ["disease"]


def test_a_role_flag_never_strips_other_columns(planned) -> None:
    """Naming one quasi-identifier beside a plan takes no protection from the others."""
    assert planned("--qi", "zip", file=True).quasi_identifiers == ["age", "sex", "zip"]
    changed = planned("--identifier", "sex", file=True)
    assert changed.quasi_identifiers == ["age"]
    assert changed.having("identifier") == ["sex"]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("age,sex", ["age", "sex"]),
        ("age, sex", ["age", "sex"]),
        ('"zip, long",age', ["zip, long", "age"]),
        ('"say ""hi""",age', ['say "hi"', "age"]),
        ("größe", ["größe"]),
        ("a b", ["a b"]),
    ],
)
def test_lists_of_columns_are_csv(planned, line: str, names: list[str]) -> None:
    """Names may hold commas and quotes, as in a CSV file."""
    assert planned("-k", "2", "--qi", line).quasi_identifiers == names


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("0.5", 0.5),
        ("true", True),
        ("[1, 2]", [1, 2]),
        ('"3"', "3"),
        ("cut", "cut"),
        ("", ""),
        ("a\nb = 1", "a\nb = 1"),
        ("1\nb = 1", "1\nb = 1"),
    ],
)
def test_parameters_are_toml_or_text(text: str, value: object) -> None:
    """Numbers, booleans and lists as TOML writes them; a bare word is text; no second key is smuggled in."""
    assert toml_value(text) == value


@pytest.mark.parametrize("flag", ["--kind", "--weight", "--scale", "--render", "--hierarchy"])
@pytest.mark.parametrize("column", ["name", "other"])
def test_settings_need_a_quasi_identifier(planned, flag: str, column: str) -> None:
    """A setting that would be ignored is refused: the column is no quasi-identifier."""
    values = {"--kind": "numeric", "--weight": "2", "--scale": "rank", "--render": "mode", "--hierarchy": "x.csv"}
    value = values[flag]
    with pytest.raises(PlanError, match="published as it is or not at all"):
        planned("-k", "2", "--qi", "age", "--identifier", "name", flag, f"{column}={value}")


def test_paths_may_hold_equals_signs(planned) -> None:
    """The first equals sign separates column and file."""
    plan = planned("-k", "2", "--qi", "age", "--hierarchy", "age=a=b.csv")
    assert plan.columns["age"].hierarchy == Path("a=b.csv")
