# SPDX-License-Identifier: Apache-2.0
"""An assertion for tests and pipelines: a table that is about to be published is anonymous.

Asks the checker alone, which uses no code of the engine; the table may come from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shoal.judging.checking import check
from shoal.judging.verdicts import Verdict


def assert_anonymous(
    table: Any,
    *,
    k: int | None = None,
    quasi_identifiers: Iterable[str] = (),
    strict: bool = False,
    allow: Iterable[str] = (),
    **others: Any,
) -> Verdict:
    """Fail with a readable message unless a released table keeps what it claims.

    ``table`` is a frame or the path of a file. Besides ``k`` and ``quasi_identifiers`` it takes what
    :func:`shoal.check` takes: ``plan``, ``sensitive``, ``identifiers``, ``missing``, ``models``, ``original``, ... With
    ``strict`` a leak that breaks no model fails, too, unless its kind is one of ``allow``. Returns the verdict.

    >>> assert_anonymous({"age": ["[20, 29]"] * 3}, k=3, quasi_identifiers=["age"]).holds
    True
    """
    data = _framed(table)
    verdict = check(data, k=k, quasi_identifiers=quasi_identifiers, allow=allow, **others)
    if verdict.holds and not (strict and verdict.warnings):
        return verdict
    raise AssertionError(_message(verdict, strict))


def _framed(table: Any) -> Any:
    """Lists of cells by column name are a table, too."""
    if not isinstance(table, dict):
        return table
    from shoal.tables.table import Table

    return Table.from_columns(table)


def _message(verdict: Verdict, strict: bool) -> str:
    """What is wrong, each with what to do about it; never a cell of the table."""
    lines = [f"{one.model}: {one.statement}" for one in verdict.findings if one.holds is False]
    counted = [leak for leak in verdict.leaks if leak.severity == "breaks" or (strict and leak.severity == "warning")]
    lines += [f"{leak.kind}: {leak.statement}" for leak in counted if leak.severity == "warning"]
    lines += [f"  -> {leak.kind}: {leak.todo}" for leak in counted]
    return "\n".join(["the table is not safe to publish", *(f"  {line}" for line in lines)])
