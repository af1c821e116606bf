# SPDX-License-Identifier: Apache-2.0
"""Somebody's number is known by what it is called and by its cells, in the suggestion, before a release and in one."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.ground.errors import PlanError
from shoal.ground.person_numbers import CLEAR, LIKELY, called_like_a_number, numbers_persons, without_count
from shoal.plan.roles import IDENTIFIER

ROWS, PERSONS = 400, 130
NUMBERED = (
    "patient_no,PatientNo,patient number,Patienten-Nr.,Patientennummer,pat_id,customer_no,customerCode,Kundennr,"
    "member_no,Mitgliedsnummer,policy_no,VertragsNr,employee_no,empID,Personalnummer,Fall-Nr,Fallnummer,Schülernummer,"
    "Schuelernummer,medical record no,id_paciente,numero_cliente,health_insurance_no,insurance_no,KVNR,"
    "Versichertennummer,Krankenversicherungsnummer,guest_no,cardholder_no,card holder id,household_no,user_no,user_id,"
    "driver_no,voter_id,victim no,defendant_no,prisoner_no,refugee_no,doctor_id,nurse_id,mother_id,child_no,claim_no,"
    "loan_no,Haushaltsnr,Besuchernummer,Flüchtlingsnummer,Arztnummer,Schadennummer,Kind-Nr,numero_usuario,"
    "id_utilisateur,numer_pacjenta,Gebruikersnummer,customers_id,patient's no"
).split(",")
ALONE = (
    "patient Patientin customer Kunde member Mitglied insured policy case Fall record pnr user passenger visitor "
    "victim cardholder accountHolder Besucher"
).split()
OTHERS = (
    "patients,number of patients,n_members,case_type,member_since,patient age,insured sum,pcode,Fallzahl,place,mano,"
    "part_no,customers_no,cases no,patients_number,claims_no,users nr,number_of_patients,numberOfClaims,loan,claim,"
    "mother,child,household,household_size,insurance,insurance type,kind_id"
).split(",")


def visits(name: str, cells: Any) -> pl.DataFrame:
    """Visits of people, with one more column."""
    random = np.random.default_rng(0)
    return pl.DataFrame(
        {
            name: cells,
            "age": random.integers(20, 60, ROWS),
            "sex": random.choice(["f", "m"], ROWS),
            "diagnosis": random.choice(["flu", "cold", "gout"], ROWS),
        }
    )


def given_out(text: bool) -> list[Any]:
    """Numbers of people who come several times."""
    random = np.random.default_rng(1)
    keys = random.choice(900_000, PERSONS, replace=False)[random.integers(0, PERSONS, ROWS)] + 100_000
    return [f"K{key}" for key in keys] if text else keys.tolist()


def test_names_of_numbers() -> None:
    """A noun and a word for number in any spelling; a noun by itself; neither counts nor other things of somebody."""
    called = {name: called_like_a_number(name) for name in (*NUMBERED, *ALONE, *OTHERS)}
    expected = dict.fromkeys(NUMBERED, CLEAR) | dict.fromkeys(ALONE, LIKELY) | dict.fromkeys(OTHERS, "")
    assert called == expected


@pytest.mark.parametrize("text", [False, True], ids=["numbers", "codes"])
@pytest.mark.parametrize("name", [*NUMBERED, *ALONE])
def test_a_repeated_number_of_a_person_is_suggested_as_an_identifier(name: str, text: bool) -> None:
    """Whatever the number is called, it is not planned to be published; the noun alone is for somebody to look at."""
    found = shoal.suggest(visits(name, given_out(text))).columns[name]
    assert found.role == IDENTIFIER
    assert found.sure == (called_like_a_number(name) == CLEAR)


def up_to(most: int, before: str = "", least: int = 0) -> list[Any]:
    """Whole numbers, or codes that end in them, each with many rows."""
    numbers = [least + row % (most - least + 1) for row in range(ROWS)]
    return [f"{before}{number}" for number in numbers] if before else numbers


HARMLESS: dict[str, tuple[str, list[Any]]] = {
    "yes or no": ("case", ["yes", "no"] * (ROWS // 2)),
    "true or false": ("member", [True, False] * (ROWS // 2)),
    "two kinds": ("insured", ["private", "statutory"] * (ROWS // 2)),
    "few codes": ("policy", [row % 7 for row in range(ROWS)]),
    "words": ("case", ["theft", "fraud", "arson", "other"] * (ROWS // 4)),
    "sums": ("insured", [1000 * (row % 60) for row in range(ROWS)]),
    "measured": ("record", np.random.default_rng(0).normal(50, 9, ROWS).round(2).tolist()),
    "few of many rows": ("patient_code", ["A", "B", "C", "D"] * (ROWS // 4)),
    "kinds of subjects": ("subject_code", up_to(29, "MATH")),
    "kinds of cases": ("case_code", up_to(24, "ICD")),
    "kinds of policies": ("policy_code", up_to(21, "P")),
    "kinds of contracts": ("contract_code", up_to(24, "C")),
    "order of birth": ("child_no", up_to(5, least=1)),
    "mothers in a household": ("mother_no", up_to(3, least=1)),
    "how many customers": ("customers_no", up_to(199)),
    "how many cases": ("cases no", up_to(199)),
    "number of patients": ("number_of_patients", up_to(199)),
    "number of customers": ("numberOfCustomers", up_to(199)),
    "number of claims": ("number_of_claims", up_to(199)),
    "counted contracts": ("contract", up_to(39)),
    "counted falls": ("fall", up_to(30)),
    "counted charts": ("chart", up_to(25, least=1)),
    "counted donors": ("donor", up_to(45)),
    "counted staff": ("staff", up_to(79, least=1)),
}


@pytest.mark.parametrize("what", HARMLESS)
def test_what_is_only_called_so_is_no_identifier(what: str) -> None:
    """The same words over a few values, sums or measurements number nobody; judge and gate agree."""
    name, cells = HARMLESS[what]
    frame = visits(name, cells)
    assert shoal.suggest(frame).columns[name].role != IDENTIFIER
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        release = published(frame, sensitive=["diagnosis", name])
    assert "identifying_names" not in [leak.kind for leak in release.verdict.leaks]
    assert not [said for said in release.warnings if "point to persons" in said]


@pytest.mark.parametrize(
    ("name", "distinct", "rows", "expected"),
    [
        ("subject_no", 29, 600, LIKELY),
        ("employee_no", 24, 600, LIKELY),
        ("patient_id", 30, 600, LIKELY),
        ("patient_id", 30, 90, CLEAR),
        ("patient_id", 500, 20_000, CLEAR),
        ("child_no", 6, 600, ""),
        ("person_index", 30, 600, ""),
        ("person_index", 30, 90, CLEAR),
        ("patient_code", 30, 600, ""),
        ("patient_code", 500, 5_000, LIKELY),
        ("patient_code", 500, 900, CLEAR),
        ("visitor", 30, 300, ""),
        ("patient", 30, 300, LIKELY),
    ],
)
def test_many_rows_make_a_number_doubtful(name: str, distinct: int, rows: int, expected: str) -> None:
    """Sizes of firms look like the numbers of the few in a long study: neither refused nor passed over."""
    assert numbers_persons(name, [str(number) for number in range(distinct)], distinct, rows) == expected


def test_an_order_of_birth_is_none_in_a_short_table_either() -> None:
    """Three children of a family among ten rows number nobody, three patients do."""
    said = {name: numbers_persons(name, ["1", "2", "3"], 3, 10) for name in ("child_no", "mother_no", "patient_no")}
    assert said == {"child_no": "", "mother_no": "", "patient_no": CLEAR}


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("number_of_patients", "patients"),
        ("number of dependent children", "dependent children"),
        ("numero_de_casos", "casos"),
        ("customers_no", "customers"),
        ("number_of_policy", "number_of_policy"),
        ("id_number", "id_number"),
        ("Kundennummer", "Kundennummer"),
    ],
)
def test_a_number_of_several_is_a_count(name: str, bare: str) -> None:
    """Only a plural is counted; other names are left as they are."""
    assert without_count(name) == bare


def published(frame: pl.DataFrame, **roles: Any) -> shoal.Release:
    """A quick release."""
    given: dict[str, Any] = {"quasi_identifiers": ["age", "sex"], "sensitive": ["diagnosis"], **roles}
    return shoal.anonymize(frame, k=5, method="mondrian", **given)


@pytest.mark.parametrize("role", ["sensitive", "insensitive"])
def test_one_rule_whatever_the_role(role: str) -> None:
    """A clear number is refused unless accepted; a likely one is published with a warning, as sensitive, too."""
    others = ["diagnosis"] if role == "sensitive" else []
    with pytest.raises(PlanError, match="seems to point to persons") as refused:
        published(visits("case_no", given_out(False)), **{role: [*others, "case_no"]})
    assert "--accept case_no" in refused.value.todo
    with pytest.warns(shoal.PrivacyWarning, match="'case'"):
        published(visits("case", given_out(False)), **{role: [*others, "case"]})


@pytest.mark.parametrize("role", ["sensitive", "insensitive"])
@pytest.mark.parametrize("name", ["customer_no", "patient"])
def test_the_judge_warns_of_it_in_any_table(name: str, role: str) -> None:
    """Somebody else's release that shows the numbers is warned about, whatever role they have; no number is told."""
    frame = pl.DataFrame({"age": ["[20, 29]"] * ROWS, name: given_out(False)})
    roles: dict[str, Any] = {"quasi_identifiers": ["age"], role: [name]}
    verdict = shoal.check(frame, k=4, **roles)
    said = [leak.statement for leak in verdict.leaks if leak.kind == "identifying_names"]
    assert said == [f"column {name!r} is called like an identifier and is published as it is"]


def test_a_private_name_with_a_harmless_word_is_left_alone() -> None:
    """A code of a diagnosis and a telephone that somebody has are sensitive facts and no identifiers."""
    codes = [f"E{row % 20}" for row in range(60)]
    frame = pl.DataFrame({"age": ["x"] * 60, "diagnosis_code": codes, "phone": ["y", "n"] * 30})
    verdict = shoal.check(frame, quasi_identifiers=["age"], k=4, sensitive=["diagnosis_code", "phone"])
    assert "identifying_names" not in [leak.kind for leak in verdict.leaks]
