# SPDX-License-Identifier: Apache-2.0
"""Classes in which every row, or nearly every row, has the same sensitive value.

Whoever finds the class of a person then knows the value, whichever of the k rows is theirs. k-anonymity promises
nothing about it, so it is information; to promise it away, ask for l-diversity. Missing values give nothing away.
"""

from __future__ import annotations

from collections.abc import Iterator

from shoal.judging.exposures import exposures
from shoal.judging.leak_search import INFORMATION, Leak, LeakScene


def find(scene: LeakScene) -> Iterator[Leak]:
    """Sensitive columns that some classes disclose."""
    if scene.classes is None or not len(scene.released):
        return
    for one in exposures(scene.released, scene.plan):
        if one.total:
            yield Leak("homogeneous_classes", INFORMATION, one.sentence(), _todo(one.constant), (one.column,))


def _todo(constant: bool) -> str:
    if constant:
        return "leave the column out if it is private: the whole table has one value"
    return "ask for --l-diversity 2 or more, or for --alpha, which bounds the share of a value"
