# SPDX-License-Identifier: Apache-2.0
"""Plans: written and read back, refused where they cannot be meant, replayed to the same release."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.ground.errors import InputError, PlanError
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.level_files import write_levels
from shoal.plan.checks import FORMULAS, LOSSES, MISSING
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan, as_hierarchy, load_hierarchies
from shoal.plan.roles import IDENTIFIER, KINDS, QUASI_IDENTIFIER, ROLES, SENSITIVE
from shoal.tables.reading import Reading

TREE = [["a", "ab", "*"], ["b", "ab", "*"], ["c", "*"]]

words = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=8)
columns = st.builds(
    ColumnPlan,
    role=st.sampled_from(list(ROLES)),
    kind=st.sampled_from([None, *KINDS]),
    weight=st.floats(0, 1e6),
    render=st.sampled_from([None, "generalise", "set", "mode"]),
)
readings = st.builds(
    Reading,
    separator=st.sampled_from([None, ",", ";", "\t"]),
    encoding=st.sampled_from([None, "utf-8", "latin-1"]),
    decimal=st.sampled_from([None, ".", ","]),
    na=st.lists(words, max_size=2).map(tuple),
    header=st.booleans(),
    columns=st.lists(words, max_size=3).map(tuple),
    skip_lines=st.integers(0, 2**63 - 1),
)
plans = st.builds(
    Plan,
    k=st.integers(1, 10**6),
    columns=st.dictionaries(words, columns, max_size=4),
    models=st.sampled_from([{}, {"k_anonymity": {"k": 3}}]),
    missing=st.sampled_from(MISSING),
    method=st.sampled_from(["k_member", "mondrian"]),
    parameters=st.dictionaries(words, st.integers(-5, 5) | st.booleans() | words, max_size=2),
    seed=st.integers(0, 2**63 - 1),
    loss=st.sampled_from(LOSSES),
    render=st.sampled_from([None, "generalise", "bounds"]),
    keep_order=st.booleans(),
    formulas=st.sampled_from(FORMULAS),
    format=st.sampled_from([None, "delimited", "parquet"]),
    reading=readings,
)


# -- writing and reading -----------------------------------------------------------------------------------------


@given(plan=plans)
def test_a_plan_comes_back_from_toml(plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever a plan says survives being written and read, awkward column names included."""
    path = tmp_path_factory.mktemp("plan") / "plan.toml"
    path.write_text(plan.to_toml(), encoding="utf-8")
    back = Plan.read(path)
    assert back.to_dict() == plan.to_dict()
    assert back == plan


def test_hierarchies_are_named_relative_to_the_plan(tmp_path: Path) -> None:
    """A plan and its trees can be moved together."""
    folder = tmp_path / "elsewhere" / "hierarchies"
    folder.mkdir(parents=True)
    tree = Hierarchy.from_rows(TREE)
    write_levels(tree, folder / "x.csv")
    plan = Plan.of(2, quasi_identifiers=["x"], hierarchies={"x": tree})
    path = folder.parent / "plan.toml"
    path.write_text(plan.to_toml({"x": "hierarchies/x.csv"}), encoding="utf-8")
    back = Plan.read(path)
    assert back.columns["x"].hierarchy == folder / "x.csv"
    loaded = load_hierarchies(back).columns["x"].hierarchy
    assert isinstance(loaded, Hierarchy)
    assert loaded.rows() == TREE


def test_a_plan_as_people_write_it(tmp_path: Path) -> None:
    """The example of the documentation, with a byte-order mark as some editors leave it."""
    path = tmp_path / "plan.toml"
    path.write_text(
        '[privacy]\nk = 10\nk_anonymity = { k = 12 }\n[method]\nname = "mondrian"\nseed = 4\n'
        '[columns.age]\nrole = "quasi-identifier"\nkind = "numeric"\n'
        '[columns.workclass]\nrole = "quasi-identifier"\nhierarchy = "workclass.csv"\nweight = 2\n'
        '[columns.disease]\nrole = "sensitive"\n',
        encoding="utf-8-sig",
    )
    plan = Plan.read(path)
    assert (plan.k, plan.method, plan.seed) == (10, "mondrian", 4)
    assert plan.models == {"k_anonymity": {"k": 12}}
    assert plan.quasi_identifiers == ["age", "workclass"]
    assert plan.having(SENSITIVE) == ["disease"]
    assert plan.columns["workclass"].weight == 2


def test_a_plan_cannot_be_changed() -> None:
    """A plan is what was validated; another one is made with replace."""
    plan = Plan.of(3, quasi_identifiers=["a"])
    with pytest.raises(FrozenInstanceError):
        plan.k = 1  # type: ignore[misc]
    with pytest.raises(TypeError):
        plan.columns["a"] = ColumnPlan()  # type: ignore[index]
    assert replace(plan, k=4).k == 4
    with pytest.raises(PlanError):
        replace(plan, k=0)


