# SPDX-License-Identifier: Apache-2.0
"""Labels of a released table, read without the original: which of them mean the same, and which have values in common.

Every label becomes a closed span on a line: numbers and dates by their ends, nodes of a tree by their first and last
leaf, other names by a place of their own. Leaves are numbered depth-first, so that two nodes have a leaf in common if
and only if their spans overlap.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from shoal.hierarchies.hierarchy import Hierarchy
from shoal.leaks._protocol import Scene
from shoal.metrics._labels import ANYTHING, Ends, members, readings

Floats = NDArray[np.float64]
Span = tuple[float, float]

_NUMBER = re.compile(r"^[+-]?(?:0|[1-9]\d*)?(?:\.\d*)?(?:[eE][+-]?\d+)?$")
_DATE = re.compile(r"^\d{4}-\d{2}-\d{2}$")
_LIKE_A_RANGE = re.compile(r"^\s*[\[\](].*\d|\d.*[\[\])]\s*$")


def span_of(label: str, decimal: str = ".") -> Span | None:
    """First and last value that a label of numbers or dates allows; None if it is no such label.

    >>> span_of("[35, 39]"), span_of("35-39"), span_of("[35, 40["), span_of("Gov")
    ((35.0, 39.0), (35.0, 39.0), (35.0, 39.0), None)
    """
    if label == ANYTHING:
        return -math.inf, math.inf
    single = _position(label, decimal)
    if single is not None:
        return single, single
    for ends in readings(label, decimal):
        low = -math.inf if ends.low is None else _position(ends.low, decimal)
        high = math.inf if ends.high is None else _position(ends.high, decimal)
        if low is not None and high is not None:
            span = _closed(ends, low, high)
            if span[0] <= span[1]:
                return span
    return None


def _closed(ends: Ends, low: float, high: float) -> Span:
    """A span without its open ends: the next whole number, or the next number at all."""
    whole = all(float(one).is_integer() or math.isinf(one) for one in (low, high))
    if ends.low_open:
        low = low + 1 if whole else math.nextafter(low, math.inf)
    if ends.high_open:
        high = high - 1 if whole else math.nextafter(high, -math.inf)
    return low, high


def _position(text: str, decimal: str) -> float | None:
    if _DATE.match(text):
        try:
            return float(date.fromisoformat(text).toordinal())
        except ValueError:
            return None
    plain = text.replace(decimal, ".") if decimal != "." else text
    if not _NUMBER.match(plain) or not re.search(r"\d", plain):
        return None
    number = float(plain)
    return number if math.isfinite(number) else None


def looks_like_a_range(label: str) -> bool:
    """Whether a label has the brackets of a range around a number, whole or broken."""
    return _LIKE_A_RANGE.search(label) is not None


def meaning(label: str, decimal: str = ".") -> object:
    """What a label says, however it is written; None if there is only one way to write it."""
    listed = members(label)
    if listed is not None:
        return frozenset(listed)
    return span_of(label, decimal) if label != ANYTHING else None


def spans(scene: Scene, name: str) -> Floats | None:
    """Span of each distinct label of a quasi-identifier, [label, 2]; missing, last, lies beyond all others.

    None where a label cannot be placed.
    """
    if name not in scene.spans:
        scene.spans[name] = _spans(scene, name)
    found: Floats | None = scene.spans[name]
    return found


def _spans(scene: Scene, name: str) -> Floats | None:
    labels = scene.cells(name).texts
    tree = scene.plan.columns[name].hierarchy if name in scene.plan.columns else None
    if isinstance(tree, Hierarchy):
        found = _in_a_tree(labels, tree)
    else:
        read = [span_of(label, scene.released.decimal) for label in labels]
        ranges = [one for one in read if one is not None and one[0] < one[1] and not math.isinf(one[0])]
        found = read if ranges and None not in read else _by_name(labels)
    if None in found:
        return None
    beyond = 1 + max((one[1] for one in found if one is not None and math.isfinite(one[1])), default=0.0)
    return np.array([*found, (beyond, beyond)], dtype=np.float64)


def _in_a_tree(labels: Sequence[str], tree: Hierarchy) -> list[Span | None]:
    nodes = {label: node for node, label in enumerate(tree.labels)}
    placed: list[Span | None] = []
    for label in labels:
        node = nodes.get(label)
        if label == ANYTHING or node == 0:
            placed.append((-math.inf, math.inf))
        else:
            placed.append(None if node is None else (float(tree.first[node]), float(tree.last[node])))
    return placed


def _by_name(labels: Sequence[str]) -> list[Span | None]:
    """Names without a tree: each is its own value, a set of names or a prefix is told from none of them."""
    if any(members(label) is not None or (len(label) > 1 and label.endswith("*")) for label in labels):
        return [None]
    return [
        (-math.inf, math.inf) if label == ANYTHING else (float(place), float(place))
        for place, label in enumerate(labels)
    ]
