# SPDX-License-Identifier: Apache-2.0
"""Codebooks: what columns and codes mean, in a file beside the table.

Read are tables (CSV, Excel with all its sheets, any format that tables have) and JSON, in the layouts that offices use:
one line per column (name, label, and codes as ``1=male; 2=female``), one line per code (name, code, meaning; the name
may stand in the first line only), and JSON objects or lists of either. Headings are known in several languages;
without known ones the column that holds the table's names is found, and the longest text beside it is the label.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from shoal.ground.errors import ShoalError, TableError
from shoal.ground.limits import TREE_BYTES, limited_bytes
from shoal.tables.labels import Code, Labels
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from shoal.tables.table import Table

NAMES = frozenset(
    "name variable variablename varname var vars column columnname col field fieldname feature attribute item spalte "
    "spaltenname merkmal variablenname feld nomvariable variabile campo nombre nombrevariable nome variavel "
    "nomevariavel kolom kolomnaam veld zmienna nazwa nazwazmiennej colonne champ nom".split()
)
LABELS = frozenset(
    "label variablelabel varlabel description desc meaning definition question questiontext title text longname "
    "longlabel details beschreibung bezeichnung variablenlabel bedeutung frage libelle intitule descriptif etiqueta "
    "descripcion descrizione etichetta descricao rotulo omschrijving betekenis opis etykieta pregunta".split()
)
VALUES = frozenset(
    "values valuelabels codes categories levels coding responses options choices answers allowedvalues enum codelist "
    "werte wertelabels auspragungen modalites valeurs valores valori waarden wartosci codigos codici format".split()
)
VALUE = frozenset("value code wert auspragung modalite valeur valor valore waarde wartosc kod codigo codice".split())
VALUE_LABELS = frozenset(
    "valuelabel codelabel category categorylabel valuedescription codedescription valuemeaning answer response "
    "wertelabel libellemodalite etiquetavalor meaningofvalue labelvalue".split()
)
MOST_SHEETS = 20
PAIR = re.compile(r"\s*(-?[\w.+<>]+)\s*(?:=|:|\)|–|→|\s-\s)\s*(.+?)\s*$")
BLANK = re.compile(r"\s*(-?\d+)\s+(.+?)\s*$")
PARTS = re.compile(r"\s*[;|\n]\s*|\s*,\s*(?=-?[\w.]+\s*[=:])")
DEPTH = 6
"""How deep a codebook may lie inside other objects."""


@dataclass(frozen=True)
class Codebook:
    """What a codebook says about the columns of a table."""

    labels: Labels
    described: int
    """Columns of the table that it describes."""
    coded: int
    """Columns whose codes it explains."""
    unknown: int
    """Names in it that are no column of the table."""

    def __str__(self) -> str:
        told = f"{self.described:,} columns described, the codes of {self.coded:,} explained"
        return told + (f"; {self.unknown:,} names that no column has" if self.unknown else "")

    def added_to(self, table: Table) -> Table:
        """The table with these labels; where the file has labels of its own, the codebook is believed."""
        own, book = table.labels, self.labels
        return replace(
            table, labels=replace(own, columns={**own.columns, **book.columns}, codes={**own.codes, **book.codes})
        )


@dataclass
class _Entry:
    """What is said about one name."""

    label: str
    codes: dict[Code, str]


Entries = dict[str, _Entry]


def read_codebook(path: str | Path, names: Sequence[str]) -> Codebook:
    """The codebook of a table with these columns; refused if it describes none of them."""
    where = f"codebook {str(path)!r}"
    entries = (
        _from_json(Path(path), names, where) if Path(path).suffix.casefold() == ".json" else _from_tables(path, names)
    )
    columns: dict[str, str] = {}
    codes: dict[str, dict[Code, str]] = {}
    unknown = 0
    known = {_plain(name): name for name in reversed(names)} | {name: name for name in names}
    for given, entry in entries.items():
        name = known.get(given) or known.get(_plain(given))
        if name is None:
            unknown += 1
            continue
        columns |= {name: entry.label} if entry.label else {}
        codes |= {name: entry.codes} if entry.codes else {}
    if not columns and not codes:
        raise TableError(
            "The codebook describes no column of the table.",
            where=where,
            allowed="a table or JSON with the names of columns, what they mean, and what their codes mean",
            received=f"{unknown} names, of which the table has none",
            todo="head its columns name, label, values; or write one line per code: name, value, value label",
        )
    return Codebook(Labels(columns, codes), len({*columns, *codes}), len(codes), unknown)


# -- tables --------------------------------------------------------------------------------------------------


def _from_tables(path: str | Path, names: Sequence[str]) -> Entries:
    """All sheets of a workbook, or the one table of another file."""
    try:
        return _of_table(read_table(path).table, names)
    except TableError:
        if Path(path).suffix.casefold() not in (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"):
            raise
    entries: Entries = {}
    for number in range(1, MOST_SHEETS + 1):
        try:
            sheet = read_table(path, Reading(sheet=str(number))).table
        except ShoalError:
            break
        for name, entry in _of_table(sheet, names).items():
            before = entries.setdefault(name, _Entry("", {}))
            before.label, before.codes = before.label or entry.label, {**before.codes, **entry.codes}
    return entries


def _of_table(table: Table, names: Sequence[str]) -> Entries:
    rows = [[cell or "" for cell in row] for row in zip(*(table.texts(name).to_list() for name in table.names))]
    places = _places(table.names, rows, names)
    entries: Entries = {}
    last = ""
    for row in rows:
        cells = {what: row[place].strip() for what, place in places.items()}
        last = cells.get("name") or last
        if last:
            _note(entries.setdefault(last, _Entry("", {})), cells, named=bool(cells.get("name")))
    return entries


def _note(entry: _Entry, cells: Mapping[str, str], *, named: bool) -> None:
    """Add what one line says."""
    value, meaning = cells.get("value", ""), cells.get("value label", "")
    if value and meaning:
        entry.codes[_code(value)] = meaning
    elif "value" in cells and "value label" not in cells and value and cells.get("label"):
        entry.codes[_code(value)] = cells["label"]  # name, value, label: the label is that of the value
        return
    entry.codes |= _parsed(cells.get("values", ""))
    if named and not entry.label:
        entry.label = cells.get("label", "")


def _places(heads: Sequence[str], rows: Sequence[Sequence[str]], names: Sequence[str]) -> dict[str, int]:
    """Where name, label, values, value and value label stand, by the headings, else by the cells."""
    plain = [_plain(head) for head in heads]
    lists = {"name": NAMES, "value label": VALUE_LABELS, "label": LABELS, "values": VALUES, "value": VALUE}
    places: dict[str, int] = {}
    for what, words in lists.items():
        found = [place for place, head in enumerate(plain) if head in words and place not in places.values()]
        places |= {what: found[0]} if found else {}
    if "name" not in places or not _holds_names(rows, places["name"], names):
        best = max(range(len(heads)), key=lambda place: _matches(rows, place, names), default=0)
        places = {what: place for what, place in places.items() if place != best} | {"name": best}
    others = [place for place in range(len(heads)) if place not in places.values()]
    if "label" not in places and others and "value label" not in places:
        places["label"] = max(others, key=lambda place: sum(len(row[place]) for row in rows))
    return places


def _holds_names(rows: Sequence[Sequence[str]], place: int, names: Sequence[str]) -> bool:
    return _matches(rows, place, names) > 0


def _matches(rows: Sequence[Sequence[str]], place: int, names: Sequence[str]) -> int:
    known = {_plain(name) for name in names}
    return len({_plain(row[place]) for row in rows} & known)


# -- JSON ----------------------------------------------------------------------------------------------------


def _from_json(path: Path, names: Sequence[str], where: str) -> Entries:
    try:
        content = json.loads(limited_bytes(path, TREE_BYTES, where, TableError).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        raise TableError(
            "The codebook cannot be read.",
            where=where,
            allowed="a JSON file in UTF-8: {name: {label, values}}, or a list of such objects",
            received="a file that is missing or no JSON",
            todo="check the path, and the file with a JSON tool",
        ) from None
    known = {_plain(name) for name in names}
    best = max(
        _objects(content, DEPTH), key=lambda entries: len({_plain(name) for name in entries} & known), default={}
    )
    return {name: _of_json(said) for name, said in best.items()}


def _objects(content: Any, depth: int) -> Iterator[dict[str, Any]]:
    """Everything in a JSON text that may be names with what is said about them."""
    if isinstance(content, list):
        content = [one for one in content if isinstance(one, dict)]
        named = {str(one[key]): one for one in content for key in one if _plain(str(key)) in NAMES}
        if named:
            yield named
    if isinstance(content, dict):
        yield {str(name): said for name, said in content.items()}
    if depth:
        for inner in content.values() if isinstance(content, dict) else content if isinstance(content, list) else ():
            yield from _objects(inner, depth - 1)


def _of_json(said: Any) -> _Entry:
    if isinstance(said, str):
        return _Entry(said, {})
    if not isinstance(said, dict):
        return _Entry("", {})
    by_head = {_plain(str(key)): value for key, value in said.items()}
    label = next((str(value) for head, value in by_head.items() if head in LABELS and isinstance(value, str)), "")
    values = next((value for head, value in by_head.items() if head in VALUES | VALUE and value), None)
    return _Entry(label, _of_json_values(values))


def _of_json_values(values: Any) -> dict[Code, str]:
    if isinstance(values, str):
        return _parsed(values)
    if isinstance(values, dict):
        return {_code(str(code)): str(word) for code, word in values.items() if isinstance(word, str)}
    if not isinstance(values, list):
        return {}
    pairs: dict[Code, str] = {}
    for one in values:
        if isinstance(one, dict):
            by_head = {_plain(str(key)): value for key, value in one.items()}
            code = next((str(value) for head, value in by_head.items() if head in VALUE | NAMES), "")
            word = next((str(value) for head, value in by_head.items() if head in VALUE_LABELS | LABELS), "")
            pairs |= {_code(code): word} if code and word else {}
        elif isinstance(one, list) and len(one) == 2:
            pairs[_code(str(one[0]))] = str(one[1])
    return pairs


# -- cells ---------------------------------------------------------------------------------------------------


def _parsed(text: str) -> dict[Code, str]:
    """The codes in a cell.

    >>> _parsed("1=male; 2=female"), _parsed("0: no, 1: yes"), _parsed("1 low|2 high"), _parsed("in euros")
    ({1: 'male', 2: 'female'}, {0: 'no', 1: 'yes'}, {1: 'low', 2: 'high'}, {})
    """
    if text.lstrip().startswith("{"):
        text = text.strip().strip("{}").replace("'", "").replace('"', "")
    parts = [part for part in PARTS.split(text) if part]
    found = [PAIR.match(part) or BLANK.match(part) for part in parts]
    if not found or any(one is None for one in found):
        return {}
    return {_code(one[1]): one[2] for one in found if one is not None}


def _code(text: str) -> Code:
    """A code as tables hold it: a number if it is one, else text."""
    plain = text.strip()
    if re.fullmatch(r"-?(?:0|[1-9]\d{0,14})(?:\.0)?", plain):
        return int(float(plain))
    return plain


def _plain(text: str) -> str:
    parted = unicodedata.normalize("NFKD", text.casefold())
    return "".join(mark for mark in parted if mark.isalnum())
