# SPDX-License-Identifier: Apache-2.0
"""What users may hand over as keywords of Python, brought into one form."""

from __future__ import annotations

import datetime as calendar
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from shoal.ground.errors import PlanError, listed

if TYPE_CHECKING:
    from shoal.hierarchies.hierarchy import Hierarchy
    from shoal.tables.reading import Reading
    from shoal.tables.table import Table

F = TypeVar("F", bound=Callable[..., Any])


class PlanKeywords(TypedDict, total=False):
    """The keywords of a plan but ``k``, for editors and type checkers; a test keeps them in step with the settings."""

    quasi_identifiers: Iterable[str]
    sensitive: Iterable[str]
    identifiers: Iterable[str]
    insensitive: Iterable[str]
    drop: Iterable[str]
    rest: str | None
    accept: Iterable[str]
    person: str | None
    sample_weight: str | None
    hierarchies: Mapping[str, Any] | None
    kinds: Mapping[str, str] | None
    orders: Mapping[str, Sequence[str]] | None
    date_format: str | Mapping[str, str] | None
    decimal: str | Mapping[str, str] | None
    thousands: str | Mapping[str, str] | None
    weights: Mapping[str, float] | None
    scales: Mapping[str, str] | None
    levels: Mapping[str, str] | None
    render: str | Mapping[str, str] | None
    models: Mapping[str, Mapping[str, Any]]
    missing: str
    population: Any
    suppression: float
    accept_weaker: bool
    method: str
    parameters: Mapping[str, Any]
    seed: int | None
    loss: str
    refine: bool
    effort: str
    steps: int | None
    stop_after: int | None
    stop_bound_after: int | None
    time_budget: float | None
    memory: str | None
    cell_rows: int | None
    keep_order: bool
    formulas: str
    format: str | None
    title: str | None
    purpose: str | None
    responsible: str | None
    contact: str | None
    date: str | calendar.date | None
    require: Iterable[str]
    target: str | None
    matters: Iterable[str]
    group_by: Iterable[Iterable[str]]
    pairs: Iterable[Iterable[str]]
    reading: Reading


class WholePlan(PlanKeywords, total=False):
    """All keywords of a plan."""

    k: int


def shows_keywords(function: F) -> F:
    """Lets a function that takes the keywords of a plan by ``**`` have them in its signature, for notebooks.

    The default that is shown, ``...``, stands for what plans have where nothing is said.
    """
    given = inspect.signature(function)
    *named, others = given.parameters.values()
    kind = WholePlan if "WholePlan" in str(others.annotation) else PlanKeywords
    hints = {name: getattr(hint, "__forward_arg__", hint) for name, hint in kind.__annotations__.items()}
    keywords = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=..., annotation=hint)
        for name, hint in hints.items()
        if name not in given.parameters
    ]
    function.__signature__ = given.replace(parameters=[*named, *keywords])  # type: ignore[attr-defined]
    return function


SHOWN = ("k", "method", "loss", "seed", "effort", "suppression", "missing", "keep_order", "formulas", "format", "rest")
"""Keywords whose values are no secrets and are the plan's own."""


def refuse_both(plan: Any, keywords: Mapping[str, Any], where: str, such: str, example: str) -> None:
    """Refuse keywords of a plan beside a plan."""
    if plan is not None and keywords:
        what, allowed = "A plan and keywords were given together.", f"either plan=... or keywords such as {such}"
        own = [f"{name}={value!r}" for name, value in keywords.items() if name in SHOWN and hasattr(plan, name)]
        todo = f"put the keywords into the plan: dataclasses.replace(plan, {', '.join(own) or example})"
        raise PlanError(what, where, allowed, f"a plan and {listed(keywords)}", todo)


def no_k(where: str, numbers: str, received: str) -> PlanError:
    """The error where nothing tells k."""
    what, allowed = "Nothing says how many look-alikes each record needs.", f"k = {numbers} of at least 1, or plan=..."
    return PlanError(what, where, allowed, received, "add k, e.g. k=10")


def for_all_or_one(**given: Any) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """What is said for all columns, by keyword; and what is said for single ones, by keyword and column.

    >>> for_all_or_one(render="mean", decimal={"pay": ","})
    ({'render': 'mean'}, {'render': {}, 'decimal': {'pay': ','}})
    """
    whole = {name: value.get("") if isinstance(value, Mapping) else value for name, value in given.items()}
    apart = {name: dict(value) if isinstance(value, Mapping) else {} for name, value in given.items()}
    return (
        {name: value for name, value in whole.items() if value is not None},
        {name: {column: one for column, one in value.items() if column} for name, value in apart.items()},
    )


def as_hierarchy(given: Any) -> Hierarchy | Path:
    """What a user may hand over as a hierarchy: a path, a Hierarchy, or level rows."""
    from shoal.hierarchies.hierarchy import Hierarchy

    if isinstance(given, Hierarchy):
        return given
    if isinstance(given, str | Path):
        return Path(given)
    if isinstance(given, Sequence) and all(isinstance(row, Sequence) and not isinstance(row, str) for row in given):
        return Hierarchy.from_rows([[str(label) for label in row] for row in given])
    raise PlanError(
        "A hierarchy was given in a form that cannot be read.",
        where="hierarchies",
        allowed="the path of an ARX level file, a shoal Hierarchy, or rows [leaf, ..., root]",
        received=type(given).__name__,
        todo="write the levels to a file and give its path",
    )


def as_population(given: Any) -> Table | Path | int | None:
    """What a user may hand over as the population: a path, a frame, a table, or a number."""
    if isinstance(given, str):
        return Path(given)
    if given is None or isinstance(given, Path | int):
        return given
    from shoal.tables.frames import as_table

    return as_table(given)


def as_names(given: Any) -> Any:
    """Names of columns as a tuple; one alone is a list of one."""
    if isinstance(given, str):
        return (given,)
    return tuple(given) if isinstance(given, Iterable) else given


def as_lists(given: Any) -> Any:
    """Lists of names as tuples; one list alone is a list of one.

    >>> as_lists(["sex", "region"]), as_lists([["sex"], ["age", "sex"]])
    ((('sex', 'region'),), (('sex',), ('age', 'sex')))
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        return ((given,),) if isinstance(given, str) else given
    every = tuple(tuple(one) if isinstance(one, list | tuple) else one for one in given)
    return (every,) if every and all(isinstance(one, str) for one in every) else every


def as_day(given: Any) -> Any:
    """A day as text; TOML and Python have a type for it."""
    return given.isoformat()[:10] if isinstance(given, calendar.date) else given


def roles_by_column(roles: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """The role of each column that is named; refuses one that is named for two."""
    found: dict[str, str] = {}
    for role, named in roles.items():
        for name in as_names(named):
            if name in found:
                raise PlanError(
                    "A column is named more than once.",
                    where=f"column {name!r}",
                    allowed="one role per column",
                    received=f"{found[name]} and {role}",
                    todo="keep the role that fits",
                )
            found[name] = role
    return found
