# SPDX-License-Identifier: Apache-2.0
"""Ciphers that anybody undoes: letters that stand for letters, numbers turned over or moved by one constant."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from string import ascii_lowercase

FEWEST_ROWS = 20
FEWEST_SIGNS = 100
"""Signs that have to fit one table of letters before it is no accident."""
TRIED = 60
"""Numbers that a constant has to take to an identifier."""
CROWDED = 0.05
"""Share of the numbers that it could take up to which an identifier is not met by accident."""
ALPHABETS = [ascii_lowercase[::-1], *(ascii_lowercase[by:] + ascii_lowercase[:by] for by in range(1, 26))]
SHIFTS = [str.maketrans(ascii_lowercase, other) for other in ALPHABETS]
MOVES: tuple[tuple[Callable[[int, int], int], Callable[[int, int], int]], ...] = (
    (operator.xor, operator.xor),
    (operator.sub, operator.add),
    (operator.add, lambda shown, constant: constant - shown),
)
"""How a constant comes from a number of the identifier and one that is shown, and how it takes what is shown back."""


def shifted(texts: list[str], known: set[str], share: float) -> bool:
    """Whether one shift of the alphabet, or turning it round, makes most plain texts values of an identifier."""
    if not any(one.isalpha() for one in "".join(texts[:FEWEST_ROWS])):
        return False
    return any(
        sum(text.translate(shift) in known for text in texts) >= max(share * len(texts), FEWEST_ROWS)
        for shift in SHIFTS
    )


def letter_for_letter(pairs: Iterable[tuple[str, str]]) -> bool:
    """Whether each sign of what is shown follows from the sign of the identifier in its place, in every row.

    One table of letters for all places, or one for each place, as a key gives. Signs met once only are no evidence.
    """
    for by_place in (False, True):
        table: dict[tuple[int, str], str] = {}
        back: dict[tuple[int, str], str] = {}
        signs = 0
        for shown, hidden in pairs:
            if len(shown) != len(hidden):
                return False
            for at, (one, other) in enumerate(zip(shown.casefold(), hidden.casefold())):
                place = at if by_place else 0
                signs += (place, other) in table
                if table.setdefault((place, other), one) != one or back.setdefault((place, one), other) != other:
                    break
            else:
                continue
            break
        else:
            return signs >= FEWEST_SIGNS and len(table) > 1
    return False


def moved(shown: list[str], hidden: list[str]) -> bool:
    """Whether one constant, added or turned over bit by bit, takes every number that is shown to an identifier."""
    numbers, known = _whole(shown), set(_whole(hidden))
    if len(numbers) < FEWEST_ROWS or len(known) < FEWEST_ROWS or _crowded(known):
        return False
    first, tried = numbers[0], numbers[1 :: max(1, len(numbers) // TRIED)]
    return any(
        all(back(number, constant) in known for number in tried)
        for constant_of, back in MOVES
        for constant in (constant_of(one, first) for one in known)
    )


def _whole(texts: list[str]) -> list[int]:
    """The texts as whole numbers, in base 10 if all can be, else in base 16; nothing if some are none."""
    for base in (10, 16):
        try:
            return [int(text, base) for text in texts]
        except ValueError:
            continue
    return []


def _crowded(numbers: set[int]) -> bool:
    """Whether numbers fill so much of their range, in their steps, that others meet them by accident."""
    lowest = min(numbers)
    step = math.gcd(*(number - lowest for number in numbers)) or 1
    return len(numbers) > CROWDED * ((max(numbers) - lowest) // step + 1)
