# SPDX-License-Identifier: Apache-2.0
"""Trees by public classifications: codes and names lead to the groups that the classification has."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import polars as pl
import pytest

import shoal
from shoal.ground import catalog
from shoal.ground.errors import HierarchyError
from shoal.hierarchies.building import ROOM, build_from, build_hierarchy
from shoal.hierarchies.kinds import _classified, ages, countries, education, icd10, isco08, nace, us_states
from shoal.hierarchies.values import Values
from shoal.tables.frames import as_table
from shoal.tables.labels import Labels

CLASSIFICATIONS = ("ages", "countries", "education", "icd10", "isco08", "nace", "us_states")


@pytest.mark.parametrize(
    ("kind", "value", "groups"),
    [
        ("countries", "DE", ("Western Europe", "Europe")),
        ("countries", "DEU", ("Western Europe", "Europe")),
        ("countries", "Allemagne", ("Western Europe", "Europe")),
        ("countries", "España", ("Southern Europe", "Europe")),
        ("countries", "United-States", ("Northern America", "Americas")),
        ("countries", "Türkiye", ("Western Asia", "Asia")),
        ("countries", "Niemcy", ("Western Europe", "Europe")),
        ("countries", "côte d’ivoire", ("Western Africa", "Africa")),
        ("countries", "Narnia", None),
        ("us_states", "DC", ("South Atlantic", "South")),
        ("us_states", "new york", ("Middle Atlantic", "Northeast")),
        ("us_states", "6", ("Pacific", "West")),
        ("us_states", "6.0", ("Pacific", "West")),
        ("us_states", "03", None),
        ("icd10", "E11.9", ("E11", "E10-E14 Diabetes mellitus", "IV Endocrine, nutritional and metabolic diseases")),
        ("icd10", "C50", ("C50-C50 Malignant neoplasm of breast", "II Neoplasms")),
        ("icd10", "d50", ("D50-D53 Nutritional anaemias", None)),
        ("icd10", "U07.1", ("U07", "U00-U49 Provisional assignment of new diseases of uncertain etiology", None)),
        ("icd10", "N20 kidney stones", ("N20-N23 Urolithiasis", "XIV Diseases of the genitourinary system")),
        ("icd10", "42", None),
        ("isco08", "2211", ("221*", "22 Health professionals", "2 Professionals")),
        ("isco08", "51", ("51 Personal service workers", "5 Service and sales workers")),
        ("isco08", "7", ("7 Craft and related trades workers",)),
        ("isco08", "2000", ("2 Professionals",)),
        ("isco08", "2900", None),
        ("nace", "62.01", ("62.0", "62 Computer programming and consultancy", "J Information and communication")),
        ("nace", "C10", ("10 Food products", "C Manufacturing")),
        ("nace", "q", ("Q Human health and social work",)),
        ("nace", "A10", None),
        ("nace", "04", None),
        ("education", "Abitur", ("ISCED 3 Upper secondary education", "ISCED 3-4 medium")),
        ("education", "9th grade", ("ISCED 2 Lower secondary education", "ISCED 0-2 low")),
        ("education", "5th or 6th grade", ("ISCED 1 Primary education", "ISCED 0-2 low")),
        ("education", "< hs diploma", ("ISCED 2 Lower secondary education", "ISCED 0-2 low")),
        ("education", "Doctorado", ("ISCED 8 Doctoral or equivalent", "ISCED 5-8 high")),
        ("education", "blue", None),
        ("ages", "37", ("[35, 39]", "[35, 44]", "[25, 44]", "[15, 64]")),
        ("ages", "91", ("85+", "65+")),
        ("ages", "20-24", ("[15, 24]", "[15, 64]")),
        ("ages", "unter 5", ("[0, 14]",)),
        ("ages", "old", None),
    ],
)
def test_values_lead_to_their_groups(kind: str, value: str, groups: tuple[str | None, ...] | None) -> None:
    """Codes as programs write them and names of eight languages; None in a group stands for any label."""
    found = catalog.load(ROOM, kind).groups_of([value])[0]
    assert (found is None) == (groups is None)
    assert found is None or [one for one in zip(found, groups or (), strict=True) if one[1] not in (None, one[0])] == []


@pytest.mark.parametrize("kind", CLASSIFICATIONS)
def test_what_is_not_known_hangs_under_the_root(kind: str) -> None:
    """Published as it is or not at all; or refused, if that was asked for, and always if nothing is known."""
    known = {"countries": "Peru", "education": "PhD", "icd10": "A00", "isco08": "11", "nace": "F", "us_states": "TX"}
    value = known.get(kind, "44")
    tree = build_from(Values.of([value, "Refused"]), kind, {})
    assert ["Refused", "*"] in tree.rows()
    for texts, settings in (([value, "Refused"], {"unknown": "refuse"}), (["Refused"], {})):
        with pytest.raises(HierarchyError, match="does not know") as caught:
            build_from(Values.of(texts), kind, settings)
        assert "Refused" not in str(caught.value)


def test_a_value_may_be_called_like_a_group() -> None:
    """A column of countries in which somebody wrote a continent still has a tree."""
    rows = build_from(Values.of(["Spain", "France", "Europe"]), "countries", {}).rows()
    assert ["Spain", "Southern Europe", "Europe (2)", "*"] in rows
    assert ["Europe", "*"] in rows


def test_codes_are_understood_by_their_labels() -> None:
    """Where a file tells what codes mean, the words lead to the groups and the codes stay the leaves."""
    table = as_table(pl.DataFrame({"edu": [1, 2, 3, 2]}))
    table = replace(table, labels=Labels(codes={"edu": {1: "primary", 2: "high school", 3: "PhD"}}))
    rows = {row[0]: row[2] for row in build_hierarchy(table, "edu", "education").rows()}
    assert rows == {"1": "ISCED 0-2 low", "2": "ISCED 3-4 medium", "3": "ISCED 5-8 high"}


def test_a_word_is_read_in_the_language_of_the_others() -> None:
    """``college`` is a school for teenagers in France and one for adults in the USA."""
    assert education.levels_of(["Collège", "Lycée", "Baccalauréat", "Licence"])[0] == 2
    assert education.levels_of(["College", "High school", "Masters"])[0] == 5


def test_zeros_in_front_come_back() -> None:
    """A program that took 0110 for a number made 110 of it."""
    assert isco08.groups_of(["110", "2211"])[0] == ("011*", "01 Commissioned armed forces officers", isco_major("0"))
    assert nace.groups_of(["111", "6201"])[0] == ("01.1", "01 Crop and animal production, hunting", nace_section("A"))


def isco_major(code: str) -> str:
    """The label of a major group."""
    return f"{code} {dict(_classified.lines('isco08'))[code]}"


def nace_section(code: str) -> str:
    """The label of a section."""
    return f"{code} {dict(_classified.lines('nace'))[code]}"


def test_the_lists_are_whole() -> None:
    """Every country once with codes of its own, every state, chapters in order, blocks inside them, all sections."""
    nations = list(_classified.lines("countries"))
    assert len({line[2] for line in nations}) == len({line[3] for line in nations}) == len(nations) == 250
    assert len({line[1] for line in nations}) == 6
    assert len({line[2] for line in _classified.lines("us_states")}) == 56
    chapters, blocks = icd10._ranges()
    assert len(chapters) == 22
    for ranges in (chapters, blocks):
        assert all(one[0] <= one[1] < other[0] for one, other in pairwise(ranges))
    assert all(icd10._within(first, chapters) == icd10._within(last, chapters) != "" for first, last, _ in blocks)
    assert len([code for code in isco08._names() if len(code) == 1]) == 10
    assert len(isco08._names()) == 10 + 43
    assert len([code for code in nace._names() if code.isalpha()]) == 21
    assert len(nace._sections()) == 88
    assert len(education._names()) == 9
    assert {ages.span_of(str(age)) for age in (0, 130)} == {(0, 0), (130, 130)}
    assert countries.groups_of(["AQ"]) == [("Antarctica",)]
    assert us_states.groups_of(["PR"]) == [("Territories",)]


def test_a_release_by_regions() -> None:
    """The tree serves a run as any other does."""
    patients = shoal.synthetic_patients(300, seed=1).select("age", "nationality")
    tree = build_hierarchy(patients, "nationality", "countries")
    release = shoal.anonymize(
        patients, k=10, quasi_identifiers=["age", "nationality"], hierarchies={"nationality": tree}, method="mondrian"
    )
    assert release.verdict.holds
    assert set(release.table["nationality"].drop_nulls()) <= set(tree.labels)
