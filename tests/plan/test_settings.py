# SPDX-License-Identifier: Apache-2.0
"""A setting is declared once: its key, flag, keyword, row on the page and refusals all come from that line."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from shoal.faces.cli import anonymize
from shoal.ground.errors import PlanError
from shoal.ground.settings import REQUIRED, settings_of
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import TABLES, Plan
from shoal.plan.settings import settings, taken_by
from shoal.tables.reading import Reading

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
LINE = """    note: str | None = setting(
        None, "A remark that goes with the release.", table="release", least=1, flag="--note TEXT",
        also=("check", "estimator"))
"""
USE = """
import importlib.util, inspect, json, sys
import click
from click.testing import CliRunner
import shoal
from shoal.faces.cli import anonymize, check
from shoal.faces.cli._plans import plan_of
from shoal.ground.errors import PlanError

caught = []
probe = click.Command("probe", params=anonymize.command.params, callback=lambda **given: caught.append(plan_of(given)))
CliRunner().invoke(probe, ["table.csv", "-o", "out", "-k", "3", "--qi", "age", "--note", "ours"])
try:
    shoal.Plan.of(3, quasi_identifiers=["age"], note="")
except PlanError as problem:
    refused = problem.parts()
found = importlib.util.spec_from_file_location("generate_plan", sys.argv[1])
page = importlib.util.module_from_spec(found)
found.loader.exec_module(page)
print(json.dumps({
    "place": shoal.__file__,
    "help": CliRunner().invoke(anonymize.command, ["--help"]).output,
    "check": CliRunner().invoke(check.command, ["--help"]).output,
    "flag": caught[0].note,
    "written": shoal.Plan.of(3, note="mine").to_dict()["release"],
    "unwritten": shoal.Plan.of(3).to_dict()["release"],
    "read": shoal.Plan.from_dict({"privacy": {"k": 3}, "release": {"note": "read"}}).note,
    "refused": refused,
    "estimator": shoal.Anonymizer(note="kept").get_params()["note"],
    "keyword": "note" in inspect.signature(shoal.check).parameters,
    "page": page.plan_page(page.DOCS.joinpath("plan.md").read_text()),
    "commands": page.command_page(page.DOCS.joinpath("command-line.md").read_text()),
}))
"""
MODEL = '''
"""The release has at least so many rows.

Limits: a toy.
"""

from dataclasses import dataclass

from shoal.ground.parameters import parameter
from shoal.ground.requirements import Requirement
from shoal.ground.errors import PlanError
from shoal.ground.settings import ModelFlag
from shoal.judging.verdicts import Finding


@dataclass(frozen=True)
class Parameters:
    """What is claimed."""

    rows: int = parameter(1, "fewest rows", least=1)


FLAG: ModelFlag = {
    "flag": "--rows N",
    "help": "Fewest rows of a release.",
    "examples": "3, or any whole number from 1",
    "forms": {"": [{"rows": "whole"}]},
}


def requirement(parameters, table, plan):
    """Nothing can be asked of a class."""
    return Requirement()


def check(released, plan, parameters):
    """Count the rows."""
    return Finding("many_rows", len(released) >= parameters.rows, f"{len(released)} rows")
'''
SHOAL = [sys.executable, "-c", "from shoal.faces.cli import main; main()"]


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the package to add to."""
    return Path(shutil.copytree(ROOT / "src" / "shoal", tmp_path / "copy" / "shoal"))  # compiled kernels come along


def run(copied: Path, *command: object) -> subprocess.CompletedProcess[str]:
    """What a command comes to with the copy in the place of the package."""
    environment = {**os.environ, "PYTHONPATH": str(copied.parent), "NO_COLOR": "1", "COLUMNS": "120"}
    line = [str(one) for one in command]
    return subprocess.run(line, capture_output=True, text=True, env=environment, check=False, timeout=300)


def test_one_line_declares_a_setting(copied: Path) -> None:
    """One more field of Plan is a flag, a key in and out, a keyword, a row on the pages, and is refused if wrong."""
    place = copied / "plan" / "plan.py"
    text = place.read_text(encoding="utf-8")
    before = "    columns: Mapping[str, ColumnPlan] ="
    assert before in text
    place.write_text(text.replace(before, LINE + before), encoding="utf-8")
    done = run(copied, sys.executable, "-c", USE, DOCS / "generate_plan.py")
    assert done.returncode == 0, done.stderr
    seen: dict[str, Any] = json.loads(done.stdout)
    assert seen["place"].startswith(str(copied))
    for shown in (seen["help"], seen["check"]):
        assert re.search(r"--note TEXT +A remark that goes with the release\.", shown)
    assert (seen["flag"], seen["read"], seen["estimator"], seen["keyword"]) == ("ours", "read", "kept", True)
    assert seen["written"]["note"] == "mine"
    assert "note" not in seen["unwritten"]
    assert len(seen["refused"]) == 5
    assert seen["refused"]["what"] == "note must be a text that is not empty."
    assert seen["refused"]["where"] == "--note / [release] note"
    assert "| `note` | none | a text that is not empty | `--note TEXT` | A remark that goes" in seen["page"]
    assert seen["commands"].count("| `--note` TEXT | A remark that goes with the release. |") == 2


