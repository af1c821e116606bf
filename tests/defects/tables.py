# SPDX-License-Identifier: Apache-2.0
"""Defects of the table itself, whatever its format: every public function here is one."""

from __future__ import annotations

import base64
import codecs
import hashlib
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from tests.defects.cases import QUASI_IDENTIFIERS, Case

Change = Callable[[Any], Any]


def _relabelled(case: Case, name: str, change: Change) -> Case:
    """One row shows its label in another way, in a class that then has fewer than k rows."""
    cells = case.table[name].to_list()
    sizes = case.table.select(pl.len().over(QUASI_IDENTIFIERS)).to_series().to_numpy()
    can = [row for row, cell in enumerate(cells) if cell not in (None, "*") and change(cell) != cell]
    row = min(can, key=lambda row: sizes[row])
    cells[row] = change(cells[row])
    return case.showing(pl.Series(name, cells, dtype=pl.String))


def _column(case: Case, cells: list[Any]) -> Case:
    return case.showing(pl.Series(str(case.random.choice(["ref", "note", "code_2", "extra"])), cells))


def _names(case: Case, change: Change) -> Case:
    """The names in disguise."""
    return _column(case, [change(name) for name in case.behind["name"]])


def _hashed(case: Case, kind: str, before: str = "") -> Case:
    return _names(case, lambda name: hashlib.new(kind, (before + name).encode()).hexdigest())


# -- too few look-alikes ---------------------------------------------------------------------------------------------


def a_row_is_lost(case: Case) -> Case:
    """A smallest class has k - 1 rows."""
    sizes = case.table.select(pl.len().over(QUASI_IDENTIFIERS)).to_series()
    rows = [row for row in range(len(sizes)) if row != sizes.arg_min()]
    smaller = case.in_order(rows)
    return smaller if sizes.min() == case.plan.k else smaller.in_order(_without_class(smaller))


def _without_class(case: Case) -> list[int]:
    """All rows but those of the first class beyond one."""
    first = case.table.select(QUASI_IDENTIFIERS).row(0)
    rows = [row for row, shown in enumerate(case.table.select(QUASI_IDENTIFIERS).rows()) if shown == first]
    return [row for row in range(len(case.table)) if row not in rows[1:]]


def a_row_twice(case: Case) -> Case:
    """A row more than the original has, so that a class seems larger."""
    return case.in_order([*range(len(case.table)), int(case.random.integers(len(case.table)))])


def a_row_in_place_of_another(case: Case) -> Case:
    """A look-alike is gone, and another stands there twice: one person fewer than rows."""
    shown, facts = case.table.select(QUASI_IDENTIFIERS).rows(), case.table.drop(QUASI_IDENTIFIERS).rows()
    one, other = next(
        (one, other)
        for one in range(len(shown))
        for other in range(one)
        if shown[one] == shown[other] and facts[one] != facts[other]
    )
    return case.in_order([other if row == one else row for row in range(len(shown))])


def a_label_with_a_blank_behind(case: Case) -> Case:
    """'North '."""
    return _relabelled(case, "region", lambda cell: f"{cell} ")


def a_label_with_a_tab_before(case: Case) -> Case:
    """A tab, which many readers cut off."""
    return _relabelled(case, "region", lambda cell: f"\t{cell}")


def a_label_with_a_hard_blank(case: Case) -> Case:
    """A no-break space behind a label."""
    return _relabelled(case, "region", lambda cell: f"{cell}\u00a0")


def a_label_with_nothing_to_see(case: Case) -> Case:
    """A zero-width joiner in a label."""
    return _relabelled(case, "region", lambda cell: f"{cell[:1]}\u200d{cell[1:]}")


def a_label_in_capitals(case: Case) -> Case:
    """'NORTH'."""
    return _relabelled(case, "region", str.upper)


def a_label_with_a_foreign_letter(case: Case) -> Case:
    """A Cyrillic or Greek letter that looks the same."""
    return _relabelled(case, "region", lambda cell: cell.replace("o", "\u043e").replace("E", "\u0395"))


def a_range_without_its_blank(case: Case) -> Case:
    """[20,29]."""
    return _relabelled(case, "age", lambda cell: cell.replace(", ", ","))


def a_range_with_fractions(case: Case) -> Case:
    """[20.0, 29]."""
    return _relabelled(case, "age", lambda cell: cell.replace(",", ".0,", 1))


def a_label_is_missing(case: Case) -> Case:
    """An empty cell instead of a label."""
    return _relabelled(case, "region", lambda cell: None)


def a_label_that_says_missing(case: Case) -> Case:
    """n/a instead of a label."""
    return _relabelled(case, "region", lambda cell: "n/a")


# -- identifiers -----------------------------------------------------------------------------------------------------


def names_left_in(case: Case) -> Case:
    """Under their own name."""
    return case.showing(case.behind["name"])


def names_under_another_name(case: Case) -> Case:
    """As they are."""
    return _names(case, lambda name: name)


def names_in_capitals(case: Case) -> Case:
    """As a registry would write them."""
    return _names(case, str.upper)


