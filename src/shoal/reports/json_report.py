# SPDX-License-Identifier: Apache-2.0
"""The report as JSON, for programs: the same bytes for the same data, plan and seed.

Numbers that JSON does not know (an undefined measure) are null. There is no path, no time and no cell of the original
in it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from shoal.reports.findings import (
    Reported,
    definition_of,
    main_loss,
    measured,
    per_cell,
    promise_figures,
    promise_of,
    risk,
    summary_of,
    verification,
)
from shoal.reports.versions import versions
from shoal.reports.words import GLOSSARY, NOT_COVERED

FORMAT = "shoal report 1"


def report_dict(release: Reported) -> dict[str, Any]:
    """The report as plain Python objects."""
    plan = release.plan
    report = {
        "format": FORMAT,
        "guarantee": {
            "statement": promise_of(release),
            **promise_figures(release),
            "missing": plan.missing,
            "models": {name: dict(parameters) for name, parameters in plan.models.items()},
        },
        "method": {
            "name": plan.method,
            "summary": summary_of("algorithms", plan.method),
            "parameters": dict(plan.parameters),
            "loss": plan.loss,
            "seed": plan.seed,
            "search": {"steps": plan.steps, "stop_after": plan.stop_after} if plan.steps is not None else None,
        },
        "columns": [_column(release, name) for name in plan.columns],
        "facts": dict(release.facts),
        "verdict": release.verdict.to_dict(),
        "measurements": [one.to_dict() for one in release.measurements],
        "loss": _loss(release),
        "certificate": release.certificate and release.certificate.to_dict(),
        "risk": _risk(release),
        "before_and_after": release.portrait and release.portrait.to_dict(),
        "not_covered": list(NOT_COVERED),
        "verify": [{"command": command, "purpose": told} for command, told in verification(release).items()],
        "glossary": dict(GLOSSARY),
        "versions": versions(),
    }
    plain: dict[str, Any] = as_json(report)
    return plain


def report_json(release: Reported) -> str:
    """The report as JSON text."""
    return json.dumps(report_dict(release), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def as_json(value: Any) -> Any:
    """The same value in types JSON knows; what is not finite becomes null."""
    if isinstance(value, Mapping):
        return {str(key): as_json(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(one) for one in value]
    if hasattr(value, "tolist"):  # numpy scalars and arrays
        return as_json(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    raise TypeError(f"a {type(value).__name__} has no place in a report")


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
    at_risk = next((one for one in release.measurements if one.metric == "records_at_risk"), None)
    return {
        "limit": 1 / release.plan.k,
        "prosecutor": {"largest": found.largest, "mean": found.mean} if found else None,
        "journalist": measured(release, "journalist_risk"),
        "marketer": measured(release, "marketer_risk"),
        "share_at_risk": dict(at_risk.figures) if at_risk else None,
    }


def _column(release: Reported, name: str) -> dict[str, Any]:
    column = release.plan.columns[name]
    recognisable = name in release.plan.quasi_identifiers
    return {
        "name": name,
        "role": column.role,
        "kind": column.kind,
        "hierarchy": column.hierarchy is not None,
        "weight": column.weight,
        "render": release.plan.rendering(name) if recognisable else None,
    }
