# SPDX-License-Identifier: Apache-2.0
"""Accuracy kept: how well a model predicts a column when it has learnt from the release, beside the original.

    kept = score of the model trained on released rows / score of the model trained on original rows, at most 1

Both are tested on the same third of the original rows, of which neither has seen one. Of names (and numbers of up to
ten values) the score is the accuracy of a logistic regression; of other numbers it is R² of a ridge regression, 0 where
it is below. All other columns are what is learnt from, as an analyst would use them: ranges by their middles, nodes of
a tree as shares of their leaves. What is predicted is the column that the plan names (``target``), else each sensitive
one; the value is that of the one that keeps least. Figures of each: ``original NAME`` and ``released NAME``, the
scores; ``guessing NAME``, what the commonest name (or the mean) scores; and for columns of two values ``auc original
NAME`` and ``auc released NAME``, the area under the ROC curve. A column that even the original predicts no better than
guessing (names), or with an R² of no more than 0.01 (numbers), does not count: a quotient of two such scores says
nothing of the release. Where no other is left, the value is undefined. The note tells these columns, and those that the
release alone predicts no better than guessing.

The model of the original learns from the other two thirds, that of the release from as many released rows, none of
which is of a row that tests it. In a run it is known whose is whose. Of tables that others made it is not: there each
released row is taken for one of those with the same unchanged cells, by the order of their other cells, so that a few
may be seen after all; the learners are linear and have too few coefficients to remember rows. Survey weights count.

Needs scikit-learn (the extra ``sklearn``); undefined without it.

Papers: V. Iyengar, Transforming data to satisfy privacy constraints, KDD 2002 (classification as the use of a
release); F. Prasser, J. Eicher, R. Bild, H. Spengler, K. Kuhn, A tool for optimizing de-identified health data for use
in statistical classification, CBMS 2017 (accuracy beside that of the original, as ARX has it).

Limits: one learner. Of columns with more than twenty names, the rarer ones are predicted as one.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.ground.arrays import Flags, Floats, Ints
from shoal.ground.catalog import library
from shoal.ground.wording import columns_in_words, percent
from shoal.judging.analyst import MOST_LEARNT, AnalysedColumn, AnalysedTables, analysed
from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.metrics._features import features, one_thread
from shoal.plan.plan import Plan

ON_REQUEST = True
UTILITY = True
LIMITS = (0.0, 1.0)
FIGURES = ("original NAME", "released NAME", "guessing NAME", "auc original NAME", "auc released NAME")
COLUMNS = "targets"
WORKLOAD = ("target",)
NEEDS = {"sklearn.linear_model": "sklearn"}
HELPS = (
    "larger weights for the columns that predict it (--weight age=3), "
    "a smaller k, fewer quasi-identifiers, or finer trees"
)

FEW = 10
"""Different numbers that are still predicted as names."""
MOST_NAMES = 20
"""Names that are told apart; the rarer ones are one."""
NOTHING = 0.01
"""An R² up to which a column cannot be predicted: a quotient of two such scores would be chance."""
SLACK = 1e-9
"""By how much sums of weights may be off."""
MOST_TOLD = 4
"""Columns that a note names."""
ROUNDS = 100
"""How often the solver may go round."""


def measure(evidence: Evidence) -> Measurement:
    """The share that is kept of each sensitive column, and the scores behind it."""
    tables = analysed(evidence).thinned(MOST_LEARNT)
    targets = tables.explained
    if tables.unexplained:
        return Measurement.undefined("accuracy_kept", tables.unexplained)
    figures: dict[str, float] = {}
    kept: list[float] = []
    unpredicted: list[str] = []
    guessed: list[str] = []
    for target in targets:
        with one_thread():
            scores = _scores(tables, target)
        figures |= {f"{name} {target.name}": round(score, 9) for name, score in scores.items()}
        before, after = max(scores["original"], 0.0), max(scores["released"], 0.0)
        least = max(scores["guessing"], NOTHING)
        if before <= least + SLACK:
            unpredicted.append(target.name)
            continue
        kept.append(min(after / before, 1.0))
        if after <= least + SLACK:
            guessed.append(target.name)
    value = round(min(kept), 9) if kept else math.nan
    note = "; ".join(filter(None, [tables.note, *_guessing(unpredicted, guessed)]))
    return Measurement("accuracy_kept", value, "higher", LIMITS, figures, note=note)


def _guessing(unpredicted: list[str], guessed: list[str]) -> Iterator[str]:
    """Which columns are predicted no better than guessing: by the original, or by the release alone."""
    if unpredicted:
        count = "it does not count" if len(unpredicted) == 1 else "they do not count"
        yield f"the original predicts {columns_in_words(unpredicted, MOST_TOLD)} no better than guessing, so {count}"
    if guessed:
        yield f"the release predicts {columns_in_words(guessed, MOST_TOLD)} no better than guessing"


def _scores(tables: AnalysedTables, target: AnalysedColumn) -> dict[str, float]:
    """Scores of the models for one column, by name."""
    before, after = features([one for one in tables.columns if one is not target], tables.rows)
    named = not target.line or len(np.unique(target.before[~np.isnan(target.before)])) <= FEW
    was, now = _names(target) if named else (target.before, target.after)
    known, shown = ~np.isnan(was), ~np.isnan(now)
    weights, people = tables.weights, tables.people
    original = Rows(before[known], was[known], weights[0][known], people[0][known])
    released = Rows(after[shown], now[shown], weights[1][shown], people[1][shown])
    tested = original.drawn(max(round(len(original) / 3), min(len(original), 1)), seed=0)
    learnt = original.without(tested)
    found: dict[str, float] = {}
    for name, rows in (("original", learnt), ("released", released.without(tested).drawn(len(learnt), seed=1))):
        scored = (_accuracy if named else _explained)(rows, tested)
        found |= {f"{kind}{name}": score for kind, score in scored.items()}
    return {**found, "guessing": _commonest(learnt, tested) if named else 0.0}


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
    """What is known of some rows, what is to be predicted, how many people each stands for, and whose it is."""

    known: Floats
    values: Floats
    weights: Floats
    people: Ints

    def __len__(self) -> int:
        return len(self.values)

    def _taken(self, rows: Ints) -> Rows:
        return Rows(self.known[rows], self.values[rows], self.weights[rows], self.people[rows])

    def drawn(self, many: int, seed: int) -> Rows:
        """So many rows, or all, the same for the same seed and number of rows."""
        return self._taken(np.sort(np.random.default_rng(seed).permutation(len(self))[:many]))

    def without(self, others: Rows) -> Rows:
        """The rows of nobody who is among others."""
        return self._taken(np.flatnonzero(~np.isin(self.people, others.people)))


def _accuracy(learnt: Rows, tested: Rows) -> dict[str, float]:
    """Share of rows whose name is predicted; of two names also the area under the ROC curve."""
    names = np.unique(learnt.values)
    if len(names) < 2 or not learnt.known.shape[1]:
        return {"": _commonest(learnt, tested)}
    linear = library("sklearn.linear_model", extra="sklearn", what="accuracy_kept")
    model = _fitted(linear.LogisticRegression(max_iter=ROUNDS), learnt)
    scores = {"": _share(np.asarray(model.predict(tested.known)) == tested.values, tested)}
    if len(names) == 2 and np.array_equal(np.unique(tested.values), names):
        area = library("sklearn.metrics", extra="sklearn", what="accuracy_kept").roc_auc_score
        odds = model.decision_function(tested.known)
        scores["auc "] = float(area(tested.values, odds, sample_weight=tested.weights))
    return scores


def _explained(learnt: Rows, tested: Rows) -> dict[str, float]:
    """R² of the rows that test the model."""
    if not len(learnt.values) or not learnt.known.shape[1]:
        return {"": 0.0}
    linear = library("sklearn.linear_model", extra="sklearn", what="accuracy_kept")
    answers = np.asarray(_fitted(linear.Ridge(), learnt).predict(tested.known))
    mean = np.average(tested.values, weights=tested.weights)
    total = float((tested.weights * (tested.values - mean) ** 2).sum())
    return {"": 1 - float((tested.weights * (tested.values - answers) ** 2).sum()) / total if total > 0 else 0.0}


def _fitted(model: Any, learnt: Rows) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the solver could go on for a little gain
        return model.fit(learnt.known, learnt.values, sample_weight=learnt.weights)


def _commonest(learnt: Rows, tested: Rows) -> float:
    """Share of rows that have the name that is commonest elsewhere."""
    values, which = np.unique(learnt.values, return_inverse=True)
    if not len(values):
        return 0.0
    return _share(tested.values == values[np.bincount(which.ravel(), learnt.weights).argmax()], tested)


def _share(right: Flags, tested: Rows) -> float:
    return float(np.average(right, weights=tested.weights)) if len(right) else 0.0


def told(measured: Measurement, plan: Plan) -> Iterator[str]:
    """How well the column is predicted that the plan names."""
    if f"released {plan.target}" not in measured.figures:
        yield f"whether {plan.target!r} can still be predicted is not known: {measured.note}"
        return
    scores = {what: measured.figures[f"{what} {plan.target}"] for what in ("released", "original", "guessing")}
    yield (
        f"{plan.target!r} is predicted with a score of {percent(scores['released'])} from the release, "
        f"{percent(scores['original'])} from the original, {percent(scores['guessing'])} by guessing"
    )
