# SPDX-License-Identifier: Apache-2.0
"""Nothing is published by oversight: every column has a role, and what points to persons is accepted by name."""

from __future__ import annotations

import json
import warnings
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.ground.errors import PlanError
from shoal.plan.plan import Plan
from shoal.plan.roles import DROP, IDENTIFIER, INSENSITIVE
from shoal.releases.reports.json_report import report_dict
from shoal.releases.reports.text import summary
from shoal.suggesting import gate
from shoal.suggesting.facts import SAMPLE
from shoal.tables.table import Table

ROWS = 60
QUICK: dict[str, Any] = {"k": 5, "method": "mondrian"}
FIRST = "Ada Ben Cleo Dora Emil Finn Gina Hugo Ida Jan".split()
LAST = "Adler Brandt Christ Dietz Ebert Falk".split()
POINTING: dict[str, list[Any]] = {
    "who": [f"{FIRST[row % 10]} {LAST[row // 10]}" for row in range(ROWS)],
    "contact": [f"{FIRST[row % 10]}.{LAST[row // 10]}@mail.example" for row in range(ROWS)],
    "call": [f"+49 30 {1_234_567 + 37 * row}" for row in range(ROWS)],
    "birth_date": [date(1950, 1, 1) + timedelta(days=211 * row) for row in range(ROWS)],
    "key": list(range(1000, 1000 + ROWS)),
    "remark": [f"the patient number {row} came to the ward with a friend, slept well and left" for row in range(ROWS)],
}


def people(**more: Any) -> pl.DataFrame:
    """Sixty people with an age, a sex and an illness, and further columns."""
    random = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "age": random.integers(20, 60, ROWS),
            "sex": random.choice(["f", "m"], ROWS),
            "illness": random.choice(["flu", "cold", "gout"], ROWS),
            **more,
        }
    )


def released(frame: Any, **roles: Any) -> shoal.Release:
    """A quick release in which further columns have these roles."""
    given: dict[str, Any] = {"quasi_identifiers": ["age", "sex"], "sensitive": ["illness"], **QUICK, **roles}
    return shoal.anonymize(frame, **given)


# -- every column has a role -----------------------------------------------------------------------------------


def test_forgotten_columns_are_refused_with_what_they_seem() -> None:
    """The message names each, what it seems to be and why, the two ways on, and no cell."""
    with pytest.raises(PlanError) as refused:
        released(people(**POINTING, town=["Ulm", "Bonn"] * 30))
    error = refused.value
    assert len(error.parts()) == 5
    assert error.what.startswith("7 columns have no role")
    for name in POINTING:
        assert f"\n{name:<10}  identifier: " in error.received, name
    assert "\ntown        quasi-identifier" in error.received
    assert "--identifier who,contact,call,birth_date,key,remark" in error.todo
    assert all(word in error.todo for word in ("--rest drop", "--rest insensitive", "--drop", "shoal suggest"))
    cells = {str(cell) for cells in POINTING.values() for cell in cells} | {"Ulm", "Bonn"}
    assert not [cell for cell in cells if cell in str(error)]


def test_a_setting_is_no_role() -> None:
    """A column that the plan only gives a weight or a kind is as forgotten as any other, from TOML too."""
    frame = people(visits=[1, 2, 3] * 20)
    with pytest.raises(PlanError, match="A column has no role"):
        released(frame, weights={"visits": 2.0})
    plan = {"privacy": {"k": 5}, "columns": {"age": {"role": "quasi-identifier"}, "visits": {"kind": "numeric"}}}
    with pytest.raises(PlanError, match="3 columns have no role"):
        shoal.anonymize(frame, Plan.from_dict(plan))


def test_an_older_plan_is_read_and_its_forgotten_columns_are_named(tmp_path: Path) -> None:
    """A plan of an earlier version, which published what it did not name, is refused with the list."""
    path = tmp_path / "plan.toml"
    path.write_text('[privacy]\nk = 5\n[columns.age]\nrole = "quasi-identifier"\n[columns.sex]\nrole = "insensitive"\n')
    with pytest.raises(PlanError) as refused:
        shoal.anonymize(people(), Plan.read(path))
    assert "illness  sensitive" in refused.value.received


