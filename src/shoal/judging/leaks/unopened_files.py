# SPDX-License-Identifier: Apache-2.0
"""Files that were not looked into besides their cells, or not wholly.

Whatever else such a file holds is published with the table. A warning where nothing was looked into; information where
only unused bytes inside a database were not.
"""

from __future__ import annotations

from collections.abc import Iterator

from shoal.judging.containers.extras import UNSEEN, extras_in
from shoal.judging.leak_search import Leak, LeakScene

ADVICE = "publish a format that can be looked into, such as CSV or Parquet, or look into the file by other means"


def find(scene: LeakScene) -> Iterator[Leak]:
    """Files whose containers stay unknown."""
    for path, extra in extras_in(scene, UNSEEN):
        yield Leak("unopened_files", extra.severity, f"file {path.name!r} {extra.said}", ADVICE)
