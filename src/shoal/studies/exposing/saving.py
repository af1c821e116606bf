# SPDX-License-Identifier: Apache-2.0
"""Writes what is known of a table's risk: a page, the facts as JSON, and the risk of every row."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from shoal.ground.csv_text import csv_text
from shoal.ground.errors import OutputError
from shoal.ground.json_text import json_text
from shoal.ground.wording import counted
from shoal.ground.writing import unwritable, write_files
from shoal.studies.exposing.page import page

if TYPE_CHECKING:
    from shoal.studies.exposing.risk import RiskReport

FACTS, PAGE, ROWS = "risk.json", "report.html", "rows.csv"
WHAT = "The risk cannot be written there."


def save(risk: RiskReport, folder: Path, *, overwrite: bool = False) -> Path:
    """Write the three files, all or none."""
    contents = {FACTS: json_text(risk.to_dict()) + "\n", PAGE: page(risk), ROWS: rows_text(risk)}
    where, allowed = f"output folder {str(folder)!r}", "a place that exists or can be made, with permission to write"
    try:
        there = [name for name in contents if (folder / name).exists()]
        if there and not overwrite:
            raise OutputError(
                WHAT,
                where=where,
                allowed="a folder without files of these names, or overwrite",
                received=counted(len(there), "file that exists", "files that exist"),
                todo="choose another folder with -o, or add --overwrite",
            )
        folder.mkdir(parents=True, exist_ok=True)
        write_files({folder / name: text for name, text in contents.items()})
    except OSError as problem:
        raise unwritable(problem, WHAT, where, allowed, "choose another folder with -o") from None
    return folder


def rows_text(risk: RiskReport) -> str:
    """Every row by its number: look-alikes, chance of being named, score, and what singles it out."""
    head = ("row", "look_alikes", "risk", "score", "singled_out_by")
    each = zip(risk.look_alikes.tolist(), risk.risks.tolist(), risk.scores.tolist(), risk.smallest_sets, strict=True)
    lines = (
        (number, alike, f"{chance:.6g}", f"{score:.12g}", " + ".join(columns))
        for number, (alike, chance, score, columns) in enumerate(each, 1)
    )
    return csv_text(chain([head], lines))
