# SPDX-License-Identifier: Apache-2.0
"""The rounds of a search: how many there are, how hot each is, and when a linear programme takes the place of some.

A budget in seconds is turned into rounds once the first ones have shown how fast the machine is.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from shoal.engine.refining.learning import COOLING, LUKEWARM
from shoal.plan.effort import ROUND, STEPS

PATTERNS_ROUND = 500
"""Steps per record in a round where classes are patterns in several blocks: cut more often, they find more."""
PROGRAMME, AFTER_ROUNDS, THEN, AT_MOST = 50_000, 2, 0.1, 0.8
"""Where classes are patterns, a search of so many steps per record spends them on a linear programme; it comes after so
many rounds, when it is known how many fit into a time; rounds behind it have so much of the usual heat; and it may take
so much of the time that is left."""


@dataclass(frozen=True)
class Budget:
    """How long to search."""

    steps: int = STEPS
    """Per record; how fast the search cools down depends on it."""
    stop_after: int | None = None
    """Per record: stop there although the budget is not used up, as an earlier run did."""
    seconds: float | None = None
    """Use as many steps as fit into this time."""
    round: int = ROUND
    """Steps per record in one round; the last round has what is left of the budget."""


class RoundClock:
    """Rounds done and to do; turns a budget in seconds into rounds."""

    def __init__(self, budget: Budget, started: float, *, learns: bool, programmed: bool) -> None:
        self._budget = budget
        self._cooling = COOLING if learns else 1.0
        self.programmed = programmed
        """Whether a linear programme may take the place of rounds."""
        self._marks = [started]
        self.rounds = -(-budget.steps // budget.round)
        self.done = 0

    @property
    def steps(self) -> int:
        """Steps per record in all rounds together."""
        return self._budget.steps if self._budget.seconds is None else self.rounds * self._budget.round

    def length(self) -> int:
        """Steps per record in the coming round."""
        whole = self._budget.round
        return min(self.steps - self.done * whole, whole) if self._budget.seconds is None else whole

    def seconds(self) -> float:
        """Since the start."""
        return time.perf_counter() - self._marks[0]

    @property
    def solves(self) -> bool:
        """Whether a linear programme is solved."""
        return self.programmed and self.rounds * self._budget.round >= PROGRAMME

    @property
    def spared(self) -> int:
        """Rounds that it takes the place of."""
        return min(PROGRAMME // self._budget.round, self.rounds - AFTER_ROUNDS - 1) if self.solves else 0

    @property
    def last(self) -> int:
        """Rounds to do."""
        return self.rounds - self.spared

    @property
    def behind(self) -> int:
        """Rounds that were done or spared."""
        return self.done + (self.spared if self.done >= AFTER_ROUNDS else 0)

    def is_time_to_solve(self) -> bool:
        """Whether the linear programme comes next; where there is a time, it is tried in any case."""
        is_asked = self.solves or self._budget.seconds is not None
        return self.programmed and is_asked and self.done == AFTER_ROUNDS

    def solves_until(self) -> float:
        """When it is given up."""
        limit = self._budget.seconds
        return math.inf if limit is None else time.perf_counter() + AT_MOST * (limit - self.seconds())

    def seems_done(self, share: float) -> float:
        """As many rounds as the linear programme has taken the place of so far, of which so large a share is done."""
        limit = self._budget.seconds
        if limit is None:
            return self.spared * share
        now, begun = time.perf_counter(), self._marks[-1]
        return (self.rounds - self.done) * (now - begun) / max(self._marks[0] + limit - begun, now - begun)

    def go_on_with(self, *, is_solved: bool) -> None:
        """It is over. If it led to nothing, all rounds are needed, and their heat.

        In a time, there are as many steps as it asks for and those there is time for, or fewer than it asks for: so
        whoever replays the search solves it only if it led to something.
        """
        self.programmed = is_solved
        if self._budget.seconds is not None:
            pace, whole = self._marks[-1] - self._marks[-2], PROGRAMME // self._budget.round
            rounds = self.done + max(int((self._budget.seconds - self.seconds()) / pace), 1)
            self.rounds = rounds + whole if is_solved else min(rounds, whole - 1)

    def is_over(self) -> bool:
        """Whether the whole budget was used."""
        return self.done >= self.last

    def goes_on(self) -> bool:
        """Whether there is another round; after the second one it is known how long a round takes.

        The first may have waited for the compiler.
        """
        limit, stop_after = self._budget.seconds, self._budget.stop_after
        if stop_after is not None and self.done * self._budget.round >= stop_after:
            return False
        if limit is None:
            return not self.is_over()
        self._marks.append(time.perf_counter())
        if self.done == 2:
            self.rounds = max(2, int((limit - self.seconds()) / (self._marks[-1] - self._marks[-2])) + 2)
        return (self.done < 2 or not self.is_over()) and self.seconds() < limit

    def heat(self) -> float:
        """Falls from 1 to 0; the first two rounds do not depend on how many there will be."""
        if self.is_learning():
            return LUKEWARM
        cooled = (1 - max(0, self.done - 1) / max(self._cooling * self.last, 2)) ** 2
        return THEN * cooled if self.solves and self.done >= AFTER_ROUNDS else cooled

    def may_learn(self) -> bool:
        """Whether there will be rounds enough, as far as is known."""
        return self._budget.seconds is not None or self.rounds > 2

    def is_learning(self) -> bool:
        """Whether tries have cooled down and learn from each other."""
        return self._cooling < 1 and self.done >= max(self._cooling * self.rounds, 2)
