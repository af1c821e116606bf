# SPDX-License-Identifier: Apache-2.0
"""The flags of the privacy models, each written ``[KIND:]NUMBER[:NUMBER]``, and that of the population."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from shoal.cli._flags import Flag, flag_name, together
from shoal.errors import PlanError

Numbers = Mapping[str, Callable[[str], float]]
"""The parameters that stand behind each other, and how each is read."""


def number(text: str) -> float:
    """A finite number as it was written, whole or not, so that the plan says it in the same way.

    >>> number("3"), number("2.5")
    (3, 2.5)
    """
    with suppress(ValueError):
        return int(text)
    read = float(text)
    if not math.isfinite(read):
        raise ValueError
    return read


@dataclass(frozen=True)
class ModelFlag:
    """How the parameters of one model are written."""

    flag: str
    model: str
    forms: Mapping[str, Sequence[Numbers]]
    """The numbers that each kind takes; the kind "" is that of a claim which names none."""
    usual: str
    """The kind that is meant where none is named; "" leaves it to the model."""
    metavar: str
    help: str
    examples: str

    def option(self) -> Flag[Any]:
        """The flag for click; its value has the name of the model."""
        return click.option(self.flag, self.model, callback=self.understood, metavar=self.metavar, help=self.help)

    def understood(self, _context: click.Context, param: click.Parameter, text: str | None) -> dict[str, Any] | None:
        """The parameters of the model, as a plan writes them."""
        if text is None:
            return None
        parts = text.split(":")
        kind, given = (parts[0], parts[1:]) if parts[0] and parts[0] in self.forms else (self.usual, parts)
        for form in self.forms[kind]:
            if len(form) == len(given):
                with suppress(ValueError):
                    read = {name: form[name](one) for name, one in zip(form, given, strict=True)}
                    return ({"kind": kind} if kind else {}) | read
        raise PlanError(
            f"The claim of {self.model.replace('_', '-')} cannot be read.",
            where=flag_name(param),
            allowed=self.examples,
            received=repr(text),
            todo=f"write it like {self.flag} {self.examples.partition(',')[0].partition(' ')[0]}",
        )


FLAGS = (
    ModelFlag(
        "--l-diversity",
        "l_diversity",
        {
            "distinct": [{"l": int}],
            "frequency": [{"l": number}],
            "entropy": [{"l": number}],
            "recursive": [{"l": int, "c": number}],
        },
        "distinct",
        "[KIND:]L",
        "Private values per class: 3 (distinct), frequency:3, entropy:2.5 or recursive:3:2.",
        "3 or distinct:3, frequency:3, entropy:2.5, recursive:3:2 (l, then c)",
    ),
    ModelFlag(
        "--t-closeness",
        "t_closeness",
        {key: [{"t": number}] for key in ("", "equal", "ordered", "hierarchical")},
        "",
        "[KIND:]T",
        "How far private values of a class may be from the whole table: 0.2, equal:0.2, ordered:0.2, hierarchical:0.2.",
        "0.2 (by the column's tree, else its order), equal:0.2, ordered:0.2, hierarchical:0.2",
    ),
    ModelFlag(
        "--alpha",
        "alpha_k",
        {"": [{"alpha": number}]},
        "",
        "SHARE",
        "Largest share of a private value in a class, e.g. 0.5.",
        "0.5, or any share from 0 to 1",
    ),
    ModelFlag(
        "--beta",
        "beta_likeness",
        {key: [{"beta": number}] for key in ("", "basic", "enhanced")},
        "",
        "[KIND:]BETA",
        "How much commoner a private value may be in a class than in the table: 2 (enhanced) or basic:2.",
        "2 (enhanced), enhanced:2, basic:2",
    ),
    ModelFlag(
        "--delta-disclosure",
        "delta_disclosure",
        {"": [{"delta": number}]},
        "",
        "DELTA",
        "What |ln(share in class / share in table)| of private values stays below, e.g. 1.5.",
        "1.5, or any number above 0",
    ),
    ModelFlag(
        "--k-map",
        "k_map",
        {"": [{"k": int}]},
        "",
        "K",
        "Fewest people of the --population whom a row looks like.",
        "5, or any whole number from 1",
    ),
    ModelFlag(
        "--delta-presence",
        "delta_presence",
        {"": [{"delta_max": number}, {"delta_min": number, "delta_max": number}]},
        "",
        "[MIN:]MAX",
        "Between which chances anybody of the --population is in the table, e.g. 0.1:0.4.",
        "0.1:0.4 (least, then most), or 0.4 alone",
    ),
)

MODELS = tuple(one.model for one in FLAGS)
"""Models that have a flag."""


def _population(_context: click.Context, _param: click.Parameter, text: str | None) -> Path | int | None:
    """A number of people, or the path of a table of them."""
    if text is None:
        return None
    return int(text) if text.isascii() and text.isdigit() else Path(text)


model_flags: Flag[Any] = together(
    *(one.option() for one in FLAGS),
    click.option(
        "--population",
        callback=_population,
        metavar="FILE|N",
        help="A table of all the people of whom TABLE holds some, or their number.",
    ),
)
