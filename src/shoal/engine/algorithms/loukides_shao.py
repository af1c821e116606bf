# SPDX-License-Identifier: Apache-2.0
"""Loukides and Shao's clustering: a class grows while its score stays within a threshold; small ones are left out.

Idea: a random record starts a class, and the nearest record joins it for as long as the score of the class stays
within the threshold δ. A class that ends with k records or more is kept; otherwise all of its records are left out of
the release (``suppress="class"``), or only its first record, and the others may join later classes
(``suppress="seed"``). The score is λ times the loss of the class per cell, and (1 - λ) times the share of its records
that bring no new private value. Without a δ, one is chosen from the table: the score up to which nine in ten of a
hundred random records (and in any case the first) find k - 1 others.

Paper: our reading of G. Loukides, J. Shao, "Capturing data usefulness and privacy protection in k-anonymisation",
SAC 2007, of which we know the abstract and what others say of it. Score, default and ``"seed"`` are ours.

Cost: O(n²) as published; here every addition is one exact query of a box tree, near-linear in practice;
``suppress="seed"`` tries records of failed classes again, up to k times.

When not to use it: when every record must be released. Left-out records count as fully lost in every metric,
and the threshold is hard to choose: low leaves out many, high makes large classes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.engine.algorithms._given import order_parameter, visiting_order
from shoal.engine.kernels.hull import TICKS
from shoal.engine.kernels.methods.threshold_growing import Growth, grow_to_threshold, score_around
from shoal.engine.kernels.trees.box_tree import build
from shoal.engine.methods import Capabilities, Encoded, Partition, Progress, Requirement, choice, parameter
from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import CannotHoldError, PlanError

CAPABILITIES = Capabilities(random=True, class_sizes="k..", suppresses=True)

SAMPLE = 100
"""Records around which the score is looked at if no threshold is given."""
WITHIN = 0.9
"""Share of them that the threshold must let reach k."""
TRIED_PER_SLICE = 5_000


@dataclass(frozen=True)
class Parameters:
    """Parameters of loukides_shao."""

    threshold: float | None = parameter(
        None, "δ: highest score of a class, above 0 up to 1; chosen from the table if not given", least=1e-9, most=1.0
    )
    loss_share: float = parameter(
        1.0,
        "λ: share of the loss in the score; below 1 the rest is private values that repeat in a class, which takes a "
        "model about a sensitive column, e.g. l_diversity",
        least=0.0,
        most=1.0,
    )
    suppress: str = choice("what is left out of a class that stays below k: all of it, or its seed", "class", "seed")
    order: tuple[int, ...] = order_parameter("they are tried as seeds")


def cluster(
    encoded: Encoded, requirement: Requirement, parameters: Parameters, random: np.random.Generator, progress: Progress
) -> Partition:
    """Classes of at least k records; records that fit into none have the label -1."""
    n, size, share = len(encoded), requirement.size, parameters.loss_share
    order = visiting_order(parameters.order, n, random, "loukides_shao")
    hulls, points = encoded.hulls, encoded.points
    unit = encoded.full
    growth, tree = _growth(points, _private_values(requirement, share)), build(hulls, points, False)
    if parameters.threshold is None:
        seeds = order[:SAMPLE]
        scores = [score_around(hulls, growth, tree, points, share, unit, size, int(seed)) for seed in seeds]
        limit = max(float(np.quantile(scores, WITHIN, method="higher")), scores[0])
    else:
        limit = float(np.floor(parameters.threshold * TICKS + 0.5))
    labels, only_seed = np.full(n, -1, dtype=np.int64), parameters.suppress == "seed"
    while growth.at[0] < n:
        grow_to_threshold(
            hulls, growth, tree, points, share, unit, limit, size, only_seed, order, TRIED_PER_SLICE, labels
        )
        progress(int(growth.at[0]), n)
    if labels.max() < 0:
        raise _nothing_left(size, limit / TICKS)
    return Partition.of(labels)


def _growth(points: Floats, codes: Ints) -> Growth:
    n, d = points.shape
    tally = np.zeros(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    none, members = np.zeros(1, dtype=np.int64), np.empty(n, dtype=np.int64)
    counts = none, none.copy(), none.copy(), none.copy()
    return Growth(*counts, members, np.empty(d), np.empty(d), codes, tally)


def _private_values(requirement: Requirement, share: float) -> Ints:
    """The values of the sensitive column that a model is about; none if only the loss counts."""
    if share == 1.0:
        return np.zeros(0, dtype=np.int64)
    if not requirement.about_private_values:
        raise PlanError(
            "The score is to look at private values, but no model names a sensitive column.",
            where="parameter 'loss_share' of method 'loukides_shao'",
            allowed="1 (only the loss counts), or a model such as l_diversity in the plan",
            received=repr(share),
            todo="leave the parameter out, or add the model",
        )
    return requirement.about_private_values[0].codes


def _nothing_left(size: int, threshold: float) -> CannotHoldError:
    return CannotHoldError(
        "No class reached k records within the threshold, so nothing would be released.",
        where="parameter 'threshold' of method 'loukides_shao'",
        allowed=f"a score that some class of {size} records stays within",
        received=f"{threshold:g}",
        todo="raise the threshold, leave it out to have one chosen, or use suppress = 'seed'",
    )
