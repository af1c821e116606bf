# SPDX-License-Identifier: Apache-2.0
"""The same table through another kind of Spark, in a process of its own: ``python -m tests.faces.spark.elsewhere``.

Takes the master or the address of a Connect server, a folder to keep steps in, and optionally a file: the first task
that clusters a cell makes it and kills the executor it runs on.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from tests.faces.spark.conftest import session
from tests.faces.spark.people import people, plan


def digest_of(frame: Any) -> str:
    """All rows, whatever their order."""
    rows = sorted(repr(tuple(row)) for row in frame.collect())
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()


def released(spark: Any, keep: str) -> dict[str, Any]:
    """What comes out, in a few words."""
    import shoal

    made = shoal.spark.release(
        spark.createDataFrame(people().to_arrow()).repartition(3), plan(refine=True, steps=200), keep=keep
    )
    return {"rows": digest_of(made.table), "cells": made.cells, "holds": made.verdict.holds}


def deadly_once(mark: str) -> None:
    """The first cell that is clustered kills the virtual machine above it."""
    from shoal.faces.spark import clustering

    alive = clustering.cluster_cell

    def cluster_cell(*given: Any) -> Any:
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return alive(*given)
        daemon = Path(f"/proc/{os.getppid()}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        os.kill(int(daemon[1]), signal.SIGKILL)
        return alive(*given)

    clustering.cluster_cell = cluster_cell


def main(place: str, keep: str, mark: str = "") -> None:
    """Run and tell."""
    if place.startswith("sc://"):
        from pyspark.sql import SparkSession

        spark = SparkSession.builder.remote(place).getOrCreate()
    else:
        spark = session(place)
    if mark:
        deadly_once(mark)
    print(json.dumps(released(spark, keep)))
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
