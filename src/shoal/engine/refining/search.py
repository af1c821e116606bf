# SPDX-License-Identifier: Apache-2.0
"""Refine: our search for a partition of lower loss, after any method, for as long as the budget lasts.

The search goes in *rounds*. Each round cuts the classes anew into blocks of neighbours and searches every block by
itself (``kernels/search/regrouping.py``, for squared errors ``scatter_search.py`` beside it); blocks share nothing,
so the result is the same on any number of threads. It begins hot, accepting slightly worse classes, and cools down to
none; the best partition at the end of a round counts, the given one included, so that the result is never worse.

There are several tries, each with a share of the work (``side_by_side.py``), and when they have cooled down, they
learn from each other: in the last rounds each tries out what the others have better (``learning.py``). Where classes
are patterns, a linear programme takes the place of most of the hot rounds (``rounding.py``).

A budget is a number of *steps* per record: one step prices one record, or one class, for one place. Time grows with
steps times records, and a budget in steps replays to the same classes. A budget in seconds is turned into steps once
the first round has shown how fast the machine is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from shoal.engine.bounds.budget import Watch
from shoal.engine.bounds.worth import worth
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.refining.exact import FEW, best_labels
from shoal.engine.refining.hull_state import HullState
from shoal.engine.refining.learning import Learners
from shoal.engine.refining.rounds import PATTERNS_ROUND, Budget, RoundClock
from shoal.engine.refining.scatter_state import ScatterState
from shoal.engine.refining.side_by_side import MANY, SideBySide
from shoal.engine.threads import in_threads
from shoal.ground.arrays import Ints
from shoal.ground.progress import Enough, Progress, Step
from shoal.ground.requirements import Requirement
from shoal.plan.effort import ROUND

HEAT, LESS_HEAT = 8.0, 5.0
"""At first a step may make things worse by about the loss of so many mean records; less under rules, and of squares."""
WARM = 0.5
"""Where rounds are short, by no more than so many largest losses of a record, times their share of a usual one.

A large table has few steps per record, too few to win back what a hot beginning costs where records lose much.
"""
ROUNDING = 1e-12
"""Share of a loss that is no difference."""


class State(Protocol):
    """What can be searched: a partition under one kind of loss."""

    @property
    def cells(self) -> float:
        """What the total loss is divided by where people see it."""

    def loss(self) -> float:
        """Total loss."""

    def labels(self) -> Ints:
        """Class of each record."""

    def degree(self) -> float:
        """The unit of heat: about the loss of one record."""

    def blocks(self, random: np.random.Generator) -> list[Any]:
        """Neighbouring classes together, cut anew each time."""

    def search(self, block: Any, steps: int, heat: float, seed: int) -> Any:
        """Search one block; safe in threads."""

    def joined(self, blocks: list[Any]) -> Any:
        """The state after all blocks were searched."""


@dataclass(frozen=True, eq=False)
class Refined:
    """What a search found, and the budget that finds it again."""

    labels: Ints
    steps: int
    stop_after: int | None = None
    losses: list[tuple[float, float]] = field(default_factory=list)
    """Seconds since the start, loss per cell at that time."""
    is_best: bool = False
    """Whether the records are so few that no other classes lose less."""

    @property
    def improved(self) -> bool:
        """Whether the classes lose less than those that were given, by more than rounding."""
        begun = self.losses[0][1] if self.losses else 0.0
        return any(loss < begun * (1 - ROUNDING) for _, loss in self.losses)


def _beginning(encoded: Encoded, requirement: Requirement, *, is_long: bool, is_hasty: bool) -> Callable[[Ints], State]:
    """How a search begins with a partition; if it ``is_long``, it is told what each record must lose anyway."""
    if encoded.loss == "sse":
        return lambda labels: ScatterState.of(encoded, labels, requirement)
    known = worth(encoded, requirement.size) if is_long and not requirement.rules else None
    return lambda labels: HullState.of(encoded, labels, requirement, known, is_hasty=is_hasty)


def _at_length(state: State, budget: Budget) -> tuple[State, Budget]:
    """A search that is long enough for it: tries side by side; patterns in several blocks are cut more often."""
    is_one = len(state.blocks(np.random.default_rng(0))) == 1
    if isinstance(state, HullState) and state.learns:
        return Learners.of(state, is_one_block=is_one), budget
    if is_one:
        return SideBySide((state, state)), budget
    if isinstance(state, HullState) and state.is_of_patterns:
        return state, replace(budget, round=PATTERNS_ROUND)
    return state, budget


def refine(
    encoded: Encoded, labels: Ints, requirement: Requirement, budget: Budget, seed: int | list[int], progress: Progress
) -> Refined:
    """Search from the given classes; never worse than they are. Records in no class (label -1) stay outside.

    The given classes obey the rules of the requirement, and so do those found. Of a few records they are the best.
    """
    started, few, share = time.perf_counter(), np.flatnonzero(labels >= 0), budget.round / ROUND
    is_long = len(few) >= MANY and share >= 1
    begin = _beginning(encoded, requirement, is_long=is_long, is_hasty=share < 1)
    state = begin(labels)
    if len(few) <= FEW:
        solved = labels.copy()
        solved[few] = best_labels(encoded, few, requirement)
        best = min(state, begin(solved), key=lambda one: one.loss())
        losses = [(0.0, one.loss() / one.cells) for one in (state, best)]
        return Refined(best.labels(), budget.steps, losses=losses, is_best=True)
    if is_long:
        state, budget = _at_length(state, budget)
    programmed = is_long and _of_patterns(state) is not None
    clock = RoundClock(budget, started, learns=isinstance(state, Learners), programmed=programmed)
    random = np.random.default_rng(seed)
    best, best_loss = state, state.loss()
    losses = [(0.0, best_loss / state.cells)]
    hottest = LESS_HEAT if encoded.loss == "sse" or requirement.rules else HEAT
    if encoded.loss != "sse":
        hottest = _lowered(hottest, share, best_loss / state.cells)
    while clock.goes_on() and best_loss > 0:
        if clock.is_time_to_solve():
            report = partial(progress.search, clock.done, clock.rounds, best_loss / state.cells)
            led_to = _solved(state, report, clock)
            if led_to is None:
                break
            clock.go_on_with(is_solved=led_to is not state)
            state = led_to
        report = partial(progress.search, clock.behind, clock.rounds, best_loss / state.cells)
        searched = _round(state, clock, hottest, random, report)
        if searched is None:
            break
        state = searched
        clock.done += 1
        loss = state.loss()
        losses.append((clock.seconds(), loss / state.cells))
        if loss < best_loss:
            best, best_loss = state, loss
    if isinstance(best, Learners):
        best = best.all_in_one()
        losses.append((clock.seconds(), best.loss() / best.cells))
    return Refined(best.labels(), clock.steps, None if clock.is_over() else clock.done * budget.round, losses)


def _lowered(heat: float, share: float, loss: float) -> float:
    """How many mean records' losses a step may cost at first, by the share of a usual round and the loss per cell."""
    return heat if share >= 1 or not loss else min(heat, WARM * share / loss)