def names_within_a_sentence(case: Case) -> Case:
    """Inside longer text."""
    return _names(case, lambda name: f"seen on Monday; {name}; next visit open")


def names_reversed(case: Case) -> Case:
    """Last letter first."""
    return _names(case, lambda name: name[::-1])


def names_in_base64(case: Case) -> Case:
    """Encoded, not hidden."""
    return _names(case, lambda name: base64.b64encode(name.encode()).decode())


def names_as_md5(case: Case) -> Case:
    """A common hash."""
    return _hashed(case, "md5")


def names_as_sha512(case: Case) -> Case:
    """A long hash."""
    return _hashed(case, "sha512")


def names_as_sha3(case: Case) -> Case:
    """A newer hash."""
    return _hashed(case, "sha3_256")


def names_as_blake2(case: Case) -> Case:
    """A hash that few think of."""
    return _hashed(case, "blake2b")


def names_hashed_with_salt(case: Case) -> Case:
    """The same salt for all."""
    return _hashed(case, "sha256", before="pepper-2026-")


def names_hashed_and_cut(case: Case) -> Case:
    """The first twelve digits, in capitals."""
    return _names(case, lambda name: hashlib.sha1(name.encode()).hexdigest()[:12].upper())


def names_hashed_in_base64(case: Case) -> Case:
    """A digest in sixty-four letters."""
    return _names(case, lambda name: base64.b64encode(hashlib.sha256(name.encode()).digest()).decode())


def numbers_of_names_on_another_scale(case: Case) -> Case:
    """Abel 31337 as 32.84."""
    return _names(case, lambda name: round(float(name.split()[1]) / 1000 + 1.5, 3))


def numbers_of_names_turned_round(case: Case) -> Case:
    """The largest first."""
    return _names(case, lambda name: 1_000_000 - 3 * int(name.split()[1]))


def numbers_of_names_turned_over(case: Case) -> Case:
    """Bit by bit, with a constant."""
    return _names(case, lambda name: int(name.split()[1]) ^ 0x5A5A)


def names_in_another_alphabet(case: Case) -> Case:
    """Letter for letter, as children write."""
    return _names(case, lambda name: codecs.encode(name, "rot13"))


def surnames_alone(case: Case) -> Case:
    """One word of the identifier."""
    return _names(case, lambda name: name.split()[0])


def numbers_of_names_squared(case: Case) -> Case:
    """A form that keeps their order."""
    return _names(case, lambda name: int(name.split()[1]) ** 2)


def names_as_signed_numbers(case: Case) -> Case:
    """A digest of 32 bits, as many languages make it."""
    return _names(
        case, lambda name: int.from_bytes(hashlib.md5(b"key" + name.encode()).digest()[:4], "big", signed=True)
    )


def numbers_of_names_behind_the_point(case: Case) -> Case:
    """A dose of 5.00031337."""
    cells = [
        dose + int(name.split()[1]) / 1e8 for dose, name in zip(case.table["dose"], case.behind["name"], strict=True)
    ]
    return case.showing(pl.Series("dose", cells))


def names_in_a_private_column(case: Case) -> Case:
    """Behind the disease."""
    cells = [f"{disease} ({name})" for disease, name in zip(case.table["disease"], case.behind["name"], strict=True)]
    return case.showing(pl.Series("disease", cells))


# -- numbers of rows -------------------------------------------------------------------------------------------------


def source_rows_in_steps(case: Case) -> Case:
    """1000, 1007, 1014, ..."""
    return _column(case, (case.release.rows * 7 + 1000).tolist())


def source_rows_in_hexadecimal(case: Case) -> Case:
    """In disguise."""
    return _column(case, [f"{row + 4096:x}" for row in case.release.rows])


def class_numbers(case: Case) -> Case:
    """The class of each row."""
    return _column(case, case.release.classes[case.release.rows].tolist())


def keys_of_random_letters(case: Case) -> Case:
    """A token that is different in every row."""
    drawn = case.random.choice(list("ABCDEFGHJKLMNPQRSTUVWXYZ23456789"), (len(case.table), 10))
    return _column(case, ["".join(letters) for letters in drawn])


def keys_like_uuids(case: Case) -> Case:
    """A UUID in every row."""
    keys = [case.random.bytes(16).hex() for _ in range(len(case.table))]
    return _column(case, [f"{key[:8]}-{key[8:12]}-4{key[13:16]}-a{key[17:20]}-{key[20:]}" for key in keys])


def e_mail_addresses(case: Case) -> Case:
    """Of everybody."""
    return _column(case, [f"{name.lower().replace(' ', '.')}@example.org" for name in case.behind["name"]])


# -- order -----------------------------------------------------------------------------------------------------------


def _source(case: Case) -> np.ndarray:
    return np.argsort(case.release.rows, kind="stable")


def rows_as_in_the_source(case: Case) -> Case:
    """The order of the original."""
    return case.in_order(_source(case))


def rows_reversed(case: Case) -> Case:
    """The order of the original, last first."""
    return case.in_order(_source(case)[::-1])


