# SPDX-License-Identifier: Apache-2.0
"""Tables made from written codebooks: names, labels and codes as real surveys and registers have them.

A line of a codebook: ``name | roles | cells | label``. Roles are those that an expert would sign, one letter each
(Identifier, Quasi-identifier, Sensitive, iNsensitive, Drop). Cells are ``1 Male;2 Female`` (codes, with words),
``{a, b, c}`` (words), or a word for numbers, keys, dates and texts; see ``MAKERS``. Columns depend on each other only
through their row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal.tables.labels import Labels
from shoal.tables.table import Table

FOLDER = Path(__file__).parent / "codebooks"
LETTERS = {"I": "identifier", "Q": "quasi-identifier", "S": "sensitive", "N": "insensitive", "D": "drop"}
FIRST = "Anna Bruno Carla David Emma Felix Greta Hugo Ida Jonas Karla Lukas Marta Nico Olga Peter Rosa Simon Tina Uwe"
LAST = "Adler Bauer Conti Duarte Engel Fischer Garcia Huber Ivanov Jansen Keller Lopez Meyer Novak Olsen Perez Rossi"


@dataclass(frozen=True)
class Line:
    """One column of a codebook."""

    name: str
    roles: frozenset[str]
    cells: str
    label: str


def codebooks(folder: str) -> list[Path]:
    """The codebooks of a folder."""
    return sorted((FOLDER / folder).glob("*.txt"))


def read_lines(path: Path) -> list[Line]:
    """The columns of a codebook."""
    lines = []
    for text in path.read_text(encoding="utf-8").splitlines():
        if text and not text.startswith("# "):
            name, letters, cells, *label = (part.strip() for part in text.split(" | "))
            roles = frozenset(LETTERS[letter] for letter in letters)
            lines.append(Line(name, roles, cells, label[0] if label else ""))
    return lines


def table_of(lines: list[Line], rows: int = 2000, *, labelled: bool = True, seed: int = 0) -> Table:
    """A table as SPSS or Stata would hold it: codes, with labels of columns and codes unless they are left out."""
    made = {line.name: _made(line.cells, rows, np.random.default_rng([seed, at])) for at, line in enumerate(lines)}
    table = Table.of(pl.DataFrame([pl.Series(name, cells, strict=False) for name, (cells, _) in made.items()]))
    if not labelled:
        return table
    columns = {line.name: line.label for line in lines if line.label}
    return replace(table, labels=Labels(columns, {name: words for name, (_, words) in made.items() if words}))


def renamed(table: Table) -> tuple[Table, dict[str, str]]:
    """The table with its columns called c1, c2, ..., and what each was called; only what codes mean is kept."""
    names = {name: f"c{number}" for number, name in enumerate(table.names, 1)}
    labels = Labels(codes={names[name]: words for name, words in table.labels.codes.items()})
    return replace(table, frame=table.frame.rename(names), labels=labels), names


def _made(cells: str, rows: int, random: np.random.Generator) -> tuple[Any, Mapping[int, str]]:
    """The cells of a column, and what its codes mean."""
    if cells.startswith("{"):
        words = cells.strip("{}").split(", ")
        return np.array(words, dtype=object)[_codes(len(words), rows, random)], {}
    kind, *numbers = cells.split()
    if kind in MAKERS:
        return MAKERS[kind](rows, random, *numbers), {}
    pairs = [re.fullmatch(r"(-?\d+)\s*(.*)", part.strip()) for part in cells.split(";")]
    codes = np.array([int(pair[1]) for pair in pairs])
    words = {int(pair[1]): pair[2] for pair in pairs if pair[2]}
    return codes[_codes(len(codes), rows, random)], words


def _codes(n: int, rows: int, random: np.random.Generator) -> Any:
    """Places in a list, some commoner than others, each used."""
    shares = random.dirichlet(np.full(n, 2.0))
    drawn = random.choice(n, rows, p=shares)
    drawn[:n] = np.arange(n)[:rows]
    return drawn


def _whole(rows: int, random: np.random.Generator, low: str, high: str, *more: str) -> Any:
    drawn = random.integers(int(low), int(high) + 1, rows)
    return np.where(random.random(rows) < 0.9, np.nan, drawn) if "missing" in more else drawn


def _age(rows: int, random: np.random.Generator, low: str, high: str) -> Any:
    first, last = int(low), int(high)
    return np.clip(random.normal(first + 0.4 * (last - first), (last - first) / 4, rows), first, last).astype(int)


def _count(rows: int, random: np.random.Generator, low: str, high: str) -> Any:
    return np.minimum(int(low) + random.geometric(2.5 / (1.5 + int(high) - int(low) + 1), rows) - 1, int(high))


def _real(rows: int, random: np.random.Generator, low: str, high: str) -> Any:
    first, last = float(low), float(high)
    return np.round(np.clip(random.normal((first + last) / 2, (last - first) / 6, rows), first, last), 2)


def _amount(rows: int, random: np.random.Generator) -> Any:
    return np.where(random.random(rows) < 0.3, 0, np.round(random.lognormal(8, 1.3, rows), -1)).astype(int)


def _days(rows: int, random: np.random.Generator, low: str, high: str) -> Any:
    first, last = date.fromisoformat(low), date.fromisoformat(high)
    return [first + timedelta(days=int(day)) for day in random.integers(0, (last - first).days + 1, rows)]


def _moments(rows: int, random: np.random.Generator, low: str, high: str) -> Any:
    days = pl.Series(_days(rows, random, low, high)).cast(pl.Datetime("us"))
    return days + pl.Series(random.integers(0, 86_400, rows) * 1_000_000).cast(pl.Duration("us"))


def _key(rows: int, random: np.random.Generator, kind: str = "") -> Any:
    keys = 51_000 + random.permutation(rows)
    return keys.astype(float) if kind == "float" else keys


def _household(rows: int, random: np.random.Generator) -> Any:
    return np.repeat(np.arange(rows) * 7 + 20_000, random.integers(1, 5, rows))[:rows]


def _repeated(rows: int, random: np.random.Generator) -> Any:
    return random.choice(random.integers(10**6, 10**8, rows * 2 // 3), rows)


def _dni(random: np.random.Generator) -> str:
    return f"{random.integers(10**7, 10**8)}{'TRWAGMYFPDXBNJZSQVHLCKE'[random.integers(23)]}"


def _iban(random: np.random.Generator) -> str:
    account = f"{random.integers(10**9, 10**10)}"
    check = 98 - int("".join(str(int(one, 36)) for one in f"ABNA{account}NL00")) % 97
    return f"NL{check:02d}ABNA{account}"


def _one_of(words: str, random: np.random.Generator) -> str:
    return str(random.choice(words.split()))


CELLS: dict[str, Callable[[np.random.Generator], str]] = {
    "zip": lambda random: f"{random.integers(28_001, 28_060)}",
    "person": lambda random: f"{_one_of(FIRST, random)} {_one_of(FIRST, random)}",
    "first": lambda random: _one_of(FIRST, random),
    "surname": lambda random: f"{_one_of(LAST, random)} {_one_of(LAST, random)}",
    "email": lambda random: f"{_one_of(FIRST, random).lower()}{random.integers(10**6)}@example.org",
    "phone": lambda random: f"+34 6{random.integers(10**7, 10**8)}",
    "dni": _dni,
    "pesel": lambda random: f"{random.integers(10**10, 10**11)}",
    "iban": _iban,
    "url": lambda random: f"https://example.org/loan/{random.integers(10**7)}",
    "text": lambda random: (
        f"{random.integers(10**4)} {_one_of(LAST, random)} Street, near the {_one_of(LAST, random)} inn"
    ),
    "casetext": lambda random: f"  {random.integers(1, 1612)} {random.integers(1, 200)} {random.integers(1, 9)}",
}


def _texts(kind: str) -> Callable[..., Any]:
    return lambda rows, random: [CELLS[kind](random) for _ in range(rows)]


MAKERS: dict[str, Callable[..., Any]] = {
    "int": _whole,
    "year": _whole,
    "age": _age,
    "count": _count,
    "real": _real,
    "amount": _amount,
    "weight": lambda rows, random: np.round(random.lognormal(8, 0.6, rows), 3),
    "date": _days,
    "moment": _moments,
    "key": _key,
    "rows": lambda rows, random: np.arange(1, rows + 1),
    "household": _household,
    "repeated": _repeated,
    **{kind: _texts(kind) for kind in CELLS},
}
