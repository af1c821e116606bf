# SPDX-License-Identifier: Apache-2.0
"""Persons: too few look-alikes, columns that point to one, and the order of the rows."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import polars as pl

from tests.judging.seeded_defects.good_release import (
    ROLES,
    Defect,
    K,
    Released,
    changed,
    chosen_rows,
    first_cell,
    original_cells,
    release,
    source_order,
    with_original,
)

# -- models and identifiers ------------------------------------------------------------------------------------


def a_class_of_k_minus_1(whole: Released, _: Path) -> Released:
    """One row of a smallest class is lost."""
    shown = whole.table.select(ROLES["quasi_identifiers"])
    sizes = shown.select(pl.len().over(shown.columns)).to_series()
    victim = int(sizes.arg_min())
    return chosen_rows([row for row in range(len(shown)) if row != victim], whole)


def a_row_that_is_unique_by_a_missing_cell(whole: Released, _: Path) -> Released:
    """One label is blanked; tools that drop such rows see nothing."""
    return first_cell("region", lambda label: None, whole)


def an_identifier_left_in(whole: Released, _: Path) -> Released:
    """The name is published."""
    return changed(whole, pl.Series("name", original_cells("name")))


def an_identifier_under_another_name(whole: Released, _: Path) -> Released:
    """The name is published as ``ref``."""
    return changed(whole, pl.Series("ref", original_cells("name")), beside=True)


def an_identifier_hashed(whole: Released, _: Path) -> Released:
    """The SHA-256 of the name is published."""
    digests = [hashlib.sha256(name.encode()).hexdigest() for name in original_cells("name")]
    return changed(whole, pl.Series("pseudonym", digests), beside=True)


def exact_ages_beside_the_ranges(whole: Released, _: Path) -> Released:
    """The original age is published as ``a2``."""
    return changed(whole, pl.Series("a2", original_cells("age")), beside=True)


# -- row numbers and columns that point to persons -------------------------------------------------------------


def an_index_from_0(whole: Released, _: Path) -> Released:
    """A row number is added."""
    return changed(whole, pl.int_range(0, pl.len()).alias("n"))


def an_index_from_1_shuffled_as_text(whole: Released, _: Path) -> Released:
    """The number of the source row is added, as text."""
    return changed(whole, pl.Series("n", [str(row + 1) for row in release().rows]))


def an_index_that_begins_elsewhere(whole: Released, _: Path) -> Released:
    """Numbers from 1000 on."""
    return changed(whole, pl.Series("n", release().rows + 1000))


def an_index_behind_a_prefix(whole: Released, _: Path) -> Released:
    """P0000, P0001, ..."""
    return changed(whole, pl.Series("n", [f"P{row:04}" for row in release().rows]))


def an_index_of_pandas_with_gaps(whole: Released, _: Path) -> Released:
    """``Unnamed: 0`` of a table from which rows were filtered."""
    return changed(whole, pl.Series("Unnamed: 0", release().rows * 2 + release().rows // 9))


def a_code_for_every_row(whole: Released, _: Path) -> Released:
    """A case number that is different in every row."""
    return changed(whole, pl.Series("case", [f"{row * 7919 % 10007}-{row % 7}" for row in release().rows]))


def a_code_for_nearly_every_row(whole: Released, _: Path) -> Released:
    """A case number that a few rows share."""
    return changed(whole, pl.Series("case", [f"{row % 230 * 7919 % 10007}-{row % 230}" for row in release().rows]))


def surnames(whole: Released, _: Path) -> Released:
    """Surnames that repeat."""
    return changed(whole, pl.Series("Surname", [f"family {row % 19 * 7919 % 10007}" for row in release().rows]))


def email_addresses(whole: Released, _: Path) -> Released:
    """An e-mail address for some."""
    mails = [f"p{row % 50}@example.org" if row % 3 else None for row in release().rows]
    return changed(whole, pl.Series("contact", mails))


def an_email_address_in_a_private_text(whole: Released, _: Path) -> Released:
    """A single address inside a sentence."""
    return first_cell("disease", lambda cell: f"{cell}, ask anna@example.org", whole)


def telephone_numbers(whole: Released, _: Path) -> Released:
    """Telephone numbers, of which some repeat."""
    return changed(whole, pl.Series("contact", [f"+44 1632 96{row % 180 * 37 % 10000:04}" for row in release().rows]))


# -- order -----------------------------------------------------------------------------------------------------


def rows_sorted_by_a_private_fact(whole: Released, _: Path) -> Released:
    """Sorted by disease."""
    return replace(whole, table=whole.table.sort("disease", maintain_order=True))


def rows_sorted_downwards(whole: Released, _: Path) -> Released:
    """Sorted by visits, most first."""
    return replace(whole, table=whole.table.sort("visits", descending=True, maintain_order=True))


def rows_in_the_order_of_the_source(whole: Released, _: Path) -> Released:
    """The order of the private table."""
    return with_original(chosen_rows(source_order(whole), whole))


def rows_in_the_reverse_order_of_the_source(whole: Released, _: Path) -> Released:
    """The order of the private table, last first."""
    return with_original(chosen_rows(source_order(whole)[::-1], whole))


def rows_in_the_order_of_the_source_with_gaps(whole: Released, _: Path) -> Released:
    """The order of the private table, every tenth row left out."""
    return with_original(chosen_rows([row for place, row in enumerate(source_order(whole)) if place % 10], whole))


DEFECTS: dict[Defect, tuple[str, str]] = {
    a_class_of_k_minus_1: ("k_anonymity", f"k = {K - 1}, but {K} was claimed"),
    a_row_that_is_unique_by_a_missing_cell: ("k_anonymity", "k = 1, but"),
    an_identifier_left_in: ("identifiers", "identifier left in: 'name'"),
    an_identifier_under_another_name: ("renamed_identifiers", "'ref' holds the values of the identifier 'name'"),
    an_identifier_hashed: ("renamed_identifiers", "'pseudonym' holds the SHA-256"),
    exact_ages_beside_the_ranges: ("original_values", "'a2' shows the original values of the quasi-identifier 'age'"),
    an_index_from_0: ("row_numbers", "'n' numbers the rows"),
    an_index_from_1_shuffled_as_text: ("row_numbers", "'n' numbers the rows"),
    an_index_that_begins_elsewhere: ("row_numbers", "'n' numbers the rows"),
    an_index_behind_a_prefix: ("row_numbers", "'n' numbers the rows"),
    an_index_of_pandas_with_gaps: ("row_numbers", "'Unnamed: 0' has the name of an index"),
    a_code_for_every_row: ("identifying_columns", "'case' is different in every row"),
    a_code_for_nearly_every_row: ("identifying_columns", "'case' is different in nearly every row"),
    surnames: ("identifying_names", "'Surname' is called like an identifier"),
    email_addresses: ("personal_shapes", "'contact' holds e-mail addresses"),
    an_email_address_in_a_private_text: ("personal_shapes", "'disease' holds e-mail addresses in 1 of"),
    telephone_numbers: ("personal_shapes", "telephone numbers"),
    rows_sorted_by_a_private_fact: ("sorted_rows", "sorted by column 'disease' (sensitive)"),
    rows_sorted_downwards: ("sorted_rows", "sorted by column 'visits' (insensitive)"),
    rows_in_the_order_of_the_source: ("source_order", "in the order of the original"),
    rows_in_the_reverse_order_of_the_source: ("source_order", "in the reverse order of the original"),
    rows_in_the_order_of_the_source_with_gaps: ("source_order", "with 24 left out"),
}
