# SPDX-License-Identifier: Apache-2.0
"""How a method stands at one k, over all its seeds; and the recommendation that follows, in words with its reason."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from shoal.ground.wording import number, percent, rough, seconds
from shoal.studies.comparing.outcome import Outcome

PATIENCE = 5.0
"""Seconds from which on a faster method is worth a word."""
MUCH_FASTER, LITTLE_WORSE = 5.0, 0.10


@dataclass(frozen=True)
class Standing:
    """One method at one k: figures are means over its seeds."""

    method: str
    k: int
    loss: float
    least: float
    most: float
    """Smallest and largest loss over the seeds."""
    seconds: float
    memory: float
    per_column: Mapping[str, float]
    gap: float | None
    weaker: bool
    """Whether it publishes less than a k-anonymous table."""
    seeds: int
    unbounded: bool = False
    """Whether the lower bound does not speak of it: it shows sets or centres, or leaves rows out."""
    rank: float | None = None
    """What methods are ranked by, where that is not the loss."""
    higher: bool = False
    """Whether a higher figure of that kind is better."""

    @property
    def marks(self) -> str:
        """What stands behind its name: a star if it is weaker, a dagger if the bound is not about it."""
        return "*" if self.weaker else "†" if self.unbounded else ""


def standings(outcomes: Iterable[Outcome]) -> dict[int, list[Standing]]:
    """For every k the methods that gave a table, weaker ones last, lowest loss first, or best by what ranks them."""
    groups: dict[tuple[int, str], list[Outcome]] = {}
    for one in outcomes:
        found = groups.setdefault((one.k, one.method), [])
        if one.done and one.loss is not None:
            found.append(one)
    by_k: dict[int, list[Standing]] = {k: [] for k, _ in groups}
    for (k, _), found in groups.items():
        if found:
            by_k[k].append(_standing(found))
    return {k: sorted(found, key=_place) for k, found in by_k.items()}


def _place(one: Standing) -> tuple[bool, float, float]:
    """Whoever has no figure to be ranked by comes last; of equals the one that loses less is first."""
    ranked = math.inf if one.rank is None else round(-one.rank if one.higher else one.rank, 12)
    return one.weaker, ranked, round(one.loss, 12)


def _standing(found: Sequence[Outcome]) -> Standing:
    losses = [one.loss for one in found if one.loss is not None]
    names = dict.fromkeys(name for one in found for name in one.per_column)
    columns = {name: [loss for one in found if (loss := one.per_column.get(name)) is not None] for name in names}
    gaps = [one.gap for one in found if one.gap is not None]
    ranks = [one.rank for one in found if one.rank is not None]
    return Standing(
        found[0].method,
        found[0].k,
        fmean(losses),
        min(losses),
        max(losses),
        fmean(one.seconds or 0.0 for one in found),
        max(one.memory or 0.0 for one in found),
        {name: fmean(each) for name, each in columns.items() if each},
        fmean(gaps) if gaps else None,
        found[0].weaker,
        len(found),
        any(one.bound is None for one in found),
        fmean(ranks) if ranks else None,
        found[0].better == "higher",
    )


def recommendation(
    by_k: Mapping[int, Sequence[Standing]], bounds: Mapping[int, float | None], rank: str = ""
) -> list[str]:
    """Which method to use, and why: one sentence if one wins everywhere, then a few per k."""
    winners = [best for found in by_k.values() if (best := winner(found))]
    lines = []
    if len(winners) > 1 and len({one.method for one in winners}) == 1 and len(winners) == len(by_k):
        ranked = rank and all(one.rank is not None for one in winners)
        lines.append(f"Use {winners[0].method}: it {f'is best by {rank}' if ranked else 'loses least'} at every k.")
    return [*lines, *(f"k = {k:,}: {_ranked(found, rank)}{_at(found, bounds.get(k))}" for k, found in by_k.items())]


def _ranked(found: Sequence[Standing], rank: str) -> str:
    """Who is best by what methods are ranked by; nothing where that is the loss."""
    told = [f"{one.method} {number(one.rank)}" for one in found if one.rank is not None and not one.weaker]
    unranked = f"{rank} is undefined for every method, so they stand by their loss. " if rank else ""
    return f"by {rank}: {', '.join(told)}. " if told else unranked


def winner(found: Sequence[Standing]) -> Standing | None:
    """The k-anonymous method that stands first."""
    return next((one for one in found if not one.weaker), None)


def _at(found: Sequence[Standing], bound: float | None) -> str:
    found = sorted(found, key=lambda one: (one.weaker, round(one.loss, 12)))
    best = winner(found)
    if best is None:
        return "no method gave a k-anonymous table; the reasons stand with the cells."
    rivals = [one for one in found if not one.weaker and one is not best]
    told = [f"{best.method} loses least, {percent(best.loss)} per cell{_over(best)}"]
    told[0] += (
        f"; next is {rivals[0].method} with {_more(rivals[0].loss, best.loss)}." if rivals else ", as the only one."
    )
    if bound is not None and best.gap is not None:
        spare = 1 - bound / best.loss if best.loss else 0.0
        told.append(
            f"No grouping of all rows, shown as ranges and tree names, can lose less than {percent(bound)}, "
            f"so at most {rough(spare)} of that loss could be saved."
        )
    told.append(f"It took {seconds(best.seconds)} and {best.memory:,.0f} MB.")
    fast = [one for one in rivals if one.seconds * MUCH_FASTER <= best.seconds]
    near = [one for one in fast if one.loss <= best.loss * (1 + LITTLE_WORSE)]
    if near and best.seconds >= PATIENCE:
        told.append(f"In a hurry, {near[0].method}: {_more(near[0].loss, best.loss)} in {seconds(near[0].seconds)}.")
    return " ".join(told)


def _over(one: Standing) -> str:
    if one.seeds < 2:
        return ""
    return f" (mean of {one.seeds} seeds, {percent(one.least)} to {percent(one.most)})"


def _more(loss: float, least: float) -> str:
    if round(loss, 12) == round(least, 12):
        return "the same"
    return f"{percent(loss)} ({rough(loss / least - 1)} more)" if least else percent(loss)
