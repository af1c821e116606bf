# SPDX-License-Identifier: Apache-2.0
"""Cells that look like keys: random tokens of one length, and numbers with a check digit.

A token is a key if it could hardly have been written by anybody: most have the same length, letters and digits (or
capitals) are mixed, and each place holds nearly any character. What is common to all, as in ``pat:3f2a...``, is
left aside. A check digit is found without knowing the rule: if the last digit is the same sum of the others, modulo
some number, in every cell, that is no accident. Sums modulo 5 (which tell those modulo 10), 7, 11, 13 and 97 are
looked for, and Luhn's.
"""

from __future__ import annotations

import re

import numpy as np

from shoal.ground.arrays import Ints

FEWEST_VALUES, ROWS_EACH = 20, 10
"""A key has at least so many values, for at most so many rows each."""
SHORTEST = 8
SAME_LENGTH, MIXED = 0.8, 0.5
BITS = 2.9
"""What each character of a key tells, in the mean; a hexadecimal digit tells 4."""
SUMS = (5, 7, 11, 13, 97)
FEWEST_TERMS = 5
"""Digits that a check digit depends on, itself among them; fewer are a custom of writing, as of 19.. and 20.. ."""
SPARE = 30
"""Cells beyond those that any sum could be made to fit."""

_TOKEN = re.compile(r"^[A-Za-z0-9+/_=.-]+$")
_SEPARATORS = re.compile(r"[ ./-]")


def keys_in(texts: list[str], present: int) -> str:
    """What kind of keys some different cells of a column look like, in words; empty if none."""
    if len(texts) < max(FEWEST_VALUES, present / ROWS_EACH):
        return ""
    if _random_tokens(texts):
        return "keys, random tokens that stand for something,"
    return "numbers with a check digit" if 2 * len(texts) >= present and check_digit(texts) else ""


def _random_tokens(texts: list[str]) -> bool:
    """Whether cells are tokens of one length that nobody would write."""
    start = _in_common(texts)
    end = _in_common([text[start:][::-1] for text in texts])
    inner = [text[start : len(text) - end] for text in texts]
    lengths = np.bincount([len(text) for text in inner])
    length = int(lengths.argmax())
    same = [text for text in inner if len(text) == length and _TOKEN.match(text)]
    if length < SHORTEST or len(same) < max(SAME_LENGTH * len(inner), FEWEST_VALUES):
        return False
    if sum(map(_mixed, same)) < MIXED * len(same):
        return False
    characters = np.array([[ord(one) for one in text] for text in same])
    return float(np.mean([_bits(place) for place in characters.T])) >= BITS


def _in_common(texts: list[str]) -> int:
    """How many characters all texts begin with: those that the first and the last of them share."""
    first, last = min(texts), max(texts)
    return next((at for at, (one, other) in enumerate(zip(first, last)) if one != other), len(first))


def _mixed(text: str) -> bool:
    """Whether letters and digits, or small letters and capitals, change within a token."""
    letters = any(one.isalpha() for one in text)
    return letters and (any(one.isdigit() for one in text) or text[1:] not in (text[1:].lower(), text[1:].upper()))


def _bits(cells: Ints) -> float:
    shares = np.unique(cells, return_counts=True)[1] / len(cells)
    return float(-(shares * np.log2(shares)).sum())


def check_digit(texts: list[str]) -> bool:
    """Whether the last digit of numbers of one length follows from the others.

    >>> check_digit([f"{number}{number % 11 % 10}" for number in range(12345670, 12445670, 997)])
    False
    >>> check_digit([f"{number}{-sum(map(int, str(number))) % 10}" for number in range(12345670, 12445670, 997)])
    True
    """
    plain = [_SEPARATORS.sub("", text) for text in texts]
    length = len(plain[0])
    if length < SHORTEST or not all(len(text) == length and text.isascii() and text.isdigit() for text in plain):
        return False
    digits = np.array([[int(one) for one in text] for text in plain], dtype=np.int64)
    if len(digits) < length + SPARE or len(np.unique(digits[:, -1])) < 3:
        return False
    return luhn(digits) or any(_follows(digits, modulus) for modulus in SUMS)


def luhn(digits: Ints) -> bool:
    """Whether all numbers, [number, digit], have Luhn's check digit."""
    doubled = digits[:, ::-1].copy()
    doubled[:, 1::2] *= 2
    sums = np.where(doubled > 9, doubled - 9, doubled).sum(axis=1)
    return bool((sums % 10 == 0).all())


def _follows(digits: Ints, modulus: int) -> bool:
    """Whether the last digit is, modulo a prime, the same sum of several others in all numbers."""
    known = np.column_stack([np.ones(len(digits), dtype=np.int64), digits]) % modulus
    known = known[:, [True, *(len(np.unique(column)) > 1 for column in known.T[1:])]]
    reduced, pivots = _reduced(known, modulus)
    last = known.shape[1] - 1
    if last in pivots:
        return False
    return int(np.count_nonzero(reduced[:, last])) + 1 >= FEWEST_TERMS


def _reduced(matrix: Ints, modulus: int) -> tuple[Ints, list[int]]:
    """Rows of the reduced echelon form modulo a prime that are not zero, and the columns in which they begin."""
    rows, pivots = matrix.copy(), list[int]()
    for column in range(rows.shape[1]):
        top = len(pivots)
        filled = np.flatnonzero(rows[top:, column])
        if not len(filled):
            continue
        rows[[top, top + filled[0]]] = rows[[top + filled[0], top]]
        rows[top] = rows[top] * pow(int(rows[top, column]), -1, modulus) % modulus
        others = np.arange(len(rows)) != top
        rows[others] = (rows[others] - np.outer(rows[others, column], rows[top])) % modulus
        pivots.append(column)
        if len(pivots) == len(rows):
            break
    return rows[: len(pivots)], pivots
