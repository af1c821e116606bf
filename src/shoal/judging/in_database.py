# SPDX-License-Identifier: Apache-2.0
"""Judging where the table is: classes are counted by the database, and only their figures leave it.

For tables that do not fit memory, and for pipelines that test their tables in SQL. Cells are told apart by what is
stored, whatever collation a column has: ``a`` and ``A``, ``1`` and ``1.0`` of a column without a type are different. A
missing cell equals a missing cell. Leaks are not looked for; that needs the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from shoal.ground.errors import PlanError, listed
from shoal.ground.limits import free_memory
from shoal.ground.parameters import build
from shoal.judging.by_counts import beyond, require, told_finding, uncounted
from shoal.judging.checking import removed_columns_gone
from shoal.judging.privacy_models import l_diversity
from shoal.judging.private_values import grouped
from shoal.judging.verdicts import Finding, Verdict
from shoal.plan.checks import REFUSE
from shoal.plan.keywords import PlanKeywords
from shoal.plan.plan import Plan
from shoal.plan.values import refuse_holes
from shoal.tables.databases import Place, is_url, masked, place_of
from shoal.tables.reading import Reading
from shoal.tables.sql import RELEASED, Database, named_source, quoted, source_of

BYTES_PER_CELL = 100
"""Memory that judging a cell takes about, text and all that is found out of it."""
MOST_VALUES = 100_000
"""Different private values that are looked at, to see whether some mean the same."""
NOT_LOOKED = "leaks were not looked for: the rows stayed in the database"
PLACE = "the database"
UNCOUNTED = uncounted(PLACE)
FIGURES = {"k_found": "k", "classes": "classes", "rows": "records", "rows_below_k": "rows_below_k"}
DISTINCT = "distinct"


@dataclass(frozen=True)
class Claim:
    """What is to be counted."""

    quasi_identifiers: Sequence[str]
    k: int | None = None
    private: Sequence[str] = ()
    """Columns of which every class needs several values."""
    l: int | None = None  # noqa: E741  (its name in all papers)

    @classmethod
    def of(cls, plan: Plan, k: int | None) -> Claim:
        """The part of a plan that a database can count: k, and distinct l-diversity."""
        asked = _diversity(plan)
        if asked is None:
            return cls(plan.published_quasi_identifiers, k)
        return cls(plan.published_quasi_identifiers, k, l_diversity.judged_columns(plan, asked), _whole(asked.l))


def check_in_database(
    place: str | Path,
    *,
    plan: Plan | None = None,
    k: int | None = None,
    table: str | None = None,
    query: str | None = None,
    **roles: Unpack[PlanKeywords],
) -> Verdict:
    """Judge a table where it is: the database counts its classes, and no row leaves it.

    ``place`` is the address or file of a database of SQLite, DuckDB or PostgreSQL; ``table`` or ``query`` say what of
    it. Give a plan, or its keywords, as :func:`shoal.check`. Models that a database cannot count are not judged, and
    leaks are not looked for, which is a warning.
    """
    return judged(place, *_claimed(plan, k, Reading(table=table, query=query), roles))


def check_as_sql(
    place: str | Path,
    *,
    plan: Plan | None = None,
    k: int | None = None,
    table: str | None = None,
    query: str | None = None,
    **roles: Unpack[PlanKeywords],
) -> str:
    """The query by which a pipeline can test a table itself; it gives no row if the claim holds.

    Takes what :func:`check_in_database` takes. Nothing is opened: the place tells which database the query is for.
    """
    return failing_query(place, *_claimed(plan, k, Reading(table=table, query=query), roles))


def _claimed(plan: Plan | None, k: int | None, reading: Reading, roles: PlanKeywords) -> tuple[Plan, int | None]:
    if plan is None:
        return Plan.of(1 if k is None else k, reading=reading, **roles), k
    return plan, plan.k if k is None else k


def is_database(place: str | Path) -> bool:
    """Whether a place is one that can count by itself."""
    try:
        return hasattr(place_of(place).module, "EXACT")
    except PlanError:
        return False


def too_large(place: str | Path, reading: Reading) -> bool:
    """Whether a table of a database would not fit into the memory that is free."""
    free = free_memory()
    door = _opened(place)
    with door.connect() as database:
        source = source_of(database, reading, f"database {door.shown!r}")
        rows = int(database.select(f"select count(*) as n from {source}").item())
        columns = database.select(f"select * from {source} limit 0").width
    return free is not None and rows * columns * BYTES_PER_CELL > free


def judged(place: str | Path, plan: Plan, k: int | None) -> Verdict:
    """What the models say that a database can count, of others that it cannot, and which columns should be gone."""
    door = _opened(place)
    with door.connect() as database:
        source = source_of(database, plan.reading, f"database {door.shown!r}")
        empty = database.select(f"select * from {source} limit 0")
        claim = Claim.of(plan, k)
        require([*claim.quasi_identifiers, *claim.private], empty.columns)
        if plan.missing == REFUSE:
            refuse_holes(database.select(_holes(source, claim.quasi_identifiers)).row(0, named=True))
        figures = database.select(_figures(source, door.module.EXACT, claim)).row(0, named=True)
        told = {name: int(figures[of]) for name, of in FIGURES.items()}
        findings = [told_finding(told, claim.k, plan, PLACE)]
        findings += [_of_model(name, claim, figures, database, source) for name in plan.models]
        findings += [Finding(name, None, UNCOUNTED, judged=False) for name in beyond(plan)]
    return Verdict((*findings, *removed_columns_gone(list(empty.columns), plan)), (NOT_LOOKED,))


def failing_query(place: str | Path, plan: Plan, k: int | None) -> str:
    """The query that a pipeline can run as its test: it gives no row if the claim holds, else one with figures.

    Nothing is opened: the place tells which database it is for.
    """
    module = _opened(place).module
    lacking = [name for name in plan.models if name != "l_diversity" or _diversity(plan) is None]
    lacking += beyond(plan) + ["missing = 'refuse'"] * (plan.missing == REFUSE)
    if lacking or k is None:
        raise PlanError(
            "The claim cannot be written as a query.",
            where="--as-sql",
            allowed="k, and l-diversity of kind 'distinct'",
            received=listed(lacking) if lacking else "no k",
            todo="leave out the other models, or check the table itself" if lacking else "say what is claimed: -k 10",
        )
    claim = Claim.of(plan, k)
    figures = _figures(named_source(plan.reading), module.EXACT, claim)
    broken = "rows_below_k > 0" + (" or rows_below_l > 0" if claim.private else "")
    return f"select * from (\n{_indented(figures)}\n) as figures\nwhere {broken}"


# -- queries -------------------------------------------------------------------------------------------------


def _figures(source: str, exact: str, claim: Claim) -> str:
    """One row of figures about all classes."""
    alike = ", ".join(exact.format(_column(name)) for name in claim.quasi_identifiers)
    counted = ["count(*) as n", *(f"{_values(name, exact)} as l_{place}" for place, name in _private(claim).items())]
    told = [
        "coalesce(min(n), 0) as k",
        "count(*) as classes",
        "coalesce(sum(n), 0) as records",
        f"coalesce(sum(case when n < {claim.k or 1} then n else 0 end), 0) as rows_below_k",
    ]
    if claim.private:
        few = " or ".join(f"l_{place} < {claim.l or 1}" for place in _private(claim))
        told += [
            *(f"coalesce(min(l_{place}), 0) as l_{place}" for place in _private(claim)),
            f"coalesce(sum(case when {few} then 1 else 0 end), 0) as classes_below_l",
            f"coalesce(sum(case when {few} then n else 0 end), 0) as rows_below_l",
        ]
    classes = f"select {_lines(counted)}\nfrom {source}\ngroup by {alike}"
    return f"select {_lines(told)}\nfrom (\n{_indented(classes)}\n) as classes"


def _holes(source: str, columns: Sequence[str]) -> str:
    """How many cells of each column are missing."""
    counted = [f"count(*) - count({_column(name)}) as {quoted((name,))}" for name in columns]
    return f"select {_lines(counted)}\nfrom {source}"


def _values(name: str, exact: str) -> str:
    """How many values of a column a class has; missing is one."""
    column = _column(name)
    return f"count(distinct {exact.format(column)}) + max(case when {column} is null then 1 else 0 end)"


def _column(name: str) -> str:
    """A column with its table: alone, a misspelt name is a text to SQLite, and the same in every row."""
    return quoted((RELEASED, name))


def _private(claim: Claim) -> dict[int, str]:
    return dict(enumerate(claim.private, start=1))


def _lines(parts: Sequence[str]) -> str:
    return ",\n       ".join(parts)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())


# -- findings ------------------------------------------------------------------------------------------------


def _of_model(name: str, claim: Claim, figures: Mapping[str, Any], database: Database, source: str) -> Finding:
    if name != "l_diversity" or not claim.private:
        return Finding(name, None, UNCOUNTED, judged=False)
    spelled = [column for column in claim.private if not _plainly_written(column, database, source)]
    if spelled:
        said = f"cannot be counted in the database: {listed(spelled)} may say the same in several ways"
        return Finding(name, None, said, judged=False)
    return _of_values(figures, claim)


def _of_values(figures: Mapping[str, Any], claim: Claim) -> Finding:
    found = {name: int(figures[f"l_{place}"]) for place, name in _private(claim).items()}
    told = {
        "kind": DISTINCT,
        "l_found": min(found.values()),
        "l_claimed": claim.l,
        "columns": found,
        "classes": int(figures["classes"]),
        "classes_below_l": int(figures["classes_below_l"]),
        "rows": int(figures["records"]),
        "rows_below_l": int(figures["rows_below_l"]),
    }
    holds = None if claim.l is None else told["rows_below_l"] == 0
    return Finding("l_diversity", holds, l_diversity.statement(told), told)


def _plainly_written(column: str, database: Database, source: str) -> bool:
    """Whether no two private values mean the same, and none means missing, so that a database counts them rightly."""
    name = quoted((column,))
    asked = f"select distinct {name} as v from {source} where {name} is not null limit {MOST_VALUES + 1}"
    values = database.select(asked).to_series()
    if len(values) > MOST_VALUES:
        return False
    texts = sorted({str(value) for value in values.to_list()})
    return len(texts) == len(values) and bool((grouped(texts) == np.arange(len(texts))).all())


# -- what is there -------------------------------------------------------------------------------------------


def _diversity(plan: Plan) -> l_diversity.Parameters | None:
    """The distinct l-diversity that a plan asks for."""
    if "l_diversity" not in plan.models:
        return None
    asked = build(l_diversity.Parameters, plan.models["l_diversity"], where="model 'l_diversity'")
    return asked if asked.kind == DISTINCT else None


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


def _opened(place: str | Path) -> Place:
    if not is_database(place):
        raise PlanError(
            "That place cannot count rows by itself.",
            where="--in-database / --as-sql",
            allowed="a database of SQLite, DuckDB or PostgreSQL",
            received=f"an address of {masked(str(place))!r}" if is_url(place) else repr(str(place)),
            todo="check the table without the flag",
        )
    return place_of(place)
