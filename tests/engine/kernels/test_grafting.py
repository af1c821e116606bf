# SPDX-License-Identifier: Apache-2.0
"""Copies paired as by the plain twin; mending loses no record, leaves no class too small, takes what is cheapest."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.search import grafting
from shoal.engine.kernels.search.class_block import Block, close_block, open_block
from shoal.engine.kernels.search.grafting import dissolve, mend, pair_copies
from shoal.engine.refining.holdings import Atoms, Holdings
from tests.counts import repeats
from tests.reference.crossing import growth, paired
from tests.strategies import random_case


def kernel_pairs(
    sides: list[tuple[list[tuple[int, int]], list[tuple[int, int]]]], shared: dict[tuple[int, int], float], classes: int
) -> list[list[int]]:
    """Pairs of all atoms by the kernel."""
    entries = [one + other for one, other in sides]
    begin = np.cumsum([0, *map(len, entries)])
    middle = begin[:-1] + [len(one) for one, _ in sides]
    node, units = np.array([entry for one in entries for entry in one], dtype=np.int64).T.copy()
    keys = np.array(sorted(a * classes + b for a, b in shared), dtype=np.int64)
    weights = np.array([shared[key // classes, key % classes] for key in keys.tolist()], dtype=np.float64)
    pairs = np.empty((len(node), 4), dtype=np.int64)
    found: list[list[int]] = pairs[: pair_copies(begin, middle, node, units, keys, weights, classes, pairs)].tolist()
    return found


def dealt(random: np.random.Generator, n: int, first: int, classes: int) -> list[tuple[int, int]]:
    """Copies of one atom in some classes."""
    held = np.bincount(random.integers(0, classes, n), minlength=classes)
    return [(first + int(label), int(held[label])) for label in np.flatnonzero(held)]


@pytest.mark.parametrize("seed", repeats(30, 300))
def test_copies_are_paired_as_by_the_twin(seed: int) -> None:
    """The same pairs in the same order, whatever classes share for certain."""
    random = np.random.default_rng(seed)
    mine, theirs = (int(one) for one in random.integers(1, 7, 2))
    sizes = random.integers(1, 15, random.integers(1, 6)).tolist()
    sides = [(dealt(random, n, 0, mine), dealt(random, n, mine, theirs)) for n in sizes]
    all_pairs = [(a, mine + b) for a in range(mine) for b in range(theirs)]
    shared = {pair: float(random.integers(1, 4)) for pair in all_pairs if random.random() < 0.4}
    plain = [[atom, *pair] for atom, (one, other) in enumerate(sides) for pair in paired(one, other, shared)]
    assert kernel_pairs(sides, shared, mine + theirs) == plain


def test_too_many_choices_are_not_compared() -> None:
    """An atom in a thousand classes of either side is paired in order, at once, each copy once."""
    one, other = [(label, 2) for label in range(1_000)], [(1_000 + label, 1) for label in range(2_000)]
    assert len(one) * len(other) > grafting.MOST_CHOICES
    pairs = kernel_pairs([(one[:80], other[:160])], {(0, 1_159): 5.0}, 3_000)
    assert pairs == [[0, label // 2, 1_000 + label, 1] for label in range(160)]
    few = kernel_pairs([(one[:8], other[:16])], {(0, 1_015): 5.0}, 3_000)
    assert few[0] == [0, 0, 1_015, 1]


def opened(encoded: Encoded, labels: np.ndarray, size: int) -> tuple[Block, Atoms]:
    """The block of all classes."""
    atoms = Atoms.of(encoded.points, ())
    held = Holdings.of(labels, atoms)
    given = atoms.points, np.zeros(len(atoms.points)), held.begin, held.atom, held.amount
    return open_block(encoded.hulls, *given, size, 1), atoms


@pytest.mark.parametrize("seed", repeats(40, 300))
def test_mending_loses_nothing_and_fills_all(seed: int) -> None:
    """Whatever the classes, all records stay, all classes get large enough, and their hulls and losses are right."""
    encoded, k = random_case(seed, largest=40)
    random = np.random.default_rng(seed)
    labels = np.unique(random.integers(0, random.integers(1, len(encoded) + 1), len(encoded)), return_inverse=True)[1]
    block, atoms = opened(encoded, labels, k)
    mend(encoded.hulls, block, atoms.points, int(labels.max()) if seed % 2 else -1, k)
    sizes, losses = block.sizes[block.sizes > 0], block.losses[block.sizes > 0]
    lo, hi = block.lo[block.sizes > 0], block.hi[block.sizes > 0]
    held = Holdings(*close_block(block))
    assert held.sizes.min() >= k
    assert held.sizes.tolist() == sizes.tolist()
    kept = np.bincount(held.atom, weights=held.amount, minlength=len(atoms.points))
    assert kept.tolist() == np.bincount(atoms.of_row).tolist()
    assert (np.stack(held.hulls(atoms.points)) == np.stack([lo, hi])).all()
    again = opened(encoded, held.labels(atoms), k)[0]
    assert sorted(losses) == pytest.approx(sorted(again.losses[: len(held)]))


def entries_of(encoded: Encoded, labels: np.ndarray, atoms: Atoms) -> list[tuple[list[int], int]]:
    """[class] its atoms and its size."""
    return [(sorted(set(atoms.of_row[labels == one].tolist())), int((labels == one).sum()))
            for one in range(labels.max() + 1)]  # fmt: skip


@pytest.mark.parametrize("seed", repeats(20, 200))
def test_records_go_where_they_cost_least(seed: int) -> None:
    """All copies of an atom that lost their class go to the one whose loss grows least, though no entry is left."""
    encoded, k = random_case(seed, largest=40)
    atoms = Atoms.of(encoded.points, ())
    labels = np.arange(len(encoded)) // k
    labels = np.where(atoms.of_row == atoms.of_row[-1], labels.max() + 1, labels)
    labels = np.unique(labels, return_inverse=True)[1]
    last, atom, units = int(labels.max()), int(atoms.of_row[-1]), int((labels == labels.max()).sum())
    block, _ = opened(encoded, labels, k)
    before = float(block.sizes @ block.losses)
    dissolve(encoded.hulls, block, atoms.points, last)
    classes = entries_of(encoded, labels, atoms)[:-1]
    if not classes:
        assert block.sizes[last] == len(encoded)
        return
    costs = [growth(encoded, atoms.points, held, size, atom, units) for held, size in classes]
    assert block.sizes[last] == 0
    assert float(block.sizes @ block.losses) == pytest.approx(before + min(costs))


@pytest.mark.parametrize("seed", repeats(20, 200))
def test_a_class_fetches_what_costs_least(seed: int) -> None:
    """The record whose own class loses most beyond what it costs here, from a class that can spare one."""
    encoded, k = random_case(seed, largest=40)
    atoms, k = Atoms.of(encoded.points, ()), k + 1
    labels = np.arange(len(encoded)) // (k + 1 + seed % 2)  # all but the last can spare one
    labels[-1] = labels.max() + (len(encoded) > k + 1)
    labels = np.unique(labels, return_inverse=True)[1]
    last = int(labels.max())
    block, _ = opened(encoded, labels, k)
    classes = entries_of(encoded, labels, atoms)
    donors = [one for one in range(len(classes)) if one != last and classes[one][1] > k]
    losses = block.losses.copy()
    fetched = grafting._fetch_one(encoded.hulls, block, atoms.points, last, k)
    assert fetched == bool(donors)
    if fetched:
        source = int(np.flatnonzero(block.sizes[: last + 1] < [size for _, size in classes])[0])
        held = Holdings(*close_block(block)).take(np.array([last])).atom.tolist()
        new = [atom for atom in held if atom not in classes[last][0]] or classes[last][0]
        price = {(atom, one): growth(encoded, atoms.points, *classes[last], atom, 1) - losses[one]
                 for one in donors for atom in classes[one][0]}  # fmt: skip
        assert len(new) == 1
        assert price[new[0], source] == pytest.approx(min(price.values()))