@pytest.mark.parametrize("rest", [DROP, INSENSITIVE])
def test_the_rest_is_settled_at_once(rest: str) -> None:
    """One word for all columns without a role; the plan that is written names each, and replays without the word."""
    release = released(people(town=["Ulm", "Bonn"] * 30, ward=["a", "b", "c"] * 20), rest=rest)
    assert release.plan.having(rest) == ["town", "ward"]
    assert ("town" in release.table.columns) == (rest == INSENSITIVE)
    again = shoal.anonymize(people(town=["Ulm", "Bonn"] * 30, ward=["a", "b", "c"] * 20), release.plan)
    assert again.table.equals(release.table)
    assert Plan.from_dict(release.plan.to_dict()).columns["ward"].role == rest


def test_many_forgotten_columns_do_not_flood() -> None:
    """Of two hundred columns some are told, and how many more there are."""
    with pytest.raises(PlanError) as refused:
        released(people(**{f"c{place}": [place, 1] * 30 for place in range(200)}))
    assert refused.value.what.startswith("200 columns")
    assert "and 180 more" in refused.value.received
    assert len(str(refused.value).splitlines()) < 32


def test_a_person_column_has_its_role() -> None:
    """Who says whose rows they are need not call the column an identifier; a kind for it does not publish it."""
    frame = people(patient=[f"p{row % 30}" for row in range(ROWS)])
    for more in ({}, {"kinds": {"patient": "categorical"}, "rest": "insensitive"}):
        release = released(frame, person="patient", **more)
        assert release.plan.having(IDENTIFIER) == ["patient"]
        assert "patient" not in release.table.columns


def test_judging_needs_no_roles() -> None:
    """A table that somebody else made is judged on what is named; what is not counts as published on purpose."""
    frame = pl.DataFrame({"age": ["[20, 29]"] * 4, "other": list("abcd"), "town": ["x"] * 4})
    assert shoal.check(frame, quasi_identifiers=["age"], k=4).holds
    plan = Plan.of(4, quasi_identifiers=["age"], weights={"town": 2.0})
    assert shoal.check(frame, plan=plan).holds
    assert shoal.measure(frame, frame, plan)
    assert shoal.attack(frame, plan=plan, original=frame)


def test_a_comparison_needs_no_roles_and_nothing_accepted() -> None:
    """Nothing is published, so nothing is published by oversight."""
    frame = people(**POINTING)
    found = shoal.compare(frame, k=5, methods=["mondrian"], quasi_identifiers=["age", "sex"], sensitive=["who"])
    assert [one.status for one in found.outcomes] == ["done"]


@pytest.mark.parametrize("method", ["equal_combination", "non_homogeneous"])
@pytest.mark.filterwarnings("ignore")
def test_weaker_releases_pass_the_same_gate(method: str) -> None:
    """Sub-tables and boxes are made of declared columns as well, and none of them shows a dropped one."""
    frame = people(town=["Ulm", "Bonn"] * 30)
    weaker = {"method": method, "accept_weaker": True}
    with pytest.raises(PlanError, match="no role"):
        released(frame, **weaker)
    release = released(frame, drop=["town"], **weaker)
    assert not [table for table in release.published if "town" in table.names]
    assert {one.model: one.holds for one in release.verdict.findings}["dropped"]


# -- columns that are not needed ---------------------------------------------------------------------------------


def test_dropped_columns_are_gone_and_not_called_identifiers() -> None:
    """They are judged like identifiers, under a name of their own; no word says that they point to a person."""
    release = released(people(town=["Ulm", "Bonn"] * 30, note=["x"] * ROWS), drop=["town", "note"])
    assert release.table.columns == ["age", "sex", "illness"]
    findings = {one.model: one for one in release.verdict.findings}
    assert findings["dropped"].statement == "none of the 2 columns to be left out is in the table"
    assert "identifiers" not in findings
    assert release.facts["columns_dropped"] == ["town", "note"]
    assert release.facts["identifiers_removed"] == []
    page = release.report()
    assert "Left out as not needed" in page
    assert "town and note" in page
    assert "Columns that point to a person by themselves" not in page


