# SPDX-License-Identifier: Apache-2.0
"""k-map and delta-presence, judged against a population."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.ground.errors import CannotHoldError, PlanError, TableError
from shoal.ground.requirements import Requirement
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging.linking.matching import match
from shoal.judging.privacy_models import delta_presence, k_map
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from tests.counts import count, repeats
from tests.reference import populations as definition

TABLES = count(100, 1000)
BATCH = 100

WORK = Hierarchy.from_rows([["Local", "Gov", "*"], ["State", "Gov", "*"], ["Private", "*"], ["Farm", "*"]])
AGES = [20, 21, 25, 29, 33]
AGE_LABELS = ["[20, 21]", "[20, 29]", "[25, 33]", "{20, 29}", "25", "*", None]
WORK_LABELS = ["Gov", "Local", "Private", "{Local, Farm}", "{Private, Gov}", "*", None]

Row = tuple[Any, Any]


def table_of(rows: list[Row], age: Any = pl.String) -> Table:
    """Two columns, age and work."""
    ages, works = [row[0] for row in rows], [row[1] for row in rows]
    return Table.of(pl.DataFrame({"age": pl.Series(ages, dtype=age), "work": pl.Series(works, dtype=pl.String)}))


def people(rows: list[Row]) -> Table:
    """A population, ages as numbers."""
    return table_of(rows, pl.Int64)


def plan_for(population: Any, **others: Any) -> Plan:
    """The roles of such tables."""
    kinds = {"age": "numeric", "work": "categorical"}
    return Plan.of(
        1, quasi_identifiers=list(kinds), kinds=kinds, hierarchies={"work": WORK}, population=population, **others
    )


def random_people(random: np.random.Generator, least: int = 1) -> list[Row]:
    """Up to thirty people, some with missing cells."""
    n = int(random.integers(least, 31))
    holes = float(random.choice([0.0, 0.2]))

    def cell(values: list[Any]) -> Any:
        return None if random.random() < holes else values[int(random.integers(len(values)))]

    return [(cell(AGES), cell(list(definition.TREE))) for _ in range(n)]


@pytest.mark.parametrize("batch", range(TABLES // BATCH))
def test_labels_are_matched_by_what_they_allow(batch: int) -> None:
    """People per class, k-map and delta-presence of random labels are those counted person by person."""
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        random = np.random.default_rng(seed)
        population = random_people(random)
        looks = [
            (AGE_LABELS[int(random.integers(len(AGE_LABELS)))], WORK_LABELS[int(random.integers(len(WORK_LABELS)))])
            for _ in range(int(random.integers(1, 5)))
        ]
        rows = [looks[int(random.integers(len(looks)))] for _ in range(int(random.integers(1, 12)))]
        wildcard = bool(random.random() < 0.3)
        plan = plan_for(people(population), missing="wildcard" if wildcard else "own")
        expected = definition.people_of(rows, population, wildcard=wildcard)
        k = int(random.integers(1, 8))
        found = k_map.check(table_of(rows), plan, k_map.Parameters(k))
        assert found.figures["k_found"] == min(expected), seed
        assert found.figures["rows_below_k"] == sum(one < k for one in expected), seed
        assert found.holds is (min(expected) >= k), seed
        if not wildcard:
            judge_presence(rows, population, plan, random, seed)


def judge_presence(rows: list[Row], population: list[Row], plan: Plan, random: np.random.Generator, seed: int) -> None:
    """delta-presence of one table beside its definition."""
    low, high = sorted(random.choice([0.0, 0.1, 0.25, 0.5, 0.75, 1.0], 2).tolist())
    chances = definition.chances_of(rows, population)
    lost = sum(one == 0 for one in definition.people_of(rows, population))
    outside = sum(not low - 1e-9 <= one <= high + 1e-9 for one in chances)
    found = delta_presence.check(table_of(rows), plan, delta_presence.Parameters(low, high))
    assert found.figures["delta_min_found"] == pytest.approx(min(chances), abs=2e-6), seed
    assert found.figures["delta_max_found"] == pytest.approx(max(chances), abs=2e-6), seed
    assert found.figures["people_outside"] == outside, seed
    assert found.figures["rows_without_match"] == lost, seed
    assert found.holds is (not outside and not lost), seed


@pytest.mark.parametrize("seed", repeats(15, 300))
def test_classes_of_the_size_asked_for_keep_k_map(seed: int) -> None:
    """Whatever records make a class of that size, strangers to the population among them, it looks like k people."""
    random = np.random.default_rng(seed)
    population = random_people(random, least=8)
    table = [population[place] for place in random.permutation(len(population))[: int(random.integers(2, 12))]]
    table += random_people(random)[: int(random.integers(0, 3))]
    k = int(random.integers(1, 7))
    size = k_map.requirement(k_map.Parameters(k), people(table), plan_for(people(population))).size
    if size == len(table):
        return  # all records together, which is no promise
    for _ in range(10):
        chosen = [table[place] for place in random.permutation(len(table))[:size]]
        assert definition.people_of([hull(chosen)], population)[0] >= k


def hull(rows: list[Row]) -> Row:
    """What a class of these records publishes."""
    ages, works = ({row[place] for row in rows} for place in (0, 1))
    age = "*" if None in ages else f"[{min(ages)}, {max(ages)}]"
    shown = "Gov" if works <= {"Local", "State"} else "*"
    return (None if ages == {None} else age), next(iter(works)) if len(works) == 1 else shown


def test_a_part_of_the_population_never_needs_more_than_k() -> None:
    """Classes of k records hold k people, so they always keep k-map; look-alikes outside make smaller ones do."""
    alone = [(age, "Farm") for age in AGES]
    assert k_map.requirement(k_map.Parameters(3), people(alone), plan_for(people(alone))) == Requirement(size=3)
    crowd = [one for one in alone for _ in range(4)]
    assert k_map.requirement(k_map.Parameters(3), people(alone), plan_for(people(crowd))) == Requirement(size=1)


@pytest.mark.parametrize("model", [{"k_map": {"k": 5}}, {"delta_presence": {"delta_max": 0.5}}])
def test_a_large_population_is_worth_something(model: dict[str, Any]) -> None:
    """Where many people outside the table look alike, classes may be smaller than five, and less is lost."""
    random = np.random.default_rng(4)
    everybody = pl.DataFrame({"age": random.integers(20, 60, 4_000), "work": random.choice(["Farm", "Shop"], 4_000)})
    sample = everybody.head(200)
    asked: dict[str, Any] = {"quasi_identifiers": ["age", "work"], "method": "mondrian"}
    mapped = shoal.anonymize(sample, k=1, models=model, population=everybody, **asked)
    alone = shoal.anonymize(sample, k=5, **asked)
    assert mapped.verdict.holds
    assert mapped.facts["smallest_class"] < 5
    losses = [next(one.value for one in release.measurements if one.metric == "ncp") for release in (mapped, alone)]
    assert losses[0] < losses[1]


def test_patients_of_a_village() -> None:
    """Five of five people of an age group are in the table, so 5-map hides no one's presence."""
    village = [(21, "Farm")] * 5 + [(33, "Farm")] * 10
    released = table_of([("[20, 29]", "Farm")] * 5 + [("[30, 39]", "Farm")])
    plan = plan_for(people(village))
    assert k_map.check(released, plan, k_map.Parameters(5)).holds is True
    found = delta_presence.check(released, plan, delta_presence.Parameters(0.0, 0.9))
    assert found.holds is False
    assert (found.figures["delta_min_found"], found.figures["delta_max_found"]) == (0.1, 1.0)
    assert found.figures["people_outside"] == 5


