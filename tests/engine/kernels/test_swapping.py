# SPDX-License-Identifier: Apache-2.0
"""Swapping records: no class changes its size or breaks a rule, nothing is lost, and the loss never rises unheated."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.kernels.rules import as_arrays
from shoal.engine.kernels.search.board import new_board
from shoal.engine.kernels.search.class_block import open_block
from shoal.engine.kernels.search.swapping import new_swapping, swap
from shoal.engine.kernels.search.trimming import new_trimming
from shoal.engine.refining.enforce import enforce
from shoal.engine.refining.holdings import Atoms, Holdings
from shoal.ground.progress import Progress
from shoal.ground.requirements import RULES, Requirement, Rule
from tests.counts import repeats
from tests.engine.kernels.test_trimming import classes_of
from tests.reference.pools import loss
from tests.reference.rules import obeys, random_rule
from tests.strategies import random_case

Classes = list[list[list[int]]]
STEPS = 40


def swapped(encoded: Encoded, k: int, labels: np.ndarray, rule: Rule, heat: float, seed: int) -> list[Classes]:
    """The classes at the beginning and after each step; what the block says of them is checked against them."""
    atoms = Atoms.of(encoded.points, (rule,))
    held, rules, points = Holdings.of(labels, atoms), as_arrays((rule,), len(encoded)), atoms.points
    block = open_block(encoded.hulls, points, np.zeros(len(points)), held.begin, held.atom, held.amount, k, 1)
    state, width = np.array([seed | 1], dtype=np.uint64), points.shape[1]
    board, trimming, work = (
        new_board(encoded.hulls, block, state),
        new_trimming(block),
        new_swapping(width),
    )
    found = [classes_of(block)]
    for step in range(STEPS):
        label = step % len(held)
        swap(
            encoded.hulls, rules, block, board, points, atoms.first_row, label, k, heat, state, trimming, work
        )  # fmt: skip
        found.append(classes_of(block))
        for one, members in enumerate(found[-1]):
            codes = [int(rule.codes[atoms.first_row[atom]]) for atom, units in members for _ in range(units)]
            assert obeys(rule, codes)
            assert block.sizes[one] == len(codes)
            assert block.losses[one] == pytest.approx(loss(encoded.hulls, points, [atom for atom, _ in members]))
    return found


def case(seed: int, kind: str) -> tuple[Encoded, int, np.ndarray, Rule]:
    """A random table in classes that obey a random rule."""
    encoded, k = random_case(seed, largest=60)
    n, random = len(encoded), np.random.default_rng(seed)
    rule = random_rule(random, kind, n)
    labels = enforce(encoded, random.integers(0, max(n // k, 1), n), Requirement(k, (rule,)), Progress())
    return encoded, k, np.unique(labels, return_inverse=True)[1].astype(np.int64), rule


def total(encoded: Encoded, rule: Rule, classes: Classes) -> float:
    """The loss of all records."""
    points = Atoms.of(encoded.points, (rule,)).points
    return sum(
        sum(units for _, units in one) * loss(encoded.hulls, points, [atom for atom, _ in one]) for one in classes
    )


def held(classes: Classes) -> Counter[int]:
    """How many records there are of each atom."""
    return sum((Counter(dict(map(tuple, one))) for one in classes), Counter())


@pytest.mark.parametrize("heat", [0.0, 0.3])
@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("seed", repeats(5, 50))
def test_classes_keep_their_sizes_and_rules(seed: int, kind: str, heat: float) -> None:
    """After every step all records are there, every class has its size and obeys; unheated, none raises the loss."""
    encoded, k, labels, rule = case(seed, kind)
    found = swapped(encoded, k, labels, rule, heat, seed)
    for before, after in pairwise(found):
        assert held(before) == held(after)
        assert [sum(units for _, units in one) for one in before] == [sum(units for _, units in one) for one in after]
        assert heat or total(encoded, rule, after) <= total(encoded, rule, before) + 1e-9


def test_many_steps_win_something() -> None:
    """The promises above would prove nothing if every step were undone; and full classes do swap."""
    won = 0
    for seed in range(40):
        encoded, k, labels, rule = case(seed, "share")
        found = swapped(encoded, k, labels, rule, 0.0, seed)
        won += total(encoded, rule, found[-1]) < total(encoded, rule, found[0]) - 1e-9
    assert won > 5


def test_by_hand() -> None:
    """Two classes, both full of two values, hold one another's records: one swap puts all of them right."""
    table = Encoded((EncodedColumn("a", np.array([0.0, 0.0, 0.0, 9.0, 9.0, 9.0, 9.0, 0.0])),))
    rule = Rule("share", np.array([0, 1, 0, 1, 0, 1, 0, 1]), 0.5)
    labels = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    found = swapped(table, 4, labels, rule, 0.0, 1)
    assert total(table, rule, found[0]) == pytest.approx(8)
    assert total(table, rule, found[-1]) == 0
