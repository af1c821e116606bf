# SPDX-License-Identifier: Apache-2.0
"""Journalist and marketer risk, records at risk, and what the classes tell about private values."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal.judging.checking import measure
from shoal.judging.evidence import Measurement
from shoal.judging.look_alikes import household_risks, mean_inverse, weighted_risks
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from tests.counts import repeats
from tests.judging.privacy_models.test_populations import (
    AGE_LABELS,
    WORK_LABELS,
    people,
    plan_for,
    random_people,
    table_of,
)
from tests.reference.populations import people_of

RISKS = ("journalist_risk", "marketer_risk", "prosecutor_risk", "records_at_risk")

# Table 1 of He et al. (2012), in the classes of Table 2.
AGES = ["[20, 20]"] * 2 + ["[30, 40]"] * 2 + ["[50, 60]"] * 3
DISEASES = ["Flu", "Bronchitis", "Gastritis", "Pneumonia", "Flu", "Bronchitis", "Gastritis"]


def seven(population: Any) -> dict[str, Measurement]:
    """The risks of the seven patients."""
    plan = Plan.of(2, quasi_identifiers=["age"], sensitive=["disease"], kinds={"age": "numeric"}, population=population)
    released = Table.of(pl.DataFrame({"age": AGES, "disease": DISEASES}))
    return {one.metric: one for one in measure(None, released, plan, metrics=[*RISKS, "inference_gain"])}


def test_seven_patients_in_a_population() -> None:
    """With 10, 4 and 6 people who look like the three classes: journalist 1/4, marketer (2/10 + 2/4 + 3/6) / 7."""
    found = seven(Table.of(pl.DataFrame({"age": [20] * 10 + [30, 35, 40, 40] + [50, 55, 60, 60, 60, 60] + [90]})))
    assert found["prosecutor_risk"].value == 1 / 2
    assert found["journalist_risk"].value == 0.25
    assert found["marketer_risk"].value == pytest.approx(0.171429, abs=1e-6)
    assert found["journalist_risk"].figures["mean"] == pytest.approx(0.171429, abs=1e-6)
    assert found["marketer_risk"].figures["expected_matches"] == pytest.approx(1.2)
    assert found["journalist_risk"].figures["records_at_max"] == 2
    assert found["journalist_risk"].figures["share_above"] == pytest.approx(2 / 7)
    assert found["journalist_risk"].note == ""


def test_without_a_population_the_table_is_the_bound() -> None:
    """The risks are the prosecutor's, and a note says that they are the most they can be."""
    found = seven(None)
    assert found["journalist_risk"].value == found["prosecutor_risk"].value
    assert found["marketer_risk"].value == pytest.approx(3 / 7)
    assert "no population is known" in found["marketer_risk"].note
    small = seven(3)
    assert small["marketer_risk"].value == pytest.approx(3 / 7)
    assert "smaller than the table" in small["marketer_risk"].note


def test_people_whom_the_population_lacks_are_still_there() -> None:
    """A class of two that matches one person, or nobody, is at least two people; a note counts the rows."""
    found = seven(Table.of(pl.DataFrame({"age": [20] * 1 + [30] * 4 + [55] * 6})))
    assert found["journalist_risk"].value == 1 / 2
    assert found["journalist_risk"].note.startswith("2 rows match fewer people")


def test_a_number_of_people_gives_an_estimate() -> None:
    """Seven of seventy: the mean of 1/F of classes of 2, 2 and 3, each below that of the table, and said so."""
    found = seven(70)
    mean = mean_inverse(3, 0.1)
    assert found["journalist_risk"].value == pytest.approx(mean[2])
    assert found["marketer_risk"].value == pytest.approx((4 * mean[2] + 3 * mean[3]) / 7)
    assert "estimated" in found["marketer_risk"].note
    assert seven(7)["marketer_risk"].value == pytest.approx(3 / 7)


@pytest.mark.parametrize("rate", [0.001, 0.1, 0.3, 0.5, 0.5000001, 0.6, 0.9, 1.0])
def test_the_estimate_is_the_mean_of_the_negative_binomial(rate: float) -> None:
    """Summed term by term: F people of whom f were drawn, each with the same chance."""
    found = mean_inverse(40, rate)
    for f in (1, 2, 3, 7, 40):
        chance, mean = rate**f, 0.0
        for more in range(200_000):
            mean += chance / (f + more)
            chance *= (f + more) / (more + 1) * (1 - rate)
            if chance < 1e-18 and more > f / rate:
                break
        assert found[f] == pytest.approx(mean, rel=1e-7)