def test_one_file_brings_a_model_with_its_flag(copied: Path, tmp_path: Path) -> None:
    """A new privacy model is asked for by its flag in every command that takes models, with no other edit."""
    (copied / "judging" / "privacy_models" / "many_rows.py").write_text(MODEL, encoding="utf-8")
    table, out = tmp_path / "table.csv", tmp_path / "out"
    table.write_text("age\n" + "30\n" * 5)
    for command in ("anonymize", "check", "measure", "compare"):
        assert re.search(r"--rows N +Fewest rows of a release\.", run(copied, *SHOAL, command, "--help").stdout)
    assert run(copied, *SHOAL, "check", table, "--qi", "age", "--rows", 5).returncode == 0
    broken = run(copied, *SHOAL, "check", table, "--qi", "age", "--rows", 6)
    assert broken.returncode == 1
    assert "many_rows: 5 rows" in broken.stdout
    refused = run(copied, *SHOAL, "check", table, "--qi", "age", "--rows", "many")
    assert refused.returncode == 2
    assert all(word in refused.stderr for word in ("where", "allowed", "received", "next", "--rows"))
    made = run(copied, *SHOAL, "anonymize", table, "-o", out, "-k", 2, "--qi", "age", "--rows", 5, "--quiet")
    assert made.returncode == 0, made.stderr
    assert "[privacy.many_rows]\nrows = 5\n" in (out / "plan.toml").read_text()


# -- what is declared --------------------------------------------------------------------------------------------


def generator() -> ModuleType:
    """The script that writes the tables of the page."""
    found = importlib.util.spec_from_file_location("generate_plan", DOCS / "generate_plan.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("name", "page"), [("plan.md", "plan_page"), ("command-line.md", "command_page")])
def test_the_pages_are_up_to_date(name: str, page: str) -> None:
    """Every key and flag has its row; the tables are what ``make docs`` would write now."""
    text = (DOCS / name).read_text(encoding="utf-8")
    assert getattr(generator(), page)(text) == text, "run make docs"


def test_every_documented_key_exists() -> None:
    """The page promises no key that is not there, and names each that is."""
    text = (DOCS / "plan.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE) == [
        one.key for table in (*TABLES, "input", "columns") for one in settings() if one.table == table
    ]


def test_every_setting_says_what_it_is() -> None:
    """Each has one help line, a table that a plan has, and a default that it allows itself."""
    for one in settings():
        assert re.fullmatch(r"\S.*\.", one.help), one.name
        assert one.table in (*TABLES, "input", "columns")
        assert one.default is REQUIRED or one.allows(one.default), one.name
        assert one.words(), one.name


def test_flags_are_called_like_keys() -> None:
    """A flag has the name of its key, or of its field; only few have a better one."""
    others = {"--set": "parameters", "--no-header": "header"}
    for one in settings():
        if one.flag:
            name = one.option.lstrip("-").replace("-", "_")
            assert name in (one.key, one.name) or others[one.option] == one.name
    offered = {name for param in anonymize.command.params for name in param.opts}
    assert {one.option for one in settings() if one.flag} <= offered


def test_nothing_stands_beside_the_declarations() -> None:
    """Every field of plan, column and reading is a setting, but for those that hold others."""
    for kind, holders in ((Plan, {"columns", "models", "reading"}), (ColumnPlan, set()), (Reading, set())):
        assert set(kind.__dataclass_fields__) - {one.name for one in settings_of(kind)} == holders


def test_unknown_keywords_are_refused() -> None:
    """``check`` and the estimator take declared keywords alone, also beside a plan."""
    import shoal

    assert {"k", "missing", "population", "person"} <= {one.name for one in taken_by("check")}
    with pytest.raises(TypeError, match="mising"):
        shoal.check(None, mising="own")
    with pytest.raises(TypeError, match="sede"):
        shoal.Anonymizer(sede=3)


@pytest.mark.parametrize(
    ("misspelt", "meant"), [("supression = 0.02", "suppression"), ("l_diversty = 3", "l_diversity")]
)
def test_a_misspelt_key_of_privacy_is_told_the_nearest(misspelt: str, meant: str, tmp_path: Path) -> None:
    """A single value under [privacy] is a setting, so the nearest setting or model is named."""
    path = tmp_path / "plan.toml"
    path.write_text(f"[privacy]\nk = 3\n{misspelt}\n")
    with pytest.raises(PlanError, match=meant):
        Plan.read(path)


def test_a_column_that_is_no_table_is_told_where_it_belongs(tmp_path: Path) -> None:
    """[columns.age], not [age]."""
    path = tmp_path / "plan.toml"
    path.write_text('[privacy]\nk = 3\n[columns]\nage = "quasi-identifier"\n')
    with pytest.raises(PlanError, match=r"\[columns\.age\]"):
        Plan.read(path)
