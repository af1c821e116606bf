# SPDX-License-Identifier: Apache-2.0
"""Bad input of every kind: exit 2, a message in five parts, no cell of the table, nothing written.

A case is a function that prepares a folder and returns the command line. The folder already holds a good table, so a
case only has to spoil one thing. A secret cell stands in every table; no output may ever quote it.
"""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from shoal.faces.cli import shoal

SECRET = "SECRET-77"
PARTS = ("where", "allowed", "received", "next")
HEADER = "name,age,sex,zip,disease"
ROWS = [f"person {i},{20 + i},{'mf'[i % 2]},{10000 + i % 7},{SECRET if i == 4 else 'flu'}" for i in range(30)]
PLAN = '[privacy]\nk = 3\n[columns.age]\nrole = "quasi-identifier"\n'

Case = Callable[[Path], list[str]]
CASES: dict[str, Case] = {}
PLACES: dict[str, str] = {}


def case(where: str) -> Callable[[Case], Case]:
    """Register a case under its function's name; ``where`` is the place the message must point to."""

    def register(make: Case) -> Case:
        CASES[make.__name__] = make
        PLACES[make.__name__] = where
        return make

    return register


def good(*changes: str, table: str = "table.csv") -> list[str]:
    """A command line without fault, to which a case adds one."""
    roles = ("--qi", "age,sex", "--sensitive", "disease", "--identifier", "name", "--rest", "drop")
    return [table, "-k", "3", *roles, *changes]


def bare(*changes: str, table: str = "table.csv") -> list[str]:
    """Only what the case says."""
    return [table, *changes]


