# SPDX-License-Identifier: Apache-2.0
"""Enforcing: whatever classes a method made, the mended ones obey every rule and lose no record."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.enforcing import class_mending as kernels
from shoal.engine.kernels.enforcing.lacking import lack_of
from shoal.engine.kernels.hull import class_hulls, total_loss
from shoal.engine.kernels.rules import as_arrays
from shoal.engine.kernels.trees.group_tree import build_tree, members_of, new_groups
from shoal.engine.refining import enforce as refining
from shoal.engine.refining.enforce import enforce, obeys
from shoal.ground.progress import Progress, Step
from shoal.ground.requirements import RULES, Requirement, Rule
from tests.counts import repeats
from tests.reference import rules as by_definition
from tests.strategies import random_encoded

Ints = np.ndarray


def loss_of(encoded: Encoded, labels: Ints) -> float:
    """Total loss of a partition."""
    lo, hi, sizes = class_hulls(encoded.points, labels, int(labels.max()) + 1)
    return total_loss(encoded.hulls, lo, hi, sizes)


def random_request(random: np.random.Generator, n: int, kinds: list[str]) -> Requirement:
    """Rules that the whole table obeys, and a size."""
    rules = [by_definition.random_rule(random, kind, n) for kind in kinds]
    kept = tuple(rule for rule in rules if by_definition.obeys(rule, rule.codes))
    return Requirement(int(random.integers(1, max(2, n // 4))), kept)


def random_labels(random: np.random.Generator, n: int, size: int) -> Ints:
    """Classes of about ``size`` records, some of them too small."""
    return random.permutation(n) // max(1, size)


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("seed", repeats(5, 25))
def test_enforced_classes_obey_by_definition(kind: str, seed: int) -> None:
    """Every class obeys as the definitions read, is large enough, and together they hold every record."""
    random = np.random.default_rng([seed, RULES.index(kind)])
    n = int(random.integers(4, 90))
    encoded = random_encoded(random, n)
    requirement = random_request(random, n, [kind, *random.choice(RULES, seed % 3)])
    given = random_labels(random, n, requirement.size)
    found = enforce(encoded, given, requirement, Progress())
    assert found.shape == (n,)
    assert found.min() == 0
    for label in range(found.max() + 1):
        rows = np.flatnonzero(found == label)
        assert len(rows) >= requirement.size
        assert all(by_definition.obeys(rule, rule.codes[rows]) for rule in requirement.rules)
    assert obeys(found, requirement)
    assert loss_of(encoded, found) <= loss_of(encoded, np.zeros(n, np.int64)) + 1e-9


def test_equal_requests_give_equal_classes() -> None:
    """The result depends on nothing but the table, the classes and the rules."""
    random = np.random.default_rng(3)
    encoded = random_encoded(random, 300, columns=4)
    requirement = Requirement(5, (by_definition.random_rule(random, "share", 300),))
    given = np.arange(300) // 5
    once = enforce(encoded, given, requirement, Progress())
    assert np.array_equal(once, enforce(encoded, given, requirement, Progress()))


def test_records_left_out_stay_out_unless_they_are_needed() -> None:
    """Label -1 is kept; only if the rest cannot obey alone do all records come back."""
    random = np.random.default_rng(4)
    encoded = random_encoded(random, 40, columns=3)
    codes = np.arange(40) % 4
    labels = np.where(np.arange(40) < 8, -1, np.arange(40) // 4)
    found = enforce(encoded, labels, Requirement(2, (Rule("distinct", codes, 3),)), Progress())
    assert (found[:8] == -1).all()
    assert (found[8:] >= 0).all()
    rare = np.where(np.arange(40) < 8, np.arange(40) % 2, 2)
    back = enforce(encoded, labels, Requirement(2, (Rule("distinct", rare, 3),)), Progress())
    assert back.min() == 0


def test_what_is_lacking_is_nothing_only_for_classes_that_obey() -> None:
    """The measure by which classes are mended is 0 exactly where the definition holds."""
    for seed in range(300):
        random = np.random.default_rng(seed)
        n = int(random.integers(2, 40))
        kind = RULES[seed % len(RULES)]
        rule = by_definition.random_rule(random, kind, n)
        rows = random.permutation(n)[: int(random.integers(1, n + 1))]
        nothing = lack_of(as_arrays((rule,), n), rows, 1) <= 0
        assert nothing == by_definition.obeys(rule, rule.codes[rows]), kind


def test_exchange_is_cheaper_than_joining_alone() -> None:
    """Two neighbours with the wrong values swap records instead of becoming one class."""
    points = np.array([[float(i // 4)] for i in range(16)])
    codes = np.array([0, 0, 0, 1, 1, 1, 1, 0] * 2)
    encoded = _line(points)
    requirement = Requirement(4, (Rule("share", codes, 0.5),))
    found = enforce(encoded, np.arange(16) // 4, requirement, Progress())
    assert found.max() + 1 == 4, "no class was given up"
    assert obeys(found, requirement)


def test_progress_counts_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports begin at nothing, never fall, end at the whole, and tell of work under way, not of what still waits."""
    monkeypatch.setattr(refining, "MENDED", 3)
    monkeypatch.setattr(refining, "VISITED", 100)
    random = np.random.default_rng(5)
    encoded = _line(random.integers(0, 30, (400, 2)).astype(np.float64))
    seen: list[Step] = []
    requirement = Requirement(4, (Rule("share", random.choice(4, 400), 0.5),))
    enforce(encoded, np.arange(400) // 4, requirement, Progress(seen.append))
    done = [step.done for step in seen]
    assert (done[0], done[-1]) == (0, seen[-1].total)
    assert all(before <= after for before, after in pairwise(done))
    assert len(set(done)) > 10
    assert {step.total for step in seen} == {seen[0].total}
    assert done[1] < seen[0].total // 10, "after a hundred visits hardly any record is settled"


def test_work_is_in_proportion_to_the_broken_classes() -> None:
    """A table four times as large takes less than twice the looks at other groups per record; all pairs take four."""
    looks = []
    for n in (2_000, 4_000, 8_000):
        random = np.random.default_rng(1)
        points = random.integers(0, 50, (n, 3)).astype(np.float64)
        encoded = _line(points)
        labels = np.empty(n, np.int64)
        labels[np.lexsort(points.T)] = np.arange(n) // 5
        rules = as_arrays((Rule("share", random.choice(6, n), 0.4),), n)
        groups = new_groups(encoded.hulls, points, labels, n // 5)
        tree = build_tree(encoded.hulls, groups, kernels.ANY_SIZE)
        work = kernels.new_work(n // 5)
        kernels.mend_classes(encoded.hulls, points, rules, groups, tree, 5, n, work)
        looks.append(int(work.walked[0]) / n)
    assert looks[2] < 2 * looks[0]


def _line(points: np.ndarray) -> Encoded:
    return Encoded(tuple(EncodedColumn(str(j), points[:, j]) for j in range(points.shape[1])))


@pytest.mark.parametrize("classes", [1, 2, 3])
def test_records_of_no_class_come_back_where_they_are_needed(classes: int) -> None:
    """The others have one private value and cannot obey alone: those left out begin as a class of their own."""
    encoded = random_encoded(np.random.default_rng(5), 24)
    labels = np.where(np.arange(24) < 18, np.arange(24) % classes, -1)
    requirement = Requirement(3, (Rule("distinct", (labels < 0).astype(np.int64), 2),))
    found = enforce(encoded, labels, requirement, Progress())
    assert (found >= 0).all()
    assert obeys(found, requirement)
    own = np.where(labels < 0, classes, labels)
    assert (found == enforce(encoded, own, requirement, Progress())).all()


def test_joined_groups_have_all_records_of_both() -> None:
    """Whichever is the shorter one, and wherever the first record stands in it."""
    encoded = _line(np.arange(22.0).reshape(11, 2))
    groups = new_groups(encoded.hulls, encoded.points, np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 2, 2]), 3)
    kernels.join(encoded.hulls, groups, 0, 1)
    assert sorted(members_of(groups, 0)) == [0, 1, 2, 3, 4]
    assert (groups.head[1], groups.size[1], groups.loss[1]) == (-1, 0, 0)
    kernels.join(encoded.hulls, groups, 2, 0)
    assert sorted(members_of(groups, 2)) == list(range(11))
    assert (groups.lo[2].tolist(), groups.hi[2].tolist()) == ([0, 1], [20, 21])
