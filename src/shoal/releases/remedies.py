# SPDX-License-Identifier: Apache-2.0
"""Which models would stop private values from being given away, and about what each would cost.

The cost is estimated from the finished classes (see :mod:`shoal.engine.refining.remedies`), from released rows alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from shoal.engine.bounds.bound import HULL_LOSSES, is_bounded
from shoal.engine.encoding.encode import encode
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.refining.remedies import Most, estimate
from shoal.ground.arrays import Ints
from shoal.ground.progress import Progress
from shoal.ground.wording import percent
from shoal.judging.exposures import Exposure
from shoal.judging.private_values import private_codes
from shoal.plan.plan import Plan
from shoal.plan.roles import SENSITIVE
from shoal.tables.equivalence_classes import classes
from shoal.tables.table import Table

L, T = 2, 0.2
"""What is asked of l-diversity and t-closeness; of (α,k)-anonymity it hangs on the values."""
STOPPED = {
    "l_diversity": "that all look-alikes share a value",
    "alpha_k": "that all or nearly all of them share one",
    "t_closeness": "that their values lie close together",
}
"""What each model stops."""
ESTIMATED = ("l_diversity", "alpha_k")
"""Models that say how much of a class one value may fill."""


@dataclass(frozen=True)
class Remedy:
    """A model that would stop it."""

    model: str
    parameters: dict[str, Any]
    asked: str
    """As it is asked for: a flag, or a line of the plan where it is for some columns only."""
    extra: float | None = None
    """About how much is added to the loss per released cell; None: not estimated."""

    def sentence(self, loss: float, share: float = 1.0) -> str:
        """What it stops and at what cost, beside the loss per cell; ``share`` of the rows were released.

        >>> Remedy("l_diversity", {"l": 2}, "--l-diversity 2", 0.004).sentence(0.03)
        '--l-diversity 2 would stop that all look-alikes share a value; loss about 3.4 % instead of 3 %'
        """
        said = f"{self.asked} would stop {STOPPED[self.model]}"
        after = self.after(loss, share)
        return said if math.isnan(after) else f"{said}; loss about {percent(after)} instead of {percent(loss)}"

    def in_python(self) -> Remedy:
        """The same as it is asked for in Python.

        >>> Remedy("l_diversity", {"l": 2}, "--l-diversity 2").in_python().asked
        "models={'l_diversity': {'l': 2}}"
        """
        return replace(self, asked=f"models={ {self.model: self.parameters} }")

    def after(self, loss: float, share: float = 1.0) -> float:
        """The loss per cell with it; NaN where it was not estimated."""
        return math.nan if self.extra is None else min(loss + self.extra * share, 1.0)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def remedies(
    table: Table, rows: Ints, released: Table, plan: Plan, found: Sequence[Exposure], progress: Progress
) -> tuple[Remedy, ...]:
    """Every model that would stop what was found, with its cost as far as that can be estimated.

    ``rows`` are those of the table that the released one shows.
    """
    wanted = list(_wanted(plan, found))
    if not wanted or plan.loss not in HULL_LOSSES or not is_bounded(plan):
        return tuple(wanted)
    shown = table.select(plan.quasi_identifiers)  # anew: no figure may follow from rows that were left out
    encoded = encode(shown.reordered(rows) if len(rows) == len(table) else shown.take(rows), plan)
    alike = classes(released, plan.published_quasi_identifiers)
    return tuple(
        _priced(one, encoded, alike, released, plan, progress.part(number, of=len(wanted)))
        for number, one in enumerate(wanted)
    )


def _priced(one: Remedy, encoded: Encoded, alike: Ints, released: Table, plan: Plan, progress: Progress) -> Remedy:
    if one.model not in ESTIMATED:
        return one
    names = one.parameters.get("columns", plan.having(SENSITIVE))
    found = estimate(encoded, alike, [private_codes(released, name) for name in names], _most(one), progress)
    return replace(one, extra=found.extra if math.isfinite(found.extra) else None)


def _wanted(plan: Plan, found: Sequence[Exposure]) -> Iterator[Remedy]:
    """Models that fit what was found, the mildest first."""
    able = [one for one in found if not one.constant]
    every = len(able) == len(plan.having(SENSITIVE))
    if any(one.certain for one in able):
        yield _remedy("l_diversity", {"l": L}, f"--l-diversity {L}", able, every)
    if any(one.nearly for one in able):
        bounded = [(one, alpha) for one in able if (alpha := one.askable) is not None]
        if bounded and any(one.nearly for one, _ in bounded):
            alpha = max(alpha for _, alpha in bounded)
            of = [one for one, _ in bounded]
            yield _remedy("alpha_k", {"alpha": alpha}, f"--alpha {alpha:g}", of, every and len(of) == len(able))
    if any(one.narrow for one in able):
        yield _remedy("t_closeness", {"t": T}, f"--t-closeness {T:g}", able, every)


def _remedy(model: str, parameters: dict[str, Any], flag: str, of: Sequence[Exposure], every: bool) -> Remedy:
    if every:
        return Remedy(model, parameters, flag)
    columns = [one.column for one in of]
    (name, value), *_ = parameters.items()
    asked = f"{model} = {{ {name} = {value:g}, columns = {columns} }} in the plan".replace("'", '"')
    return Remedy(model, {**parameters, "columns": columns}, asked)


def _most(remedy: Remedy) -> Most:
    """How many rows of a class one value may fill."""
    if remedy.model == "l_diversity":
        return lambda sizes: sizes - 1
    alpha = remedy.parameters["alpha"]
    return lambda sizes: np.floor(alpha * sizes + 1e-9).astype(np.int64)
