# SPDX-License-Identifier: Apache-2.0
"""Whether the classes of a block obey the rules about private values, with a move on trial."""

from __future__ import annotations

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.rules import BOUNDS, SHARE, ZERO, Rules, count_in, settled
from shoal.engine.kernels.search.class_block import Block
from shoal.ground.arrays import Ints

COUNTED = 6
"""Records, or values, that are counted in the time of one pricing."""


@kernel
def obeys_with(rules: Rules | None, block: Block, row_of: Ints, label: int, atom: int, more: int) -> bool:
    """Whether a class obeys all rules with so many more units of an atom, or fewer; the atom -1 is none."""
    if rules is None:
        return True
    block.pricings[0] += (block.sizes[label] + len(rules.counts)) // COUNTED
    for rule in range(len(rules.kind)):
        codes, counts, met = rules.codes[rule], rules.counts, rules.met
        size, values = ZERO, ZERO
        if more > 0:
            values, size = count_in(counts, met, values, codes[row_of[atom]], more), size + more
        entry = block.head[label]
        while entry >= 0:
            units = block.amount[entry]
            if more < 0 and block.atom[entry] == atom:
                units += more
            if units > 0:
                values = count_in(counts, met, values, codes[row_of[block.atom[entry]]], units)
                size += units
            entry = block.next[entry]
        if not settled(rules, rule, values, size):
            return False
    return True


@kernel
def obeys_swapped(rules: Rules, block: Block, row_of: Ints, label: int, out: int, into: int, units: int) -> bool:
    """Whether a class obeys all rules with so many units of one atom out and of another in."""
    block.pricings[0] += (block.sizes[label] + len(rules.counts)) // COUNTED
    for rule in range(len(rules.kind)):
        codes, counts, met = rules.codes[rule], rules.counts, rules.met
        values = count_in(counts, met, ZERO, codes[row_of[into]], units)
        entry = block.head[label]
        while entry >= 0:
            held = block.amount[entry]
            if block.atom[entry] == out:
                held -= units
            if held > 0:
                values = count_in(counts, met, values, codes[row_of[block.atom[entry]]], held)
            entry = block.next[entry]
        if not settled(rules, rule, values, block.sizes[label]):
            return False
    return True


@kernel
def leaves_room(rules: Rules, block: Block, row_of: Ints, label: int, atom: int, more: int, least: int) -> bool:
    """Whether a class on its way to ``least`` records can obey with more units of an atom: no share gets too large."""
    for rule in range(len(rules.kind)):
        codes, limit = rules.codes[rule], rules.limit[rule]
        code = codes[row_of[atom]]
        if rules.kind[rule] == BOUNDS:
            limit = rules.upper[rules.start[rule] + code]
        elif rules.kind[rule] != SHARE:
            continue
        held, entry = more, block.head[label]
        while entry >= 0:
            if codes[row_of[block.atom[entry]]] == code:
                held += block.amount[entry]
            entry = block.next[entry]
        if held / least > limit:
            return False
    return True
