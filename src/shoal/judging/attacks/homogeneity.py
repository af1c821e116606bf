# SPDX-License-Identifier: Apache-2.0
"""All candidates of a person share one private value, which is then certain without finding the row.

For each target and each sensitive column: the private values of all candidate rows (see ``linkage``); without a known
table every released row is a target, its candidates the rows that look like it. The value is certain if there is only
one, and it is not missing. The rate is the share of targets for whom it is; where the truth is known, only if it is
also right.

Without the release nothing is certain, unless the whole table has one value; how often a guess is right all the same is
told by ``skewness``. k-anonymity promises nothing here; l-diversity of any kind with l of 2 or more promises that no
value is certain to whoever knows nothing but quasi-identifiers.

Paper: A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, l-diversity: privacy beyond k-anonymity, ACM TKDD
1(1), 2007.
"""

from __future__ import annotations

import math

from shoal.ground.wording import counted
from shoal.judging.attacks._private_values import Suspects, has_promise, on_each_column
from shoal.judging.attacks._words import rate_words
from shoal.judging.attempts import Attempt, Scene

NAME = "homogeneity"


def attempt(scene: Scene) -> list[Attempt]:
    """Count the targets whose private value is certain."""
    return on_each_column(NAME, scene, _column)


def _column(scene: Scene, name: str, found: Suspects) -> Attempt:
    judged = found.judged
    targets = int(judged.sum())
    certain = found.certain
    right = certain if found.truth is None else certain & (found.best == found.truth)
    rate = float(right.sum()) / targets
    alone = bool(found.shares[:-1].max(initial=0.0) == 1.0)
    before = "the whole table has that one value" if alone else "without the release nobody's is certain"
    diverse = has_promise(scene) and float(scene.plan.models.get("l_diversity", {}).get("l", 1)) > 1
    promise = "; l-diversity promised nobody's" if diverse else ""
    said = (
        f"the private value in {name!r} is certain, being that of all candidates, in {rate_words(rate, targets)}: "
        f"{counted(int(right.sum()), 'person', 'people')}{promise}; {before}"
    )
    figures = {"column": name, "certain": int(certain.sum()), "certain_and_right": int(right.sum())}
    broken = bool(certain.any()) if diverse else None
    return Attempt(NAME, said, broken, True, targets, rate, float(alone), 0.0 if diverse else math.nan, figures=figures)