def test_a_dropped_column_that_is_there_breaks_the_release() -> None:
    """The checker finds it, alone and in a release folder's plan."""
    frame = pl.DataFrame({"age": ["[20, 29]"] * 4, "town": ["x"] * 4})
    verdict = shoal.check(frame, quasi_identifiers=["age"], k=4, drop=["town"])
    assert not verdict.holds
    broken = next(one for one in verdict.findings if one.holds is False)
    assert (broken.model, broken.statement) == ("dropped", "left in although it is to be left out: 'town'")


def test_a_dropped_key_in_disguise_is_found() -> None:
    """A key that was left out because nobody needs it is not published under another name either."""
    frame = people(key=[f"K{7919 * row % 100_003:05d}" for row in range(ROWS)])
    release = released(frame, drop=["key"])
    turned = [cell[::-1] for cell in frame["key"].to_numpy()[release.rows]]
    verdict = shoal.check(release.table.with_columns(code=pl.Series(turned)), plan=release.plan, original=frame)
    assert "renamed_identifiers" in [one.model for one in verdict.findings if one.holds is False]


# -- columns that point to persons -------------------------------------------------------------------------------


@pytest.mark.thin(2)
@pytest.mark.parametrize("role", ["insensitive", "sensitive", "rest"])
@pytest.mark.parametrize("name", POINTING)
def test_what_clearly_points_to_persons_is_refused_unless_accepted(name: str, role: str) -> None:
    """Names, addresses, numbers, birth dates beside an age, keys and free text: whoever publishes them says so."""
    frame = people(**{name: POINTING[name]})
    roles: dict[str, Any] = {
        "insensitive": {"insensitive": [name]},
        "sensitive": {"sensitive": ["illness", name]},
        "rest": {"rest": "insensitive"},
    }[role]
    with pytest.raises(PlanError, match="seems to point to persons") as refused:
        released(frame, **roles)
    assert len(refused.value.parts()) == 5
    assert f"--accept {name}" in refused.value.todo
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        release = released(frame, accept=[name], **roles)
    assert sorted(release.table[name].to_list()) == sorted(frame[name].to_list())
    assert released(frame, identifiers=[name]).table.columns == ["age", "sex", "illness"]


@pytest.mark.filterwarnings("ignore")
def test_what_was_accepted_stands_in_plan_and_report(tmp_path: Path) -> None:
    """Whoever reads the folder sees what somebody decided; the plan replays."""
    frame = people(contact=POINTING["contact"])
    release = released(frame, insensitive=["contact"], accept="contact")
    folder = release.save(tmp_path / "out")
    assert 'accept = [\n    "contact",\n]' in (folder / "plan.toml").read_text()
    assert Plan.read(folder / "plan.toml").accept == ("contact",)
    assert "Accepted although they may point to persons" in (folder / "report.html").read_text()
    assert json.loads((folder / "report.json").read_text())["accepted"] == ["contact"]
    assert shoal.anonymize(frame, Plan.read(folder / "plan.toml")).table.equals(release.table)


def test_an_accepted_column_must_be_there() -> None:
    """A misspelt acceptance accepts nothing, so it is told."""
    with pytest.raises(shoal.ShoalError, match="no such column"):
        released(people(), accept=["contakt"])


HARMLESS: dict[str, Any] = {
    "amounts": [round(float(one), 2) for one in np.random.default_rng(0).lognormal(8, 1, ROWS)],
    "whole amounts": [int(one) for one in np.random.default_rng(0).lognormal(9, 1, ROWS)],
    "measurements": np.random.default_rng(0).normal(120, 15, ROWS).tolist(),
    "days": [date(2024, 1, 1) + timedelta(days=row % 50) for row in range(ROWS)],
    "few words": ["yes", "no", "perhaps"] * 20,
    "counts": [row % 7 for row in range(ROWS)],
    "nothing": [None] * ROWS,
    "the same": ["all"] * ROWS,
}


@pytest.mark.parametrize("role", ["insensitive", "sensitive"])
@pytest.mark.parametrize("what", HARMLESS)
def test_harmless_columns_are_published_without_a_word(what: str, role: str) -> None:
    """Figures, days and few words are no identifiers, whatever role they have."""
    roles: dict[str, Any] = {
        "insensitive": {"insensitive": ["value"]},
        "sensitive": {"sensitive": ["illness", "value"]},
    }
    release = released(people(value=pl.Series(HARMLESS[what], strict=False)), **roles[role])
    assert release.facts["warnings"] == []


