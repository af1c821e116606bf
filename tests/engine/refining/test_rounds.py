# SPDX-License-Identifier: Apache-2.0
"""The rounds of a search: their heat, and how many fit into a time."""

from __future__ import annotations

import time

import pytest

from shoal.engine.refining.rounds import PROGRAMME, Budget, RoundClock
from shoal.plan.effort import ROUND


def test_heat_falls_from_one_to_nothing() -> None:
    """The first two rounds are as hot as can be, whatever comes; then it falls by the square of what is left."""
    clock = RoundClock(Budget(steps=4 * ROUND), started=0.0, learns=False, programmed=False)
    heats = []
    for clock.done in range(5):
        heats.append(clock.heat())
    assert heats == [1, 1, 0.5625, 0.25, 0.0625]


def test_tries_cool_down_sooner_and_then_learn_lukewarm() -> None:
    """In three fifths of the rounds, two at least; then they learn, with a little heat."""
    clock = RoundClock(Budget(steps=10 * ROUND), started=0.0, learns=True, programmed=False)
    heats, learning = [], []
    for clock.done in range(10):
        heats.append(clock.heat())
        learning.append(clock.is_learning())
    assert heats == pytest.approx([(1 - part / 6) ** 2 for part in (0, 0, 1, 2, 3, 4)] + [0.04] * 4)
    assert learning == [False] * 6 + [True] * 4
    short = RoundClock(Budget(steps=2 * ROUND), started=0.0, learns=True, programmed=False)
    short.done = 1
    assert not short.is_learning()


def test_seconds_are_shared_out_by_the_second_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first round may wait for the compiler: a long one does not make the rest of a budget in seconds short."""
    at = iter([10.0, 10.0, 60.0, 60.0, 62.0, 62.0, 62.0])  # a round of 50 seconds, one of 2, and 38 seconds are left
    monkeypatch.setattr(time, "perf_counter", lambda: next(at))
    clock = RoundClock(Budget(seconds=100.0), started=0.0, learns=False, programmed=False)
    for clock.done in range(3):
        clock.goes_on()
    assert clock.rounds == 2 + 38 // 2


def test_a_programme_in_a_time_is_told_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """It seems to have taken the place of the rounds that its part of the time is worth; in steps, of those spared."""
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    clock = RoundClock(Budget(seconds=102.0), started=0.0, learns=False, programmed=True)
    for now[0], clock.done in ((0.0, 0), (1.0, 1), (2.0, 2)):  # rounds of a second, and a hundred are left
        clock.goes_on()
    now[0] = 32.0
    assert clock.seems_done(0.01) == 30
    in_steps = RoundClock(Budget(steps=2 * PROGRAMME), started=0.0, learns=False, programmed=True)
    assert in_steps.seems_done(0.25) == in_steps.spared / 4 == PROGRAMME / ROUND / 4
