# SPDX-License-Identifier: Apache-2.0
"""A hierarchy for every quasi-identifier that is published as a label and not as a range.

Codes by their beginnings; names by another quasi-identifier that they all lead to (a state to its region), else by
similarity, else, where there are very many, with the rare ones merged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from shoal.errors import HierarchyError
from shoal.hierarchies.building import build_from, few_codes, spread_rows
from shoal.hierarchies.hierarchy import ROOT, Hierarchy
from shoal.hierarchies.kinds._protocol import Floats, Ints, Values, free_label, tree_of
from shoal.hierarchies.kinds.similarity import MOST_VALUES
from shoal.hierarchies.level_files import even
from shoal.roles.roles import CATEGORICAL, TEXT_PREFIX
from shoal.tables.table import Table

SAMPLE = 20_000
FEWEST_TO_GROUP = 4
FEWEST_UNDER_ANOTHER = 8
RARE = 0.005
MOST_CODES = 20_000
"""Different codes beyond which a file of them would help nobody; the kind alone says how they get coarser."""


def suggest_trees(table: Table, kinds: Mapping[str, str]) -> dict[str, tuple[Hierarchy, str]]:
    """The tree of each column of names or codes among the quasi-identifiers, and how it was built."""
    rows = spread_rows(len(table), SAMPLE)
    sample = table.take(rows) if len(rows) < len(table) else table
    crowd = _Crowd(sample, list(kinds))
    found = {}
    for name, kind in kinds.items():
        if kind in (CATEGORICAL, TEXT_PREFIX):
            built = _tree(table, name, kind, rows, crowd)
            if built is not None:
                found[name] = built
    return found


class _Crowd:
    """The other quasi-identifiers in the sample, as few codes each."""

    def __init__(self, sample: Table, names: Sequence[str]) -> None:
        self.sample = sample
        self.few = {name: few_codes(sample, name) for name in names}

    def beside(self, name: str, codes: Ints, n_values: int) -> dict[str, Floats]:
        """Rows with each value of a column and each code of another."""
        found = {}
        for other, few in self.few.items():
            if other != name:
                width = int(few.max(initial=0)) + 1
                present = codes >= 0
                flat = np.bincount(codes[present] * width + few[present], minlength=n_values * width)
                found[other] = flat.reshape(n_values, width).astype(np.float64)
        return found


def _tree(table: Table, name: str, kind: str, rows: Ints, crowd: _Crowd) -> tuple[Hierarchy, str] | None:
    codes, texts = table.codes(name)
    counts = np.bincount(codes[codes >= 0], minlength=len(texts)).astype(np.int64)
    if not texts or len(texts) > MOST_CODES or any(not text or text != text.strip() for text in texts):
        return None  # labels with blanks around them do not survive a file; the plan works without a tree
    try:
        if kind == TEXT_PREFIX:
            return even(build_from(Values(tuple(texts), counts), "prefixes", {})), "by its beginnings"
        together = crowd.beside(name, codes[rows], len(texts))
        return _names(name, tuple(texts), counts, together, crowd)
    except HierarchyError:
        return None


def _names(
    name: str, texts: tuple[str, ...], counts: Ints, together: Mapping[str, Floats], crowd: _Crowd
) -> tuple[Hierarchy, str]:
    values = Values(texts, counts, tuple(together.values()), where=f"column {name!r}")
    if len(texts) < FEWEST_TO_GROUP:
        return tree_of([[text, ROOT] for text in texts], values), "flat: few values"
    if len(texts) > MOST_VALUES:
        return even(build_from(values, "frequency", {"least": RARE})), "rare values merged"
    above = _leads_to(together, crowd)
    if above and len(texts) >= FEWEST_UNDER_ANOTHER:
        return even(_under(values, together[above], above, crowd)), f"by {above!r}, to which each value leads"
    return even(build_from(values, "similarity", {})), "by similarity: look the groups over"


def _leads_to(together: Mapping[str, Floats], crowd: _Crowd) -> str:
    """The column of most values that every value of this one leads to, if it groups anything."""
    best, most = "", 1
    for other, counts in together.items():
        used = (counts > 0).sum(axis=1)
        groups = int((counts.sum(axis=0) > 0).sum())
        grouped = (used == 1).all() and most < groups <= len(counts) / 2
        if grouped and crowd.sample.natural_kind(other) not in ("numeric", "date"):
            best, most = other, groups
    return best


def _under(values: Values, counts: Floats, above: str, crowd: _Crowd) -> Hierarchy:
    """Values below the values of another column."""
    codes, texts = crowd.sample.codes(above)
    few = crowd.few[above]
    name_of = {int(one): texts[code] for one, code in zip(few.tolist(), codes.tolist()) if code >= 0}
    taken = {*values.texts, ROOT}
    label = {group: free_label(text, taken) for group, text in sorted(name_of.items())}
    best = counts.argmax(axis=1)
    rows = [
        [text, label[int(group)], ROOT] if int(group) in label else [text, ROOT]
        for text, group in zip(values.texts, best)
    ]
    return tree_of(sorted(rows, key=lambda row: (row[-2] if len(row) > 2 else "", row[0])), values)
