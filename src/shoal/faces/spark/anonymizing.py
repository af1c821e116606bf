# SPDX-License-Identifier: Apache-2.0
"""``anonymize`` for Spark: the same plan and the same cells as on one machine, carried out by Spark.

    count equal records -> settle the plan -> cut -> classes in cells -> mend over shifted cells -> labels to rows
    -> Spark counts again, and the judge decides

What was judged is what is handed back: it is kept, not worked out anew. Rows of one record, which differ in nothing
that classes depend on, are dealt to its classes in the order of a hash of all their other cells; so whatever is worked
out twice, by a task that is repeated or by another number of partitions, publishes the same rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pyspark.sql import Window
from pyspark.sql import functions as fn

from shoal.faces.spark._columns import OURS, ROWS, cell, named, refuse_nested
from shoal.faces.spark.clustering import WAVES, labelled
from shoal.faces.spark.counting import SparkCounting
from shoal.faces.spark.cutting import Cut, cut
from shoal.faces.spark.keeping import LOCAL, Keeping
from shoal.ground.errors import RefusedReleaseError, TableError, listed
from shoal.ground.progress import Progress, ProgressCallback
from shoal.judging.by_counts import judged, measured
from shoal.judging.gates import require_quality
from shoal.judging.verdicts import Verdict
from shoal.plan.plan import Plan

UP_TO, RANK, SHARES, ORDER = "shoal_up_to", "shoal_rank", "shoal_shares", "shoal_order"


@dataclass(frozen=True)
class SparkRelease:
    """A released DataFrame, and what is known of it."""

    table: Any
    plan: Plan
    """Completed: with it the same DataFrame is anonymised in the same way again."""
    verdict: Verdict
    cells: int
    """In how many cells the table was worked on."""
    warnings: tuple[str, ...] = ()
    """What the columns seem to tell about persons, beyond what the plan says."""


def anonymize(frame: Any, plan: Plan, *, keep: str = LOCAL, progress: ProgressCallback | None = None) -> Any:
    """Make a Spark DataFrame safe to publish: every record among at least k look-alikes.

    ``plan`` is the plan that all of shoal takes. ``keep`` says where steps are kept in between: ``"local"`` (on the
    executors), ``"checkpoint"`` (where ``spark.checkpoint.dir`` says) or a folder that all executors can write to.
    ``progress`` is called with each ``Step``, cells done of cells, and stops the run by answering ``"cancel"``.
    """
    return release(frame, plan, keep=keep, progress=progress).table


def release(frame: Any, plan: Plan, *, keep: str = LOCAL, progress: ProgressCallback | None = None) -> SparkRelease:
    """The same with the completed plan and the verdict beside the table."""
    told = Progress(progress)
    _refuse_columns(frame, plan)
    plan = plan.with_rest(frame.columns)
    keeping = Keeping(frame.sparkSession, keep)
    told.phase("encode")
    parted = cut(frame, plan, keeping)
    labels = labelled(parted, keeping, told, WAVES if progress else 1)
    told.phase("write")
    table = keeping.kept(_released(frame, parted, labels), "released")
    told.phase("check")
    made = parted.layout.work.plan
    verdict = judged(SparkCounting(table), replace(made, require=()), made.k)  # gates need the original beside it
    _require_holding(verdict, parted)
    if made.require:
        require_quality(made, measured(SparkCounting(frame), SparkCounting(table), made))
    return SparkRelease(table, made, verdict, len(parted.layout.cells), parted.warnings)


def _refuse_columns(frame: Any, plan: Plan) -> None:
    names = list(getattr(frame, "columns", ()))
    if not hasattr(frame, "sparkSession"):
        raise TableError(
            "That is no DataFrame of Spark.",
            where="shoal.spark",
            allowed="a DataFrame of a Spark session",
            received=f"a {type(frame).__name__}",
            todo="use shoal.anonymize for tables in memory, or spark.createDataFrame(...)",
        )
    alike = sorted({name for name in names if sum(name.lower() == other.lower() for other in names) > 1})
    if alike:
        raise TableError(
            "Spark cannot tell some columns apart.",
            where=f"columns {listed(alike)}",
            allowed="names that differ by more than upper and lower case",
            received=f"{len(alike)} names that do not",
            todo="rename the columns",
        )
    ours = [name for name in names if name.lower().startswith(OURS)]
    if ours:
        raise TableError(
            "Some columns have names like those of what is kept beside them.",
            where=f"columns {listed(ours)}",
            allowed=f"names that do not begin with {OURS!r}",
            received=f"{len(ours)} names that do",
            todo="rename the columns",
        )
    refuse_nested(frame, [name for name in names if name not in plan.removed])


def _released(frame: Any, parted: Cut, labels: Any) -> Any:
    """Every row with the labels of its class instead of its quasi-identifiers, in an order that only these decide."""
    plan, shown = parted.layout.work.plan, parted.layout.shown
    names = [name for name in frame.columns if name not in plan.removed]
    cells = [cell(frame, name).alias(place) for name, place in zip(parted.layout.names, parted.layout.values)]
    rows = frame.select(*(named(name) for name in names), *cells)
    held = labels.groupBy(*parted.layout.values, *shown.values()).agg(fn.sum(ROWS).alias(ROWS))
    up_to = fn.sum(ROWS).over(Window.partitionBy(*parted.layout.values).orderBy(*shown.values()))
    shares = fn.sort_array(fn.collect_list(fn.struct(UP_TO, *shown.values()))).alias(SHARES)
    dealt = held.withColumn(UP_TO, up_to).groupBy(*parted.layout.values).agg(shares)
    dealt = dealt.select(*(fn.col(name).alias(f"{name}_") for name in parted.layout.values), SHARES)
    same = [fn.col(name).eqNullSafe(fn.col(f"{name}_")) for name in parted.layout.values]
    every = [named(name) for name in names]
    order = Window.partitionBy(*parted.layout.values).orderBy(fn.xxhash64(*every), *every)
    ranked = rows.withColumn(RANK, fn.row_number().over(order)).join(dealt, same)
    mine = fn.filter(SHARES, lambda share: share[UP_TO] >= fn.col(RANK))[0]
    told = ranked.withColumn(SHARES, mine)
    made = [column for name in names for column in _published(name, plan, shown)]
    table = told.select(*made)
    every = [named(name) for name in table.columns]
    mixed = table.withColumn(ORDER, fn.xxhash64(fn.lit(plan.seed or 0), *every))
    return mixed.repartition(ORDER).sortWithinPartitions(ORDER, *every).drop(ORDER)


def _published(name: str, plan: Plan, shown: dict[str, str]) -> list[Any]:
    if name not in plan.quasi_identifiers:
        return [named(name)]
    return [fn.col(SHARES)[shown[label]].alias(label) for label in plan.published(name)]


def _require_holding(verdict: Verdict, parted: Cut) -> None:
    """Refuse what does not hold, or has lost or gained a row."""
    sizes = verdict.findings[0].figures
    if verdict.holds and sizes["rows"] == parted.rows:
        return
    broken = [finding.statement for finding in verdict.findings if finding.holds is False or not finding.judged]
    raise RefusedReleaseError(
        "The result did not pass the check by Spark itself, so nothing is released.",
        where=f"method {parted.layout.work.plan.method!r}",
        allowed=f"a table of {parted.rows} rows in which every asked model holds",
        received=listed(broken) if broken else f"{sizes['rows']} rows",
        todo="make sure that the DataFrame gives the same rows whenever it is worked out (no rand(), no source that is "
        "written to meanwhile); else please report it with the plan (not the table)",
    )
