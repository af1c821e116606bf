# SPDX-License-Identifier: Apache-2.0
"""Releases of tables that are cut into cells: tiny cells, all promises of a release."""

from __future__ import annotations

import errno
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import shoal
from shoal.engine.kernels import compile as compiling
from shoal.faces.cli import shoal as cli
from shoal.ground.errors import OutputError, PlanError, TableError
from shoal.ground.progress import Progress
from shoal.large import release as releasing
from shoal.large.checking import check_folder
from shoal.large.choosing import must_be_cut
from shoal.large.release import release_long
from shoal.plan.plan import Plan
from shoal.tables import streaming

QI = ["age", "sex", "postcode", "admission_date"]
OTHERS = ["diagnosis", "cost"]
ASKED = Plan.of(
    3,
    quasi_identifiers=QI,
    sensitive=["diagnosis"],
    identifiers=["name"],
    insensitive=["cost"],
    kinds={"postcode": "text-prefix"},
    models={"l_diversity": {"l": 2}},
    method="k_members",
    seed=5,
    cell_rows=200,
)


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    """Patients, some of them with missing cells, and one who stands there a hundred times."""
    people = shoal.synthetic_patients(900).select("name", *QI, *OTHERS)
    holes = pl.int_range(pl.len()) % 17 == 0
    people = people.with_columns(
        pl.when(holes).then(None).otherwise(pl.col(name)).alias(name) for name in ("age", "postcode")
    )
    return pl.concat([people, people[[7] * 100].with_columns(diagnosis=people["diagnosis"].head(100))])


