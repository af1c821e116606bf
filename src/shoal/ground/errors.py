# SPDX-License-Identifier: Apache-2.0
"""Every exception of shoal, each with the exit code the command line ends with.

    ShoalError
    ├── InputError                 exit 2: wrong input or usage
    │   ├── TableError                 a table that cannot be read or does not fit the plan
    │   ├── HierarchyError             a hierarchy that is inconsistent or does not cover its column
    │   ├── PlanError                  a plan, flag or keyword that cannot be meant
    │   ├── UnknownNameError           a method, model, metric or format nobody knows
    │   ├── OutputError                a place that cannot be written
    │   └── MissingExtraError          an optional dependency is not installed
    ├── CannotHoldError            exit 1: a well-formed request that no release can meet
    ├── MissedGateError            exit 1: the release is safe, but not as good as was required
    ├── RefusedReleaseError        exit 1: our own result failed the independent check (a bug: nothing is released)
    └── Interrupted                exit 130: the user stopped the run

An error says five things: *what* is wrong, *where*, what is *allowed*, what was *received*, what to do *next*.
It never carries a cell of the table: the tables are about people. Column names, counts, line numbers and
the user's own flags are fine; but where a file has no header its first record is taken for names, so names that
look like cells are not shown either (:func:`column_words`, :func:`names_shown`).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Generic, TypeVar

IN_AN_ADDRESS = re.compile(r"""([a-zA-Z][\w+.-]*:?/{1,3})[^'"\n/]*:[^'"\n]*@""")
"""User and password of an address: all up to the last @, if a colon stands in it."""
BEFORE_A_HOST = re.compile(r"""(?<![\w./:+-])[^\s'"/:@]+:(?!/)[^\s'"]*@(?=[\w\[])""")
"""The same without a scheme in front."""
NAMED_SECRET = re.compile(
    r"""(\b[\w.-]*(?:passw(?:or)?d|pwd|passphrase|secret|token|api[_-]?key)[\w.-]*\s*[=:]\s*)"""
    r"""(?:'[^']*'|"[^"]*"|\{[^}]*\}|[^\s;&'",]+)""",
    re.IGNORECASE,
)
LARGEST_INTEGER = 2**63 - 1
"""Larger whole numbers are neither settings nor parameters."""


def without_secrets(text: str) -> str:
    """A text without the passwords of addresses that were typed where something else was expected.

    >>> without_secrets("file 'postgres//ann:s3cret@db.example/health'")
    "file 'postgres//...@db.example/health'"
    >>> without_secrets("host=db.example password=s3cret dbname=health")
    'host=db.example password=... dbname=health'
    """
    text = BEFORE_A_HOST.sub("...@", IN_AN_ADDRESS.sub(r"\1...@", text))
    return NAMED_SECRET.sub(r"\1...", text)


def in_parts(what: str, **others: str) -> str:
    """A message and its further parts, one per line, as errors and warnings are told; empty ones are left out.

    >>> print(in_parts("The sheet is empty.", where="file 'a.xlsx'", next="name another sheet"))
    The sheet is empty.
      where     file 'a.xlsx'
      next      name another sheet
    """
    lines = [what]
    for name, text in others.items():
        if text:
            first, *more = text.split("\n")
            lines += [f"  {name:<9} {first}", *(f"  {'':<9} {line}" for line in more)]
    return "\n".join(lines)


class ShoalError(Exception):
    """Base of all errors; renders its five parts one per line."""

    exit_code = 2

    def __init__(self, what: str, where: str = "", allowed: str = "", received: str = "", todo: str = "") -> None:
        self.what = without_secrets(what)
        self.where = without_secrets(where)
        self.allowed = without_secrets(allowed)
        self.received = without_secrets(received)
        self.todo = without_secrets(todo)
        super().__init__(self.what)

    def parts(self) -> dict[str, str]:
        """The parts that were given, in reading order."""
        named = {
            "what": self.what,
            "where": self.where,
            "allowed": self.allowed,
            "received": self.received,
            "next": self.todo,
        }
        return {name: text for name, text in named.items() if text}

    def __str__(self) -> str:
        return in_parts(**self.parts())


class InputError(ShoalError):
    """Wrong input or usage."""


class TableError(InputError):
    """A table that cannot be read or does not fit the plan."""

    encoding = ""
    """The text encoding that the file seems to have, where that is why it cannot be read."""


class HierarchyError(InputError):
    """A hierarchy that is inconsistent or does not cover its column."""


class PlanError(InputError):
    """A plan, flag or keyword that cannot be meant."""


class UnknownNameError(InputError):
    """A method, model, metric or format nobody knows."""


class OutputError(InputError):
    """A place that cannot be written."""


class MissingExtraError(InputError):
    """An optional dependency is not installed."""


class CannotHoldError(ShoalError):
    """A well-formed request that no release can meet."""

    exit_code = 1


class MissedGateError(ShoalError):
    """The release is safe, but not as good as was required, so nothing is released."""

    exit_code = 1


class RefusedReleaseError(ShoalError):
    """Our own result failed the independent check, so nothing is released."""

    exit_code = 1


class Interrupted(ShoalError):
    """The user stopped the run."""

    exit_code = 130

    def __init__(self, what: str, where: str = "", allowed: str = "", received: str = "", todo: str = "") -> None:
        super().__init__(what, where, allowed, received, todo or "give the same command, or call, again")


E = TypeVar("E", bound=ShoalError)


