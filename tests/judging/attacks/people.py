# SPDX-License-Identifier: Apache-2.0
"""Random people, their releases, and the plain truth about who may be whom, found without reading a label."""

from __future__ import annotations

import warnings
from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl

import shoal

TREE = [["a", "ab", "*"], ["b", "ab", "*"], ["c, d", "*"], ['"e"', "ef", "*"], ["f}", "ef", "*"], ["unused", "*"]]
QUASI_IDENTIFIERS = ["whole", "real", "day", "size", "tree", "flat", "code"]
RANGES = ("whole", "real", "day", "size")
SIZES = ["S", "M, or so", "L", "XL"]
K = 4


def people(seed: int, missing: float = 0.0, rows: int = 60) -> pl.DataFrame:
    """A table with every kind of column, two private ones, and a share of missing cells."""
    random = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "whole": random.integers(-20, 60, rows),
            "real": np.round(random.normal(0, 3, rows), 2),
            "day": [date(2019, 12, 20) + timedelta(days=int(one)) for one in random.integers(0, 90, rows)],
            "size": pl.Series(random.choice(SIZES, rows), dtype=pl.Enum(SIZES)),
            "tree": random.choice([row[0] for row in TREE[:5]], rows),
            "flat": random.choice(["x", "y", "z w"], rows),
            "code": random.choice(["8001", "8002", "8100", "9001"], rows),
        }
    )
    holes = random.random((rows, len(frame.columns))) < missing
    frame = frame.with_columns(
        pl.when(pl.Series(holes[:, place])).then(None).otherwise(pl.col(name)).alias(name)
        for place, name in enumerate(frame.columns)
    )
    private = pl.Series("disease", random.choice(["flu", "cold", "gout"], rows, p=[0.6, 0.3, 0.1]))
    return frame.with_columns(private, pl.Series("cost", random.integers(0, 9, rows)))


def released(table: Any, method: str = "mondrian", **others: Any) -> shoal.Release:
    """A release of the people."""
    settings: dict[str, Any] = {
        "k": K,
        "quasi_identifiers": QUASI_IDENTIFIERS,
        "sensitive": ["disease", "cost"],
        "hierarchies": {"tree": TREE},
        "kinds": {"code": "text-prefix"},
        "accept_weaker": True,
        **others,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return shoal.anonymize(table, method=method, **settings)


def candidates(table: pl.DataFrame, release: shoal.Release, on: list[str], render: str) -> np.ndarray:
    """[target, released row] whether the row may be the target's, from the members of its class."""
    allowed = np.ones((len(table), len(release.rows)), dtype=bool)
    for name in on:
        cells = table.get_column(name).to_list()
        per_class = {}
        for number in set(release.classes.tolist()):
            members = [cells[row] for row in np.flatnonzero(release.classes == number)]
            per_class[number] = [may_be(name, members, cell, render) for cell in cells]
        allowed &= np.array([per_class[release.classes[row]] for row in release.rows]).T
    return allowed


def may_be(name: str, members: list[Any], cell: Any, render: str) -> bool:
    """Whether a class with these cells, published, allows the cell: by the definition of each rendering."""
    present = [one for one in members if one is not None]
    if name in RANGES:
        if name == "size":
            present, cell = [SIZES.index(one) for one in present], None if cell is None else SIZES.index(cell)
        if None in members and (present or render == "bounds"):
            return True
        if cell is None or not present:
            return cell is None and not present
        return cell in present if render == "set" else min(present) <= cell <= max(present)
    if None in members and present:
        return True
    if not present:
        return cell is None
    if len(set(present)) == 1 or render == "set":
        return cell in present
    return below(name, present, cell)


def below(name: str, present: list[str], cell: str | None) -> bool:
    """Whether a cell lies below the lowest node above some different values; the root allows missing ones too."""
    if name == "flat":
        return True
    if name == "tree":
        paths = {row[0]: row for row in TREE}
        common = [node for node in paths[present[0]] if all(node in paths[one] for one in present)]
        return common[0] == "*" or (cell is not None and common[0] in paths[cell])
    stem = common_start(present)
    return not stem or (cell is not None and cell.startswith(stem))


def common_start(codes: list[str]) -> str:
    """The letters that all codes begin with."""
    alike = ""
    for letters in zip(*codes, strict=True):
        if len(set(letters)) > 1:
            break
        alike += letters[0]
    return alike
