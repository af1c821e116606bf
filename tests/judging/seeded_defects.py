# SPDX-License-Identifier: Apache-2.0
"""A good release, and every way in which the tests damage one.

Each defect is one function from the good release to a damaged one. Its name says what was done; :data:`DEFECTS` says
under which name the checker must report it and what its message must say.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import shoal

K = 5
ROWS = 240
REGIONS = {f"{region}{town}": region for region in "ABC" for town in "12345678"}
DISEASES = ["asthma", "cold", "flu", "gout", "ulcer"]
TREE = [["clerk", "office", "*"], ["boss", "office", "*"], ["cook", "craft", "*"], ["smith", "craft", "*"]]


@cache
def people() -> pl.DataFrame:
    """The private table: an identifier, four quasi-identifiers, two private facts, a harmless column."""
    random = np.random.default_rng(20)
    ages = random.integers(18, 90, ROWS)
    return pl.DataFrame(
        {
            "name": [f"person {number * 7919 % 10007}" for number in range(ROWS)],
            "age": ages,
            "sex": random.choice(["f", "m"], ROWS),
            "work": random.choice([row[0] for row in TREE], ROWS),
            "region": random.choice(list("ABC"), ROWS),
            "disease": random.choice(DISEASES, ROWS),
            "pulse": np.round(random.normal(70, 8, ROWS), 2),
            "visits": random.integers(0, 4, ROWS),
        }
    )


ROLES: dict[str, Any] = {
    "insensitive": ["visits"],
    "quasi_identifiers": ["age", "sex", "work", "region"],
    "sensitive": ["disease", "pulse"],
    "identifiers": ["name"],
}


@dataclass(frozen=True)
class Released:
    """What is handed to the checker."""

    table: pl.DataFrame
    plan: shoal.Plan
    original: pl.DataFrame | None = None
    path: Path | None = None
    """The file to read instead of the table."""
    folder: Path | None = None
    """The release folder to judge instead."""


@cache
def release(method: str = "mondrian") -> shoal.Release:
    """A good release of the private table."""
    return shoal.anonymize(people(), k=K, method=method, hierarchies={"work": TREE}, **ROLES)


def good(method: str = "mondrian") -> Released:
    """The good release as the checker meets it."""
    made = release(method)
    return Released(made.table, made.plan)


def with_original(whole: Released) -> Released:
    """The same, with the private table beside it."""
    return replace(whole, original=people())


def _changed(whole: Released, *columns: pl.Expr | pl.Series, beside: bool = False) -> Released:
    damaged = replace(whole, table=whole.table.with_columns(*columns))
    return with_original(damaged) if beside else damaged


def _rows(order: list[int] | np.ndarray, whole: Released) -> Released:
    return replace(whole, table=whole.table[np.asarray(order)])


def _first_cell(name: str, change: Callable[[str], str | None], whole: Released, rows: int = 1) -> Released:
    """Change the cells of a column in the first rows that have one label, the first that the change would change."""
    cells = whole.table[name].to_list()
    label, left = next(cell for cell in cells if cell != "*" and change(cell) != cell), rows
    for place, cell in enumerate(cells):
        if cell == label and left:
            cells[place], left = change(cell), left - 1
    return replace(whole, table=whole.table.with_columns(pl.Series(name, cells, dtype=pl.String)))


def _source(whole: Released) -> list[int]:
    """Released rows in the order of the source."""
    return np.argsort(release().rows, kind="stable").tolist()


def _original_cells(name: str) -> list[Any]:
    """The private cells of the released rows."""
    return people()[name][release().rows].to_list()


# -- models and identifiers --------------------------------------------------------------------------------------


def a_class_of_k_minus_1(whole: Released, _: Path) -> Released:
    """One row of a smallest class is lost."""
    shown = whole.table.select(ROLES["quasi_identifiers"])
    sizes = shown.select(pl.len().over(shown.columns)).to_series()
    victim = int(sizes.arg_min())
    return _rows([row for row in range(len(shown)) if row != victim], whole)


def a_row_that_is_unique_by_a_missing_cell(whole: Released, _: Path) -> Released:
    """One label is blanked; tools that drop such rows see nothing."""
    return _first_cell("region", lambda label: None, whole)


def an_identifier_left_in(whole: Released, _: Path) -> Released:
    """The name is published."""
    return _changed(whole, pl.Series("name", _original_cells("name")))


def an_identifier_under_another_name(whole: Released, _: Path) -> Released:
    """The name is published as ``ref``."""
    return _changed(whole, pl.Series("ref", _original_cells("name")), beside=True)


def an_identifier_hashed(whole: Released, _: Path) -> Released:
    """The SHA-256 of the name is published."""
    digests = [hashlib.sha256(name.encode()).hexdigest() for name in _original_cells("name")]
    return _changed(whole, pl.Series("pseudonym", digests), beside=True)


def exact_ages_beside_the_ranges(whole: Released, _: Path) -> Released:
    """The original age is published as ``a2``."""
    return _changed(whole, pl.Series("a2", _original_cells("age")), beside=True)


# -- row numbers and columns that point to persons ---------------------------------------------------------------


def an_index_from_0(whole: Released, _: Path) -> Released:
    """A row number is added."""
    return _changed(whole, pl.int_range(0, pl.len()).alias("n"))


def an_index_from_1_shuffled_as_text(whole: Released, _: Path) -> Released:
    """The number of the source row is added, as text."""
    return _changed(whole, pl.Series("n", [str(row + 1) for row in release().rows]))


def an_index_that_begins_elsewhere(whole: Released, _: Path) -> Released:
    """Numbers from 1000 on."""
    return _changed(whole, pl.Series("n", release().rows + 1000))


def an_index_behind_a_prefix(whole: Released, _: Path) -> Released:
    """P0000, P0001, ..."""
    return _changed(whole, pl.Series("n", [f"P{row:04}" for row in release().rows]))


def an_index_of_pandas_with_gaps(whole: Released, _: Path) -> Released:
    """``Unnamed: 0`` of a table from which rows were filtered."""
    return _changed(whole, pl.Series("Unnamed: 0", release().rows * 2 + release().rows // 9))


def a_code_for_every_row(whole: Released, _: Path) -> Released:
    """A case number that is different in every row."""
    return _changed(whole, pl.Series("case", [f"{row * 7919 % 10007}-{row % 7}" for row in release().rows]))


def a_code_for_nearly_every_row(whole: Released, _: Path) -> Released:
    """A case number that a few rows share."""
    return _changed(whole, pl.Series("case", [f"{row % 230 * 7919 % 10007}-{row % 230}" for row in release().rows]))


def surnames(whole: Released, _: Path) -> Released:
    """Surnames that repeat."""
    return _changed(whole, pl.Series("Surname", [f"family {row % 19 * 7919 % 10007}" for row in release().rows]))


def email_addresses(whole: Released, _: Path) -> Released:
    """An e-mail address for some."""
    mails = [f"p{row % 50}@example.org" if row % 3 else None for row in release().rows]
    return _changed(whole, pl.Series("contact", mails))


def an_email_address_in_a_private_text(whole: Released, _: Path) -> Released:
    """A single address inside a sentence."""
    return _first_cell("disease", lambda cell: f"{cell}, ask anna@example.org", whole)


def telephone_numbers(whole: Released, _: Path) -> Released:
    """Telephone numbers, of which some repeat."""
    return _changed(whole, pl.Series("contact", [f"+44 1632 96{row % 180 * 37 % 10000:04}" for row in release().rows]))


# -- order -------------------------------------------------------------------------------------------------------


def rows_sorted_by_a_private_fact(whole: Released, _: Path) -> Released:
    """Sorted by disease."""
    return replace(whole, table=whole.table.sort("disease", maintain_order=True))


def rows_sorted_downwards(whole: Released, _: Path) -> Released:
    """Sorted by visits, most first."""
    return replace(whole, table=whole.table.sort("visits", descending=True, maintain_order=True))


def rows_in_the_order_of_the_source(whole: Released, _: Path) -> Released:
    """The order of the private table."""
    return with_original(_rows(_source(whole), whole))


def rows_in_the_reverse_order_of_the_source(whole: Released, _: Path) -> Released:
    """The order of the private table, last first."""
    return with_original(_rows(_source(whole)[::-1], whole))


def rows_in_the_order_of_the_source_with_gaps(whole: Released, _: Path) -> Released:
    """The order of the private table, every tenth row left out."""
    return with_original(_rows([row for place, row in enumerate(_source(whole)) if place % 10], whole))


# -- labels ------------------------------------------------------------------------------------------------------


def two_spellings_of_a_range(whole: Released, _: Path) -> Released:
    """[35, 39] and [35,39]."""
    return _first_cell("age", lambda label: label.replace(", ", ","), whole, 2)


def a_range_in_another_notation(whole: Released, _: Path) -> Released:
    """[35, 39] and [35, 40[."""
    return _first_cell("age", lambda label: f"{label.split(',')[0]}, {int(label.split(',')[1][:-1]) + 1}[", whole, 2)


def blanks_behind_a_label(whole: Released, _: Path) -> Released:
    """'A' and 'A '."""
    return _first_cell("region", lambda label: label + " ", whole, 2)


def labels_in_two_cases(whole: Released, _: Path) -> Released:
    """'A' and 'a'."""
    return _first_cell("region", str.lower, whole, 2)


def a_cyrillic_letter(whole: Released, _: Path) -> Released:
    """'craft' with a Latin c, and with the Cyrillic letter that looks like it."""
    return _first_cell("work", lambda label: label.replace("c", "с"), whole, 2)


def a_private_fact_in_two_cases(whole: Released, _: Path) -> Released:
    """'flu' and 'Flu' count as two diseases."""
    return _first_cell("disease", str.title, whole, 4)


def an_invisible_mark(whole: Released, _: Path) -> Released:
    """A zero-width space behind the diseases of some rows."""
    return _first_cell("disease", lambda cell: cell + "\u200b", whole, 9)


def a_broken_range(whole: Released, _: Path) -> Released:
    """[35, 39 without its bracket."""
    return _first_cell("age", lambda label: label[:-1], whole, 2)


def a_range_that_ends_before_it_begins(whole: Released, _: Path) -> Released:
    """[39, 35] instead of [35, 39]."""
    return _first_cell("age", lambda label: f"[{label.split(', ')[1][:-1]}, {label.split(',')[0][1:]}]", whole, 2)


def two_spellings_of_missing(whole: Released, _: Path) -> Released:
    """Missing cells beside cells that say NA."""
    regions = whole.table["region"].to_list()
    marked = [None if place < 30 else "NA" if place < 60 else cell for place, cell in enumerate(regions)]
    return _changed(whole, pl.Series("region", marked, dtype=pl.String))


def a_label_beside_the_truth(whole: Released, _: Path) -> Released:
    """A range of ages that nobody has."""
    return with_original(_first_cell("age", lambda label: "[7, 9]", whole))


def labels_of_two_rows_exchanged(whole: Released, _: Path) -> Released:
    """Every class keeps its size, but two rows carry each other's labels."""
    table = whole.table
    ages = table["age"].to_list()
    other = next(row for row, label in enumerate(ages) if _apart(label, ages[0]))
    order = list(range(len(table)))
    order[0], order[other] = other, 0
    exchanged = [table[name][order].alias(name) for name in ROLES["quasi_identifiers"]]
    return _changed(whole, *exchanged, beside=True)


def _apart(first: str, second: str) -> bool:
    """Whether two ranges have nothing in common."""
    (low, high), (other_low, other_high) = ([int(end) for end in one[1:-1].split(", ")] for one in (first, second))
    return high < other_low or other_high < low


# -- columns -----------------------------------------------------------------------------------------------------


def a_disease_that_one_person_has(whole: Released, _: Path) -> Released:
    """A private value that occurs once."""
    return _first_cell("disease", lambda cell: "a rare one", whole)


def a_town_beside_its_region(whole: Released, _: Path) -> Released:
    """Towns, whose region is published as it is."""
    random = np.random.default_rng(3)
    towns = [f"{region}{random.integers(1, 9)}" for region in _original_cells("region")]
    return _changed(whole, pl.Series("town", towns))


def a_year_of_birth_beside_a_range_of_ages(whole: Released, _: Path) -> Released:
    """The exact age in another form; every range holds it."""
    return _changed(whole, pl.Series("born", [2020 - age for age in _original_cells("age")]))


def a_class_number(whole: Released, _: Path) -> Released:
    """The number of the cluster of each row."""
    return _changed(whole, pl.Series("cluster", release().classes[release().rows]))


def a_column_twice(whole: Released, _: Path) -> Released:
    """A private fact under two names."""
    return _changed(whole, pl.col("disease").alias("diagnosis"))


def a_column_nobody_planned(whole: Released, _: Path) -> Released:
    """A score that some program added."""
    return _changed(whole, pl.Series("score", np.random.default_rng(1).integers(0, 3, ROWS)), beside=True)


def objects_as_text(whole: Released, _: Path) -> Released:
    """A column of JSON objects, each with the name of a person."""
    cells = [f'{{"name": "anna {number % 60}", "calls": [1, 2, 3]}}' for number in range(len(whole.table))]
    return _changed(whole, pl.Series("more", cells))


def elements_as_text(whole: Released, _: Path) -> Released:
    """The same as XML."""
    cells = [f"<person><name>anna {number % 60}</name></person>" for number in range(len(whole.table))]
    return _changed(whole, pl.Series("more", cells))


# -- files -------------------------------------------------------------------------------------------------------


def a_byte_order_mark(whole: Released, place: Path) -> Released:
    """A CSV file as spreadsheets write it."""
    path = place / "table.csv"
    path.write_bytes(b"\xef\xbb\xbf" + whole.table.write_csv().encode())
    return replace(whole, path=path)


def blanks_around_some_fields(whole: Released, place: Path) -> Released:
    """A CSV file in which every seventh line has a blank before its last field, which is no quasi-identifier."""
    path = place / "table.csv"
    lines = whole.table.write_csv().splitlines()
    marked = [", ".join(line.rsplit(",", 1)) if number % 7 == 1 else line for number, line in enumerate(lines)]
    path.write_text("\n".join(marked) + "\n")
    return replace(whole, path=path)


def two_spellings_of_a_number(whole: Released, _: Path) -> Released:
    """Whole pulses with and without a point, as text."""
    pulse = whole.table["pulse"].round(0).cast(pl.Int64).cast(pl.String)
    odd = pl.Series(np.arange(len(pulse)) % 2 == 1)
    return _changed(whole, (pulse + ".0").zip_with(odd, pulse).alias("pulse"))


def notes_in_the_file(whole: Released, place: Path) -> Released:
    """A Parquet file with a note of where it came from."""
    path = place / "table.parquet"
    whole.table.write_parquet(path, metadata={"source": "a folder"})
    return replace(whole, path=path)


def a_hidden_sheet(whole: Released, place: Path) -> Released:
    """A workbook with a second sheet that nobody sees."""
    import xlsxwriter

    path = place / "table.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("table")
        for column, name in enumerate(whole.table.columns):
            sheet.write_column(0, column, [name, *whole.table[name].to_list()])
        book.add_worksheet("original").hide()
    return replace(whole, path=path)


def an_author_of_the_workbook(whole: Released, place: Path) -> Released:
    """A workbook that tells who made it."""
    path = a_hidden_sheet(whole, place).path
    import xlsxwriter

    assert path is not None
    with xlsxwriter.Workbook(path) as book:
        book.set_properties({"author": "Anna"})
        sheet = book.add_worksheet("table")
        for column, name in enumerate(whole.table.columns):
            sheet.write_column(0, column, [name, *whole.table[name].to_list()])
    return replace(whole, path=path)


def a_category_of_a_row_left_out(whole: Released, place: Path) -> Released:
    """A type that lists a value which no row has any more."""
    diseases = [*whole.table["disease"].unique().sort(), "rare"]
    return replace(whole, table=whole.table.cast({"disease": pl.Enum(diseases)}))


def a_name_that_is_a_date_of_birth(whole: Released, place: Path) -> Released:
    """A column that is called by a cell."""
    return replace(whole, table=whole.table.with_columns((pl.col("visits") * 3).alias("1984-02-29")))


def a_workbook_of_an_old_form(whole: Released, place: Path) -> Released:
    """A file whose container nobody looks into."""
    path = a_hidden_sheet(whole, place).path
    assert path is not None
    return replace(whole, path=path.rename(path.with_suffix(".xls")))


def a_row_added_after_the_release(whole: Released, place: Path) -> Released:
    """The table of a release folder is edited."""
    path = release().save(place / "release", format="delimited") / "table.csv"
    path.write_text(path.read_text() + path.read_text().splitlines()[-1] + "\n")
    return replace(whole, folder=path.parent)


def a_report_that_is_gone(whole: Released, place: Path) -> Released:
    """A file of a release folder is deleted."""
    folder = release().save(place / "release")
    (folder / "report.html").unlink()
    return replace(whole, folder=folder)


Defect = Callable[[Released, Path], Released]

#: What was done -> the name under which the checker reports it, and words of its message.
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
    two_spellings_of_a_range: ("interval_spellings", "'age' spells 1 value in several ways"),
    a_range_in_another_notation: ("interval_spellings", "'age' spells 1 value in several ways"),
    blanks_behind_a_label: ("label_variants", "'region' has 1 labels in several variants"),
    labels_in_two_cases: ("label_variants", "'region' has 1 labels in several variants"),
    a_cyrillic_letter: ("label_variants", "'work' has 1 labels in several variants"),
    a_private_fact_in_two_cases: ("label_variants", "'disease' has 1 labels in several variants"),
    an_invisible_mark: ("invisible_characters", "'disease' holds invisible characters in 9 rows"),
    a_broken_range: ("malformed_labels", "'age' has 2 rows with a range that cannot be read"),
    a_range_that_ends_before_it_begins: ("malformed_labels", "'age' has 2 rows with a range that cannot be read"),
    two_spellings_of_missing: (
        "missing_marks",
        "'region' has 30 cells of text that seem to mean missing, beside",
    ),
    a_label_beside_the_truth: ("values_outside", "'age' shows labels that do not hold the original values"),
    labels_of_two_rows_exchanged: ("values_outside", "do not hold the original values in at least 2 rows"),
    a_disease_that_one_person_has: ("singular_values", "1 values of the sensitive column 'disease'"),
    a_town_beside_its_region: ("determining_columns", "'town' tells 'region' more finely"),
    a_year_of_birth_beside_a_range_of_ages: ("determining_columns", "'born' tells 'age' more finely"),
    a_class_number: ("class_numbers", "'cluster' tells the class of every row"),
    a_column_twice: ("duplicate_columns", "'disease', 'diagnosis' hold the same cells"),
    a_column_nobody_planned: ("unexpected_columns", "'score' is not in the original"),
    a_byte_order_mark: ("file_marks", "begins with a byte-order mark"),
    blanks_around_some_fields: ("byte_variants", "'visits' has 35 cells that are written in another way"),
    two_spellings_of_a_number: (
        "label_variants",
        "look-alike letters or digits, which makes classes look more diverse",
    ),
    objects_as_text: ("nested_text", "'more' holds several values per cell"),
    elements_as_text: ("nested_text", "'more' holds several values per cell"),
    notes_in_the_file: ("file_marks", "carries 1 notes"),
    a_hidden_sheet: ("container_extras", "holds 1 other sheet, 1 of them hidden"),
    an_author_of_the_workbook: ("container_notes", "tells in its properties: creator"),
    a_category_of_a_row_left_out: ("unseen_values", "the type of column 'disease' lists 1 value that no cell shows"),
    a_name_that_is_a_date_of_birth: ("header_cells", "looks like data, not like a name"),
    a_workbook_of_an_old_form: ("unopened_files", "is a workbook of a form that is not looked into"),
    a_row_added_after_the_release: ("release folder", "table.csv is not the file that was released"),
    a_report_that_is_gone: ("release folder", "report.html is missing"),
}
