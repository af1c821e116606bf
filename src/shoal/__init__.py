# SPDX-License-Identifier: Apache-2.0
"""shoal hides every record of a table in a group of at least k look-alikes, and proves it.

    read table -> roles & hierarchies -> encode -> cluster -> generalise -> check -> measure -> write and report

The front door loads the rest on demand, so that ``import shoal`` and ``shoal --help`` stay instant.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

#: Public name -> module that holds it.
_DOORS = {
    "anonymize": "shoal.pipeline",
    "attack": "shoal.attacking",
    "attribute": "shoal.comparing.attribution",
    "build_hierarchy": "shoal.hierarchies.building",
    "check": "shoal.judging",
    "compare": "shoal.comparing.comparison",
    "intervals": "shoal.analysing.intervals",
    "measure": "shoal.judging",
    "suggest": "shoal.suggesting.suggest",
    "Anonymizer": "shoal.estimating.estimator",
    "Plan": "shoal.plan",
    "ColumnPlan": "shoal.plan",
    "Hierarchy": "shoal.hierarchies.hierarchy",
    "Release": "shoal.releases.release",
    "Suggestion": "shoal.suggesting.suggestion",
    "Verdict": "shoal.privacy_models._protocol",
    "Measurement": "shoal.metrics._protocol",
    "AttackReport": "shoal.attacks._protocol",
    "Attribution": "shoal.comparing.attribution",
    "Comparison": "shoal.comparing.comparison",
    "ShoalError": "shoal.errors",
    "synthetic_patients": "shoal.samples.patients",
}

__all__ = ["__version__", *_DOORS]

if TYPE_CHECKING:
    from shoal.analysing.intervals import intervals as intervals
    from shoal.attacking import attack as attack
    from shoal.attacks._protocol import AttackReport as AttackReport
    from shoal.comparing.attribution import Attribution as Attribution
    from shoal.comparing.attribution import attribute as attribute
    from shoal.comparing.comparison import Comparison as Comparison
    from shoal.comparing.comparison import compare as compare
    from shoal.errors import ShoalError as ShoalError
    from shoal.estimating.estimator import Anonymizer as Anonymizer
    from shoal.hierarchies.building import build_hierarchy as build_hierarchy
    from shoal.hierarchies.hierarchy import Hierarchy as Hierarchy
    from shoal.judging import check as check
    from shoal.judging import measure as measure
    from shoal.metrics._protocol import Measurement as Measurement
    from shoal.pipeline import anonymize as anonymize
    from shoal.plan import ColumnPlan as ColumnPlan
    from shoal.plan import Plan as Plan
    from shoal.privacy_models._protocol import Verdict as Verdict
    from shoal.releases.release import Release as Release
    from shoal.samples.patients import synthetic_patients as synthetic_patients
    from shoal.suggesting.suggest import suggest as suggest
    from shoal.suggesting.suggestion import Suggestion as Suggestion


def __getattr__(name: str) -> Any:
    if name in _DOORS:
        return getattr(import_module(_DOORS[name]), name)
    raise AttributeError(f"module 'shoal' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
