# SPDX-License-Identifier: Apache-2.0
"""ARX, from a jar that the user gives: the best coding of whole columns, and local recoding that starts from there."""

from __future__ import annotations

import os
from pathlib import Path

import pandas as pd
from _job import Job, read_job, run_elsewhere, tree_of_numbers

NEEDS = "ARX_JAR"
REQUIRES = ("pandas",)
OPTIONS = ("one coding", "local recoding")
HEAP = "-Xmx4g"


def command(job: Job, folder: Path) -> list[str]:
    """Trees are level files, as ARX reads them; ages get the same ranges as everybody's who needs a tree."""
    _, table = read_job()
    trees = dict(job.trees)
    for name in job.numeric:
        trees[name] = str(folder / f"tree {name}.csv")
        levels = pd.DataFrame(tree_of_numbers(table[name]))
        levels.to_csv(trees[name], sep=";", header=False, index=False)
    driver = Path(__file__).with_name("Arx.java")
    asked = [
        job.option,
        job.k,
        job.suppression,
        *(folder / name for name in ("first.csv", "table.csv", "released.csv")),
    ]
    pairs = [f"{name}={path}" for name, path in trees.items()]
    return ["java", HEAP, "-cp", os.environ[NEEDS], str(driver), *map(str, asked), *pairs]


def without_gone(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows that ARX gives up are published as stars in every cell: such rows are lost."""
    return rows[(rows != "*").any(axis=1)]


if __name__ == "__main__":
    run_elsewhere(command, without_gone)
