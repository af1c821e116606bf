# SPDX-License-Identifier: Apache-2.0
"""What a release is for: the weights that follow from it, what is refused, and that the plan replays."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.ground.errors import PlanError, TableError
from shoal.plan.plan import Plan
from shoal.plan.workload import MOST_TAKEN, added, information, weighed, workload_weights
from shoal.releases.reports.text import summary
from shoal.tables.sameness import same_tables
from shoal.tables.table import Table
from tests.counts import repeats
from tests.reference import workload as twin

ROWS = 240
RANDOM = np.random.default_rng(0)
SEX = RANDOM.integers(0, 2, ROWS)
PEOPLE = pl.DataFrame(
    {
        "age": RANDOM.integers(20, 60, ROWS),
        "sex": ["fm"[one] for one in SEX],
        "town": ["abcd"[one] for one in RANDOM.integers(0, 4, ROWS)],
        "ill": ["yes" if one and RANDOM.random() < 0.9 else "no" for one in SEX],
    }
)
ROLES = {"quasi_identifiers": ["age", "sex", "town"], "sensitive": ["ill"]}


def plan(**said: object) -> Plan:
    """A plan with a workload."""
    return Plan.of(5, **ROLES, **said)


def weights(**said: object) -> dict[str, float]:
    """The weights that follow."""
    return {name: one.weight for name, one in weighed(plan(**said), Table.of(PEOPLE)).columns.items()}


def test_what_tells_of_the_target_weighs_most() -> None:
    """The illness follows the sex: it weighs twenty times as much as what tells nothing."""
    found = weights(target="ill")
    assert found["sex"] == 20
    assert found["town"] < 1.3
    assert found["ill"] == 1


def test_columns_that_matter_weigh_three_times() -> None:
    """Besides what they tell of the target."""
    assert weights(matters=["town"]) == {"age": 1, "sex": 1, "town": 3, "ill": 1}
    assert weights(matters="sex", target="ill")["sex"] == 15


def test_given_weights_stay() -> None:
    """All of them: whoever weighs one column has thought of the others."""
    asked = plan(target="ill", weights={"age": 2})
    assert weighed(asked, Table.of(PEOPLE)) is asked
    assert weighed(plan(), Table.of(PEOPLE)).columns["sex"].weight == 1


def test_a_target_that_nothing_tells_of_weighs_nothing() -> None:
    """A constant column: all weigh the same."""
    table = Table.of(PEOPLE.with_columns(ill=pl.lit("no")))
    assert set(workload_weights(plan(target="ill"), table).values()) == {1.0}


@pytest.mark.parametrize("seed", repeats(5, 100))
def test_information_equals_its_definition(seed: int) -> None:
    """Mutual information summed up pair by pair, less (r - 1)(c - 1) / 2n."""
    random = np.random.default_rng(seed)
    n = int(random.integers(5, 60))
    one = random.integers(0, 4, n)
    other = np.where(random.random(n) < 0.5, one, random.integers(3, 6, n))
    left, right, both = Counter(one.tolist()), Counter(other.tolist()), Counter(zip(one.tolist(), other.tolist()))
    told = sum(count / n * math.log(count * n / (left[a] * right[b])) for (a, b), count in both.items())
    wanted = max(told - (len(left) - 1) * (len(right) - 1) / (2 * n), 0.0)
    assert information(one, other) == pytest.approx(wanted)


@pytest.mark.parametrize("seed", repeats(5, 100))
def test_what_columns_add_equals_its_twin(seed: int) -> None:
    """Forward selection with every regression fitted anew, indicator by indicator."""
    random = np.random.default_rng(seed)
    n = int(random.integers(20, 200))
    columns = [random.integers(0, int(random.integers(1, 5)), n) for _ in range(int(random.integers(1, 6)))]
    columns.append(np.where(random.random(n) < 0.9, columns[0], 0))  # nearly the same as another
    target = (columns[-1] + random.integers(0, 2, n)) // int(random.integers(1, 3))
    assert added(columns, target) == pytest.approx(twin.added(columns, target), abs=1e-9)


def test_of_columns_that_tell_the_same_one_weighs() -> None:
    """And one that seems to tell, because it goes with another that does, weighs next to nothing."""
    random = np.random.default_rng(1)
    married = random.integers(0, 2, 3000)
    age = np.where(random.random(3000) < 0.8, married, 1 - married)
    rich = np.where(random.random(3000) < 0.9, married, 1 - married)
    assert information(age, rich) > 0.1
    first, again, late = added([married, married, age], rich)
    assert first == pytest.approx(0.64, abs=0.05)  # the square of a correlation of 0.8
    assert (again, late) == (0, pytest.approx(0, abs=0.005))


def test_of_very_many_columns_the_most_telling_are_taken() -> None:
    """The work does not grow with the square of their number; the one that tells is among them."""
    random = np.random.default_rng(2)
    columns = [random.integers(0, 3, 300) for _ in range(300)]
    found = added(columns, columns[250])
    assert found[250] == pytest.approx(1)
    assert sum(one > 0 for one in found) <= MOST_TAKEN


def test_a_workload_about_other_columns_is_refused() -> None:
    """A target that is blurred itself, or that nobody publishes; columns that are no quasi-identifiers."""
    with pytest.raises(PlanError, match="not published as it is"):
        weights(target="age")
    with pytest.raises(PlanError, match="cannot matter more"):
        weights(matters=["ill"])
    for misspelt in ({"target": "nosuch"}, {"matters": ["nosuch"]}):
        with pytest.raises(TableError, match="no such column"):
            weights(**misspelt)


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_a_release_tells_how_the_named_analyses_fare(tmp_path: Path) -> None:
    """Scores and errors in words and JSON; the weights stand in its plan, which gives the same bytes again."""
    given = {**ROLES, "k": 5, "method": "mondrian", "target": "ill", "matters": ["town"]}
    release = shoal.anonymize(PEOPLE, **given)
    assert release.plan.columns["sex"].weight == 5
    assert release.notes[-1].startswith("columns weigh in this workload: sex 5")
    told = summary(release)
    assert "'ill' is predicted with a score of" in told
    assert "of the correlations are kept" in told
    report = json.loads((release.save(tmp_path / "one") / "report.json").read_text(encoding="utf-8"))
    assert len(report["workload"]) == 4
    again = shoal.anonymize(PEOPLE, Plan.read(tmp_path / "one" / "plan.toml"))
    assert again.plan.columns == release.plan.columns
    assert again.notes == release.notes
    assert same_tables(again.released, release.released)


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_what_is_predicted_keeps_its_detail() -> None:
    """The column that the illness follows from is blurred less than with equal weights."""
    losses = []
    for said in ({}, {"target": "ill"}):
        release = shoal.anonymize(PEOPLE, k=5, **ROLES, method="k_member", **said)
        losses.append({one.metric: one for one in release.measurements}["lm"].per_column["sex"])
    assert losses[1] < losses[0] or losses == [0, 0]


def test_names_that_spreadsheets_run_are_followed() -> None:
    """A target whose name gets an apostrophe is still the target."""
    odd = PEOPLE.rename({"ill": "=ill", "town": "=town"})
    roles = {"quasi_identifiers": ["age", "sex", "=town"], "sensitive": ["=ill"], "formulas": "prefix"}
    release = shoal.anonymize(odd, k=5, **roles, method="mondrian", target="=ill", matters=["=town"])
    assert (release.plan.target, release.plan.matters) == ("'=ill", ("'=town",))


@pytest.mark.filterwarnings("ignore::shoal.PrivacyWarning")
def test_groups_and_pairs_are_told_and_weigh(tmp_path: Path) -> None:
    """Their quasi-identifiers weigh three times; how they fare is said, stands in the plan, and can be required."""
    assert weights(group_by=[["town", "ill"]], pairs=["age", "ill"]) == {"age": 3, "sex": 1, "town": 3, "ill": 1}
    given = {**ROLES, "k": 5, "method": "mondrian", "group_by": [["sex", "town"]], "pairs": [["age", "ill"]]}
    release = shoal.anonymize(PEOPLE, **given, require=["query_error.group sex + town < 2"])
    told = summary(release)
    assert "counted by 'sex' and 'town'," in told
    assert "'age' and 'ill' go together by" in told
    again = Plan.read(release.save(tmp_path / "one") / "plan.toml")
    assert (again.group_by, again.pairs) == ((("sex", "town"),), (("age", "ill"),))


@pytest.mark.parametrize(
    "said",
    [{"pairs": [["age"]]}, {"pairs": [["age", "age"]]}, {"group_by": [[]]}, {"group_by": [["sex", "sex"]]}],
)
def test_what_is_no_pair_and_no_group_is_refused(said: dict[str, object]) -> None:
    """Before any table is looked at."""
    with pytest.raises(PlanError, match="no pair, or no group"):
        plan(**said)


def test_counts_by_named_columns_as_worked_out_by_hand() -> None:
    """Two rows of four are shown as either name, so that each cell is one row off; half of all rows in sum."""
    frame = pl.DataFrame({"sex": ["f", "f", "m", "m"], "town": ["a", "a", "b", "b"]})
    released = frame.with_columns(sex=pl.Series(["*", "f", "*", "m"]))
    asked = Plan.of(2, quasi_identifiers=["sex", "town"], group_by=[["sex", "town"]])
    (found,) = shoal.measure(frame, released, asked, metrics="query_error")
    assert found.figures["group sex + town"] == pytest.approx(2 / 4)
