# SPDX-License-Identifier: Apache-2.0
"""The exam that every method sits: ``check_algorithm("k_member")``.

Raises ``AssertionError`` with the promise that is broken. What makes a method *good* is for its own tests; the exam
holds what all methods promise: every record in one class of at least k, the same classes for the same seed, no trouble
with duplicates, missing cells, constant columns, one column or thirty, and a run that can be watched and stopped. A
method is examined on the kinds of columns that it declares. One that publishes sub-tables or boxes instead of classes
is asked for whole sub-tables or rings, and that it says so and runs only where that is accepted. One that declares
that it leaves records out may do so.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.hull import class_hulls, total_loss
from shoal.engine.methods import SWAYS, Capabilities, Partition
from shoal.ground import catalog
from shoal.ground.arrays import Ints
from shoal.ground.errors import CannotHoldError, Interrupted, PlanError, TableError
from shoal.ground.progress import Step
from shoal.ground.requirements import RULES
from shoal.plan.checks import DEFAULT_RENDER, LOSSES
from shoal.releases.kinds import KINDS
from shoal.tables.table import Table
from shoal.tables.together import side_by_side
from shoal.testing import _people as people
from shoal.testing import _rules as rules
from shoal.testing import _specimen as specimen
from shoal.testing import _weaker as weaker
from shoal.testing._candidate import Candidate
from shoal.testing._retelling import is_not_swayed, is_swayed_as_it_says, keeps_its_release

SLACK = 1e-9
MANY_NAMES = 100_000
SECONDS = 120.0
"""Generous for a near-linear method on MANY_NAMES rows, hopeless for one that looks at every pair of names."""


def check_algorithm(name: str) -> None:
    """Examine one method of the catalogue."""
    candidate = Candidate(name, specimen.described("algorithms", name))
    for examine in (
        _tells_its_source,
        _declares_itself,
        _makes_classes_of_any_table,
        _is_repeatable,
        _leaves_the_world_alone,
        _meets_the_edges,
        _keeps_what_is_equal,
        _is_no_better_than_the_best,
        _ignores_order_where_it_says_so,
        is_not_swayed,
        is_swayed_as_it_says,
        keeps_its_release,
        _obeys_the_rules_it_declares,
        _keeps_every_model,
        _can_be_watched_and_stopped,
        _takes_many_names,
        _refuses_what_it_cannot_take,
        _says_if_it_is_weaker,
    ):
        examine(candidate)


# -- words and declarations ------------------------------------------------------------------------------------


def _tells_its_source(candidate: Candidate) -> None:
    docstring = catalog.find("algorithms", candidate.name).docstring
    for word in ("Paper:", "Cost:", "When not to use it:"):
        assert word in docstring, f"{candidate.name}: the docstring does not say {word!r}"


def _declares_itself(candidate: Candidate) -> None:
    name, method = candidate.name, candidate.method
    specimen.check_parameters(name, method)
    assert isinstance(getattr(method, "CAPABILITIES", None), Capabilities), f"{name}: CAPABILITIES must be declared"
    able = candidate.able
    assert able.releases in KINDS, f"{name}: releases must be one of {', '.join(KINDS)}"
    kinds = bool(able.kinds) and set(able.kinds) <= set(people.COLUMNS)
    assert kinds, f"{name}: kinds must be one or more of {', '.join(people.COLUMNS)}"
    assert able.class_sizes in ("k..2k-1", "k.."), f"{name}: class_sizes must be 'k..2k-1' or 'k..'"
    assert set(able.losses) <= set(LOSSES), f"{name}: losses must be some of {', '.join(LOSSES)}"
    papers = able.paper_loss is None or able.paper_loss in able.losses
    assert papers, f"{name}: paper_loss must be one of its losses, or None"
    assert set(able.rules) <= set(RULES), f"{name}: rules must be some of {', '.join(RULES)}"
    told = set(able.swayed_by) <= set(SWAYS) and all(able.swayed_by.values())
    assert told, f"{name}: swayed_by must give reasons for some of {', '.join(SWAYS)}"
    renderings = (DEFAULT_RENDER, *catalog.names("renderings"))
    assert able.render in renderings, f"{name}: render must be one of {', '.join(renderings)}"
    taken = len(inspect.signature(method.cluster).parameters)
    assert taken == 5, f"{name}: cluster takes encoded, requirement, parameters, random, progress"


# -- classes -----------------------------------------------------------------------------------------------------


def _tables(candidate: Candidate) -> Iterator[tuple[Table, dict[str, Any]]]:
    """Tables that are easy to get wrong, with what their plan says."""
    names = candidate.columns
    yield people.people(60, names), {}
    yield people.people(12, names).take(np.arange(60) % 12), {}
    for missing in ("own", "wildcard"):
        yield people.people(60, names, 1, missing=0.3), {"missing": missing}
    yield people.people(40, names, 2, missing=1.0), {}
    yield people.people(40, people.wide(names, 30), 3), {}
    yield people.people(60, names, 4), {"weights": dict.fromkeys(names[::2], 0.0)}
    yield people.people(60, names, 4), {"weights": dict.fromkeys(names, 0.0)}
    yield people.people(60, names, 5).take(np.zeros(60, dtype=np.int64)), {}
    for loss in LOSSES:
        yield people.people(45, names, 6), {"loss": loss}
    for name in names:
        yield people.people(40, [name], 7, missing=0.1), {}


def _makes_classes_of_any_table(candidate: Candidate) -> None:
    for table, others in _tables(candidate):
        encoded = candidate.encoded(table, 7, **others)
        for k in (1, 2, 7):
            candidate.labels(encoded, k)


def _is_repeatable(candidate: Candidate) -> None:
    """Same seed, same classes: again, at the same time in another thread, and with any seed if none matters."""
    table = people.people(300, candidate.columns, missing=0.05)

    def run(seed: int) -> list[int]:
        labels: list[int] = candidate.labels(candidate.encoded(table, 5), 5, seed).tolist()
        return labels

    once = run(3)
    with ThreadPoolExecutor(2) as pool:
        assert [once, once] == list(pool.map(run, [3, 3])), f"{candidate.name}: the same seed gives other classes"
    if not candidate.able.random:
        assert once == run(4), f"{candidate.name}: is declared not random, but the seed matters"


def _leaves_the_world_alone(candidate: Candidate) -> None:
    encoded = candidate.encoded(people.people(60, candidate.columns), 3)
    before, state = encoded.points.copy(), str(np.random.get_state())
    candidate.labels(encoded, 3)
    assert np.array_equal(before, encoded.points), f"{candidate.name}: changes the coordinates it was given"
    assert state == str(np.random.get_state()), f"{candidate.name}: uses numpy's global random state"


# -- the whole flow ----------------------------------------------------------------------------------------------


def _meets_the_edges(candidate: Candidate) -> None:
    """From no rows to the first table that can be two classes."""
    k = 4
    for rows in range(2 * k + 1):
        table = people.people(rows, candidate.columns)
        if rows < k:
            problem = specimen.refusal(TableError, candidate.release, table, k)
            assert problem is not None, f"{candidate.name}: {rows} rows and k = {k} must be a TableError"
            continue
        classes = candidate.release(table, k).classes
        single = rows >= 2 * k or classes.max() == 0
        assert single, f"{candidate.name}: {rows} rows and k = {k} must be one class"


def _keeps_what_is_equal(candidate: Candidate) -> None:
    """Equal rows, and equal columns of different rows, are published as they are: they cost nothing."""
    names = candidate.columns
    same = people.people(30, names).take(np.zeros(30, dtype=np.int64))
    released, _ = _published(candidate, same)
    assert _cells(released) == _cells(same), f"{candidate.name}: equal rows must be published unchanged"
    mixed = people.people(30, people.wide(names, 2 * len(names)))
    constant = mixed.names[: len(names)]
    table = mixed.replace_columns({name: {name: same.frame.get_column(name)} for name in constant})
    released, rows = _published(candidate, table)
    kept = _cells(released.select(constant)) == _cells(table.select(constant).take(rows))
    assert kept, f"{candidate.name}: constant columns must be published unchanged"


def _published(candidate: Candidate, table: Table) -> tuple[Table, Ints]:
    """All columns of a release with k = 3, of sub-tables side by side; and the rows that were not left out."""
    release = candidate.release(table, 3, render=DEFAULT_RENDER)
    rows = np.flatnonzero(release.classes >= 0) if candidate.able.suppresses else np.arange(len(table))
    return side_by_side(list(release.published), table.names), rows


def _cells(table: Table) -> list[list[str | None]]:
    return [table.texts(name).to_list() for name in table.names]


def _is_no_better_than_the_best(candidate: Candidate) -> None:
    """The loss that the judges read off a release is never below the optimum of an exhaustive search over classes.

    To leave one record out may cost less than any classes of all, so methods that do are not asked.
    """
    if candidate.is_weaker or candidate.able.suppresses:
        return
    for seed, k in ((0, 2), (1, 3)):
        table = people.people(8, candidate.columns, seed)
        encoded = candidate.encoded(table, k)
        best = min(_loss(encoded, labels) for labels in _partitions(8, k))
        release = candidate.release(table, k, render=DEFAULT_RENDER)
        measured = next(one.value for one in release.measurements if one.metric == "ncp")
        assert measured >= best - SLACK, f"{candidate.name}: a release that costs less than any can cost"


def _partitions(n: int, k: int) -> Iterator[Ints]:
    """Every partition of n records into classes of at least k, as labels."""

    def extend(labels: list[int], sizes: list[int]) -> Iterator[list[int]]:
        short = sum(max(k - size, 0) for size in sizes)
        if short > n - len(labels):
            return
        if len(labels) == n:
            yield labels
            return
        for label in range(len(sizes) + 1):
            grown = [size + (place == label) for place, size in enumerate([*sizes, 0][: max(len(sizes), label + 1)])]
            yield from extend([*labels, label], grown)

    yield from (np.array(labels, dtype=np.int64) for labels in extend([], []))


def _loss(encoded: Encoded, labels: Ints) -> float:
    lo, hi, sizes = class_hulls(encoded.points, labels, int(labels.max()) + 1)
    return total_loss(encoded.hulls, lo, hi, sizes)


def _ignores_order_where_it_says_so(candidate: Candidate) -> None:
    """Rows in another order give the same classes, if nothing ties: all numbers are different."""
    if not candidate.able.order_free or "numeric" not in candidate.able.kinds:
        return
    table = people.people(120, ["income", "income 2", "income 3"])
    order = np.random.default_rng(1).permutation(120)
    straight = candidate.labels(candidate.encoded(table, 4), 4)
    turned = candidate.labels(candidate.encoded(table.take(order), 4), 4)
    same = np.array_equal(Partition.of(straight[order]).labels, turned)
    assert same, f"{candidate.name}: is declared order_free, but the order of rows matters"


def _obeys_the_rules_it_declares(candidate: Candidate) -> None:
    """Private values that follow the first column, the commonest as common as the rule lets it be, or nearly so.

    Where a search follows, it obeys, and starts from classes that were made to; the whole flow is examined next.
    """
    if candidate.able.refined:
        return
    encoded = candidate.encoded(people.people(120, candidate.columns, 8), 4)
    rank = np.argsort(np.argsort(encoded.points[:, 0], kind="stable"), kind="stable")
    for kind in candidate.able.rules:
        for codes in rules.private_values(rank):
            if rules.holds(kind, np.zeros(120, dtype=np.int64), codes):
                labels = candidate.labels(encoded, 4, asked=(rules.rule_of(kind, codes),))
                kept = rules.holds(kind, labels, codes)
                assert kept, f"{candidate.name}: declares rules of kind {kind!r}, but breaks one"


def _keeps_every_model(candidate: Candidate) -> None:
    if not candidate.is_weaker:
        rules.keeps_every_model(candidate.name, candidate.columns, candidate.able)
    if KINDS[candidate.able.releases].keeps_models:
        rules.gives_everybody_their_own_k(candidate.name, candidate.columns, candidate.able)


def _can_be_watched_and_stopped(candidate: Candidate) -> None:
    table = people.people(200, candidate.columns)
    steps: list[Step] = []
    candidate.release(table, 5, steps.append)
    reports = [step for step in steps if step.phase == "cluster"]
    done = [step.done for step in reports]
    honest = done == sorted(done) and all(step.done <= step.total for step in reports)
    assert reports, f"{candidate.name}: nothing is reported while classes are made"
    assert honest, f"{candidate.name}: progress must only grow, up to its total"
    if any(step.total for step in reports):

        def stop(step: Step) -> str | None:
            return "cancel" if step.total and step.phase == "cluster" else None

        stopped = specimen.refusal(Interrupted, candidate.release, table, 5, stop)
        assert stopped is not None, f"{candidate.name}: a run that was cancelled must stop"


def _takes_many_names(candidate: Candidate) -> None:
    """A column of many different names without a tree must not cost the square of their number."""
    if "categorical" not in candidate.able.kinds:
        return
    able = candidate.able
    rows = min(MANY_NAMES, able.largest_rows or MANY_NAMES, able.largest_distinct or MANY_NAMES)
    encoded = candidate.encoded(Table.from_columns({"town": [f"town {row}" for row in range(rows)]}), 10)
    started = time.perf_counter()
    try:
        candidate.labels(encoded, 10)
    except MemoryError:
        raise AssertionError(f"{candidate.name}: {rows:,} different names need too much memory") from None
    taken = time.perf_counter() - started
    assert taken < SECONDS, f"{candidate.name}: {rows:,} different names take {taken:.0f} s"


def _refuses_what_it_cannot_take(candidate: Candidate) -> None:
    for kind in set(people.COLUMNS) - set(candidate.able.kinds):
        table = people.people(40, people.columns_of([kind]))
        problem = specimen.refusal(PlanError, candidate.release, table, 3)
        assert problem is not None, f"{candidate.name}: must refuse {kind} columns, which it does not declare"


def _says_if_it_is_weaker(candidate: Candidate) -> None:
    """Less than k-anonymity is published only if it was accepted, and under its own name."""
    if not candidate.is_weaker:
        return
    table = people.people(40, candidate.columns)
    begun: list[Step] = []
    problem = specimen.refusal(CannotHoldError, lambda: candidate.release(table, 3, begun.append, accept_weaker=False))
    assert problem is not None, f"{candidate.name}: must be refused without accept_weaker"
    assert not begun, f"{candidate.name}: must be refused before anything is computed"
    release = candidate.release(table, 3)
    weaker.check_words(candidate.name, release, release.plan)
