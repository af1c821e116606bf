# SPDX-License-Identifier: Apache-2.0
"""shoal hides every record of a table in a group of at least k look-alikes, and proves it.

    read table -> roles & hierarchies -> encode -> cluster -> generalise -> check -> measure -> write and report

The front door loads the rest on demand, so that ``import shoal`` and ``shoal --help`` stay instant.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

#: Public name -> module that holds it.
_DOORS = {
    "anonymize": "shoal.faces.anonymize",
    "attack": "shoal.releases.attacking",
    "attribute": "shoal.studies.comparing.attribution",
    "build_hierarchy": "shoal.hierarchies.building",
    "check": "shoal.releases.judging",
    "check_as_sql": "shoal.judging.in_database",
    "check_in_database": "shoal.judging.in_database",
    "compare": "shoal.studies.comparing.comparison",
    "forecast": "shoal.studies.forecasting",
    "intervals": "shoal.faces.intervals",
    "measure": "shoal.releases.judging",
    "risk": "shoal.studies.exposing.risk",
    "suggest": "shoal.suggesting.suggest",
    "Anonymizer": "shoal.faces.estimating.estimator",
    "Plan": "shoal.plan.plan",
    "ColumnPlan": "shoal.plan.columns",
    "Hierarchy": "shoal.hierarchies.hierarchy",
    "Release": "shoal.releases.release",
    "Suggestion": "shoal.suggesting.suggestion",
    "Verdict": "shoal.judging.verdicts",
    "Measurement": "shoal.judging.evidence",
    "AttackReport": "shoal.judging.attempts",
    "Attribution": "shoal.studies.comparing.attribution",
    "Comparison": "shoal.studies.comparing.comparison",
    "RiskReport": "shoal.studies.exposing.risk",
    "PrivacyWarning": "shoal.ground.errors",
    "ShoalError": "shoal.ground.errors",
    "synthetic_patients": "shoal.studies.samples.patients",
}

#: Modules that are public as they are.
_MODULES = ("spark",)

__all__ = ["__version__", *_DOORS, *_MODULES]

if TYPE_CHECKING:
    from shoal import spark as spark
    from shoal.faces.anonymize import anonymize as anonymize
    from shoal.faces.estimating.estimator import Anonymizer as Anonymizer
    from shoal.faces.intervals import intervals as intervals
    from shoal.ground.errors import PrivacyWarning as PrivacyWarning
    from shoal.ground.errors import ShoalError as ShoalError
    from shoal.hierarchies.building import build_hierarchy as build_hierarchy
    from shoal.hierarchies.hierarchy import Hierarchy as Hierarchy
    from shoal.judging.attempts import AttackReport as AttackReport
    from shoal.judging.evidence import Measurement as Measurement
    from shoal.judging.in_database import check_as_sql as check_as_sql
    from shoal.judging.in_database import check_in_database as check_in_database
    from shoal.judging.verdicts import Verdict as Verdict
    from shoal.plan.columns import ColumnPlan as ColumnPlan
    from shoal.plan.plan import Plan as Plan
    from shoal.releases.attacking import attack as attack
    from shoal.releases.judging import check as check
    from shoal.releases.judging import measure as measure
    from shoal.releases.release import Release as Release
    from shoal.studies.comparing.attribution import Attribution as Attribution
    from shoal.studies.comparing.attribution import attribute as attribute
    from shoal.studies.comparing.comparison import Comparison as Comparison
    from shoal.studies.comparing.comparison import compare as compare
    from shoal.studies.exposing.risk import RiskReport as RiskReport
    from shoal.studies.exposing.risk import risk as risk
    from shoal.studies.forecasting import forecast as forecast
    from shoal.studies.samples.patients import synthetic_patients as synthetic_patients
    from shoal.suggesting.suggest import suggest as suggest
    from shoal.suggesting.suggestion import Suggestion as Suggestion


def __getattr__(name: str) -> Any:
    if name in _DOORS:
        return getattr(import_module(_DOORS[name]), name)
    if name in _MODULES:
        return import_module(f"shoal.{name}")
    raise AttributeError(f"module 'shoal' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
