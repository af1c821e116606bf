# SPDX-License-Identifier: Apache-2.0
"""Utility: every metric sees what it should, heeds weights, and finds an unchanged release perfect."""

import math
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.ground import catalog
from shoal.ground.errors import Interrupted, PlanError, TableError
from shoal.ground.progress import Progress, Step
from shoal.judging import analyst
from shoal.judging.checking import measure, usual_metrics, utility_metrics
from shoal.judging.evidence import Evidence
from shoal.judging.gates import judged_gates
from shoal.judging.metrics import accuracy_kept, pmse, query_error
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from tests.counts import count, repeats
from tests.judging.metrics.utility_tables import PLAN, Tables, random_tables

UTILITY = tuple(utility_metrics())


# -- weights -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [one for one in UTILITY if one != "rows_kept"])
def test_a_row_of_weight_three_counts_as_three_rows(name: str) -> None:
    """Every figure but those that depend on the number of rows: a weighted table is the table with rows repeated."""
    before, after = random_tables(11, 60)
    weights = [1 + (row % 3) for row in range(60)]
    rows = [row for row in range(60) for _ in range(weights[row])]
    long = [{one: [cells[row] for row in rows] for one, cells in side.items()} for side in (before, after)]
    weighted = [pl.DataFrame({**side, "w": weights}, strict=False) for side in (before, after)]
    plan = replace(PLAN, sample_weight="w", group_by=(("age", "place"),))
    module = catalog.load("metrics", name)
    one = module.measure(Evidence(*map(Table.of, weighted), plan))
    other = module.measure(Evidence(*(Table.of(pl.DataFrame({**side, "w": 1}, strict=False)) for side in long), plan))
    left_out = {  # drawn rows, rows of the table, chance
        "accuracy_kept": (set(one.figures), 0.25),
        "correlation_kept": ({"cramers_v", "ratio", "largest_change"}, 0.15),
        "pmse": ({"expected", "ratio"}, 1e-6),
        "query_error": ({"median", "worst_tenth"}, 0.2),
        "regression_kept": ({"overlap ill", "moved ill", "signs ill"}, 0.5),
    }
    random, slack = left_out.get(name, (set(), 1e-9))
    assert one.value == pytest.approx(other.value, abs=slack)
    told = {figure: value for figure, value in one.figures.items() if figure not in random}
    assert told == {figure: pytest.approx(other.figures[figure]) for figure in told}
    assert told or name in ("accuracy_kept", "regression_kept")


def test_a_release_that_hides_its_weights_says_so() -> None:
    """Its rows count alike then."""
    before, after = random_tables(12)
    plan = replace(PLAN, sample_weight="w")
    tables = pl.DataFrame({**before, "w": 2}, strict=False), pl.DataFrame(after, strict=False)
    (found,) = measure(*tables, plan, metrics="distribution_shift")
    assert found.note == "the release does not show the survey weights, so its rows count alike"


@pytest.mark.parametrize("cell", [0, -1, None, 1e300, 1e-300])
def test_what_is_no_weight_is_refused(cell: float | None) -> None:
    """Before anything is done; and a column of weights is not blurred."""
    frame = pl.DataFrame({"age": [1, 1, 2, 2], "w": [1, 2, 3, cell]}, strict=False)
    with pytest.raises(TableError, match="Some weights are missing, zero, negative or huge"):
        shoal.anonymize(frame, k=2, quasi_identifiers=["age"], sample_weight="w", method="mondrian")
    with pytest.raises(TableError, match="Some weights are missing, zero, negative or huge"):
        shoal.risk(frame, quasi_identifiers=["age"], sample_weight="w")
    with pytest.raises(PlanError, match="cannot be a quasi-identifier"):
        Plan.of(2, quasi_identifiers=["age", "w"], sample_weight="w")


def test_weights_are_no_dates_and_nothing_to_predict() -> None:
    """Days since 1970 would be numbers above 0, and a column of weights is no fact about a person."""
    frame = pl.DataFrame({"age": [1, 1, 2, 2], "w": [date(2020, 1, 1)] * 4, "v": [2, 2, 3, 3]})
    roles = {"quasi_identifiers": ["age"], "method": "mondrian", "rest": "insensitive"}
    with pytest.raises(TableError, match="Weights are numbers, not dates"):
        shoal.anonymize(frame, k=2, **roles, sample_weight="w")
    with pytest.raises(PlanError, match="how many people a row stands for"):
        shoal.anonymize(frame, k=2, **roles, sample_weight="v", target="v")


