# SPDX-License-Identifier: Apache-2.0
"""The candidates of a person lean towards one private value far more than the table does.

For each target and each sensitive column the attacker guesses the commonest private value of the candidate rows (see
``homogeneity``). The rate is the share of targets for whom that is right; where the truth is not known, its
expectation, the mean share of the commonest value. Guessing without the release takes the commonest value of the whole
table. A target counts as exposed if one value fills at least half of the candidates and at least twice its share of the
table.

k-anonymity promises nothing here; l-diversity by frequency promises a share of at most 1/l, (alpha,k)-anonymity over
all values of at most alpha, to whoever knows nothing but quasi-identifiers.

Paper: N. Li, T. Li, S. Venkatasubramanian, t-closeness: privacy beyond k-anonymity and l-diversity, ICDE 2007.
"""

from __future__ import annotations

import math

import numpy as np

from shoal.ground.wording import counted
from shoal.judging.attacks._private_values import Suspects, has_promise, on_each_column
from shoal.judging.attacks._words import percent, rate_words
from shoal.judging.attempts import Attempt, Scene

NAME = "skewness"

HALF = 0.5
TIMES = 2.0
"""How much likelier than in the table a value must be to count as exposed."""
ROUNDING = 1e-9


def attempt(scene: Scene) -> list[Attempt]:
    """Guess the private value of every target."""
    return on_each_column(NAME, scene, _column)


def _column(scene: Scene, name: str, found: Suspects) -> Attempt:
    judged = np.flatnonzero(found.judged)
    share = found.count[judged] / found.people[judged]
    usual = found.shares[found.best[judged]]
    exposed = int(((share >= HALF) & (share >= TIMES * usual)).sum())
    right = share if found.truth is None or scene.known is None else found.best[judged] == found.truth[judged]
    rate, baseline = float(np.mean(right)), float(found.shares.max())
    limit = promised(scene) if has_promise(scene) else 0.0
    over = int((share > limit + ROUNDING).sum()) if limit else 0
    promise = f"; the promise was at most {percent(limit)} for each" if limit else ""
    broke = f", and for {counted(over, 'target', 'targets')} it is more" if over else ""
    likely = f"for {counted(exposed, 'target', 'targets')} it is likely and twice as likely as in the table"
    said = (
        f"the commonest private value in {name!r} among the candidates is the right one in "
        f"{rate_words(rate, len(judged))}{promise}{broke}; who knows only the whole table guesses right in "
        f"{percent(baseline)}; {likely}"
    )
    figures = {"column": name, "exposed": exposed, "largest_share": float(share.max()), "above_promise": over}
    broken = over > 0 if limit else None
    return Attempt(NAME, said, broken, True, len(judged), rate, baseline, limit or math.nan, figures=figures)


def promised(scene: Scene) -> float:
    """Largest share that a model of the plan allows one private value; 0 if none says."""
    diversity, alpha = scene.plan.models.get("l_diversity", {}), scene.plan.models.get("alpha_k", {})
    limits = [1 / float(diversity["l"])] if diversity.get("kind") == "frequency" and "l" in diversity else []
    if "alpha" in alpha and not alpha.get("values"):
        limits.append(float(alpha["alpha"]))
    return min(limits, default=0.0)
