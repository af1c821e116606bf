# SPDX-License-Identifier: Apache-2.0
"""``attack``: tries every attack on a release, ours or anybody's, and tells what it learned.

How success is scored, in this order:

* a :class:`~shoal.Release` in memory knows whose row is whose; the known table is then taken to be the input, row by
  row, if it is as long, or ``truth`` says which row of the input each target is;
* ``truth`` names a column that stands in the known table and in the original (or in the released table): equal cells
  are the same person. It is used for scoring only;
* with the original, and a known table that equals it row by row, everybody is in the release, and the true row is
  among the candidates because its labels are true;
* otherwise candidates are counted, and success is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from shoal.ground import catalog
from shoal.ground.arrays import Ints
from shoal.ground.errors import PlanError, TableError, listed
from shoal.judging.attempts import AttackReport, Attempt, Scene
from shoal.judging.labels.noting import as_read
from shoal.judging.linking.links import Link, published
from shoal.plan.keywords import WholePlan, shows_keywords
from shoal.plan.plan import Plan, load_hierarchies
from shoal.plan.values import as_known, refuse_missing
from shoal.releases.folder import read_release
from shoal.releases.inspection import PLAN
from shoal.releases.judging import refuse_as_original
from shoal.releases.release import Release
from shoal.tables.equivalence_classes import classes
from shoal.tables.frames import as_table
from shoal.tables.headers import spelling
from shoal.tables.sources import read_released
from shoal.tables.table import Table
from shoal.tables.together import stacked

MOST_TARGETS = 100_000
"""Targets that are attacked unless more are asked for; a sample of them narrows a rate down to some 0.3 %."""


@dataclass(frozen=True)
class Opened:
    """A release, wherever it came from."""

    tables: tuple[Table, ...]
    plan: Plan
    k: int | None
    rows: tuple[Ints, ...] | None = None
    people: int | None = None
    """Rows of the input, where that is known."""
    k_joint: int | None = None


@shows_keywords
def attack(
    release: Any,
    *,
    known: Any = None,
    on: Iterable[str] = (),
    original: Any = None,
    truth: Any = None,
    second: Any = None,
    attacks: Iterable[str] = (),
    plan: Plan | None = None,
    targets: int = MOST_TARGETS,
    **roles: Unpack[WholePlan],
) -> AttackReport:
    """What an attacker who holds a table learns from a release.

    ``release`` is a :class:`Release`, the path of a release folder, a table (frame or path), or a list of sub-tables of
    the same people. A bare table needs a ``plan`` or its parts as keywords, as :meth:`Plan.of` takes them (``k``,
    ``quasi_identifiers``, ``sensitive``, ``hierarchies``, ``kinds``, ``render``); without ``k`` nothing was promised.

    ``known`` is what the attacker holds (the original, unless given), ``on`` the columns used (all quasi-identifiers
    that it has, unless given), ``second`` another release of overlapping people. ``truth`` says who is who: the name of
    a column, or the input row of each known row (-1: not in it). At most ``targets`` rows of the known table, drawn
    evenly, are attacked. ``attacks`` names some attacks; else all are tried.
    """
    wanted = [attacks] if isinstance(attacks, str) else list(attacks) or catalog.names("attacks")
    modules = [catalog.load("attacks", name) for name in wanted]
    columns = (on,) if isinstance(on, str) else tuple(on)
    _refuse_repeated(columns)
    refuse_as_original(original, "--original / original")
    opened = _opened(release, plan, dict(roles), columns)
    for one in opened.tables:
        refuse_missing(
            one, opened.plan, [name for name in opened.plan.published_quasi_identifiers if name in one.names]
        )
    scene, notes = _scene(opened, known, columns, original, truth)
    if second is not None:
        other = _opened(second, None if _has_plan(second) else opened.plan, {}, columns)
        scene = replace(scene, second=Scene(other.tables, other.plan, other.k))
    scene, drawn = _sampled(scene, targets)
    attempts: list[Attempt] = [one for module in modules for one in module.attempt(scene)]
    return AttackReport(tuple(attempts), (*notes, *drawn, *_foreign(scene)))


def _refuse_repeated(columns: tuple[str, ...]) -> None:
    for place, name in enumerate(columns):
        if name in columns[:place]:
            raise PlanError(
                "A column is named more than once.",
                where="--on / on",
                allowed="each column once",
                received=f"{name!r} {columns.count(name)} times",
                todo="name it once",
            )


# -- opening -----------------------------------------------------------------------------------------------------


def _has_plan(release: Any) -> bool:
    return isinstance(release, Release) or (isinstance(release, str | Path) and (Path(release) / PLAN).is_file())


def _opened(release: Any, plan: Plan | None, roles: dict[str, Any], on: Sequence[str]) -> Opened:
    if roles and (plan is not None or _has_plan(release)):
        raise PlanError(
            "A release that carries its own plan was given together with keywords of one.",
            where="shoal.attack",
            allowed="either a release or plan=..., or keywords such as k and quasi_identifiers",
            received=f"a plan and {listed(roles)}",
            todo="leave the keywords out, or attack the table itself",
        )
    if isinstance(release, Release):
        rows = release.private.rows if release.private else None
        chosen = load_hierarchies(plan or release.plan)
        return Opened(release.published, chosen, chosen.k, rows, int(release.facts["rows"]))
    if _has_plan(release):
        saved = read_release(release)
        chosen = load_hierarchies(plan or saved.plan)
        joint = saved.manifest.get("guarantee", {}).get("k_joint")
        return Opened(tuple(saved.tables), chosen, chosen.k, k_joint=joint if isinstance(joint, int) else None)
    if plan is None:
        given = {**roles, "k": roles.get("k") or 1}
        given["quasi_identifiers"] = given.get("quasi_identifiers") or list(on)
        plan, k = Plan.of(**given), roles.get("k")
    else:
        k = plan.k if plan.k > 1 else None
    plan = load_hierarchies(plan)
    several = list(release) if isinstance(release, list | tuple) else [release]
    return Opened(tuple(as_read(_read(one, plan), plan) for one in several), plan, k)


def _read(released: Any, plan: Plan) -> Table:
    return read_released(released, plan.reading).table if isinstance(released, str | Path) else as_table(released)


# -- the scene ---------------------------------------------------------------------------------------------------


def _scene(opened: Opened, known: Any, on: tuple[str, ...], original: Any, truth: Any) -> tuple[Scene, list[str]]:
    plan = opened.plan
    whole = None if original is None else as_known(as_table(original, plan.reading), plan)
    if whole is not None and opened.people not in (None, len(whole)):
        raise TableError(
            "The original is not the table that the release was made from.",
            where="original",
            allowed=f"{opened.people} rows",
            received=f"{len(whole)} rows",
            todo="give the input of this very release",
        )
    held = whole if known is None else as_known(as_table(known, plan.reading.of_others()), plan)
    scene = Scene(opened.tables, plan, opened.k, held, rows=opened.rows, original=whole, k_joint=opened.k_joint)
    if held is None:
        _refuse_hidden(scene, on)
        return replace(scene, on=on), []
    scene = replace(scene, on=_columns(scene, held, on))
    if known is None:
        return replace(scene, person=np.arange(len(held))), []
    return _with_truth(scene, opened.people, truth)


def _columns(scene: Scene, held: Table, on: tuple[str, ...]) -> tuple[str, ...]:
    """The columns of the attack, checked on both sides."""
    chosen = on or tuple(name for name in scene.plan.quasi_identifiers if name in held.names)
    if not chosen:
        raise PlanError(
            "Nothing says what the attacker knows about a person.",
            where="--on / on",
            allowed="columns that stand in the known table and in the release",
            received="no column, and no quasi-identifier that the known table has",
            todo="name them, e.g. --on age,sex,zip",
        )
    held.require(chosen, where="--on / on, columns of the known table")
    _refuse_hidden(scene, chosen)
    return chosen


def _refuse_hidden(scene: Scene, chosen: tuple[str, ...]) -> None:
    shown = {name for table in scene.tables for name in table.names}
    hidden = [name for name in chosen if not set(published(scene.plan, name)) <= shown]
    if hidden:
        table, trusted = scene.tables[0], len(hidden) < len(chosen)
        several = len(scene.tables) > 1  # of our making
        raise TableError(
            "The release does not show a column that the attack is to use.",
            where="--on / on",
            allowed=listed(sorted(shown)) if several else table.names_shown(trusted=trusted),
            received=listed(map(repr, hidden)),
            todo=f"{spelling(table, hidden, trusted=trusted)}\n"
            "else leave it out, or name the rendering it was published with (--render)",
        )


def _with_truth(scene: Scene, people: int | None, truth: Any) -> tuple[Scene, list[str]]:
    held, whole = scene.known, scene.original
    assert held is not None
    if isinstance(truth, str):
        return _by_key(scene, truth), [f"scored by column {truth!r}"]
    if truth is not None:
        return _whole(replace(scene, person=_as_rows(truth, len(held), people or len(whole or held))), people), []
    if whole is not None and len(held) == len(whole):
        both = classes(stacked([held, whole], scene.on), list(scene.on))
        if np.array_equal(both[: len(held)], both[len(held) :]):
            note = "scored by row: the known table equals the original row by row in the columns used"
            return replace(scene, person=np.arange(len(held))), [note]
    elif whole is None and people == len(held):
        note = "scored by row: the known table is as long as the input and was taken to be it, row by row"
        return _whole(replace(scene, person=np.arange(len(held))), people), [note]
    return scene, ["not scored: nothing says which target is whom; name a column that does with --truth"]


def _whole(scene: Scene, people: int | None) -> Scene:
    """With the known table as the original, if it is the whole of it, in order."""
    if scene.original is not None or scene.person is None or not np.array_equal(scene.person, np.arange(people or -1)):
        return scene
    return replace(scene, original=scene.known)


def _by_key(scene: Scene, key: str) -> Scene:
    """People told apart by a column of the known table and of the original, or of the released tables."""
    held, whole = scene.known, scene.original
    assert held is not None
    held.require([key], where="--truth / truth, column of the known table")
    others = scene.tables if whole is None else (whole,)
    for table in others:
        table.require([key], where="--truth / truth, column of the original, or of the released table if none is given")
    if whole is not None:
        return replace(scene, person=_matched(held, whole, key))
    rows = tuple(_matched(table, held, key) for table in scene.tables)
    return replace(scene, person=np.arange(len(held)), rows=rows)


def _matched(table: Table, among: Table, key: str) -> Ints:
    """[row] the row of the other table that has the same key, -1 if none has."""
    both = classes(stacked([table, among], [key]), [key])
    mine, theirs = both[: len(table)], both[len(table) :]
    present = ~among.missing(key)
    if len(np.unique(theirs[present])) < int(present.sum()):
        raise TableError(
            "The column that is to tell people apart does not.",
            where=f"--truth / truth, column {key!r}",
            allowed="a different cell for every person",
            received=f"{int(present.sum()) - len(np.unique(theirs[present]))} cells that repeat others",
            todo="name a key column",
        )
    row = np.full(int(both.max(initial=-1)) + 1, -1, dtype=np.int64)
    row[theirs[present]] = np.flatnonzero(present)
    return row[mine]


def _as_rows(truth: Any, targets: int, people: int) -> Ints:
    given = np.asarray(truth)
    if given.shape != (targets,) or given.dtype.kind not in "iu" or ((given < -1) | (given >= people)).any():
        raise PlanError(
            "The truth does not fit the known table.",
            where="truth",
            allowed=f"the name of a column, or {targets} row numbers from 0 to {people - 1} (-1: not in the input)",
            received=f"an array of shape {given.shape} and type {given.dtype}",
            todo="give the input row of each known row",
        )
    return given.astype(np.int64)


def _foreign(scene: Scene) -> list[str]:
    """A hint for each column whose labels fit no known value at all."""
    links = [one for one in scene.read.values() if isinstance(one, Link)]
    names = dict.fromkeys(column.name for one in links for column in one.columns if column.foreign)
    return [
        f"no label of column {name!r} fits a known value; if they stand for groups, give its hierarchy (--hierarchy)"
        for name in names
    ]


def _sampled(scene: Scene, targets: int) -> tuple[Scene, list[str]]:
    if not isinstance(targets, int) or isinstance(targets, bool) or targets < 1:
        raise PlanError(
            "The number of targets must be a whole number of at least 1.",
            where="--targets / targets",
            allowed="a whole number of at least 1",
            received=repr(targets),
            todo=f"leave it out for {MOST_TARGETS:,}",
        )
    if scene.known is None or len(scene.known) <= targets:
        return scene, []
    drawn = np.sort(np.random.default_rng(0).choice(len(scene.known), targets, replace=False)).astype(np.int64)
    person = None if scene.person is None else scene.person[drawn]
    note = f"{targets:,} targets were drawn evenly from {len(scene.known):,}"
    return replace(scene, known=scene.known.take(drawn), person=person), [note]
