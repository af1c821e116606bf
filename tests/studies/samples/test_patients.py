# SPDX-License-Identifier: Apache-2.0
"""The synthetic patients: reproducible, plausible, covered by their hierarchies, and about nobody."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.ground.errors import PlanError
from shoal.hierarchies.hierarchy import check_covers
from shoal.studies.samples.patients import (
    patient_hierarchies,
    patient_plan,
    patient_roles,
    patients_table,
    synthetic_patients,
)

COLUMNS = (
    "name email phone birth_date age sex postcode marital_status nationality insurance "
    "admission_date diagnosis cost note"
).split()


@pytest.fixture(scope="module")
def many() -> pl.DataFrame:
    """Enough patients for proportions to be steady."""
    return synthetic_patients(20_000, seed=3)


def test_columns_and_types() -> None:
    """The promised columns in the promised order, with dates as dates and numbers as numbers."""
    frame = shoal.synthetic_patients(50)
    assert frame.columns == COLUMNS
    assert frame.height == 50
    assert frame.schema["birth_date"] == frame.schema["admission_date"] == pl.Date
    assert frame.schema["age"] == pl.Int64
    assert frame.schema["cost"] == pl.Float64


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_few_rows_have_the_same_types(rows: int) -> None:
    """Even an empty table of patients has the full schema."""
    assert synthetic_patients(rows).schema == synthetic_patients(100).schema


def test_same_seed_same_bytes() -> None:
    """Seed and rows decide every byte, on every machine: the digest below is part of the promise."""
    text = synthetic_patients(200, seed=7).write_csv()
    assert text == synthetic_patients(200, seed=7).write_csv()
    assert text != synthetic_patients(200, seed=8).write_csv()
    assert hashlib.sha256(text.encode()).hexdigest() == (
        "a6d02de47e52e0634f5e8f73b1ba0f2b7a8a15ee0e51fcf7ee67be7f23c8af88"
    )


@pytest.mark.parametrize("given", [{"rows": -1}, {"seed": -1}, {"rows": 1.5}, {"rows": True}, {"seed": "0"}])
def test_wrong_wishes_are_refused(given: dict[str, Any]) -> None:
    """A negative or broken number gets an explained error."""
    with pytest.raises(PlanError) as caught:
        synthetic_patients(**given)
    assert set(caught.value.parts()) == {"what", "where", "allowed", "received", "next"}


def test_hierarchies_cover_every_value(many: pl.DataFrame) -> None:
    """The trees that come with the table fit it."""
    for column, tree in patient_hierarchies().items():
        check_covers(tree, many.get_column(column).drop_nulls().unique().to_list(), column=column)


def test_every_column_has_at_most_one_role() -> None:
    """The roles name columns of the table, none twice, and the plan can be built from them."""
    named = [name for columns in patient_roles().values() for name in columns]
    assert len(named) == len(set(named))
    assert set(named) <= set(COLUMNS)
    assert shoal.Plan.of(**patient_plan(5)).k == 5


def test_nobody_can_be_reached(many: pl.DataFrame) -> None:
    """Addresses and numbers are those reserved for examples and fiction."""
    assert all(re.search(r"@example\.(org|com|net)$", one) for one in many.get_column("email").drop_nulls())
    assert all(re.fullmatch(r"\+1-\d{3}-555-01\d\d", one) for one in many.get_column("phone").drop_nulls())


def test_age_fits_the_dates(many: pl.DataFrame) -> None:
    """Age is the number of full years on the day of admission."""
    for born, admitted, age in many.select("birth_date", "admission_date", "age").head(3000).iter_rows():
        had_birthday = (admitted.month, admitted.day) >= (born.month, born.day)
        assert age == admitted.year - born.year - (not had_birthday)


def test_some_cells_are_missing_but_never_age_or_sex(many: pl.DataFrame) -> None:
    """Missing values occur where hospitals have them, and stay rare in what describes a person."""
    share = {name: many.get_column(name).null_count() / many.height for name in many.columns}
    assert share["age"] == share["sex"] == share["diagnosis"] == 0
    for name in ("postcode", "marital_status", "nationality", "insurance"):
        assert 0.0005 < share[name] < 0.03
    without = many.select(pl.col("age"), pl.col("email").is_null())
    old, young = (without.filter(who).get_column("email").mean() for who in (pl.col("age") >= 80, pl.col("age") < 50))
    assert old > 3 * young


def test_plausible_dependencies(many: pl.DataFrame) -> None:
    """Age, sex, diagnosis, cost and note hang together the way they do in a hospital."""
    children = many.filter(pl.col("age") < 18)
    assert set(children.get_column("marital_status").drop_nulls()) == {"never married"}
    births = many.filter(pl.col("diagnosis") == "O80 birth")
    assert births.height > 50
    assert births.get_column("sex").is_in(["female", "diverse"]).all()
    widowed = many.filter(pl.col("marital_status") == "widowed")
    assert widowed.get_column("age").mean() > many.get_column("age").mean() + 10
    by_diagnosis = dict(many.group_by("diagnosis").agg(pl.col("cost").median()).iter_rows())
    assert by_diagnosis["C18 bowel cancer"] > 3 * by_diagnosis["J06 cold"]
    cost = many.get_column("cost").fill_null(0).to_numpy()
    length = many.get_column("note").str.len_chars().fill_null(0).to_numpy()
    assert length[cost > np.quantile(cost, 0.8)].mean() > length[cost < np.quantile(cost, 0.2)].mean() + 10


def test_postcodes_are_crowded_and_regions_differ(many: pl.DataFrame) -> None:
    """A few postcodes hold many people; the large port city is more mixed than the hills."""
    sizes = many.get_column("postcode").value_counts().get_column("count").sort(descending=True)
    assert sizes.head(len(sizes) // 10).sum() > 0.3 * many.height
    region = {row[0]: row[-2] for row in patient_hierarchies()["postcode"].rows()}
    home = many.drop_nulls(["postcode", "nationality"]).select(
        pl.col("postcode").replace_strict(region), pl.col("nationality") == "Merland"
    )
    share = dict(home.group_by("postcode").agg(pl.col("nationality").mean()).iter_rows())
    assert share["Highvale"] > share["Kingsbay"] + 0.1


def test_postcodes_are_text_with_leading_zeros() -> None:
    """Codes such as 00123 stay codes."""
    codes = [row[0] for row in patient_hierarchies()["postcode"].rows()]
    assert len(codes) == len(set(codes)) == 480
    assert {len(code) for code in codes} == {5}
    assert any(code.startswith("0") for code in codes)


def test_the_table_form_is_the_same() -> None:
    """The frame that users get and the table that the engine reads are one."""
    assert patients_table(40, seed=1).frame.equals(synthetic_patients(40, seed=1))
