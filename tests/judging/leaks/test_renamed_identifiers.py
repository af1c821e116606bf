# SPDX-License-Identifier: Apache-2.0
"""Identifiers in any disguise, in columns of any role; keys without the original; measurements left in peace."""

from __future__ import annotations

import base64
import codecs
import hashlib
import hmac
import string
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.judging.checking import check
from shoal.judging.leak_search import TextCells
from shoal.judging.leaks._keys import _in_common
from shoal.judging.leaks.renamed_identifiers import _numbers

FIRST = "Anna Bert Cora Dirk Elsa Fred Gina Hugo Ines Jens".split()
LAST = "Smith Miller Jones Brown Davis Wilson Moore Clark Lewis Young Walker Hall King Wright Lopez".split()
ROWS = 300
ROLES: dict[str, Any] = {"quasi_identifiers": ["age", "sex"], "identifiers": ["name", "patient", "file"]}
ALPHABET, MIXED_UP = string.ascii_lowercase, "qwertzuiopasdfghjklyxcvbnm"


@cache
def people() -> pl.DataFrame:
    """A name of one row each, and a patient number of three."""
    random = np.random.default_rng(7)
    names = [f"{one} {other}-{last}" for one in FIRST for other in LAST for last in LAST[:2]]
    return pl.DataFrame(
        {
            "name": random.permutation(names),
            "patient": random.permutation(ROWS) // 3 * 37 + 510_000,
            "age": random.integers(18, 90, ROWS),
            "sex": random.choice(["f", "m"], ROWS),
            "note": random.choice(["fine", "pain", "no change"], ROWS),
            "pulse": np.round(random.normal(70, 8, ROWS), 2),
            "file": random.permutation(40_000)[:ROWS] + 110_000,
        }
    )


@cache
def release() -> shoal.Release:
    """A good release."""
    return shoal.anonymize(people(), k=5, method="mondrian", sensitive=["note", "pulse"], **ROLES)


def _names() -> list[str]:
    return people()["name"][release().rows].to_list()


def _digest(algorithm: str, text: str) -> bytes:
    return hashlib.new(algorithm, text.encode()).digest()


def _of_names(disguise: Callable[[str], object]) -> Callable[[], list[Any]]:
    return lambda: [disguise(name) for name in _names()]


def _of_patients(disguise: Callable[[int], object]) -> Callable[[], list[Any]]:
    return lambda: [disguise(number) for number in people()["patient"][release().rows].to_list()]


def _of_files(disguise: Callable[[int], object]) -> Callable[[], list[Any]]:
    return lambda: [disguise(number) for number in people()["file"][release().rows].to_list()]


def _shifted(text: str, places: int) -> str:
    turned = ALPHABET[places:] + ALPHABET[:places]
    return text.lower().translate(str.maketrans(ALPHABET, turned))


def _of_rows(disguise: Callable[[int], object]) -> Callable[[], list[Any]]:
    return lambda: [disguise(int(row)) for row in release().rows]


POINTING = ("renamed_identifiers", "personal_shapes", "identifying_columns", "row_numbers")

