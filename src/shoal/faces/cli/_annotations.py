# SPDX-License-Identifier: Apache-2.0
"""A verdict as annotations of a pipeline: lines that GitHub and its likes show beside the file concerned.

``::error file=table.csv,title=shoal k_anonymity::k = 3, but 5 was claimed ...``. What breaks is an error, a leak that
breaks no model a warning, a question and information a notice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shoal.judging.verdicts import Verdict

FORMS = ("github",)
LEVELS = {"breaks": "error", "warning": "warning", "question": "notice", "information": "notice"}


def annotation_lines(
    verdict: Verdict, problems: Iterable[str], path: Path, *, strict: bool = False, explain: bool = False
) -> Iterator[str]:
    """One line per broken promise, problem of the folder, and leak; information only if asked for."""
    for finding in verdict.findings:
        if finding.holds is False or not finding.judged:
            yield _line("error", path, finding.model, finding.statement)
    for problem in problems:
        yield _line("error", path, "release folder", problem)
    for leak in verdict.leaks:
        if leak.severity == "breaks" or (leak.severity == "information" and not explain):
            continue  # what breaks is a finding, too
        level = "error" if strict and leak.severity == "warning" else LEVELS[leak.severity]
        yield _line(level, path, leak.kind, f"{leak.statement}. What to do: {leak.todo}")
    for warning in set(verdict.warnings) - {leak.statement for leak in verdict.leaks}:
        yield _line("error" if strict else "warning", path, "check", warning)


def _line(level: str, path: Path, title: str, message: str) -> str:
    return f"::{level} file={_property(path.as_posix())},title={_property(f'shoal {title}')}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
