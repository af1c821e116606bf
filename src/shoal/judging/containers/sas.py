# SPDX-License-Identifier: Apache-2.0
"""SAS: labels of the file and of its columns; bytes of deleted rows inside its pages are not looked into."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.judging.containers._labelled import described, look_at_labels
from shoal.judging.containers.extras import UNSEEN, Extra, OpenedFile

INSIDE = "may hold deleted rows inside its pages, which are not looked into; publish another format"


def look(opened: OpenedFile) -> Iterator[Extra]:
    """Labels."""
    yield from look_at_labels(opened, described(opened, "read_sas7bdat"))
    yield Extra(UNSEEN, INSIDE)
