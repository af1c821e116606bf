# SPDX-License-Identifier: Apache-2.0
"""Numbers and names that settings do not know."""

from __future__ import annotations

from tests.faces.cli.bad_input.cases import bare, case, csv, good, replaced


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
