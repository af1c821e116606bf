# SPDX-License-Identifier: Apache-2.0
"""Somebody with another table looks for a person's row by the recognisable columns.

The attacker knows some columns of each target. A released row is a candidate if its labels allow all of them: a value
in an interval, below a node of the tree, in a set, ``*``. Where a class publishes one value (a mean, a median, a mode),
the candidates are the rows nearest to the target, numbers by their distance in shares of the range, names by right or
wrong. The attacker picks one of the candidates, each as likely as the other; the rate is the mean chance to be right.

Guessing without the release finds the row of one of n people in 1 case of n. A k-anonymous table promises at most 1 in
k, for every target; the attack breaks it if a target has fewer than k candidates, their own row among them, or if the
rate lies above 1/k with its whole interval.

Sub-tables of the same people are attacked twice. As they are: a person who is among the candidates of every sub-table
has a private value that all of these show, which leaves so many people at most. And joined, by a key column or the
order of the rows if either was left in, otherwise by the truth, as an attacker could had the surrogate key been kept.

Paper: L. Sweeney, k-anonymity: a model for protecting privacy, Int. J. Uncertainty, Fuzziness and Knowledge-Based
Systems 10(5), 2002; J. Domingo-Ferrer, V. Torra, Disclosure risk assessment in statistical data protection, J. Comput.
Appl. Math. 164, 2004 (the nearest record).
"""

from __future__ import annotations

import math

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.wording import counted, phrase
from shoal.judging.attacks._joining import KEY, ORDER, joined, numbered_alike, shared_columns
from shoal.judging.attacks._private_values import possible
from shoal.judging.attacks._words import between, percent, rate_words
from shoal.judging.attempts import Attempt, Scene, not_tried, wilson
from shoal.judging.linking.links import Link, linked, shown_in, targets_of
from shoal.tables.equivalence_classes import classes
from shoal.tables.together import stacked

NAME = "linkage"


def attempt(scene: Scene) -> list[Attempt]:
    """Link the known table with the release."""
    if scene.known is None:
        return [not_tried(NAME, "needs a table that the attacker holds (known), or the original")]
    if len(scene.tables) == 1:
        return [_single(scene, "")]
    found = [_by_private_values(scene)] if _repeats_something(scene) else []
    together = joined(scene)
    if together is not None:
        how = {KEY: f"joined on column {together.key!r}", ORDER: "joined by the order of their rows"}.get(
            together.how, "joined row by row, as they could be had a key been kept"
        )
        found.append(_single(together.scene, f"the {len(scene.tables)} sub-tables, {how}: "))
    elif scene.k_joint is not None:
        found.append(_as_measured(scene, scene.k_joint))
    return found or [not_tried(NAME, "the sub-tables repeat no column, and nothing else links their rows")]


def _single(scene: Scene, lead: str) -> Attempt:
    found = linked(scene)
    kind = targets_of(scene).kind
    candidates = found.candidates[kind]
    if scene.person is None:
        return _unscored(scene, candidates, lead)
    rows = None if scene.rows is None else scene.rows[0]
    inside = scene.person >= 0
    chance = _chances(found, kind, candidates, scene.person, rows)
    return _scored(scene, candidates[inside], chance[inside], len(found.group), lead)


