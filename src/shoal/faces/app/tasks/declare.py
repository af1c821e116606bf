# SPDX-License-Identifier: Apache-2.0
"""What methods, models, attacks and kinds of trees declare and say of themselves; read once, for all forms."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_type_hints

from shoal.faces.app.bench import Bench
from shoal.faces.app.facts import Declared
from shoal.ground import catalog
from shoal.ground.progress import ProgressCallback
from shoal.releases.kinds import kind_of_method


def run(_bench: Bench, _progress: ProgressCallback) -> dict[str, dict[str, Declared]]:
    """Every method, every model that a plan may ask for, and what else people choose from."""
    return {
        "algorithms": {name: _declared(entry) for name, entry in catalog.entries("algorithms").items()},
        "privacy_models": {
            name: _declared(entry)
            for name, entry in catalog.entries("privacy_models").items()
            if entry.constants("FLAG") or entry.path is None
        },
        **{room: _summaries(room) for room in ("attacks", "metrics")},
        "hierarchy_kinds": {name: _declared(entry) for name, entry in catalog.entries("hierarchy_kinds").items()},
    }


def _summaries(room: str) -> dict[str, Declared]:
    return {name: Declared(name, entry.summary, ()) for name, entry in catalog.entries(room).items()}


def _declared(entry: catalog.Entry) -> Declared:
    module = entry.load()
    kind = module.Parameters
    hints = get_type_hints(kind)
    parameters = tuple((one.name, hints[one.name], one.default, dict(one.metadata)) for one in fields(kind))
    if entry.room != "algorithms":
        return Declared(entry.name, entry.summary, parameters)
    text = entry.docstring
    fast = ("near-linear" in text or "n log n" in text) and not kind_of_method(entry.name).weaker
    return Declared(entry.name, entry.summary, parameters, _badges(entry.name, module.CAPABILITIES), fast)


def _badges(name: str, able: Any) -> tuple[str, ...]:
    """What somebody should know before choosing a method."""
    said = {
        "shows the best so far and can be stopped at any time": able.refined,
        "publishes less than look-alike groups: read first": kind_of_method(name).weaker,
        "numbers only": able.kinds == ("numeric",),
        "may leave rows out": able.suppresses,
        f"slow above {able.largest_rows or 0:,} rows": able.largest_rows,
    }
    return tuple(words for words, true in said.items() if true)
