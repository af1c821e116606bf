# SPDX-License-Identifier: Apache-2.0
"""project-lighthouse-anonymize: Mondrian with cuts chosen by their loss, over trees; what stands out is left out."""

from __future__ import annotations

import logging
import sys

sys.path.append(sys.path.pop(0))  # this file has the name of the package it runs

import pandas as pd
from _job import Job, hulls, run
from project_lighthouse_anonymize.gtrees import GTree
from project_lighthouse_anonymize.wrappers.k_anonymize import k_anonymize

REQUIRES = ("project-lighthouse-anonymize==1.0.0",)


def anonymise(table: pd.DataFrame, job: Job) -> pd.DataFrame:
    """Numbers come back as the mean of their class: the range of its members is shown instead, as others publish it."""
    table = table[job.quasi_identifiers].assign(row=range(len(table)))
    trees = {name: tree(job.levels(name)) for name in job.categorical}
    rows, _, _ = k_anonymize(logging.getLogger(), table, job.quasi_identifiers, job.k, trees, "row", parallelism=None)
    original = table.set_index("row").loc[rows["row"]].reset_index(drop=True)
    rows = rows.reset_index(drop=True)
    classes = rows.groupby(job.quasi_identifiers, dropna=False, sort=False).ngroup()
    shown = hulls(original, job, classes)
    shown[list(job.categorical)] = rows[list(job.categorical)]
    return shown


def tree(levels: list[list[str]]) -> GTree:
    """A tree from a level file, top down."""
    made = GTree()
    nodes = {("*",): made.create_node("*")}
    for line in zip(*levels):
        path = ("*",)
        for name in reversed(line[:-1]):
            above, path = path, (*path, name)
            if path not in nodes:
                nodes[path] = made.create_node(name, parent=nodes[above])
    made.add_default_geometric_sizes()
    return made


if __name__ == "__main__":
    run(anonymise)
