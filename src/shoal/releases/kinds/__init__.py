# SPDX-License-Identifier: Apache-2.0
"""What a release may consist of, one file per kind; see :class:`shoal.releases.kinds.kind.Kind`.

>>> [(kind.name, kind.weaker) for kind in KINDS.values()]
[('classes', False), ('subtables', True), ('boxes', True)]
"""

from __future__ import annotations

from shoal.ground import catalog
from shoal.plan.plan import Plan
from shoal.releases.kinds.boxes import BOXES
from shoal.releases.kinds.classes import CLASSES
from shoal.releases.kinds.kind import Kind
from shoal.releases.kinds.subtables import SUBTABLES

KINDS: dict[str, Kind] = {kind.name: kind for kind in (CLASSES, SUBTABLES, BOXES)}
USUAL = CLASSES.name
"""What is meant where nothing is said."""


def kind_named(name: str) -> Kind:
    """The kind of that name, as methods declare it and manifests tell it."""
    return KINDS[name]


def kind_of_method(method: str) -> Kind:
    """What a method publishes, as its file declares it; nothing of the engine is loaded for that."""
    return kind_named(catalog.find("algorithms", method).declared("CAPABILITIES", "releases") or USUAL)


def announcement(plan: Plan) -> str:
    """What must be said before the plan's method runs, mostly nothing; raises unless the plan accepts it."""
    return kind_of_method(plan.method).announcement(plan)