DISGUISES: dict[str, Callable[[], Sequence[Any]]] = {
    "plain": _of_names(str),
    "capitals": _of_names(str.upper),
    "with dots": _of_names(lambda name: name.lower().replace(" ", ".")),
    "reversed": _of_names(lambda name: name[::-1]),
    "surname first": _of_names(lambda name: ", ".join(reversed(name.split()))),
    "in a sentence": _of_names(lambda name: f"seen today, {name} is well"),
    "glued into text": _of_names(lambda name: f"x{name.replace(' ', '')}99"),
    "in some sentences": lambda: [f"{name} is well" if row % 8 == 0 else "well" for row, name in enumerate(_names())],
    "MD5": _of_names(lambda name: _digest("md5", name).hex()),
    "MD5 in half of the cells": lambda: [
        _digest("md5", name).hex() if row % 2 else str(row) for row, name in enumerate(_names())
    ],
    "SHA-1 of small letters, in capitals": _of_names(lambda name: _digest("sha1", name.lower()).hex().upper()),
    "SHA-512": _of_names(lambda name: _digest("sha512", name).hex()),
    "SHA-256, 8 digits": _of_names(lambda name: _digest("sha256", name).hex()[:8]),
    "SHA3-256, last 12 digits": _of_names(lambda name: _digest("sha3_256", name.upper()).hex()[-12:]),
    "BLAKE2, 16 bytes": _of_names(lambda name: hashlib.blake2b(name.encode(), digest_size=16).hexdigest()),
    "base64": _of_names(lambda name: base64.b64encode(name.encode()).decode()),
    "MD5 in base64": _of_names(lambda name: base64.b64encode(_digest("md5", name)).decode()),
    "SHA-256 in base64url, cut": _of_names(
        lambda name: base64.urlsafe_b64encode(_digest("sha256", name)).decode()[:11]
    ),
    "SHA-1 in base32": _of_names(lambda name: base64.b32encode(_digest("sha1", name)).decode()),
    "SHA-256 of a line": _of_names(lambda name: _digest("sha256", f"{name}\n").hex()),
    "MD5, 8 bytes as a number": _of_names(lambda name: int.from_bytes(_digest("md5", name)[:8], "big")),
    "CRC-32": _of_names(lambda name: zlib.crc32(name.encode())),
    "Adler-32": _of_names(lambda name: f"{zlib.adler32(name.encode()):08x}"),
    "digest behind a prefix": _of_names(lambda name: f"pat:{_digest('md5', name).hex()}"),
    "keyed, repeating": _of_patients(lambda number: hmac.new(b"key", str(number).encode(), "sha256").hexdigest()[:10]),
    "salted, repeating": _of_patients(lambda number: _digest("sha256", f"s4lt{number}").hex()),
    "multiplied, repeating": _of_patients(lambda number: number * 7 + 3),
    "letters shifted by thirteen": _of_names(lambda name: codecs.encode(name, "rot13")),
    "letters shifted by three": _of_names(lambda name: _shifted(name, 3)),
    "the alphabet turned round": _of_names(
        lambda name: name.lower().translate(str.maketrans(ALPHABET, ALPHABET[::-1]))
    ),
    "letters mixed up": _of_names(lambda name: name.lower().translate(str.maketrans(ALPHABET, MIXED_UP))),
    "a key of five letters": _of_names(lambda name: "".join(_shifted(one, at % 5) for at, one in enumerate(name))),
    "first names": _of_names(lambda name: name.split()[0]),
    "surnames": _of_names(lambda name: name.split()[1].partition("-")[0]),
    "files, turned over bit by bit": _of_files(lambda number: number ^ 0b1011010111001),
    "files, turned over, in base 16": _of_files(lambda number: f"{number ^ 0x2B5A7:06x}"),
    "files, counted from elsewhere": _of_files(lambda number: number + 771),
    "files, counted down": _of_files(lambda number: 999_999 - number),
    "row number, from elsewhere": _of_rows(lambda row: row + 5000),
    "row number, multiplied": _of_rows(lambda row: 17 * row + 3),
    "row number with gaps": _of_rows(lambda row: 2 * row + row // 9),
    "row number in base 16": _of_rows(lambda row: f"{row:06x}"),
    "row number in base 36": _of_rows(lambda row: np.base_repr(row + 50_000, 36)),
    "row number in base64": _of_rows(lambda row: base64.b64encode(str(row + 1).encode()).decode()),
    "row number, MD5": _of_rows(lambda row: _digest("md5", str(row)).hex()),
    "row number, digits turned round": _of_rows(lambda row: f"{row:05}"[::-1]),
}


def leaks(cells: Sequence[Any], role: str, beside: bool) -> set[tuple[str, str]]:
    """What is told about a column that was put into the release."""
    table = release().table.with_columns(pl.Series("extra", cells))
    sensitive = ["note", "pulse", *(["extra"] if role == "sensitive" else [])]
    verdict = check(table, k=5, sensitive=sensitive, original=people() if beside else None, **ROLES)
    told = {(leak.kind, leak.severity) for leak in verdict.leaks if "extra" in leak.columns}
    return {(kind, severity) for kind, severity in told if severity != "information" and kind in POINTING}


@pytest.mark.thin(3)
@pytest.mark.parametrize("role", ["sensitive", "insensitive"])
@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES)
def test_a_disguised_identifier_breaks_the_release(disguise: Callable[[], Sequence[Any]], role: str) -> None:
    """Whoever has the identifiers can disguise them in the same way and join."""
    assert ("renamed_identifiers", "breaks") in leaks(disguise(), role, beside=True)


@pytest.mark.parametrize(
    "kind", ["capitals", "in a sentence", "SHA-256, 8 digits", "keyed, repeating", "MD5 in base64"]
)
def test_identifiers_need_not_be_declared(kind: str) -> None:
    """What points to persons in the original and is not published was left out for a reason."""
    table = release().table.with_columns(pl.Series("extra", DISGUISES[kind]()))
    verdict = check(table, quasi_identifiers=["age", "sex"], sensitive=["note", "pulse"], k=5, original=people())
    assert "renamed_identifiers" in [leak.kind for leak in verdict.leaks if leak.severity == "breaks"]


KEYS = {
    "UUIDs": lambda random, row: f"{random.bytes(4).hex()}-{random.bytes(2).hex()}-4aaa-8bbb-{random.bytes(6).hex()}",
    "8 hexadecimal digits": lambda random, row: random.bytes(4).hex(),
    "64 hexadecimal digits": lambda random, row: random.bytes(32).hex(),
    "base64": lambda random, row: base64.b64encode(random.bytes(12)).decode(),
    "base32": lambda random, row: base64.b32encode(random.bytes(10)).decode(),
    "tokens behind a prefix": lambda random, row: f"cus_{base64.b32encode(random.bytes(10)).decode().lower()}",
    "Luhn's check digit": lambda random, row: _with_check_digit(random.integers(10**8, 10**9), [2, 1], 10, 9),
    "a sum modulo 11": lambda random, row: _with_check_digit(
        random.integers(10**8, 10**9), [10, 9, 8, 7, 6, 5, 4, 3, 2], 11, 99
    ),
    "a sum modulo 10": lambda random, row: _with_check_digit(
        random.integers(10**9, 10**10), [1, 3, 7, 9, 1, 3, 7, 9, 1, 3], 10, 99
    ),
    "the rest of 97": lambda random, row: _with_rest(random.integers(10**8, 10**9)),
}


