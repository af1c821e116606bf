# SPDX-License-Identifier: Apache-2.0
"""Tree: how may the values of a column get coarser? One group at a time: rename, move, merge, split, undo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from shoal.faces.app.forms import given_parameters, parameter_fields
from shoal.faces.app.opening import upload_place
from shoal.faces.app.packing import attached
from shoal.faces.app.screens.column import Form, of_column, place_in
from shoal.faces.app.showing import House, first, house_of, page, screen, to
from shoal.faces.app.uploads import taken_in
from shoal.faces.app.workers import Job
from shoal.ground.errors import HierarchyError, ShoalError
from shoal.hierarchies import editing
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.level_files import levels_text, parse_levels
from shoal.hierarchies.outline import children_of, node_rows, outline
from shoal.hierarchies.review import review
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.plan.roles import CATEGORICAL, RANGE_KINDS

SHOWN = 100
"""Members of a group that are shown at once."""
GROUPS = 150
"""Groups to which something can be moved."""
LARGEST = 20_000_000
"""Bytes of a tree that is brought along."""


def _counts(house: House, name: str) -> Mapping[str, int] | None:
    """Rows of each value; counted by the worker when first asked for."""
    desk = house.desk
    assert desk.table is not None
    if ("counts", name) in desk.values:
        return desk.values["counts", name]

    def counted(found: tuple[str, dict[str, int], int]) -> None:
        desk.values["counts", found[0]] = found[1]

    given = {"places": desk.table.places, "reading": desk.table.reading, "column": name}
    house.workers.submit(Job("count_values", f"Counting the values of {name}", given, counted))
    return None


def _shown(request: Request, problem: ShoalError | None = None) -> Response:
    house = house_of(request)
    desk = house.desk
    place = place_in(request)
    if place is None:
        return to(request, "columns")
    facts = desk.column(place)
    planned = desk.plan.columns.get(facts.name, ColumnPlan())
    counts = _counts(house, facts.name)
    kinds = desk.declared.get("hierarchy_kinds", {})
    kind = kinds.get(request.query_params.get("kind", ""))
    return screen(
        request,
        "tree",
        problem=problem,
        here="columns",
        place=place,
        facts=facts,
        planned=planned,
        counted=counts is not None,
        kinds=list(kinds.values()),
        kind=kind,
        build=parameter_fields(kind, {}, "build.") if kind else [],
        **_view(planned.hierarchy, counts, request.query_params),
    )


def _view(tree: Any, counts: Mapping[str, int] | None, asked: Mapping[str, str]) -> dict[str, Any]:
    """One group of the tree: the way to it, its members, and what is wrong with the whole."""
    if not isinstance(tree, Hierarchy):
        return {"tree": None}
    text = asked.get("at", "0")
    node = int(text) if text.isdecimal() and int(text) < len(tree.labels) else 0
    children = children_of(tree)
    rows = node_rows(tree, counts) if counts is not None else None
    wanted = asked.get("find", "").lower()
    way = [node]
    while way[0] > 0:
        way.insert(0, int(tree.parents[way[0]]))
    members = [one for one in children[node] if wanted in tree.labels[one].lower()]
    told = review(tree, counts)
    groups = [one for one, below in enumerate(children) if below]
    return {
        "tree": tree,
        "node": node,
        "way": [(one, tree.labels[one]) for one in way],
        "members": [
            (one, tree.labels[one], len(children[one]), None if rows is None else int(rows[one]))
            for one in members[:SHOWN]
        ],
        "more": len(members) > SHOWN,
        "find": asked.get("find", ""),
        "groups": [(one, tree.labels[one]) for one in groups[:GROUPS]],
        "lacking": len(told.lacking),
        "lacking_rows": told.lacking_rows,
        "sentences": told.sentences(),
        "whole": outline(tree, counts, most=12),
    }


@of_column
async def edit(request: Request, place: int, given: Form) -> Response:
    """Change the tree, by one step that can be undone."""
    house = house_of(request)
    desk = house.desk
    name = desk.column(place).name
    column = desk.plan.columns.get(name, ColumnPlan())
    what = first(given, "what")
    try:
        made = _edited(house, name, column.hierarchy, what, given)
        plan = with_tree(desk.plan, name, made)
    except ShoalError as problem:
        return _shown(request, problem)
    desk.change(plan, f"tree of {name} ({what})")
    stays = _label(column.hierarchy, first(given, "at", "0")) if isinstance(column.hierarchy, Hierarchy) else ""
    stays = first(given, "label").strip() if what == "rename" else stays
    at = f"?at={made.labels.index(stays)}" if made is not None and stays in made.labels else ""
    return to(request, f"columns/{place}/tree{at}")


def with_tree(plan: Plan, name: str, made: Hierarchy | None) -> Plan:
    """The plan with another tree of a column, which is then one of names."""
    column = plan.columns.get(name, ColumnPlan())
    kind = CATEGORICAL if column.kind in (*RANGE_KINDS, None) and made is not None else column.kind
    changed = replace(column, hierarchy=made, kind=kind, order=None, scale="range")
    if made is not None:
        changed = replace(changed, decimal=None, thousands=None, date_format=None)
    return plan.with_columns({name: changed})


def _edited(house: House, name: str, before: Any, what: str, given: Form) -> Hierarchy | None:
    """The tree after one step."""
    if what == "take away":
        return None
    if what == "begin":
        return Hierarchy.flat(_counts(house, name) or ())
    if not isinstance(before, Hierarchy):
        raise HierarchyError("There is no tree yet.", where=f"column {name!r}", todo="build one first")
    chosen = [_label(before, one) for one in given.get("chosen", ())]
    here, label = _label(before, first(given, "at", "0")), first(given, "label").strip()
    if what == "rename":
        return editing.rename(before, here, label)
    if what == "merge":
        return editing.merge(before, chosen, label)
    if what == "split":
        return editing.split(before, chosen, label)
    if what == "dissolve":
        return editing.remove(before, here)
    if what == "move":
        return _moved(before, chosen, _label(before, first(given, "target", "0")))
    if what == "place":
        return _placed(house, name, before, here)
    raise HierarchyError("There is no such change.", where="tree", received=repr(what), todo="choose a button")


def _label(tree: Hierarchy, text: str) -> str:
    """A node by its number; numbers of an older tree are refused before, by the revision."""
    return tree.labels[int(text)] if text.isdecimal() and int(text) < len(tree.labels) else ""


def _moved(tree: Hierarchy, chosen: list[str], target: str) -> Hierarchy:
    for label in chosen:
        tree = editing.move(tree, label, target)
    return tree


def _placed(house: House, name: str, tree: Hierarchy, parent: str) -> Hierarchy:
    """All values that the tree lacks, under one group."""
    lacking = review(tree, _counts(house, name) or {}).lacking
    above = next(row for row in tree.rows() if parent in row)
    path = above[above.index(parent) :]
    return Hierarchy.from_rows([*tree.rows(), *([value, *path] for value in lacking)], where=f"column {name!r}")


@of_column
async def build(request: Request, place: int, given: Form) -> Response:
    """Build a tree in one of the ways there are."""
    house = house_of(request)
    desk = house.desk
    declared = desk.declared.get("hierarchy_kinds", {}).get(first(given, "kind"))
    if declared is None or desk.table is None:
        return to(request, "columns")
    name = desk.column(place).name
    settings = given_parameters(declared, given, "build.", f"hierarchy {declared.name!r}")

    def built(made: Hierarchy) -> None:
        desk.change(with_tree(desk.plan, name, made), f"tree of {name} (built: {declared.name})")

    about: dict[str, Any] = {"places": desk.table.places, "reading": desk.table.reading, "column": name}
    about |= {"kind": declared.name, "settings": settings}
    back = f"columns/{place}/tree"
    job = house.workers.submit(Job("build_tree", f"Building a tree for {name}", about, built, back, back))
    return to(request, f"run?job={job.id}")


async def bring(request: Request) -> Response:
    """A tree from a level file."""
    house = house_of(request)
    place = place_in(request)
    if place is None:
        raise HierarchyError("There is no such column.", where="tree", todo="open the table again")
    path = upload_place(house, "tree.csv")
    await taken_in(request, path, LARGEST)
    name = house.desk.column(place).name
    made = parse_levels(path.read_text(encoding="utf-8-sig", errors="replace"), "the level file")
    path.unlink()
    house.desk.change(with_tree(house.desk.plan, name, made), f"tree of {name} (from a file)")
    return JSONResponse({"to": f"{house.door.base}/columns/{place}/tree"})


async def save(request: Request) -> Response:
    """The tree as a level file."""
    desk = house_of(request).desk
    place = place_in(request)
    made = desk.plan.columns[desk.column(place).name].hierarchy if place is not None else None
    return attached(levels_text(made), "tree.csv") if isinstance(made, Hierarchy) else to(request, "columns")


AT = "/columns/{place:int}/tree"
ROUTES = [
    Route(AT, page(_shown)),
    Route(AT, edit, methods=["POST"]),
    Route(AT + "/build", build, methods=["POST"]),
    Route(AT + "/bring", bring, methods=["POST"]),
    Route(AT + "/save", save),
]
