# SPDX-License-Identifier: Apache-2.0
"""Search over patterns: open one, and all whom it costs less come; classes left too small are closed.

For tables of names without levels (:mod:`shoal.engine.kernels.search.patterns`). There a class loses nothing by taking
in whoever fits its pattern, and records moved one by one change nothing until the last one that stood in the way has
gone. So a step chooses a pattern near the one of a record: some attributes kept that its class has lost, some lost
that it keeps. Who fits it and loses more where he is comes, as long as his class keeps enough; if it pays, that class
is closed, and the others there go where they fit at the lowest cost. If too few come, others are called who lose less
where they are. Some steps put the new pattern in the place of the class, some only close a class. A step that costs
more is undone, but for a little tolerance while ``heat`` is above 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import inlined, kernel, lent
from shoal.engine.kernels.dice import below, share
from shoal.engine.kernels.hull import Hulls
from shoal.engine.kernels.rules import ZERO
from shoal.engine.kernels.search.passing_on import pass_on
from shoal.engine.kernels.search.patterns import (
    GONE,
    UNUSED,
    Patterns,
    Traits,
    cheapest,
    fits,
    fitting,
    join,
    lay_out,
    leave,
    publish,
    tighten,
)
from shoal.engine.kernels.search.pools import ROUNDED_AWAY
from shoal.ground.arrays import Floats, Ints, Words

OPENED, REPLACED, WIDENED = 4, 8, 9
"""Of ten steps, so many open a pattern; up to so many replace a class by a finer one; up to so many by a coarser one;
the rest close a class."""
ATTRIBUTE_DRAWS = 4
"""How often an attribute is drawn until one is found that the class has lost."""
HOPE = 0.8
"""A step is tried if it looks worse than allowed by less than so many attributes of a smallest class: classes may show
more when some have left."""
WORDS_SEEN, AT_ONCE = 8, 2
"""Words of bitmaps that count as one record looked at, and how many of these take as long as one pricing elsewhere."""
USUAL_HEAT_SIZE = 60
"""Size of classes up to which a search has less heat than other searches, beyond which more: a step moves a class."""
LAID_OUT = 2
"""What it takes to lay out a cell, in records looked at: much, where a large table has short rounds."""
COOL = 1.0
"""Records are passed on once a step may make things worse by no more than about so many attributes of one record:
before, what they save is lost again in the next round."""
MOST_WORDS = 8_000_000
"""Largest bitmaps of the values of a block: 64 MB."""


class Opening(NamedTuple):
    """Scratch of the steps."""

    pattern: Ints
    common: Ints
    """[attribute]"""
    matches: Ints
    """The records that fit the pattern."""
    fitting: Ints
    leaving: Ints
    """[class] how many of them it has, and how many of these leave it."""
    closing: Ints
    """[class] whether it is closed."""
    sources: Ints
    """The classes that have any."""
    record: Ints
    source: Ints
    """[move]"""
    touched: Ints
    shown: Ints
    carried: Floats
    """[touched] the class, its pattern and its loss before."""
    mark: Ints
    """[class] whether it is among the touched."""
    many: Ints
    """How many matches, sources, moves, touched; and the work so far."""


MATCHES, SOURCES, MOVES, TOUCHES, WORK = range(5)


def new_opening(traits: Traits, patterns: Patterns) -> Opening:
    """Scratch for a block."""
    (n, d), classes = traits.value.shape, len(patterns.sizes)
    records, labels = np.empty(n, np.int64), np.zeros(classes, np.int64)
    return Opening(
        np.empty(d, np.int64), np.empty(d, np.int64), records, labels,
        labels.copy(), labels.copy(), labels.copy(), np.empty(2 * n, np.int64), np.empty(2 * n, np.int64),
        labels.copy(), np.empty((classes, d), np.int64), np.empty(classes), labels.copy(), np.zeros(5, np.int64),
    )  # fmt: skip


# -- which pattern -------------------------------------------------------------------------------------------------


@inlined
def _refine(traits: Traits, record: int, pattern: Ints, state: Words) -> bool:
    """Keep a value of the record that the pattern has lost; False if none was found."""
    for _ in range(ATTRIBUTE_DRAWS):
        j = below(state, len(pattern))
        if pattern[j] == GONE and traits.value[record, j] >= 0:
            pattern[j] = traits.value[record, j]
            return True
    return False


@kernel
def _propose(traits: Traits, patterns: Patterns, work: Opening, record: int, kind: int, state: Words) -> bool:
    """A pattern that the record fits, near that of its class; False if it would be the same."""
    traits, patterns, pattern, kept = lent(traits), lent(patterns), lent(work.pattern), lent(patterns.kept)
    label, d = patterns.label[record], len(pattern)
    for j in range(d):
        pattern[j] = kept[label, j]
    if kind < REPLACED:
        finer = _refine(traits, record, pattern, state)
        if below(state, 2) == 1:
            finer = _refine(traits, record, pattern, state) or finer
        for _ in range(below(state, 3)):
            j = below(state, d)
            if kept[label, j] >= 0:
                pattern[j] = GONE
        return finer
    for _ in range(1 + below(state, 2)):
        pattern[below(state, d)] = GONE
    if below(state, 2) == 1:
        j = below(state, d)
        if kept[label, j] == GONE:
            pattern[j] = traits.value[record, j]
    return True


# -- who comes -----------------------------------------------------------------------------------------------------


@inlined
def _list_sources(patterns: Patterns, work: Opening) -> None:
    """List the classes of the records that fit."""
    sources = ZERO
    for i in range(work.many[MATCHES]):
        label = patterns.label[work.matches[i]]
        if work.fitting[label] == 0:
            work.sources[sources] = label
            sources += 1
        work.fitting[label] += 1
    work.many[SOURCES] = sources
    work.many[WORK] += work.many[MATCHES]


@inlined
def _closing_costs(traits: Traits, patterns: Patterns, work: Opening, label: int, least: float) -> float:
    """What those who do not fit lose more where they fit at the lowest cost; not added up beyond ``least``."""
    total, record, words = 0.0, patterns.head[label], patterns.without.size
    while record >= 0 and total < least:
        if work.many[MATCHES] == 0 or not fits(traits, work.pattern, record):
            other = cheapest(traits, patterns, record, label)
            work.many[WORK] += 1 + words // WORDS_SEEN
            total += patterns.cost[other] - patterns.cost[label] if other >= 0 else np.inf
        record = patterns.after[record]
    return total


@kernel
def _invite(
    traits: Traits, patterns: Patterns, work: Opening, size: int, price: float, given_up: int
) -> tuple[int, float]:
    """How many leave classes where they lose more, and which of these are closed; how many come, and the change."""
    traits, patterns, work = lent(traits), lent(patterns), lent(work)
    coming, change = ZERO, 0.0
    for i in range(work.many[SOURCES]):
        label = work.sources[i]
        held, many, gain = patterns.sizes[label], work.fitting[label], patterns.cost[label] - price
        if gain <= 0 and label != given_up:
            continue
        if held - many < size and held > many and label != given_up:
            some = (held - size) * gain
            if many * gain - _closing_costs(traits, patterns, work, label, many * gain - some) > some:
                work.closing[label] = 1
            else:
                many = held - size
        work.leaving[label] = many
        coming += many
        change -= many * gain
    return coming, change


@kernel
def _call(patterns: Patterns, work: Opening, size: int, price: float, given_up: int, missing: int) -> float:
    """Call so many from classes where they lose less, if these can spare them; what it costs, infinite if too few."""
    patterns, work = lent(patterns), lent(work)
    total = 0.0
    while missing > 0:
        least, chosen = np.inf, -1
        for i in range(work.many[SOURCES]):
            label = work.sources[i]
            rise = price - patterns.cost[label]
            if 0 <= rise < least and work.leaving[label] == 0 and patterns.sizes[label] > size and label != given_up:
                least, chosen = rise, label
        if chosen < 0:
            return np.inf
        many = min(work.fitting[chosen], patterns.sizes[chosen] - size, missing)
        work.leaving[chosen] = many
        work.many[WORK] += work.many[SOURCES]
        missing -= many
        total += many * least
    return total


# -- moves, kept or undone -----------------------------------------------------------------------------------------


@inlined
def _touch(patterns: Patterns, work: Opening, label: int) -> None:
    """Write down what a class was before its first move."""
    if work.mark[label] == 0:
        last = work.many[TOUCHES]
        work.mark[label], work.touched[last] = 1, label
        work.carried[last] = patterns.sizes[label] * patterns.cost[label]
        for j in range(patterns.kept.shape[1]):
            work.shown[last, j] = patterns.kept[label, j]
        work.many[TOUCHES] += 1


@inlined
def _move(patterns: Patterns, work: Opening, record: int, label: int) -> None:
    """Move a record and write it down."""
    source, last = patterns.label[record], work.many[MOVES]
    _touch(patterns, work, source)
    _touch(patterns, work, label)
    work.record[last], work.source[last] = record, source
    work.many[MOVES] += 1
    work.many[WORK] += 3
    leave(patterns, record)
    join(patterns, record, label)


@kernel
def _gather(traits: Traits, patterns: Patterns, work: Opening) -> None:
    """Open the pattern and let those come who may."""
    traits, patterns, work = lent(traits), lent(patterns), lent(work)
    label = patterns.spare[patterns.spares[0] - 1]
    patterns.spares[0] -= 1
    _touch(patterns, work, label)
    publish(traits, patterns, label, work.pattern)
    for i in range(work.many[MATCHES]):
        record = work.matches[i]
        source = patterns.label[record]
        if work.leaving[source] > 0:
            work.leaving[source] -= 1
            _move(patterns, work, record, label)


@kernel
def _close(traits: Traits, patterns: Patterns, work: Opening, given_up: int) -> bool:
    """Close the classes that are to be closed; False if somebody fits nowhere else."""
    traits, patterns, work = lent(traits), lent(patterns), lent(work)
    if given_up >= 0:
        _touch(patterns, work, given_up)
        work.closing[given_up] = 1
    touches, words = work.many[TOUCHES], patterns.without.size
    for j in range(len(work.common)):
        work.common[j] = UNUSED
    for i in range(touches):
        if work.closing[work.touched[i]] == 1 or patterns.sizes[work.touched[i]] == 0:
            publish(traits, patterns, work.touched[i], work.common)
    for i in range(touches):
        label = work.touched[i]
        while work.closing[label] == 1 and patterns.head[label] >= 0:
            record = patterns.head[label]
            other = cheapest(traits, patterns, record, label)
            work.many[WORK] += words // WORDS_SEEN
            if other < 0:
                return False
            _move(patterns, work, record, other)
    return True


@kernel
def _change(traits: Traits, patterns: Patterns, work: Opening) -> float:
    """Show what the touched classes have in common now; by how much the loss has risen."""
    traits, patterns, work = lent(traits), lent(patterns), lent(work)
    total = 0.0
    for i in range(work.many[TOUCHES]):
        label = work.touched[i]
        if patterns.sizes[label] > 0:
            tighten(traits, patterns, label, work.common)
        total += patterns.sizes[label] * patterns.cost[label] - work.carried[i]
    return total


@kernel
def _finish(traits: Traits, patterns: Patterns, work: Opening, is_kept: bool) -> None:
    """Keep the moves or take them back."""
    traits, patterns, work = lent(traits), lent(patterns), lent(work)
    if not is_kept:
        for i in range(work.many[MOVES] - 1, -1, -1):
            leave(patterns, work.record[i])
            join(patterns, work.record[i], work.source[i])
    for i in range(work.many[TOUCHES]):
        label = work.touched[i]
        work.mark[label] = 0
        work.closing[label] = 0
        if not is_kept:
            publish(traits, patterns, label, work.shown[i])
        if patterns.sizes[label] == 0:
            patterns.spare[patterns.spares[0]] = label
            patterns.spares[0] += 1
    for i in range(work.many[SOURCES]):
        label = work.sources[i]
        work.fitting[label], work.leaving[label], work.closing[label] = 0, 0, 0


# -- the search ----------------------------------------------------------------------------------------------------


@inlined
def _priced(traits: Traits, work: Opening) -> float:
    """Let the pattern show what all who fit have in common; what it costs a record."""
    price, many = 0.0, work.many[MATCHES]
    for j in range(len(work.pattern)):
        if work.pattern[j] == GONE:
            value, alike = traits.value[work.matches[0], j], 1
            while alike < many and traits.value[work.matches[alike], j] == value:
                alike += 1
            if value >= 0 and alike == many:
                work.pattern[j] = value
            else:
                price += traits.weight[j]
    return price


@kernel
def _looks_good(traits: Traits, patterns: Patterns, work: Opening, size: int, given_up: int, allowed: float) -> bool:
    """Whether enough records can come to the pattern, and at a price that may pay."""
    traits, patterns, work = lent(traits), lent(patterns), lent(work)
    work.many[WORK] += traits.words.shape[1] * len(work.pattern)  # and what these words point to
    work.many[MATCHES] = fitting(traits, work.pattern, work.matches)
    if work.many[MATCHES] < size:
        return False
    price = _priced(traits, work)
    _list_sources(patterns, work)
    coming, change = _invite(traits, patterns, work, size, price, given_up)
    if given_up >= 0 and coming == work.leaving[given_up] == patterns.sizes[given_up]:
        return False  # the same class again
    if change < allowed and coming < size:
        change += _call(patterns, work, size, price, given_up, size - coming)
    return change < allowed


@kernel
def _search(
    traits: Traits, patterns: Patterns, work: Opening, size: int, steps: int, heat: float, hope: float, state: Words
) -> None:
    many = work.many
    while many[WORK] < steps:
        many[WORK] += 10
        many[MATCHES], many[SOURCES], many[MOVES], many[TOUCHES] = 0, 0, 0, 0
        record, kind = below(state, len(patterns.label)), below(state, 10)
        given_up = -1 if kind < OPENED else patterns.label[record]
        allowed = -ROUNDED_AWAY - heat * math.log(share(state))
        is_kept = True
        if kind < WIDENED:
            is_kept = _propose(traits, patterns, work, record, kind, state)
            is_kept = is_kept and _looks_good(traits, patterns, work, size, given_up, allowed + hope)
            if is_kept:
                _gather(traits, patterns, work)
        else:
            is_kept = _closing_costs(traits, patterns, work, given_up, allowed + hope) < allowed + hope
        is_kept = is_kept and _close(traits, patterns, work, given_up)
        is_kept = is_kept and _change(traits, patterns, work) < allowed
        _finish(traits, patterns, work, is_kept)


def open_patterns(
    hulls: Hulls, points: Floats, begin: Ints, atoms: Ints, amounts: Ints, size: int, steps: int, heat: float, seed: int
) -> tuple[Ints, Ints, Ints] | None:
    """Search one block as ``regroup`` does, of flat names and without rules; None if the block is too large for it."""
    held = np.repeat(atoms, amounts)
    labels = np.repeat(np.repeat(np.arange(len(begin) - 1), np.diff(begin)), amounts)
    codes, weight = _numbered(points[held], hulls.cap, size)
    if not len(weight):
        return begin, atoms, amounts
    if (np.bincount(codes.ravel()) >= size).sum() * (len(held) // 64 + 1) > MOST_WORDS:
        return None
    order = np.lexsort(codes.T)  # those who fit a pattern lie close together then, in few words of bitmaps
    held, codes, labels = held[order], codes[order], labels[order]
    traits, patterns = lay_out(codes, weight, labels, max(len(begin) - 1, len(held) // size) + 1, size)
    state, warmth = np.array([seed | 1], dtype=np.uint64), heat * size / USUAL_HEAT_SIZE
    work, hope = new_opening(traits, patterns), HOPE * size * float(weight.mean())
    work.many[WORK] = LAID_OUT * codes.size
    _search(traits, patterns, work, size, AT_ONCE * steps, warmth, hope, state)
    if warmth <= COOL * weight.mean():
        pass_on(traits, patterns, size)
    return _entries(patterns.label, held, len(points))


def _numbered(points: Floats, weight: Floats, size: int) -> tuple[Ints, Floats]:
    """The values of each attribute that some class may keep and some may lose, numbered through; and its weight.

    Attributes of which most records have the same value come last.
    """
    leaves = points.astype(np.int64)
    commonest = np.array([np.bincount(column).max() for column in leaves.T])
    asked = (weight > 0) & (commonest >= size) & (commonest < len(leaves))
    order = np.argsort(commonest, kind="stable")
    order = order[asked[order]]
    many = leaves[:, order].max(axis=0) + 1
    return leaves[:, order] + (np.cumsum(many) - many), weight[order]


def _entries(labels: Ints, atoms: Ints, many: int) -> tuple[Ints, Ints, Ints]:
    """The classes as ``begin``, ``atoms``, ``amounts``."""
    found, label = np.unique(labels, return_inverse=True)
    keys, amounts = np.unique(label * many + atoms, return_counts=True)
    begin = np.searchsorted(keys // many, np.arange(len(found) + 1))
    return begin.astype(np.int64), keys % many, amounts.astype(np.int64)
