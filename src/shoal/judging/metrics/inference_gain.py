# SPDX-License-Identifier: Apache-2.0
"""Inference gain: how much better a private value is guessed with the classes of the release than without.

    without = max_v q(v)        with = 1/n Σ_classes |C| max_v p_C(v)        gain = with - without

q(v) is the share of a value in the whole table, p_C(v) its share in a class. Without the quasi-identifiers the best
guess is always the commonest value of the table; who finds the class of a person guesses the commonest value of the
class. The gain is the share of people whose value is guessed rightly thanks to that. 0: the classes tell nothing; it
cannot be negative.

The value is the gain of the sensitive column that gains most; the figures give ``gain``, ``with`` and ``without`` of
each. A missing private value counts as a value, missing quasi-identifiers are values of their own.

Reference: the loss of the best guess, as in the vulnerability of G. Smith, On the foundations of quantitative
information flow, FoSSaCS 2009, and the guessing of sensitive values in J. Brickell, V. Shmatikov, KDD 2008.

Limits: what is learnt about people in general, and would be from any useful table, counts like what is learnt because
a person is in it. A mean; ``alpha_k`` and ``l_diversity`` bound the worst class.
"""

from __future__ import annotations

import numpy as np

from shoal.judging.evidence import Evidence, Measurement
from shoal.plan.roles import SENSITIVE
from shoal.tables.equivalence_classes import classes

LIMITS = (0.0, 1.0)
FIGURES = ("gain NAME", "with NAME", "without NAME")
COLUMNS = "sensitive"


def measure(evidence: Evidence) -> Measurement:
    """The gain of the worst sensitive column, and each column's."""
    names = [name for name in evidence.plan.having(SENSITIVE) if name in evidence.released.names]
    if not names or not len(evidence.released):
        note = "no rows: nothing can be guessed" if names else "no sensitive column is named in the plan and published"
        return Measurement.undefined("inference_gain", note)
    figures: dict[str, float] = {}
    for name in names:
        without, with_release = _guessed(evidence, name)
        figures |= {f"gain {name}": with_release - without, f"with {name}": with_release, f"without {name}": without}
    worst = max(figures[f"gain {name}"] for name in names)
    return Measurement("inference_gain", worst, "lower", LIMITS, figures)


def _guessed(evidence: Evidence, name: str) -> tuple[float, float]:
    """Share of rows whose private value is guessed rightly from the table, and from their class."""
    released = evidence.released
    alike = classes(released, evidence.plan.published_quasi_identifiers)
    values = classes(released, [name])
    different = int(values.max()) + 1
    pairs, rows = np.unique(alike * different + values, return_counts=True)
    commonest = np.maximum.reduceat(rows, np.flatnonzero(np.diff(pairs // different, prepend=-1)))
    return float(np.bincount(values).max() / len(released)), float(commonest.sum() / len(released))
