# SPDX-License-Identifier: Apache-2.0
"""Trimming a class: equal to the plain twin, step by step; nothing lost; undone when it does not pay."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.rules import as_arrays
from shoal.engine.kernels.search.board import new_board
from shoal.engine.kernels.search.class_block import Block, open_block
from shoal.engine.kernels.search.trimming import new_trimming, trim
from shoal.engine.refining.enforce import enforce
from shoal.engine.refining.holdings import Atoms, Holdings
from shoal.ground.progress import Progress
from shoal.ground.requirements import RULES, Requirement, Rule
from tests.counts import repeats
from tests.reference.rules import random_rule
from tests.reference.trimming import Trimmer
from tests.strategies import random_case

NO_RULES = None
STEPS = 60


def opened(seed: int) -> tuple[Encoded, int, Atoms, Block]:
    """A random table in random classes."""
    encoded, k = random_case(seed, largest=40)
    atoms = Atoms.of(encoded.points, ())
    labels = np.random.default_rng(seed).permutation(np.arange(len(encoded)) * (len(encoded) // k) // len(encoded))
    held = Holdings.of(labels, atoms)
    worth, given = np.random.default_rng(seed).random(len(atoms.points)), (held.begin, held.atom, held.amount)
    return encoded, k, atoms, open_block(encoded.hulls, atoms.points, worth, *given, k, 1)


def trimmed(
    encoded: Encoded, k: int, atoms: Atoms, block: Block, heat: float, seed: int, *, is_hasty: bool = False
) -> Iterator[int]:
    """Step after step, class after class; the class of each step when it is done."""
    state, work = np.array([seed | 1], dtype=np.uint64), new_trimming(block)
    board = new_board(encoded.hulls, block, state)
    for step in range(STEPS):
        label = step % int(block.in_use[0])
        given = encoded.hulls, NO_RULES, block, board, atoms.points, atoms.first_row
        trim(*given, label, k, heat, is_hasty, state, work)
        yield label


def classes_of(block: Block) -> list[list[list[int]]]:
    """The entries of all classes, in their order."""
    found = []
    for label in range(block.in_use[0]):
        entry, held = block.head[label], []
        while entry >= 0:
            held.append([int(block.atom[entry]), int(block.amount[entry])])
            entry = block.next[entry]
        found.append(held)
    return found


@pytest.mark.parametrize("is_hasty", [False, True])
@pytest.mark.parametrize("heat", [0.0, 0.3])
@pytest.mark.parametrize("seed", repeats(15, 150))
def test_each_step_equals_its_twin(seed: int, heat: float, is_hasty: bool) -> None:
    """Chains, edges and early ends make the same classes as lists and hulls taken from all members."""
    encoded, k, atoms, block = opened(seed)
    twin = Trimmer(encoded.hulls, atoms.points, classes_of(block), len(block.head), k, seed, is_hasty=is_hasty)
    every = range(len(twin.classes))
    for label in trimmed(encoded, k, atoms, block, heat, seed, is_hasty=is_hasty):
        twin.step(label, heat)
        assert classes_of(block) == twin.classes
        assert block.sizes[: len(every)].tolist() == [twin.held(one) for one in every]
        assert block.losses[: len(every)] == pytest.approx([twin.loss(one) for one in every], abs=1e-12)
        paid = [sum(units * block.worth[atom] for atom, units in one) for one in twin.classes]
        assert block.paid[: len(every)] == pytest.approx(paid, abs=1e-9)


def test_many_steps_move_something() -> None:
    """The comparison above would prove nothing about moves if every step were undone."""
    moved = 0
    for seed in range(40):
        case = opened(seed)
        before = [sorted(one) for one in classes_of(case[-1])]
        for _ in trimmed(*case, 0.0, seed):
            pass
        moved += before != [sorted(one) for one in classes_of(case[-1])]
    assert moved > 20


def test_fillers_leave_and_hasty_steps_stop() -> None:
    """Nor would it prove anything about fillers if none ever left, or about hasty steps if none ever stopped."""
    left, stopped = 0, 0
    for seed in range(40):
        encoded, k, atoms, block = opened(seed)
        for is_hasty in (False, True):
            twin = Trimmer(encoded.hulls, atoms.points, classes_of(block), len(block.head), k, seed, is_hasty=is_hasty)
            for step in range(STEPS):
                twin.step(step % len(twin.classes), 0.3)
            left += twin.let_go
            stopped += twin.given_up
    assert left > 20, left
    assert stopped > 100, stopped


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("seed", repeats(6, 60))
def test_each_step_under_a_rule_equals_its_twin(seed: int, kind: str) -> None:
    """Records go only to classes, and away from classes, that obey with the move: as whole classes judged plainly."""
    encoded, k = random_case(seed, largest=40)
    n, random = len(encoded), np.random.default_rng(seed)
    rule = random_rule(random, kind, n)
    atoms = Atoms.of(encoded.points, (rule,))
    labels = enforce(encoded, random.integers(0, max(n // k, 1), n), Requirement(k, (rule,)), Progress())
    held, rules = Holdings.of(labels, atoms), as_arrays((rule,), n)
    worth = np.zeros(len(atoms.points))
    block = open_block(encoded.hulls, atoms.points, worth, held.begin, held.atom, held.amount, k, 1)
    state, work = np.array([seed | 1], dtype=np.uint64), new_trimming(block)
    board = new_board(encoded.hulls, block, state)
    twin = Trimmer(
        encoded.hulls, atoms.points, classes_of(block), len(block.head), k, seed, (rule,), atoms.first_row.tolist()
    )
    for step in range(STEPS):
        label = step % len(held)
        trim(encoded.hulls, rules, block, board, atoms.points, atoms.first_row, label, k, 0.3, False, state, work)
        twin.step(label, 0.3)
        assert classes_of(block) == twin.classes


@pytest.mark.parametrize("seed", [seed for seed in range(40) if len(random_case(seed, largest=60)[0]) >= 4])
def test_classes_that_obey_a_rule_still_do(seed: int) -> None:
    """A step that would leave a class with one private value is undone, however much it saves."""
    encoded, k = random_case(seed, largest=60)
    n = len(encoded)
    codes = np.arange(n, dtype=np.int64) % 2
    rule = Rule(kind="distinct", codes=codes, limit=2)
    atoms = Atoms.of(encoded.points, (rule,))
    size = max(k, 2)
    labels = np.arange(n) * max(n // (2 * size), 1) // n
    held = Holdings.of(labels, atoms)
    rules = as_arrays((rule,), n)
    worth = np.zeros(len(atoms.points))
    block = open_block(encoded.hulls, atoms.points, worth, held.begin, held.atom, held.amount, size, 1)
    state, work = np.array([seed | 1], dtype=np.uint64), new_trimming(block)
    board = new_board(encoded.hulls, block, state)
    for step in range(3 * STEPS):
        given = encoded.hulls, rules, block, board, atoms.points, atoms.first_row
        trim(*given, step % len(held), size, 1.0, False, state, work)
    for entries in classes_of(block):
        assert sum(units for _, units in entries) >= size
        assert {int(codes[atoms.first_row[atom]]) for atom, _ in entries} == {0, 1}
