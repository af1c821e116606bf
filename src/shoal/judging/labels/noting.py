# SPDX-License-Identifier: Apache-2.0
"""How the labels of a released table are written, where no plan tells: found out from the values that they name."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.judging.labels.spelling import ANYTHING, ends_in, members
from shoal.plan.plan import Plan
from shoal.plan.values import as_told, is_read, told_of
from shoal.tables.detecting import Found, Told
from shoal.tables.notations import found_in_labels
from shoal.tables.table import Table


def as_read(released: Table, plan: Plan) -> Table:
    """A released table with what its plan says of its values, and with what its labels say where all can be read."""
    released = as_told(released, plan)
    found = {}
    for name in plan.quasi_identifiers:
        for shown in plan.published(name):
            text = shown in released.names and released.is_text(shown) and shown not in released.notations
            if text and is_read(plan.columns[name]):
                notation = notation_in(released.codes(shown)[1], told_of(plan.columns[name], plan)).notation
                if notation is not None and notation != released.notation(shown):
                    found[shown] = notation
    return released.marked(notations={**released.notations, **found}) if found else released


def notation_in(labels: Iterable[str], told: Told) -> Found:
    """How the numbers or dates that labels name are written."""
    return found_in_labels([value for label in labels for value in _values(label)], told)


def _values(label: str) -> list[str]:
    """The single values that a label names."""
    listed = members(label)
    if listed is not None:
        return listed
    if label.startswith(("[", "(", "]")) or label[:1] in "<>≤≥":
        return ends_in(label)
    return [] if label == ANYTHING else [label]
