# SPDX-License-Identifier: Apache-2.0
"""Judging and measuring a table that somebody else counts, because its rows do not fit memory or lie on many machines.

The judge says what is to be counted, and what the counts mean; an engine that counts is a small object, see
:class:`Counting`. Every model about k and about the private values of classes can be judged so, by the same code as for
a table in memory. Leaks are not looked for; that needs the rows. What cannot be judged is never said to hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import numpy as np

from shoal.ground import catalog
from shoal.ground.arrays import Ints
from shoal.ground.errors import PlanError, TableError, listed, looks_like_a_cell, nearest
from shoal.ground.parameters import build
from shoal.judging.checking import given_original, measurement_of, removed_columns_gone, usual_metrics
from shoal.judging.evidence import Evidence, Measurement
from shoal.judging.gates import metrics_of_gates
from shoal.judging.labels.noting import as_read
from shoal.judging.privacy_models import k_anonymity
from shoal.judging.tallying import ClassTally, Question, counted
from shoal.judging.verdicts import Finding, Verdict
from shoal.plan.plan import Plan, load_hierarchies
from shoal.plan.roles import SENSITIVE
from shoal.tables.digest import DifferentCells, digest
from shoal.tables.headers import in_first_line
from shoal.tables.table import Table

MOST_VALUES = 1_000_000
"""Different private values of a column that are looked at."""


class Sizes(NamedTuple):
    """Sizes of classes, and how many classes have each."""

    sizes: Ints
    classes: Ints

    @property
    def rows(self) -> int:
        """All rows."""
        return int(self.sizes @ self.classes)


class Counting(Protocol):
    """A table that is counted elsewhere."""

    @property
    def place(self) -> str:
        """Where its rows are, in words: ``the database``."""

    @property
    def names(self) -> Sequence[str]:
        """Its columns."""

    @property
    def untyped(self) -> bool:
        """Whether its cells are text because of where they stand, whatever they mean, as in a CSV file."""

    def sizes(self, alike: Sequence[str]) -> Sizes:
        """Count the rows that are alike in some columns; a missing cell is like another."""

    def different(self, name: str, most: int) -> DifferentCells | None:
        """The different cells of a column with their rows; None if there are more than ``most``."""

    def tallies(
        self, alike: Sequence[str], private: Mapping[str, DifferentCells], questions: Sequence[Question]
    ) -> Sequence[Sequence[ClassTally]]:
        """What :func:`tallied` says of parts of the table that hold whole classes."""


def judged(table: Counting, plan: Plan, k: int | None) -> Verdict:
    """What holds, model by model, and which columns should be gone."""
    plan, alike = load_hierarchies(plan), plan.published_quasi_identifiers
    require([*alike, *_private(plan)], table.names, table.untyped)
    findings = {"k_anonymity": size_finding(table.sizes(alike), k, plan, table.place)}
    private = {name: table.different(name, MOST_VALUES) for name in _private(plan)}
    asked, refused = _questions(private, plan, table)
    if asked:
        known = {name: cells for name, cells in private.items() if cells is not None}
        parts = table.tallies(alike, known, list(asked.values()))
        for place, (name, question) in enumerate(asked.items()):
            best = question.measure.best
            empty = ClassTally(dict.fromkeys(question.columns, best))
            whole = reduce(lambda one, other: one.joined(other, best), (part[place] for part in parts), empty)
            findings[name] = question.told(whole)
    findings |= {name: Finding(name, None, why, judged=False) for name, why in refused.items()}
    findings |= {name: _by_sizes(name, table, plan) for name in plan.models if name not in findings}
    ordered = [findings[name] for name in ("k_anonymity", *plan.models, *beyond(plan))]
    warning = f"leaks were not looked for: the rows stayed in {table.place}"
    return Verdict((*ordered, *removed_columns_gone(list(table.names), plan)), (warning,))


def measured(original: Counting | None, released: Counting, plan: Plan) -> tuple[Measurement, ...]:
    """What was lost and what risk remains, by usual metrics, and those of gates, that need no rows; others say so."""
    plan, alike = load_hierarchies(plan), plan.published_quasi_identifiers
    require(alike, released.names, released.untyped)
    found = released.sizes(alike)
    before = None if original is None else _digest(original, plan.quasi_identifiers)
    after = as_read(_digest(released, alike), plan)
    if before is not None:
        before, plan = given_original(before, plan)
    suppressed = 0 if original is None else original.sizes(()).rows - found.rows
    sizes = found.sizes, found.sizes * found.classes
    evidence = Evidence(before, after, plan, suppressed=suppressed, sizes=sizes)
    asked = usual_metrics() | {name: catalog.load("metrics", name) for name in metrics_of_gates(plan)}
    return tuple(_measurement(name, module, evidence, released.place) for name, module in asked.items())


def _measurement(name: str, metric: ModuleType, evidence: Evidence, place: str) -> Measurement:
    if getattr(metric, "BY_COUNTS", False):
        return measurement_of(name, metric, evidence)
    return Measurement.undefined(name, f"needs the rows, which stay in {place}: measure a part of it, or the file")


def _digest(table: Counting, names: Sequence[str]) -> Table:
    """The different cells of some columns."""
    require(names, table.names, table.untyped)
    cells = {name: table.different(name, MOST_VALUES) for name in names}
    known = {name: one for name, one in cells.items() if one is not None}
    if len(known) < len(cells):
        raise TableError(
            "Columns have too many different cells to be measured by counts.",
            where=f"columns {listed(name for name in cells if name not in known)}",
            allowed=f"at most {MOST_VALUES:,} different cells",
            received="more",
            todo="measure a part of the table, or the file",
        )
    return digest(known, _like(table))


def _like(table: Counting) -> Table:
    """Nothing but what is told of a table."""
    return replace(Table.from_columns({}), untyped=table.untyped)


def tallied(
    questions: Sequence[Question],
    private: Mapping[str, DifferentCells],
    owner: Ints,
    cells: Table,
    rows: Ints,
) -> list[ClassTally]:
    """How some whole classes stand with each question.

    ``cells`` shows private values that some class, numbered by ``owner`` from 0 without gaps, has in so many ``rows``.
    """
    sizes = np.bincount(owner, weights=rows).astype(np.int64)
    places = {name: one.codes(cells.frame.get_column(name)) for name, one in private.items()}
    answers = []
    for question in questions:
        found = {}
        for name, asked in question.columns.items():
            code_of = asked.codes[: len(private[name].cells)]
            totals = np.bincount(code_of, weights=private[name].rows).astype(np.int64)
            counts = counted(owner, code_of[places[name]], rows)
            found[name] = asked.figure(replace(counts, totals=totals))
        answers.append(question.measure.tally(found, sizes))
    return answers


def size_finding(found: Sizes, claimed: int | None, plan: Plan, place: str) -> Finding:
    """What holds of k."""
    below = int(((found.sizes < (claimed or 1)) * found.sizes) @ found.classes)
    smallest, classes = int(found.sizes.min(initial=found.rows)), int(found.classes.sum())
    told = {"k_found": smallest, "classes": classes, "rows": found.rows, "rows_below_k": below}
    return told_finding(told, claimed, plan, place)


def told_finding(figures: Mapping[str, int], claimed: int | None, plan: Plan, place: str) -> Finding:
    """What holds of k, by figures about all classes; a missing cell is a value, the stricter of the readings."""
    told = {**figures, "k_claimed": claimed}
    holds = None if claimed is None else told["rows_below_k"] == 0
    said = k_anonymity.statement(told, plan.missing)
    if holds is False and plan.missing == "wildcard":
        said = f"{said} if missing is a value; whether they do if it matches anything cannot be counted in {place}"
        return Finding("k_anonymity", None, said, told, judged=False)
    return Finding("k_anonymity", holds, said, told)


def beyond(plan: Plan) -> list[str]:
    """Promises that are no models and cannot be counted."""
    asked = {"person_k": plan.person is not None, "common_levels": plan.in_common_levels, "quality": plan.require}
    return [name for name, is_asked in asked.items() if is_asked]


def uncounted(place: str) -> str:
    """Why a promise is not judged that needs the rows."""
    return f"cannot be counted in {place}: check a part of it, or the file"


def require(names: Sequence[str], known: Sequence[str], untyped: bool = False) -> None:
    """Refuse a table that does not show what is to be judged; of text that may have no header no name is shown."""
    lacking = [name for name in names if name not in known]
    if lacking or not names:
        hidden = (untyped and len(lacking) == len(names)) or any(map(looks_like_a_cell, known))
        near = [] if hidden else [nearest(name, known) for name in lacking]
        raise PlanError(
            "The table has no such column." if lacking else "There is no quasi-identifier.",
            where="quasi-identifiers and sensitive columns",
            allowed=in_first_line(len(known)) if hidden else listed(known, 30),
            received=listed([repr(name) for name in lacking]) if lacking else "none",
            todo=" ".join(dict.fromkeys(filter(None, near))) or "check the spelling; names are case-sensitive",
        )


def _private(plan: Plan) -> list[str]:
    """The columns that models about private values may look at."""
    about = any(hasattr(catalog.load("privacy_models", name), "question") for name in plan.models)
    return plan.having(SENSITIVE) if about else []


def _by_sizes(name: str, table: Counting, plan: Plan) -> Finding:
    """What a model says that asks for sizes of groups of rows alone; a missing cell is a value, which is stricter."""
    model = catalog.load("privacy_models", name)
    parameters = build(model.Parameters, plan.models[name], where=f"model {name!r}")
    found: Finding = model.by_sizes(table.sizes, plan, parameters)
    if found.holds is False and plan.missing == "wildcard":
        return Finding(name, None, uncounted(table.place), judged=False)
    return found


def _about(parameters: Any) -> tuple[str, ...]:
    """The private columns that a model names; none: all."""
    column = getattr(parameters, "column", None)
    return (column,) if column is not None else tuple(getattr(parameters, "columns", ()))


def _questions(
    private: Mapping[str, DifferentCells | None], plan: Plan, table: Counting
) -> tuple[dict[str, Question], dict[str, str]]:
    """What the models of a plan ask, and why others cannot be judged."""
    many = [name for name, cells in private.items() if cells is None]
    known = {name: cells for name, cells in private.items() if cells is not None}
    values = as_read(digest(known, _like(table)), plan) if known else Table.from_columns({})
    asked, refused = {}, dict.fromkeys(beyond(plan), uncounted(table.place))
    for name, given in plan.models.items():
        model = catalog.load("privacy_models", name)
        parameters: Any = build(model.Parameters, given, where=f"model {name!r}")
        if hasattr(model, "by_sizes"):
            continue
        columns = _about(parameters)
        if not hasattr(model, "question") or not {*columns} <= private.keys():
            refused[name] = uncounted(table.place)
        elif lacking := [one for one in many if one in (columns or many)]:
            refused[name] = f"cannot be judged: {listed(lacking)} has more than {MOST_VALUES:,} different values"
        else:
            asked[name] = model.question(values, plan, parameters)
    return asked, refused
