# SPDX-License-Identifier: Apache-2.0
"""The door for Spark: ``shoal.spark.anonymize``, ``release``, ``check`` and ``measure``; see docs/spark.md."""

from __future__ import annotations

from shoal.ground.catalog import library

library("pyspark", extra="spark", what="shoal.spark")
library("pyarrow", extra="spark", what="shoal.spark")

from shoal.faces.spark.anonymizing import SparkRelease, anonymize, release  # noqa: E402  (needs what is asked for above)
from shoal.faces.spark.checking import check, measure  # noqa: E402

__all__ = ["SparkRelease", "anonymize", "check", "measure", "release"]