@pytest.mark.parametrize("seed", repeats(5, 60))
def test_weights_give_each_class_its_own_rate(seed: int) -> None:
    """Class by class, its rows over the sum of their weights, at most 1; households by the product of its members."""
    random = np.random.default_rng(seed)
    rows = 120
    alike = np.unique(random.integers(0, random.choice([8, 60]), rows), return_inverse=True)[1]
    weights = random.uniform(0.2, 10 ** random.uniform(0, 3), rows)
    risks = weighted_risks(alike, weights)
    for row in range(rows):
        own = alike == alike[row]
        f, people = int(own.sum()), max(float(weights[own].sum()), float(own.sum()))
        assert risks[row] == pytest.approx(mean_inverse(f, f / people)[f])
    homes = random.integers(0, 40, rows)
    shared = household_risks(risks, homes)
    for row in range(rows):
        assert shared[row] == pytest.approx(1 - math.prod((1 - risks[homes == homes[row]]).tolist()))


def test_the_estimate_is_right_on_average_over_samples() -> None:
    """Where few classes are large and many small, as 1/F, a sample of a tenth gives the true marketer risk."""
    random = np.random.default_rng(0)
    sizes = np.exp(random.uniform(0, math.log(3000), 20_000)).astype(np.int64)
    drawn = random.binomial(sizes, 0.1)
    true = (drawn[drawn > 0] / sizes[drawn > 0]).sum() / drawn.sum()
    mean = mean_inverse(int(drawn.max()), drawn.sum() / sizes.sum())
    estimated = (drawn[drawn > 0] * mean[drawn[drawn > 0]]).sum() / drawn.sum()
    assert estimated == pytest.approx(true, rel=0.1)


@pytest.mark.parametrize("batch", repeats(3, 10))
def test_risks_equal_those_counted_person_by_person(batch: int) -> None:
    """Random labels against random people: largest and mean of 1/F, where F counts at least the rows of the class."""
    for seed in range(batch * 30, batch * 30 + 30):
        random = np.random.default_rng(seed)
        population = random_people(random)
        labels = [(age, work) for age in AGE_LABELS for work in WORK_LABELS]
        looks = [labels[place] for place in random.integers(len(labels), size=3)]
        rows = [looks[place] for place in random.integers(3, size=int(random.integers(1, 12)))]
        risks = [
            1 / max(known, Counter(rows)[row]) for known, row in zip(people_of(rows, population), rows, strict=True)
        ]
        found = {one.metric: one for one in measure(None, table_of(rows), plan_for(people(population)), metrics=RISKS)}
        assert found["journalist_risk"].value == pytest.approx(max(risks)), seed
        assert found["marketer_risk"].value == pytest.approx(sum(risks) / len(risks)), seed
        share = sum(risk > 0.2 for risk in risks) / len(risks)
        assert found["journalist_risk"].figures["share_above"] == pytest.approx(share), seed
        for few in (20, 10, 5, 3, 2):
            above = sum(Counter(rows)[row] < few for row in rows) / len(rows)
            assert found["records_at_risk"].figures[f"above_1_in_{few}"] == pytest.approx(above), seed
        assert found["records_at_risk"].value == found["prosecutor_risk"].figures["share_above"]


def test_centres_have_no_population() -> None:
    """Means match nobody: the risk is undefined, and the note says why."""
    plan = plan_for(people([(20, "Farm")]), render="mean")
    found = measure(None, people([(20, "Farm")]), plan, metrics=["journalist_risk"])[0]
    assert math.isnan(found.value)
    assert "centres" in found.note


# -- inference -----------------------------------------------------------------------------------------------------


def test_seven_patients_are_guessed() -> None:
    """Two of seven are guessed from the table, one of each class from the classes: 3/7 - 2/7."""
    found = seven(None)["inference_gain"]
    assert found.value == pytest.approx(1 / 7)
    assert found.figures == pytest.approx({"gain disease": 1 / 7, "with disease": 3 / 7, "without disease": 2 / 7})


@pytest.mark.parametrize("seed", repeats(15, 100))
def test_gain_equals_guessing_row_by_row(seed: int) -> None:
    """Everybody's value is guessed as the commonest of the table, and as the commonest of their class."""
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 25))
    groups = [["a", "b", None][place] for place in random.integers(3, size=n)]
    columns = {name: [["x", "y", "z", None][place] for place in random.integers(4, size=n)] for name in ("s", "t")}
    plan = Plan.of(1, quasi_identifiers=["q"], sensitive=["s", "t"])
    found = measure(None, Table.from_columns({"q": groups, **columns}), plan, metrics=["inference_gain"])[0]
    gains = []
    for values in columns.values():
        without = max(Counter(values).values()) / n
        inside = [
            [value for value, other in zip(values, groups, strict=True) if other == group] for group in set(groups)
        ]
        gains.append(sum(max(Counter(one).values()) for one in inside) / n - without)
    assert found.value == pytest.approx(max(gains))
    assert min(gains) >= -1e-12


def test_no_sensitive_column_no_gain() -> None:
    """What is not there cannot be guessed; the note says so."""
    found = measure(
        None, Table.from_columns({"q": ["a"]}), Plan.of(1, quasi_identifiers=["q"]), metrics="inference_gain"
    )
    assert math.isnan(found[0].value)
    assert "sensitive" in found[0].note