def test_small_tables_are_not_taken_at_their_word() -> None:
    """Four incomes of 1, 2, 3 and 4 count rows by accident."""
    frame = pl.DataFrame({"age": [20, 21, 30, 31], "income": [1, 2, 3, 4]})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert shoal.anonymize(frame, k=2, quasi_identifiers=["age"], sensitive=["income"]).verdict.holds


def test_suggested_plans_pass() -> None:
    """What suggest makes of a table can be run as it is."""
    frame = people(**POINTING, town=["Ulm", "Bonn"] * 30)
    assert shoal.anonymize(frame, shoal.suggest(frame, k=5).plan).verdict.holds


# -- warnings ----------------------------------------------------------------------------------------------------


def test_what_may_point_to_persons_is_warned_about_everywhere() -> None:
    """A doubt is a warning of Python that can be filtered, and stands on the card, in the summary and in the report."""
    frame = people(ship_id=pl.Series([100 + row % 53 for row in range(ROWS)]))
    with pytest.warns(shoal.PrivacyWarning, match="'ship_id' may point to persons.*; make it an identifier or drop it"):
        release = released(frame, sensitive=["illness", "ship_id"])
    said = [one for one in release.warnings if "ship_id" in one]
    assert len(said) == 1
    assert f"WARNING       {said[0]}" in summary(release)
    assert said[0].split("'")[0] in release._repr_html_()
    assert "may point to persons" in release.report()
    assert report_dict(release)["facts"]["warnings"] == said


def test_leaks_are_warnings_of_python_too() -> None:
    """What the judge warns of is said by warnings.warn, and can be made an error."""
    frame = people(email=POINTING["contact"])
    with pytest.warns(shoal.PrivacyWarning, match="e-mail addresses in 60 of 60"):
        released(frame, insensitive=["email"], accept=["email"])
    with warnings.catch_warnings():
        warnings.simplefilter("error", shoal.PrivacyWarning)
        with pytest.raises(shoal.PrivacyWarning):
            released(frame, insensitive=["email"], accept=["email"])
        assert released(people()).verdict.holds


@pytest.mark.parametrize("kind", ["text", "key"])
def test_a_quasi_identifier_that_is_different_in_every_row_is_told(kind: str) -> None:
    """It is an identifier by mistake, and costs the others their detail."""
    column = [f"code {7 * row % 61}" for row in range(ROWS)] if kind == "text" else list(range(ROWS))
    with pytest.warns(shoal.PrivacyWarning, match="quasi-identifier 'code' is different in every row"):
        released(people(code=column), quasi_identifiers=["age", "sex", "code"])


def test_quantities_may_differ_in_every_row() -> None:
    """Measured numbers and moments are generalised well, however many there are."""
    frame = people(weight=HARMLESS["measurements"], cost=HARMLESS["whole amounts"])
    with warnings.catch_warnings():
        warnings.simplefilter("error", shoal.PrivacyWarning)
        released(frame, quasi_identifiers=["age", "sex", "weight", "cost"])


# -- long tables ---------------------------------------------------------------------------------------------------


