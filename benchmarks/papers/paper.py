# SPDX-License-Identifier: Apache-2.0
"""What a script of this folder says about its paper."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.papers.claims import Claim
from benchmarks.papers.running import Cell, Effort, Figures

WORDS = Path(__file__).parent / "words"
LARGEST, SMALLEST = "largest", "smallest"
"""As the value of a setting of a chart: the largest, or smallest, there is."""


@dataclass(frozen=True)
class Chart:
    """One figure along one setting, a line per method: a picture and a table of the page."""

    name: str
    title: str
    figure: str
    over: str
    where: Mapping[str, Any] = field(default_factory=dict)
    axis: str = ""
    """What the figure is, in words."""
    pictured: bool = True
    """Whether there is a picture beside the table."""


@dataclass(frozen=True)
class Paper:
    """A paper, its experiments and its claims."""

    method: str
    """The method it proposes; the name of its script, page and files."""
    title: str
    reference: str
    setup: str
    """What was run, and how it differs from the paper, in Markdown."""
    claims: Sequence[Claim]
    cells: Callable[[Effort], Iterable[Cell]]
    """The settings that are run."""
    run: Callable[[Cell, int], Figures]
    """One run of a setting, with a seed."""
    drawn: Callable[[str], bool]
    """Whether a method, by the name of its cells, draws."""
    charts: Sequence[Chart]

    @classmethod
    def told(
        cls, method: str, script: Mapping[str, Any], *, drawn: Callable[[str], bool], charts: Iterable[Chart]
    ) -> Paper:
        """A paper whose words stand in ``words/`` and whose cells, run and judges are functions of its script."""
        words = tomllib.loads((WORDS / f"{method}.toml").read_text(encoding="utf-8"))
        claims = [
            Claim(one["where"], one["text"], script[one["judge"]], one.get("why", {})) for one in words.pop("claims")
        ]
        return cls(
            method, **words, claims=claims, cells=script["cells"], run=script["run"], drawn=drawn, charts=[*charts]
        )
