# SPDX-License-Identifier: Apache-2.0
"""Accuracy kept: how well a model predicts a column when it has learnt from the release, beside the original.

    kept = score of the model trained on released rows / score of the model trained on original rows, at most 1

Both are tested on the same third of the original rows. Of names (and numbers of up to ten values) the score is the
accuracy of a logistic regression; of other numbers it is R² of a ridge regression, 0 where it is below. All other
columns are what is learnt from, as an analyst would use them: ranges by their middles, nodes of a tree as shares of
their leaves. What is predicted is the column that the plan names (``target``), else each sensitive one; the value is
that of the one that keeps least. Figures of each: ``original NAME`` and ``released NAME``, the scores; ``guessing
NAME``, what the commonest name (or the mean) scores; and for columns of two values ``auc original NAME`` and ``auc
released NAME``, the area under the ROC curve. Where even the original scores no more than 0.01, there is nothing to
lose, and the value is 1.

Which released row is whose is not known to a judge. So each model is trained on two thirds of its table, drawn by
itself; rows of the third that tests them may be among them, for both models alike. Neither has enough coefficients to
remember rows.

Needs scikit-learn (``pip install 'shoal[sklearn]'``); undefined without it.

Papers: V. Iyengar, Transforming data to satisfy privacy constraints, KDD 2002 (classification as the use of a
release); F. Prasser, J. Eicher, R. Bild, H. Spengler, K. Kuhn, A tool for optimizing de-identified health data for use
in statistical classification, CBMS 2017 (accuracy beside that of the original, as ARX has it).

Limits: one learner. Of columns with more than twenty names, the rarer ones are predicted as one.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.ground.arrays import Flags, Floats, Ints
from shoal.ground.catalog import library
from shoal.judging.analyst import MOST_LEARNT, AnalysedColumn, AnalysedTables, analysed
from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.metrics._features import features, one_thread

ON_REQUEST = True
UTILITY = True
HELPS = (
    "larger weights for the columns that predict it (--weight age=3), "
    "a smaller k, fewer quasi-identifiers, or finer trees"
)

FEW = 10
"""Different numbers that are still predicted as names."""
MOST_NAMES = 20
"""Names that are told apart; the rarer ones are one."""
NOTHING = 0.01
"""A score up to which a column cannot be predicted: a quotient of two such scores would be chance."""
ROUNDS = 100
"""How often the solver may go round."""


def measure(evidence: Evidence) -> Measurement:
    """The share that is kept of each sensitive column, and the scores behind it."""
    tables = analysed(evidence).thinned(MOST_LEARNT)
    targets = [one for one in tables.columns if one.name in tables.targets and not one.changed]
    if tables.impossible or not targets:
        why = tables.impossible or "no column to predict, and no sensitive one, is named in the plan and in both tables"
        return Measurement.undefined("accuracy_kept", why)
    figures: dict[str, float] = {}
    kept: list[float] = []
    notes = [tables.note]
    for target in targets:
        with one_thread():
            scores = _scores(tables, target)
        figures |= {f"{name} {target.name}": round(score, 9) for name, score in scores.items()}
        before, after = max(scores["original"], 0.0), max(scores["released"], 0.0)
        kept.append(min(after / before, 1.0) if before > NOTHING else 1.0)
        if before <= NOTHING:
            notes.append(f"column {target.name!r} cannot be predicted from the original either")
    value = round(min(kept), 9)
    return Measurement("accuracy_kept", value, "higher", (0.0, 1.0), figures, note="; ".join(filter(None, notes)))


def _scores(tables: AnalysedTables, target: AnalysedColumn) -> dict[str, float]:
    """Scores of the models for one column, by name."""
    others = [one for one in tables.columns if one is not target]
    before, after = features(others, tables.rows)
    named = not target.line or len(np.unique(target.before[~np.isnan(target.before)])) <= FEW
    was, now = _names(target) if named else (target.before, target.after)
    known, shown = ~np.isnan(was), ~np.isnan(now)
    original, released = Rows(before[known], was[known]), Rows(after[shown], now[shown])
    tested = original.drawn(seed=0, share=1 / 3)
    found: dict[str, float] = {}
    for name, rows in (("original", original), ("released", released)):
        scored = (_accuracy if named else _explained)(rows.drawn(seed=1, share=2 / 3), tested)
        found |= {f"{kind}{name}": score for kind, score in scored.items()}
    return {**found, "guessing": _commonest(original, tested) if named else 0.0}


def _names(target: AnalysedColumn) -> tuple[Floats, Floats]:
    """The commonest values numbered from 0, all others as one more; missing numbers stay missing."""
    values, counts = np.unique(target.before[~np.isnan(target.before)], return_counts=True)
    common = np.sort(values[np.argsort(-counts, kind="stable")[:MOST_NAMES]])
    found = []
    for side in (target.before, target.after):
        place = np.searchsorted(common, side)
        there: Flags = np.append(common, np.nan)[np.minimum(place, len(common))] == side
        found.append(np.where(np.isnan(side), np.nan, np.where(there, place, len(common))))
    return found[0], found[1]


@dataclass(frozen=True, eq=False)
class Rows:
    """What is known of some rows, and what is to be predicted."""

    known: Floats
    values: Floats

    def drawn(self, seed: int, share: float) -> Rows:
        """Some rows, the same for the same seed and number of rows; at least one where there is any."""
        many = max(round(share * len(self.values)), min(len(self.values), 1))
        drawn: Ints = np.sort(np.random.default_rng(seed).permutation(len(self.values))[:many])
        return Rows(self.known[drawn], self.values[drawn])


def _accuracy(learnt: Rows, tested: Rows) -> dict[str, float]:
    """Share of rows whose name is predicted; of two names also the area under the ROC curve."""
    names = np.unique(learnt.values)
    if len(names) < 2 or not learnt.known.shape[1]:
        return {"": _commonest(learnt, tested)}
    linear = library("sklearn.linear_model", extra="sklearn", what="accuracy_kept")
    model = _fitted(linear.LogisticRegression(max_iter=ROUNDS), learnt)
    scores = {"": _share(np.asarray(model.predict(tested.known)) == tested.values)}
    if len(names) == 2 and np.array_equal(np.unique(tested.values), names):
        area = library("sklearn.metrics", extra="sklearn", what="accuracy_kept").roc_auc_score
        scores["auc "] = float(area(tested.values, model.decision_function(tested.known)))
    return scores


def _explained(learnt: Rows, tested: Rows) -> dict[str, float]:
    """R² of the rows that test the model."""
    if not len(learnt.values) or not learnt.known.shape[1]:
        return {"": 0.0}
    linear = library("sklearn.linear_model", extra="sklearn", what="accuracy_kept")
    answers = np.asarray(_fitted(linear.Ridge(), learnt).predict(tested.known))
    total = float(((tested.values - tested.values.mean()) ** 2).sum())
    return {"": 1 - float(((tested.values - answers) ** 2).sum()) / total if total > 0 else 0.0}


def _fitted(model: Any, learnt: Rows) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the solver could go on for a little gain
        return model.fit(learnt.known, learnt.values)


def _commonest(learnt: Rows, tested: Rows) -> float:
    """Share of rows that have the name that is commonest elsewhere."""
    values, counts = np.unique(learnt.values, return_counts=True)
    return _share(tested.values == values[counts.argmax()]) if len(values) else 0.0


def _share(right: Flags) -> float:
    return float(right.mean()) if len(right) else 0.0
