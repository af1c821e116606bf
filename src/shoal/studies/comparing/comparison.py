# SPDX-License-Identifier: Apache-2.0
"""Comparison: methods over a grid of k, with loss, risk, time, memory and the gap to the lower bound.

:func:`compare` is the front door; the command line calls the same function.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

from shoal.ground.errors import PlanError
from shoal.ground.progress import ProgressCallback
from shoal.ground.svg import Picture
from shoal.judging.evidence import loss_metric
from shoal.plan.keywords import PlanKeywords, shows_keywords
from shoal.plan.plan import Plan
from shoal.studies.comparing.attribution import Attribution, attribution_of
from shoal.studies.comparing.grid import BOUND, Cell, cells_of, methods_of, rank_of, whole_numbers
from shoal.studies.comparing.outcome import OPEN, Outcome
from shoal.studies.comparing.running import Runner
from shoal.studies.comparing.standing import Standing, recommendation, standings, winner
from shoal.studies.comparing.starting import asked_k, begin, frame_of

FORMAT = "shoal comparison 1"
PLOTS = ("loss_k", "loss_time", "columns")
FIGURES = (
    "method k seed status metric loss bound gap risk mean_risk classes smallest_class largest_class suppressed "
    "seconds memory releases reason"
).split()
"""Columns of the table of results; the loss of each quasi-identifier follows as ``loss_<name>``."""


@dataclass(frozen=True)
class Comparison:
    """What every method made of one table at every k. It holds no cell of the table."""

    outcomes: tuple[Outcome, ...]
    bounds: Mapping[int, float | None]
    """Lower bound of the loss per cell at each k; None where it is not known, or speaks of no table that came out."""
    rows: int
    quasi_identifiers: tuple[str, ...]
    loss: str
    attributions: tuple[Attribution, ...] = ()
    rank: str = ""
    """What methods are ranked by, where that is not the loss."""
    like: Any = field(default=None, repr=False, compare=False)
    """The caller's frame, or None; the table of results is of its kind."""

    @property
    def complete(self) -> bool:
        """Whether every cell had its turn."""
        return all(one.status != OPEN for one in self.outcomes)

    @cached_property
    def standings(self) -> dict[int, list[Standing]]:
        """For every k the methods that gave a table, lowest loss first."""
        return standings(self.outcomes)

    @property
    def recommendation(self) -> str:
        """Which method to use and why, in words."""
        return "\n".join(recommendation(self.standings, self.bounds, self.rank))

    @property
    def records(self) -> list[dict[str, Any]]:
        """One flat record per cell of the grid."""
        return [self._record(one) for one in self.outcomes]

    def _record(self, one: Outcome) -> dict[str, Any]:
        figures = {name: getattr(one, name) for name in (*FIGURES, *(["rank"] if self.rank else []))}
        return figures | {f"loss_{name}": one.per_column.get(name) for name in self.quasi_identifiers}

    @cached_property
    def table(self) -> Any:
        """The same as a frame of the kind that was compared."""
        return frame_of(self.like, self.records)

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "format": FORMAT,
            "rows": self.rows,
            "quasi_identifiers": list(self.quasi_identifiers),
            "loss": self.loss,
            "complete": self.complete,
            "bounds": [{"k": k, "bound": bound} for k, bound in self.bounds.items()],
            "cells": [{**_without_change(one.to_dict()), "gap": one.gap} for one in self.outcomes],
            "rank": self.rank,
            "recommendation": recommendation(self.standings, self.bounds, self.rank),
            "attributions": [one.to_dict() for one in self.attributions],
        }

    def plot(self, kind: str = "loss_k") -> Picture:
        """A picture: ``loss_k`` (loss against k), ``loss_time`` (loss against seconds) or ``columns`` (per column)."""
        from shoal.studies.comparing import plots

        if kind not in PLOTS:
            allowed = ", ".join(PLOTS)
            raise _refused("There is no such plot.", "Comparison.plot", allowed, kind, "choose one of those allowed")
        drawn: Picture = getattr(plots, kind)(self)
        return drawn

    def save(self, directory: str | Path) -> Path:
        """Write ``comparison.json``, ``comparison.csv``, ``report.html`` and the plots as SVG."""
        from shoal.studies.comparing.saving import save

        return save(self, Path(directory))

    def _repr_html_(self) -> str:
        from shoal.studies.comparing.page import card

        return card(self)

    def __repr__(self) -> str:
        done = sum(one.done for one in self.outcomes)
        return f"<Comparison: {done} of {len(self.outcomes)} cells with a table, {self.rows} rows, {self.loss}>"


