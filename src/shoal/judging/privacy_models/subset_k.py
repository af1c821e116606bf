# SPDX-License-Identifier: Apache-2.0
"""Whoever knows any m of the quasi-identifiers of a person finds at least k rows.

A table keeps subset-k if, for every m quasi-identifiers, each combination of their values that occurs in it occurs in
at least k rows. Fewer than m columns then do, too. It is k-anonymity for an attacker who does not know everything: of
twenty quasi-identifiers nobody knows all. Beside a small k for all columns together, subset-k tells how many rows share
what an attacker may know; without a claim it tells the largest k that holds.

    |rows that agree with r on Q'| >= k    for every row r and every set Q' of m quasi-identifiers

A missing cell counts as a value; under the plan's ``missing = "wildcard"`` it matches anything. Two columns of bounds
are one quasi-identifier.

Methods that show each column at one level for all rows (``full_domain``, ``datafly``) keep it with classes as small as
the plan's k allows: labels do not overlap there, so that any m columns fall into cells by themselves, and each of them
must hold k rows. Of all other methods a size is asked: a class of k rows keeps subset-k for any m. Smaller classes
would do, where they share labels with others; but ranges of single classes are their own, and widening labels until
they are shared was measured to lose more than classes of k by the default method (docs/decisions/0022-subset-k.md).

Papers: M. Terrovitis, N. Mamoulis, P. Kalnis, Privacy-preserving anonymization of set-valued data, VLDB 2008
(k^m-anonymity, of which this is the form for tables); A. Hundepool et al., μ-ARGUS user's manual (the threshold rule on
combinations of up to m identifying variables).

Limits: an attacker who knows more than m columns is not looked at; k is for them. Made by methods whose classes have
ranges of their own, a release that keeps it loses as much as with k-anonymity of that k.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from shoal.ground.arrays import Ints
from shoal.ground.errors import CannotHoldError
from shoal.ground.parameters import parameter
from shoal.ground.requirements import Requirement
from shoal.ground.settings import ModelFlag
from shoal.judging.verdicts import Finding
from shoal.plan.plan import Plan
from shoal.tables.digest import rows_meant
from shoal.tables.equivalence_classes import classes, has_missing, wildcard_class_sizes
from shoal.tables.table import Table

IN_CELLS = True
"""Whether classes can be made to hold it in the parts of a table, knowing the digest of the whole."""


@dataclass(frozen=True)
class Parameters:
    """What is claimed."""

    k: int | None = parameter(None, "fewest rows that share what an attacker knows; none: tell what holds", least=1)
    m: int = parameter(2, "how many quasi-identifiers an attacker knows", least=1)


FLAG: ModelFlag = {"flag": "--subset-k K[:M]", "after": "--k-map",
    "forms": {"": [{"k": "whole"}, {"k": "whole", "m": "whole"}]},
    "help": "Fewest rows that share any M quasi-identifiers; 2 of them unless given.",
    "examples": "10, or 10:3 for any three columns"}  # fmt: skip


def requirement(parameters: Parameters, table: Table, plan: Plan) -> Requirement:
    """Every class holds at least k records; refused if the table has fewer."""
    if parameters.k is not None and rows_meant(table) < parameters.k:
        what = f"subset-k with k = {parameters.k} is impossible: the table has fewer rows."
        allowed, received = f"k of at most {rows_meant(table)}", f"k = {parameters.k}"
        raise CannotHoldError(what, "model 'subset_k'", allowed, received, "ask for a smaller k")
    return Requirement(size=parameters.k or 1)


def at_one_level(parameters: Parameters, table: Table, plan: Plan) -> Requirement:
    """What is asked where every column is shown at one level: of the cells of any m columns, and not of the classes."""
    asked = requirement(parameters, table, plan)
    return replace(asked, size=1, subset=(asked.size, parameters.m))


def check(released: Table, plan: Plan, parameters: Parameters) -> Finding:
    """Count the rows that share any m quasi-identifiers with each row."""
    fewest, columns = _fewest(released, plan, parameters.m)
    claimed = parameters.k
    figures: dict[str, Any] = {
        "k_found": int(fewest.min(initial=len(released))),
        "k_claimed": claimed,
        "m": columns,
        "rows": len(released),
        "rows_below_k": int((fewest < (claimed or 1)).sum()),
    }
    holds = None if claimed is None else figures["rows_below_k"] == 0
    return Finding("subset_k", holds, _statement(figures), figures)


def by_sizes(sizes: Callable[[Sequence[str]], tuple[Ints, Ints]], plan: Plan, parameters: Parameters) -> Finding:
    """The same of a table that is counted elsewhere: ``sizes`` tells how many groups of rows alike have each size.

    Rows that break the claim are counted for each set of columns by itself; the most of any set is told.
    """
    shown = [plan.published(name) for name in plan.quasi_identifiers]
    m, fewest, below, rows = min(parameters.m, len(shown)), [], [], 0
    for chosen in combinations(shown, m):
        held, groups = sizes([name for names in chosen for name in names])
        rows = int(held @ groups)
        fewest.append(int(held.min(initial=rows)))
        below.append(int(((held < (parameters.k or 1)) * held) @ groups))
    figures: dict[str, Any] = {
        "k_found": min(fewest, default=rows),
        "k_claimed": parameters.k,
        "m": m,
        "rows": rows,
        "rows_below_k": max(below, default=0),
    }
    holds = None if parameters.k is None else figures["rows_below_k"] == 0
    return Finding("subset_k", holds, _statement(figures), figures)


def _fewest(released: Table, plan: Plan, m: int) -> tuple[Ints, int]:
    """[row] the fewest rows that share m quasi-identifiers with it, and how many columns that are."""
    shown = [plan.published(name) for name in plan.quasi_identifiers]
    held = [names for names in shown if set(names) <= set(released.names)]
    size = min(m, len(held))
    fewest = np.full(len(released), len(released), dtype=np.int64)
    for sizes in _sizes(released, held, size, wildcard=plan.missing == "wildcard"):
        np.minimum(fewest, sizes, out=fewest)
    return fewest, size


def _sizes(released: Table, columns: list[list[str]], m: int, *, wildcard: bool) -> Iterator[Ints]:
    """[row] rows like it, for every m of the columns."""
    if wildcard and has_missing(released, [name for names in columns for name in names]):
        for chosen in combinations(columns, m):
            yield wildcard_class_sizes(released, [name for names in chosen for name in names])
        return
    codes = [classes(released, names) for names in columns]
    yield from _refined(codes, m, np.zeros(len(released), dtype=np.int64))


def _refined(codes: list[Ints], m: int, alike: Ints) -> Iterator[Ints]:
    """The same by classes: each further column splits those that the columns before it have made."""
    if not m:
        yield np.bincount(alike)[alike] if len(alike) else alike
        return
    for place in range(len(codes) - m + 1):
        kinds = int(codes[place].max(initial=0)) + 1
        split = np.unique(alike * kinds + codes[place], return_inverse=True)[1].ravel().astype(np.int64)
        yield from _refined(codes[place + 1 :], m - 1, split)


def _statement(figures: dict[str, Any]) -> str:
    found, claimed, below, m = (figures[name] for name in ("k_found", "k_claimed", "rows_below_k", "m"))
    if not figures["rows"]:
        return "the table has no rows, so none can be singled out"
    known = "any one of the quasi-identifiers" if m == 1 else f"any {m} of the quasi-identifiers"
    if claimed is not None and below:
        return (
            f"k = {found} for {known}, but {claimed} was claimed: {below} of {figures['rows']} rows share them with "
            f"fewer"
        )
    return f"k = {found}: whoever knows {known} of a person finds {found} rows or more"
