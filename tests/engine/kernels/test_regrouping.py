# SPDX-License-Identifier: Apache-2.0
"""Regrouping pools and searching blocks: equal to the plain twin, nothing lost, nothing worse."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.hull import total_loss
from shoal.engine.kernels.rules import as_arrays
from shoal.engine.kernels.search.class_block import lossy, open_block
from shoal.engine.kernels.search.pools import attempt, new_pool
from shoal.engine.kernels.search.regrouping import own_numbers, regroup
from shoal.engine.kernels.search.splitting import new_knife, split
from shoal.engine.refining.holdings import Atoms, Holdings
from shoal.ground.requirements import Rule
from tests.counts import repeats
from tests.reference import pools, splitting
from tests.strategies import random_case

NO_RULES = None


def kernel_attempt(encoded: Encoded, amounts: np.ndarray, size: int, seed: int) -> list[dict[int, int]]:
    """The kernel's classes as dictionaries."""
    items, d = encoded.points.shape
    pool = new_pool(items, d, NO_RULES)
    pool.points[:], pool.amount[:], pool.row[:] = encoded.points.T, amounts, 0
    state, work = np.array([seed | 1], dtype=np.uint64), np.zeros(1, dtype=np.int64)
    total, classes, entries = attempt(encoded.hulls, NO_RULES, pool, items, size, state, work)
    made: list[dict[int, int]] = [{} for _ in range(classes)]
    for item, owner, units in zip(pool.item[:entries], pool.owner[:entries], pool.units[:entries], strict=True):
        made[owner][int(item)] = made[owner].get(int(item), 0) + int(units)
    held = [sum(one.values()) for one in made]
    losses = [pools.loss(encoded.hulls, encoded.points, list(one)) for one in made]
    assert total == pytest.approx(float(np.dot(held, losses)), abs=1e-9)
    return made


@pytest.mark.parametrize("seed", repeats(15, 200))
def test_an_attempt_equals_its_twin(seed: int) -> None:
    """Pricing by differences makes the same classes as hulls taken from all members."""
    encoded, k = random_case(seed, largest=25)
    random = np.random.default_rng(seed)
    amounts = np.where(random.random(len(encoded)) < 0.3, random.integers(1, 3 * k + 1, len(encoded)), 1)
    made = kernel_attempt(encoded, amounts, k, seed)
    assert made == pools.attempt(encoded.hulls, encoded.points, amounts.tolist(), k, seed)


@pytest.mark.parametrize("seed", repeats(15, 200))
def test_a_pool_is_split_as_by_its_twin(seed: int) -> None:
    """Sweeping over sorted records finds the cut that leaves least among all cuts, and every record is in a class."""
    encoded, k = random_case(seed, largest=25)
    random = np.random.default_rng(seed)
    amounts = np.where(random.random(len(encoded)) < 0.3, random.integers(1, 3 * k + 1, len(encoded)), 1)
    pool = new_pool(len(encoded), encoded.points.shape[1], NO_RULES)
    pool.points[:], pool.amount[:] = encoded.points.T, amounts
    work = np.zeros(1, dtype=np.int64)
    total, classes, entries = split(encoded.hulls, pool, len(encoded), k, work, new_knife(pool))
    item, owner, units = (each[:entries] for each in (pool.item, pool.owner, pool.units))
    assert np.bincount(item, weights=units).tolist() == amounts.tolist()
    held = np.bincount(owner, weights=units, minlength=classes)
    losses = [pools.loss(encoded.hulls, encoded.points, item[owner == label]) for label in range(classes)]
    assert total == pytest.approx(float(np.dot(held, losses)), abs=1e-9)
    assert held.min() >= min(k, amounts.sum())
    plain = splitting.split(encoded.hulls, encoded.points, amounts.tolist(), k)
    assert total == pytest.approx(sum(splitting.lost(encoded.hulls, encoded.points, part) for part in plain), abs=1e-9)


def holdings_loss(encoded: Encoded, atoms: Atoms, held: Holdings) -> float:
    """Total loss of classes."""
    lo, hi = held.hulls(atoms.points)
    return total_loss(encoded.hulls, lo, hi, held.sizes)


def searched(encoded: Encoded, atoms: Atoms, held: Holdings, k: int, steps: int, heat: float, seed: int) -> Holdings:
    """The block of all classes, searched, by random prices where it is hot."""
    worth = np.random.default_rng(seed).random(len(atoms.points)) * (heat > 0)
    given = atoms.points, worth, atoms.first_row, held.begin, held.atom, held.amount
    return Holdings(*regroup(encoded.hulls, NO_RULES, *given, k, steps, heat, seed % 2 == 0, seed))


