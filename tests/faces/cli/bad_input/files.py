# SPDX-License-Identifier: Apache-2.0
"""Files that are no table, or not the one that was meant, and output that has no place."""

from __future__ import annotations

import polars as pl

from tests.faces.cli.bad_input.cases import HEADER, ROWS, SECRET, case, csv, good, parquet, spoiled


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
