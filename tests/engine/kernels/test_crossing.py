# SPDX-License-Identifier: Apache-2.0
"""Parts of two partitions: equal to the plain twin where records differ; with copies, as many from either side."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.kernels.search.crossing import link_parts
from tests.counts import repeats
from tests.reference.crossing import parts

Entries = list[list[tuple[int, int]]]
"""[atom] class and amount, below 0 in the second partition."""


def linked(entries: Entries, classes: int) -> list[int]:
    """[class] its part, by the kernel."""
    begin = np.cumsum([0, *map(len, entries)])
    node, units = np.array([entry for one in entries for entry in one], dtype=np.int64).T.copy()
    parent = np.arange(classes)
    link_parts(begin, node, units, parent)
    return [int(part) for part in parent]


@pytest.mark.parametrize("seed", repeats(30, 300))
def test_different_records_link_what_shares_them(seed: int) -> None:
    """The parts are those of the definition, each named by its lowest class."""
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 40))
    one = np.unique(random.integers(0, max(1, n // 2), n), return_inverse=True)[1]
    mixed = np.where(random.random(n) < 0.3, random.integers(0, n, n), one)
    other = np.unique(mixed, return_inverse=True)[1] + one.max() + 1
    part = linked([[(int(a), 1), (int(b), -1)] for a, b in zip(one, other, strict=True)], int(other.max()) + 1)
    found = parts(one.tolist(), other.tolist())
    assert [[part[one[record]] for record in own] for own in found] == [[min(one[own])] * len(own) for own in found]
    assert [part[label] for label in one] == [part[label] for label in other]
    assert len(set(part)) == len(found)


def copies(random: np.random.Generator) -> tuple[Entries, int]:
    """Two random partitions of a few atoms that have many copies."""
    mine, theirs, entries = int(random.integers(1, 8)), int(random.integers(1, 8)), []
    for _ in range(random.integers(1, 8)):
        n = int(random.integers(1, 12))
        held = np.bincount(random.integers(0, mine, n), minlength=mine + theirs)
        held -= np.bincount(mine + random.integers(0, theirs, n), minlength=mine + theirs)
        entries.append([(int(label), int(held[label])) for label in np.flatnonzero(held)])
    return entries, mine + theirs


@pytest.mark.parametrize("seed", repeats(60, 600))
def test_a_part_has_as_many_copies_from_either_side(seed: int) -> None:
    """Of every atom, every part has as many from one partition as from the other."""
    entries, classes = copies(np.random.default_rng(seed))
    part = linked(entries, classes)
    for atom in entries:
        net = np.zeros(classes, dtype=np.int64)
        for label, units in atom:
            net[part[label]] += units
        assert not net.any()
    assert all(part[part[label]] == part[label] <= label for label in range(classes))


@pytest.mark.parametrize(
    ("atom", "found"),
    [
        ([(0, 2), (1, 3), (2, -3), (3, -2)], [0, 1, 1, 0]),  # equal amounts
        ([(0, 5), (1, 2), (2, 2), (3, -4), (4, -1), (5, -4)], [0, 1, 1, 0, 0, 1]),  # the largest, then equal ones
        ([(0, 5), (1, 2), (2, -7)], [0, 0, 0]),  # no choice
        ([(0, 3), (1, -3), (2, 1), (3, -1)], [0, 0, 2, 2]),
    ],
)
def test_copies_are_paired_with_few_links(atom: list[tuple[int, int]], found: list[int]) -> None:
    """Of many ways to pair copies: what has no choice, then equal amounts, then the largest."""
    assert linked([atom], len(found)) == found


def test_what_has_no_choice_goes_first() -> None:
    """An atom in one class of either side links these, and another atom is paired as it is already."""
    many = [(0, 2), (1, 2), (2, -2), (3, -2)]
    assert linked([many], 4) == [0, 1, 0, 1]
    assert linked([many, [(0, 1), (3, -1)]], 4) == [0, 1, 1, 0]
