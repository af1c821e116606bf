# SPDX-License-Identifier: Apache-2.0
"""What statistical packages write beside the cells: what columns and codes mean, and which codes stand for missing.

A released table keeps the labels of the columns that it publishes as they were. A generalised column keeps its own
label, and of its codes those that are still to be seen: a codebook must not tell more than the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

Code = float | int | str
T = TypeVar("T")


@dataclass(frozen=True)
class Labels:
    """Labels by column name; columns without any are left out."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """What a column means, in words."""
    codes: Mapping[str, Mapping[Code, str]] = field(default_factory=dict)
    """What the codes of a column mean, in words."""
    missing: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """Codes and ranges that stand for a missing answer, as SPSS declares them."""
    measures: Mapping[str, str] = field(default_factory=dict)
    """``nominal``, ``ordinal`` or ``scale``, as SPSS declares it."""

    def __bool__(self) -> bool:
        return bool(self.columns or self.codes or self.missing or self.measures)

    def only(self, names: Iterable[str]) -> Labels:
        """The labels of these columns."""
        kept = set(names)

        def part(of: Mapping[str, T]) -> dict[str, T]:
            return {name: label for name, label in of.items() if name in kept}

        return Labels(part(self.columns), part(self.codes), part(self.missing), part(self.measures))

    def generalised(self, shown: Mapping[str, Iterable[str]]) -> Labels:
        """The labels once some columns show other cells; ``shown`` tells the texts that each of them shows."""
        codes: dict[str, Mapping[Code, str]] = {}
        for name, words in self.codes.items():
            seen = set(shown.get(name, ()))
            left: Mapping[Code, str] = words
            if name in shown:
                left = {str(code): word for code, word in words.items() if str(code) in seen}
            if left:
                codes[name] = left
        missing = {name: value for name, value in self.missing.items() if name not in shown}
        measures = {name: "nominal" if name in shown else value for name, value in self.measures.items()}
        return Labels(self.columns, codes, missing, measures)

    def said(self, name: str, texts: Iterable[str]) -> tuple[str, ...]:
        """What the texts of a column say: the words for a code, however it is written (1, 1.0, 01), or the text itself.

        >>> Labels(codes={"sex": {1: "male", 2: "female"}}).said("sex", ["1.0", "02", "x"])
        ('male', 'female', 'x')
        """
        words = {_code(str(code)): word for code, word in self.codes.get(name, {}).items()}
        return tuple(words.get(_code(text), text) for text in texts) if words else tuple(texts)

    def kind(self, name: str, values: Iterable[Any]) -> str | None:
        """The kind that labels give a column of numbers: one whose every number has a name is a list of categories."""
        codes = self.codes.get(name)
        measure = self.measures.get(name)
        named = codes is not None and all(value in codes for value in values)
        if measure == "ordinal":
            return "ordered"
        return "categorical" if named or measure == "nominal" else None


def _code(text: str) -> str:
    """A code as it is compared: numbers without zeros in front and decimals that say nothing."""
    plain = text.strip()
    whole = plain.removesuffix(".0")
    return str(int(whole)) if whole.lstrip("-").isascii() and whole.lstrip("-").isdigit() else plain


NO_LABELS = Labels()