def test_long_tables_are_looked_at_in_some_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless something seems to be wrong, no more than a sample of the rows is looked at, and no removed column."""
    looked: list[tuple[int, tuple[str, ...]]] = []
    real = gate.look_at

    def counted(table: Table, names: Any = None) -> Any:
        looked.append((len(table), tuple(names or table.names)))
        return real(table, names)

    monkeypatch.setattr(gate, "look_at", counted)
    n = 3 * SAMPLE
    random = np.random.default_rng(0)
    table = Table(pl.DataFrame({"age": random.integers(0, 90, n), "bmi": random.normal(25, 4, n), "id": np.arange(n)}))
    plan = Plan.of(5, quasi_identifiers=["age"], sensitive=["bmi"], identifiers=["id"])
    assert gate.admitted(plan, table).doubts == {}
    assert looked == [(SAMPLE, ("bmi", "age"))]


def test_keys_that_show_only_in_all_rows_are_found() -> None:
    """Random numbers of eight digits: a sample of them says little, but none of sixty thousand is given twice."""
    keys = np.random.default_rng(0).choice(99_999_999, 3 * SAMPLE, replace=False)
    table = Table(pl.DataFrame({"age": np.arange(3 * SAMPLE) % 90, "number": keys}))
    with pytest.raises(PlanError, match="seems to point to persons"):
        gate.admitted(Plan.of(5, quasi_identifiers=["age"], insensitive=["number"]), table)


# -- names, and what nobody looked at ------------------------------------------------------------------------------

FEW_LAST = ["Özdemir", "Weiß", "Krüger", "Böhm", "Yılmaz", "Nguyen"]
DOUBTFUL: dict[str, list[str]] = {
    "ship_name": [f"vessel {row % 30}" for row in range(ROWS)],
    "Street of shop": [f"Lane {row % 25}" for row in range(ROWS)],
}


@pytest.mark.parametrize(
    ("called", "cells"),
    [
        ("Name", [f"{FIRST[row % 4]} {FEW_LAST[row // 10]}" for row in range(ROWS)]),
        ("customer name", [f"{FIRST[row % 7]} {FEW_LAST[row % 6]}" for row in range(ROWS)]),
        ("Nachname", [FEW_LAST[row % 6] for row in range(ROWS)]),
        ("Vorname", [FIRST[row % 10] for row in range(ROWS)]),
        ("Adresse", [f"Gasse {row % 24}" for row in range(ROWS)]),
    ],
)
def test_names_are_refused_however_few_they_are(called: str, cells: list[str]) -> None:
    """Names of few different parts, of several languages, and surnames by themselves."""
    for role in ({"insensitive": [called]}, {"rest": "insensitive"}):
        with pytest.raises(PlanError, match="point to persons"):
            released(people(**{called: cells}), **role)


@pytest.mark.parametrize("called", DOUBTFUL)
def test_what_may_point_to_persons_is_refused_unless_somebody_named_it(called: str) -> None:
    """By ``rest`` nobody has looked at it; named, or accepted, it is published, with a warning in the first case."""
    frame = people(**{called: DOUBTFUL[called]})
    with pytest.raises(PlanError, match="point to persons") as refused:
        released(frame, rest="insensitive")
    assert f"{called}  is insensitive by rest" in refused.value.received
    with pytest.warns(shoal.PrivacyWarning, match="called like an identifier"):
        assert called in released(frame, insensitive=[called]).table.columns
    assert called in released(frame, rest="insensitive", accept=[called]).table.columns


def notes_of(frame: pl.DataFrame, **asked: Any) -> list[str]:
    """What a run says about some columns; the first of them is that of an age."""
    names = [name for name in frame.columns if name not in ("sex", "illness")]
    return list(released(frame, quasi_identifiers=names, drop=["sex"], **asked).record.notes)


def test_codes_that_could_show_how_they_begin() -> None:
    """A postcode without a tree is told of: what is done, why, what else could be; as codes nothing is said."""
    frame = people(PLZ=[f"0{row % 3}1{row % 20:02d}" for row in range(ROWS)])
    assert notes_of(frame) == [
        "column 'PLZ' is published whole or as *, as text without a hierarchy is; shoal suggest says text-prefix "
        "(codes that get coarser from the right): --kind PLZ=text-prefix to show how codes begin"
    ]
    assert notes_of(frame, kinds={"PLZ": "text-prefix"}) == []


def test_postcodes_that_look_like_numbers() -> None:
    """They are shown as ranges, which is said, also when the plan is replayed; not of codes, nor of other numbers."""
    frame = people(PLZ=[1010 + 10 * (row % 7) for row in range(ROWS)])
    (unsaid,), (said,) = notes_of(frame), notes_of(frame, kinds={"PLZ": "numeric"})
    assert unsaid == said
    assert said.startswith("column 'PLZ' is published as ranges, as numbers are; shoal suggest says text-prefix")
    assert said.endswith("--kind PLZ=text-prefix to show how codes begin")
    assert notes_of(frame, kinds={"PLZ": "text-prefix"}) == notes_of(frame.rename({"PLZ": "steps"})) == []


OTHER_WAYS: list[tuple[str, list[Any], str]] = [
    ("state", [1 + row % 9 for row in range(ROWS)], "--kind state=categorical to show values whole or as *"),
    ("income_band", [f"{10 * (row % 5)}-{10 * (row % 5) + 9}" for row in range(ROWS)], "--kind income_band=ordered"),
    ("health", [("bad", "fair", "good", "very good")[row % 4] for row in range(ROWS)], "--order health='...<...'"),
    ("country", [("France", "Spain", "Peru", "Chile", "Japan", "India")[row % 6] for row in range(ROWS)],
     "--hierarchy country=FILE takes one, and shoal suggest TABLE -o plan.toml writes one by regions and continents"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "cells", "flag"), OTHER_WAYS, ids=[one[0] for one in OTHER_WAYS])
def test_what_a_suggestion_would_do_otherwise_is_told(name: str, cells: list[Any], flag: str) -> None:
    """Whichever kind or tree a suggestion finds for a column of which nothing was said; without any of its values."""
    frame = people(**{name: cells})
    release = released(frame, quasi_identifiers=["age", name], drop=["sex"])
    (note,) = release.record.notes
    assert flag in note
    assert shoal.anonymize(frame, plan=release.plan).record.notes == (note,), "the report of a replay is the same"
    assert not any(str(cell) in note for cell in cells if isinstance(cell, str))
    suggested = shoal.suggest(frame).columns[name]
    assert suggested.kind in flag or (suggested.kind == "ordered" and suggested.order) or suggested.hierarchy


def test_what_is_so_of_several_columns_is_told_once() -> None:
    """One note for each thing to say, with the names of its columns and a flag for each; of very many the first."""
    bands = [f"{row % 5}0-{row % 5}9" for row in range(ROWS)]
    steps = [("low", "mid", "high")[row % 3] for row in range(ROWS)]
    places = [("France", "Spain", "Peru", "Chile", "Japan", "India")[row % 6] for row in range(ROWS)]
    frame = people(first=bands, health=steps, second=bands, country=places, third=bands, nationality=places)
    ways, worded, trees = notes_of(frame)
    assert ways.startswith("columns 'first', 'second' and 'third' are published whole or as *, as text")
    assert "--kind first=ordered --kind second=ordered --kind third=ordered to show" in ways
    assert "column 'health' is" in worded
    assert "columns 'country' and 'nationality' are" in trees
    assert "--hierarchy country=FILE --hierarchy nationality=FILE takes one" in trees
    (many,) = notes_of(people(**{f"band_{number}": bands for number in range(14)}))
    assert "'band_11' and 2 more are" in many
    assert "--kind band_11=ordered and so on to show" in many


def test_whoever_says_names_gets_names() -> None:
    """Numbers and dates that are kept as text, and said to be names, are no mistake."""
    cells = {
        "count": [str(row % 40) for row in range(ROWS)],
        "day": [f"2020-01-{1 + row % 28:02d}" for row in range(ROWS)],
    }
    frame = people(**cells)
    release = released(
        frame, quasi_identifiers=[*cells], kinds=dict.fromkeys(cells, "categorical"), drop=["age", "sex"]
    )
    assert not [note for note in release.record.notes if "shoal suggest" in note]


def test_advised_flags_give_codes_their_kind() -> None:
    """Where columns were forgotten, the flags to be typed publish postcodes as a suggestion would."""
    frame = people(PLZ=[f"{10 + row % 3}1{row % 20:02d}" for row in range(ROWS)])
    with pytest.raises(PlanError, match=r"--qi .*PLZ.* --kind PLZ=text-prefix"):
        shoal.anonymize(frame, k=5, quasi_identifiers=["age"])


def test_k_of_one_is_warned_about() -> None:
    """It hides nobody; with a model it may be meant."""
    with pytest.warns(shoal.PrivacyWarning, match="k = 1 hides nobody.*; ask for 2 or more"):
        released(people(), k=1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        released(people(), k=1, models={"l_diversity": {"l": 2}})
    assert not [one for one in caught if "hides nobody" in str(one.message)]
