# SPDX-License-Identifier: Apache-2.0
"""What cells look like that point to one person: e-mail addresses, telephone numbers, accounts, names of persons.

Common ground of the suggestion, which looks for them in tables, and of the judge, who looks for them in releases.
"""

from __future__ import annotations

import re
from collections.abc import Callable

EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}")
_PHONE = re.compile(r"^(?:\+|00|0|\()[\d ()./-]{6,}$")
_DATE = re.compile(r"^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$")
_UUID = re.compile(r"^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$", re.IGNORECASE)
_DIGEST = re.compile(r"^(?=.*[a-f])(?=.*\d)(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$", re.IGNORECASE)
_IBAN = re.compile(r"^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$")
_SSN = re.compile(r"^\d{3}-\d{2}-\d{4}$")
_IP = re.compile(r"^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$")
_PERSON = re.compile(r"^[^\W\d_]{2,}(?:-[^\W\d_]+)?,? (?:[A-Z]\. )?[^\W\d_]{2,}(?:-[^\W\d_]+)?$")

PHONES, CARDS, PERSONS = "telephone numbers", "payment cards", "names of persons"


def is_phone(text: str) -> bool:
    """Whether a text is written as telephone numbers are."""
    digits = sum(one.isdigit() for one in text)
    marked = text.startswith("+") or any(one in text for one in " ()/-")
    return bool(_PHONE.match(text)) and marked and 7 <= digits <= 15 and not _DATE.match(text)


def is_card(text: str) -> bool:
    """Whether a text is a number with Luhn's check digit, as long as those of payment cards."""
    plain = text.replace(" ", "").replace("-", "")
    if not (plain.isascii() and plain.isdigit() and 13 <= len(plain) <= 19):
        return False
    doubled = [int(one) * (1 + place % 2) for place, one in enumerate(reversed(plain))]
    return sum(one - 9 if one > 9 else one for one in doubled) % 10 == 0


def _is_iban(text: str) -> bool:
    plain = text.replace(" ", "").upper()
    if not _IBAN.match(plain):
        return False
    return int("".join(str(int(one, 36)) for one in plain[4:] + plain[:4])) % 97 == 1


SHAPES: dict[str, Callable[[str], bool]] = {
    "UUIDs": lambda text: _UUID.match(text) is not None,
    "digests of hidden values": lambda text: _DIGEST.match(text) is not None,
    "bank accounts": _is_iban,
    CARDS: is_card,
    "social security numbers": lambda text: _SSN.match(text) is not None,
    "IP addresses": lambda text: _IP.match(text) is not None,
    PHONES: is_phone,
    PERSONS: lambda text: _PERSON.match(text) is not None and text.istitle(),
}
REPEATING = (PERSONS, PHONES)
"""Shapes that harmless cells have, too, but then they repeat."""