@dataclass(frozen=True)
class Refusal(Generic[E]):
    """An error that is met in several places: all but where it is met, and with what, is said once.

    >>> EMPTY = Refusal(TableError, "The sheet is empty.", allowed="at least one row", todo="name another sheet")
    >>> EMPTY("file 'a.xlsx'", "0 rows").received
    '0 rows'
    """

    kind: type[E]
    what: str
    allowed: str
    todo: str

    def __call__(self, where: str, received: str) -> E:
        """The error itself."""
        return self.kind(self.what, where, self.allowed, received, self.todo)


class Notice(UserWarning):
    """Something that a user should know, in words without cells; the command line shows it, unlike other warnings."""


class PrivacyWarning(Notice):
    """Somebody may be given away although every model holds."""


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint for a misspelt name, or for its first letters: ``did you mean 'sex'?``, or an empty string.

    >>> nearest("qi", ["drop", "quasi_identifiers"])
    "did you mean 'quasi_identifiers'?"
    """
    every = [str(one) for one in known]
    short = [one for one in every if "_" in one and str(name) == "".join(part[:1] for part in one.split("_"))]
    matches = short or get_close_matches(str(name), every, n=1, cutoff=0.5)
    return f"did you mean {matches[0]!r}?" if matches else ""


def listed(names: Iterable[object], limit: int = 12) -> str:
    """Names for a message: ``a, b, c, ... (40 in all)``."""
    every = [str(name) for name in names]
    if not every:
        return "(none)"
    shown = ", ".join(every[:limit])
    return shown if len(every) <= limit else f"{shown}, ... ({len(every)} in all)"


LIKE_A_CELL = re.compile(
    r"""[\W\d_]*\d[\W\d_]*        # digits and no letters: numbers, dates, times, telephone numbers, codes
    | .*@.*                         # mail
    | .*\d{5,}.*                    # long numbers within text
    | \d{4}-\d\d-\d\d.*            # moments
    | [+-]?\d+(?:[.,]\d+)?\s*[a-zA-Z%°]{1,3}   # amounts with a unit
    | [+-]?\d+(?:[.,]\d+)?[eE][+-]?\d+
    | | \W+ | na | n/a | nan | null | none | true | false | yes | no | unknown | missing
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


def looks_like_a_cell(name: str) -> bool:
    """Whether what stands where a name should may be a cell.

    >>> [looks_like_a_cell(name) for name in ("age", "income_2020", "q1", "39", "2020-02-29", "ann@mail.net", "?")]
    [False, False, False, True, True, True, True]
    """
    return LIKE_A_CELL.fullmatch(str(name).strip()) is not None


def column_words(name: str) -> str:
    """A column for a message, without its name if that looks like a cell.

    >>> column_words("age"), column_words("12.5.1970")
    ("column 'age'", 'a column whose name looks like a cell and is not shown')
    """
    return "a column whose name looks like a cell and is not shown" if looks_like_a_cell(name) else f"column {name!r}"


def flag_column(name: str) -> str:
    """A column as it stands in a flag that a message advises.

    >>> flag_column("age"), flag_column("12.5.1970")
    ('age', 'COLUMN')
    """
    return "COLUMN" if not name or looks_like_a_cell(name) else name


def flags_of(names: Sequence[str], flag: str, most: int = 12) -> str:
    """A flag for each of some columns, as it is typed; of very many for the first ones.

    >>> flags_of(["age", "sex", "zip"], "--scale {}=rank", 2)
    '--scale age=rank --scale sex=rank and so on'
    """
    typed = [flag.format(shlex.quote(flag_column(name))) for name in names[:most]]
    return " ".join([*typed, *["and so on"] * (len(names) > most)])


def names_shown(names: Iterable[str], limit: int = 12, *, quoted: bool = False) -> str:
    """Names of columns for a message; none of them if one looks like a cell, for then the others may be, too.

    >>> names_shown(["age", "sex"]), names_shown(["Ann", "39"])
    ('age, sex', '2 columns, whose names look like cells and are not shown')
    """
    every = list(names)
    if any(map(looks_like_a_cell, every)):
        return f"{len(every)} columns, whose names look like cells and are not shown"
    return listed(map(repr, every) if quoted else every, limit)


def short(value: object) -> str:
    """A value of the user's own for a message, which a long one would flood.

    >>> short(7), short("x" * 500)[-20:], short(10**5000)
    ('7', "xxxxxxxxx' and so on", 'a number of more than 64 bits')
    """
    if isinstance(value, int) and abs(value) > LARGEST_INTEGER:
        return "a number of more than 64 bits"
    return repr(value) if not isinstance(value, str) or len(value) <= 200 else f"{value[:200]!r} and so on"


def unknown(
    name: object, known: Iterable[str], what: str, *, where: str, otherwise: str, kind: type[InputError] = PlanError
) -> InputError:
    """The error for a name that nobody knows, with those that are known and the nearest of them."""
    every = list(known)
    todo = nearest(str(name), every) or otherwise
    return kind(what, where=where, allowed=listed(every, limit=40), received=short(name), todo=todo)


def refuse_unknown(given: Iterable[str], known: Collection[str], what: str, where: str) -> None:
    """Refuse a name that nobody reads, with the nearest one that somebody does."""
    for name in given:
        if name not in known:
            raise unknown(name, known, f"There is no such {what}.", where=where, otherwise=f"leave out the {what}")