def _without_change(outcome: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in outcome.items() if name not in ("change", "column", "note")}


@shows_keywords
def compare(
    data: Any,
    plan: Plan | None = None,
    *,
    methods: str | Iterable[str] | None = None,
    k: int | Iterable[int] | None = None,
    seeds: int | Iterable[int] | None = None,
    rank: str | None = None,
    attribution: bool = False,
    output: str | Path | None = None,
    fresh: bool = False,
    limit: float | None = None,
    progress: ProgressCallback | None = None,
    **keywords: Unpack[PlanKeywords],
) -> Comparison:
    """Run methods over a grid of k, each cell in a process of its own, and compare what comes out.

    ``data`` and ``keywords`` are those of :func:`shoal.anonymize`. ``methods``: names, or all; ``seeds``: for methods
    that draw. ``rank`` names a metric, or a figure of one, by which methods are ranked instead of the loss
    (``"accuracy_kept"``, ``"query_error.median"``). ``attribution`` adds what each quasi-identifier costs under the
    best method at each k. With ``output``, a folder, every finished cell is kept there and a second call goes on where
    the first stopped, unless ``fresh``. ``limit`` stops a cell after so many seconds. ``progress`` stops the rest by
    answering ``"cancel"``: what is done comes back, and the others say that they were not run.
    """
    asked = methods_of(methods)
    ks = whole_numbers(asked_k(k, plan), "k", 1)
    table, plan, like = begin(data, plan, ks[0], keywords, told=rank is not None)
    ranked = rank_of(rank, plan)
    drawn = whole_numbers((plan.seed or 0) if seeds is None else seeds, "seeds", 0)
    _check_limit(limit)
    runner = Runner.on(table, plan, output, fresh=fresh, limit=limit, progress=progress)
    bounds = runner.run([Cell(BOUND, k) for k in ks])  # first, so that whoever watches sees how far there is to go
    outcomes = runner.run(cells_of(asked, ks, drawn, ranked))
    found = replace(comparison_of([*bounds, *outcomes], len(table), plan), like=like, rank=ranked)
    if attribution:
        found = replace(found, attributions=tuple(attribution_of(runner, cell) for cell in _winners(found)))
    if output is not None:
        found.save(output)
    if runner.interrupted:
        raise KeyboardInterrupt
    return found


def _check_limit(limit: float | None) -> None:
    if limit is not None and not limit > 0:
        what, allowed = "The limit of a cell must be a time.", "a number of seconds above 0"
        raise _refused(what, "limit", allowed, limit, "raise it, or leave it out")


def _refused(what: str, where: str, allowed: str, received: object, todo: str) -> PlanError:
    return PlanError(what, where=where, allowed=allowed, received=repr(received), todo=todo)


def comparison_of(ended: Iterable[Outcome], rows: int, plan: Plan) -> Comparison:
    """What some cells come to, those of the lower bound among them; also before all have ended."""
    each = list(ended)
    proved = {one.k: one.loss if one.done else None for one in each if one.method == BOUND}
    outcomes = [_with_bound(one, proved, plan) for one in each if one.method != BOUND]
    bounds = {
        k: max((one.bound for one in outcomes if one.k == k and one.bound is not None), default=None) for k in proved
    }
    return Comparison(tuple(outcomes), bounds, rows, tuple(plan.quasi_identifiers), plan.loss)


def _winners(found: Comparison) -> list[Cell]:
    """The cell of the best method at each k."""
    best = [(one.method, one.k) for each in found.standings.values() if (one := winner(each))]
    runs = {(one.method, one.k): one for one in reversed(found.outcomes) if one.done}
    return [Cell(method, k, runs[method, k].seed) for method, k in best]


def _with_bound(one: Outcome, bounds: Mapping[int, float | None], plan: Plan) -> Outcome:
    """The bound speaks of tables of all records that show every class as its hull, whoever made them."""
    whole = one.done and not one.weaker and not one.suppressed
    same = one.metric == loss_metric(plan)
    return replace(one, bound=bounds.get(one.k)) if one.hulls and whole and same else one