def rows_rotated(case: Case) -> Case:
    """The order of the original, begun somewhere else."""
    return case.in_order(np.roll(_source(case), int(case.random.integers(20, 150))))


def rows_with_neighbours_exchanged(case: Case) -> Case:
    """The order of the original, each pair turned around."""
    order = _source(case)
    pairs = np.arange(len(order)) ^ 1
    return case.in_order(order[np.minimum(pairs, len(order) - 1)][: len(order) // 2 * 2])


def rows_sorted_by_the_true_age(case: Case) -> Case:
    """The order tells more than the range."""
    return case.in_order(np.argsort(case.behind["age"].to_numpy(), kind="stable"))


def rows_sorted_by_name(case: Case) -> Case:
    """The order of an identifier that is not published."""
    return case.in_order(case.behind["name"].arg_sort().to_numpy())


def rows_sorted_by_the_number_of_names(case: Case) -> Case:
    """The order of a part of an identifier."""
    return case.in_order(np.argsort([int(name.split()[1]) for name in case.behind["name"]]))


def rows_sorted_by_a_digest_of_names(case: Case) -> Case:
    """A shuffle that everybody can repeat who has the names."""
    return case.in_order(np.argsort([hashlib.md5(name.encode()).hexdigest() for name in case.behind["name"]]))


def rows_sorted_by_a_checksum_of_names(case: Case) -> Case:
    """The same with a checksum."""
    return case.in_order(np.argsort([zlib.crc32(name.encode()) for name in case.behind["name"]]))


def rows_sorted_by_the_end_of_names(case: Case) -> Case:
    """The last letter first."""
    return case.in_order(np.argsort([name[::-1] for name in case.behind["name"]]))


def rows_as_in_the_source_within_classes(case: Case) -> Case:
    """Class after class, each in the order of the original."""
    shown = case.table.select(QUASI_IDENTIFIERS).with_columns(pl.Series("row", case.release.rows))
    return case.in_order(shown.select(pl.arg_sort_by([*QUASI_IDENTIFIERS, "row"])).to_series().to_numpy())


def rows_sorted_by_disease(case: Case) -> Case:
    """The order of a private fact."""
    return case.in_order(case.table["disease"].arg_sort().to_numpy())


# -- columns ---------------------------------------------------------------------------------------------------------


def true_ages(case: Case) -> Case:
    """The original ages beside their ranges."""
    return _column(case, case.behind["age"].to_list())


def years_of_birth(case: Case) -> Case:
    """The original ages in another form."""
    return _column(case, [2026 - age for age in case.behind["age"]])


def age_groups(case: Case) -> Case:
    """Five years each, beside wider ranges."""
    return _column(case, [f"{age // 5 * 5}-{age // 5 * 5 + 4}" for age in case.behind["age"]])


def days_of_birth(case: Case) -> Case:
    """A quasi-identifier that was forgotten: it makes nearly every row unique."""
    days = case.random.integers(1, 29, len(case.table))
    months = case.random.integers(1, 13, len(case.table))
    cells = [
        f"{2026 - age}-{month:02}-{day:02}" for age, month, day in zip(case.behind["age"], months, days, strict=True)
    ]
    return case.showing(pl.Series("born", cells))


def a_column_twice(case: Case) -> Case:
    """The disease under two names."""
    return _column(case, case.table["disease"].to_list())


def a_column_nobody_planned(case: Case) -> Case:
    """A score that some program added."""
    return _column(replace(case, allowed=()), case.random.integers(0, 3, len(case.table)).tolist())


# -- labels that are not true ----------------------------------------------------------------------------------------


def a_range_beside_the_truth(case: Case) -> Case:
    """Ages that nobody has."""
    wrong = pl.when(pl.col("age") == case.table["age"][0]).then(pl.lit("[3, 7]")).otherwise(pl.col("age"))
    return case.showing(wrong.alias("age"))


def a_range_that_is_broken(case: Case) -> Case:
    """A bracket is gone."""
    return _relabelled(case, "age", lambda cell: cell.rstrip("]"))


def a_label_that_no_tree_has(case: Case) -> Case:
    """All rows of a group show a name that the hierarchy does not know."""
    wrong = pl.when(pl.col("work") == case.table["work"].mode()[0]).then(pl.lit("elsewhere")).otherwise(pl.col("work"))
    return case.showing(wrong.alias("work"))


def an_invisible_mark(case: Case) -> Case:
    """In a private cell of a few rows."""
    cells = [f"{cell}\u2060" if row % 40 == 0 else cell for row, cell in enumerate(case.table["disease"])]
    return case.showing(pl.Series("disease", cells))


def a_private_value_with_a_stop(case: Case) -> Case:
    """'flu' and 'flu.' look like two diseases."""
    cells = [f"{cell}." if row % 2 else cell for row, cell in enumerate(case.table["disease"])]
    return case.showing(pl.Series("disease", cells))


def a_private_value_in_two_spellings(case: Case) -> Case:
    """'flu' and 'FLU' look like two diseases."""
    cells = [cell.upper() if row % 2 else cell for row, cell in enumerate(case.table["disease"])]
    return case.showing(pl.Series("disease", cells))
