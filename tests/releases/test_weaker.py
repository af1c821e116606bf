# SPDX-License-Identifier: Apache-2.0
"""Releases of sub-tables and boxes through the whole flow: accepted first, told by their own names, and true."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import shoal
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.generalizing.boxes import Windows, render_boxes
from shoal.engine.generalizing.generalize import generalize, settle_renderings
from shoal.engine.methods import Boxes
from shoal.ground.errors import CannotHoldError, PlanError, RefusedReleaseError, TableError
from shoal.ground.progress import Progress
from shoal.pipeline import run
from shoal.plan.plan import Plan
from shoal.releases.folder import read_release
from shoal.releases.reports.json_report import report_dict
from shoal.releases.reports.text import summary
from shoal.tables.table import Table
from shoal.testing._people import people, plan_for

METHODS = ("equal_combination", "unequal_combination", "non_homogeneous")
SUBTABLES = METHODS[:2]
PEOPLE = pl.DataFrame(
    {
        "name": [f"person {row}" for row in range(60)],
        "age": [20 + 7 * row % 50 for row in range(60)],
        "sex": ["mf"[row % 2] for row in range(60)],
        "zip": [str(10000 + row % 6) for row in range(60)],
        "disease": [("flu", "cold", "gout")[row % 3] for row in range(60)],
        "drug": [f"drug {row % 7}" for row in range(60)],
        "visits": [row % 4 for row in range(60)],
    }
)
ROLES = {
    "quasi_identifiers": ["age", "sex", "zip"],
    "sensitive": ["disease", "drug"],
    "identifiers": ["name"],
    "insensitive": ["visits"],
}


def released(method: str, data: Any = PEOPLE, k: int = 5, **others: Any) -> shoal.Release:
    """A release of the people, the weaker promise accepted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return shoal.anonymize(data, k=k, method=method, accept_weaker=True, **ROLES, **others)


# -- acceptance --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_refused_unless_accepted(method: str) -> None:
    """Without accept_weaker the run ends before it begins, with the reason."""
    steps: list[object] = []
    with pytest.raises(CannotHoldError) as problem:
        run(Table(PEOPLE), Plan.of(5, method=method, **ROLES), Progress(steps.append))
    assert problem.value.exit_code == 1
    assert "does not publish" in problem.value.received
    assert "--accept-weaker" in problem.value.todo
    assert steps == []


@pytest.mark.parametrize("method", METHODS)
def test_said_before_the_run(method: str) -> None:
    """From Python a warning says what is not promised."""
    with pytest.warns(UserWarning, match=rf"{method} does not publish(.|\n)*next +choose a method that publishes"):
        shoal.anonymize(PEOPLE, k=5, method=method, accept_weaker=True, **ROLES)


@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_the_input_is_refused(method: str) -> None:
    """It would tell whose rows are whose."""
    with pytest.raises(PlanError):
        released(method, keep_order=True)


def test_models_of_classes_are_refused_where_there_are_none() -> None:
    """Boxes have no classes."""
    with pytest.raises(CannotHoldError, match="mean nothing"):
        released("non_homogeneous", models={"k_anonymity": {"k": 7}})


def test_centres_of_boxes_are_refused() -> None:
    """A mean of a box is not true of the record behind its row."""
    with pytest.raises(PlanError, match="boxes cannot be published"):
        released("non_homogeneous", render="mean")


# -- sub-tables --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", SUBTABLES)
def test_sub_tables_hide_by_themselves(method: str) -> None:
    """Every sub-table has k rows of each kind, the sensitive columns, and nothing that could link rows."""
    release = released(method)
    names = [table.names for table in release.published]
    assert sorted(name for one in names for name in one if name in ROLES["quasi_identifiers"]) == ["age", "sex", "zip"]
    for one, frame in zip(names, release.tables, strict=True):
        own = [name for name in one if name in ROLES["quasi_identifiers"]]
        assert [name for name in one if name not in own] == ["disease", "drug"]
        assert frame.group_by(own).len()["len"].min() >= 5
        for private in ("disease", "drug"):
            assert Counter(frame[private]) == Counter(PEOPLE[private])
    assert release.facts["left_out"] == ["visits"]


