# SPDX-License-Identifier: Apache-2.0
"""Jobs on all cores: in their order, and without holding all that they found."""

from __future__ import annotations

import threading

import pytest

from shoal.engine import threads
from shoal.engine.threads import AHEAD, in_threads


@pytest.mark.parametrize("many", [0, 1, 5, 500])
def test_few_results_wait(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many jobs there are, what waits in memory does not grow with them; results come in order."""
    monkeypatch.setattr(threads, "threads", lambda: 2)
    lock, begun, most = threading.Lock(), [], 0

    def job(number: int) -> int:
        with lock:
            begun.append(number)
        return number

    found = []
    for one in in_threads([lambda number=number: job(number) for number in range(many)]):
        most = max(most, len(begun) - len(found))
        found.append(one)
    assert found == list(range(many))
    assert most <= AHEAD * 2


def test_a_failure_stops_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs that were not begun are not begun."""
    monkeypatch.setattr(threads, "threads", lambda: 2)
    begun: list[int] = []

    def job(number: int) -> None:
        begun.append(number)
        raise ValueError(number)

    with pytest.raises(ValueError, match="0"):
        list(in_threads([lambda number=number: job(number) for number in range(100)]))
    assert len(begun) <= AHEAD * 2