def test_what_the_workload_names_is_looked_at_in_wide_tables() -> None:
    """Of 300 columns forty are read; the last of them, if it is to be predicted."""
    random = np.random.default_rng(0)
    wide = pl.DataFrame({f"c{number}": random.integers(0, 5, 40) for number in range(300)})
    names = wide.columns
    plan = Plan.of(2, quasi_identifiers=names[:-2], insensitive=names[-2:], target=names[-1], pairs=[names[0::299]])
    found = {one.metric: one for one in measure(wide, wide, plan, metrics=["accuracy_kept", "correlation_kept"])}
    assert found["accuracy_kept"].value == 1
    assert f"before {names[0]} + {names[-1]}" in found["correlation_kept"].figures
    assert found["correlation_kept"].note.startswith("only 40 columns are looked at")
    assert len(analyst.analysed(Evidence(Table.of(wide), Table.of(wide), plan)).columns) == analyst.MOST_COLUMNS


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("unit", [1e-300, 1e-12, 1e12, 1e200, 1e300])
def test_nothing_depends_on_the_unit(unit: float) -> None:
    """A target, and a quasi-identifier, in units so large or small that their squares are no numbers."""
    before, after = random_tables(5, 60)
    told = []
    for each in (1.0, unit):
        cost = [each * (float(one or 0) % 7 + 0.5) for one in before["height"]]
        size = [each * (float(one or 0) + 0.25) for one in before["age"]]
        sides = [pl.DataFrame({**side, "cost": cost, "size": size}, strict=False) for side in (before, after)]
        columns = {"cost": ColumnPlan(role="sensitive"), "size": ColumnPlan(role="quasi-identifier", kind="numeric")}
        plan = replace(PLAN.with_columns(columns), target="cost", pairs=(("age", "cost"),))
        names = [one for one in UTILITY if one != "rows_kept"]
        told.append({one.metric: (one.value, dict(one.figures)) for one in measure(*sides, plan, metrics=names)})
    assert told[1] == {
        name: (pytest.approx(value, nan_ok=True), pytest.approx(more)) for name, (value, more) in told[0].items()
    }
    assert 0 < told[0]["regression_kept"][1]["overlap cost"] < 1


def test_it_is_said_why_a_target_cannot_be_read() -> None:
    """And not that nobody named one."""
    frame = pl.DataFrame({"age": [20, 30] * 6, "cost": [math.inf, 1.0] * 6})
    plan = Plan.of(2, quasi_identifiers=["age"], sensitive=["cost"])
    for found in measure(frame, frame, plan, metrics=["accuracy_kept", "regression_kept"]):
        assert math.isnan(found.value)
        assert found.note.endswith("can be read: column 'cost': The column holds infinite numbers.")


def test_columns_of_a_workload_that_are_not_compared_are_told() -> None:
    """Survey weights are no fact about a person, and a column may be gone; neither is passed over."""
    frame = pl.DataFrame({"age": [20, 30] * 6, "w": [1.5, 2.0] * 6, "gone": ["a", "b"] * 6})
    plan = Plan.of(2, quasi_identifiers=["age"], sample_weight="w", group_by=[["age", "w"]], pairs=[["age", "gone"]])
    (found,) = measure(frame, frame.drop("gone"), plan, metrics="query_error")
    assert found.note == "what the workload says of 'gone', 'w' is not measured: no such column to compare"


def test_groups_of_too_many_cells_are_told() -> None:
    """Ten columns of a thousand values have more cells than anybody counts; the others are counted all the same."""
    random = np.random.default_rng(0)
    frame = pl.DataFrame({f"c{place}": random.integers(0, 1000, 40) for place in range(10)})
    plan = Plan.of(2, quasi_identifiers=frame.columns, group_by=[frame.columns, ["c0", "c1"]])
    (found,) = measure(frame, frame, plan, metrics="query_error")
    assert [one for one in found.figures if one.startswith("group ")] == ["group c0 + c1"]
    assert found.note.endswith("'c8' and 'c9' there are more than 4,000,000 cells, too many to compare")


