# SPDX-License-Identifier: Apache-2.0
"""Releases of tables that are cut into cells: tiny cells, all promises of a release."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import shoal
from shoal.engine.kernels import compile as compiling
from shoal.faces.cli import shoal as cli
from shoal.ground.errors import MissedGateError, OutputError, PlanError, TableError
from shoal.ground.progress import Progress
from shoal.large import writing
from shoal.large.checking import check_files, check_folder, measure_files
from shoal.large.choosing import must_be_cut
from shoal.large.release import release_long
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.tables.formats import delimited
from shoal.tables.reading import Reading
from shoal.tables.sources import write_table
from shoal.tables.table import Table
from tests.large.asking import ASKED, OTHERS, QI, released


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
        {"own_k": {"column": "diagnosis", "values": {"J18 pneumonia": 12}}},
        {"subset_k": {"k": 6, "m": 2}},
    ],
)
def test_every_class_keeps_the_models(models: dict[str, object], parts: Path, tmp_path: Path) -> None:
    """In the eyes of the judge that sees all rows."""
    release = released(parts, tmp_path / "out", replace(ASKED, models=models))
    judged = shoal.check(tmp_path / "out" / "table.parquet", plan=replace(release.plan, cell_rows=None))
    assert judged.holds
    said = [{one.model: one.statement for one in verdict.findings} for verdict in (judged, release.verdict)]
    assert said[0][next(iter(models))] == said[1][next(iter(models))]


@pytest.mark.parametrize("model", [{"own_k": {"column": "dx", "values": {"b": 3}}}, {"subset_k": {"k": 3, "m": 1}}])
def test_models_that_break_are_found_by_counts(model: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    """Whoever counts the rows: classes of two are too small for who asks for three, and so is what one column tells."""
    small = pl.DataFrame({"x": [1, 1, 2, 2, 2], "dx": ["a", "b", "b", "b", "b"]})
    small.write_parquet(tmp_path / "small.parquet")
    plan = Plan.of(2, quasi_identifiers=["x"], sensitive=["dx"], models=model)
    found = check_files(tmp_path / "small.parquet", plan, 2, "1GiB").findings
    assert [one.holds for one in found[:2]] == [True, False]
    assert [one.holds for one in shoal.check(small, plan=plan).findings[:2]] == [True, False]
    small.tail(3).write_parquet(tmp_path / "small.parquet")
    assert check_files(tmp_path / "small.parquet", plan, 2, "1GiB").holds


def test_who_asks_for_more_must_be_seen(people: pl.DataFrame, tmp_path: Path) -> None:
    """A column of wishes is not published, so nobody could count whether they are kept."""
    people.with_columns(wish=pl.lit(4)).write_parquet(tmp_path / "people.parquet")
    asked = replace(ASKED, models={"own_k": {"column": "wish"}}).with_columns({"wish": ColumnPlan(role="drop")})
    with pytest.raises(PlanError, match="own-k of a column that is not sensitive"):
        released(tmp_path / "people.parquet", tmp_path / "out", asked)


def test_names_with_signs_of_ours_are_refused(people: pl.DataFrame, tmp_path: Path) -> None:
    """They could be those of what is kept beside the columns."""
    people.rename({"age": "\0number"}).write_parquet(tmp_path / "people.parquet")
    asked = Plan.of(3, quasi_identifiers=["\0number", "sex"], rest="drop", method="k_members", cell_rows=200)
    with pytest.raises(TableError, match="NUL sign"):
        released(tmp_path / "people.parquet", tmp_path / "out", asked)


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


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("people.csv", {"separator": ";", "decimal_comma": True}),
        ("people.tsv.gz", {"separator": "\t", "compression": "gzip"}),
    ],
)
def test_text_is_cut_as_well(
    name: str, written: dict[str, Any], people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files without types are read in parts and released as they came; the plan tells how they were read."""
    monkeypatch.setattr(delimited, "BYTES_PER_PART", 5000)
    people.write_csv(tmp_path / name, **written)
    asked = replace(ASKED, models={"t_closeness": {"t": 0.6, "columns": ["cost"]}}).with_columns(
        {"cost": ColumnPlan(role="sensitive"), "diagnosis": ColumnPlan(role="insensitive")}
    )
    release = release_long(tmp_path / name, asked, tmp_path / "out", Progress())
    assert release.plan.columns["age"].kind == "numeric"
    (table,) = release.outputs
    assert table == name.replace("people", "table")
    judged = shoal.check(tmp_path / "out" / table, plan=replace(release.plan, cell_rows=None))
    assert judged.holds
    assert judged.findings[1].statement == release.verdict.findings[1].statement
    read = pl.read_csv(tmp_path / "out" / table, separator=written["separator"], infer_schema=False)
    assert sorted(read["diagnosis"].to_list()) == sorted(people["diagnosis"].to_list())
    verdict, problems, _ = check_folder(tmp_path / "out", lambda plan: plan, "1GiB")
    assert verdict.findings == release.verdict.findings
    assert problems == []
    again = {
        one.metric: one for one in measure_files(tmp_path / name, [tmp_path / "out" / table], release.plan, "1GiB")
    }
    assert again["ncp"] == {one.metric: one for one in release.measurements}["ncp"]


