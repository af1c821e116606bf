# SPDX-License-Identifier: Apache-2.0
"""Work on all cores: kernels run side by side in threads; what they find comes in the order of the jobs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from shoal.engine.kernels.compile import threads

T = TypeVar("T")
AHEAD = 8
"""Jobs per thread that may be under way or done before their results are taken: these wait in memory."""


def in_threads(jobs: Sequence[Callable[[], T]]) -> Iterator[T]:
    """Run the jobs on all cores; results in the order of the jobs, few of them held at a time."""
    if threads() == 1 or len(jobs) == 1:
        yield from (job() for job in jobs)
        return
    with ThreadPoolExecutor(threads()) as pool:
        running: deque[Future[T]] = deque()
        try:
            for job in jobs:
                running.append(pool.submit(job))
                if len(running) >= AHEAD * threads():
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        finally:
            for one in running:
                one.cancel()
