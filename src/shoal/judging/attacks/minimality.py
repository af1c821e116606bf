# SPDX-License-Identifier: Apache-2.0
"""Labels that are no wider than they must be tell exact values of the rows behind them (downcoding).

A class that publishes [35, 39] because its values reach from 35 to 39 tells that one of its rows has 35 and one has 39;
a set tells all its values; a node or a mask with two values below it tells both. The attacker therefore claims, for
each class and column, that these values occur in the class. A claim pins one blurred cell, up to which of the
look-alikes it is.

The rate is the share of claims that are true: of the rows of the class where it is known whose they are, otherwise of
some original row that the class allows. The baseline is the share that would be true anyway, had the values of a class
been drawn from all those of the table that its label allows. Labels from fixed bins lie near the baseline, labels that
hug their class near 100 %.

k-anonymity promises nothing here: it blurs which row is whose, not which values occur.

Paper: A. Cohen, Attacks on deidentification's defenses, USENIX Security 2022 (downcoding against minimal hierarchical
releases); R. C.-W. Wong, A. W.-C. Fu, K. Wang, J. Pei, Minimality attack in privacy preserving data publishing, VLDB
2007.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.ground.arrays import Flags, Floats, Ints
from shoal.ground.wording import counted
from shoal.judging.attacks._words import percent, rate_words
from shoal.judging.attempts import Attempt, Scene, not_tried
from shoal.judging.linking.columns import LinkedColumn
from shoal.judging.linking.links import Link, grouped, link, occurring, shown_in
from shoal.tables.table import Table

NAME = "minimality"


@dataclass(frozen=True)
class Claims:
    """Values that are said to occur, one column."""

    group: Ints
    place: Floats

    def __len__(self) -> int:
        return len(self.group)


def attempt(scene: Scene) -> list[Attempt]:
    """Make all claims that the labels allow, and check them where the truth is known."""
    whole = scene.original if scene.original is not None else scene.known
    if whole is None:
        return [not_tried(NAME, "needs the original, or a table that the attacker holds (known)")]
    found = []
    for place, table in enumerate(scene.tables):
        lead = f"sub-table {place + 1}: " if len(scene.tables) > 1 else ""
        names = shown_in(table, scene.plan, [name for name in scene.plan.quasi_identifiers if name in whole.names])
        nothing = not_tried(NAME, f"{lead}no column to look at")
        found.append(_table(scene, place, whole, names, lead) if names else nothing)
    return found


def _table(scene: Scene, place: int, whole: Table, names: list[str], lead: str) -> Attempt:
    targets = grouped(whole, names)
    link_of = link(targets, scene.tables[place], names, scene.plan)
    sizes = link_of.sizes
    shown = blurred = pinned = 0
    true, chance = [], []
    for column in link_of.columns:
        single = (column.low == column.high) & (not column.centre)
        shown += int(sizes[single].sum())
        blurred += int(sizes[~single].sum())
        claims = _claims(column)
        pinned += int(np.minimum(np.bincount(claims.group, minlength=len(sizes)), sizes).sum())
        if scene.original is not None and len(claims):
            true.append(_true(scene, place, link_of, column, targets.kind, claims))
            chance.append(_by_chance(column, np.bincount(targets.kind), claims, sizes))
    cells = shown + blurred
    told = (
        f"{lead}{counted(pinned, 'cell', 'cells')} of the {blurred:,} that are blurred (of {cells:,}) are known exactly"
    )
    said = f"{told}, up to which of the look-alikes it is"
    figures = {"cells": cells, "blurred": blurred, "pinned": pinned}
    if not true:
        claimed = "nothing is claimed" if not pinned else "whether that is so cannot be scored without the original"
        return Attempt(NAME, f"{said}; {claimed}", None, True, 0, figures=figures)
    right, usual = np.concatenate(true), np.concatenate(chance)
    rate, baseline = float(right.mean()), float(usual.mean())
    said += (
        f", if labels are as narrow as they can be: each end of a range occurs in {rate_words(rate, len(right))}; "
        f"with ends that are not, by chance in {percent(baseline)}"
    )
    return Attempt(NAME, said, None, True, len(right), rate, baseline, figures={**figures, "claims": len(right)})


def _claims(column: LinkedColumn) -> Claims:
    """What a column's labels tell: both ends of ranges, all of a set, both leaves of a node with two."""
    none = np.zeros(0, dtype=np.int64)
    if column.centre:
        return Claims(none, none.astype(np.float64))
    low, high, listed = column.low, column.high, np.zeros(len(column.low), dtype=bool)
    groups, places = [none], [none.astype(np.float64)]
    if column.places is not None:
        listed = column.places.label >= 0
        width = len(column.places.universe)
        for one in np.flatnonzero(listed):
            label = column.places.label[one]
            of_label = slice(*np.searchsorted(column.places.keys, [label * width, (label + 1) * width]))
            members = column.places.universe[column.places.keys[of_label] - label * width]
            if not column.places.spelt[label] and len(members) != 2:
                continue
            groups.append(np.full(len(members), one))
            places.append(members)
    ends = ~listed & (low < high)
    if column.scale == 0:  # a tree: everything is the root
        values = column.tree.n_leaves if column.tree is not None else len(np.unique(column.at[np.isfinite(column.at)]))
        low, high = np.maximum(low, 0.0), np.minimum(high, values - 1.0)
        ends &= high == low + 1
    group = np.flatnonzero(ends & np.isfinite(low) & np.isfinite(high))
    return Claims(
        np.concatenate([*groups, group, group]).astype(np.int64), np.concatenate([*places, low[group], high[group]])
    )


def _true(scene: Scene, place: int, found: Link, column: LinkedColumn, kind: Ints, claims: Claims) -> Flags:
    """[claim] whether the value occurs."""
    values, rank = np.unique(column.at, return_inverse=True)
    width = len(values)
    at = np.minimum(np.searchsorted(values, claims.place), width - 1)
    if scene.rows is not None:
        rows = scene.rows[place]
        known = np.flatnonzero(rows >= 0)
        behind = iter([(kind[rows[known]], found.group[known])])
    else:
        behind = found.pairs()
    occurs = occurring(claims.group * width + at, (where * width + rank.ravel()[who] for who, where in behind))
    occurs &= values[at] == claims.place
    return occurs


def _by_chance(column: LinkedColumn, rows: Ints, claims: Claims, sizes: Ints) -> Floats:
    """[claim] chance that the value occurs among as many draws from the values that the label allows.

    ``rows`` of each kind of target.
    """
    finite = np.isfinite(column.at)
    values, rank = np.unique(column.at[finite], return_inverse=True)
    before = np.concatenate([[0], np.cumsum(np.bincount(rank, rows[finite], len(values)).astype(np.int64))])

    def below(place: Floats, side: str) -> Ints:
        return before[np.searchsorted(values, place, side=side)]  # type: ignore[call-overload]

    allowed = below(column.high[claims.group], "right") - below(column.low[claims.group], "left")
    equal = below(claims.place, "right") - below(claims.place, "left")
    share = np.clip(equal / np.maximum(allowed, 1), 0.0, 1.0)
    chance: Floats = 1 - (1 - share) ** sizes[claims.group]
    return chance
