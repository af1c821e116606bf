# SPDX-License-Identifier: Apache-2.0
"""Categories before and after, under the labels that the released table shows.

Before: every original row belongs to the narrowest released label that covers its value. After: the rows that show the
label itself. So a coarse label such as ``*`` holds after the change what narrower ones have lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.judging.evidence import Evidence
from shoal.judging.labels.reach import column_of, labels_of, reach_of
from shoal.judging.labels.trees import LabelTree
from shoal.judging.portraits.portrait import MISSING, OTHERS, Drawn, LabelBar
from shoal.tables.table import Table

MOST_BARS = 16
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
    rows: tuple[int, int] = (0, 0)
    original: bool = True
    """Whether ``before`` counts rows of the original, so that a few must not stand alone."""


def published_labels(evidence: Evidence, name: str) -> LabelCounts | str:
    """A quasi-identifier of a tree; a text says why it cannot be read."""
    tree = column_of(evidence, name)
    assert isinstance(tree, LabelTree)
    codes, spelt = labels_of(evidence.released, evidence.plan, name, tree.read)
    if any(tree.read(label) is None for label in spelt):
        return f"column {name!r}: labels that cannot be read"
    owner = _owners(tree, spelt)
    at = tree.positions
    present = at[~np.isnan(at)].astype(np.int64)
    owned = owner[present]
    return LabelCounts(
        evidence.released.codes(name)[1],
        np.bincount(owned[owned >= 0], minlength=len(spelt)).astype(np.int64),
        np.bincount(codes[codes >= 0], minlength=len(spelt)).astype(np.int64),
        int((owned < 0).sum()),
        (len(at) - len(present), int((codes < 0).sum())),
        (len(at), len(codes)),
    )


def plain_labels(released: Table, name: str) -> LabelCounts:
    """A column that is published as it is."""
    codes, labels = released.codes(name)
    shown = np.bincount(codes[codes >= 0], minlength=len(labels)).astype(np.int64)
    gone, rows = int((codes < 0).sum()), len(codes)
    return LabelCounts(labels, shown, shown, 0, (gone, gone), (rows, rows), original=False)


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
    rows, now = max(counts.rows[0], 1), max(counts.rows[1], 1)
    shown.sort(key=lambda i: (kinds[i] == MISSING, before[i] == 0, -int(before[i]), -int(after[i]), i))
    bars = [
        LabelBar(labels[i] if kinds[i] == "label" else "missing", before[i] / rows, after[i] / now, kinds[i])
        for i in shown
    ]
    if hidden or total:
        told = _together([labels[i] if kinds[i] == "label" else "missing" for i in hidden], counts.original)
        bars.append(LabelBar(told, total / rows, float(after[hidden].sum()) / now, OTHERS))
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
    shown = np.flatnonzero(~np.isnan(reach.low))
    ranges = np.column_stack([reach.low, reach.high])[shown]
    read, first, which = np.unique(ranges, axis=0, return_index=True, return_inverse=True)
    texts = evidence.released.texts(name)
    present = reach.positions[~np.isnan(reach.positions)]
    owned = _narrowest(present, read)
    return LabelCounts(
        [str(texts[int(shown[row])]) for row in first],
        np.bincount(owned[owned >= 0], minlength=len(read)).astype(np.int64),
        np.bincount(which.ravel(), minlength=len(read)).astype(np.int64),
        int((owned < 0).sum()),
        (len(reach.positions) - len(present), len(reach.low) - len(shown)),
        (len(reach.positions), len(reach.low)),
    )


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