def test_parquet_is_released_as_text(parts: Path, people: pl.DataFrame, tmp_path: Path) -> None:
    """If that is asked for, with the values that were there."""
    release = released(parts, tmp_path / "out", replace(ASKED, format="delimited"))
    table = pl.read_csv(tmp_path / "out" / "table.csv", schema_overrides={"cost": pl.Float64})
    assert table["cost"].sort().equals(people["cost"].sort())
    assert shoal.check(tmp_path / "out" / "table.csv", plan=replace(release.plan, cell_rows=None)).holds


@pytest.mark.parametrize("target", ["to", "format"])
def test_only_parquet_is_written(target: str, people: pl.DataFrame, tmp_path: Path) -> None:
    """No empty table in a database, and no other format than was asked for."""
    people.write_parquet(tmp_path / "people.parquet")
    (tmp_path / "plan.toml").write_text(ASKED.to_toml())
    flags = {"to": ["--to", f"sqlite:///{tmp_path}/open.sqlite"], "format": ["--format", "json_lines"]}[target]
    line = ["anonymize", tmp_path / "people.parquet", "-o", tmp_path / "out", "--plan", tmp_path / "plan.toml", *flags]
    said = CliRunner().invoke(cli, [str(one) for one in line])
    assert said.exit_code == 2
    assert "is released as Parquet or delimited text" in said.output
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


def test_python_cuts_files(people: pl.DataFrame, parts: Path, tmp_path: Path) -> None:
    """Into a folder, of which the table is read when it is asked for; frames stand in memory as a whole."""
    with pytest.warns(shoal.PrivacyWarning, match="not looked for"):
        release = shoal.anonymize(parts, ASKED, output=tmp_path / "out")
    assert release.verdict.holds
    assert release.table.collect().equals(pl.read_parquet(tmp_path / "out" / "table.parquet"))
    assert f"{len(people)} rows" in repr(release)
    with pytest.raises(OutputError, match="in its folder already"):
        release.save(tmp_path / "again")
    with pytest.raises(PlanError, match="written to a folder"):
        shoal.anonymize(parts, ASKED)
    for plan in ({"plan": ASKED}, {"k": 3, "quasi_identifiers": QI, "rest": "drop", "memory": "1GiB"}):
        with pytest.raises(PlanError, match="Only files are cut"):
            shoal.anonymize(people, **plan)


def test_python_leaves_whole_what_fits(people: pl.DataFrame, parts: Path, tmp_path: Path) -> None:
    """The same as without a word about memory, and in the folder that was named."""
    asked = replace(ASKED, cell_rows=None, memory="64GiB")
    release = shoal.anonymize(parts / "a.parquet", asked, output=tmp_path / "out")
    assert pl.read_parquet(tmp_path / "out" / "table.parquet").equals(release.table)


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


def test_requirements_that_need_no_rows_are_judged(parts: Path, tmp_path: Path) -> None:
    """Rows that are kept, and the loss, are counted; a release that misses one is not made."""
    asked = replace(ASKED, require=("rows_kept >= 1", "loss <= 1"))
    kept = {one.metric: one.value for one in released(parts, tmp_path / "good", asked).measurements}
    assert kept["rows_kept"] == 1
    with pytest.raises(MissedGateError):
        released(parts, tmp_path / "out", replace(ASKED, require=("loss <= 0.0000001",)))
    assert not (tmp_path / "out").exists()


def test_what_needs_all_rows_is_refused(parts: Path, tmp_path: Path) -> None:
    """By name, before anything is done."""
    for asked in ({"keep_order": True}, {"missing": "wildcard"}, {"method": "datafly"}, {"require": ("pmse < 0.1",)}):
        with pytest.raises(PlanError, match="needs all rows at once"):
            released(parts, tmp_path / "out", replace(ASKED, **asked))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("method", ["k_members", "shoal"])
