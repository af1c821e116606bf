# SPDX-License-Identifier: Apache-2.0
"""Plans that cannot be read, or say what cannot be meant."""

from __future__ import annotations

from tests.faces.cli.bad_input.cases import PLAN, bare, case, plan


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