def test_bounds_are_matched_row_by_row() -> None:
    """A column published as two bounds allows what lies between them."""
    released = Table.of(pl.DataFrame({"age_min": [20, 25, None], "age_max": [21, 33, None], "work": ["*", "Gov", "*"]}))
    population = people([(20, "Farm"), (21, None), (25, "Local"), (33, "State"), (33, "Farm"), (None, "Farm")])
    found = match(released, population, plan_for(None, render={"age": "bounds"}))
    assert found.people[found.alike].tolist() == [2, 2, 1]


def test_values_outside_the_tree_and_labels_nobody_can_read() -> None:
    """A value that the tree lacks matches itself and anything; an unreadable label matches nobody."""
    population = people([(20, "Monk"), (20, "Local"), (20, None)])
    rows = [("20", "Monk"), ("20", "*"), ("20", "Gov"), ("20", None), ("twenty", "*"), ("20", "what")]
    found = match(table_of(rows), population, plan_for(None))
    assert found.people[found.alike].tolist() == [1, 3, 1, 1, 0, 0]


def test_nothing_is_read_into_a_label_to_make_a_crowd() -> None:
    """A mask without a tree, a set or an order with a stranger match nobody; a set with the root everybody."""
    population = Table.of(pl.DataFrame({"code": ["551", "552", "61"], "size": ["S", "S", "L"]}))
    released = Table.of(
        pl.DataFrame({"code": ["55*", "{551, 77}", "{551, *}", "61"], "size": ["*", "*", "S", "[L, X]"]})
    )
    kinds = {"code": "categorical", "size": "ordered"}
    orders = {"size": ["S", "L"]}
    plan = Plan.of(1, quasi_identifiers=["code", "size"], kinds=kinds, orders=orders)
    assert match(released.take(np.array([0, 1, 3])), population, plan).people.tolist() == [0, 0, 0]
    tree = Hierarchy.from_rows([["551", "*"], ["552", "*"], ["61", "*"]])
    with_tree = replace(plan, columns={**plan.columns, "code": replace(plan.columns["code"], hierarchy=tree)})
    assert match(released.take(np.array([2])), population, with_tree).people.tolist() == [2]


