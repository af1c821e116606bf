# SPDX-License-Identifier: Apache-2.0
"""How dates are written: ``dd.mm.yyyy``, ``m/d/yyyy h:mm am``, ``yyyymmdd``, ``d mmmm yyyy``, ``dd.mm.yy from 1930``.

The letters are those of spreadsheets: d day, m month, y year, h hours, m behind h minutes, s seconds, f fractions, am
for clocks of twelve hours, z for the distance from universal time; twice for two digits; mmm and mmmm for months
as words. Capitals mean the same, and so do the letters of ``strptime`` (``%d.%m.%Y``). Years of two digits say in which
hundred years they lie.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property

from shoal.ground.errors import PlanError

DAY, MONTH, YEAR, HOUR, MINUTE, SECOND = "day", "month", "year", "hour", "minute", "second"
FRACTION, HALF, ZONE, WORD = "fraction", "half", "zone", "word"
BETWEEN = "between"
CLOCK = (HOUR, MINUTE, SECOND, FRACTION, HALF, ZONE)
ISO = "yyyy-mm-dd"

_LETTERS = re.compile(r" de |yyyy|yy|m{1,4}|dd?|hh?|ss?|f+|am(?:/pm)?|pm|a|z|t|[^a-z]", re.IGNORECASE)
_STRPTIME = {
    "%d": "dd", "%m": "mm", "%Y": "yyyy", "%y": "yy", "%b": "mmm", "%B": "mmmm", "%H": "hh", "%I": "hh", "%M": "mm",
    "%S": "ss", "%f": "ffffff", "%p": "am", "%z": "z", "%F": "yyyy-mm-dd", "%T": "hh:mm:ss", "%%": "%",
}  # fmt: skip
_FROM = re.compile(r"(.*?)\s+from\s+([0-9]{4})", re.IGNORECASE | re.DOTALL)
_SIGNS = {
    YEAR: "[0-9]{{{digits}}}", FRACTION: "[0-9]{{1,9}}", HALF: "[AaPp]\\.?[Mm]\\.?", WORD: "[^\\W\\d_]+\\.?",
    ZONE: "[Zz]|[+-][0-9]{{2}}:?[0-9]{{2}}",
}  # fmt: skip

MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "at": "Jänner Feber März April Mai Juni Juli August September Oktober November Dezember",
}
SHORT_MONTHS = {
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "uk": "Jan Feb Mar Apr May June July Aug Sept Oct Nov Dec",
    "de": "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
    "at": "Jän Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez",
    "fr": "janv févr mars avr mai juin juil août sept oct nov déc",
    "es": "ene feb mar abr may jun jul ago sep oct nov dic",
    "it": "gen feb mar apr mag giu lug ago set ott nov dic",
    "pt": "jan fev mar abr mai jun jul ago set out nov dez",
    "nl": "jan feb mrt apr mei jun jul aug sep okt nov dec",
    "pl": "sty lut mar kwi maj cze lip sie wrz paź lis gru",
}


@dataclass(frozen=True)
class Piece:
    """A part of a format: what it stands for, and how it is written there."""

    what: str
    """One of the names above; ``between`` for the signs between them."""
    text: str


@dataclass(frozen=True)
class DateFormat:
    """A way to write dates."""

    pieces: tuple[Piece, ...]
    first_year: int | None = None
    """Where years have two digits: the first of the hundred years that they are among."""

    @cached_property
    def text(self) -> str:
        """As plans have it."""
        letters = "".join(one.text for one in self.pieces)
        return letters if self.first_year is None else f"{letters} from {self.first_year}"

    @property
    def whats(self) -> list[str]:
        """What its parts stand for, in their order, without the signs between them."""
        return [one.what for one in self.pieces if one.what != BETWEEN]

    @property
    def has_clock(self) -> bool:
        """Whether it tells a time of day."""
        return HOUR in self.whats

    @property
    def two_digits(self) -> bool:
        """Whether its years have two digits."""
        return any(one.what == YEAR and len(one.text) == 2 for one in self.pieces)

    @cached_property
    def pattern(self) -> str:
        """A regular expression with a group for each part, for Python and for Polars alike."""
        return "^" + "".join(self._signs(place) for place in range(len(self.pieces))) + "$"

    def _signs(self, place: int) -> str:
        piece = self.pieces[place]
        if piece.what == BETWEEN:
            return re.escape(piece.text).replace("\\ ", " ")
        beside = [self.pieces[at].what for at in (place - 1, place + 1) if 0 <= at < len(self.pieces)]
        tight = any(what not in (BETWEEN, WORD, HALF, ZONE, FRACTION) for what in beside)
        usual = "[0-9]{{2}}" if tight else "[0-9]{{1,2}}"
        usual = "[0-5][0-9]" if piece.what in (MINUTE, SECOND) else usual
        signs = _SIGNS.get(piece.what, usual).format(digits=len(piece.text))
        return "(?P<" + piece.what + ">" + signs + ")"

    def padded(self, what: str) -> bool:
        """Whether small numbers get a zero in front."""
        return any(one.what == what and len(one.text) == 2 for one in self.pieces)

    def full_year(self, two_digits: int) -> int:
        """The year that two digits stand for."""
        first = self.first_year or 0
        return first + (two_digits - first) % 100


@cache
def date_format(text: str) -> DateFormat:
    """The format that a text describes; refuses what describes none, or leaves something open.

    >>> date_format("%d.%m.%Y").text, date_format("DD/MM/YYYY HH:MM").text
    ('dd.mm.yyyy', 'dd/mm/yyyy hh:mm')
    """
    windowed = _FROM.fullmatch(text.strip())
    letters = windowed[1] if windowed else text.strip()
    for theirs, ours in _STRPTIME.items():
        letters = letters.replace(theirs, ours)
    made = DateFormat(_pieces(letters, text), int(windowed[2]) if windowed else None)
    dates = sorted(MONTH if what == WORD else what for what in made.whats if what not in CLOCK)
    clock = [what for what in made.whats if what in (HOUR, MINUTE, SECOND, FRACTION)]
    whole = dates == sorted([DAY, MONTH, YEAR]) and clock == list(CLOCK[: len(clock)]) and len(clock) != 1
    if not whole or len(made.whats) > len(set(made.whats)) or (windowed and not made.two_digits):
        raise _no_format(text)
    if made.two_digits and not windowed:
        raise PlanError(
            "The date format has years of two digits and does not say in which hundred years they lie.",
            where="--date-format / date_format",
            allowed=f"{text} from 1930 (for 1930 to 2029), or with another first year",
            received=repr(text),
            todo="add the first year that can be meant",
        )
    return made


def _pieces(letters: str, given: str) -> tuple[Piece, ...]:
    found: list[Piece] = []
    place = 0
    while place < len(letters):
        token = _LETTERS.match(letters, place)
        if token is None:
            raise _no_format(given)
        place = token.end()
        piece = _piece(token[0], [one.what for one in found])
        if piece.what == BETWEEN and found and found[-1].what == BETWEEN:
            piece = Piece(BETWEEN, found.pop().text + piece.text)
        found.append(piece)
    return tuple(found)


def _piece(token: str, before: list[str]) -> Piece:
    small = token.casefold()
    if small in ("t", " de ") or not small.isalpha():
        return Piece(BETWEEN, token.upper() if small == "t" else token)
    if small[0] == "m":
        if HOUR in before and MINUTE not in before:
            return Piece(MINUTE, "mm")
        return Piece(WORD if len(small) > 2 else MONTH, small)
    if small[0] in "ap":
        return Piece(HALF, "am")
    kinds = {"d": DAY, "y": YEAR, "h": HOUR, "s": SECOND, "f": FRACTION, "z": ZONE}
    return Piece(kinds[small[0]], "ss" if small[0] == "s" else small)


def _no_format(given: str) -> PlanError:
    return PlanError(
        "The date format cannot be read.",
        where="--date-format / date_format",
        allowed="day, month and year once each, such as dd.mm.yyyy, m/d/yyyy, yyyymmdd, d mmm yyyy; with a time: "
        "dd.mm.yyyy hh:mm:ss, m/d/yyyy h:mm am",
        received=repr(given),
        todo="write it with d, m, y, h, m, s",
    )


@cache
def month_words() -> dict[str, int]:
    """The number of each month's name, in small letters and without a dot, in every language that is known."""
    known: dict[str, int] = {}
    for names in (*MONTHS.values(), *SHORT_MONTHS.values()):
        known |= {name.casefold(): 1 + place for place, name in enumerate(names.split())}
    return known


@cache
def full_months() -> frozenset[str]:
    """The names of the months in full, in small letters."""
    return frozenset(name.casefold() for names in MONTHS.values() for name in names.split())
