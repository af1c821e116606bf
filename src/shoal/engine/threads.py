# SPDX-License-Identifier: Apache-2.0
"""Work on all cores: kernels run side by side in threads; what they find comes in the order of the jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from shoal.engine.kernels.compile import threads

T = TypeVar("T")


def in_threads(jobs: Sequence[Callable[[], T]]) -> Iterator[T]:
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
