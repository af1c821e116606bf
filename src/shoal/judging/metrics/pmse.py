# SPDX-License-Identifier: Apache-2.0
"""Propensity score: how well a model tells released rows from original ones, as a mean squared error (pMSE).

    pMSE = Σ (p_i - c)² / N

Original and released rows are put together, N in all, a share c of them released. A logistic regression learns which
are released, from all columns: numbers and their squares, names by their shares; p_i is its answer for row i. If the
tables cannot be told apart, all p_i are c and pMSE is 0; if each row can, it is c (1 - c), 0.25 for equally many rows.
A table made of rows of the original, drawn with replacement, differs from it by chance; for a regression with an
intercept and m further coefficients that brings

    expected = m (1 - c)² c / N

Figures: ``expected``, and ``ratio`` = pMSE / expected: near 1 or below, the release differs from the original by no
more than such a draw does. (Two samples of the same population, drawn apart, come to 1 / (1 - c).) With survey weights
w, of mean 1 in each table, rows count by them, and the expected value is larger by the mean of w², as if there were
fewer rows (Kish's effective number; nearly so, where weights do not depend on the columns).

Papers: M.-J. Woo, J. Reiter, A. Oganian, A. Karr, Global measures of data utility for microdata masked for disclosure
limitation, Journal of Privacy and Confidentiality 1(1), 2009; J. Snoke, G. Raab, B. Nowok, C. Dibben, A. Slavkovic,
General and specific utility measures for synthetic data, Journal of the Royal Statistical Society A 181(3), 2018
(theorem 1: the expected value).

Limits: main effects and squares only, so that a column shuffled against the others goes unseen; ``correlation_kept``
sees that.
"""

from __future__ import annotations

import numpy as np

from shoal.ground.arrays import Floats
from shoal.judging.analyst import MOST_LEARNT, analysed
from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.metrics._features import features, independent, one_thread

ON_REQUEST = True
UTILITY = True
LIMITS = (0.0, 0.25)
FIGURES = ("expected", "features", "ratio")

ROUNDS = 20
RIDGE = 1e-6
"""What keeps coefficients finite, per row, where a feature tells the tables apart for sure."""
CLOSE = 1e-5
"""Change of the coefficients at which the regression has settled."""


def measure(evidence: Evidence) -> Measurement:
    """The error with its expected value, and their quotient."""
    tables = analysed(evidence).thinned(MOST_LEARNT)
    if tables.impossible:
        return Measurement.undefined("pmse", tables.impossible, LIMITS)
    before, after = features(tables.columns, tables.rows, squares=True)
    share = tables.rows[1] / sum(tables.rows)
    with one_thread():
        design, weights = independent(np.vstack([before, after]))[0], np.concatenate(tables.weights)
        scores = propensities(design, np.repeat([0.0, 1.0], tables.rows), weights)
    value = float((weights * (scores - share) ** 2).mean())
    expected = design.shape[1] * (1 - share) ** 2 * share * float((weights**2).mean()) / len(design)
    figures = {"expected": expected, "features": float(design.shape[1])}
    if expected > 0:
        figures["ratio"] = round(value / expected, 9)
    return Measurement("pmse", round(value, 12), "lower", LIMITS, figures, note=tables.note)


def propensities(design: Floats, released: Floats, weights: Floats) -> Floats:
    """[row] the chance of being released, by logistic regression (Newton's method with a very small ridge)."""
    whole = np.column_stack([np.ones(len(design)), design])
    share = float(released.mean())
    slopes = np.zeros(whole.shape[1])
    slopes[0] = np.log(share / (1 - share))
    for _ in range(ROUNDS):
        scores = _chances(whole @ slopes)
        slope = whole.T @ (weights * (released - scores)) - RIDGE * len(whole) * _without_first(slopes)
        bend = (whole * (weights * scores * (1 - scores))[:, None]).T @ whole
        step = np.linalg.solve(bend + RIDGE * len(whole) * np.eye(len(slopes)), slope)
        slopes = slopes + step
        if np.abs(step).max() < CLOSE:
            break
    return _chances(whole @ slopes)


def _without_first(slopes: Floats) -> Floats:
    """The intercept is not held back."""
    held = slopes.copy()
    held[0] = 0.0
    return held


def _chances(odds: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
