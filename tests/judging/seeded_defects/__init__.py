# SPDX-License-Identifier: Apache-2.0
"""A good release, and every way in which the tests damage one.

Each defect is one function from the good release to a damaged one. Its name says what was done; ``DEFECTS`` of its file
says under which name the checker must report it and what its message must say. A file is about one thing that is bent.
"""

from __future__ import annotations

from tests.judging.seeded_defects import columns, files, labels, rows
from tests.judging.seeded_defects.good_release import Defect

DEFECTS: dict[Defect, tuple[str, str]] = {**rows.DEFECTS, **labels.DEFECTS, **columns.DEFECTS, **files.DEFECTS}
"""What was done -> the name under which the checker reports it, and words of its message."""
