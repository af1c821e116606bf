# SPDX-License-Identifier: Apache-2.0
"""k_member and k_members equal their slow plain twins label for label."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from shoal.engine.algorithms import k_member, k_members
from shoal.engine.encoding import losses
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.plan.plan import Plan
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from tests.counts import count, repeats
from tests.reference import growing, vectorised
from tests.strategies import LOSSES, random_case

TABLES = 300
LARGE = 12
ADULT_COLUMNS = (
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex capital-gain "
    "capital-loss hours-per-week native-country salary-class"
).split()
ADULT_TREES = ["workclass", "education", "marital-status", "race", "sex"]


def far_seeds(encoded: Encoded, k: int, start: int, seed_rule: str) -> list[int]:
    """Labels by the method k_member."""
    given = k_member.Parameters(start=start, seed_rule=seed_rule)
    return k_member.cluster(encoded, Requirement(k), given, np.random.default_rng(0), Progress()).labels.tolist()


def random_seeds(encoded: Encoded, k: int, seed: int) -> list[int]:
    """Labels by the method k_members."""
    made = k_members.cluster(encoded, Requirement(k), k_members.Parameters(), np.random.default_rng(seed), Progress())
    return made.labels.tolist()


def check_both_rules(encoded: Encoded, k: int, start: int) -> None:
    """Compare both ways of choosing the next seed."""
    for rule in ("seed", "last"):
        assert far_seeds(encoded, k, start, rule) == growing.k_member(encoded, k, start, rule), rule


@pytest.mark.parametrize("seed", repeats(30, TABLES))
def test_k_member_equals_its_twin(seed: int) -> None:
    """The box tree changes nothing but the time, with either seed rule."""
    encoded, k = random_case(seed)
    check_both_rules(encoded, k, start=seed % len(encoded))


@pytest.mark.parametrize("seed", range(TABLES, TABLES + count(40, TABLES)))
def test_k_members_equals_its_twin(seed: int) -> None:
    """The box tree changes nothing but the time, with random seeds."""
    encoded, k = random_case(seed)
    order = np.random.default_rng(seed).permutation(len(encoded))
    assert random_seeds(encoded, k, seed) == growing.k_members(encoded, k, order.tolist())


@pytest.mark.parametrize("seed", repeats(6, LARGE))
def test_twins_agree_on_larger_tables(seed: int) -> None:
    """Trees of several levels, with many deletions, answer like a scan."""
    encoded, k = random_case(10_000 + seed, largest=400)
    order = np.random.default_rng(seed).permutation(len(encoded))
    assert far_seeds(encoded, k, 0, "seed") == growing.k_member(encoded, k, 0, "seed")
    assert random_seeds(encoded, k, seed) == growing.k_members(encoded, k, order.tolist())


def test_the_tables_are_as_varied_as_they_should_be() -> None:
    """The comparison covers every kind of difficulty: sizes, ties, duplicates, missing, constants, weights, losses."""
    cases = [random_case(seed) for seed in range(2 * TABLES)]
    columns = [column for encoded, _ in cases for column in encoded.columns]
    large = [len(random_case(10_000 + seed, largest=400)[0]) for seed in range(LARGE)]
    assert {k for _, k in cases} == set(range(1, 8))
    assert any(len(encoded) == 2 * k - 1 for encoded, k in cases)
    assert sum(len(np.unique(encoded.points, axis=0)) < len(encoded) / 2 for encoded, _ in cases) > TABLES / 2
    assert {encoded.loss for encoded, _ in cases} == set(LOSSES)
    assert {0.0, 0.5, 1.0, 2.0} <= {column.weight for column in columns}
    assert sum(column.missing is not None for column in columns) > TABLES / 2
    assert sum(column.tree is None and column.span == 0 for column in columns) > TABLES / 10
    ragged = [column.tree for column in columns if column.tree and len({*column.tree.depths[column.tree.leaves]}) > 1]
    assert len(ragged) > TABLES / 2
    assert any(np.any(np.bincount(tree.parents[1:]) == 1) for tree in ragged)
    assert max(large) > 300


@pytest.mark.parametrize("seed", repeats(8, 40))
def test_climbing_answers_like_the_table(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trees too large for a table of all pairs give the same classes."""
    encoded, k = random_case(20_000 + seed)
    tabulated = far_seeds(encoded, k, 0, "seed")
    monkeypatch.setattr(losses, "LARGEST_TABLE", 1)
    climbed = Encoded(encoded.columns, encoded.loss)
    assert far_seeds(climbed, k, 0, "seed") == tabulated == growing.k_member(encoded, k, 0, "seed")


# -- a real table --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def adult(shared_data: Path) -> dict[str, Encoded]:
    """2,000 complete rows of Adult with ARX's trees, under each loss."""
    folder = shared_data / "adult"
    reading = Reading(header=False, columns=tuple(ADULT_COLUMNS), na=("?",))
    table = read_table(folder / "adult.data", reading).table
    qis = ["age", *ADULT_TREES]
    whole = np.flatnonzero(~np.any([table.missing(name) for name in table.names], axis=0))
    assert len(whole) == 30_162
    sample = table.take(np.sort(np.random.default_rng(2).choice(whole, 2_000, replace=False)))
    trees = {name: folder / "hierarchies" / "arx" / f"adult_hierarchy_{name}.csv" for name in ADULT_TREES}
    plan = complete(Plan.of(10, quasi_identifiers=qis, hierarchies=trees), sample)
    encoded = encode(sample, plan)
    return {loss: Encoded(encoded.columns, loss) for loss in LOSSES}


@pytest.mark.thin(2)
@pytest.mark.data
@pytest.mark.parametrize(("loss", "k"), [("height", 10), ("ncp", 3), ("lm", 7), ("eloss", 50)])
@pytest.mark.parametrize("rule", ["seed", "last"])
def test_k_member_equals_its_twin_on_adult(adult: dict[str, Encoded], loss: str, k: int, rule: str) -> None:
    """On real people, too, every record lands in the class a scan would choose."""
    assert far_seeds(adult[loss], k, 17, rule) == vectorised.k_member(adult[loss], k, 17, rule)


@pytest.mark.data
@pytest.mark.parametrize(("loss", "k"), [("height", 10), ("ncp", 3), ("lm", 7), ("eloss", 50)])
def test_k_members_equals_its_twin_on_adult(adult: dict[str, Encoded], loss: str, k: int) -> None:
    """The same with random seeds."""
    order = np.random.default_rng(k).permutation(2_000)
    assert random_seeds(adult[loss], k, k) == vectorised.k_members(adult[loss], k, order)


@pytest.mark.parametrize("seed", range(10))
def test_the_twins_agree_with_each_other(seed: int) -> None:
    """The vectorised twin is the plain one, only quicker."""
    encoded, k = random_case(30_000 + seed)
    order = np.random.default_rng(seed).permutation(len(encoded))
    for rule in ("seed", "last"):
        assert vectorised.k_member(encoded, k, 0, rule) == growing.k_member(encoded, k, 0, rule)
    assert vectorised.k_members(encoded, k, order) == growing.k_members(encoded, k, order.tolist())
