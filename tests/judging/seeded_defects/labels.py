# SPDX-License-Identifier: Apache-2.0
"""Labels: spelt in several ways, broken, or beside the truth."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from tests.judging.seeded_defects.good_release import ROLES, Defect, Released, changed, first_cell, with_original


def two_spellings_of_a_range(whole: Released, _: Path) -> Released:
    """[35, 39] and [35,39]."""
    return first_cell("age", lambda label: label.replace(", ", ","), whole, 2)


def a_range_in_another_notation(whole: Released, _: Path) -> Released:
    """[35, 39] and [35, 40[."""
    return first_cell("age", lambda label: f"{label.split(',')[0]}, {int(label.split(',')[1][:-1]) + 1}[", whole, 2)


def blanks_behind_a_label(whole: Released, _: Path) -> Released:
    """'A' and 'A '."""
    return first_cell("region", lambda label: label + " ", whole, 2)


def labels_in_two_cases(whole: Released, _: Path) -> Released:
    """'A' and 'a'."""
    return first_cell("region", str.lower, whole, 2)


def a_cyrillic_letter(whole: Released, _: Path) -> Released:
    """'craft' with a Latin c, and with the Cyrillic letter that looks like it."""
    return first_cell("work", lambda label: label.replace("c", "с"), whole, 2)


def a_private_fact_in_two_cases(whole: Released, _: Path) -> Released:
    """'flu' and 'Flu' count as two diseases."""
    return first_cell("disease", str.title, whole, 4)


def an_invisible_mark(whole: Released, _: Path) -> Released:
    """A zero-width space behind the diseases of some rows."""
    return first_cell("disease", lambda cell: cell + "\u200b", whole, 9)


def a_broken_range(whole: Released, _: Path) -> Released:
    """[35, 39 without its bracket."""
    return first_cell("age", lambda label: label[:-1], whole, 2)


def a_range_that_ends_before_it_begins(whole: Released, _: Path) -> Released:
    """[39, 35] instead of [35, 39]."""
    return first_cell("age", lambda label: f"[{label.split(', ')[1][:-1]}, {label.split(',')[0][1:]}]", whole, 2)


def a_label_that_no_tree_has(whole: Released, _: Path) -> Released:
    """A group of occupations that the hierarchy does not know."""
    return first_cell("work", lambda _: "elsewhere", whole, 2)


def two_spellings_of_missing(whole: Released, _: Path) -> Released:
    """Missing cells beside cells that say NA."""
    regions = whole.table["region"].to_list()
    marked = [None if place < 30 else "NA" if place < 60 else cell for place, cell in enumerate(regions)]
    return changed(whole, pl.Series("region", marked, dtype=pl.String))


def a_label_beside_the_truth(whole: Released, _: Path) -> Released:
    """A range of ages that nobody has."""
    return with_original(first_cell("age", lambda label: "[7, 9]", whole))


def labels_of_two_rows_exchanged(whole: Released, _: Path) -> Released:
    """Every class keeps its size, but two rows carry each other's labels."""
    table = whole.table
    ages = table["age"].to_list()
    other = next(row for row, label in enumerate(ages) if _apart(label, ages[0]))
    order = list(range(len(table)))
    order[0], order[other] = other, 0
    exchanged = [table[name][order].alias(name) for name in ROLES["quasi_identifiers"]]
    return changed(whole, *exchanged, beside=True)


def _apart(first: str, second: str) -> bool:
    """Whether two ranges have nothing in common."""
    (low, high), (other_low, other_high) = ([int(end) for end in one[1:-1].split(", ")] for one in (first, second))
    return high < other_low or other_high < low


DEFECTS: dict[Defect, tuple[str, str]] = {
    two_spellings_of_a_range: ("interval_spellings", "'age' spells 1 value in several ways"),
    a_range_in_another_notation: ("interval_spellings", "'age' spells 1 value in several ways"),
    blanks_behind_a_label: ("label_variants", "'region' has 1 label in several variants"),
    labels_in_two_cases: ("label_variants", "'region' has 1 label in several variants"),
    a_cyrillic_letter: ("label_variants", "'work' has 1 label in several variants"),
    a_private_fact_in_two_cases: ("label_variants", "'disease' has 1 label in several variants"),
    an_invisible_mark: ("invisible_characters", "'disease' holds invisible characters in 9 rows"),
    a_broken_range: ("malformed_labels", "'age' has 2 rows with a range that cannot be read"),
    a_range_that_ends_before_it_begins: ("malformed_labels", "'age' has 2 rows with a range that cannot be read"),
    a_label_that_no_tree_has: ("malformed_labels", "'work' has 2 rows with a label that is not in its hierarchy"),
    two_spellings_of_missing: (
        "missing_marks",
        "'region' has 30 cells of text that seem to mean missing, beside",
    ),
    a_label_beside_the_truth: ("values_outside", "'age' shows labels that do not hold the original values"),
    labels_of_two_rows_exchanged: ("values_outside", "do not hold the original values in at least 2 rows"),
}
