# SPDX-License-Identifier: Apache-2.0
"""The order of the released rows follows the order of the original, which tells whose row is whose.

Where it is known which row is whose, neighbouring released rows are compared: how many stand in the same order as in
the original? Shuffled rows do in half of the cases, with a variance of (n + 1)/12 for n rows. It does not matter
whether rows were left out or sorted by class first: within a class, the order would still tell.

Where only the original is given, the attacker pairs rows by their number: in how many pairs does the released row allow
the original one, in its labels and in the columns published as they are? A shuffled table allows as many as any pair of
rows does on average.

The attack breaks the release if the result lies more than 4 standard deviations above chance.
"""

from __future__ import annotations

import math

import numpy as np

from shoal.judging.attacks._words import percent, rate_words
from shoal.judging.attempts import Attempt, Scene, not_tried
from shoal.judging.linking.links import grouped, link, shown_in

NAME = "row_order"
DEVIATIONS = 4.0


def attempt(scene: Scene) -> list[Attempt]:
    """Look at every table of the release."""
    if scene.rows is None and scene.original is None:
        return [not_tried(NAME, "needs the original table, for its order")]
    look = _pairs if scene.rows is None else _neighbours
    several = len(scene.tables) > 1
    return [look(scene, place, f"sub-table {place + 1}: " * several) for place in range(len(scene.tables))]


def _neighbours(scene: Scene, place: int, lead: str) -> Attempt:
    assert scene.rows is not None
    rows = scene.rows[place]
    rows = rows[rows >= 0]
    if len(rows) < 2:
        return not_tried(NAME, f"{lead}needs two rows whose owners are known")
    pairs = len(rows) - 1
    in_order = int((np.diff(rows) > 0).sum())
    deviation = (in_order - pairs / 2) / math.sqrt((len(rows) + 1) / 12)
    said = f"{lead}neighbouring rows stand in the order of the original in {rate_words(in_order / pairs, pairs)}"
    return _judged(said, in_order / pairs, pairs, 0.5, deviation)


def _pairs(scene: Scene, place: int, lead: str) -> Attempt:
    original, released = scene.original, scene.tables[place]
    assert original is not None
    if len(original) != len(released):
        return not_tried(NAME, f"{lead}the release has another number of rows than the original, and no truth to go by")
    hidden = scene.plan.removed
    names = shown_in(released, scene.plan, [name for name in original.names if name not in hidden])
    if not names:
        return not_tried(NAME, f"{lead}the release shows no column of the original")
    targets = grouped(original, names)
    found = link(targets, released, names, scene.plan)
    allowed = found.holds(targets.kind, found.group)
    rate, rows = float(allowed.mean()), len(released)
    baseline = float((found.candidates[targets.kind] / rows).mean())
    spread = math.sqrt(max(baseline * (1 - baseline), 0.0) / rows)
    deviation = (rate - baseline) / spread if spread else 0.0
    said = f"{lead}a released row fits the original row of the same number in {rate_words(rate, rows)}"
    return _judged(said, rate, rows, baseline, deviation)


def _judged(said: str, rate: float, targets: int, baseline: float, deviation: float) -> Attempt:
    broken = deviation > DEVIATIONS
    said += f"; shuffled rows do in {percent(baseline)}"
    if broken:
        said += ": whoever knows the order of the original knows whose row is whose"
    figures = {"standard_deviations": round(deviation, 3)}
    return Attempt(NAME, said, broken, True, targets, rate, baseline, baseline, figures=figures)
