# SPDX-License-Identifier: Apache-2.0
"""Columns and their roles."""

from __future__ import annotations

import polars as pl

from tests.faces.cli.bad_input.cases import HEADER, SECRET, bare, case, csv, good, parquet, replaced


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
