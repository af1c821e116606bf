# SPDX-License-Identifier: Apache-2.0
"""Refine: our search for a partition of lower loss, after any method, for as long as the budget lasts.

The search goes in *rounds*. Each round cuts the classes anew into blocks of neighbours and searches every block by
itself (:mod:`shoal.kernels.regrouping`, for squared errors :mod:`shoal.kernels.scatter_search`); blocks share nothing,
so the result is the same on any number of threads. It begins hot, accepting slightly worse classes, and cools down to
none in the last round; the best partition at the end of a round counts, the given one included, so that the result is
never worse.

A budget is a number of *steps* per record: one step prices one record, or one class, for one place. Time grows with
steps times records, and a budget in steps replays to the same classes. A budget in seconds is turned into steps once
the first round has shown how fast the machine is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from shoal.encoding.encoded import Encoded
from shoal.kernels.compile import threads
from shoal.progress import Progress
from shoal.refining.hull_state import HullState
from shoal.requirements import Requirement

STEPS = 150_000
"""Steps per record, unless the plan says otherwise."""
ROUND = 5_000
"""Steps per record in one round."""
HEAT = 0.25
"""At first a pool may get worse by about this share of the loss of a mean class."""

Ints = NDArray[np.int64]
T = TypeVar("T")


class State(Protocol):
    """What can be searched: a partition under one kind of loss."""

    def loss(self) -> float: ...
    def labels(self) -> Ints: ...
    def carried(self) -> float: ...
    def blocks(self, random: np.random.Generator) -> list[Any]: ...
    def search(self, block: Any, steps: int, heat: float, seed: int) -> Any: ...
    def joined(self, blocks: list[Any]) -> Any: ...


@dataclass(frozen=True)
class Budget:
    """How long to search."""

    steps: int = STEPS
    """Per record; how fast the search cools down depends on it."""
    stop_after: int | None = None
    """Per record: stop there although the budget is not used up, as an earlier run did."""
    seconds: float | None = None
    """Use as many steps as fit into this time."""


@dataclass(frozen=True, eq=False)
class Refined:
    """What a search found, and the budget that finds it again."""

    labels: Ints
    steps: int
    stop_after: int | None = None
    losses: list[tuple[float, float]] = field(default_factory=list)
    """Seconds since the start, total loss at that time."""


def refine(
    encoded: Encoded, labels: Ints, requirement: Requirement, budget: Budget, seed: int, progress: Progress
) -> Refined:
    """Search from the given classes; never worse than they are."""
    state: State = HullState.of(encoded, labels, requirement)
    random = np.random.default_rng(seed)
    started = time.perf_counter()
    best, best_loss = state, state.loss()
    losses = [(0.0, best_loss)]
    rounds, done = -(-budget.steps // ROUND), 0
    last = rounds if budget.stop_after is None else -(-budget.stop_after // ROUND)
    finishing = False
    while done < min(rounds, last) and best_loss > 0 and not finishing:
        heat = HEAT * (1 - done / rounds) ** 2 * state.carried()
        blocks = state.blocks(random)
        seeds = random.integers(1, 2**62, len(blocks))
        found = []
        for result in _in_threads(
            [lambda b=block, s=int(s): state.search(b, min(ROUND, budget.steps), heat, s) for block, s in zip(blocks, seeds, strict=True)]
        ):
            found.append(result)
            progress(done * len(blocks) + len(found), rounds * len(blocks), best_loss)
        state = state.joined(found)
        done += 1
        loss = state.loss()
        losses.append((time.perf_counter() - started, loss))
        if loss < best_loss:
            best, best_loss = state, loss
    return Refined(best.labels(), rounds * ROUND, losses=losses)


def _in_threads(jobs: list[Callable[[], T]]) -> Iterator[T]:
    """Run the jobs on all cores; results in the order of the jobs."""
    if threads() == 1 or len(jobs) == 1:
        yield from (job() for job in jobs)
        return
    with ThreadPoolExecutor(threads()) as pool:
        running = [pool.submit(job) for job in jobs]
        try:
            for one in running:
                yield one.result()
        finally:
            for one in running:
                one.cancel()
