# SPDX-License-Identifier: Apache-2.0
"""Hierarchies that are none."""

from __future__ import annotations

from tests.faces.cli.bad_input.cases import SECRET, case, csv, good, replaced, tree


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
