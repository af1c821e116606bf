# SPDX-License-Identifier: Apache-2.0
"""Private values count by what they mean, on both sides of the wall; spellings raise no l, and lower no share."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.ground.errors import CannotHoldError
from shoal.ground.missing_words import MISSING_WORDS
from shoal.judging.labels import letters as judged_letters
from shoal.judging.private_values import _day, grouped, private_codes
from shoal.tables.letters import looks
from shoal.tables.meanings import meaning_codes, same_meanings
from shoal.tables.notation import Notation
from shoal.tables.table import Table
from tests.counts import repeats

ALIKE = {
    "numbers": ["5", "5.0", "5e0", "05", "+5", "5,0", "0.5E1", " 5", "５", "٥", "5.", "500e-2", "005.000"],
    "fractions": ["0.3", "0.30", ".3", "3e-1", "0,3", "0.30000000000000001", "+.3"],
    "zeros": ["0", "-0", "0.0", "-0.0", "0e9", "00", "−0"],
    "thousands": ["1500", "1,500", "1 500", "1'500", "1.5e3", "1,500.00"],
    "days": [
        "2020-01-01",
        "2020-01-01 00:00:00",
        "2020-01-01T00:00",
        "2020/1/1",
        "2020-01-01T00:00:00.000Z",
        "2020-01-01T02:00:00+02:00",
        "01.01.2020",
        "1 Jan 2020",
        "January 1, 2020",
        "1/1/2020",
    ],
    "moments": [
        "2020-05-06 07:08:09",
        "2020-05-06T07:08:09.000",
        "2020-05-06 07:08:09 UTC",
        "2020-05-06T07:08:09-00:00",
    ],
    "case and blanks": ["HIV pos", "hiv pos", "HIV  pos", " HIV pos ", "HIV\tpos", "HIV\u00a0pos", "HIV\u2003pos"],
    "other alphabets": ["ACE", "АСЕ", "ΑCΕ", "aсe", "ꓮꓚꓰ", "ᎪᏟᎬ", "ＡＣＥ", "𝐀𝐂𝐄", "ᴀᴄᴇ", "ꭺꮯꭼ", "𐊠𐊢𐊆", "ⲀⲤⲈ"],
    "unseen signs": [
        "flu",
        "f\u200blu",
        "flu\ufe0f",
        "fl\u3164u",
        "f\u00adlu",
        "\ufeffflu",
        "flu\U000e0101",
        "f\u034flu",
        "f\u115flu",
        "flu\u2060",
        "f\u061clu",
        "flu\u180e",
        "\u202eflu",
        "flu\U000e0041",
        "fl\uffa0u",
    ],
    "composed": ["Grippé", "Grippe\u0301", "GRIPPÉ"],
    "stops and quotes": ["flu", "flu.", "Flu;", '"flu"', "'flu'", "(flu)", "- flu", "“flu.”", "flu ,", "* flu", "flu!"],
    "signs": ["x-ray", "x‐ray", "x–ray", "X−RAY", "x\u2011ray"],
}
"""What means the same, in many spellings."""
MISSING = [
    "",
    "NA",
    "N/A",
    "?",
    "unknown",
    "Unknown ",
    "null",
    "None",
    "-",
    ".",
    "nan",
    "—",
    "#N/A",
    "n.a.",
    "ＮＡ",
    "\u200b",
    "<NA>",
    "don't know",
    "refused",
    "(unknown)",
    "Unknown.",
    "'n/a'",
    "prefer not to say",
]
UNLIKE = [
    "5",
    "5.5",
    "-5",
    "50",
    "9007199254740993",
    "9007199254740992",
    "A+",
    "A-",
    "A",
    "mg",
    "µg",
    "2020-01-01",
    "2020-01-02",
]
UNLIKE += [
    "2020-01-01 00:00:01",
    "01/02/2020",
    "02/01/2020",
    "flu",
    "flu2",
    "cold",
    "no",
    "yes",
    "1e400",
    "1e401",
    "0.1",
    "0.11",
    "6'",
    '6"',
    "(7)",
    "c++",
    "c#",
    "c",
    "j45.-",
    "j45",
]


@pytest.mark.parametrize("group", ALIKE)
def test_spellings_of_one_value_are_one(group: str) -> None:
    """However a value is spelled, the judge and the engine count it once."""
    texts = ALIKE[group]
    assert grouped(texts).tolist() == [0] * len(texts)
    assert same_meanings(texts) == [0] * len(texts)


def test_spellings_of_missing_are_missing() -> None:
    """Marks for missing are one value, the same as an empty cell."""
    assert set(grouped(MISSING).tolist()) == {-1} == set(same_meanings(MISSING))
    table = Table.of(pl.DataFrame({"x": [*MISSING, None]}))
    assert set(private_codes(table, "x").tolist()) == {0} == set(meaning_codes(table, "x").tolist())


def test_different_values_stay_different() -> None:
    """Nothing is merged that a reader would tell apart: large whole numbers, units, blood groups, days."""
    assert grouped(UNLIKE).tolist() == list(range(len(UNLIKE))) == same_meanings(UNLIKE)


def test_a_decimal_comma_is_read_where_the_reading_says_so() -> None:
    """With a decimal comma 1.500 is fifteen hundred; without it is one and a half."""
    texts = ["1,5", "1.500", "1500", "1,50"]
    assert grouped(texts, Notation(",")).tolist() == [0, 1, 1, 0] == same_meanings(texts, Notation(","))
    assert grouped(texts).tolist() == [0, 0, 2, 0] == same_meanings(texts)


PIECES = [
    *"0123456789.,-+eE/:T Zzn'?αΑнНıİßſЅ٣３½Ⅳﬁ",
    "\u200b",
    "\ufe0f",
    "\u0301",
    "\u00a0",
    "2020-01-0",
    "00:00",
    "NA",
    "jan ",
    "01.02.2020",
    "12/31/1999 ",
    "20200131",
    "1.234",
    "1 234",
    " €",
    "$",
    " %",
    "EUR ",
    "\u2212",
    "5 march 2020",
    "pm",
]
NOTATIONS = [
    *(Notation(decimal, mark) for decimal in ".," for mark in ("", ".", ",", " ", "'") if mark != decimal),
    *(
        Notation(date_format=form)
        for form in ("dd.mm.yyyy", "m/d/yyyy", "yyyymmdd", "d mmmm yyyy", "dd.mm.yy from 1930", "m/d/yyyy h:mm am")
    ),
]


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), max_size=12), st.sampled_from(NOTATIONS))
def test_the_engine_merges_what_the_judge_merges(texts: list[str], notation: Notation) -> None:
    """Two implementations, one answer, so that no release of ours is refused at the end for spellings."""
    assert grouped(texts, notation).tolist() == same_meanings(texts, notation)


def test_both_sides_know_the_same_letters_and_marks() -> None:
    """Each side has tables of its own; what the judge takes for one look, the engine does."""
    for drawn in (judged_letters.SMALL, judged_letters.CAPITALS, judged_letters.SIGNS):
        for plain, signs in drawn.items():
            assert [sign for sign in signs if plain.strip() not in looks(f"a{sign}b")[1]] == []
    assert set(same_meanings(sorted(MISSING_WORDS))) == {-1}


# -- every model -----------------------------------------------------------------------------------------------------


def judged(values: list[Any], **models: Any) -> bool:
    """Whether a table of two classes of four rows holds; both classes show the values given."""
    frame = pl.DataFrame({"age": ["[1, 2]"] * 4 + ["[3, 4]"] * 4, "x": [*values, *values[::-1]]})
    return shoal.check(frame, quasi_identifiers=["age"], sensitive=["x"], k=4, models=models).holds


SPELLED = [["5", "5.0", "5e0", "05"], ["NA", "?", None, "unknown"], ["flu", "FLU", "ﬂu", "fl\u200bu"]]
SPELLED += [["2020-01-01", "2020-01-01 00:00:00"] * 2, ["0.3", "0.30", ".3", "3e-1"], ["ACE", "АСЕ", "aСe", "ᎪᏟᎬ"]]


@pytest.mark.parametrize("values", SPELLED)
def test_one_value_is_not_diverse(values: list[Any]) -> None:
    """l-diversity of every kind, and (alpha, k), see one value in a class of four spellings."""
    for kind in ("distinct", "frequency", "entropy"):
        assert not judged(values, l_diversity={"kind": kind, "l": 2})
    assert not judged(values, l_diversity={"kind": "recursive", "l": 2, "c": 3.0})
    assert not judged(values, alpha_k={"alpha": 0.5})


@pytest.mark.parametrize("values", SPELLED)
def test_shares_are_those_of_values(values: list[Any]) -> None:
    """Classes whose spellings differ and whose values do not are as close to the table as can be."""
    frame = pl.DataFrame({"age": ["[1, 2]"] * 2 + ["[3, 4]"] * 2, "x": values})
    models = {"t_closeness": {"t": 0.0}, "beta_likeness": {"beta": 0.0}, "delta_disclosure": {"delta": 0.01}}
    assert shoal.check(frame, quasi_identifiers=["age"], sensitive=["x"], k=2, models=models).holds


def test_closeness_along_an_order_and_in_a_tree() -> None:
    """Spellings have one place in an order and one leaf of a tree."""
    frame = pl.DataFrame({"age": ["[1, 2]"] * 2 + ["[3, 4]"] * 2, "x": ["low", "high", "LOW", "High"]})
    tree = [[word, "*"] for word in ("low", "high", "LOW", "High")]
    order = {"orders": {"x": ["low", "LOW", "High", "high"]}}
    for more in ({"kind": "ordered"}, {"kind": "hierarchical"}, {"kind": "equal"}):
        known = order if more["kind"] == "ordered" else {"hierarchies": {"x": tree}}
        models = {"t_closeness": {"t": 0.0, **more}}
        verdict = shoal.check(frame, quasi_identifiers=["age"], sensitive=["x"], k=2, models=models, **known)
        assert verdict.holds, more


def test_listed_values_are_bounded_in_every_spelling() -> None:
    """(alpha, k) about one listed value counts all spellings of it."""
    assert not judged(["flu", "FLU", "Flu", "cold"], alpha_k={"alpha": 0.5, "values": ["flu"]})


# -- the whole flow --------------------------------------------------------------------------------------------------

MODELS = [
    {"l_diversity": {"l": 2}},
    {"l_diversity": {"l": 3}},
    {"l_diversity": {"kind": "entropy", "l": 2}},
    {"l_diversity": {"kind": "frequency", "l": 2}},
    {"alpha_k": {"alpha": 0.7}},
    {"beta_likeness": {"beta": 2.0}},
    {"delta_disclosure": {"delta": 2.0}},
    {"t_closeness": {"t": 0.3}},
]


@pytest.mark.parametrize("seed", repeats(4, 60))
def test_what_is_released_holds_or_is_refused_before(seed: int, tmp_path: Path) -> None:
    """A column full of spellings ends with a release that holds as read back, or with a word about what is asked."""
    dice = random.Random(seed)
    groups = dice.sample([*ALIKE.values(), MISSING], 5)
    rows = 60
    path = tmp_path / "people.csv"
    frame = pl.DataFrame(
        {
            "age": [dice.randint(20, 80) for _ in range(rows)],
            "x": [dice.choice(dice.choice(groups)).replace("\ufeff", "") for _ in range(rows)],
        }
    )
    frame.write_csv(path)
    models = MODELS[seed % len(MODELS)]
    try:
        release = shoal.anonymize(
            path, k=3, quasi_identifiers=["age"], sensitive=["x"], models=models, method="mondrian", suppression=0.1
        )
    except CannotHoldError:
        return
    saved = release.save(tmp_path / "released")
    assert shoal.check(saved / "table.csv", plan=release.plan).holds


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2020-05-12", (2020, 5, 12, True)),
        ("05.12.2020", (2020, 12, 5, True)),
        ("13/05/2020", (2020, 5, 13, True)),
        ("5/13/2020", (2020, 5, 13, True)),
        ("5/5/2020", (2020, 5, 5, True)),
        ("5/12/2020", (2020, 5, 12, False)),
        ("12/5/2020", (2020, 12, 5, False)),
        ("5 may 2020", (2020, 5, 5, True)),
    ],
)
def test_a_day_is_sure_where_it_can_be_read_in_one_way(written: str, day: tuple[int, int, int, bool]) -> None:
    """With stops the month is second; with strokes only a number above twelve, or two equal ones, say which it is."""
    found = _day(written)
    assert found is not None
    assert (*found[:3], found.sure) == day
