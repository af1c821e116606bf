# SPDX-License-Identifier: Apache-2.0
"""Stata: notes and characteristics, value labels that no cell shows. Long texts that no cell points to are not seen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shoal.judging.containers._labelled import described, look_at_labels
from shoal.judging.containers.extras import CONTENT, NOTE, Extra, OpenedFile

CHARACTERISTICS = re.compile(rb"<characteristics>(.*?)</characteristics>", re.DOTALL)


def look(opened: OpenedFile) -> Iterator[Extra]:
    """Labels, notes and characteristics."""
    meta = described(opened, "read_dta")
    yield from look_at_labels(opened, meta)
    if opened.stored.startswith(b"<stata_dta>") and not opened.stored.endswith(b"</stata_dta>"):
        yield Extra(CONTENT, "holds further bytes behind its end")
    told = CHARACTERISTICS.search(opened.stored)
    if told is not None and told[1].strip() and not meta.notes:
        yield Extra(NOTE, "carries notes or characteristics")
