# SPDX-License-Identifier: Apache-2.0
"""SAS (.sas7bdat), read only, with variable labels and formats; needs the extra stats-formats.

Carries names, numbers, text, dates, moments and variable labels. Value labels stand in a catalogue of their own: one
with the same name and the ending .sas7bcat beside the file is used. Nobody but SAS writes such files, so a release is
written as SPSS, which SAS imports with all labels; --format chooses another.
"""

from __future__ import annotations

import re
from pathlib import Path

from shoal.tables.formats import _labelled
from shoal.tables.reading import Reading
from shoal.tables.table import Table

EXTENSIONS: tuple[str, ...] = (".sas7bdat",)
EXTRA = "stats-formats"
RELEASED_AS = "spss"
KEEPS = "names, their order, text, numbers, dates, moments, variable labels, value labels of a catalogue"
LOSES = {"writing": "not possible; the release is written as SPSS", "empty text": "comes back as missing"}

WHOLE = re.compile(r"(?:F|BEST|COMMA|Z)?\d*(?:\.0?)?")


def read(path: Path, reading: Reading) -> tuple[Table, Reading]:
    """Read a file, with the labels of the catalogue beside it."""
    catalogue = path.with_suffix(".sas7bcat")
    beside = catalogue if catalogue.is_file() else None
    return _labelled.read_labelled(path, "read_sas7bdat", "SAS", WHOLE, beside), reading
