# SPDX-License-Identifier: Apache-2.0
"""Cells that look like e-mail addresses, telephone numbers, account numbers or other things that point to one person.

An e-mail address is told wherever it stands, in free text too, for one is enough. Shapes that other cells may have by
accident are told only if most cells of a column have them: telephone numbers, UUIDs, IP addresses, bank accounts (IBAN,
with its check digits), payment cards (likewise), social security numbers, digests (a hashed name is still a
pseudonym: whoever has a list of names can hash them too), and first name and surname where they hardly repeat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from shoal.leaks._labels import span_of
from shoal.leaks._protocol import WARNING, Cells, Leak, Scene

EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}")
_PHONE = re.compile(r"^(?:\+|00|0|\()[\d ()./-]{6,}$")
_DATE = re.compile(r"^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$")
_UUID = re.compile(r"^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$", re.IGNORECASE)
_DIGEST = re.compile(r"^(?=.*[a-f])(?=.*\d)(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$", re.IGNORECASE)
_IBAN = re.compile(r"^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$")
_SSN = re.compile(r"^\d{3}-\d{2}-\d{4}$")
_IP = re.compile(r"^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$")
_PERSON = re.compile(r"^[^\W\d_]{2,}(?:-[^\W\d_]+)?,? (?:[A-Z]\. )?[^\W\d_]{2,}(?:-[^\W\d_]+)?$")

MOST = 0.5
"""Share of a column's cells from which on a shape is no accident."""
HARDLY_REPEATS = 0.5
FIRST_LOOK = 1000
"""Different cells that are looked at first; most of them must have a shape, or none is looked for."""
ADVICE = "leave the column out or cut the cells; name it with --identifier"


def find(scene: Scene) -> Iterator[Leak]:
    """Columns with cells that point to one person."""
    for name in scene.names:
        kind = scene.released.natural_kind(name)
        if kind == "date":
            continue
        cells = scene.cells(name)
        mails = _rows(cells, lambda text: "@" in text and EMAIL.search(text) is not None) if kind != "numeric" else 0
        if mails:
            said = f"column {name!r} holds e-mail addresses in {mails} of {len(cells.codes)} rows"
            yield Leak("personal_shapes", WARNING, said, ADVICE, (name,))
            continue
        for what, fits in SHAPES.items() if kind != "numeric" else [("payment cards", _card)]:
            if 2 * sum(map(fits, cells.texts[:FIRST_LOOK])) < min(len(cells.texts), FIRST_LOOK):
                continue
            rows = _rows(cells, fits)
            if rows and rows >= MOST * cells.present and (what not in REPEATING or _hardly_repeats(cells)):
                said = f"column {name!r} holds what looks like {what} in {rows} of {len(cells.codes)} rows"
                yield Leak("personal_shapes", WARNING, said, ADVICE, (name,))
                break


def _rows(cells: Cells, fits: Callable[[str], bool]) -> int:
    return int(sum(count for text, count in zip(cells.texts, cells.counts) if fits(text)))


def _hardly_repeats(cells: Cells) -> bool:
    return len(cells.texts) >= max(HARDLY_REPEATS * cells.present, 5)


def _phone(text: str) -> bool:
    digits = sum(one.isdigit() for one in text)
    marked = text.startswith("+") or any(one in text for one in " ()/-")
    return bool(_PHONE.match(text)) and marked and 7 <= digits <= 15 and not _DATE.match(text) and span_of(text) is None


def _iban(text: str) -> bool:
    plain = text.replace(" ", "").upper()
    if not _IBAN.match(plain):
        return False
    return int("".join(str(int(one, 36)) for one in plain[4:] + plain[:4])) % 97 == 1


def _card(text: str) -> bool:
    """Luhn's check digit."""
    plain = text.replace(" ", "").replace("-", "")
    if not (plain.isascii() and plain.isdigit() and 13 <= len(plain) <= 19):
        return False
    doubled = [int(one) * (1 + place % 2) for place, one in enumerate(reversed(plain))]
    return sum(one - 9 if one > 9 else one for one in doubled) % 10 == 0


SHAPES: dict[str, Callable[[str], bool]] = {
    "UUIDs": lambda text: _UUID.match(text) is not None,
    "digests of hidden values": lambda text: _DIGEST.match(text) is not None,
    "bank accounts": _iban,
    "payment cards": _card,
    "social security numbers": lambda text: _SSN.match(text) is not None,
    "IP addresses": lambda text: _IP.match(text) is not None,
    "telephone numbers": _phone,
    "names of persons": lambda text: _PERSON.match(text) is not None and text.istitle(),
}
REPEATING = ("names of persons", "telephone numbers")
"""Shapes that harmless cells have, too, but then they repeat."""