# -- theory ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("drawn_from_original", "wanted"), [(True, 1.0), (False, 2.0)])
def test_chance_brings_what_the_theorem_says(drawn_from_original: bool, wanted: float) -> None:
    """Rows drawn anew from the original score the expected value on average; two samples drawn apart, twice that."""
    ratios = []
    for seed in range(count(15, 200)):
        one = random_tables(2 * seed, 400).before
        rows = np.random.default_rng(seed).integers(0, 400, 400).tolist()
        again = {name: [cells[row] for row in rows] for name, cells in one.items()}
        other = again if drawn_from_original else random_tables(2 * seed + 1, 400).before
        ratios.append(Tables(one, other).measured("pmse").figures["ratio"])
    spread = float(np.std(ratios)) / math.sqrt(len(ratios))
    assert abs(float(np.mean(ratios)) - wanted) < 3 * spread + 0.1  # the theorem is about large samples


def test_a_shuffled_column_goes_with_no_other_any_more() -> None:
    """Alone it is as before; what it told of the others is gone, what they tell of each other is not."""
    before = random_tables(3, 400).before
    after = {**before, "height": [before["height"][row] for row in np.random.default_rng(0).permutation(400)]}
    tables = Tables(before, after)
    assert tables.measured("distribution_shift").value == 0
    assert tables.measured("pmse").value == pytest.approx(0, abs=1e-12)
    assert tables.measured("correlation_kept").figures["spearman"] < 0.15
    alone = Tables({**before}, {**before, "height": before["height"]})
    assert alone.measured("correlation_kept").value == 1
    kept = tables.measured("correlation_kept")
    assert 0.3 < kept.value < 0.8
    assert tables.measured("query_error").value > 0.1


def test_a_shuffled_column_tells_and_predicts_as_the_theory_says() -> None:
    """Information falls to chance (2n times it is about χ² with 9 degrees); a model only knows the commonest answer."""
    random = np.random.default_rng(0)
    place = random.integers(0, 4, 4000)
    ill = np.where(random.random(4000) < 0.9, place == 3, place != 3)
    frame = pl.DataFrame({"place": place.astype(str), "same": place.astype(str), "ill": ill.astype(str)})
    plan = Plan.of(2, quasi_identifiers=["place"], sensitive=["same", "ill"], target="ill")
    shuffled = frame.with_columns(place=pl.Series(random.permutation(place).astype(str)))
    (found,) = measure(frame.drop("ill"), shuffled.drop("ill"), replace(plan, target=None), metrics="information_kept")
    assert 0 <= found.value * math.log(4) * 2 * 4000 < 40  # beyond which χ² is once in a hundred thousand
    sides = [one.drop("same") for one in (frame, shuffled)]
    (scores,) = measure(*sides, plan, metrics="accuracy_kept")
    assert scores.figures["original ill"] == pytest.approx(0.9, abs=0.03)
    assert scores.figures["released ill"] == scores.figures["guessing ill"] < 0.8


def test_counts_of_a_shuffled_column_are_those_of_independence() -> None:
    """One column alone is counted rightly; two equal ones of two names come to a quarter of the rows for each pair."""
    place = ["a", "b"] * 2000
    shuffled = np.random.default_rng(0).permutation(place).tolist()
    sides = [Table.of(pl.DataFrame({"one": place, "two": two})) for two in (place, shuffled)]
    tables = analyst.analysed(Evidence(*sides, Plan.of(2, quasi_identifiers=["one", "two"])))
    for parts, error in zip(query_error.questions(tables), query_error._errors(tables), strict=True):
        names = {first for _, first, _ in parts}
        wanted = 0.0 if len(parts) == 1 else 0.5 if len(names) == 1 else 1000 / 4
        assert error == pytest.approx(wanted, rel=0.1)


