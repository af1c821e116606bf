# SPDX-License-Identifier: Apache-2.0
"""Every method of the catalogue sits the public exam; the exam itself is shown to fail."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.methods import Capabilities, Partition
from shoal.ground import catalog
from shoal.ground.parameters import parameter
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.testing import algorithms as exam
from shoal.testing import check_algorithm
from tests.counts import FULL, count

METHODS = catalog.names("algorithms")
BY_TURNS = (
    *("_meets_the_edges", "_keeps_what_is_equal", "_is_no_better_than_the_best"),
    *("is_not_swayed", "keeps_its_release", "_keeps_every_model", "_takes_many_names"),
)
"""What of the exam takes longest: by day a third of the methods is asked each; in the full run, all."""


@pytest.mark.parametrize("name", METHODS)
def test_method_passes_the_exam(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that is listed keeps the promises of all methods."""
    for place, question in enumerate(BY_TURNS, METHODS.index(name)):
        if not FULL and place % 3:
            monkeypatch.setattr(exam, question, lambda candidate: None)
    able = catalog.load("algorithms", name).CAPABILITIES
    slow = able.largest_rows or able.largest_distinct  # by its own account, which the full count holds it to
    monkeypatch.setattr(exam, "MANY_NAMES", count(5_000 if slow else 20_000, exam.MANY_NAMES))
    check_algorithm(name)


THREADS = """
import hashlib
from shoal.ground import catalog
from shoal.testing.algorithms import Candidate
from shoal.testing._people import people
for name in catalog.names("algorithms"):
    one = Candidate(name, catalog.load("algorithms", name))
    budget = {"steps": STEPS} if one.able.refined else {}
    release = one.release(people(ROWS, one.columns, missing=0.02), 7, **budget)
    cells = str([release.classes.tolist(), release.released.frame.rows()])
    print(name, hashlib.sha256(cells.encode()).hexdigest())
"""


