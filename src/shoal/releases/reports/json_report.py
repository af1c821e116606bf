# SPDX-License-Identifier: Apache-2.0
"""The report as JSON, for programs: the same bytes for the same data, plan and seed.

Numbers that JSON does not know (an undefined measure) are null. There is no path, no time and no cell of the original
in it.
"""

from __future__ import annotations

from typing import Any

from shoal.ground.json_text import json_text, plain
from shoal.judging.evidence import per_cell
from shoal.judging.exposures import RULE
from shoal.plan.plan import Plan
from shoal.releases.reports.findings import (
    Reported,
    definition_of,
    exposures_of,
    gates_passed,
    main_loss,
    measured,
    measurement_of,
    remedy_sentences,
    risk,
    rows_given_away,
    summary_of,
    typical_widths,
    verification,
    workload_told,
)
from shoal.releases.reports.versions import versions
from shoal.releases.reports.words import GLOSSARY, NOT_COVERED, NOT_FOR_PUBLICATION

FORMAT = "shoal report 1"


def report_dict(release: Reported) -> dict[str, Any]:
    """The report as plain Python objects."""
    plan = release.plan
    report = {
        "publish": NOT_FOR_PUBLICATION,
        "format": FORMAT,
        "guarantee": {
            "statement": release.kind.statement(release.plan),
            **release.kind.promised(release),
            "missing": plan.missing,
            "models": {name: dict(parameters) for name, parameters in plan.models.items()},
        },
        "method": {
            "name": plan.method,
            "summary": summary_of("algorithms", plan.method),
            "parameters": dict(plan.parameters),
            "loss": plan.loss,
            "seed": plan.seed,
            "learnt_weights": dict(release.record.learnt) or None,
            "search": {"steps": plan.steps, "stop_after": plan.stop_after} if plan.steps is not None else None,
        },
        "provenance": _provenance(release),
        "columns": columns_of_plan(plan),
        "accepted": list(plan.accept),
        "facts": dict(release.facts),
        "notes": list(release.notes),
        "verdict": release.verdict.to_dict(),
        "quality": [{"holds": one.holds, "statement": one.statement, **one.figures} for one in gates_passed(release)],
        "workload": workload_told(release),
        "measurements": [one.to_dict() for one in release.measurements],
        "loss": _loss(release),
        "typical_width": [
            {"column": one.column, "width": one.width, "unit": one.unit or None, "of_iqr": one.share}
            for one in typical_widths(release)
        ],
        "certificate": release.certificate and release.certificate.to_dict(),
        "uncertified": release.uncertified or None,
        "risk": _risk(release),
        "given_away": _given_away(release),
        "before_and_after": release.portrait and release.portrait.to_dict(),
        "not_covered": list(NOT_COVERED),
        "verify": [{"command": command, "purpose": told} for command, told in verification(release).items()],
        "glossary": dict(GLOSSARY),
        "versions": versions(),
    }
    facts: dict[str, Any] = plain(report)
    return facts


def report_json(release: Reported) -> str:
    """The report as JSON text."""
    return json_text(report_dict(release)) + "\n"


def _loss(release: Reported) -> dict[str, Any] | None:
    """The loss that the plan asked to keep low, with its name and definition."""
    loss = main_loss(release)
    if loss is None:
        return None
    told = definition_of("metrics", loss.metric)
    return {
        "metric": loss.metric,
        "definition": {"summary": told.summary, "formula": told.formula, "text": list(told.texts)},
        "total": loss.value,
        "per_cell": per_cell(loss),
        "per_column": dict(loss.per_column),
    }


def _risk(release: Reported) -> dict[str, Any]:
    """Chances of the three attackers, and the share of rows at risk."""
    found = risk(release)
    at_risk = measurement_of(release, "records_at_risk")
    return {
        "limit": 1 / release.plan.k,
        "prosecutor": {"largest": found.largest, "mean": found.mean} if found else None,
        "journalist": measured(release, "journalist_risk"),
        "marketer": measured(release, "marketer_risk"),
        "share_at_risk": dict(at_risk.figures) if at_risk else None,
    }


def _provenance(release: Reported) -> dict[str, Any]:
    """Who releases what, why and when, as far as the plan says; fingerprints of what was read and written."""
    plan = release.plan
    said = {name: getattr(plan, name) for name in ("title", "purpose", "responsible", "contact", "date")}
    return {**said, "input": [dict(one) for one in release.inputs], "output": dict(release.outputs)}


def _given_away(release: Reported) -> dict[str, Any] | None:
    """Rows whose private value the look-alikes tell, by column; what would stop it."""
    found = exposures_of(release)
    if not found:
        return None
    ways = ("certain", "nearly", "narrow")
    return {
        "rows": rows_given_away(release),
        "rule": RULE,
        "columns": {one.column: {way: getattr(one, way) for way in ways} for one in found},
        "statements": [one.sentence() for one in found if one.total],
        "remedies": [one.to_dict() for one in release.remedies],
        "advice": remedy_sentences(release),
    }


def columns_of_plan(plan: Plan) -> list[dict[str, Any]]:
    """What the plan says about each column, in the report's words."""
    return [
        {
            "name": name,
            "role": column.role,
            "kind": column.kind,
            "hierarchy": column.hierarchy is not None,
            "weight": column.weight,
            "scale": column.scale,
            "levels": column.levels,
            "render": plan.rendering(name) if name in plan.quasi_identifiers else None,
        }
        for name, column in plan.columns.items()
    ]