def test_hidden_columns_lose_everything() -> None:
    """A release of nothing but stars."""
    before = random_tables(4, 60).before
    hidden = Tables(before, {**before, **{name: ["*"] * 60 for name in ("age", "height", "place")}})
    assert hidden.measured("correlation_kept").value == 0
    assert hidden.measured("information_kept").value == pytest.approx(0, abs=1e-9)
    assert hidden.measured("distribution_shift").figures["mean age"] == 1
    accuracy = hidden.measured("accuracy_kept").figures
    assert accuracy["released ill"] <= accuracy["original ill"]
    assert hidden.measured("pmse").value > 0.2


# -- accuracy ----------------------------------------------------------------------------------------------------


def test_a_release_that_keeps_the_cause_keeps_the_accuracy() -> None:
    """The illness follows from the age: kept where ages are in narrow ranges, gone where they are shuffled."""
    before, after = random_tables(5, 600)
    good = Tables(before, after).measured("accuracy_kept")
    assert good.value > 0.95
    assert good.figures["original ill"] > good.figures["guessing ill"] + 0.2
    assert 0.8 < good.figures["auc released ill"] <= 1
    order = np.random.default_rng(0).permutation(600).tolist()
    mixed = {name: [cells[row] for row in order] for name, cells in before.items() if name != "ill"}
    bad = Tables(before, {**mixed, "ill": before["ill"]}).measured("accuracy_kept")
    assert bad.value < good.value - 0.15
    assert bad.figures["original ill"] == good.figures["original ill"]


