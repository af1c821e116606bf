# SPDX-License-Identifier: Apache-2.0
"""Classes as patterns: where names have no level but their root, a class shows a value of all its records, or nothing.

Who fits a pattern, and which classes a record fits, is asked of bitmaps: one for each value, over records and over
classes. Those over records are long, and empty for the most part if like records are neighbours: smaller ones tell
which of their words to look at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.ground.arrays import Floats, Ints, Words

GONE, UNUSED = -1, -2
"""Instead of a value: the class has lost the attribute; there is no such class."""
NONE, ONE, ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)
TWOS, FOURS, EIGHTS, SUM = (
    np.uint64(one) for one in (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x0101010101010101)
)


class Traits(NamedTuple):
    """The records of a block."""

    value: Ints
    """[record, attribute] its value, ``GONE`` if too few have it for any class to keep it."""
    holders: Words
    """[value, word] the records that have it."""
    words: Words
    """[value, word] the words of these that are not empty."""
    weight: Floats
    """[attribute] what its loss costs a record."""


class Patterns(NamedTuple):
    """The classes of a block; their records are chained in both directions."""

    kept: Ints
    """[class, attribute]"""
    cost: Floats
    """[class] of one record."""
    sizes: Ints
    head: Ints
    label: Ints
    after: Ints
    before: Ints
    """[record] its class, and its neighbours there."""
    without: Words
    """[attribute, word] the classes that have lost it."""
    keeping: Words
    """[value, word] the classes that keep it."""
    found: Words
    """[word] scratch: the classes that a record fits."""
    spare: Ints
    spares: Ints
    """The classes that are not in use, and [0] how many."""


def lay_out(codes: Ints, weight: Floats, labels: Ints, classes: int, size: int) -> tuple[Traits, Patterns]:
    """Records by the numbers of their values, attribute by attribute, in classes of at least ``size``.

    Values are numbered through all attributes; those that fewer than ``size`` records have are gone from the start.
    """
    n, d = codes.shape
    many = np.bincount(codes.ravel())
    number = np.where(many >= size, np.cumsum(many >= size) - 1, GONE)
    words, most = (n + 63) // 64, (classes // 64 + 1) * 64
    values = int(number.max()) + 1
    holders = np.zeros((values, words), np.uint64)
    traits = Traits(number[codes], holders, np.zeros((values, (words + 63) // 64), np.uint64), weight)
    patterns = Patterns(
        np.full((most, d), UNUSED), np.zeros(most), np.zeros(most, np.int64), np.full(most, -1), np.full(n, -1),
        np.full(n, -1), np.full(n, -1), np.zeros((d, most // 64), np.uint64), np.zeros((values, most // 64), np.uint64),
        np.zeros(most // 64, np.uint64), np.arange(most - 1, -1, -1), np.zeros(1, np.int64),
    )  # fmt: skip
    _fill(traits, patterns, labels)
    patterns.spares[0] = most - (int(labels.max()) + 1)
    return traits, patterns


@kernel
def _fill(traits: Traits, patterns: Patterns, labels: Ints) -> None:
    """Note who has which value, and put everybody into a class."""
    n, d = traits.value.shape
    for record in range(n):
        for j in range(d):
            value = traits.value[record, j]
            if value >= 0:
                word = record >> 6
                traits.holders[value, word] |= ONE << np.uint64(record & 63)
                traits.words[value, word >> 6] |= ONE << np.uint64(word & 63)
        join(patterns, record, labels[record])
    nothing = np.full(d, GONE)
    for label in range(labels.max() + 1):
        publish(traits, patterns, label, nothing)
        tighten(traits, patterns, label, nothing.copy())


# -- bits ----------------------------------------------------------------------------------------------------------


@inlined
def _bits(word: np.uint64) -> int:
    """How many bits are set."""
    word = word - ((word >> ONE) & TWOS)
    word = (word & FOURS) + ((word >> np.uint64(2)) & FOURS)
    word = (word + (word >> np.uint64(4))) & EIGHTS
    many: int = np.int64((word * SUM) >> np.uint64(56))  # type: ignore[assignment]
    return many


@inlined
def lowest(word: np.uint64) -> int:
    """The place of the lowest bit that is set."""
    return _bits((word & (~word + ONE)) - ONE)


@inlined
def _holding(bitmaps: Words, pattern: Ints, word: int) -> np.uint64:
    """A word of those who have all values of a pattern."""
    rest = ALL
    for j in range(len(pattern)):
        if pattern[j] >= 0:
            rest &= bitmaps[pattern[j], word]
            if rest == NONE:
                break
    return rest


@kernel
def fitting(traits: Traits, pattern: Ints, matches: Ints) -> int:
    """List all records that fit a pattern; how many they are."""
    traits, pattern, matches = lent(traits), lent(pattern), lent(matches)
    many, n = 0, len(traits.value)
    for group in range(traits.words.shape[1]):
        places = _holding(traits.words, pattern, group)
        while places != NONE:
            word = 64 * group + lowest(places)
            places &= places - ONE
            rest = _holding(traits.holders, pattern, word) if 64 * word < n else NONE
            while rest != NONE:
                record = 64 * word + lowest(rest)
                rest &= rest - ONE
                if record < n:  # of an empty pattern all bits are set
                    matches[many] = record
                    many += 1
    return many


@inlined
def fits(traits: Traits, pattern: Ints, record: int) -> bool:
    """Whether a record has all values of a pattern."""
    j = 0
    while j < len(pattern) and (pattern[j] < 0 or traits.value[record, j] == pattern[j]):
        j += 1
    return j == len(pattern)


# -- classes -------------------------------------------------------------------------------------------------------


@kernel
def publish(traits: Traits, patterns: Patterns, label: int, pattern: Ints) -> None:
    """From now on the class shows this pattern; no record finds it if that is ``UNUSED``."""
    traits, patterns, pattern = lent(traits), lent(patterns), lent(pattern)
    word, bit, total = label >> 6, ONE << np.uint64(label & 63), 0.0
    for j in range(len(pattern)):
        old, new = patterns.kept[label, j], pattern[j]
        if old == GONE:
            patterns.without[j, word] &= ~bit
        elif old >= 0:
            patterns.keeping[old, word] &= ~bit
        if new == GONE:
            patterns.without[j, word] |= bit
            total += traits.weight[j]
        elif new >= 0:
            patterns.keeping[new, word] |= bit
        patterns.kept[label, j] = new
    patterns.cost[label] = total


@kernel
def tighten(traits: Traits, patterns: Patterns, label: int, pattern: Ints) -> None:
    """Show whatever all records of the class have in common; ``pattern`` is scratch."""
    traits, patterns, pattern = lent(traits), lent(patterns), lent(pattern)
    better = False
    for j in range(len(pattern)):
        pattern[j] = patterns.kept[label, j]
        if pattern[j] == GONE:
            record = patterns.head[label]
            value = traits.value[record, j]
            while record >= 0 and traits.value[record, j] == value:
                record = patterns.after[record]
            if record < 0 and value >= 0:
                pattern[j] = value
                better = True
    if better:
        publish(traits, patterns, label, pattern)


@inlined
def join(patterns: Patterns, record: int, label: int) -> None:
    """Put a record into a class."""
    first = patterns.head[label]
    patterns.before[record], patterns.after[record] = -1, first
    if first >= 0:
        patterns.before[first] = record
    patterns.head[label], patterns.label[record] = record, label
    patterns.sizes[label] += 1


@inlined
def leave(patterns: Patterns, record: int) -> None:
    """Take a record out of its class."""
    label, before, after = patterns.label[record], patterns.before[record], patterns.after[record]
    if before >= 0:
        patterns.after[before] = after
    else:
        patterns.head[label] = after
    if after >= 0:
        patterns.before[after] = before
    patterns.sizes[label] -= 1


@kernel
def cheapest(traits: Traits, patterns: Patterns, record: int, but: int) -> int:
    """The class of lowest cost that a record fits, but one; -1 if there is none."""
    traits, patterns = lent(traits), lent(patterns)
    value, fit, best, chosen = traits.value, patterns.found, np.inf, -1
    for word in range(len(fit)):
        fit[word] = ALL
    for j in range(value.shape[1]):
        without, one = patterns.without[j], value[record, j]
        if one >= 0:
            keeping = patterns.keeping[one]
            for word in range(len(fit)):
                fit[word] &= without[word] | keeping[word]
        else:
            for word in range(len(fit)):
                fit[word] &= without[word]
    for word in range(len(fit)):
        rest = fit[word]
        while rest != NONE:
            label = 64 * word + lowest(rest)
            rest &= rest - ONE
            if label != but and patterns.cost[label] < best:
                best, chosen = patterns.cost[label], label
    return chosen
