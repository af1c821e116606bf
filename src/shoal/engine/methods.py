# SPDX-License-Identifier: Apache-2.0
"""What a method is, and what it returns.

A method is one file with

* a docstring: first line the summary, then idea, paper, cost in n and k, when not to use it;
* ``Parameters``: a frozen dataclass (see :mod:`shoal.ground.parameters`), with ``init`` / ``order`` hooks where random,
  or ``NoParameters``;
* ``CAPABILITIES``: a :class:`Capabilities`;
* ``cluster(encoded, requirement, parameters, random, progress) -> Partition``.

All that these need can be imported from here.

``cluster`` is given a table without units: numbers are counted in steps, weights in multiples of the smallest one.
``cluster`` is never called with fewer than 2k records: no rows, too few rows and a single class are decided once for
all methods. Whatever a method returns is verified before anything is published.

A method that does not publish one table of classes declares ``releases="subtables"`` and returns a
:class:`Subtables`, or ``releases="boxes"`` and returns a :class:`Boxes`; it is called with any n of at least k,
and only if the plan accepts the weaker promise.

>>> import numpy as np
>>> Partition.of(np.array([7, 7, 3, 3, 7])).labels.tolist()
[0, 0, 1, 1, 0]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.trees.box_tree import distinct
from shoal.ground import catalog
from shoal.ground.arrays import first_places
from shoal.ground.errors import PlanError, RefusedReleaseError, TableError, listed
from shoal.ground.parameters import NoParameters, choice, parameter
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.plan.plan import Plan
from shoal.plan.roles import RANGE_KINDS
from shoal.tables.table import Table

__all__ = ["SWAYS", "Boxes", "Capabilities", "Partition", "Subtables", "check_distinct", "check_fits", "cluster"]
__all__ += ["Encoded", "NoParameters", "Progress", "Requirement", "choice", "parameter"]


@dataclass(frozen=True)
class Partition:
    """Class of each record, numbered by smallest member; -1 is a suppressed record."""

    labels: NDArray[np.int64]
    weights: tuple[float, ...] = ()
    """What each attribute counts, where the method has learnt that; they add up to 1."""
    bands: Mapping[int, NDArray[np.int64]] = field(default_factory=dict)
    """[record] its band, for attributes by their place that all classes show at a level of the method's choice."""

    @classmethod
    def of(
        cls,
        labels: NDArray[np.int64],
        weights: tuple[float, ...] = (),
        bands: Mapping[int, NDArray[np.int64]] | None = None,
    ) -> Partition:
        """Renumber any labels by smallest member."""
        labels = np.asarray(labels, dtype=np.int64)
        kept = labels >= 0
        number = np.unique(labels[kept], return_inverse=True)[1]
        first = first_places(number)
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        renumbered = np.full(len(labels), -1, dtype=np.int64)
        renumbered[kept] = rank[number]
        return cls(renumbered, weights, bands or {})

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of records of each class."""
        return np.bincount(self.labels[self.labels >= 0]).astype(np.int64)

    def fault(self, encoded: Encoded, able: Capabilities, least: int) -> str:
        """What is wrong with it, in words; empty if it is whole."""
        labels, lowest = self.labels, -1 if able.suppresses else 0
        whole = labels.shape == (len(encoded),) and labels.dtype == np.int64 and labels.max(initial=-1) >= 0
        if not whole or labels.min() < lowest:
            return f"every record must be in exactly one class ({len(encoded)} records)"
        smallest = self.sizes.min()
        return f"a class of {smallest} records where k = {least}" if smallest < least else ""


@dataclass(frozen=True)
class Subtables:
    """Several tables of the same records, each with some of the quasi-identifiers in classes of its own."""

    groups: tuple[tuple[int, ...], ...]
    """The attributes of each sub-table, by their place in the encoded table; each attribute stands in one."""
    partitions: tuple[Partition, ...]
    """The classes of each sub-table."""
    apart: bool = False
    """One table for each group of attributes and each sensitive column, instead of all of them in each."""

    def fault(self, encoded: Encoded, able: Capabilities, least: int) -> str:
        """What is wrong with it, in words; empty if it is whole."""
        named = sorted(place for group in self.groups for place in group)
        if named != list(range(len(encoded.columns))) or len(self.groups) != len(self.partitions):
            return "every attribute must stand in exactly one sub-table"
        faults = [part.fault(encoded, able, least) for part in self.partitions]
        return next((f"in a sub-table, {fault}" for fault in faults if fault), "")


@dataclass(frozen=True)
class Boxes:
    """Records in rings; each record's box is the hull of itself and the next ``size`` - 1 records of its ring.

    Which of the records of a box lends it the private columns is not said here: it is drawn when the boxes are
    published (see :mod:`shoal.engine.generalizing.boxes`).
    """

    order: NDArray[np.int64]
    """All records, ring after ring, each ring in its cyclic order."""
    starts: NDArray[np.int64]
    """Where each ring begins in ``order``, and at the end the number of records."""
    size: int
    """Records per box."""

    def fault(self, encoded: Encoded, able: Capabilities, least: int) -> str:
        """What is wrong with it, in words; empty if it is whole."""
        n, starts = len(encoded), self.starts
        if self.size < least:
            return f"boxes of {self.size} records where k = {least}"
        if not np.array_equal(np.sort(self.order), np.arange(n)) or starts[0] != 0 or starts[-1] != n:
            return f"every record must be in exactly one ring ({n} records)"
        shortest = int(np.diff(starts).min())
        return f"a ring of {shortest} records, too short for boxes of {self.size}" if shortest < self.size else ""


SWAYS = {
    "column order": "another order of the columns",
    "halved column": "a column that stands twice, each time with half its weight,",
}
"""Changes of a table that say nothing new about the records, but may change the classes of a method that tells why."""


@dataclass(frozen=True)
class Capabilities:
    """What a method can do; read by catalogue, command line, exam and forms."""

    kinds: tuple[str, ...] = ("numeric", "categorical")
    """Kinds of quasi-identifiers it takes: ranges on a line, leaves of a tree."""
    random: bool = False
    """Whether the seed matters."""
    order_free: bool = False
    """Whether permuting rows changes the result only through ties."""
    swayed_by: Mapping[str, str] = field(default_factory=dict)
    """Which of ``SWAYS`` change its result, each with the reason; the exam finds out what else does."""
    class_sizes: str = "k..2k-1"
    """``k..2k-1`` or ``k..`` (no upper bound)."""
    suppresses: bool = False
    """Whether it may leave records out of the release (label -1)."""
    rules: tuple[str, ...] = ()
    """Kinds of rules about private values that it obeys, see :data:`shoal.ground.requirements.RULES`."""
    losses: tuple[str, ...] = ("height", "ncp", "eloss", "lm")
    """Losses it optimises when asked; empty if it has its own objective."""
    paper_loss: str | None = None
    """The one of these under which it makes the classes of its paper; None if the paper names none of them."""
    largest_rows: int | None = None
    """Most rows that make sense; None: no limit."""
    largest_distinct: int | None = None
    """Most different records that make sense; None: no limit."""
    instead: str = "k_member"
    """The method to use for a larger table."""
    render: str = "generalise"
    """How its classes are published unless the plan says otherwise."""
    one_level: bool = False
    """Whether it shows every column at one level, the same in all classes."""
    refined: bool = False
    """Whether our search always follows it."""
    releases: str = "classes"
    """``classes``: one k-anonymous table; ``subtables`` or ``boxes``: something weaker, only with ``accept_weaker``."""


RESULTS = {"classes": Partition, "subtables": Subtables, "boxes": Boxes}
"""What a method returns, by what it declares to release."""


def cluster(
    method: ModuleType, parameters: Any, encoded: Encoded, requirement: Requirement, plan: Plan, progress: Progress
) -> Any:
    """What the method returns, verified; fewer than 2k records are one class whatever the method."""
    able: Capabilities = method.CAPABILITIES
    if RESULTS[able.releases] is Partition and len(encoded) < 2 * requirement.size:
        return Partition(np.zeros(len(encoded), dtype=np.int64))
    found = method.cluster(encoded, requirement, parameters, np.random.default_rng(plan.seed or 0), progress)
    if fault := found.fault(encoded, able, requirement.size):
        raise RefusedReleaseError(
            "The method returned a result that is not whole, so nothing is released. This is a bug in the method.",
            where=f"method {plan.method!r}",
            allowed=f"every record in a class, in one of each sub-table, or in a ring of at least {requirement.size}",
            received=fault,
            todo="use another method",
        )
    return found


# -- what a method can take ---------------------------------------------------------------------------------------


def check_rows(rows: int, least: int) -> None:
    """Refuse tables of fewer rows than a class needs."""
    if rows == 0:
        allowed, todo = f"at least k = {least} rows", "check that the right file was given"
        raise TableError("The table has no rows.", "the table", allowed, "0 rows", todo)
    if rows < least:
        what, allowed = "The table has fewer rows than a class needs.", f"k from 1 to the number of rows, {rows}"
        raise TableError(what, "k", allowed, f"k = {least}", "choose a smaller k, or release more rows")


def check_fits(table: Table, plan: Plan, able: Capabilities, least: int) -> None:
    """Refuse tables of fewer rows than a class needs, and methods asked for more than they can do."""
    check_rows(len(table), least)
    check_kinds_and_loss(plan, able)
    _check_size(len(table), able.largest_rows, "rows", plan, able)


def check_kinds_and_loss(plan: Plan, able: Capabilities) -> None:
    """Refuse quasi-identifiers that the method cannot take, and losses that it cannot keep low."""
    _check_kinds(plan, able)
    _check_loss(plan, able)


def check_distinct(encoded: Encoded, plan: Plan, able: Capabilities) -> None:
    """Refuse more different records than a method that compares all pairs could finish with."""
    if able.largest_distinct is not None and len(encoded) > able.largest_distinct:
        _check_size(distinct(encoded.points)[2], able.largest_distinct, "different records", plan, able)


def _check_size(given: int, largest: int | None, what: str, plan: Plan, able: Capabilities) -> None:
    if largest is not None and given > largest:
        raise PlanError(
            "The table is too large for this method, which compares every pair of records.",
            where=f"method {plan.method!r}",
            allowed=f"at most {largest:,} {what}",
            received=f"{given:,} {what}, which make {given * (given - 1) // 2:,} pairs",
            todo=f"use --method {able.instead}, which has no such limit, or release fewer rows",
        )


def _check_kinds(plan: Plan, able: Capabilities) -> None:
    """Refuse quasi-identifiers of a kind that the method does not declare."""
    kinds = {name: plan.columns[name].kind for name in plan.quasi_identifiers}
    shapes = {name: "numeric" if kind in RANGE_KINDS else "categorical" for name, kind in kinds.items()}
    misfits = [name for name, shape in shapes.items() if shape not in able.kinds]
    if misfits:
        raise PlanError(
            "The method cannot take some quasi-identifiers.",
            where=f"method {plan.method!r}, columns {listed(misfits)}",
            allowed=f"{' and '.join(able.kinds)} columns",
            received=listed(f"{name}: {kinds[name]}" for name in misfits),
            todo="choose another method, or another kind for the columns",
        )


def _check_loss(plan: Plan, able: Capabilities) -> None:
    """Refuse a loss that the method cannot keep low; methods with an objective of their own run beside any."""
    if not able.losses or plan.loss in able.losses:
        return
    others = {name: catalog.load("algorithms", name).CAPABILITIES for name in catalog.names("algorithms")}
    made_for_it = [name for name, other in others.items() if plan.loss in other.losses]
    own = [name for name, other in others.items() if not other.losses and other.releases == "classes"]
    raise PlanError(
        "The method cannot keep this loss low.",
        where=f"method {plan.method!r}, --loss / [method] loss",
        allowed=listed(able.losses),
        received=repr(plan.loss),
        todo=f"use another loss, or --method {listed(made_for_it or own)}"
        + (f"; or one with an objective of its own: {listed(own)}" if made_for_it else ""),
    )