def _with_rest(number: int) -> str:
    return f"{number}{97 - number % 97:02}"


def _with_check_digit(number: int, weights: list[int], modulus: int, carry: int) -> str:
    """A number and the digit that makes its weighted sum vanish; a product beyond ``carry`` is cast out by nines."""
    digits = [int(one) for one in str(number)]
    products = [digit * weights[place % len(weights)] for place, digit in enumerate(digits)]
    total = sum(one - 9 if one > carry else one for one in products)
    digit = -total % modulus
    return f"{number}{digit}" if digit < 10 else _with_check_digit(number + 1, weights, modulus, carry)


@pytest.mark.parametrize("role", ["sensitive", "insensitive"])
@pytest.mark.parametrize("kind", KEYS)
def test_keys_are_warned_about_without_the_original(kind: str, role: str) -> None:
    """A column of keys is a pseudonym, whoever made it."""
    random = np.random.default_rng(3)
    found = leaks([KEYS[kind](random, row) for row in range(ROWS)], role, beside=False)
    assert ("personal_shapes", "warning") in found


MEASURED = {
    "amounts in cents": lambda random: np.round(random.lognormal(8, 1, ROWS), 2),
    "whole amounts": lambda random: np.round(random.lognormal(11, 1, ROWS)).astype(np.int64),
    "amounts as text": lambda random: [f"{cents / 100:.2f}" for cents in random.integers(10_000, 900_000, ROWS)],
    "codes of diagnoses": lambda random: random.choice(
        [f"{letter}{number}.1" for letter in "ABC" for number in range(10, 40)], ROWS
    ),
    "sentences": lambda random: [
        " ".join(random.choice(["no", "pain", "today", "again", "fever"], 6)) for _ in range(ROWS)
    ],
    "days": lambda random: pl.Series(random.integers(15_000, 19_000, ROWS)).cast(pl.Date),
    "weights": lambda random: random.gamma(4, 40_000, ROWS).astype(np.int64),
    "hundreds": lambda random: random.integers(1, 3000, ROWS) * 100,
    "words": lambda random: ["".join(random.choice(list("aeiklmnorst"), 6)) for _ in range(60)] * 5,
}


@pytest.mark.thin(2)
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside the original"])
@pytest.mark.parametrize("kind", MEASURED)
def test_measurements_are_no_pseudonyms(kind: str, beside: bool) -> None:
    """Values that all differ are no keys if they were measured or written by somebody."""
    assert leaks(MEASURED[kind](np.random.default_rng(4)), "sensitive", beside) == set()


@pytest.mark.parametrize("kind", ["amounts in cents", "whole amounts", "weights"])
def test_amounts_are_no_identifiers(kind: str) -> None:
    """Money that differs in every row does not point to a person."""
    assert leaks(MEASURED[kind](np.random.default_rng(4)), "insensitive", beside=True) == set()


def test_a_dropped_column_of_few_values_is_no_identifier() -> None:
    """A region that was left out, beside a published name of it, gives nobody away."""
    original = people().with_columns(region=pl.col("age") // 30, area=(pl.col("age") // 30).cast(pl.String) + " area")
    made = shoal.anonymize(
        original, k=5, method="mondrian", quasi_identifiers=["sex"], sensitive=["note", "pulse", "area"],
        identifiers=["name", "patient", "file", "age", "region"],
    )  # fmt: skip
    found = check(made.table, plan=made.plan, original=original).leaks
    assert [leak for leak in found if leak.kind == "renamed_identifiers"] == []


def test_numbers_are_read_as_long_as_they_are_exact() -> None:
    """Up to fifteen digits; one number per cell, or none is read."""

    def numbers(*texts: str) -> list[float]:
        return _numbers(TextCells(np.arange(len(texts)), list(texts))).tolist()

    assert numbers("P 7", "12.5") == [7, 12.5]
    assert numbers("123456789012345", "1") == [123456789012345, 1]
    assert numbers("1234567890123456", "1") == []
    assert numbers("7 of 12", "1") == []


@pytest.mark.parametrize(
    ("texts", "common"), [(["cus_ab", "cus_ba", "cus_bb"], 4), (["ab", "ba"], 0), (["abc"], 3), (["ab", "abc"], 2)]
)
def test_what_all_keys_begin_with_is_no_part_of_them(texts: list[str], common: int) -> None:
    """A prefix is cut off before the rest is weighed."""
    assert _in_common(texts) == common