def _of_patterns(state: State) -> HullState | None:
    """The partition, or one of several side by side, if its classes can be searched as patterns."""
    one = state.states[0] if isinstance(state, SideBySide) else state
    return one if isinstance(one, HullState) and one.is_of_patterns else None


def _solved(state: State, report: Callable[..., bool], clock: RoundClock) -> State | None:
    """The classes that a linear programme over patterns leads to, if they lose less in time; None if it was stopped."""
    one = _of_patterns(state)

    def heeded(step: Step) -> None:
        if report(share=clock.seems_done(step.done / max(step.total, 1))):
            raise Enough

    try:
        found = None if one is None else one.of_programme(Progress(heeded), Watch(clock.solves_until()))
    except Enough:
        return None
    if found is None or found.loss() >= state.loss():
        return state
    return replace(state, states=(found,) * len(state.states)) if isinstance(state, SideBySide) else found


def _round(
    state: State, clock: RoundClock, hottest: float, random: np.random.Generator, report: Callable[..., bool]
) -> State | None:
    """One round over all blocks; None if it was stopped, for half a round could not be repeated."""
    heat, parents = hottest * clock.heat() * state.degree(), None
    if isinstance(state, Learners) and clock.is_learning():
        parents, state = state, state.with_grafts(clock.done)
    blocks = state.blocks(random)
    seeds = random.integers(1, 2**62, len(blocks))
    steps = clock.length()
    jobs = [partial(state.search, block, steps, heat, int(one)) for block, one in zip(blocks, seeds, strict=True)]
    found: list[Any] = []
    if clock.done == 0:  # what has to be compiled is, and tells so, in the thread that is watched
        state.search(blocks[0], 0, heat, 1)
        if isinstance(state, Learners) and clock.may_learn():
            state.rehearse()
    for result in in_threads(jobs):
        found.append(result)
        if report(share=len(found) / len(jobs)):
            return None
    joined: State = state.joined(found)
    return parents.learned_from(joined) if parents is not None and isinstance(joined, Learners) else joined