# -- keywords ----------------------------------------------------------------------------------------------------


def test_keywords_make_the_same_plan_as_toml() -> None:
    """Two doors, one plan."""
    by_keywords = Plan.of(
        5,
        quasi_identifiers=["age", "zip"],
        sensitive=["disease"],
        identifiers="name",
        kinds={"zip": "text-prefix"},
        weights={"age": 2.0},
        render={"": "set", "age": "bounds"},
        seed=3,
    )
    by_tables = Plan.from_dict(
        {
            "privacy": {"k": 5},
            "method": {"seed": 3},
            "release": {"render": "set"},
            "columns": {
                "age": {"role": QUASI_IDENTIFIER, "weight": 2.0, "render": "bounds"},
                "zip": {"role": QUASI_IDENTIFIER, "kind": "text-prefix"},
                "disease": {"role": SENSITIVE},
                "name": {"role": IDENTIFIER},
            },
        }
    )
    assert by_keywords == by_tables
    assert by_keywords.published("age") == ["age_min", "age_max"]
    assert by_keywords.published_quasi_identifiers == ["age_min", "age_max", "zip"]
    assert by_keywords.rendering("zip") == "set"


def test_details_of_a_column_without_a_role_leave_it_without_one() -> None:
    """A weight alone makes nobody a quasi-identifier, and decides nothing about what is published."""
    assert Plan.of(2, quasi_identifiers=["a"], weights={"b": 2.0}).columns["b"].role is None


@pytest.mark.parametrize(
    "given", [Hierarchy.from_rows(TREE), "tree.csv", Path("tree.csv"), TREE, tuple(map(tuple, TREE))]
)
def test_hierarchies_may_be_given_in_several_forms(given: Any) -> None:
    """A tree, a path, or level rows."""
    made = as_hierarchy(given)
    assert made == Path("tree.csv") if isinstance(made, Path) else made.rows() == TREE


# -- refusals ----------------------------------------------------------------------------------------------------


def table(**parts: Any) -> dict[str, Any]:
    """The tables of a plan that is fine but for the given parts."""
    return {"privacy": {"k": 5}, "columns": {"age": {"role": QUASI_IDENTIFIER}}, **parts}


def column(**details: Any) -> dict[str, Any]:
    """The same with one column."""
    return table(columns={"age": {"role": QUASI_IDENTIFIER, **details}})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (table(privacy={}), ["Nothing says k", "-k / [privacy] k"]),
        (table(privacy={"k": 0}), ["k must be a whole number", "-k / [privacy] k"]),
        (table(privacy={"k": -3}), ["-3"]),
        (table(privacy={"k": 2.5}), ["2.5"]),
        (table(privacy={"k": "ten"}), ["ten"]),
        (table(privacy={"k": True}), ["True"]),
        (table(privacy={"k": 5, "l_divresity": {}}), ["no model", "k_anonymity"]),
        (table(privacy={"k": 5, "k_anonymity": 3}), ["must be a table", "[privacy.k_anonymity]"]),
        (table(privacy={"k": 5, "missing": "drop"}), ["reading of missing", "own, refuse, wildcard"]),
        (table(privacy=5), ["must be a table"]),
        (table(metod={}), ["no such table", "did you mean 'method'?"]),
        (table(method={"nmae": "mondrian"}), ["no such key", "did you mean 'name'?"]),
        (table(method={"name": "mondrain"}), ["no method", "did you mean 'mondrian'?"]),
        (table(method={"seed": -1}), ["seed must be"]),
        (table(method={"seed": "7"}), ["seed must be"]),
        (table(method={"loss": "npc"}), ["no such loss", "did you mean 'ncp'?"]),
        (table(method={"name": ["k_member"]}), ["no method"]),
        (table(method={"parameters": 3}), ["must be a table"]),
        (table(release={"keep_order": "no"}), ["keep_order", "true or false"]),
        (table(release={"format": ["csv"]}), ["no format"]),
        (table(release={"rendre": "set"}), ["no such key", "did you mean 'render'?"]),
        (table(release={"render": "sett"}), ["no rendering", "did you mean 'set'?"]),
        (table(release={"formulas": "drop"}), ["treatment of formulas"]),
        (table(release={"format": "xml"}), ["no format"]),
        (table(input={"seperator": ";"}), ["no such key", "did you mean 'separator'?"]),
        (table(input={"separator": 3}), ["separator must be a text", "[input] separator"]),
        (table(input={"na": "?"}), ["na must be a list of texts", "[input] na"]),
        (table(input={"header": "no"}), ["header must be true or false", "[input] header"]),
        (table(input={"skip_lines": -1}), ["skip_lines must be a whole number of at least 0", "[input] skip_lines"]),
        (table(input={"skip_lines": True}), ["skip_lines must be a whole number of at least 0", "[input] skip_lines"]),
        (table(columns={"age": "numeric"}), ["must be a table", "[columns.age]"]),
        (column(rolle="sensitive"), ["no such key", "did you mean 'role'?"]),
        (column(role="secret"), ["no such role", "'age'"]),
        (column(kind="number"), ["no such kind", "'age'"]),
        (column(render="meen"), ["no rendering", "did you mean 'mean'?"]),
        (column(weight=-1), ["weight"]),
        (column(weight="2"), ["weight"]),
        (column(weight=True), ["weight"]),
        (column(weight=float("nan")), ["weight"]),
        (column(weight=float("inf")), ["weight"]),
        (column(weight=1e7), ["weight"]),
        (column(kind="numeric", hierarchy="x.csv"), ["cannot have a hierarchy"]),
        (column(kind="ordered", hierarchy="x.csv"), ["cannot have a hierarchy"]),
    ],
)
def test_what_cannot_be_meant_is_refused(given: dict[str, Any], words: list[str]) -> None:
    """Each mistake is told with all five parts, and a misspelt name with the nearest one."""
    with pytest.raises(InputError) as raised:
        Plan.from_dict(given)
    assert raised.value.exit_code == 2
    assert len(raised.value.parts()) == 5
    for word in words:
        assert word in str(raised.value)


