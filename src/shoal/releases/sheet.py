# SPDX-License-Identifier: Apache-2.0
"""The first page of report.html beside the plan and report.json: the figures that are read and signed.

The page as a whole cannot be drawn anew, for that takes the original: the columns before and after, and what goes
together. What its first page tells follows from the plan and from report.json, so that is looked for in it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from typing import Any

from shoal.ground.wording import one_in, percent
from shoal.plan.plan import Plan
from shoal.releases.kinds.kind import Kind
from shoal.releases.reports.findings import MARKS
from shoal.releases.reports.first_page import FILES, MODELS, form_of, promise_of

TAG = re.compile(r"<[^>]*>")


def missing_in(page: str, report: Mapping[str, Any], plan: Plan, kind: Kind, outputs: Sequence[str]) -> list[str]:
    """What the page does not tell as the plan and the report do; ``outputs`` are the SHA-256 of the tables."""
    told = _words(unescape(TAG.sub(" ", page)))
    said = [*_of_plan(plan, kind), *_of_report(report)]
    if len(outputs) <= FILES:
        said += [("SHA-256 of the table", one) for one in outputs]
    return list(dict.fromkeys(what for what, text in said if _words(text) not in told))


def _words(text: str) -> str:
    """Whole words, one blank around each."""
    return f" {' '.join(text.split())} "


def _of_plan(plan: Plan, kind: Kind) -> Iterator[tuple[str, str]]:
    yield "guarantee", promise_of(plan, kind)
    form = form_of(plan)
    what = ", ".join(name.lower() for name, _ in form)
    yield what, " ".join(f"{name} {value}" for name, value in form)


def _of_report(report: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The figures; the report may hold anything, and what is no figure is looked for nowhere."""
    facts, loss = _table(report, "facts"), _table(report, "loss")
    found = _table(_table(report, "risk"), "prosecutor")
    rows, left = facts.get("released_rows"), facts.get("suppressed")
    if type(rows) is int and type(left) is int:
        yield "number of rows", f"Rows released {rows:,} {left:,} left out"
    if _is_share(loss.get("per_cell")):
        yield "loss", f"Detail blurred {percent(loss['per_cell'])} {loss.get('metric')}, per cell"
    if _is_share(found.get("largest")) and _is_share(found.get("mean")):
        least, mean = one_in(found["largest"]), one_in(found["mean"])
        yield "risk", f"Best guess about a person {least} {mean} on average"
    findings = _table(report, "verdict").get("findings")
    for one in findings[:MODELS] if isinstance(findings, list) else ():
        if isinstance(one, dict) and isinstance(one.get("holds"), bool | None):
            yield "verdict", f"{one.get('model')} {MARKS[one.get('holds')][1]} : {one.get('statement')}"


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and 0 <= value <= 1


def _table(within: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = within.get(name)
    return found if isinstance(found, dict) else {}
