# SPDX-License-Identifier: Apache-2.0
"""Two releases of overlapping people, each safe alone, narrow a person down together.

A target who stands in both releases is among the candidates of each (see ``linkage``). Columns that both publish as
they are must show the same: a combination of such cells that c candidates show in one release and d in the other
belongs to min(c, d) people at most, and only so many can be the target. Picking one of them is right with at least
that chance.

The baseline is the better of the two releases alone. Each promised at most 1 in k (the smaller k counts); the attack
breaks that if fewer than k people remain for a target. Targets are those who fit rows of both; where the truth is
known, people who are not in the first are left out.

Paper: S. R. Ganta, S. P. Kasiviswanathan, A. Smith, Composition attacks and auxiliary information in data privacy,
KDD 2008.
"""

from __future__ import annotations

import math

import numpy as np

from shoal.ground.wording import counted, phrase
from shoal.judging.attacks._joining import numbered_alike
from shoal.judging.attacks._private_values import possible
from shoal.judging.attacks._words import percent, rate_words
from shoal.judging.attempts import Attempt, Scene, not_tried, wilson
from shoal.judging.linking.links import link, linked, shown_in, targets_of

NAME = "intersection"


def attempt(scene: Scene) -> list[Attempt]:
    """Link the known table with both releases."""
    other = scene.second
    if scene.known is None or other is None:
        return [not_tried(NAME, "needs a second release of overlapping people (second), and a known table")]
    if len(scene.tables) + len(other.tables) > 2:
        return [not_tried(NAME, "needs releases of one table each")]
    on = shown_in(other.tables[0], other.plan, scene.on)
    if not on:
        return [not_tried(NAME, "the second release shows none of the known columns")]
    return [_both(scene, other, on)]


def _both(scene: Scene, other: Scene, on: list[str]) -> Attempt:
    targets, (mine,), (theirs,) = targets_of(scene), scene.tables, other.tables
    links = [linked(scene), link(targets, theirs, on, other.plan)]
    hidden = {*scene.plan.published_quasi_identifiers, *other.plan.published_quasi_identifiers}
    shared = [name for name in mine.names if name in theirs.names and name not in hidden]
    same = [np.zeros(len(mine), dtype=np.int64), np.zeros(len(theirs), dtype=np.int64)]
    people = possible(links, numbered_alike([mine, theirs], shared) if shared else same).people[targets.kind]
    there = people > 0
    if scene.person is not None:
        there &= scene.person >= 0
    number = int(there.sum())
    if not number:
        return not_tried(NAME, "no target fits rows of both releases")
    alone = np.minimum(*(one.candidates[targets.kind] for one in links))[there]
    left = people[there]
    rate, baseline = float((1 / left).mean()), float((1 / alone).mean())
    promised = [one.k for one in (scene, other) if one.k is not None and set(on) <= set(one.plan.quasi_identifiers)]
    k = min(promised) if promised else None
    below = int((left < k).sum()) if k else 0
    broken = None if k is None else below > 0 or wilson(rate, number)[0] > 1 / k
    promise = f"; each promised at most {percent(1 / k)}" if k else ""
    short = f"; {counted(below, 'target is', 'targets are')} left among fewer than {k} people" if below else ""
    by = f", linked by {phrase(shared)}," if shared else ""
    said = (
        f"both releases together{by} let an attacker who knows {phrase(on)} of a person be right in at least "
        f"{rate_words(rate, number)}{promise}{short}; with the better of the two alone in {percent(baseline)}"
    )
    figures = {
        "people_fewest": int(left.min()),
        "people_median": float(np.median(left)),
        "one_left": int((left == 1).sum()),
        "below_k": below,
    }
    return Attempt(NAME, said, broken, True, number, rate, baseline, 1 / k if k else math.nan, figures=figures)
