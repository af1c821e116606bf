# SPDX-License-Identifier: Apache-2.0
"""The door for Spark: ``shoal.spark.anonymize``, ``release``, ``check`` and ``measure``; see docs/spark.md.

What is behind it is loaded on demand, and says what is missing where Spark is not installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from shoal.ground.catalog import library

#: Public name -> module that holds it.
_DOORS = {
    "anonymize": "shoal.faces.spark.anonymizing",
    "release": "shoal.faces.spark.anonymizing",
    "SparkRelease": "shoal.faces.spark.anonymizing",
    "check": "shoal.faces.spark.checking",
    "measure": "shoal.faces.spark.checking",
}

__all__ = ["SparkRelease", "anonymize", "check", "measure", "release"]

if TYPE_CHECKING:
    from shoal.faces.spark.anonymizing import SparkRelease, anonymize, release
    from shoal.faces.spark.checking import check, measure


def __getattr__(name: str) -> Any:
    if name not in _DOORS:
        raise AttributeError(f"module 'shoal.spark' has no attribute {name!r}")
    for needed in ("pyspark", "pyarrow", "pandas"):
        library(needed, extra="spark", what="shoal.spark")
    return getattr(import_module(_DOORS[name]), name)
