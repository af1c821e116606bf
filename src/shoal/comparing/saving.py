# SPDX-License-Identifier: Apache-2.0
"""Writes what a comparison found: JSON, CSV, one HTML page, and the plots as SVG files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.comparing.storing import MARK, claim, write_text

if TYPE_CHECKING:
    from shoal.comparing.comparison import Comparison

PLOTS = {"loss_k": "loss-k.svg", "loss_time": "loss-time.svg", "columns": "columns.svg"}


def save(found: Comparison, folder: Path) -> Path:
    """Write every file, each whole or not at all."""
    from shoal.comparing.page import page

    claim(folder)
    whole = json.dumps(found.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    files = {MARK: whole, "comparison.csv": csv_text(found.records), "report.html": page(found)}
    if any(found.standings.values()):
        files |= {name: found.plot(kind).svg for kind, name in PLOTS.items()}
    if found.attributions:
        files["attribution.csv"] = csv_text([one for each in found.attributions for one in each.records])
        files |= {f"attribution-k{one.k}.svg": one.plot().svg for one in found.attributions}
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
