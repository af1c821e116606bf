# SPDX-License-Identifier: Apache-2.0
"""Runs the cells of an experiment: the same setting with several seeds, on all cores, into one row of figures each."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from multiprocessing import get_context
from typing import Any, TypeVar

import numpy as np

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.methods import Boxes, Partition, Subtables
from shoal.ground import catalog
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement

WARM_UP_ROWS = 400

Value = TypeVar("Value")
Figures = Mapping[str, float]


@dataclass(frozen=True)
class Effort:
    """How much is run: everything, or a small part of it for the tests."""

    runs: int = 10
    """Seeds of a random method."""
    share: float = 1.0
    """Which part of the rows of each table."""
    thin: bool = False
    """Only the first and the last value of every list of settings."""

    def some(self, values: Sequence[Value]) -> Sequence[Value]:
        """The values of a setting that are run."""
        return (values[0], values[-1]) if self.thin and len(values) > 2 else values

    def part(self, rows: int) -> int:
        """How many of so many rows are used."""
        return round(rows * self.share)


@dataclass(frozen=True)
class Cell:
    """One setting of an experiment."""

    table: str
    method: str
    """A name of the paper's page; what it stands for is said by the script."""
    k: int
    columns: int
    """How many quasi-identifiers, the first ones."""
    rows: int


def measured(
    cells: Iterable[Cell], run: Callable[[Cell, int], Figures], drawn: Callable[[str], bool], effort: Effort, cores: int
) -> list[dict[str, Any]]:
    """One row per cell: its setting, the number of runs, and mean and spread of every figure."""
    jobs = [(cell, effort.runs if drawn(cell.method) else 1) for cell in dict.fromkeys(cells)]
    jobs.sort(key=lambda job: -job[0].rows)  # the long ones first, so that no core waits for the last of them
    work = partial(_row, run)
    if cores == 1:
        return _in_order(work(job) for job in jobs)
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        return _in_order(_shown(pool.map(work, jobs), len(jobs)))


def _row(run: Callable[[Cell, int], Figures], job: tuple[Cell, int]) -> dict[str, Any]:
    cell, runs = job
    found = [run(cell, seed) for seed in range(runs)]
    row: dict[str, Any] = {**asdict(cell), "runs": runs}
    for name in found[0]:
        values = [one[name] for one in found]
        row |= {name: statistics.fmean(values), f"{name}_spread": statistics.stdev(values) if runs > 1 else 0.0}
    return row


def _shown(rows: Iterable[dict[str, Any]], total: int) -> Iterable[dict[str, Any]]:
    for number, row in enumerate(rows, 1):
        print(f"\r{number} of {total} cells", end="" if number < total else "\n", file=sys.stderr, flush=True)
        yield row


def _in_order(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: (row["table"], row["columns"], row["rows"], row["k"], row["method"]))


def clustered(encoded: Encoded, method: str, k: int, seed: int, **parameters: Any) -> tuple[Any, float]:
    """What a method makes of a table, verified, and its CPU seconds, the compiler's aside."""
    _warm(encoded, method, tuple(parameters.items()))
    started = time.process_time()
    found = _cluster(encoded, method, k, seed, parameters)
    spent = time.process_time() - started
    if least(found) < k:
        raise AssertionError(f"{method} returned a class below k = {k}")
    return found, spent


_WARMED: set[tuple[Any, ...]] = set()


def _warm(encoded: Encoded, method: str, parameters: tuple[tuple[str, Any], ...]) -> None:
    """Run once on few rows, so that kernels are loaded before the clock starts."""
    key = (method, parameters, len(encoded.columns), encoded.loss)
    if key not in _WARMED:
        _WARMED.add(key)
        few = np.arange(min(WARM_UP_ROWS, len(encoded)))
        small = replace(encoded, columns=tuple(column.take(few) for column in encoded.columns))
        _cluster(small, method, 2, 0, dict(parameters))


def _cluster(encoded: Encoded, method: str, k: int, seed: int, parameters: Mapping[str, Any]) -> Any:
    module = catalog.load("algorithms", method)
    given = module.Parameters(**parameters)
    return module.cluster(encoded, Requirement(size=k), given, np.random.default_rng(seed), Progress())


def least(found: Any) -> int:
    """Size of the smallest class, of any sub-table; records of a box."""
    if isinstance(found, Boxes):
        return found.size
    parts: Sequence[Partition] = found.partitions if isinstance(found, Subtables) else [found]
    return min(int(part.sizes.min()) for part in parts)


@cache
def is_random(method: str) -> bool:
    """Whether a method of the catalogue draws."""
    return bool(catalog.load("algorithms", method).CAPABILITIES.random)


def cores() -> int:
    """How many processes run side by side."""
    return os.cpu_count() or 1