def test_records_that_cost_most_are_left_out(method: str, people: pl.DataFrame, tmp_path: Path) -> None:
    """No more than may be, and never for nothing: those who stay lose less than all did."""
    old = pl.when(pl.int_range(pl.len()) % 200 == 0).then(400).otherwise(pl.col("age")).alias("age")
    people.with_columns(old).write_parquet(tmp_path / "people.parquet")
    asked = replace(ASKED, k=10, method=method, steps=50 if method == "shoal" else None)
    whole = released(tmp_path / "people.parquet", tmp_path / "whole", asked)
    release = released(tmp_path / "people.parquet", tmp_path / "out", replace(asked, suppression=0.05))
    table = pl.read_parquet(tmp_path / "out" / "table.parquet")
    assert 0 < len(people) - len(table) == release.facts["suppressed"] <= 0.05 * len(people)
    assert shoal.check(tmp_path / "out" / "table.parquet", plan=replace(release.plan, cell_rows=None)).holds
    losses = [{one.metric: one for one in made.measurements}["ncp"].value for made in (whole, release)]
    assert losses[1] < losses[0]
    again = released(tmp_path / "people.parquet", tmp_path / "again", Plan.read(tmp_path / "out" / "plan.toml"))
    assert again.outputs == release.outputs


def test_nobody_is_left_out_where_shares_count(parts: Path, tmp_path: Path) -> None:
    """Classes would be compared with rows that are not known yet."""
    asked = replace(ASKED, suppression=0.05, models={"t_closeness": {"t": 0.5}})
    with pytest.raises(PlanError, match="left out cell by cell"):
        released(parts, tmp_path / "out", asked)
    others = {"alpha_k": {"alpha": 0.6}, "own_k": {"column": "diagnosis", "values": {"J18 pneumonia": 12}}}
    assert released(parts, tmp_path / "out", replace(asked, models=others)).verdict.holds


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