@pytest.mark.parametrize(
    "given",
    [
        {"quasi_identifiers": ["a"], "sensitive": ["a"]},
        {"quasi_identifiers": ["a", "a"]},
        {"quasi_identifiers": ["a"], "hierarchies": {"a": 3}},
        {"quasi_identifiers": ["a"], "hierarchies": {"a": ["a", "b"]}},
        {"quasi_identifiers": ["a"], "sede": 3},
    ],
)
def test_keywords_that_cannot_be_meant_are_refused(given: dict[str, Any]) -> None:
    """Two roles for a column, an unreadable hierarchy, an unknown keyword."""
    with pytest.raises(PlanError) as raised:
        Plan.of(3, **given)
    assert len(raised.value.parts()) == 5


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read"),
        (b"k = ", "not valid TOML"),
        (b"\xff\xfe", "not valid TOML"),
        (b"k = 3\n", "no such table"),
    ],
)
def test_files_that_are_no_plan_are_refused(content: bytes | None, words: str, tmp_path: Path) -> None:
    """An absent file, broken TOML, another encoding, keys outside their tables."""
    path = tmp_path / "plan.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(PlanError, match=words) as raised:
        Plan.read(path)
    assert len(raised.value.parts()) == 5
    assert "plan.toml" in raised.value.where


def test_a_folder_is_no_plan(tmp_path: Path) -> None:
    """The path of a folder gives the same kind of message."""
    with pytest.raises(PlanError, match="cannot be read"):
        Plan.read(tmp_path)


# -- replay ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("render", [None, "set", "bounds", "mean"])
@pytest.mark.parametrize("method", ["k_member", "k_members", "mondrian"])
def test_the_completed_plan_gives_the_same_release(method: str, render: str | None, tmp_path: Path) -> None:
    """A release's own plan, written down and read back, leads to the same table and the same classes."""
    frame = pl.DataFrame(
        {
            "age": [23, 25, 31, None, 44, 45, 52, 60, 61, 33],
            "job": ["a", "b", "c", "a", None, "c", "b", "a", "c", "b"],
            "code": ["8001", "8002", "9001", "8001", "8002", "9002", "9001", "8001", "8002", "9001"],
        }
    )
    release = shoal.anonymize(
        frame,
        k=3,
        quasi_identifiers=frame.columns,
        hierarchies={"job": TREE},
        kinds={"code": "text-prefix"},
        method=method,
        render=render,
        seed=11,
    )
    write_levels(release.plan.columns["job"].hierarchy, tmp_path / "job.csv")
    (tmp_path / "plan.toml").write_text(release.plan.to_toml({"job": "job.csv"}), encoding="utf-8")
    again = shoal.anonymize(frame, Plan.read(tmp_path / "plan.toml"))
    assert again.table.equals(release.table)
    assert again.classes.tolist() == release.classes.tolist()
    assert again.plan.to_dict({"job": "job.csv"}) == release.plan.to_dict({"job": "job.csv"})
    assert all(again.plan.columns[name].kind for name in frame.columns)
    assert all(again.plan.columns[name].render for name in frame.columns)
