# SPDX-License-Identifier: Apache-2.0
"""How long delimited text takes to be read, beside Polars' own reader told to do the same with the same bytes.

    python -m benchmarks.reading
    python -m benchmarks.reading --rows 100000

Processor seconds of all threads, best of three. Polars is told all that is found out here (separator, encoding, names)
and reads every cell as text; it does not look for rows that are too short, broken quotes or blanks around fields.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

import shoal
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table

ROWS, TIMES = 200_000, 3


@dataclass(frozen=True)
class Case:
    """A way to write the same table, and how each of the two is told to read it."""

    name: str
    written: dict[str, Any] = field(default_factory=dict)
    reading: Reading = field(default_factory=Reading)
    polars: dict[str, Any] = field(default_factory=dict)
    encoding: str = "utf-8"
    """What the text is written in."""
    changed: Callable[[str], str] = str


CASES = (
    Case("comma, header"),
    Case("semicolon", {"separator": ";"}, polars={"separator": ";"}),
    Case("tab", {"separator": "\t"}, polars={"separator": "\t"}),
    Case("no header", {"include_header": False}, Reading(header=False), {"has_header": False}),
    Case("all quoted", {"quote_style": "always"}),
    Case("words for missing", {"null_value": "NA"}, Reading(na=("NA", "?")), {"null_values": ["NA", "?"]}),
    Case("CR LF", {"line_terminator": "\r\n"}),
    Case("latin-1", reading=Reading(encoding="latin-1"), polars={"encoding": "latin-1"}, encoding="latin-1"),
    Case("utf-16", reading=Reading(encoding="utf-16"), polars={"encoding": "utf-16"}, encoding="utf-16"),
    Case("a title above", polars={"skip_lines": 2}, changed=lambda text: f"Patients\n\n{text}"),
)


def seconds(work: Callable[[], Any]) -> float:
    """Processor seconds of the fastest of a few calls."""
    taken = []
    for _ in range(TIMES):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return min(taken)


def main() -> int:
    """Write the table in each way, read it by both, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=ROWS)
    table = shoal.synthetic_patients(parser.parse_args().rows)
    print(f"{'':26}  shoal  Polars  times")
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            path = Path(folder) / "patients.csv"
            path.write_text(case.changed(table.write_csv(**case.written)), encoding=case.encoding, newline="")
            ours = seconds(partial(read_table, path, case.reading))
            theirs = seconds(partial(pl.read_csv, path, infer_schema=False, **case.polars))
            print(f"{case.name:26}  {ours:5.2f}  {theirs:6.2f}  {ours / theirs:5.2f}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