def test_nobody_is_learnt_from_who_tests_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each age has an illness of its own: whoever has seen the rows knows them, nobody else can."""
    seen: list[set[int]] = []

    def watched(learnt: accuracy_kept.Rows, tested: accuracy_kept.Rows) -> dict[str, float]:
        seen.append(set(learnt.people.tolist()) & set(tested.people.tolist()))
        assert len(learnt) == 2 * len(tested)
        return {"": 0.5}

    monkeypatch.setattr(accuracy_kept, "_accuracy", watched)
    before, after = random_tables(13, 60)
    order = np.random.default_rng(0).permutation(60)
    shuffled = {name: [cells[row] for row in order.tolist()] for name, cells in after.items()}
    for tables, rows in ((Tables(before, shuffled), order), (Tables(before, after), None)):
        catalog.load("metrics", "accuracy_kept").measure(replace(tables.evidence, whose=rows))
    assert seen == [set()] * 4


def test_whose_row_is_whose_follows_from_the_cells_where_it_can() -> None:
    """Rows that differ in what is published as it is are told apart, in whatever order they are."""
    before, after = random_tables(14, 40)
    number = {"ill": [str(row) for row in range(40)]}
    order = np.random.default_rng(1).permutation(40)
    shuffled = {name: [cells[row] for row in order.tolist()] for name, cells in {**after, **number}.items()}
    tables = analyst.analysed(Tables({**before, **number}, shuffled).evidence)
    ill = next(one for one in tables.columns if one.name == "ill")
    whose = dict(zip(tables.people[0].tolist(), ill.before.tolist(), strict=True))
    assert [whose[person] for person in tables.people[1].tolist()] == ill.low.tolist()


# -- regressions -------------------------------------------------------------------------------------------------


def test_a_shuffled_column_explains_nothing_any_more() -> None:
    """Its coefficient goes to 0, far outside the interval that it had; one that never mattered may stay."""
    random = np.random.default_rng(0)
    age, luck = random.normal(size=(2, 500))
    frame = pl.DataFrame({"age": age, "luck": luck, "cost": 3 * age + random.normal(size=500)})
    plan = Plan.of(2, quasi_identifiers=["age", "luck"], sensitive=["cost"])
    shuffled = frame.with_columns(age=pl.Series(random.permutation(age)))
    (found,) = measure(frame, shuffled, plan, metrics="regression_kept")
    assert found.figures["signs cost"] == 0
    assert found.figures["moved cost"] > 10
    assert 0.2 < found.value < 0.5  # the other coefficient meets its own interval, which is wider now
    drawn = frame.sample(500, with_replacement=True, seed=1)
    (again,) = measure(frame, drawn, plan, metrics="regression_kept")
    assert again.value > 0.5
    assert again.figures["signs cost"] == 1


def test_what_nobody_can_fit_any_more_is_gone() -> None:
    """A release of nothing but stars has no coefficient; one column that matters is regressed on alone."""
    before = random_tables(4, 60).before
    hidden = Tables(before, {**before, **{name: ["*"] * 60 for name in ("age", "height", "place")}})
    assert hidden.measured("regression_kept").value == 0
    tables = [Table.of(pl.DataFrame(one, strict=False)) for one in (before, {**before, "height": ["*"] * 60})]
    module = catalog.load("metrics", "regression_kept")
    assert module.measure(Evidence(*tables, PLAN)).value < 1
    assert module.measure(Evidence(*tables, replace(PLAN, matters=("age",)))).value == pytest.approx(1)


def test_numbers_are_explained() -> None:
    """R² of a linear model; a column that nothing explains does not count."""
    random = np.random.default_rng(0)
    age = random.integers(20, 60, 300)
    frame = pl.DataFrame({"age": age, "cost": 3.0 * age + random.normal(size=300), "luck": random.normal(size=300)})
    plan = Plan.of(2, quasi_identifiers=["age"], sensitive=["cost", "luck"])
    (found,) = measure(frame, frame, plan, metrics="accuracy_kept")
    assert found.figures["original cost"] > 0.99
    assert found.value == 1
    assert found.note == "the original predicts column 'luck' no better than guessing, so it does not count"


@pytest.mark.parametrize("numbers", [False, True])
def test_nothing_is_kept_where_there_was_nothing(numbers: bool) -> None:
    """Neither table predicts luck better than guessing: a quotient would be chance, so there is no value but a reason.

    A gate about it does not pass.
    """
    random = np.random.default_rng(1)
    luck = random.normal(size=300) if numbers else random.choice(["a", "a", "b", "c"], 300)
    frame = pl.DataFrame({"age": random.integers(20, 60, 300), "luck": luck})
    plan = Plan.of(2, quasi_identifiers=["age"], sensitive=["luck"], require=["accuracy_kept >= 0.5"])
    (found,) = measure(frame, frame, plan, metrics="accuracy_kept")
    assert math.isnan(found.value)
    assert found.figures["original luck"] <= max(found.figures["guessing luck"], 0.01)
    assert found.note == "the original predicts column 'luck' no better than guessing, so it does not count"
    (gate,) = judged_gates(plan, [found])
    assert gate.holds is False
    assert found.note in gate.statement


def test_several_columns_are_one_note() -> None:
    """However many columns are predicted no better than guessing, it is said once of those that the same is true of."""
    assert list(accuracy_kept._guessing(["a", "b", "c", "d", "e"], ["f"])) == [
        "the original predicts columns 'a', 'b', 'c', 'd' and 1 more no better than guessing, so they do not count",
        "the release predicts column 'f' no better than guessing",
    ]


def test_a_release_that_only_guesses_says_so() -> None:
    """The score of guessing is still a share of that of the original, and the note tells what it is worth."""
    random = np.random.default_rng(2)
    age = random.integers(20, 60, 300)
    before = pl.DataFrame({"age": age, "ill": ["yes" if one > 38 else "no" for one in age]})
    (found,) = measure(
        before,
        before.with_columns(age=pl.lit("*")),
        Plan.of(2, quasi_identifiers=["age"], sensitive=["ill"], kinds={"age": "numeric"}),
        metrics="accuracy_kept",
    )
    assert found.value == pytest.approx(found.figures["released ill"] / found.figures["original ill"])
    assert found.note == "the release predicts column 'ill' no better than guessing"


def test_rare_names_are_one() -> None:
    """Beyond twenty names the rarer ones are predicted as one, on both sides alike; so are names never seen before."""
    column = analyst.AnalysedColumn(
        "ill", False, False, np.repeat(np.arange(30.0), np.arange(30, 0, -1)), np.array([0.0, 25, 31]), np.zeros(3)
    )
    column = analyst.AnalysedColumn("ill", False, False, column.before, column.low, column.low, names=32)
    before, after = accuracy_kept._names(column)
    assert sorted(set(before.tolist())) == list(range(21))
    assert after.tolist() == [0, 20, 20]


def test_without_the_extra_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing library costs this metric alone, and the note names the extra."""
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    before, after = random_tables(6)
    tables = [pl.DataFrame(one) for one in (before, after)]
    accuracy, query = measure(*tables, PLAN, metrics=["accuracy_kept", "query_error"])
    assert math.isnan(accuracy.value)
    assert "extra 'sklearn'" in accuracy.note
    assert query.value > 0


