# SPDX-License-Identifier: Apache-2.0
"""Categories before and after, under the labels that the released table shows.

Before: every original row belongs to the narrowest released label that covers its value. After: the rows that show the
label itself. So a coarse label such as ``*`` holds after the change what narrower ones have lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.judging.evidence import Evidence
from shoal.judging.labels.reach import column_of, labels_of, reach_of
from shoal.judging.labels.trees import LabelTree
from shoal.judging.portraits.portrait import MISSING, OTHERS, Drawn, LabelBar
from shoal.judging.survey import row_weights

MOST_BARS = 16
MISSING_ROW, ELSEWHERE_ROW = -1, -2
"""Instead of a label: of a row without a value, and of one that no released label covers."""
FEW, LONGEST = 2, 40
"""Labels that are put together are named if there are no more of them, in no more letters."""


@dataclass(frozen=True)
class LabelCounts:
    """How many rows belong to each label before, and show it after."""

    labels: list[str]
    before: Ints
    after: Ints
    elsewhere: int = 0
    """Original rows that no released label covers."""
    missing: tuple[int, int] = (0, 0)
    people: tuple[Floats, Floats] | None = None
    """[label, then missing, then elsewhere] the people behind these rows, where a survey tells them."""
    original: bool = True
    """Whether ``before`` counts rows of the original, so that a few must not stand alone."""

    @classmethod
    def of(cls, labels: list[str], owned: Ints, codes: Ints, weights: tuple[Floats, Floats] | None) -> LabelCounts:
        """From the label of each row, before (-1: missing, -2: elsewhere) and after, and the people behind each."""
        many = len(labels)
        places = [np.where(one < 0, many - 1 - one, one) for one in (owned, codes)]
        first, then = (np.bincount(one, minlength=many + 2).astype(np.int64) for one in places)
        counts = cls(labels, first[:many], then[:many], int(first[-1]), (int(first[many]), int(then[many])))
        if weights is None:
            return counts
        was, now = (
            np.bincount(one, people, many + 2).astype(np.float64) for one, people in zip(places, weights, strict=True)
        )
        return replace(counts, people=(was, now))

    @property
    def shares(self) -> tuple[Floats, Floats]:
        """[label, then missing, then elsewhere] share of the people before and after."""
        rows = (
            np.concatenate([self.before, [self.missing[0], self.elsewhere]]),
            np.concatenate([self.after, [self.missing[1], 0]]),
        )
        first, then = (one / max(one.sum(), 1e-300) for one in self.people or rows)
        return first, then


def published_labels(evidence: Evidence, name: str) -> LabelCounts | str:
    """A quasi-identifier of a tree; a text says why it cannot be read."""
    tree = column_of(evidence, name)
    assert isinstance(tree, LabelTree)
    codes, spelt = labels_of(evidence.released, evidence.plan, name, tree.read)
    if any(tree.read(label) is None for label in spelt):
        return f"column {name!r}: labels that cannot be read"
    owner = _owners(tree, spelt)
    at = tree.positions
    there = ~np.isnan(at)
    owned = np.full(len(at), MISSING_ROW, dtype=np.int64)
    owned[there] = _owned(owner[at[there].astype(np.int64)])
    return LabelCounts.of(evidence.released.codes(name)[1], owned, codes, row_weights(evidence))


def plain_labels(evidence: Evidence, name: str) -> LabelCounts:
    """A column that is published as it is."""
    codes, labels = evidence.released.codes(name)
    weights = row_weights(evidence)
    both = None if weights is None else (weights[1], weights[1])
    return replace(LabelCounts.of(labels, codes, codes, both), original=False)


def _owned(labels: Ints) -> Ints:
    """Labels of cells that are there, of which some have none."""
    return np.where(labels < 0, ELSEWHERE_ROW, labels)


def draw_labels(counts: LabelCounts, k: int) -> Drawn:
    """At most MOST_BARS labels, each of at least k rows before or of none; the others are put together."""
    labels = [*counts.labels, ""]
    before = np.append(counts.before, counts.missing[0])
    after = np.append(counts.after, counts.missing[1])
    kinds = ["label"] * len(counts.labels) + [MISSING]
    order = np.lexsort((np.arange(len(labels)), -np.maximum(before, after)))
    fits = [int(i) for i in order if (before[i] == 0 or before[i] >= k) and before[i] + after[i] > 0]
    shown = fits[:MOST_BARS]
    drawn = set(shown)
    hidden = [i for i in range(len(labels)) if i not in drawn and before[i] + after[i] > 0]
    total = counts.elsewhere + int(before[hidden].sum())
    while counts.original and 0 < total < k and any(before[i] for i in shown):
        least = min((i for i in shown if before[i]), key=lambda i: int(before[i]))
        shown.remove(least)
        hidden.append(least)
        total += int(before[least])
    first, then = counts.shares
    shown.sort(key=lambda i: (kinds[i] == MISSING, before[i] == 0, -int(before[i]), -int(after[i]), i))
    bars = [
        LabelBar(labels[i] if kinds[i] == "label" else "missing", float(first[i]), float(then[i]), kinds[i])
        for i in shown
    ]
    if hidden or total:
        told = _together([labels[i] if kinds[i] == "label" else "missing" for i in hidden], counts.original)
        bars.append(LabelBar(told, float(first[hidden].sum() + first[-1]), float(then[hidden].sum()), OTHERS))
    kept = sum(min(one.before or 0.0, one.after) for one in bars)
    return Drawn(tuple(bars), float(kept) if bars else 1.0)


def _together(hidden: Sequence[str], original: bool) -> str:
    """What is put together, by name where that is short; of columns published as they are, few rows stay unnamed."""
    if not hidden:
        return "other values"
    named = " and ".join(sorted(hidden, key=lambda label: label in ("*", MISSING)))
    if original and len(hidden) <= FEW and len(named) <= LONGEST:
        return named
    return f"{len(hidden):,} other label{'s' * (len(hidden) > 1)}"


def places_as_labels(evidence: Evidence, name: str) -> LabelCounts | str:
    """A quasi-identifier on a line, of which the release shows two places at most: its labels stand for themselves."""
    reach = reach_of(evidence, name)
    if reach.problem:
        return reach.problem
    shown, there = np.flatnonzero(~np.isnan(reach.low)), ~np.isnan(reach.positions)
    ranges = np.column_stack([reach.low, reach.high])[shown]
    read, first, which = np.unique(ranges, axis=0, return_index=True, return_inverse=True)
    texts = evidence.released.texts(name)
    owned, codes = (np.full(len(side), MISSING_ROW, dtype=np.int64) for side in (reach.positions, reach.low))
    owned[there], codes[shown] = _owned(_narrowest(reach.positions[there], read)), which.ravel()
    labels = [str(texts[int(shown[row])]) for row in first]
    return LabelCounts.of(labels, owned, codes, row_weights(evidence))


def _narrowest(places: Floats, read: Floats) -> Ints:
    """[place] the narrowest of some ranges that holds it, -1 if none does; ties go to the first."""
    owner = np.full(len(places), -1, dtype=np.int64)
    width = read[:, 1] - read[:, 0]
    for label in sorted(range(len(read)), key=lambda one: (-width[one], -one)):
        owner[(read[label, 0] <= places) & (places <= read[label, 1])] = label
    return owner


def _owners(tree: LabelTree, labels: Sequence[str]) -> Ints:
    """[leaf] the narrowest label that covers it, -1 if none does; ties go to the first."""
    owner = np.full(tree.hierarchy.n_leaves, -1, dtype=np.int64)
    stretches = [tree.stretches(label) or [] for label in labels]
    sizes = [sum(last - first + 1 for first, last in one) for one in stretches]
    for label in sorted(range(len(labels)), key=lambda place: (-sizes[place], -place)):
        for first, last in stretches[label]:
            owner[first : last + 1] = label
    return owner
