# SPDX-License-Identifier: Apache-2.0
"""Closing every cell of at least k records that costs no more than a threshold.

A *cell* holds the records that are equal on every attribute at some level of it: exact values, groups of a tree, bins
of numbers. The walk goes depth first: it divides the records by the first attribute, at each of its levels in turn,
then each part of at least k records by the next attribute, and so on. A part of fewer than k, or one that already costs
more than the threshold, is left at once with everything finer, so of the many combinations of levels only those are
looked at that hold enough records somewhere. A part that is a whole part of the finer level, too, has been seen there.

Numbers that come last need no levels: they are sorted, and the narrowest windows of at least k records are closed.

The walk can stop after any number of visits and go on later. One *visit* is one atom looked at for one division; an
*atom* is a record with all that equal it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel, lent
from shoal.engine.kernels.hull import term, ticks
from shoal.engine.kernels.ranking import sort
from shoal.engine.kernels.rules import Rules, obeyed_by
from shoal.ground.arrays import Codes, Flags, Floats, Ints


class AtomTable(NamedTuple):
    """The different records; attributes in the order of the walk."""

    ranks: Codes
    """[atom, attribute] rank of the coordinate among those that occur."""
    copies: Ints
    """[atom] its records."""
    first_row: Ints
    """[atom] its first record."""


class Levels(NamedTuple):
    """The levels of each attribute, finest first."""

    codes: Codes
    """Part of each rank, level after level, attribute after attribute."""
    start: Ints
    """[attribute] where its first level begins in ``codes``."""
    size: Ints
    """[attribute] its number of ranks."""
    levels: Ints
    """[attribute] its number of levels."""
    parts: Ints
    """[attribute, level] number of parts."""
    finer: Ints
    """[attribute, level] the level whose parts this one joins; -1 for the first."""
    values: Floats
    """Coordinate of each rank, attribute after attribute."""
    first: Ints
    """[attribute] where its coordinates begin in ``values``."""


class Walk(NamedTuple):
    """Where the walk stands."""

    atoms: Ints
    """Live atoms first; a cell is a run of them."""
    label: Ints
    """[atom] its class, -1 as long as it is live."""
    begin: Ints
    end: Ints
    reached: Ints
    level: Ints
    whole: Flags
    """[depth] the run of the cell under way, how far it is done, its level, and whether that left it whole."""
    spent: Floats
    """[depth] what the attributes before cost."""
    depth: Ints
    classes: Ints
    visits: Ints
    live: Ints
    """[0] depth of the walk (-1 when all is seen), classes closed, visits made, live atoms."""
    threshold: Floats
    next_cost: Floats
    """[0] the threshold, and the smallest cost above it that was met, in ticks."""
    scratch: Ints
    """[atom]"""
    places: Ints
    """[part, one more]"""
    amounts: Ints
    """[atom]"""


def new_walk(n_atoms: int, n_attributes: int, most_parts: int) -> Walk:
    """Nothing closed yet."""
    nothing = np.zeros(n_attributes, np.int64)
    return Walk(
        np.arange(n_atoms), np.full(n_atoms, -1, np.int64), nothing, nothing.copy(), nothing.copy(), nothing.copy(),
        np.zeros(n_attributes, np.bool_), np.zeros(n_attributes), np.full(1, -1, np.int64), np.zeros(1, np.int64),
        np.zeros(1, np.int64), np.full(1, n_atoms, np.int64), np.zeros(1), np.zeros(1), np.empty(n_atoms, np.int64),
        np.zeros(most_parts + 1, np.int64), np.empty(n_atoms, np.int64),
    )  # fmt: skip


@kernel
def rise_to(walk: Walk, threshold: float) -> None:
    """Begin again at the top with another threshold, in ticks."""
    kept = live_first(walk.atoms, walk.label, 0, walk.live[0])
    walk.live[0], walk.threshold[0], walk.next_cost[0] = kept, threshold, np.inf
    _enter(walk, 0, 0, kept, 0.0)


@kernel
def _enter(walk: Walk, depth: int, begin: int, end: int, spent: float) -> None:
    """Go on with a run of atoms as the cell to divide at this depth."""
    walk.depth[0] = depth
    walk.begin[depth], walk.end[depth], walk.reached[depth] = begin, end, end
    walk.level[depth], walk.whole[depth], walk.spent[depth] = -1, False, spent


@kernel
def live_first(members: Ints, label: Ints, begin: int, end: int) -> int:
    """Move the live atoms of a run to its front; returns where they end."""
    kept = begin
    for i in range(begin, end):
        atom = members[i]
        if label[atom] < 0:
            members[i], members[kept] = members[kept], atom
            kept += 1
    return kept


@kernel
def divide(
    atoms: AtomTable, levels: Levels, walk: Walk, depth: int, begin: int, end: int, first: int, parts: int
) -> None:
    """Sort a run of atoms by their part at the level under way; the parts are ``first`` and the next ones."""
    members, ranks, codes, ordered, place = walk.atoms, atoms.ranks, levels.codes, walk.scratch, walk.places
    offset = levels.start[depth] + walk.level[depth] * levels.size[depth]
    many = end - begin
    if parts > 2 * many + 16:  # few atoms, many parts: counting would cost more than comparing
        for i in range(many):
            ordered[i] = np.int64(codes[offset + ranks[members[begin + i], depth]]) << 32 | members[begin + i]
        sort(ordered, many)
        for i in range(many):
            members[begin + i] = ordered[i] & 0xFFFFFFFF
        return
    for part in range(parts + 1):
        place[part] = 0
    for i in range(begin, end):
        place[codes[offset + ranks[members[i], depth]] - first + 1] += 1
    for part in range(parts):
        place[part + 1] += place[part]
    for i in range(begin, end):
        part = codes[offset + ranks[members[i], depth]] - first
        ordered[place[part]] = members[i]
        place[part] += 1
    for i in range(many):
        members[begin + i] = ordered[i]


@kernel
def close(atoms: AtomTable, rules: Rules | None, walk: Walk, members: Ints, begin: int, end: int) -> bool:
    """Make a run of atoms a class, if it obeys the rules."""
    if rules is not None:
        for i in range(begin, end):
            walk.amounts[i - begin] = atoms.copies[members[i]]
        if not obeyed_by(rules, atoms.first_row[members[begin:end]], walk.amounts, end - begin):
            return False
    for i in range(begin, end):
        walk.label[members[i]] = walk.classes[0]
    walk.classes[0] += 1
    return True


@kernel
def close_windows(
    atoms: AtomTable, rules: Rules | None, values: Floats, walk: Walk, depth: int, scale: float, cap: float, size: int,
    begin: int, end: int,
) -> None:  # fmt: skip
    """Close, from the left, each narrowest window of ``size`` records that costs no more than the threshold.

    The atoms are sorted by their number. A window holds all atoms of the cell with its numbers. If one breaks a rule,
    the next begins after it, and in the end windows twice as large are tried.
    """
    ranks, copies, threshold, spent = atoms.ranks, atoms.copies, walk.threshold[0], walk.spent[depth]
    line = walk.atoms[begin:end]
    broken = True
    while broken:
        broken = False
        first, last, records = 0, 0, 0
        while last < len(line):
            number = ranks[line[last], depth]
            while last < len(line) and ranks[line[last], depth] == number:
                records += copies[line[last]]
                last += 1
            while records >= size:  # without its smallest number it may still be large enough
                after, rest = first, records
                while after < last and ranks[line[after], depth] == ranks[line[first], depth]:
                    rest -= copies[line[after]]
                    after += 1
                if rest < size:
                    break
                first, records = after, rest
            if records < size:
                continue
            cost = ticks(spent + min((values[number] - values[ranks[line[first], depth]]) * scale, cap))
            if cost > threshold:
                walk.next_cost[0] = min(walk.next_cost[0], cost)
            else:
                broken |= not close(atoms, rules, walk, line, first, last)
                first, records = last, 0
        size *= 2
        line = line[: live_first(line, walk.label, 0, len(line))]


@kernel
def _next_level(atoms: AtomTable, levels: Levels, walk: Walk, size: int) -> bool:
    """Divide the cell under way at its next level; False if none would show anything new."""
    depth, members, label, copies = walk.depth[0], walk.atoms, walk.label, atoms.copies
    ranks, codes = atoms.ranks, levels.codes
    walk.level[depth] += 1
    if walk.level[depth] == levels.levels[depth] or walk.whole[depth]:
        return False
    offset = levels.start[depth] + walk.level[depth] * levels.size[depth]
    begin = end = walk.begin[depth]
    records, low, high = 0, codes[offset + ranks[members[begin], depth]], -1
    for i in range(begin, walk.end[depth]):
        atom = members[i]
        if label[atom] < 0:
            members[i], members[end] = members[end], atom
            end += 1
            records += copies[atom]
            part = codes[offset + ranks[atom, depth]]
            low, high = min(low, part), max(high, part)
    walk.visits[0] += walk.end[depth] - begin
    if records < size:
        return False
    walk.whole[depth], walk.end[depth], walk.reached[depth] = low == high, end, begin
    if low < high:
        divide(atoms, levels, walk, depth, begin, end, low, high - low + 1)
    return True


@kernel
def _next_part(atoms: AtomTable, levels: Levels, walk: Walk, j: int) -> tuple[int, int, int, int, bool]:
    """The next part of the cell under way: where it ends, its records, its lowest and highest rank, and if it was seen.

    A part that is one part of the finer level, too, was seen there.
    """
    ranks, copies, codes, members = atoms.ranks, atoms.copies, levels.codes, walk.atoms
    at, level = walk.reached[j], walk.level[j]
    here = levels.start[j] + level * levels.size[j]
    finer = levels.start[j] + max(levels.finer[j, level], 0) * levels.size[j]
    low = high = ranks[members[at], j]
    part, inner, seen, records = codes[here + low], codes[finer + low], level > 0, 0
    while at < walk.end[j]:
        rank = ranks[members[at], j]
        if codes[here + rank] != part:
            break
        seen = seen and codes[finer + rank] == inner
        records += copies[members[at]]
        low, high = min(low, rank), max(high, rank)
        at += 1
    return at, records, low, high, seen


@kernel
def close_cells(
    hulls: Any, rules: Rules | None, atoms: AtomTable, levels: Levels, walk: Walk, size: int, until: int, windows: bool
) -> int:
    """Walk on until all is seen or ``until`` visits were made; returns the visits.

    ``hulls`` has the attributes in the order of the walk; with ``windows`` the last one holds numbers.
    """
    hulls = lent(hulls)
    values, first, last = levels.values, levels.first, len(hulls.kind) - 1
    while walk.depth[0] >= 0 and walk.visits[0] < until:
        j = walk.depth[0]
        if walk.reached[j] == walk.end[j]:
            if not _next_level(atoms, levels, walk, size):
                walk.depth[0] -= 1
            continue
        begin = walk.reached[j]
        if windows and j == last:
            scale, cap = hulls.scale[j], hulls.cap[j]
            close_windows(atoms, rules, values[first[j] :], walk, j, scale, cap, size, begin, walk.end[j])
            walk.depth[0] -= 1
            continue
        end, records, low, high, seen = _next_part(atoms, levels, walk, j)
        walk.reached[j] = end
        if records < size or seen:
            continue
        cost = walk.spent[j] + term(hulls, j, values[first[j] + low], values[first[j] + high])
        if ticks(cost) > walk.threshold[0]:
            walk.next_cost[0] = min(walk.next_cost[0], ticks(cost))
        elif j == last:
            close(atoms, rules, walk, walk.atoms, begin, end)
        else:
            _enter(walk, j + 1, begin, end, cost)
    return int(walk.visits[0])