@pytest.mark.parametrize("heat", [0.0, 0.5])
@pytest.mark.parametrize("seed", repeats(10, 60))
def test_a_block_loses_no_record_and_keeps_its_word(seed: int, heat: float) -> None:
    """Every record stays, classes stay large enough, and a cold search never makes things worse."""
    encoded, k = random_case(seed, largest=60)
    atoms = Atoms.of(encoded.points, ())
    held = Holdings.of(np.arange(len(encoded)) * (len(encoded) // k) // len(encoded), atoms)
    losses = [holdings_loss(encoded, atoms, held)]
    for number in range(4):
        held = searched(encoded, atoms, held, k, 3_000, heat, 4 * seed + number + 1)
        assert held.sizes.min() >= k
        kept = np.bincount(held.atom, weights=held.amount, minlength=len(atoms.points))
        assert kept.tolist() == np.bincount(atoms.of_row).tolist()
        losses.append(holdings_loss(encoded, atoms, held))
    if heat == 0:
        assert all(after <= before + 1e-9 for before, after in pairwise(losses))


@pytest.mark.parametrize("seed", repeats(6, 20))
def test_a_block_numbers_its_atoms_as_they_come(seed: int) -> None:
    """Whatever stood in memory before, each atom has one number, and the numbers tell which atom is meant."""
    random = np.random.default_rng(seed)
    atoms = random.integers(0, 90, random.integers(0, 200))
    for _ in range(3):  # later ones find the memory of those before
        held, own = own_numbers(atoms, 90)
        assert held.tolist() == list(dict.fromkeys(atoms.tolist()))
        assert held[own].tolist() == atoms.tolist()
        atoms = random.permutation(atoms)


def test_many_copies_of_one_record() -> None:
    """A thousand equal records are one atom; splitting them into small classes needs no more room than it has."""
    encoded, _ = random_case(3, largest=20)
    points = np.repeat(encoded.points, 1000, axis=0)
    atoms = Atoms.of(points, ())
    held = Holdings.of(np.zeros(len(points), dtype=np.int64), atoms)
    assert searched(encoded, atoms, held, 2, 50_000, 0.1, 1).amount.sum() == len(points)


@pytest.mark.parametrize("seed", repeats(6, 20))
def test_a_class_has_one_entry_for_an_atom(seed: int) -> None:
    """Rules let a class take an atom in several portions, and leftovers may join their like: all are one entry."""
    random = np.random.default_rng(seed)
    few, k = random_case(seed, largest=8)
    encoded = Encoded(tuple(one.take(random.integers(0, len(few), 300)) for one in few.columns), few.loss)
    rule = Rule("share", random.choice(4, 300, p=[0.4, 0.3, 0.2, 0.1]), 0.5)
    atoms, size = Atoms.of(encoded.points, (rule,)), k + 5
    held = Holdings.of(np.zeros(300, dtype=np.int64), atoms)
    given = atoms.points, np.zeros(len(atoms.points)), atoms.first_row, held.begin, held.atom, held.amount
    found = Holdings(*regroup(encoded.hulls, as_arrays((rule,), 300), *given, size, 200_000, 0.5, False, seed))
    owner = np.repeat(np.arange(len(found)), np.diff(found.begin))
    assert len(set(zip(owner.tolist(), found.atom.tolist(), strict=True))) == len(owner)
    assert np.bincount(found.atom, weights=found.amount).tolist() == np.bincount(atoms.of_row).tolist()


def test_the_class_that_wastes_most_is_chosen() -> None:
    """Of the classes drawn, not the one that loses most, but the one that loses most beyond what its records must."""
    encoded, k = random_case(8, largest=60)[0], 2
    atoms = Atoms.of(encoded.points, ())
    held = Holdings.of(np.arange(len(encoded)) * (len(encoded) // k) // len(encoded), atoms)
    worth = np.random.default_rng(1).random(len(atoms.points))
    block = open_block(encoded.hulls, atoms.points, worth, held.begin, held.atom, held.amount, k, 1)
    paid = [float(worth[one.atom] @ one.amount) for one in map(held.take, np.arange(len(held))[:, None])]
    beyond = block.sizes[: len(held)] * block.losses[: len(held)] - paid
    assert len(held) > 5
    assert int(np.argmax(beyond)) != int(np.argmax(beyond + paid))
    assert lossy(block, 400, np.array([1], dtype=np.uint64)) == np.argmax(beyond)


def test_labels_and_holdings_are_two_views_of_one_partition() -> None:
    """Turning labels into holdings and back changes nothing but which of two equal records is meant."""
    encoded, k = random_case(11, largest=60)
    atoms = Atoms.of(encoded.points, ())
    labels = np.arange(len(encoded)) % max(1, len(encoded) // k)
    held = Holdings.of(labels, atoms)
    again = Holdings.of(held.labels(atoms), atoms)
    assert [part.tolist() for part in (held.begin, held.atom, held.amount)] == [
        part.tolist() for part in (again.begin, again.atom, again.amount)
    ]