@pytest.fixture
def parts(people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same in two files, read in stretches of 300 rows."""
    monkeypatch.setattr(streaming, "AT_ONCE", 300)
    folder = tmp_path / "people"
    folder.mkdir()
    people.head(430).write_parquet(folder / "a.parquet")
    people.tail(-430).write_parquet(folder / "b.parquet")
    return folder


def released(parts: Path, out: Path, asked: Plan = ASKED) -> shoal.Release:
    """The release of the parts."""
    return release_long(parts, asked, out, Progress())


def test_every_row_once_among_look_alikes(people: pl.DataFrame, parts: Path, tmp_path: Path) -> None:
    """The ordinary judge, which sees all rows, finds what was promised; what is not blurred is as it was."""
    release = released(parts, tmp_path / "out")
    table = pl.read_parquet(tmp_path / "out" / "table.parquet")
    assert table.columns == [*QI, *OTHERS]
    assert table.select(OTHERS).sort(OTHERS).equals(people.select(OTHERS).sort(OTHERS))
    assert shoal.check(tmp_path / "out" / "table.parquet", plan=replace(release.plan, cell_rows=None)).holds
    assert table.group_by(QI).len()["len"].min() >= 3
    assert release.facts["cells"] > 3
    assert release.facts["rows"] == len(people)


def test_losses_are_those_of_the_whole_table(people: pl.DataFrame, parts: Path, tmp_path: Path) -> None:
    """What the judge counts in files is what it measures of the same tables in memory."""
    release = released(parts, tmp_path / "out")
    table = pl.read_parquet(tmp_path / "out" / "table.parquet")
    measured = {one.metric: one for one in shoal.measure(people, table, release.plan)}
    counted = {one.metric: one for one in release.measurements}
    for metric in ("ncp", "discernibility", "average_class_size", "prosecutor_risk"):
        assert counted[metric].value == pytest.approx(measured[metric].value)


@pytest.mark.parametrize("method", ["k_members", "shoal"])
def test_replays_to_the_same_bytes_on_any_number_of_threads(
    method: str, parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plan of a release gives it again, and so does another memory."""
    steps = 50 if method == "shoal" else None
    released(parts, tmp_path / "one", replace(ASKED, method=method, steps=steps))
    monkeypatch.setattr(compiling, "threads", lambda: 1)
    plan = Plan.read(tmp_path / "one" / "plan.toml")
    assert plan.cell_rows == 200
    released(parts, tmp_path / "two", replace(plan, memory="1GiB"))
    one, two = ((tmp_path / name / "table.parquet").read_bytes() for name in ("one", "two"))
    assert one == two


def test_rules_hold_although_cells_are_too_uniform(parts: Path, tmp_path: Path) -> None:
    """Cells that cannot be close to the whole table are worked on together."""
    asked = replace(ASKED, models={"t_closeness": {"t": 0.35}})
    release = released(parts, tmp_path / "out", asked)
    assert release.verdict.holds
    verdict, problems, _ = check_folder(tmp_path / "out", lambda plan: plan, "1GiB")
    assert verdict.holds
    assert problems == []


@pytest.mark.parametrize(
    "models",
    [
        {"alpha_k": {"alpha": 0.6}},
        {"beta_likeness": {"beta": 3}},
        {"delta_disclosure": {"delta": 2.5}},
        {"l_diversity": {"l": 2, "kind": "entropy"}},
    ],
)
def test_every_class_keeps_the_models(models: dict[str, object], parts: Path, tmp_path: Path) -> None:
    """In the eyes of the judge that sees all rows."""
    release = released(parts, tmp_path / "out", replace(ASKED, models=models))
    assert shoal.check(tmp_path / "out" / "table.parquet", plan=replace(release.plan, cell_rows=None)).holds


def test_columns_of_any_name(people: pl.DataFrame, tmp_path: Path) -> None:
    """Names that differ in case only, that SQL would read otherwise, or that are those of columns beside them."""
    names = dict(zip(people.columns, ["N", "n", "key", "row", 'rows"; --', "classes", "Classes"], strict=True))
    folder = tmp_path / "a [1]*'" / "year=2020"
    folder.mkdir(parents=True)
    people.rename(names).write_parquet(folder / "people.parquet")
    columns = {names[name]: column for name, column in ASKED.columns.items()}
    release = release_long(folder, replace(ASKED, columns=columns), folder.parent / "out", Progress())
    table = pl.read_parquet(folder.parent / "out" / "table.parquet", glob=False)
    assert table.columns == list(names.values())[1:]
    assert table.group_by(table.columns[:4]).len()["len"].min() >= 3
    assert release.verdict.holds


def test_cells_that_are_joined_must_fit_memory(parts: Path, tmp_path: Path) -> None:
    """What a small t needs is refused before the work."""
    asked = replace(ASKED, models={"t_closeness": {"t": 0.1}}, memory="800KB")
    with pytest.raises(PlanError, match="do not fit the memory"):
        released(parts, tmp_path / "out", asked)


def test_text_is_cut_as_well(people: pl.DataFrame, tmp_path: Path) -> None:
    """Files without types are staged; the plan tells how they were read."""
    people.write_csv(tmp_path / "people.csv")
    release = release_long(tmp_path / "people.csv", ASKED, tmp_path / "out", Progress())
    assert release.plan.columns["age"].kind == "numeric"
    assert release.verdict.holds


def test_a_full_disk_leaves_nothing(parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a folder nor what lay on the way."""

    def full(*given: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(releasing, "write_beside", full)
    with pytest.raises(OutputError, match="nothing was left behind"):
        released(parts, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["people"]


def test_too_little_room_is_told_before_the_work(parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what is needed."""
    monkeypatch.setattr(shutil, "disk_usage", lambda place: shutil._ntuple_diskusage(10, 9, 1))
    with pytest.raises(OutputError, match="not enough room"):
        released(parts, tmp_path / "out")


@pytest.mark.parametrize("target", ["to", "format"])
def test_only_parquet_is_written(target: str, people: pl.DataFrame, tmp_path: Path) -> None:
    """No empty table in a database, and no other format than was asked for."""
    people.write_parquet(tmp_path / "people.parquet")
    (tmp_path / "plan.toml").write_text(ASKED.to_toml())
    flags = {"to": ["--to", f"sqlite:///{tmp_path}/open.sqlite"], "format": ["--format", "delimited"]}[target]
    line = ["anonymize", tmp_path / "people.parquet", "-o", tmp_path / "out", "--plan", tmp_path / "plan.toml", *flags]
    said = CliRunner().invoke(cli, [str(one) for one in line])
    assert said.exit_code == 2
    assert "is released as Parquet, in its folder only" in said.output
    assert not (tmp_path / "out").exists()


def test_no_rows_are_refused(people: pl.DataFrame, tmp_path: Path) -> None:
    """As they are where a table is not cut."""
    people.head(0).write_parquet(tmp_path / "people.parquet")
    with pytest.raises(TableError, match="has no rows"):
        released(tmp_path / "people.parquet", tmp_path / "out")


def test_nested_cells_are_refused(people: pl.DataFrame, tmp_path: Path) -> None:
    """Nobody can judge what they publish."""
    people.with_columns(cost=pl.concat_list("cost")).write_parquet(tmp_path / "people.parquet")
    with pytest.raises(TableError, match="nested"):
        released(tmp_path / "people.parquet", tmp_path / "out")


def test_python_says_where_tables_are_cut(people: pl.DataFrame) -> None:
    """A table that is handed over is not cut, and nobody is let believe so."""
    with pytest.raises(PlanError, match="by the command line only"):
        shoal.anonymize(people, ASKED)
    with pytest.raises(PlanError, match="by the command line only"):
        shoal.anonymize(people, k=3, quasi_identifiers=QI, rest="drop", memory="1GiB")


def test_parts_of_different_tables_are_not_judged_together(people: pl.DataFrame, parts: Path) -> None:
    """A column that only a later part has would be left out, and a column of another type read as if it were not."""
    later = people.tail(-430)
    for other in (later.with_columns(more=pl.lit(1)), later.drop("cost"), later.cast({"age": pl.String})):
        other.write_parquet(parts / "b.parquet")
        said = CliRunner().invoke(cli, ["check", str(parts), "--qi", ",".join(QI), "-k", "1", "--memory", "1GiB"])
        assert said.exit_code == 2
        assert "do not have the same columns" in said.stderr


def test_measuring_counts_what_is_asked(people: pl.DataFrame, parts: Path, tmp_path: Path) -> None:
    """On the command line: the figures of the ordinary judge, and whether they keep what is required."""
    release = released(parts, tmp_path / "out")
    line = ["measure", parts, tmp_path / "out", "--memory", "1GiB", "--json", "--require", "ncp<=0.0001"]
    said = CliRunner().invoke(cli, [str(one) for one in [*line, "--alpha", "0.01"]])
    found = json.loads(said.stdout)
    table = pl.read_parquet(tmp_path / "out" / "table.parquet")
    measured = {one.metric: one.value for one in shoal.measure(people, table, release.plan)}
    counted = {one["metric"]: one["value"] for one in found if "metric" in one}
    assert counted["ncp"] == pytest.approx(measured["ncp"])
    assert [one["holds"] for one in found if "holds" in one] == [False, False]


def test_what_needs_all_rows_is_refused(parts: Path, tmp_path: Path) -> None:
    """By name, before anything is done."""
    for asked in ({"suppression": 0.1}, {"missing": "wildcard"}, {"method": "datafly"}):
        with pytest.raises(PlanError, match="needs all rows at once"):
            released(parts, tmp_path / "out", replace(ASKED, **asked))
    assert not (tmp_path / "out").exists()


def test_too_many_different_values_are_refused(parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A quasi-identifier that is nearly a key does not fit the memory it would need."""
    wide = pl.DataFrame({"id": np.arange(5000), "x": np.arange(5000) % 7})
    wide.write_parquet(tmp_path / "wide.parquet")
    asked = Plan.of(3, quasi_identifiers=["id"], insensitive=["x"], method="k_members", cell_rows=500, memory="1MiB")
    with pytest.raises(TableError, match="too many different values"):
        release_long(tmp_path / "wide.parquet", asked, tmp_path / "out", Progress())


def test_what_fits_is_not_cut(parts: Path) -> None:
    """A table is cut where memory is too small for it, or where the plan says so."""
    whole = replace(ASKED, cell_rows=None)
    assert not must_be_cut(parts, replace(whole, memory="4GiB"))
    assert must_be_cut(parts, replace(whole, memory="512MiB"))
    assert must_be_cut(parts, ASKED)