def test_the_number_of_threads_does_not_matter() -> None:
    """Every method gives the same release with one thread and with two, in any process, whatever the hash seed."""
    printed = []
    for threads in ("1", "2"):
        names = ("NUMBA_NUM_THREADS", "POLARS_MAX_THREADS", "OMP_NUM_THREADS", "PYTHONHASHSEED")
        environment = {**os.environ, **dict.fromkeys(names, threads)}
        done = subprocess.run(
            [sys.executable, "-c", f"ROWS, STEPS = {count(300, 3_000)}, {count(1_000, 100_000)}\n{THREADS}"],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        printed.append(done.stdout)
    assert printed[0] == printed[1]
    assert len(printed[0].splitlines()) == len(catalog.names("algorithms"))


# -- the exam fails those that break a promise -----------------------------------------------------------------


@dataclass(frozen=True)
class Parameters:
    """Parameters of the newcomer."""

    turns: int = parameter(1, "how often")


@dataclass
class Bare:
    """Neither frozen nor explained."""

    turns: int = 1


Cluster = Callable[[Encoded, Requirement, Any, np.random.Generator, Progress], Any]
SORTS = Capabilities(swayed_by={"column order": "records are sorted by their first column first"})
DOCSTRING = "What a newcomer does.\n\nPaper: none. Cost: n log n. When not to use it: never."


def newcomer(cluster: Cluster, **others: Any) -> Any:
    """A catalogue entry for a method that exists only in a test."""
    module = ModuleType("newcomer")
    module.__dict__.update(Parameters=Parameters, CAPABILITIES=SORTS, cluster=cluster, **others)

    class Entry:
        docstring = others.get("docstring", DOCSTRING)

        @staticmethod
        def load() -> ModuleType:
            return module

        @staticmethod
        def declared(name: str, field: str) -> Any:
            return getattr(getattr(module, name), field)

    return Entry()


def blocks(encoded: Encoded, requirement: Requirement, given: Any, random: Any, progress: Progress) -> Partition:
    """Sorted records in blocks of k: keeps every promise."""
    order = np.lexsort(encoded.points.T[::-1])
    labels = np.empty(len(order), dtype=np.int64)
    labels[order] = np.minimum(np.arange(len(order)) // requirement.size, len(order) // requirement.size - 1)
    progress(len(order), len(order))
    return Partition.of(labels)


def changed(change: Callable[..., Any]) -> Cluster:
    """The blocks with their labels changed: ``change(labels, k, random)``."""

    def cluster(encoded: Encoded, requirement: Requirement, given: Any, random: Any, progress: Progress) -> Any:
        return change(blocks(encoded, requirement, given, random, progress).labels, requirement.size, random)

    return cluster


def too_small(labels: np.ndarray, k: int, random: Any) -> Partition:
    """One record moves out of its class."""
    return Partition.of(np.where(np.arange(len(labels)) == 0, labels.max() + 1, labels))


def by_global_state(labels: np.ndarray, k: int, random: Any) -> Partition:
    """Draws from the generator that everybody shares."""
    np.random.random()
    return Partition.of(labels)


def by_row(encoded: Encoded, requirement: Requirement, given: Any, random: Any, progress: Progress) -> Partition:
    """Blocks of rows as they come."""
    n, k = len(encoded), requirement.size
    return Partition(np.minimum(np.arange(n) // k, n // k - 1))


def deaf(encoded: Encoded, requirement: Requirement, given: Any, random: Any, progress: Progress) -> Partition:
    """Swallows the wish to stop."""
    try:
        return blocks(encoded, requirement, given, random, progress)
    except Exception:
        return blocks(encoded, requirement, given, random, Progress())


def boasting(encoded: Encoded, requirement: Requirement, given: Any, random: Any, progress: Progress) -> Partition:
    """Reports more than there is."""
    progress(2, 1)
    return blocks(encoded, requirement, given, random, progress)


def moving(encoded: Encoded, requirement: Requirement, given: Any, random: Any, progress: Progress) -> Partition:
    """Scales the coordinates in place."""
    found = blocks(encoded, requirement, given, random, progress)
    encoded.points[:] *= 2
    return found


def by_one_weight(encoded: Encoded, requirement: Requirement, given: Any, random: Any, progress: Progress) -> Partition:
    """Looks at the weight of one column by itself."""
    light = encoded.columns[0].weight < max(column.weight for column in encoded.columns)
    return (by_row if light else blocks)(encoded, requirement, given, random, progress)


def by_unit(encoded: Encoded, requirement: Requirement, given: Any, random: Any, progress: Progress) -> Partition:
    """Looks at the unit in which numbers were given."""
    large = any(column.step > 1000 for column in encoded.columns)
    return (by_row if large else blocks)(encoded, requirement, given, random, progress)


def hungry(encoded: Encoded, requirement: Requirement, given: Any, random: Any, progress: Progress) -> Partition:
    """Runs out of memory on many names."""
    if len(encoded) > 1_000:
        raise MemoryError
    return blocks(encoded, requirement, given, random, progress)


def shuffled(labels: np.ndarray, k: int, random: np.random.Generator) -> Partition:
    """Depends on the seed."""
    return Partition.of(random.permutation(labels))


def test_the_exam_passes_a_plain_newcomer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks on which the broken ones below are built are no reason to fail."""
    examine(monkeypatch, newcomer(blocks))


@pytest.mark.parametrize(
    ("entry", "promise"),
    [
        (newcomer(blocks, docstring="No story."), "whole story"),
        (newcomer(blocks, docstring="A story.\n\nPaper: none. Cost: little."), "When not to use it"),
    ],
)
def test_the_exam_reads_the_docstring(entry: Any, promise: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A method must say what it is, where it comes from, what it costs and when not to use it."""
    with pytest.raises(AssertionError, match=promise):
        examine(monkeypatch, entry)


@pytest.mark.parametrize(
    ("cluster", "able", "promise"),
    [
        (changed(lambda labels, k, random: labels), {}, "must return a Partition"),
        (changed(lambda labels, k, random: Partition(labels[1:])), {}, "in exactly one class"),
        (changed(lambda labels, k, random: Partition(np.where(labels == 0, -1, labels))), {}, "in exactly one class"),
        (changed(lambda labels, k, random: Partition(labels.max() - labels)), {}, "numbered by smallest member"),
        (changed(too_small), {}, "where k ="),
        (changed(lambda labels, k, random: Partition(np.zeros_like(labels))), {}, "declared are k..2k-1"),
        (changed(shuffled), {}, "the seed matters"),
        (changed(by_global_state), {}, "global random state"),
        (by_row, {"order_free": True}, "the order of rows matters"),
        (deaf, {}, "must stop"),
        (boasting, {}, "only grow"),
        (moving, {}, "changes the coordinates"),
        (hungry, {}, "too much memory"),
        (lambda encoded, requirement: None, {}, "cluster takes"),
        (blocks, {"class_sizes": "any"}, "class_sizes must be"),
        (blocks, {"losses": ("envy",)}, "losses must be"),
        (blocks, {"kinds": ("numeric", "odd")}, "kinds must be"),
        (blocks, {"render": "nonsense"}, "render must be"),
        (blocks, {"rules": ("politeness",)}, "rules must be"),
        (blocks, {"swayed_by": {"the weather": "rain"}}, "swayed_by must give reasons"),
        (blocks, {"swayed_by": {"column order": ""}}, "swayed_by must give reasons"),
        (blocks, {"swayed_by": {}}, "another order of the columns changes the classes"),
        (by_one_weight, {}, "a column that stands twice, each time with half its weight, changes the classes"),
        (blocks, {"swayed_by": {**SORTS.swayed_by, "halved column": "why not"}}, "which changes nothing"),
        (by_unit, {}, "classes change when columns are given in units"),
    ],
)
def test_the_exam_fails_a_method_that_breaks_a_promise(
    cluster: Cluster, able: dict[str, Any], promise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each promise of the exam is really examined."""
    entry = newcomer(cluster)
    entry.load().CAPABILITIES = replace(SORTS, **able)
    with pytest.raises(AssertionError, match=promise):
        examine(monkeypatch, entry)


def test_the_exam_wants_parameters_frozen_and_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parameters that can change, or that nobody explains, do not pass."""
    entry = newcomer(blocks)
    entry.load().Parameters = Bare
    with pytest.raises(AssertionError, match="frozen dataclass"):
        examine(monkeypatch, entry)
    entry.load().Parameters = dataclass(frozen=True)(type("Plain", (), {"__annotations__": {"x": int}, "x": 1}))
    with pytest.raises(AssertionError, match="help text"):
        examine(monkeypatch, entry)


@pytest.mark.parametrize("kind", ["numeric", "categorical"])
def test_a_method_is_examined_on_the_kinds_it_declares(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A method for numbers only never meets a name, and the flow refuses names for it politely; and vice versa."""

    def picky(encoded: Encoded, requirement: Requirement, given: Any, random: Any, progress: Progress) -> Partition:
        assert all((column.tree is None) == (kind == "numeric") for column in encoded.columns)
        return blocks(encoded, requirement, given, random, progress)

    entry = newcomer(picky)
    entry.load().CAPABILITIES = replace(SORTS, kinds=(kind,))
    examine(monkeypatch, entry)


def examine(monkeypatch: pytest.MonkeyPatch, entry: Any) -> None:
    """Let a newcomer sit the exam as if it were in the catalogue; small, so that the many examples stay quick."""
    found = catalog.find
    monkeypatch.setattr(exam, "MANY_NAMES", 2_000)
    monkeypatch.setattr(
        catalog, "find", lambda room, name: entry if (room, name) == ("algorithms", "newcomer") else found(room, name)
    )
    check_algorithm("newcomer")
