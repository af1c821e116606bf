# SPDX-License-Identifier: Apache-2.0
"""A hierarchy for every quasi-identifier that is published as a label and not as a range.

Codes by their beginnings; names and codes by a public classification that knows them; others by another
quasi-identifier of the same topic that they all lead to (a state to its region). Where nothing says which values belong
together the tree is flat: a value is published as it is or not at all, and the reason says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from shoal.ground import catalog
from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import HierarchyError
from shoal.hierarchies.building import ROOM, build_from, counted_together, few_codes, spread_rows
from shoal.hierarchies.hierarchy import ROOT, Hierarchy
from shoal.hierarchies.level_files import even
from shoal.hierarchies.values import Values, free_label, tree_of
from shoal.plan.roles import CATEGORICAL, TEXT_PREFIX
from shoal.suggesting.hearing import NOTHING
from shoal.tables.table import Table

SAMPLE = 20_000
FEWEST_TO_GROUP = 4
FEWEST_UNDER_ANOTHER = 8
ROWS_EACH = 5
"""Rows per value from which on it is no accident that all of them lead to the same."""
MOST_CODES = 20_000
"""Different codes beyond which a file of them would help nobody; the kind alone says how they get coarser."""
MOST_FLAT = 200
"""Values that nobody would group by hand."""
KNOWN = 0.6
"""Share of the values that a classification must know."""
CLASSIFICATIONS = {
    "place": ("us_states", "countries"),
    "birthplace": ("countries", "us_states"),
    "nationality": ("countries",),
    "education": ("education",),
    "occupation": ("isco08",),
    "industry": ("nace",),
    "illness": ("icd10",),
}
"""Which are asked about a topic."""
WHAT = {
    "us_states": "divisions and regions of the USA",
    "countries": "regions and continents",
    "education": "the levels of ISCED",
    "isco08": "the groups of ISCO-08",
    "nace": "the sections of NACE",
    "icd10": "the chapters of ICD-10",
}


@dataclass(frozen=True)
class Grown:
    """A tree, or none, and how it came about."""

    tree: Hierarchy | None
    how: str
    grouped: bool = True
    """False: the tree is flat, for nothing says which values belong together."""


def suggest_trees(table: Table, kinds: Mapping[str, str], topics: Mapping[str, str]) -> dict[str, Grown]:
    """The tree of each column of names or codes among the quasi-identifiers; ``topics``: what they are about."""
    rows = spread_rows(len(table), SAMPLE)
    crowd = _Crowd(table.take(rows) if len(rows) < len(table) else table, topics)
    labelled = {name: kind for name, kind in kinds.items() if kind in (CATEGORICAL, TEXT_PREFIX)}
    return {name: _grown(table, name, kind, rows, crowd) for name, kind in labelled.items()}


class _Crowd:
    """The other quasi-identifiers in the sample, as few codes each."""

    def __init__(self, sample: Table, topics: Mapping[str, str]) -> None:
        self.sample = sample
        self.topics = topics
        self.few: dict[str, Ints] = {}

    def beside(self, name: str, codes: Ints, n_values: int) -> dict[str, Floats]:
        """Rows with each value of a column and each code of others of the same topic, numbers and dates aside."""
        found = {}
        for other, topic in self.topics.items():
            alike = other != name and topic == self.topics[name]
            if alike and self.sample.natural_kind(other) not in ("numeric", "date"):
                self.few.setdefault(other, few_codes(self.sample, other))
                found[other] = counted_together(codes, n_values, self.few[other])
        return found


def _grown(table: Table, name: str, kind: str, rows: Ints, crowd: _Crowd) -> Grown:
    codes, texts = table.codes(name)
    if not texts or len(texts) > MOST_CODES or any(not text or text != text.strip() for text in texts):
        # labels with blanks around them do not survive a file; the plan works without a tree
        return Grown(None, "", kind == TEXT_PREFIX)
    counts = np.bincount(codes[codes >= 0], minlength=len(texts)).astype(np.int64)
    where = f"column {name!r}"
    values = Values(tuple(texts), counts, where=where, words=table.labels.said(name, texts))
    try:
        if kind == TEXT_PREFIX:
            return Grown(even(build_from(values, "prefixes", {})), "by its beginnings")
        return _named(name, values, codes[rows], crowd)
    except HierarchyError:
        return Grown(None, "", grouped=False)


def _named(name: str, values: Values, codes: Ints, crowd: _Crowd) -> Grown:
    n = len(values.texts)
    flat = tree_of([[text, ROOT] for text in values.texts], values)
    if n < FEWEST_TO_GROUP:
        return Grown(flat, "flat: few values")
    for kind in CLASSIFICATIONS.get(crowd.topics[name], ()):
        if _knows(kind, values):
            return Grown(even(build_from(values, kind, {})), f"by {WHAT[kind]}")
    above = _leads_to(crowd.beside(name, codes, n)) if n >= FEWEST_UNDER_ANOTHER else None
    if above is not None:
        return Grown(even(_under(values, *above, crowd)), f"by {above[0]!r}, to which each value leads")
    how = "flat: nothing says which values belong together; a mapping could"
    return Grown(flat if n <= MOST_FLAT else None, how, grouped=False)


def _knows(kind: str, values: Values) -> bool:
    """Whether a classification knows most values that say something, and puts them into several groups."""
    groups = catalog.load(ROOM, kind).groups_of(values.said)
    telling = [one for text, one in zip(values.said, groups) if not NOTHING.match(text.strip())]
    known = {one[-1] for one in telling if one is not None}
    return len(known) > 1 and sum(one is not None for one in telling) >= KNOWN * len(telling)


def _leads_to(together: Mapping[str, Floats]) -> tuple[str, Floats] | None:
    """The column of most values that every value of this one leads to, if it groups anything."""
    best, most = None, 1
    for other, counts in together.items():
        groups = int((counts.sum(axis=0) > 0).sum())
        grouped = ((counts > 0).sum(axis=1) == 1).all() and most < groups <= len(counts) / 2
        if grouped and counts.sum() >= ROWS_EACH * len(counts):
            best, most = (other, counts), groups
    return best


def _under(values: Values, above: str, counts: Floats, crowd: _Crowd) -> Hierarchy:
    """Values below the values of another column."""
    codes, texts = crowd.sample.codes(above)
    said = crowd.sample.labels.said(above, texts)
    name_of = {int(group): said[code] for group, code in zip(crowd.few[above].tolist(), codes.tolist()) if code >= 0}
    taken = {*values.texts, ROOT}
    label = {group: free_label(text, taken) for group, text in sorted(name_of.items())}
    rows = [
        [text, label[int(group)], ROOT] if int(group) in label else [text, ROOT]
        for text, group in zip(values.texts, counts.argmax(axis=1))
    ]
    return tree_of(sorted(rows, key=lambda row: (row[-2] if len(row) > 2 else "", row[0])), values)