# -- all of them -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", UTILITY)
@pytest.mark.parametrize("seed", repeats(2, 20))
def test_an_unchanged_release_is_perfect(name: str, seed: int) -> None:
    """On random tables with missing cells, too; 40 rows may be too few for a model that is better than guessing."""
    before = random_tables(seed, 40).before
    before["age"][3] = before["place"][5] = before["ill"][7] = None
    found = Tables(before, before).measured(name)
    if math.isnan(found.value):
        assert "no better than guessing" in found.note
        return
    assert found.value == pytest.approx(1.0 if found.better == "higher" else 0.0, abs=1e-12)


def test_they_are_measured_where_that_is_asked_for() -> None:
    """By name, or all of them by one word; a usual measurement waits for none."""
    assert sorted(UTILITY) == [
        "accuracy_kept",
        "correlation_kept",
        "distribution_shift",
        "information_kept",
        "pmse",
        "query_error",
        "regression_kept",
        "rows_kept",
    ]
    assert not set(UTILITY) & set(usual_metrics())
    before, after = (pl.DataFrame(one) for one in random_tables(7))
    names = [one.metric for one in shoal.measure(before, after, PLAN, utility=True)]
    assert set(names) == {*usual_metrics(), *UTILITY}


def test_it_is_told_how_many_are_measured() -> None:
    """Before each of them, in a run and alone; and whoever has waited long enough stops there."""
    before, after = (pl.DataFrame(one) for one in random_tables(7))
    seen: list[Step] = []
    measure(before, after, PLAN, metrics=["pmse", "query_error"], progress=Progress(seen.append))
    assert [(one.done, one.total) for one in seen] == [(0, 2), (1, 2)]

    def stop(step: Step) -> str | None:
        return "cancel" if step.phase == "measure" and step.done else None

    roles = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "method": "mondrian"}
    with pytest.raises(Interrupted) as caught:
        shoal.anonymize(before.select("age", "ill"), k=2, **roles, progress=stop)
    assert caught.value.where == "phase measure"


def test_columns_that_cannot_be_read_are_left_out_and_named() -> None:
    """The others are measured all the same."""
    before, after = random_tables(8)
    odd = Tables(before, {**after, "age": ["no such label"] * len(after["age"])})
    found = odd.measured("distribution_shift")
    assert "mean age" not in found.figures
    assert "'age'" in found.note
    none = Tables(before, {**odd.after, "height": odd.after["age"], "place": odd.after["age"]})
    assert none.measured("query_error").note == "no quasi-identifier can be read"


def test_large_tables_are_sampled_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the limit so many rows are looked at, evenly; figures hardly change."""
    whole = random_tables(9, 500).measured("distribution_shift")
    monkeypatch.setattr(analyst, "MOST_ROWS", 200)
    some = random_tables(9, 500).measured("distribution_shift")
    assert some.note == "measured on 200 rows of each table"
    assert some.value == pytest.approx(whole.value, abs=0.03)
    monkeypatch.setattr(pmse, "MOST_LEARNT", 100)
    assert random_tables(9, 500).measured("pmse").note.endswith("models learn from 100 rows of each table")


@pytest.mark.parametrize("shown", ["mean", "bounds"])
def test_other_renderings_are_read(shown: str) -> None:
    """Centres as what they show, bounds as ranges."""
    patients = shoal.synthetic_patients(200)
    given: Callable[..., shoal.Release] = shoal.anonymize
    release = given(
        patients.select("age", "cost"), k=5, quasi_identifiers=["age"], sensitive=["cost"], render=shown, method="mdav"
    )
    found = shoal.measure(patients, release.table, release.plan, metrics=["distribution_shift", "query_error"])
    assert [one.note for one in found] == ["", ""]
    assert all(0 < one.value < 0.5 for one in found)