def csv(folder: Path, text: str | bytes, name: str = "bad.csv") -> str:
    """Write a file and return its name."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


def spoiled(folder: Path, row: str) -> str:
    """The good table with one more row."""
    return csv(folder, "\n".join([HEADER, *ROWS, row]) + "\n")


def replaced(folder: Path, column: int, value: str, row: int = 3) -> str:
    """The good table with one cell replaced."""
    rows = [line.split(",") for line in ROWS]
    rows[row][column] = value
    return csv(folder, "\n".join([HEADER, *(",".join(line) for line in rows)]) + "\n")


def tree(folder: Path, text: str | bytes) -> list[str]:
    """A command line with this hierarchy of sex."""
    return good("--hierarchy", "sex=" + csv(folder, text, "tree.csv"))


def plan(folder: Path, text: str | bytes, *changes: str) -> list[str]:
    """A command line with this plan."""
    return bare("--plan", csv(folder, text, "plan.toml"), *changes)


def parquet(folder: Path, frame: pl.DataFrame, name: str = "bad.parquet") -> str:
    """Write a Parquet file and return its name."""
    frame.write_parquet(folder / name)
    return name


# -- files ---------------------------------------------------------------------------------------------------


@case("file 'nosuch.csv'")
def missing_input(folder):
    return good(table="nosuch.csv")


@case("file 'bad.csv'")
def empty_file(folder):
    return good(table=csv(folder, ""))


@case("file 'bad.csv'")
def file_of_blank_lines(folder):
    return good(table=csv(folder, "\n\n\n"))


@case("file 'bad.csv'")
def byte_order_mark_alone(folder):
    return good(table=csv(folder, b"\xef\xbb\xbf"))


@case("the table")
def header_only(folder):
    return good(table=csv(folder, HEADER + "\n"))


@case("plan")
def no_header_forgotten(folder):
    rows = "\n".join(ROWS).replace("person 0", SECRET)
    return good(table=csv(folder, rows))


@case("file 'bad.csv', lines 32")
def row_too_long(folder):
    return good(table=spoiled(folder, f"x,50,m,10000,flu,{SECRET}"))


@case("file 'bad.csv', lines 32")
def row_too_short(folder):
    return good(table=spoiled(folder, f"{SECRET},50,m"))


@case("file 'bad.csv', line 32")
def quote_never_closed(folder):
    return good(table=spoiled(folder, f'x,50,m,10000,"{SECRET}'))


@case("file 'bad.csv'")
def not_utf8(folder):
    return good(table=csv(folder, "\n".join([HEADER, *ROWS, f"Zoë {SECRET},50,m,1,flu"]).encode("latin-1")))


@case("file 'bad.csv'")
def wrong_encoding_named(folder):
    return good("--encoding", "ascii", table=spoiled(folder, f"Zoë {SECRET},50,m,1,flu"))


@case("--encoding / [input] encoding")
def unknown_encoding(folder):
    return good("--encoding", "klingon")


@case("file 'bad.csv', header")
def duplicate_column_names(folder):
    return good(table=csv(folder, "\n".join([HEADER.replace("zip", "age"), *ROWS])))


@case("file 'bad.csv', header")
def empty_column_name(folder):
    return good(table=csv(folder, "\n".join([HEADER.replace("zip", ""), *ROWS])))


@case("file 'bad.csv', line 1")
def carriage_returns_only(folder):
    return good(table=csv(folder, "\r".join([HEADER, *ROWS])))


@case("file 'bad.csv', line 32")
def nul_bytes(folder):
    return good(table=csv(folder, "\n".join([HEADER, *ROWS, f"{SECRET}\0,50,m,1,flu"])))


@case("file 'bad.csv', line 1")
def binary_file_called_csv(folder):
    return good(table=csv(folder, bytes(range(256)) * 40 + SECRET.encode()))


@case("file 'really-parquet.csv'")
def parquet_called_csv(folder):
    frame = pl.DataFrame({"age": range(30), "sex": ["m"] * 30, "disease": [SECRET] * 30})
    return good(table=parquet(folder, frame, "really-parquet.csv"))


@case("file 'bad.parquet'")
def csv_called_parquet(folder):
    return good(table=csv(folder, "\n".join([HEADER, *ROWS]), "bad.parquet"))


@case("the table")
def zero_row_parquet(folder):
    schema = {"name": pl.String, "age": pl.Int64, "sex": pl.String, "disease": pl.String}
    return good(table=parquet(folder, pl.DataFrame(schema=schema)))


@case("file 'bad.parquet'")
def corrupt_parquet(folder):
    name = parquet(folder, pl.DataFrame({"age": range(30), "sex": ["m"] * 30, "disease": [SECRET] * 30}))
    whole = (folder / name).read_bytes()
    return good(table=csv(folder, whole[:40] + b"\xff" * 60 + whole[100:-30], name))


@case("column 'age'")
def nested_arrow_type_as_quasi_identifier(folder):
    frame = pl.DataFrame({"age": [[i, 1] for i in range(30)], "sex": ["m"] * 30, "disease": [SECRET] * 30})
    return [parquet(folder, frame), "-k", "3", "--qi", "age,sex", "--rest", "drop"]


@case("column 'age'")
def struct_arrow_type_as_quasi_identifier(folder):
    frame = pl.DataFrame({"age": [{"a": i, "b": SECRET} for i in range(30)], "sex": ["m"] * 30})
    return [parquet(folder, frame), "-k", "3", "--qi", "age,sex", "--rest", "drop"]


@case("column 'age'")
def binary_column_as_quasi_identifier(folder):
    frame = pl.DataFrame({"age": [SECRET.encode()] * 30, "sex": ["m"] * 30})
    return [parquet(folder, frame), "-k", "3", "--qi", "age,sex", "--rest", "drop"]


@case("file 'table.xyz'")
def unknown_extension(folder):
    return good(table=csv(folder, "\n".join([HEADER, *ROWS]), "table.xyz"))


@case("file 'table'")
def no_extension(folder):
    return good(table=csv(folder, bytes(range(256)), "table"))


@case("folder 'empty'")
def input_is_an_empty_folder(folder):
    (folder / "empty").mkdir()
    return good(table="empty")


@case("files 'mixed/a.csv', 'mixed/b.parquet'")
def folder_of_mixed_formats(folder):
    (folder / "mixed").mkdir()
    csv(folder, "\n".join([HEADER, *ROWS]), "mixed/a.csv")
    parquet(folder, pl.DataFrame({"age": [1], "disease": [SECRET]}), "mixed/b.parquet")
    return good(table="mixed")


@case("file 'bad.csv'")
def files_with_different_columns(folder):
    other = csv(folder, f"name,age,sex\nx,1,{SECRET}\n")
    return ["table.csv", other, *good()[1:]]


@case("file 'nosuch.csv'")
def one_of_two_files_is_missing(folder):
    return ["table.csv", "nosuch.csv", *good()[1:]]


@case("file '/dev/null'")
def input_is_a_device(folder):
    return good(table="/dev/null")


# -- reading flags -------------------------------------------------------------------------------------------


@case("--separator / [input] separator")
def separator_of_two_characters(folder):
    return good("--separator", "::")


@case("--separator / [input] separator")
def separator_empty(folder):
    return good("--separator", "")


@case("--separator / [input] separator")
def separator_is_a_quote(folder):
    return good("--separator", '"')


@case("plan")
def separator_that_is_nowhere(folder):
    return good("--separator", "|")


@case("--decimal / decimal in [input]")
def decimal_of_two_characters(folder):
    return good("--decimal", ",,")


@case("--decimal / decimal in [input]")
def decimal_is_a_letter(folder):
    return good("--decimal", "x")


@case("flag --columns")
def columns_without_no_header(folder):
    return good("--columns", "a,b,c,d,e")


@case("--columns / [input] columns")
def columns_too_few(folder):
    return ["table.csv", "-k", "3", "--qi", "b", "--no-header", "--columns", "a,b,c"]


@case("--columns / [input] columns")
def columns_twice_the_same(folder):
    return ["table.csv", "-k", "3", "--qi", "b", "--no-header", "--columns", "a,b,c,b,e"]


@case("flag --columns")
def columns_with_an_empty_name(folder):
    return ["table.csv", "-k", "3", "--qi", "b", "--no-header", "--columns", "a,b,,d,e"]


@case("--skip-lines / [input] skip_lines")
def skip_lines_negative(folder):
    return good("--skip-lines", "-1")


@case("--skip-lines of shoal anonymize")
def skip_lines_not_a_whole_number(folder):
    return good("--skip-lines", "1.5")


@case("--skip-lines / [input] skip_lines")
def skip_lines_more_than_there_are(folder):
    return good("--skip-lines", "32")


@case("--skip-lines / [input] skip_lines")
def skip_lines_all_there_are(folder):
    return good("--skip-lines", "31")


@case("--skip-lines / [input] skip_lines")
def skip_lines_of_a_plan_is_a_boolean(folder):
    return plan(folder, PLAN + "[input]\nskip_lines = true\n")


@case("file 'bad.csv', lines 34")
def row_too_long_below_skipped_lines(folder):
    rows = [f'"{SECRET}', "", HEADER, *ROWS, f"x,50,m,10000,flu,{SECRET}"]
    return good("--skip-lines", "2", table=csv(folder, "\n".join(rows) + "\n"))


# -- columns and roles ---------------------------------------------------------------------------------------


@case("plan")
def unknown_quasi_identifier(folder):
    return good("--qi", "agee")


@case("plan")
def unknown_sensitive(folder):
    return good("--sensitive", "diseas")


@case("plan")
def unknown_identifier(folder):
    return good("--identifier", "Name")


@case("flag --hierarchy, column 'nosuch'")
def unknown_column_with_hierarchy(folder):
    return good("--hierarchy", "nosuch=" + csv(folder, "m;*\nf;*\n", "tree.csv"))


@case("flag --kind, column 'nosuch'")
def unknown_column_with_kind(folder):
    return good("--kind", "nosuch=numeric")


@case("flag --weight, column 'nosuch'")
def unknown_column_with_weight(folder):
    return good("--weight", "nosuch=2")


@case("flag --render, column 'nosuch'")
def unknown_column_with_render(folder):
    return good("--render", "nosuch=mean")


@case("column 'age'")
def column_in_two_roles(folder):
    return good("--sensitive", "age")


@case("column 'age'")
def column_twice_in_a_role(folder):
    return good("--qi", "age")


@case("--qi / quasi_identifiers / [columns]")
def no_quasi_identifier(folder):
    return bare("-k", "3", "--sensitive", "disease", "--rest", "drop")


@case("columns of the table")
def forgotten_columns(folder):
    return bare("-k", "3", "--qi", "age,sex", "--sensitive", "disease")


@case("columns of the table")
def no_column_named(folder):
    return bare("-k", "3")


@case("columns 'name'")
def an_identifier_called_insensitive(folder):
    return bare("-k", "3", "--qi", "age,sex", "--insensitive", "name", "--rest", "drop")


@case("columns 'name'")
def an_identifier_among_the_rest(folder):
    return bare("-k", "3", "--qi", "age,sex", "--rest", "insensitive")


@case("plan")
def unknown_column_accepted(folder):
    return good("--accept", "nome")


@case("--rest / [release] rest")
def unknown_rest(folder):
    return good("--rest", "publish")


@case("--qi / quasi_identifiers / [columns]")
def all_columns_identifiers(folder):
    return bare("-k", "3", "--identifier", HEADER)


@case("flag --qi")
def list_with_an_empty_name(folder):
    return bare("-k", "3", "--qi", "age,,sex")


@case("flag --qi")
def list_with_an_open_quote(folder):
    return bare("-k", "3", "--qi", 'age,"sex')


@case("column 'age'")
def text_in_a_numeric_column(folder):
    return good("--kind", "age=numeric", table=replaced(folder, 1, SECRET))


@case("column 'age'")
def date_that_is_none(folder):
    return good("--kind", "age=date", table=replaced(folder, 1, f"2020-13-45 {SECRET}"))


@case("column 'age'")
def infinity_in_a_quasi_identifier(folder):
    ages = [*range(29), float("inf")]
    return good(
        table=parquet(folder, pl.DataFrame({"name": "x", "age": ages, "sex": "m", "disease": SECRET}, strict=False))
    )


@case("column 'age'")
def infinity_written_as_text(folder):
    return good("--kind", "age=numeric", table=replaced(folder, 1, "inf"))


@case("column 'age'")
def integers_too_large_to_tell_apart(folder):
    return good("--kind", "age=numeric", table=replaced(folder, 1, "9007199254740993"))


@case("column 'sex'")
def ten_megabyte_cell_in_a_quasi_identifier(folder):
    return good(table=replaced(folder, 2, SECRET + "x" * 10_000_000))


# -- numbers -------------------------------------------------------------------------------------------------


@case("-k / [privacy] k")
def k_missing(folder):
    return bare("--qi", "age")


@case("-k / [privacy] k")
def k_zero(folder):
    return bare("-k", "0", "--qi", "age")


@case("-k / [privacy] k")
def k_negative(folder):
    return bare("-k", "-5", "--qi", "age")


@case("-k of shoal anonymize")
def k_not_a_number(folder):
    return bare("-k", "ten", "--qi", "age")


@case("-k of shoal anonymize")
def k_fraction(folder):
    return bare("-k", "2.5", "--qi", "age")


@case("k")
def k_larger_than_the_table(folder):
    return bare("-k", "31", "--qi", "age", "--rest", "drop")


@case("-k / [privacy] k")
def k_astronomical(folder):
    return bare("-k", "9" * 40, "--qi", "age")


@case("--seed of shoal anonymize")
def seed_not_a_number(folder):
    return good("--seed", "abc")


@case("--seed / [method] seed")
def seed_negative(folder):
    return good("--seed", "-1")


@case("--weight / weight of column 'age'")
def weight_negative(folder):
    return good("--weight", "age=-1")


@case("flag --weight")
def weight_not_a_number(folder):
    return good("--weight", "age=heavy")


@case("--weight / weight of column 'age'")
def weight_infinite(folder):
    return good("--weight", "age=inf")


@case("--weight / weight of column 'age'")
def weight_nan(folder):
    return good("--weight", "age=nan")


# -- names of things -----------------------------------------------------------------------------------------


@case("--method / [method] name")
def unknown_method(folder):
    return good("--method", "k_membr")


@case("--loss / [method] loss")
def unknown_loss(folder):
    return good("--loss", "ncpp")


@case("--render / [release] render")
def unknown_rendering(folder):
    return good("--render", "meann")


@case("--render / render of column 'age'")
def unknown_rendering_of_a_column(folder):
    return good("--render", "age=meann")


@case("column 'sex'")
def mean_of_a_category(folder):
    return good("--render", "sex=mean")


@case("--missing / [privacy] missing")
def unknown_missing(folder):
    return good("--missing", "ignore")


@case("--format / [release] format")
def unknown_format(folder):
    return good("--format", "parket")


@case("--formulas / [release] formulas")
def unknown_formulas(folder):
    return good("--formulas", "escape")


@case("--kind / kind of column 'age'")
def unknown_kind(folder):
    return good("--kind", "age=number")


@case("method 'binary_k_means'")
def unknown_parameter(folder):
    return good("--method", "binary_k_means", "--set", "roundz=3")


@case("parameter 'mode' of method 'mondrian'")
def parameter_of_the_wrong_value(folder):
    return good("--method", "mondrian", "--set", "mode=loose")


@case("flag --set")
def parameter_without_value(folder):
    return good("--set", "mode")


@case("flag --kind")
def setting_without_column(folder):
    return good("--kind", "=numeric")


@case("flag --kind")
def setting_given_twice(folder):
    return good("--kind", "age=numeric", "--kind", "age=categorical")


@case("column 'sex'")
def kind_and_hierarchy_conflict(folder):
    return good("--kind", "sex=numeric", "--hierarchy", "sex=" + csv(folder, "m;*\nf;*\n", "tree.csv"))


@case("columns age")
def missing_cells_refused(folder):
    return good("--missing", "refuse", table=replaced(folder, 1, ""))


# -- hierarchies ---------------------------------------------------------------------------------------------


@case("hierarchy file 'nosuch.csv'")
def hierarchy_missing_file(folder):
    return good("--hierarchy", "sex=nosuch.csv")


@case("hierarchy file 'trees'")
def hierarchy_is_a_folder(folder):
    (folder / "trees").mkdir()
    return good("--hierarchy", "sex=trees")


@case("hierarchy file 'tree.csv'")
def hierarchy_empty(folder):
    return tree(folder, "")


@case("column 'sex'")
def hierarchy_misses_values(folder):
    return [*tree(folder, "m;*\n")]


@case("column 'sex'")
def hierarchy_misses_a_secret(folder):
    trees = "--hierarchy", "sex=" + csv(folder, "m;*\nf;*\n", "tree.csv")
    return good(*trees, table=replaced(folder, 2, SECRET))


@case("hierarchy file 'tree.csv'")
def hierarchy_gives_two_parents(folder):
    return tree(folder, "m;a;*\nm;b;*\nf;a;*\n")


@case("hierarchy file 'tree.csv'")
def hierarchy_label_under_two_parents(folder):
    return tree(folder, "m;x;a;*\nf;x;b;*\n")


@case("hierarchy file 'tree.csv'")
def hierarchy_uneven_rows(folder):
    return tree(folder, "m;a;*\nf;a\n")


@case("hierarchy file 'tree.csv'")
def hierarchy_two_roots(folder):
    return tree(folder, "m;a\nf;b\n")


@case("hierarchy file 'tree.csv'")
def hierarchy_with_gaps(folder):
    return tree(folder, "m;;*\nf;a;*\n")


@case("hierarchy file 'tree.csv'")
def hierarchy_binary(folder):
    return tree(folder, bytes(range(128, 256)) * 20)


@case("column 'sex'")
def hierarchy_with_nul(folder):
    return tree(folder, b"m\0;*\nf;*\n")


@case("hierarchy file 'tree.csv'")
def hierarchy_with_a_giant_label(folder):
    return tree(folder, "m;" + "x" * 200_000 + ";*\nf;a;*\n" + "z" * 200_000 + "\n")


@case("flag --hierarchy")
def hierarchy_without_file(folder):
    return good("--hierarchy", "sex")


# -- plans ---------------------------------------------------------------------------------------------------


@case("plan 'nosuch.toml'")
def plan_missing(folder):
    return bare("--plan", "nosuch.toml")


@case("plan 'plans'")
def plan_is_a_folder(folder):
    (folder / "plans").mkdir()
    return bare("--plan", "plans")


@case("plan 'plan.toml'")
def plan_not_toml(folder):
    return plan(folder, "k: 3\ncolumns: [age]\n")


@case("plan 'plan.toml'")
def plan_binary(folder):
    return plan(folder, bytes(range(256)))


@case("plan 'plan.toml'")
def plan_unknown_table(folder):
    return plan(folder, PLAN + "[privcy]\nk = 3\n")


@case("[columns.age] of plan 'plan.toml'")
def plan_unknown_key(folder):
    return plan(folder, PLAN + "wieght = 2\n")


@case("model")
def plan_unknown_model(folder):
    return plan(folder, "[privacy]\nk = 3\nl_diversty = { l = 3 }\n")


@case("-k / [privacy] k")
def plan_without_k(folder):
    return plan(folder, '[columns.age]\nrole = "quasi-identifier"\n')


@case("-k / [privacy] k")
def plan_with_k_as_text(folder):
    return plan(folder, PLAN.replace("3", '"3"', 1))


@case("-k / [privacy] k")
def plan_with_k_true(folder):
    return plan(folder, PLAN.replace("3", "true", 1))


@case("role of column 'sex'")
def plan_unknown_role(folder):
    return plan(folder, PLAN + '[columns.sex]\nrole = "quasi"\n')


@case("--method / [method] name")
def plan_with_wrong_types(folder):
    return plan(folder, PLAN + "[method]\nname = 3\nseed = []\n")


@case("role of column 'sex'")
def plan_with_wrong_column_types(folder):
    return plan(folder, PLAN + '[columns.sex]\nrole = ["sensitive"]\n')


@case("--separator / [input] separator")
def plan_with_wrong_input_types(folder):
    return plan(folder, PLAN + "[input]\nseparator = 3\nna = 5\n")


@case("--set / [method] parameters")
def plan_with_parameters_as_text(folder):
    return plan(folder, PLAN + '[method]\nparameters = "x"\n')


@case("--method / [method] name")
def plan_with_lists_for_names(folder):
    return plan(folder, PLAN + '[method]\nname = ["mondrian"]\n')


@case("--keep-order / [release] keep_order")
def plan_with_a_word_for_yes_or_no(folder):
    return plan(folder, PLAN + '[release]\nkeep_order = "no"\n')


@case("[columns] of plan 'plan.toml'")
def plan_with_columns_as_text(folder):
    return plan(folder, 'columns = "age"\n[privacy]\nk = 3\n')


@case("hierarchy file 'nosuch.csv'")
def plan_with_hierarchy_missing(folder):
    return plan(folder, PLAN + '[columns.sex]\nrole = "quasi-identifier"\nhierarchy = "nosuch.csv"\n')


@case("plan")
def plan_with_unknown_column(folder):
    return plan(folder, PLAN + '[columns.agee]\nrole = "quasi-identifier"\n')


# -- places --------------------------------------------------------------------------------------------------


@case("output folder 'there'")
def output_exists(folder):
    (folder / "there").mkdir()
    return good("-o", "there")


@case("output folder 'table.csv'")
def output_is_a_file(folder):
    return good("-o", "table.csv")


@case("output folder 'table.csv/out'")
def output_below_a_file(folder):
    return good("-o", "table.csv/out")


@case("output folder 'there'")
def output_of_somebody_else_with_overwrite(folder):
    (folder / "there").mkdir()
    (folder / "there/thesis.txt").write_text(SECRET)
    return good("-o", "there", "--overwrite")


@case("output folder 'xxx")
def output_name_too_long(folder):
    return good("-o", "x" * 300)


@case("output folder '/proc/shoal'")
def output_in_a_system_folder(folder):
    return good("-o", "/proc/shoal")


@case("command line of shoal anonymize")
def option_unknown(folder):
    return good("--threads", "2")


# -- the test ------------------------------------------------------------------------------------------------


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file and folder with mode and content."""
    found = {}
    for path in sorted(folder.rglob("*")):
        content = path.read_bytes() if path.is_file() else b""
        found[str(path.relative_to(folder))] = (stat.S_IMODE(path.lstat().st_mode), content)
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a good table in it."""
    (tmp_path / "table.csv").write_text("\n".join([HEADER, *ROWS]) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", CASES)
def test_bad_input(name: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Exit 2, five parts that point to the right place, no traceback, no cell, nothing written; as JSON too."""
    arguments = ["anonymize", *CASES[name](folder)]
    if "-o" not in arguments:
        arguments += ["-o", "out"]
    before = state(folder)
    done = CliRunner().invoke(shoal, arguments)
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith("Error: "), done.stderr
    missing = [part for part in PARTS if f"\n  {part:<9} " not in done.stderr]
    assert not missing, f"{missing} in {done.stderr}"
    assert f"\n  where     {PLACES[name]}" in done.stderr, done.stderr
    assert done.stdout == ""
    assert "internal error" not in done.stderr, done.stderr
    as_json = CliRunner().invoke(shoal, [*arguments, "--json"])
    assert as_json.exit_code == 2
    assert {"what", *PARTS} <= set(json.loads(as_json.stdout)["error"])
    captured = capfd.readouterr()
    everything = done.output + as_json.output + captured.out + captured.err
    assert "Traceback" not in everything
    assert SECRET not in everything
    assert state(folder) == before


def test_there_are_many_kinds() -> None:
    """The list covers what the product promises: at least forty kinds of bad input."""
    assert len(CASES) >= 45


def test_the_good_table_is_good(folder: Path) -> None:
    """The unspoiled command line works, so each case fails for its own reason."""
    done = CliRunner().invoke(shoal, ["anonymize", *good("-o", "out")])
    assert done.exit_code == 0, done.output
    assert (folder / "out/manifest.json").is_file()
