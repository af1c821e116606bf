# SPDX-License-Identifier: Apache-2.0
"""Categories before and after, under the labels that the released table shows.

Before: every original row belongs to the narrowest released label that covers its value. After: the rows that show the
label itself. So a coarse label such as ``*`` holds after the change what narrower ones have lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.metrics._cells import column_of, labels_of
from shoal.metrics._labels import members
from shoal.metrics._protocol import Evidence
from shoal.metrics._trees import Tree
from shoal.portraits.portrait import MISSING, OTHERS, Bar
from shoal.tables.table import Table

Ints = NDArray[np.int64]

MOST_BARS = 16


@dataclass(frozen=True)
class Counts:
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


@dataclass(frozen=True)
class Drawn:
    """Bars, the largest first."""

    bars: tuple[Bar, ...]
    kept: float


def published_labels(evidence: Evidence, name: str) -> Counts | str:
    """A quasi-identifier of a tree; a text says why it cannot be read."""
    tree = column_of(evidence, name)
    assert isinstance(tree, Tree)
    codes, spelt = labels_of(evidence, name, tree.read)
    if any(tree.read(label) is None for label in spelt):
        return f"column {name!r}: labels that cannot be read"
    owner = _owners(tree, spelt)
    at = tree.positions
    present = at[~np.isnan(at)].astype(np.int64)
    owned = owner[present]
    return Counts(
        evidence.released.codes(name)[1],
        np.bincount(owned[owned >= 0], minlength=len(spelt)).astype(np.int64),
        np.bincount(codes[codes >= 0], minlength=len(spelt)).astype(np.int64),
        int((owned < 0).sum()),
        (len(at) - len(present), int((codes < 0).sum())),
        (len(at), len(codes)),
    )


def plain_labels(released: Table, name: str) -> Counts:
    """A column that is published as it is."""
    codes, labels = released.codes(name)
    shown = np.bincount(codes[codes >= 0], minlength=len(labels)).astype(np.int64)
    gone, rows = int((codes < 0).sum()), len(codes)
    return Counts(labels, shown, shown, 0, (gone, gone), (rows, rows), original=False)


def draw_labels(counts: Counts, k: int) -> Drawn:
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
        Bar(labels[i] if kinds[i] == "label" else "missing", before[i] / rows, after[i] / now, kinds[i]) for i in shown
    ]
    if hidden or total:
        told = "other values" if not hidden else f"{len(hidden):,} other label{'s' * (len(hidden) > 1)}"
        bars.append(Bar(told, total / rows, float(after[hidden].sum()) / now, OTHERS))
    kept = sum(min(one.before or 0.0, one.after) for one in bars)
    return Drawn(tuple(bars), float(kept) if bars else 1.0)


def _owners(tree: Tree, labels: Sequence[str]) -> Ints:
    """[leaf] the narrowest label that covers it, -1 if none does; ties go to the first."""
    owner = np.full(tree.hierarchy.n_leaves, -1, dtype=np.int64)
    stretches = [_stretches(tree, label) for label in labels]
    sizes = [sum(last - first + 1 for first, last in one) for one in stretches]
    for label in sorted(range(len(labels)), key=lambda place: (-sizes[place], -place)):
        for first, last in stretches[label]:
            owner[first : last + 1] = label
    return owner


def _stretches(tree: Tree, label: str) -> list[tuple[int, int]]:
    """The leaves that a label covers."""
    whole = tree.hierarchy
    listed = None if label in tree.nodes else members(label)
    read = tree.read(label)
    nodes = [read[0]] if listed is None and read else [tree.nodes[one] for one in listed or ()]
    return [(int(whole.first[node]), int(whole.last[node])) for node in nodes]
