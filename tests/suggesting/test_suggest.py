# SPDX-License-Identifier: Apache-2.0
"""Suggestions: identifiers are found whatever they are called, reasons are told, plans are complete and private."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import shoal
from shoal.faces.cli.anonymize import command
from shoal.ground.errors import OutputError, PlanError, TableError
from shoal.hierarchies.level_files import read_levels
from shoal.plan.plan import Plan
from shoal.plan.roles import CATEGORICAL, TEXT_PREFIX
from shoal.studies.samples.patients import patient_roles
from shoal.suggesting import shapes, words
from shoal.suggesting.facts import LONGEST, SAMPLE, Uniqueness, measure_columns
from shoal.suggesting.kinds import decide_kind
from shoal.suggesting.looking import look_at
from shoal.suggesting.suggest import suggest
from shoal.tables.frames import as_table
from shoal.tables.reading import Reading


@pytest.fixture(scope="module")
def patients() -> pl.DataFrame:
    """Invented people with names, addresses, dates and notes."""
    return shoal.synthetic_patients(800, seed=5)


def roles(frame: pl.DataFrame) -> dict[str, str]:
    """The suggested role of each column."""
    return {name: one.role for name, one in suggest(frame).columns.items()}


# -- patients ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [60, 800, 20_000])
@pytest.mark.parametrize("names", [True, False], ids=["named", "c1, c2, ..."])
def test_every_direct_identifier_is_found(rows: int, names: bool) -> None:
    """Names, e-mails, telephones, dates of birth and free text, in small and large tables, by their cells alone."""
    frame = shoal.synthetic_patients(rows, seed=1)
    new = {name: name if names else f"c{number}" for number, name in enumerate(frame.columns)}
    found = roles(frame.rename(new))
    assert [name for name in patient_roles()["identifiers"] if found[new[name]] != "identifier"] == []


def test_roles_of_patients(patients: pl.DataFrame) -> None:
    """All roles are those that the makers of the table gave."""
    expected = {name: kind for kind, names in patient_roles().items() for name in names}
    given = {"quasi_identifiers": "quasi-identifier", "sensitive": "sensitive", "identifiers": "identifier"}
    assert roles(patients) == {name: given[expected[name]] for name in patients.columns}


def test_kinds_and_trees_of_patients(patients: pl.DataFrame) -> None:
    """Ranges for numbers and dates, beginnings for postcodes, a tree that covers everything for each of the others."""
    found = suggest(patients).columns
    kinds = {name: one.kind for name, one in found.items() if one.kind}
    assert kinds["age"] == "numeric"
    assert kinds["admission_date"] == "date"
    assert kinds["postcode"] == "text-prefix"
    assert kinds["nationality"] == "categorical"
    for name, kind in kinds.items():
        tree = found[name].hierarchy
        labelled = kind in (CATEGORICAL, TEXT_PREFIX) and found[name].role == "quasi-identifier"
        assert (tree is not None) == labelled
        if tree is not None:
            assert set(patients[name].drop_nulls()) == set(tree.leaf_labels)
            assert {len(row) for row in tree.rows()} == {tree.levels}


@pytest.mark.parametrize("kind", ["polars", "pandas", "arrow", "file"])
def test_any_kind_of_table(kind: str, patients: pl.DataFrame, tmp_path: Path) -> None:
    """Frames of three libraries and files give the same roles."""
    patients.write_csv(tmp_path / "patients.csv")
    table = {
        "polars": lambda: patients,
        "pandas": patients.to_pandas,
        "arrow": patients.to_arrow,
        "file": lambda: tmp_path / "patients.csv",
    }[kind]()
    assert {name: one.role for name, one in suggest(table).columns.items()} == roles(patients)


def test_a_plan_that_runs_and_reads_back(patients: pl.DataFrame, tmp_path: Path) -> None:
    """Plan and trees are written beside each other, with the reasons as comments, and run unedited."""
    patients.write_csv(tmp_path / "patients.csv")
    suggestion = suggest(tmp_path / "patients.csv")
    suggestion.save(tmp_path / "plan.toml")
    text = (tmp_path / "plan.toml").read_text(encoding="utf-8")
    assert "# its name speaks of health" in text
    assert set(tomllib.loads(text)["columns"]) == set(patients.columns)
    for file in suggestion.hierarchy_files().values():
        assert read_levels(tmp_path / file).labels[0] == "*"
    release = shoal.anonymize(tmp_path / "patients.csv", plan=Plan.read(tmp_path / "plan.toml"))
    assert release.verdict.holds
    assert release.plan.k == 10


def test_no_cell_in_reasons(patients: pl.DataFrame) -> None:
    """What is said about a column holds none of its cells; the plan is kept beside other papers."""
    told = str(suggest(patients)) + suggest(patients).to_toml()
    for name in ("name", "email", "phone", "note", "postcode", "diagnosis", "nationality"):
        assert not [cell for cell in patients[name].drop_nulls().unique() if cell in told]


def test_the_same_every_time(patients: pl.DataFrame) -> None:
    """Two looks give the same text and the same trees."""
    one, other = suggest(patients), suggest(patients)
    assert one.to_toml() == other.to_toml()
    assert one.columns["nationality"].hierarchy.rows() == other.columns["nationality"].hierarchy.rows()


# -- names ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "topic"),
    [
        ("Geburtsdatum", "a birth date"),
        ("date_of_birth", "a birth date"),
        ("DrivAge", "an age"),
        ("Alter", "an age"),
        ("Código postal", "a postcode"),
        ("PLZ", "a postcode"),
        ("codice_fiscale", "an official number"),
        ("Straße", "an address"),
        ("apellidos", "a person's name"),
        ("Vorname", "a person's name"),
        ("salaire_brut", "income"),
        ("famincome", "income"),
        ("Familienstand", "a family status"),
        ("état-civil", "a family status"),
        ("ziektebeeld", "health"),
        ("zawód", "an occupation"),
        ("płeć", "a sex"),
        ("sesso", "a sex"),
    ],
)
def test_words_of_several_languages(name: str, topic: str) -> None:
    """Names are understood in eight languages, with accents and capitals."""
    assert topic in [one.about for one in words.hear(name).topics]


@pytest.mark.parametrize("name", ["page", "idea", "trace", "sextant", "valid from", "c1", "x", ""])
def test_parts_of_words_say_nothing(name: str) -> None:
    """A word inside another one is another word."""
    assert {one.name for one in words.hear(name).topics} - {"number"} == set()


def test_an_age_at_a_diagnosis_is_an_age() -> None:
    """What a neighbour can count stays a quasi-identifier beside a private word."""
    frame = pl.DataFrame({"age_at_diagnosis": list(range(20, 80)), "diagnosis": ["flu", "cold"] * 30})
    assert roles(frame) == {"age_at_diagnosis": "quasi-identifier", "diagnosis": "sensitive"}


# -- cells ---------------------------------------------------------------------------------------------------


def test_keys_and_quantities_are_told_apart() -> None:
    """Numbers given out once each are keys; numbers that were measured are none, though they hardly repeat."""
    random = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "a": random.permutation(100_000)[:3000],
            "b": random.integers(0, 10**6, 3000),
            "c": random.lognormal(10, 1, 3000),
            "d": [f"X{number:07d}" for number in random.permutation(10**6)[:3000]],
            "e": np.arange(3000) * 7 + 20_000_000_000,
            "f": random.integers(0, 90, 3000),
        }
    )
    found = roles(frame)
    assert [name for name, role in found.items() if role == "identifier"] == ["a", "d", "e"]


def test_keys_of_things_with_several_rows() -> None:
    """A number and a name that stand for the same things are both identifiers; k may count those things."""
    frame = pl.DataFrame(
        {"u": np.repeat(np.arange(80) * 13, 6), "v": np.repeat([f"firm {one}" for one in range(80)], 6)}
    )
    frame = frame.with_columns(
        month=pl.Series(list(range(6)) * 80), sales=pl.Series(np.random.default_rng(0).random(480))
    )
    suggestion = suggest(frame)
    assert [name for name, one in suggestion.columns.items() if one.role == "identifier"] == ["u", "v"]
    assert any("person = 'u'" in note for note in suggestion.notes)


def test_shares_of_missing_cells_are_told() -> None:
    """Of quasi-identifiers from a share on, the largest first; not of private columns, nor of a few cells."""

    def holed(every: int, cells: Sequence[object]) -> list[object]:
        return [None if row % every == 0 else cell for row, cell in enumerate(cells)]

    ages = [20 + row % 60 for row in range(200)]
    frame = pl.DataFrame(
        {
            "age": holed(10, ages),
            "sex": holed(4, ["f", "m"] * 100),
            "nationality": holed(50, ["Peru", "Chile"] * 100),
            "diagnosis": holed(3, ["flu", "asthma", "cancer", "stroke"] * 50),
        }
    )
    (note,) = (one for one in suggest(frame).notes if "missing" in one)
    assert note.startswith("cells are missing in 'sex' (25 %) and 'age' (10 %): missing is a value of its own")
    assert "--missing wildcard" in note
    assert not [one for one in suggest(frame.select("nationality", "diagnosis")).notes if "missing" in one]


@pytest.mark.parametrize(
    ("values", "what"),
    [
        (["A09", "C18.9", "E11", "I10", "J44.0"], "codes of diagnoses"),
        (["breast cancer", "asthma", "influenza", "hepatitis B", "healthy"], "illnesses"),
        (["<=50K", ">50K"], "bands of money"),
        (["0-9999", "10000-19999", "20000+"], "bands of money"),
        (["Sales", "Craft-repair", "Exec-managerial", "Farming-fishing", "Tech-support"], "occupations"),
        (["C12", "C23", "C31", "C85", "D11"], ""),
        (["red", "green", "blue", "black", "white"], ""),
        (["2019-2020", "2020-2021", "2021-2022", "2022-2023"], ""),
        (["0-4", "5-9", "10-14"], ""),
    ],
)
def test_private_values(values: list[str], what: str) -> None:
    """Private facts are seen by their values where the name says nothing."""
    assert shapes.private_values(values) == what


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("zip", ["10115", "80331", "20095", "50667"], "text-prefix"),
        ("zip", ["1011", "80331", "20095"], "numeric"),
        ("c", [f"{number:05d}" for number in range(0, 9000, 31)], "text-prefix"),
        ("c", [f"{one}{two}" for one in "ABC" for two in range(10, 40)], "text-prefix"),
        ("sex", ["1", "2"], "categorical"),
        ("age", ["31", "52"], "numeric"),
        ("area", ["A", "B", "C", "D"], "ordered"),
        ("band", ["00-09", "10-19", "20-29", "90-99"], "ordered"),
        ("band", ["5-9", "10-19", "100-199"], "ordered"),
        ("colour", ["red", "green"], "categorical"),
        ("day", ["2023-01-01", "2023-01-02"], "date"),
    ],
)
def test_kinds(name: str, values: list[str], kind: str, tmp_path: Path) -> None:
    """Quantities, orders, names, dates and codes, from a file that has no types."""
    (tmp_path / "table.csv").write_text("\n".join([f"{name},other", *(f"{value},1" for value in values)]) + "\n")
    facts = measure_columns(as_table(tmp_path / "table.csv"))
    assert decide_kind(facts[name], next(iter(words.hear(name).topics), None))[0] == kind


def test_moments_of_which_nothing_is_said_are_left_out_as_dates() -> None:
    """They are no answers, however many there are; the reason speaks of what they are."""
    patients = shoal.synthetic_patients(300, seed=1)
    moments = [f"2023-{1 + row % 12:02d}-{1 + row % 28:02d} {row % 24:02d}:{row % 60:02d}" for row in range(300)]
    one = shoal.suggest(patients.with_columns(pl.Series("visited_at", moments))).columns["visited_at"]
    assert (one.role, one.sure) == ("drop", False)
    assert "nothing says what its dates are" in one.reasons[0]


def test_marks_for_missing_cells_are_found(tmp_path: Path) -> None:
    """A question mark among numbers means missing, and the plan says so; as a value among names it stays one."""
    rows = [f"{number % 40},{'?' if number == 7 else number % 30},{'?xy'[number % 3]}" for number in range(200)]
    (tmp_path / "table.csv").write_text("\n".join(["x,age,z", *rows]) + "\n")
    suggestion = suggest(tmp_path / "table.csv")
    assert suggestion.plan.reading.na == ("?",)
    assert suggestion.columns["age"].kind == "numeric"
    (tmp_path / "other.csv").write_text(
        "\n".join(["z,w", *(f"{'?xy'[number % 3]},{number % 9}" for number in range(200))])
    )
    assert suggest(tmp_path / "other.csv").plan.reading.na == ()


def test_marks_are_found_beside_those_that_are_named(tmp_path: Path) -> None:
    """Naming one word for missing does not keep the others from being found."""
    rows = [f"{number % 40},{'NA' if number == 7 else number % 30}" for number in range(200)]
    (tmp_path / "table.csv").write_text("\n".join(["x,age", *rows]) + "\n")
    suggestion = suggest(tmp_path / "table.csv", reading=Reading(na=("unknown",)))
    assert suggestion.plan.reading.na == ("unknown", "NA")
    assert suggestion.columns["age"].kind == "numeric"


def test_spellings_and_words_for_missing_are_told() -> None:
    """Values that differ in capitals alone, and words among postcodes, cost look-alikes; the note shows no value."""
    codes = [f"{number % 30:02}{number % 7:03}" for number in range(299)]
    table = pl.DataFrame({"sex": ["m", "f", "M"] * 100, "postcode": [*codes, "unknown"], "age": list(range(60)) * 5})
    notes = suggest(table).notes
    assert [note for note in notes if note.startswith("'sex' has a value in several spellings")]
    assert [note for note in notes if note.startswith("'postcode' seems to hold words for missing")]
    tidy = table.filter(pl.col("sex") != "M", pl.col("postcode") != "unknown")
    assert not [note for note in suggest(tidy).notes if "spellings" in note or "words for missing" in note]


@pytest.mark.parametrize(
    ("values", "role"), [(["5a", "5b", "10 c", "11"], "quasi-identifier"), (["1", "2", "3"], "sensitive")]
)
def test_classes_of_a_school_are_no_classes_to_predict(values: list[str], role: str) -> None:
    """A year with a letter is known to everybody there; a class of an unknown kind is what others predict."""
    table = pl.DataFrame({"Klasse": values * 60, "Alter": [10 + number % 9 for number in range(60 * len(values))]})
    assert suggest(table).columns["Klasse"].role == role


@pytest.mark.parametrize("mark", ["k.A.", "keine Angabe", "not available", "n.d.", "--", "weiß nicht"])
def test_words_for_missing_among_amounts(mark: str, tmp_path: Path) -> None:
    """Amounts with a word for missing are amounts, the plan reads them so, and the word is told."""
    rows = [
        f"{number % 40};{mark if number % 50 == 7 else f'{1 + number % 30}.{100 + number},50'}" for number in range(200)
    ]
    (tmp_path / "table.csv").write_text("\n".join(["age;income", *rows]) + "\n")
    suggestion = suggest(tmp_path / "table.csv")
    assert suggestion.plan.reading.na == (mark,)
    assert suggestion.columns["income"].kind == "numeric"
    assert [note for note in suggestion.notes if f"{mark!r} among numbers and dates is read as missing" in note]


@pytest.mark.parametrize(
    "values",
    [
        ["w", "m", "unbekannt"],
        ["m", "f", "not stated"],
        ["homme", "femme", "inconnu"],
        ["h", "m", "desconocido"],
        ["m", "w", "k. A."],
        ["m", "w", "divers"],
        ["m", "f", "other"],
        ["m", "v", "onbekend"],
    ],
)
@pytest.mark.parametrize("name", ["sex", "Geschlecht"])
def test_a_sex_that_is_unknown_at_times_is_a_sex(name: str, values: list[str]) -> None:
    """A word for missing beside the letters, in any language, does not make it a column about sexual life."""
    frame = pl.DataFrame({name: (values[:2] * 6 + values[2:]) * 20, "age": [20 + row % 50 for row in range(260)]})
    assert roles(frame)[name] == "quasi-identifier"


@pytest.mark.parametrize("last", [28, 6])
def test_dates_that_can_be_read_in_two_ways_are_no_codes(last: int, tmp_path: Path) -> None:
    """What 14.09.23 begins with says nothing: such dates stay names, to be checked, and the note says what to name."""
    days = [f"{1 + row % last:02d}.{1 + row % 12:02d}.23" for row in range(300)]
    path = tmp_path / "stays.csv"
    pl.DataFrame({"admission_date": days, "age": [20 + row % 50 for row in range(300)]}).write_csv(path)
    found = suggest(path)
    column = found.columns["admission_date"]
    assert (column.kind, column.sure) == (CATEGORICAL, False)
    assert "can be read in several ways" in column.reasons[-1]
    assert any("--date-format 'admission_date=dd.mm.yy" in note for note in found.notes)
    assert any(note.endswith("with this plan, say --kind admission_date=date, too") for note in found.notes)
    found.save(tmp_path / "plan.toml")
    asked = ("--kind", "admission_date=date", "--date-format", "admission_date=dd.mm.yy from 1930", "--quiet")
    plan = ("--plan", str(tmp_path / "plan.toml"), "-k", "3", "--method", "hilbert", "-o", str(tmp_path / "out"))
    done = CliRunner().invoke(command, [str(path), *plan, *asked], standalone_mode=False)
    assert done.exit_code == 0, done.exception


def test_names_do_not_tell_whose_rows_they_are() -> None:
    """Two people may have one name; a key of some rows each may be a person's."""
    rows = 400
    names = [f"{'ABCDEFGHIJ'[row % 10]}lex {'KLMNOPQRST'[row // 10 % 10]}ranz" for row in range(rows)]
    keys = [5_000 + 7 * (row // 4) for row in range(rows)]
    notes = suggest(pl.DataFrame({"Name": names, "age": [20 + row % 60 for row in range(rows)]})).notes
    assert not [note for note in notes if "person =" in note]
    notes = suggest(pl.DataFrame({"customerid": keys, "age": [20 + row % 60 for row in range(rows)]})).notes
    assert [note for note in notes if "person = 'customerid'" in note]


def test_more_look_alikes_than_rows_are_refused() -> None:
    """Before anybody works with the plan."""
    with pytest.raises(PlanError, match="so many look-alikes"):
        suggest(pl.DataFrame({"age": list(range(40))}), k=41)


def test_columns_that_cannot_be_looked_over() -> None:
    """Empty, constant and nested columns have a role, too, and the plan runs."""
    frame = pl.DataFrame(
        {
            "empty": pl.Series([None] * 40, dtype=pl.String),
            "same": ["x"] * 40,
            "nested": [[1, 2]] * 40,
            "age": list(range(40)),
            "blank": [" a", "b ", "c", "d", ""] * 8,
            "big": [2**60 + number % 3 for number in range(40)],
        }
    )
    suggestion = suggest(frame)
    found = {name: one.role for name, one in suggestion.columns.items()}
    assert (found["empty"], found["same"], found["nested"]) == ("insensitive", "insensitive", "identifier")
    assert suggestion.columns["blank"].hierarchy is None
    assert shoal.anonymize(frame, plan=suggestion.plan).verdict.holds


def test_figures_alone_are_quasi_identifiers() -> None:
    """In a table of nothing but amounts these are what records are known by; beside an age they are private."""
    random = np.random.default_rng(1)
    figures = pl.DataFrame({name: random.lognormal(8, 1, 300) for name in ("tax", "profit", "turnover")})
    assert set(roles(figures).values()) == {"quasi-identifier"}
    beside = figures.with_columns(age=pl.Series(random.integers(18, 90, 300)))
    assert roles(beside)["tax"] == "sensitive"


# -- measurements --------------------------------------------------------------------------------------------


def test_uniqueness_is_counted() -> None:
    """Rows alone with their values, and what a column adds, are those of counting by hand."""
    table = as_table(pl.DataFrame({"a": [1, 1, 2, 2], "b": ["x", "y", "x", "x"], "c": [None, None, None, None]}))
    together = Uniqueness(table, ["a", "b", "c"])
    assert together.alone == 0.5
    assert together.adds("a") == 0.25  # beside the other two, one row is alone already
    assert together.adds("b") == 0.5
    assert together.adds("c") == 0.0


def test_entropy() -> None:
    """Four equally common values tell two bits."""
    facts = measure_columns(as_table(pl.DataFrame({"a": ["x", "y", "z", "w"] * 5})))["a"]
    assert facts.entropy == pytest.approx(2.0)
    assert facts.evenness == pytest.approx(1.0)
    assert facts.repeats == 5


def test_few_cells_of_many_are_looked_at() -> None:
    """Cells are read for a sample of rows, however many there are, and long ones only at their beginning."""
    rows = 3 * SAMPLE
    frame = pl.DataFrame({"key": [f"key {row}" for row in range(rows)], "text": ["x" * 10_000] * rows})
    facts = measure_columns(as_table(frame))
    assert len(facts["key"].texts) == SAMPLE < facts["key"].distinct == rows
    assert facts["text"].texts == ("x" * LONGEST,)


# -- edges ---------------------------------------------------------------------------------------------------


def test_k_fits_the_table(patients: pl.DataFrame) -> None:
    """Ten unless told otherwise; half of few rows; why is said."""
    assert suggest(patients).plan.k == 10
    assert suggest(patients.head(12)).plan.k == 6
    assert suggest(patients.head(1)).plan.k == 1
    assert suggest(patients, k=3).plan.k == 3
    assert "k = 10 is a usual choice" in str(suggest(patients))


def test_no_rows() -> None:
    """An empty table tells nothing."""
    with pytest.raises(TableError, match="no rows"):
        suggest(pl.DataFrame({"a": []}))


def test_nothing_to_protect_is_said() -> None:
    """A table of identifiers alone has no quasi-identifiers, and the note says so."""
    frame = pl.DataFrame({"email": [f"a{number}@example.org" for number in range(30)]})
    assert any("no column seems to be a quasi-identifier" in note for note in suggest(frame).notes)


def test_files_are_not_replaced_unasked(patients: pl.DataFrame, tmp_path: Path) -> None:
    """An edited plan is safe; whatever was there stays as it was."""
    suggestion = suggest(patients)
    suggestion.save(tmp_path / "plan.toml")
    (tmp_path / "plan.toml").write_text("mine")
    with pytest.raises(OutputError, match="exist already"):
        suggestion.save(tmp_path / "plan.toml")
    assert (tmp_path / "plan.toml").read_text() == "mine"
    suggestion.save(tmp_path / "plan.toml", overwrite=True)
    assert Plan.read(tmp_path / "plan.toml").k == 10
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_awkward_names(tmp_path: Path) -> None:
    """Names with dots, quotes, slashes and other scripts are kept in the plan and make safe file names."""
    names = ['a "b"', "x.y", "../up", "日本", "a/b"]
    frame = pl.DataFrame({name: ["p", "q", "r", "s"] * 10 for name in names})
    suggestion = suggest(frame)
    suggestion.save(tmp_path / "inner" / "plan.toml")
    assert list(Plan.read(tmp_path / "inner" / "plan.toml").columns) == names
    assert all((tmp_path / "inner" / file).is_file() for file in suggestion.hierarchy_files().values())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["inner"]


def test_a_look_at_a_few_columns(patients: pl.DataFrame) -> None:
    """Others ask what single columns seem to be without paying for the whole table."""
    seen = look_at(as_table(patients), ["email", "diagnosis"])
    assert {name: (one.role, one.sure) for name, one in seen.items()} == {
        "email": ("identifier", True),
        "diagnosis": ("sensitive", True),
    }
    assert "e-mail addresses" in seen["email"].reasons[0]