def test_a_population_file_is_read_with_the_marks_of_the_plan(tmp_path: Path) -> None:
    """Separator and header are guessed, the marks for missing are those of the plan."""
    (tmp_path / "people.csv").write_text("name;work;age\na;Farm;20\nb;?;21\nc;Local;20\n")
    given = {"privacy": {"k": 1, "population": "people.csv"}, "input": {"na": ["?"]}}
    given["columns"] = {name: {"role": "quasi-identifier"} for name in ("age", "work")}
    plan = Plan.from_dict(given, base=tmp_path)
    assert plan.population == tmp_path / "people.csv"
    found = k_map.check(table_of([("20", "*"), ("[20, 21]", "*"), ("21", None)]), plan, k_map.Parameters(1))
    assert found.figures["people"] == 3
    assert (found.holds, found.figures["k_found"]) == (True, 1)


# -- what cannot be meant, and what cannot be had -----------------------------------------------------------------


@pytest.mark.parametrize("population", [None, 1000])
@pytest.mark.parametrize(
    ("model", "claim"), [(k_map, k_map.Parameters(2)), (delta_presence, delta_presence.Parameters(0.0, 0.5))]
)
def test_a_claim_needs_a_population_table(model: Any, claim: Any, population: int | None) -> None:
    """Neither nothing nor a number will do; without a claim it is only said."""
    plan, table = plan_for(population), people([(20, "Farm")])
    with pytest.raises(PlanError) as raised:
        model.check(table, plan, claim)
    assert "--population" in str(raised.value)
    with pytest.raises(PlanError):
        model.requirement(claim, table, plan)
    assert model.check(table, plan, model.Parameters()).holds is None
    assert model.requirement(model.Parameters(), table, plan) == Requirement()


def test_bounds_that_no_release_can_keep_are_refused_at_once() -> None:
    """The mean chance is rows / people, and a population of fewer than k people is too small for k-map."""
    plan = plan_for(people([(20, "Farm")] * 10))
    table = people([(20, "Farm")] * 4)
    for low, high in ((0.0, 0.3), (0.5, 1.0)):
        with pytest.raises(CannotHoldError) as raised:
            delta_presence.requirement(delta_presence.Parameters(low, high), table, plan)
        assert "= 0.4 between" in raised.value.allowed
    assert delta_presence.requirement(delta_presence.Parameters(0.4, 0.4), table, plan) == Requirement()
    with pytest.raises(CannotHoldError) as raised:
        k_map.requirement(k_map.Parameters(11), table, plan)
    assert "at most 10" in raised.value.allowed
    with pytest.raises(PlanError):
        delta_presence.check(table, plan, delta_presence.Parameters(0.5, 0.4))


def test_centres_cannot_be_matched() -> None:
    """A mean holds none of the values behind it."""
    with pytest.raises(PlanError) as raised:
        k_map.check(people([(20, "Farm")]), plan_for(people([(20, "Farm")]), render="mean"), k_map.Parameters(1))
    assert "centres" in str(raised.value)


def test_a_population_without_the_columns_is_refused() -> None:
    """The error names the column and the table."""
    with pytest.raises(TableError) as raised:
        k_map.check(table_of([("*", "*")]), plan_for(people([(1, "Farm")]).without(["age"])), k_map.Parameters(1))
    assert "population" in raised.value.where


CENTRES: list[dict[str, Any]] = [
    {"method": "mdav"},
    {"method": "v_mdav"},
    {"render": "mean"},
    {"render": {"age": "median"}},
    {"render": "mode"},
]


@pytest.mark.thin(2)
@pytest.mark.parametrize("model", [{"k_map": {"k": 2}}, {"delta_presence": {"delta_max": 0.9}}])
@pytest.mark.parametrize("asked", CENTRES)
def test_centres_are_refused_for_what_they_are(model: dict[str, Any], asked: dict[str, Any]) -> None:
    """Whether the method or the user chose centres: the message says so, and what to add instead."""
    people = pl.DataFrame({"age": list(range(20))})
    table = people[[*range(0, 20, 2), 19]]
    keywords = {"k": 2, "quasi_identifiers": ["age"], "population": people, "models": model, "method": "mondrian"}
    with pytest.raises(PlanError, match="shows the centre of each class") as refused:
        shoal.anonymize(table, **keywords | asked)
    assert "is how the method publishes unless told otherwise" in refused.value.received
    assert "--render generalise" in refused.value.todo
    assert shoal.anonymize(table, **keywords | asked | {"render": "generalise"}).verdict.holds
