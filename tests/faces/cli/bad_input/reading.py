# SPDX-License-Identifier: Apache-2.0
"""Flags that say how a file is read."""

from __future__ import annotations

from tests.faces.cli.bad_input.cases import HEADER, PLAN, ROWS, SECRET, case, csv, good, plan


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
