# SPDX-License-Identifier: Apache-2.0
"""Every record looks like at least k - 1 others on the quasi-identifiers.

A table is k-anonymous if each combination of quasi-identifier values that occurs in it occurs in at least k rows:
whoever knows a person's quasi-identifiers cannot tell which of k rows is theirs.

    |C| >= k    for every class C of rows with the same quasi-identifiers

A missing cell counts as a value: it equals a missing cell and nothing else. A table in which a row is unique only
because a cell is missing has k = 1. Under the plan's ``missing = "wildcard"`` a missing cell matches anything, and the
verdict follows that reading. Where cells are missing, the figures tell k under every reading: missing as a value, as a
wildcard, as unlike any other cell (k = 1), and with those rows left out, which is what tools report that drop them and
no guarantee at all. ``*`` is a label like any other.

Paper: L. Sweeney, k-anonymity: a model for protecting privacy, Int. J. Uncertainty, Fuzziness and Knowledge-Based
Systems 10(5), 2002; P. Samarati, Protecting respondents' identities in microdata release, IEEE TKDE 13(6), 2001.

Limits: says nothing about the sensitive values inside a class. If all k rows share one diagnosis, it is disclosed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shoal.ground.arrays import Ints
from shoal.ground.parameters import parameter
from shoal.ground.requirements import Requirement
from shoal.judging.look_alikes import number_of_classes
from shoal.judging.verdicts import Finding
from shoal.plan.plan import Plan
from shoal.tables.equivalence_classes import class_sizes, complete_class_sizes, has_missing, wildcard_class_sizes
from shoal.tables.table import Table


@dataclass(frozen=True)
class Parameters:
    """What is claimed."""

    k: int | None = parameter(None, "fewest rows that look alike; none: tell what holds", least=1)


def requirement(parameters: Parameters, table: Table, plan: Plan) -> Requirement:
    """Every class holds at least k records."""
    return Requirement(size=parameters.k or 1)


def check(released: Table, plan: Plan, parameters: Parameters) -> Finding:
    """Count the look-alikes of every row of a released table."""
    columns = plan.published_quasi_identifiers
    as_value = class_sizes(released, columns)
    sizes, both = as_value, {}
    if has_missing(released, columns):
        as_wildcard = wildcard_class_sizes(released, columns)
        both = _readings(released, columns, as_value, as_wildcard)
        sizes = as_wildcard if plan.missing == "wildcard" else as_value
    found, claimed = _smallest(sizes), parameters.k
    figures: dict[str, Any] = {
        "k_found": found,
        "k_claimed": claimed,
        "classes": int(number_of_classes(as_value)),
        "rows": len(released),
        "rows_below_k": int((sizes < (claimed or 1)).sum()),
        **both,
    }
    holds = None if claimed is None else figures["rows_below_k"] == 0
    return Finding("k_anonymity", holds, statement(figures, plan.missing), figures)


def _readings(released: Table, columns: list[str], as_value: Ints, as_wildcard: Ints) -> dict[str, int | None]:
    """The k under every reading of missing cells that a tool may have."""
    complete = complete_class_sizes(released, columns)
    kept = complete[complete > 0]
    return {
        "k_missing_as_value": _smallest(as_value),
        "k_missing_as_wildcard": _smallest(as_wildcard),
        "k_missing_unlike_any": 1,
        "k_missing_left_out": int(kept.min()) if len(kept) else None,
    }


def _smallest(sizes: Ints) -> int:
    return int(sizes.min(initial=len(sizes)))


def statement(figures: Mapping[str, Any], missing: str) -> str:
    """The finding in words."""
    found, claimed, below = figures["k_found"], figures["k_claimed"], figures["rows_below_k"]
    if not figures["rows"]:
        return "the table has no rows, so none can be singled out"
    alike = "some row has no look-alike" if found == 1 else f"every row looks like {found - 1} or more others"
    said = f"k = {found}: {alike} on the quasi-identifiers"
    if claimed is not None and below:
        said = f"k = {found}, but {claimed} was claimed: {below} of {figures['rows']} rows have fewer look-alikes"
    if "k_missing_as_wildcard" not in figures:
        return said
    as_value, as_wildcard = figures["k_missing_as_value"], figures["k_missing_as_wildcard"]
    read = f"missing is a value; if it could match anything: k = {as_wildcard}"
    if missing == "wildcard":
        read = f"missing matches anything; taken as a value of its own: k = {as_value}"
    left_out = figures["k_missing_left_out"]
    if left_out is not None and left_out > found:
        read += f"; tools that drop rows with missing cells say k = {left_out}"
    return f"{said} ({read})"