# Diseases of the young and the old, of one town and the other: a column alone tells much.
TOLD = pl.DataFrame(
    {
        "name": [f"person {row}" for row in range(120)],
        "age": [18 + row // 2 for row in range(120)],
        "sex": ["mf"[row // 5 % 2] for row in range(120)],
        "zip": [str(10000 + row // 24) for row in range(120)],
        "disease": [("flu", "cold", "gout", "asthma")[row // 15 % 4] for row in range(120)],
        "drug": [f"drug {row // 12 % 5}" for row in range(120)],
        "visits": [row % 4 for row in range(120)],
    }
)
MODELS = {
    "l_diversity": {"kind": "frequency", "l": 3},
    "t_closeness": {"kind": "equal", "t": 0.4},
    "alpha_k": {"alpha": 0.4},
    "beta_likeness": {"kind": "basic", "beta": 1.0},
    "delta_disclosure": {"delta": 1.2},
    "delta_presence": {"delta_min": 0.1, "delta_max": 0.8},
    "k_map": {"k": 30},
}


def population() -> pl.DataFrame:
    """Everybody of the table, and as many who are not in it, most of them young."""
    others = TOLD.with_columns(age=pl.col("age") // 2 + 9)
    return pl.concat([TOLD, others]).select("age", "sex", "zip")


def broken(release: shoal.Release, plan: Plan) -> list[str]:
    """Models that some of the sub-tables break, by the judge's word on each of them as a table of its own."""
    found = []
    for one in release.tables:
        own = {name: plan.columns[name] for name in one.columns}
        verdict = shoal.check(one, plan=replace(plan, columns=own))
        found += [finding.model for finding in verdict.findings if finding.holds is False]
    return found


@pytest.mark.thin(4)
@pytest.mark.parametrize("given", [{}, {"sensitive": "apart"}, {"partition": "dp"}], ids=str)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("method", SUBTABLES)
def test_models_are_kept_in_every_sub_table(method: str, model: str, given: dict[str, Any]) -> None:
    """Each sub-table, judged as a table of its own, keeps the model, and the verdict says so for each of them."""
    others = {"population": population()} if model in ("delta_presence", "k_map") else {}
    release = released(method, TOLD, models={model: MODELS[model]}, parameters=given, **others)
    assert release.verdict.holds
    said = [finding for finding in release.verdict.findings if finding.model == model]
    assert [finding.figures["subtable"] for finding in said] == list(range(1, len(release.tables) + 1))
    assert all(finding.holds and finding.statement.startswith("sub-table ") for finding in said)
    assert model in release.kind.statement(release.plan)
    assert broken(release, release.plan) == []


@pytest.mark.parametrize("model", MODELS)
def test_without_being_asked_for_no_model_is_kept(model: str) -> None:
    """The people above are such that the classes of the method alone break every model."""
    others = {"population": population()}
    release = released("equal_combination", TOLD, **others)
    assert model in broken(release, replace(release.plan, models={model: MODELS[model]}))


def test_a_model_about_one_column_is_judged_where_it_stands() -> None:
    """With sub-tables for each private column, those with the other column say nothing of it."""
    models = {"l_diversity": {"kind": "distinct", "l": 4, "columns": ("drug",)}}
    release = released("equal_combination", TOLD, models=models, parameters={"sensitive": "apart"})
    said = [finding.figures["subtable"] for finding in release.verdict.findings if finding.model == "l_diversity"]
    assert said == [place for place, one in enumerate(release.tables, 1) if "drug" in one.columns]
    assert len(said) == 3


def test_a_model_that_cannot_hold_is_refused_at_once() -> None:
    """Not even all rows together are that diverse."""
    with pytest.raises(CannotHoldError, match="impossible"):
        released("equal_combination", TOLD, models={"l_diversity": {"kind": "distinct", "l": 9}})


def test_a_saved_release_is_judged_by_its_models(tmp_path: Path) -> None:
    """Whoever opens the folder hears what the models say of every sub-table."""
    released("equal_combination", TOLD, models={"alpha_k": {"alpha": 0.4}}).save(tmp_path / "out")
    saved = read_release(tmp_path / "out")
    verdict = saved.check(saved.plan)
    assert verdict.holds
    assert [one.model for one in verdict.findings].count("alpha_k") == 3


def test_rows_are_shuffled_apart() -> None:
    """The order of rows in one sub-table says nothing about their order in another."""
    orders = [part.rows.tolist() for part in released("equal_combination").parts]
    assert len({tuple(order) for order in orders}) == 3
    assert all(sorted(order) == list(range(60)) for order in orders)


def test_private_columns_apart() -> None:
    """With sensitive = apart every sensitive column has sub-tables of its own."""
    release = released("equal_combination", parameters={"sensitive": "apart"})
    assert [table.names for table in release.published] == [
        [name, private] for name in ("age", "sex", "zip") for private in ("disease", "drug")
    ]
    together = released("equal_combination")
    losses = [next(one.value for one in each.measurements if one.metric == "ncp") for each in (release, together)]
    assert losses[0] == pytest.approx(losses[1])
    assert release.facts["k_joint"] == together.facts["k_joint"]


def test_the_set_has_no_single_table() -> None:
    """release.table is refused where there are several, release.tables gives them all in the caller's kind."""
    release = released("unequal_combination", PEOPLE.to_pandas())
    assert all(isinstance(one, pd.DataFrame) for one in release.tables)
    with pytest.raises(PlanError, match="several sub-tables"):
        _ = release.table
    assert len(released("non_homogeneous").tables) == 1


def test_new_names_clash_with_no_column() -> None:
    """Bounds are refused where they would take the name of any column of the table, in whatever sub-table it is."""
    frame = PEOPLE.rename({"zip": "age_min"})
    roles = {**ROLES, "quasi_identifiers": ["age", "sex", "age_min"]}
    plan = Plan.of(5, method="equal_combination", accept_weaker=True, render={"age": "bounds"}, **roles)
    with pytest.raises(TableError, match="would have the name"):
        run(Table(frame), plan)
    bounds = released("equal_combination", render={"age": "bounds"})
    assert bounds.released.names == ["age_min", "age_max", "disease", "drug"]


def test_groups_of_columns() -> None:
    """The user says which quasi-identifiers share a sub-table."""
    release = released("unequal_combination", parameters={"groups": [1, 0, 1]})
    assert [one["columns"] for one in release.facts["subtables"]] == [["sex"], ["age", "zip"]]
    with pytest.raises(PlanError, match="groups do not fit"):
        released("unequal_combination", parameters={"groups": [0, 1]})


# -- boxes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_boxes_show_what_a_class_of_their_records_would_show(seed: int) -> None:
    """Cell for cell: a box is published like a class of exactly its k records."""
    random = np.random.default_rng(70_000 + seed)
    n, k = int(random.integers(4, 14)), int(random.integers(1, 5))
    table = people(n, ["age", "day", "work", "code", "member"], seed, missing=float(random.choice([0.0, 0.3, 1.0])))
    render = str(random.choice(["generalise", "bounds"]))
    plan = settle_renderings(complete(plan_for(table, "non_homogeneous", k, render=render), table))
    encoded = encode(table, plan)
    order = random.permutation(n)
    boxes = Boxes(order, np.array([0, n]), min(k, n))
    shown = render_boxes(table, encoded, order, Windows(boxes.starts, boxes.size), order, plan)
    for place in range(n):
        inside = order[(place + np.arange(boxes.size)) % n]
        alone = np.full(n, -1)
        alone[inside] = 0
        assert shown.frame.row(place) == generalize(table, encoded, alone, plan).frame.row(0)


@pytest.mark.thin(3)
@pytest.mark.parametrize("missing", ["own", "wildcard"])
@pytest.mark.parametrize("render", ["generalise", "bounds"])
@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
def test_boxes_of_any_table_pass_the_judge(missing: str, render: str, share: float, tmp_path: Path) -> None:
    """Dates, trees, codes and missing cells in boxes are read back and hold, from a file too."""
    table = people(50, ["age", "income", "day", "work", "code", "member"], 3, missing=share)
    plan = plan_for(table, "non_homogeneous", 4, missing=missing, render=render, accept_weaker=True)
    release = run(table, plan)
    assert release.verdict.holds
    release.save(tmp_path / "typed", format="parquet")
    release.save(tmp_path / "text", format="delimited")


def test_wildcards_do_not_point_at_rows() -> None:
    """Under the wildcard reading a gap in the released table never tells that the record behind it has one."""
    table = people(50, ["age"], 3, missing=0.3)
    release = run(table, plan_for(table, "non_homogeneous", 4, missing="wildcard", accept_weaker=True))
    gaps = release.released.missing("age")
    whole_boxes_empty = gaps.sum()
    assert whole_boxes_empty < table.missing("age").sum()


def test_the_draw_is_secret_unless_a_seed_is_given(tmp_path: Path) -> None:
    """Without a seed no file tells the draw and two runs differ; a given seed repeats and is warned of."""
    first, second = released("non_homogeneous"), released("non_homogeneous")
    assert not first.table.equals(second.table)
    assert Counter(first.table.select("age", "sex", "zip").rows()) == Counter(
        second.table.select("age", "sex", "zip").rows()
    )
    folder = first.save(tmp_path / "secret")
    assert "seed" not in (folder / "plan.toml").read_text()
    assert report_dict(first)["method"]["seed"] is None
    assert not any("seed" in one for one in first.verdict.warnings)

    given = released("non_homogeneous", seed=3)
    assert given.table.equals(released("non_homogeneous", seed=3).table)
    assert any("a seed was given" in one for one in given.verdict.warnings)
    assert "seed = 3" in (given.save(tmp_path / "given") / "plan.toml").read_text()
    with pytest.warns(UserWarning, match="a seed was given"):
        shoal.anonymize(PEOPLE, k=5, method="non_homogeneous", accept_weaker=True, seed=3, **ROLES)


def test_rows_of_boxes_are_true() -> None:
    """The private columns of a row are those of a record that its box allows, all from the same record."""
    release = released("non_homogeneous")
    originals = Counter(PEOPLE.select("disease", "drug", "visits").rows())
    assert Counter(release.table.select("disease", "drug", "visits").rows()) == originals
    for row, shown in zip(release.rows.tolist(), release.table.iter_rows(named=True), strict=True):
        low, _, high = shown["age"].strip("[]").partition(", ")
        assert int(low) <= PEOPLE["age"][row] <= int(high or low)
        assert shown["sex"] in (PEOPLE["sex"][row], "*")


# -- words and files ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_never_a_plain_k(method: str) -> None:
    """Release, report, summary and JSON speak of k per sub-table and k joint, or of boxes."""
    release = released(method)
    report = report_dict(release)
    assert "k" not in report["guarantee"]
    words = {"k_per_subtable", "k_joint"} if method in SUBTABLES else {"records_per_box", "boxes_per_record"}
    assert words <= set(report["guarantee"])
    assert f"{method} does not publish" in report["guarantee"]["statement"]
    page = release.report()
    assert "each among at least 5 look-alikes" not in page
    assert f"{method} does not publish" in page
    assert "k_anonymity" not in summary(release)
    told = "k joint" if method in SUBTABLES else "(k,k) = (5,5)"
    assert told in summary(release)
    assert told in repr(release)


@pytest.mark.parametrize("method", METHODS)
def test_the_folder_reads_back(method: str, tmp_path: Path) -> None:
    """One file per sub-table, named in order; read back they are judged and measured as far as that is possible."""
    release = released(method)
    folder = release.save(tmp_path / "out")
    files = sorted(path.name for path in folder.glob("table*"))
    expected = [f"table-{number}.parquet" for number in range(1, len(release.published) + 1)]
    expected = expected if release.kind.several else ["table.parquet"]
    assert files == expected
    saved = read_release(folder)
    assert saved.problems == []
    assert len(saved.tables) == len(files)
    assert saved.kind is release.kind
    assert saved.check(saved.plan).holds is release.kind.several  # boxes can be judged by their maker alone
    told = {
        one.metric: one.value
        for one in shoal.judging.checking.measure(Table(PEOPLE), saved.side_by_side(saved.plan), saved.plan)
    }
    assert told["ncp"] == pytest.approx(next(one.value for one in release.measurements if one.metric == "ncp"))


@pytest.mark.parametrize("method", SUBTABLES)
def test_the_same_seed_gives_the_same_sub_tables(method: str) -> None:
    """Sub-tables keep the promise of equal bytes."""
    first, second = released(method, seed=4), released(method, seed=4)
    assert all(one.equals(other) for one, other in zip(first.tables, second.tables, strict=True))


@pytest.mark.parametrize("method", METHODS)
def test_a_broken_result_is_never_released(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a method returns is verified: small classes and short rings end the run."""
    from shoal.engine.methods import Partition, Subtables
    from shoal.ground import catalog

    module = catalog.load("algorithms", method)
    rows = np.arange(60)
    bad: Any = Boxes(rows, np.array([0, 3, 60]), 5)
    if method in SUBTABLES:
        bad = Subtables(((0, 1, 2),), (Partition(np.minimum(rows, 1)),))
    monkeypatch.setattr(module, "cluster", lambda *_: bad)
    with pytest.raises(RefusedReleaseError):
        released(method)


def test_private_values_of_a_box_are_those_of_the_private_columns() -> None:
    """One illness and one drug for all: every box shows one private value, whatever the other columns hold."""
    same = PEOPLE.with_columns(disease=pl.lit("flu"), drug=pl.lit("none"))
    assert released("non_homogeneous", same).facts["private_values_per_box"] == {"fewest": 1, "mean": 1.0}
    assert released("non_homogeneous").facts["private_values_per_box"]["mean"] > 2