def _chances(found: Link, kind: Ints, candidates: Ints, person: Ints, rows: Ints | None) -> Floats:
    """[target] chance that a pick among the candidates is right."""
    chance = np.where((person >= 0) & (candidates > 0), 1 / np.maximum(candidates, 1), 0.0)
    if rows is None:  # the labels are true, so the right row is among the candidates
        return chance
    row_of = np.full(int(max(person.max(initial=-1), rows.max(initial=-1))) + 2, -1, dtype=np.int64)
    row_of[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
    row = np.where(person >= 0, row_of[person], -1)
    right = np.zeros(len(kind), dtype=bool)
    there = np.flatnonzero(row >= 0)
    right[there] = found.holds(kind[there], found.group[row[there]])
    return np.where(right, chance, 0.0)


def _scored(
    scene: Scene, candidates: Ints, chance: Floats, rows: int, lead: str, found: str = "finds the right row in"
) -> Attempt:
    """The attempt on targets who are in the table."""
    targets = len(chance)
    if not targets:
        return not_tried(NAME, "none of the targets is in the table")
    rate, before = float(chance.mean()), _before(scene)
    k = _promised(scene)
    below = int(((candidates < k) & (chance > 0)).sum()) if k else 0
    broken = None if k is None else below > 0 or wilson(rate, targets)[0] > 1 / k
    promise = f"; the promise was at most {percent(1 / k)}" if k else "; nothing was promised about these columns"
    short = f"; {counted(below, 'target has', 'targets have')} fewer than {k} candidates" if below else ""
    earlier = "" if math.isnan(before) else f"; in the original table in {percent(before)}"
    said = (
        f"{lead}an attacker who knows {phrase(scene.on)} of a person {found} "
        f"{rate_words(rate, targets)}{promise}{short}{earlier}; by guessing in {percent(1 / rows)}"
    )
    figures = {
        **_figures(candidates, k),
        "certain": int((chance == 1).sum()),
        "strangers": int((scene.person < 0).sum()) if scene.person is not None else 0,
    }
    limit = 1 / k if k else math.nan
    return Attempt(NAME, said, broken, True, targets, rate, 1 / rows, limit, before, figures)


def _unscored(scene: Scene, candidates: Ints, lead: str) -> Attempt:
    k = _promised(scene)
    some = candidates[candidates > 0]
    below = int((some < k).sum()) if k else 0
    said = f"{lead}no row fits any of the {counted(len(candidates), 'target', 'targets')}"
    if len(some):
        said = (
            f"{lead}an attacker who knows {phrase(scene.on)} of a person finds candidate rows for "
            f"{len(some):,} of {counted(len(candidates), 'target', 'targets')}: "
            f"{between(int(some.min()), int(some.max()))} each, {np.median(some):,.0f} in the middle"
        )
    short = f"; {counted(below, 'target has', 'targets have')} fewer than {k}" if below else ""
    said += f"{short}; who is right is not known, so success is not counted"
    limit = 1 / k if k else math.nan
    broken = None if k is None else below > 0
    return Attempt(NAME, said, broken, True, len(candidates), promise=limit, figures=_figures(candidates, k))


def _figures(candidates: Ints, k: int | None) -> dict[str, float]:
    some = candidates[candidates > 0]
    return {
        "with_candidates": len(some),
        "fewest_candidates": int(some.min(initial=candidates.max(initial=0))),
        "median_candidates": float(np.median(some)) if len(some) else 0.0,
        "one_candidate": int((some == 1).sum()),
        "below_k": int((some < k).sum()) if k else 0,
    }


def _promised(scene: Scene) -> int | None:
    """k, if all columns of the attack are among those it was promised for."""
    return scene.k if set(scene.on) <= set(scene.plan.quasi_identifiers) else None


def _before(scene: Scene) -> float:
    """The rate against the original table as it was: how many rows show exactly what is known."""
    original, person, known = scene.original, scene.person, scene.known
    if original is None or person is None or known is None or not set(scene.on) <= set(original.names):
        return math.nan
    names = list(scene.on)
    alike = classes(stacked([known, original], names), names)
    mine, theirs = alike[: len(known)], alike[len(known) :]
    sizes = np.bincount(theirs, minlength=int(alike.max(initial=0)) + 1)
    inside = person >= 0
    right = theirs[person[inside]] == mine[inside]
    return float((right / np.maximum(sizes[mine[inside]], 1)).mean()) if inside.any() else math.nan


def _repeats_something(scene: Scene) -> bool:
    """Whether the sub-tables as they are can be linked: each knows the target, and shows what its neighbours show."""
    if not shared_columns(scene) or not all(shown_in(table, scene.plan, scene.on) for table in scene.tables):
        return False
    links = [linked(scene, place) for place in range(len(scene.tables))]
    return not any(column.centre for one in links for column in one.columns)


def _by_private_values(scene: Scene) -> Attempt:
    """The sub-tables as they are, linked by the columns that all of them repeat."""
    names = shared_columns(scene)
    links = [linked(scene, place) for place in range(len(scene.tables))]
    people = possible(links, numbered_alike(scene.tables, names)).people[targets_of(scene).kind]
    lead = f"the {len(scene.tables)} sub-tables as they are, linked by {phrase(names)}: "
    if scene.person is None:
        return _unscored(scene, people, lead)
    inside = scene.person >= 0
    chance = np.where(people > 0, 1 / np.maximum(people, 1), 0.0)
    singles = "picks the right one of those who remain in at least"
    return _scored(scene, people[inside], chance[inside], len(scene.tables[0]), lead, singles)


def _as_measured(scene: Scene, k_joint: int) -> Attempt:
    """What the maker of the sub-tables measured when the rows could still be joined."""
    k = scene.k or 1
    said = (
        f"the {len(scene.tables)} sub-tables, joined row by row, as they could be had a key been kept: k joint = "
        f"{k_joint}, as measured when they were made, so some person is found in {percent(1 / k_joint)} of cases; the "
        f"promise was at most {percent(1 / k)} in each sub-table"
    )
    return Attempt(NAME, said, k_joint < k, promise=1 / k, figures={"k_joint": k_joint})
