# SPDX-License-Identifier: Apache-2.0
"""Writes what a comparison found: JSON, CSV, one HTML page, and the plots as SVG files."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.ground.json_text import json_text
from shoal.studies.comparing.storing import MARK, claim, write_text

if TYPE_CHECKING:
    from shoal.studies.comparing.comparison import Comparison

PLOTS = {"loss_k": "loss-k.svg", "loss_time": "loss-time.svg", "columns": "columns.svg"}


def save(comparison: Comparison, folder: Path) -> Path:
    """Write every file, each whole or not at all."""
    from shoal.studies.comparing.page import page

    claim(folder)
    files = {
        MARK: json_text(comparison.to_dict()) + "\n",
        "comparison.csv": csv_text(comparison.records),
        "report.html": page(comparison),
    }
    if any(comparison.standings.values()):
        files |= {name: comparison.plot(kind).svg for kind, name in PLOTS.items()}
    if comparison.attributions:
        files["attribution.csv"] = csv_text([one for each in comparison.attributions for one in each.records])
        files |= {f"attribution-k{one.k}.svg": one.plot().svg for one in comparison.attributions}
    for name, text in files.items():
        write_text(folder / name, text)
    return folder


def csv_text(records: Sequence[Mapping[str, Any]]) -> str:
    """Records as CSV; what is not known is an empty field."""
    held = io.StringIO()
    writer = csv.DictWriter(held, list(records[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: "" if value is None else value for name, value in one.items()} for one in records)
    return held.getvalue()
