# SPDX-License-Identifier: Apache-2.0
"""The report as JSON, for programs: the same bytes for the same data, plan and seed.

Numbers that JSON does not know (an undefined measure) are null. There is no path, no time and no cell in it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from shoal.reports.findings import Reported, promise_figures, promise_of, summary_of
from shoal.reports.versions import versions

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
        },
        "columns": [_column(release, name) for name in plan.columns],
        "facts": dict(release.facts),
        "verdict": release.verdict.to_dict(),
        "measurements": [one.to_dict() for one in release.measurements],
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