@pytest.mark.parametrize("render", ["mode", "median", "bounds", None])
def test_ordered_columns_list_what_the_release_shows(
    render: str | None, people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all cells and all parts that are written, in their order: no part knows what others show."""
    monkeypatch.setattr(writing, "ROWS_PER_BUCKET", 150)
    order = pl.Enum(["never", "rare", "low", "high"])
    levels = ["low" if sex == people["sex"][0] else "high" for sex in people["sex"]]  # few cells show both
    levels[:4] = ["rare"] * 4
    people.with_columns(level=pl.Series(levels, dtype=order)).write_parquet(tmp_path / "people.parquet")
    role = ColumnPlan(role="quasi-identifier", render=render) if render else ColumnPlan(role="insensitive")
    release = released(tmp_path / "people.parquet", tmp_path / "out", ASKED.with_columns({"level": role}))
    table = pl.read_parquet(tmp_path / "out" / "table.parquet")
    for name in release.plan.published("level") if render else ["level"]:
        kind = table.schema[name]
        assert isinstance(kind, pl.Enum)
        shown = set(table[name].drop_nulls())
        assert kind.categories.to_list() == [one for one in order.categories if one in shown]
    if render is None:
        assert sorted(table["level"].cast(pl.String)) == sorted(levels)


def test_formulas_are_counted(people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In all parts that are written: the report must not say that there are none."""
    monkeypatch.setattr(writing, "ROWS_PER_BUCKET", 150)
    notes = pl.when(pl.int_range(pl.len()) % 4 == 0).then(pl.lit("=1+1")).otherwise(pl.col("diagnosis"))
    people.with_columns(diagnosis=notes).write_csv(tmp_path / "people.csv")
    release = released(tmp_path / "people.csv", tmp_path / "out", replace(ASKED, models={}))
    assert release.facts["formula_cells"] == {"diagnosis": -(-len(people) // 4)}


def test_a_new_column_needs_a_free_name(people: pl.DataFrame, tmp_path: Path) -> None:
    """As where a table is not cut, and before the work; also where the other column is left out."""
    people.with_columns(age_min=pl.lit(1)).write_parquet(tmp_path / "people.parquet")
    for role in ("insensitive", "drop"):
        asked = ASKED.with_columns(
            {"age": ColumnPlan(role="quasi-identifier", render="bounds"), "age_min": ColumnPlan(role=role)}
        )
        with pytest.raises(TableError, match="name of one that is there"):
            released(tmp_path / "people.parquet", tmp_path / "out", asked)


@pytest.mark.parametrize("name", ["people.csv.bz2", "people.csv.xz", "people.csv"])
def test_the_lazy_table_is_read_as_it_was_written(
    name: str, people: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Packed or in another encoding, with any names, and only as far as it is asked for."""
    monkeypatch.setattr(delimited, "BYTES_PER_PART", 5000)
    asked = replace(ASKED, models={}, reading=Reading(encoding="cp1252", encoding_out="keep", separator=";"))
    odd = people.with_columns(diagnosis=pl.lit("\u00e4"), cost=pl.lit("")).rename({"cost": 'c"o;st'})
    asked = asked.with_columns({'c"o;st': asked.columns["cost"]})
    asked = replace(asked, columns={one: column for one, column in asked.columns.items() if one != "cost"})
    write_table(Table(odd), tmp_path / name, "delimited", asked.reading)
    with pytest.warns(shoal.PrivacyWarning, match="not looked for"):
        table = shoal.anonymize(tmp_path / name, asked, output=tmp_path / "out").table
    whole = table.collect()
    assert whole.columns == odd.columns[1:]
    assert set(whole.select("diagnosis", 'c"o;st').rows()) == {("\u00e4", "")}
    assert len(whole) == len(people)
    of_women = whole.head(600).filter(pl.col("sex") == "f").select("age")
    assert table.head(600).filter(pl.col("sex") == "f").select("age").collect().equals(of_women)
    assert table.select(pl.len()).collect().item() == len(people)


def test_a_column_without_a_name_is_told_as_such(people: pl.DataFrame, tmp_path: Path) -> None:
    """It is no column of survey weights that nobody named."""
    people.rename({"age": ""}).write_parquet(tmp_path / "people.parquet")
    asked = Plan.of(3, quasi_identifiers=["", "sex"], rest="drop", method="k_members", cell_rows=200)
    with pytest.raises(TableError, match="have no name"):
        released(tmp_path / "people.parquet", tmp_path / "out", asked)


def test_numbers_that_are_written_differently_make_different_classes(tmp_path: Path) -> None:
    """For all models: 0.0 and -0.0 are equal for SQL, but everybody sees which is which."""
    zeros = pl.DataFrame({"x": [0.0, 0.0, -0.0, -0.0], "dx": ["a", "a", "b", "b"]})
    zeros.write_parquet(tmp_path / "zeros.parquet")
    plan = Plan.of(2, quasi_identifiers=["x"], sensitive=["dx"], models={"l_diversity": {"l": 2}})
    found = check_files(tmp_path / "zeros.parquet", plan, 2, "1GiB").findings
    assert [one.statement for one in found] == [one.statement for one in shoal.check(zeros, plan=plan).findings]
    assert [one.holds for one in found] == [True, False]


def test_closeness_in_the_order_of_the_type(people: pl.DataFrame, tmp_path: Path) -> None:
    """The judge of files knows the order of a private column as whoever makes the classes does."""
    levels = ["low", "mid", "high"]
    drawn = pl.Series([levels[place * place % 7 % 3] for place in range(len(people))], dtype=pl.Enum(levels))
    people.with_columns(diagnosis=drawn).write_parquet(tmp_path / "people.parquet")
    release = released(
        tmp_path / "people.parquet", tmp_path / "out", replace(ASKED, models={"t_closeness": {"t": 0.35}})
    )
    judged = shoal.check(tmp_path / "out" / "table.parquet", plan=replace(release.plan, cell_rows=None))
    assert "(ordered)" in judged.findings[1].statement
    assert judged.findings[1] == release.verdict.findings[1]


def test_private_numbers_beyond_the_signed_ones(people: pl.DataFrame, tmp_path: Path) -> None:
    """Such as hashes."""
    large = pl.Series([2**64 - 1 - place % 5 for place in range(len(people))], dtype=pl.UInt64)
    people.with_columns(diagnosis=large).write_parquet(tmp_path / "people.parquet")
    release = released(tmp_path / "people.parquet", tmp_path / "out")
    table = pl.read_parquet(tmp_path / "out" / "table.parquet")
    assert table["diagnosis"].sort().equals(large.sort(), check_names=False)
    assert shoal.check(table, plan=replace(release.plan, cell_rows=None)).holds
