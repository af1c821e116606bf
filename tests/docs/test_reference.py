# SPDX-License-Identifier: Apache-2.0
"""The reference pages name every command, flag, plan key and error, and nothing that is not there."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import click
import pytest

from shoal.ground import catalog, errors
from shoal.plan.checks import FORMULAS, LOSSES, MISSING
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.plan.roles import KINDS, ROLES
from shoal.plan.settings import settings
from shoal.tables.reading import Reading

DOCS = Path(__file__).resolve().parents[2] / "docs"


def page(name: str) -> str:
    """The text of a page."""
    return (DOCS / name).read_text(encoding="utf-8")


def section(name: str, heading: str) -> str:
    """The part of a page below one heading of the second level."""
    return page(name).partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def parameters(command: click.Command) -> list[click.Parameter]:
    """What a command takes; of a group, what its commands take."""
    inner = command.commands.values() if isinstance(command, click.Group) else ()
    return [*command.params, *(one for below in inner for one in parameters(below))]


@pytest.mark.parametrize("command", catalog.names("commands"))
def test_every_flag_is_documented(command: str) -> None:
    """Whatever a command takes stands in its section of the command-line page."""
    text = section("command-line.md", f"`shoal {command}`")
    assert text, f"no section for shoal {command}"
    loaded = catalog.load("commands", command).command
    options = [one for one in parameters(loaded) if isinstance(one, click.Option)]
    assert [name for one in options for name in one.opts if not re.search(rf"`{name}[` ]", text)] == []


def test_every_documented_flag_exists() -> None:
    """The command-line page promises no flag that is not there."""
    known = {"--help", "--version"}
    for command in catalog.names("commands"):
        loaded = catalog.load("commands", command).command
        known |= {name for one in parameters(loaded) for name in [*one.opts, *one.secondary_opts]}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", page("command-line.md"))) - known == set()


def test_every_plan_key_is_documented() -> None:
    """The plan page names each key and each value that a plan may have."""
    text = page("plan.md")
    keys = [one.name for kind in (ColumnPlan, Reading) for one in fields(kind)]
    whole = Plan.of(1, quasi_identifiers=["a"], format="parquet", render="mean").to_dict()
    keys += [*whole["release"], *whole["method"], *whole["privacy"]]
    keys += ["parameters", *(one.key for one in settings())]
    assert [key for key in keys if f"| `{key}` |" not in text] == []
    assert [value for value in (*LOSSES, *MISSING, *FORMULAS, *ROLES, *KINDS) if f"`{value}`" not in text] == []


@pytest.mark.parametrize(
    ("room", "name", "heading"),
    [
        ("algorithms", "methods.md", "Methods"),
        ("renderings", "methods.md", "Renderings"),
        ("metrics", "metrics.md", "Loss"),
        ("metrics", "metrics.md", "Utility"),
        ("metrics", "metrics.md", "Class sizes"),
        ("metrics", "metrics.md", "Risk"),
        ("privacy_models", "metrics.md", "Models"),
        ("formats", "formats.md", "Files"),
        ("hierarchy_kinds", "hierarchies.md", "Building one"),
    ],
)
def test_every_name_in_a_table_exists(room: str, name: str, heading: str) -> None:
    """The pages describe what is there. The reverse is not asked: a newcomer's file needs no other edit."""
    described = re.findall(r"^\| `(\w+)` \|", section(name, heading), flags=re.MULTILINE)
    assert described
    assert set(described) <= set(catalog.names(room))


def test_every_error_is_documented() -> None:
    """The page of errors names each exception with its exit code."""
    lines = page("errors-and-exit-codes.md").splitlines()
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.ShoalError)]
    kinds.remove(errors.ShoalError)
    missing = [
        kind.__name__
        for kind in kinds
        if not any(f"`{kind.__name__}`" in line and f"| {kind.exit_code} |" in line for line in lines)
    ]
    assert missing == []


def test_every_format_is_documented() -> None:
    """The page of formats has a row for each file format, or an address for each database."""
    text = page("formats.md")
    assert [name for name in catalog.names("formats") if f"`{name}`" not in text] == []
