# SPDX-License-Identifier: Apache-2.0
"""Trees by a public classification: what a value stands for leads to its groups, from narrow to wide.

Every kind of this family has ``groups_of(said)``: for what each value says its groups, or None where the
classification does not know it. The lists stand as data in ``hierarchies/classifications``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from shoal.ground.errors import HierarchyError
from shoal.ground.parameters import choice
from shoal.hierarchies.hierarchy import ROOT, Hierarchy
from shoal.hierarchies.values import Values, free_label, tree_of

DATA = Path(__file__).parents[1] / "classifications"
LETTERS = str.maketrans({"ß": "ss", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "Ae", "’": "'"})

Groups = tuple[str, ...]
GroupsOf = Callable[[Sequence[str]], list[Groups | None]]


@dataclass(frozen=True)
class Parameters:
    """What to do about values that the classification does not know."""

    unknown: str = choice("values that it does not know: under the root, or refused", "root", "refuse")


def build_classified(values: Values, parameters: Parameters, groups_of: GroupsOf, known: str) -> Hierarchy:
    """The tree of the groups; levels that group nothing are left out. ``known`` says what values may be."""
    found = groups_of(values.said)
    _check_known(values, found, parameters.unknown == "refuse", known)
    taken = {*values.texts, ROOT}
    names: dict[str, str] = {}
    rows = []
    for text, groups in zip(values.texts, found):
        for label in groups or ():
            names[label] = names.get(label) or free_label(label, taken)
        rows.append([text, *(names[label] for label in groups or ()), ROOT])
    order = sorted(range(len(rows)), key=lambda at: (found[at] is None, rows[at][-2:0:-1], values.texts[at]))
    return tree_of([rows[at] for at in order], values)


def _check_known(values: Values, found: Sequence[Groups | None], refuse: bool, known: str) -> None:
    lacking = sum(groups is None for groups in found)
    if lacking and (refuse or lacking == len(found)):
        raise HierarchyError(
            "The classification does not know the values of this column.",
            where=values.where,
            allowed=known,
            received=f"{lacking} of {len(found)} distinct values that it does not know",
            todo="build another kind of tree, or give the groups with a mapping",
        )


def lines(name: str) -> Iterator[list[str]]:
    """The lines of a classification."""
    for line in (DATA / f"{name}.csv").read_text(encoding="utf-8").splitlines():
        yield line.split(";")


def plain(text: str) -> str:
    """A name without accents, case and marks, as it is looked up.

    >>> plain("Côte d'Ivoire"), plain("United-States"), plain("Trinadad&Tobago")
    ('cote d ivoire', 'united states', 'trinadad tobago')
    """
    parted = unicodedata.normalize("NFKD", text.translate(LETTERS))
    letters = "".join(mark for mark in parted if not unicodedata.combining(mark))
    return " ".join(re.findall(r"[a-z0-9]+", letters.casefold()))


def padded(codes: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Codes of digits with the zeros in front that a program took for nothing; decimals ``.0`` go.

    The longest code tells the width, if that is one of the ``widths``; other texts stay as they are.
    """
    whole = [re.sub(r"^(\d+)\.0$", r"\1", code.strip()) for code in codes]
    longest = max((len(code) for code in whole if code.isdigit()), default=0)
    width = next((width for width in widths if width >= longest), longest)
    return [code.zfill(width) if code.isdigit() else code for code in whole]
