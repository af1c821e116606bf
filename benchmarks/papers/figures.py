# SPDX-License-Identifier: Apache-2.0
"""The figures of a paper's experiments: written to a CSV file, read from it, looked up."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Figures:
    """Rows of settings and figures; a figure has its spread, a standard deviation, beside it."""

    rows: Sequence[Row]

    @classmethod
    def read(cls, path: Path) -> Figures:
        """From a file."""
        with path.open(encoding="utf-8", newline="") as file:
            return cls([{name: _value(cell) for name, cell in row.items()} for row in csv.DictReader(file)])

    def text(self) -> str:
        """As a file."""
        out = io.StringIO()
        writer = csv.DictWriter(out, list(self.rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _written(value) for name, value in row.items()} for row in self.rows)
        return out.getvalue()

    def where(self, **settings: Any) -> Figures:
        """The rows with these settings."""
        return Figures([row for row in self.rows if all(row[name] == value for name, value in settings.items())])

    def values(self, setting: str) -> list[Any]:
        """The different values of a setting, ascending."""
        return sorted({row[setting] for row in self.rows})

    def line(self, figure: str, over: str) -> dict[Any, float]:
        """A figure along a setting; there must be one row for each value."""
        found = {row[over]: row[figure] for row in self.rows}
        if len(found) != len(self.rows):
            raise ValueError(f"several rows for one value of {over}")
        return dict(sorted(found.items()))

    def one(self, figure: str) -> float:
        """A figure of the only row."""
        (row,) = self.rows
        return float(row[figure])


def _value(cell: str) -> Any:
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            continue
    return cell


def _written(value: Any) -> Any:
    """Six digits: more than any of them holds."""
    return f"{value:.6g}" if isinstance(value, float) else value
