# SPDX-License-Identifier: Apache-2.0
"""Protection: how well must people be hidden? k, further promises, the method; all drawn from their declarations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from shoal.faces.app.facts import Declared
from shoal.faces.app.forms import (
    FormField,
    Given,
    field_of,
    given_parameters,
    given_settings,
    parameter_fields,
)
from shoal.faces.app.screens.columns import blocked, size_of
from shoal.faces.app.screens.run import start_run
from shoal.faces.app.showing import House, first, fresh_form, house_of, page, screen, to
from shoal.ground.errors import ShoalError
from shoal.ground.settings import Setting, settings_of
from shoal.plan.plan import Plan
from shoal.studies.space import needed

ELSEWHERE = ("person", "accept", "parameters", "method", "k")
"""Settings that have a place of their own: on the screen of columns, or above the others."""
PRESETS = ((5, "inside one house"), (10, "usual"), (20, "open to everybody"))
"""Sizes that are usual; a convention, not a law."""
TABLES = {
    "privacy": "What is promised",
    "workload": "What it is for",
    "quality": "How good it must be",
    "method": "How it is made",
    "release": "How it is published",
}


def _own() -> list[Setting]:
    return [one for one in settings_of(Plan) if one.name not in ELSEWHERE]


def _groups(plan: Plan, metrics: Mapping[str, Declared]) -> list[tuple[str, list[FormField], list[Declared]]]:
    """The plan's own settings, by the tables of a plan; with those of quality, what can be required."""
    fields = {name: [field_of(one, getattr(plan, one.name)) for one in _own() if one.table == name] for name in TABLES}
    return [(TABLES[name], each, list(metrics.values()) if name == "quality" else []) for name, each in fields.items()]


def _models(house: House) -> list[tuple[Declared, bool, list[FormField]]]:
    asked = house.desk.plan.models
    return [
        (one, name in asked, parameter_fields(one, asked.get(name, {}), f"{name}."))
        for name, one in house.desk.declared.get("privacy_models", {}).items()
    ]


def _method(house: House) -> tuple[list[Declared], list[FormField], Declared | None]:
    methods = house.desk.declared.get("algorithms", {})
    chosen = methods.get(house.desk.plan.method)
    own = parameter_fields(chosen, house.desk.plan.parameters, "method.") if chosen else []
    return list(methods.values()), own, chosen


def _shown(request: Request, problem: ShoalError | None = None) -> Response:
    house = house_of(request)
    if house.desk.table is None:
        return to(request, "")
    methods, own, chosen = _method(house)
    (k,) = (field_of(one, house.desk.plan.k) for one in settings_of(Plan) if one.name == "k")
    return screen(
        request,
        "protection",
        problem=problem,
        k=k,
        presets=PRESETS,
        groups=_groups(house.desk.plan, house.desk.declared.get("metrics", {})),
        models=_models(house),
        methods=methods,
        own=own,
        chosen=chosen,
        private=house.desk.plan.having("sensitive"),
        blocked=blocked(house.desk),
        needs=needed(*size_of(house.desk)),
    )


async def protect(request: Request) -> Response:
    """Take in what was chosen, and run if that is wanted."""
    house = house_of(request)
    given = await fresh_form(request)
    try:
        plan = _changed(house, given)
    except ShoalError as problem:
        return _shown(request, problem)
    house.desk.change(plan, f"protection (k = {plan.k}, {plan.method}{''.join(f', {name}' for name in plan.models)})")
    if first(given, "go") == "run" and not blocked(house.desk):
        return to(request, f"run?job={start_run(house).id}")
    return to(request, "protection")


def _changed(house: House, given: Given) -> Plan:
    """The plan with what a form says; the library refuses what it does not allow."""
    plan, declared = house.desk.plan, house.desk.declared
    settings: dict[str, Any] = given_settings([one for one in settings_of(Plan) if one.name == "k"], given)
    settings |= given_settings(_own(), given)
    if given.get("preset", [""])[0]:
        settings["k"] = int(given["preset"][0])
    models = {
        name: given_parameters(one, given, f"{name}.", f"model {name!r}")
        for name, one in declared.get("privacy_models", {}).items()
        if given.get(f"model.{name}", [""])[0] == "yes"
    }
    method = given.get("method", [plan.method])[0]
    same = method == plan.method and method in declared.get("algorithms", {})
    parameters = (
        given_parameters(declared["algorithms"][method], given, "method.", f"method {method!r}") if same else {}
    )
    if not declared:
        models, parameters = {name: dict(one) for name, one in plan.models.items()}, dict(plan.parameters)
    other = settings.get("effort", plan.effort) != plan.effort
    if other or any(settings.get(name) is not None for name in ("steps", "stop_after", "stop_bound_after")):
        settings["time_budget"] = None if settings["time_budget"] == plan.time_budget else settings["time_budget"]
    return replace(plan, **settings, models=models, method=method, parameters=parameters)


ROUTES = [Route("/protection", page(_shown)), Route("/protection", protect, methods=["POST"])]
