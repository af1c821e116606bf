# SPDX-License-Identifier: Apache-2.0
"""Dealing records out by their private values, like cards, into hands that obey rules."""

from __future__ import annotations

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.rules import Rules, by_values, obeyed
from shoal.ground.arrays import Ints

COARSE = 128
"""From so many hands on, fewer are tried in larger steps: one by one could take the square of the time."""


@kernel
def _laid_out(rules: Rules, rows: Ints, place: Ints) -> Ints:
    """Positions in ``rows``, ordered by private values, equal ones by ``place``."""
    keys = np.empty(len(rows), np.int64)
    for i in range(len(rows)):
        keys[i] = place[rows[i]]
    return by_values(rules, rows, np.argsort(keys, kind="mergesort"), -1)


@kernel
def _all_obey(rules: Rules, line: Ints, hands: int) -> bool:
    """Whether every hand obeys the rules if the records of a line are dealt into so many."""
    nobody = np.zeros(len(line) // hands + 1, np.bool_)
    for hand in range(hands):
        held = line[hand::hands].copy()
        if not obeyed(rules, held, 0, len(held), nobody, False):
            return False
    return True


@kernel
def _joined(rules: Rules, line: Ints, hands: int, least: int) -> Ints:
    """Part of each hand: neighbours joined until they hold ``least`` records and obey all rules.

    A rest that does not obey joins the parts before it. Long parts are not examined after every hand, which could take
    the square of the time.
    """
    nobody = np.zeros(len(line), np.bool_)
    held = np.empty(len(line), np.int64)
    part_of = np.empty(hands, np.int64)
    begin = np.zeros(hands + 1, np.int64)
    parts, size, wanted = 0, 0, least
    for hand in range(hands):
        part_of[hand] = parts
        for i in range(hand, len(line), hands):
            held[begin[parts] + size] = line[i]
            size += 1
        if size >= wanted:
            if obeyed(rules, held, begin[parts], begin[parts] + size, nobody, False):
                begin[parts + 1] = begin[parts] + size
                parts, size, wanted = parts + 1, 0, least
            else:
                wanted = size + size // 8
    while parts > 0 and size > 0 and not obeyed(rules, held, begin[parts], len(line), nobody, False):
        parts -= 1
    if size > 0 and len(line) - begin[parts] < least and parts > 0:
        parts -= 1
    return np.minimum(part_of, parts)


@kernel
def dealt(rules: Rules, first: Rules, rows: Ints, place: Ints, least: int, fewest: int) -> Ints:
    """Part of each of ``rows``, numbered from 0: parts of at least ``least`` records that obey the rules.

    The records are laid out by their private values and dealt in turn, like cards. If that breaks a rule, they are laid
    out by the ``first`` rule alone and dealt into more and smaller hands, down to the ``fewest`` records with which it
    can be obeyed at all, and neighbouring hands are joined: a union of hands that obey does so too, and together all
    records obey.
    """
    order = _laid_out(rules, rows, place)
    line = rows[order]
    hands = max(1, len(rows) // least)
    if not _all_obey(rules, line, hands):
        order = _laid_out(first, rows, place)
        line = rows[order]
        hands = max(1, len(rows) // fewest)
        while hands > 1 and not _all_obey(first, line, hands):
            hands -= 1 + hands // COARSE
    parts = _joined(rules, line, hands, least)
    numbers = np.empty(len(rows), np.int64)
    for i in range(len(rows)):
        numbers[order[i]] = parts[i % hands]
    return numbers
