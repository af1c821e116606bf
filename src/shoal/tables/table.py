# SPDX-License-Identifier: Apache-2.0
"""Table: named columns with stable row numbers; what every later step reads and writes.

A thin, neutral face over one Polars frame. Other rooms see numpy arrays and Python lists, never Polars. A
missing cell is a null; NaN in a float column is turned into a null at the door, and -0.0 into 0.0, so that each has one
meaning and one look (see :meth:`Table.of`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from shoal.ground.arrays import Flags, Floats, Ints
from shoal.ground.errors import TableError, column_words, listed, names_shown
from shoal.tables.columns import different, reordered
from shoal.tables.date_formats import date_format
from shoal.tables.headers import are_names, in_first_line, spelling
from shoal.tables.labels import NO_LABELS, Labels
from shoal.tables.notation import Notation
from shoal.tables.parsing import as_moments, as_numbers, fits, number_pattern
from shoal.tables.quantities import EXACT_INTEGER, blurred, check_finite

#: A plain number; zero-padded codes such as ``00123`` are excluded, they are names and not quantities.
NUMBER = r"^[+-]?(?:0|[1-9]\d*)?(?:{point}\d*)?(?:[eE][+-]?\d+)?$"
ISO_DATE = r"^\d{4}-\d{2}-\d{2}$"
ISO_DATETIME = r"^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?$"
OF_CELLS = ("different", "codes", "classes", "wildcard sizes", "complete sizes")
"""What is found out from the cells of columns alone, whatever else is told of them."""

CALENDAR = (-719_162, 2_932_896)
"""First and last day that can be written, 0001-01-01 and 9999-12-31, in days since 1970."""
MICROSECONDS_OF_A_DAY = 86_400_000_000

TEXT_TYPES = (pl.String, pl.Categorical, pl.Enum)
DATE_TYPES = (pl.Date, pl.Datetime)

#: The kind of frame inside a Table, for rooms that must not know Polars by name.
Frame = pl.DataFrame


@dataclass(frozen=True)
class Numbers:
    """A column as float64 (missing = NaN), and how such a number is written back as a label."""

    values: Floats
    style: str
    """``integer``, ``real``, ``date`` (days) or ``datetime`` (microseconds)."""
    zone: str = ""
    """Time zone in which moments are shown; they count from 1970 in universal time. Empty: none is known."""
    notation: Notation | None = None
    """How the column writes them, if it is text and that was found out."""


@dataclass(frozen=True)
class Table:
    """Columns of equal length. Row numbers are positions and never part of the data."""

    frame: pl.DataFrame = field(repr=False)
    untyped: bool = False
    """True for files without types (CSV): every column is text and its kind is decided from its content."""
    decimal: str = "."
    """Decimal mark of numbers written as text."""
    labels: Labels = field(default=NO_LABELS, repr=False)
    """What columns and codes mean, where the format tells."""
    headed: bool = False
    """Whether its names stood in the first row of a file, which may really be a record."""
    notations: Mapping[str, Notation] = field(default_factory=dict, repr=False)
    """How numbers and dates are written in columns of text, where that is known."""
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    """The order of the values of columns, where somebody says it."""
    variants: Mapping[str, int] = field(default_factory=dict, repr=False)
    """Of a table that is judged: in how many rows of a column cells that say the same are written in another way."""
    stands_for: Mapping[str, Ints] = field(default_factory=dict, repr=False)
    """Of a digest (:mod:`shoal.tables.digest`): how many rows of the table itself have the cell, by column and row."""
    known: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What was found out about columns already; many ask for it. Tables that differ in anything begin anew."""

    @classmethod
    def of(cls, frame: pl.DataFrame, **marks: Any) -> Table:
        """Wrap a frame; NaN becomes missing, so that missing has one meaning from here on, and so does zero."""
        return cls(frame.with_columns(settled(column) for column in frame.get_columns()), **marks)

    @classmethod
    def from_columns(cls, columns: Mapping[str, Any]) -> Table:
        """A table from arrays (which keep their type) and lists of text (None = missing)."""
        return cls.of(
            pl.DataFrame(
                [
                    pl.Series(name, cells, dtype=pl.String) if isinstance(cells, list) else _series(name, cells)
                    for name, cells in columns.items()
                ]
            )
        )

    def __getstate__(self) -> dict[str, Any]:
        """Pickled without what can be found out again."""
        return {**self.__dict__, "known": {}}

    # -- shape --------------------------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """Column names in order."""
        return list(self.frame.columns)

    def __len__(self) -> int:
        return int(self.frame.height)

    def require_rows(self, so: str) -> None:
        """Refuse a table without rows, which leaves nothing to do."""
        if not len(self):
            what, todo = f"The table has no rows, {so}.", "check that the right file was given"
            raise TableError(what, "the table", "at least one row", "0 rows", todo)

    def require(self, names: Sequence[str], *, where: str) -> None:
        """Refuse names that are no column of this table.

        A file in which none of the names occurs may have no header: what was taken for names would be cells, so it is
        not shown unless the cells tell otherwise (:mod:`shoal.tables.headers`).
        """
        known = set(self.names)
        unknown = [name for name in names if name not in known]
        if not unknown:
            return
        raise TableError(
            "The table has no such column.",
            where=where,
            allowed=self.names_shown(trusted=len(unknown) < len(names)),
            received=listed([repr(name) for name in unknown]),
            todo=spelling(self, unknown, trusted=len(unknown) < len(names)),
        )

    def names_shown(self, *, trusted: bool = False) -> str:
        """The names for a message; their number where they may be cells. ``trusted``: the user knows some of them."""
        if not (trusted or are_names(self)):
            return in_first_line(len(self.names))
        return names_shown(self.names, limit=30)

    def refuse_nested(self, names: Sequence[str]) -> None:
        """Refuse columns of which nobody can say what they would publish: nested and binary cells."""
        for name in names:
            as_texts(self.frame.get_column(name).head(0))

    # -- reading columns ----------------------------------------------------------------------------------

    def missing(self, name: str) -> Flags:
        """Which cells of a column are missing."""
        return self.frame.get_column(name).is_null().to_numpy()

    def is_text(self, name: str) -> bool:
        """Whether the cells of a column are texts, which may spell one value in several ways."""
        return self.frame.get_column(name).dtype in TEXT_TYPES

    def natural_kind(self, name: str) -> str:
        """The kind a column seems to be of: ``numeric``, ``date``, ``ordered`` or ``categorical``."""
        kind: str = self.once(("kind", name), lambda: self._natural_kind(name))
        return kind

    def once(self, about: Any, find: Callable[[], Any]) -> Any:
        """What there is to know about the table, found out once; nobody may change it."""
        if about not in self.known:
            self.known[about] = find()
        return self.known[about]

    def _natural_kind(self, name: str) -> str:
        column = self.frame.get_column(name)
        kind = column.dtype
        if name in self.orders or isinstance(kind, pl.Enum):
            return "ordered"
        if name in self.notations and (kind == pl.String or kind.is_integer()):
            notation = self.notations[name]
            if fits(self.distinct_texts(name), notation):
                return "date" if notation.date_format else "numeric"
            return "categorical" if kind == pl.String else "numeric"
        if kind.is_numeric():
            coded = name in self.labels.codes or name in self.labels.measures
            labelled = self.labels.kind(name, self._present(name).to_list()) if coded else None
            return labelled or "numeric"
        if kind in DATE_TYPES:
            return "date"
        if kind == pl.String and self.untyped:
            distinct = self._present(name)
            if len(distinct) and _all_match(distinct, _number_pattern(self.decimal)):
                return "numeric"
            if len(distinct) and (_all_match(distinct, ISO_DATE) or _all_match(distinct, ISO_DATETIME)):
                return "date"
        return "categorical"

    def numbers(self, name: str) -> Numbers:
        """A numeric or date column as numbers; refuses text that is none, and infinities."""
        found: Numbers = self.once(("numbers", name), lambda: self._numbers(name))
        return replace(found, values=found.values.copy())

    def _numbers(self, name: str) -> Numbers:
        column = self.frame.get_column(name)
        notation = self.notations.get(name)
        if column.dtype in TEXT_TYPES or (notation is not None and column.dtype.is_integer()):
            column = self._read(name, notation)
        if column.dtype == pl.Null:  # nothing but missing cells, of no type
            column = column.cast(pl.Float64)
        if column.dtype in DATE_TYPES:
            return replace(_moments(name, column), notation=notation)
        if not column.dtype.is_numeric():
            what, todo = "The column cannot be read as numbers.", "declare the column categorical"
            allowed = "numbers, dates, or text that holds only numbers or ISO dates"
            raise TableError(what, column_words(name), allowed, f"type {column.dtype}", todo)
        values = _floats(column) + 0.0  # one zero
        style = "integer" if column.dtype.is_integer() else "real"
        check_finite(name, values)
        if blurred(values, real=self.frame.get_column(name).dtype.is_float()):
            raise TableError(
                "The column holds integers too large to be told apart as quantities.",
                where=column_words(name),
                allowed=f"integers below 2^53 = {EXACT_INTEGER}",
                received="larger ones",
                todo="declare the column categorical, or an identifier if it is one",
            )
        return Numbers(values, style, notation=notation)

    def _read(self, name: str, notation: Notation | None) -> pl.Series:
        """Text as numbers or dates; only the different cells are read, unless all are to be counted in a refusal."""

        def read(cells: pl.Series) -> pl.Series:
            text = cells.cast(pl.String)
            return self._parsed(name, text) if notation is None else self._noted(name, text, notation)

        column = self.frame.get_column(name)
        numbers, rows = self.different(name)
        try:
            return read(column.gather(rows)).gather(numbers)
        except TableError:
            return read(column)

    def notation(self, name: str) -> Notation:
        """How numbers and dates of a column are written; as in the whole table where nothing else is known."""
        return self.notations.get(name) or Notation(self.decimal)

    def distinct_texts(self, name: str) -> pl.Series:
        """The different cells of a column, as text and without missing ones."""
        return self._present(name).cast(pl.String)

    def _present(self, name: str) -> pl.Series:
        """The different cells of a column, without missing ones."""
        column = self.frame.get_column(name)
        if column.dtype.is_nested() or column.dtype == pl.Object:
            return column.drop_nulls().unique()
        return column.gather(self.different(name)[1]).drop_nulls()

    def different(self, name: str) -> tuple[Ints, Ints]:
        """The number of each cell of a column, equal for equal cells, and a row of each; see ``columns.different``."""
        numbers, rows = self.once(("different", name), lambda: _small(*different(self.frame.get_column(name))))
        return numbers.astype(np.int64), rows.astype(np.int64)

    def _noted(self, name: str, text: pl.Series, notation: Notation) -> pl.Series:
        """Text as the numbers or dates of a notation."""
        if notation.date_format:
            read = as_moments(text, date_format(notation.date_format))
        else:
            pattern = number_pattern(notation.decimal, notation.thousands, codes=True)
            sound = text.str.strip_chars().str.contains(pattern).fill_null(False)
            read = as_numbers(text.zip_with(sound, pl.Series([None], dtype=pl.String)), notation)
        self._refuse_others(name, read, text, notation.words)
        return read

    def _refuse_others(self, name: str, read: pl.Series, text: pl.Series, words: str) -> None:
        """Refuse a column with cells that could not be read, by their number."""
        bad = int((read.is_null() & text.is_not_null()).sum())
        if bad:
            raise TableError(
                "The column is to hold numbers or dates but has cells that are neither.",
                where=column_words(name),
                allowed=f"{words}, or missing cells",
                received=f"{bad} cells that are neither (of {len(text)})",
                todo="declare the column categorical, name the missing-value mark with --na, or say how it is written: "
                "--date-format, --decimal, --thousands",
            )

    def _parsed(self, name: str, text: pl.Series) -> pl.Series:
        """Text as numbers or dates, whichever all of its cells are."""
        distinct = text.drop_nulls().unique()
        if _all_match(distinct, ISO_DATE):
            dates = text.str.to_date("%Y-%m-%d", strict=False)
            if dates.null_count() == text.null_count() and len(distinct):
                return dates
        if _all_match(distinct, ISO_DATETIME) and len(distinct):
            stamps = text.str.replace(" ", "T").str.to_datetime(strict=False, time_unit="us")
            if stamps.null_count() == text.null_count():
                return stamps
        plain = text.str.replace(self.decimal, ".", literal=True) if self.decimal != "." else text
        if _all_match(distinct, r"^[+-]?\d{1,18}$"):
            return plain.str.strip_prefix("+").cast(pl.Int64)
        numbers = plain.cast(pl.Float64, strict=False)
        self._refuse_others(name, numbers, text, f"numbers with decimal mark {self.decimal!r}, ISO dates")
        return numbers

    def texts(self, name: str) -> pl.Series:
        """A column as text, the way a file would show it."""
        return as_texts(self.frame.get_column(name))

    def codes(self, name: str) -> tuple[Ints, list[str]]:
        """A column as codes into its sorted distinct texts; missing is -1."""
        codes, texts = self.once(("codes", name), lambda: self.sorted_texts(name))
        return codes.astype(np.int64), texts.to_list()

    def sorted_texts(self, name: str) -> tuple[Any, pl.Series]:
        """The same, codes in the smallest type that holds them and texts as a column."""
        column = self.frame.get_column(name)
        plain = column.dtype in TEXT_TYPES or column.dtype.is_integer()  # the text of equal reals may differ: -0.0
        numbers, rows = self.different(name) if plain else different(self.texts(name))
        text = as_texts(column.gather(rows))
        order = text.arg_sort(nulls_last=True).to_numpy()
        code = np.empty(len(rows), dtype=np.int64)
        code[order] = np.arange(len(rows))
        code[text.is_null().to_numpy()] = -1
        return *_small(code[numbers]), text.gather(order).drop_nulls()

    def rows_of(self, name: str) -> Ints:
        """[row] how many rows have the cell of a column: one, but for a digest."""
        return np.asarray(self.stands_for.get(name, np.ones(len(self), dtype=np.int64)))

    def shares(self, name: str, values: Ints) -> Floats:
        """[value] its share of all rows, where ``values`` numbers what each cell of a column stands for."""
        rows = np.bincount(values, weights=self.stands_for.get(name))
        shares: Floats = rows / max(rows.sum(), 1)
        return shares

    def category_order(self, name: str) -> list[str] | None:
        """The declared order of an ordered column: as somebody says, else as its type has it, if it has one."""
        if name in self.orders:
            return list(self.orders[name])
        kind = self.frame.get_column(name).dtype
        return kind.categories.to_list() if isinstance(kind, pl.Enum) else None

    def value_order(self, name: str) -> list[str] | None:
        """The declared order of a column; days and times stand in their own, whatever their text looks like."""
        declared = self.category_order(name)
        column = self.frame.get_column(name)
        if declared is not None or not column.dtype.is_temporal():
            return declared
        return as_texts(column.drop_nulls().unique().sort()).to_list()

    # -- making new tables --------------------------------------------------------------------------------

    def without(self, names: Sequence[str]) -> Table:
        """The table without some columns."""
        kept = self.frame.drop(names)
        return self._handed_on(replace(self, frame=kept), kept.columns)

    def select(self, names: Sequence[str]) -> Table:
        """Only these columns, in this order."""
        return self._handed_on(replace(self, frame=self.frame.select(names)), names)

    def _handed_on(self, other: Table, names: Iterable[str]) -> Table:
        """Another table with the same cells in some columns, once it knows what is known of them."""
        same = set(names)
        other.known.update(
            {on: found for on, found in self.known.items() if on[0] in OF_CELLS and same.issuperset(on[1:])}
        )
        return other

    def marked(self, **marks: Any) -> Table:
        """The same cells, of which something else is told."""
        return self._handed_on(replace(self, **marks), self.names)

    def knowing(self, other: Table) -> Table:
        """The same table with all that is known of the cells of another, if it has the same cells of the same types."""
        same = self.frame.schema == other.frame.schema and self.frame.equals(other.frame)
        return other._handed_on(self, self.names if same else ())

    def renamed(self, names: Sequence[str]) -> Table:
        """The same columns under other names, by position."""
        return replace(self, frame=self.frame.rename(dict(zip(self.names, names))))

    def take(self, rows: Ints) -> Table:
        """These rows, in this order."""
        return replace(self, frame=self.frame[rows])

    def reordered(self, order: Ints) -> Table:
        """All rows, in another order; what is known of single cells stays known."""
        moved = replace(self, frame=reordered(self.frame, self.known, order))
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        for (what, *about), found in self.known.items():
            if what == "different":
                moved.known[what, *about] = found[0][order], place[found[1]]
            elif what == "codes":
                moved.known[what, *about] = found[0][order], found[1]
        return moved

    def take_or_missing(self, rows: Ints) -> Table:
        """These rows, in this order; -1 stands for a row of missing cells."""
        places = pl.Series(rows, dtype=pl.Int64).replace(-1, None)
        return replace(self, frame=self.frame.select(pl.all().gather(places)))

    def replace_columns(self, new: Mapping[str, Mapping[str, Any]]) -> Table:
        """Put new columns in the places of old ones; each old name maps to its replacements by name."""
        columns: list[pl.Series] = []
        for name in self.names:
            if name in new:
                columns += [_series(label, cells) for label, cells in new[name].items()]
            else:
                columns.append(self.frame.get_column(name))
        changed = replace(self, frame=pl.DataFrame(columns))
        changed = replace(changed, labels=changed._labels_without(new)) if self.labels else changed
        return self._handed_on(changed, set(self.names).difference(new))

    def _labels_without(self, new: Mapping[str, Any]) -> Labels:
        """The labels that still hold once these columns show other cells."""
        labelled = [name for name in new if name in self.labels.codes or name in self.labels.missing]
        shown = {name: self.texts(name).unique().to_list() for name in labelled if name in self.frame.columns}
        return self.labels.generalised({name: shown.get(name, []) for name in new})


def as_texts(column: pl.Series) -> pl.Series:
    """A column as text; looked at by itself, for a frame of many columns is slow to be asked about one."""
    if isinstance(column.dtype, pl.Duration):
        return column.dt.to_string("iso")
    if column.dtype == pl.Time:  # a cast would cut fractions of a second
        return column.dt.to_string("%H:%M:%S%.f")
    try:
        if not column.dtype.is_nested() and column.dtype not in (pl.Binary, pl.Object):
            return column.cast(pl.String)
    except pl.exceptions.PolarsError:
        pass  # an extension type, whose cells nobody but its owner can show
    raise TableError(
        "The column holds nested or binary cells.",
        where=column_words(column.name),
        allowed="numbers, text, booleans, dates",
        received=f"type {column.dtype}",
        todo="unpack it into plain columns, or give it the role identifier, which leaves it out",
    )


def gather(labels: Sequence[Any], index: Ints) -> pl.Series:
    """One cell per row from a short list of labels (None = missing): ``labels[index]``."""
    return pl.Series(labels, strict=False).gather(index)


def _series(name: str, cells: Any) -> pl.Series:
    return settled(cells.alias(name) if isinstance(cells, pl.Series) else pl.Series(name, cells))


def settled(column: pl.Series) -> pl.Series:
    """Real numbers with one way to be missing, and one zero."""
    if not column.dtype.is_float():
        return column
    unset = column.fill_nan(None) if column.is_nan().any() else column
    zeros = unset == 0
    return unset.zip_with(~zeros, unset.abs()) if zeros.any() else unset


def _small(*arrays: Ints) -> tuple[Any, ...]:
    """Whole numbers in the smallest type that holds them, to be kept."""
    return tuple(one.astype(np.result_type(np.min_scalar_type(one.max(initial=0)), np.int8)) for one in arrays)


def _floats(column: pl.Series) -> Floats:
    return column.cast(pl.Float64).fill_null(float("nan")).to_numpy().astype(np.float64)


def _moments(name: str, column: pl.Series) -> Numbers:
    """Days or microseconds since 1970; refuses those no calendar names or float64 cannot tell apart."""
    style = "date" if column.dtype == pl.Date else "datetime"
    whole = column.cast(pl.Int32).cast(pl.Int64) if style == "date" else column.dt.timestamp("us")
    unit = 1 if style == "date" else MICROSECONDS_OF_A_DAY
    present = whole.drop_nulls().to_numpy()
    outside = (present < CALENDAR[0] * unit) | (present >= (CALENDAR[1] + 1) * unit)
    blurred = present.astype(np.float64).astype(np.int64) != present
    bad = int((outside | blurred).sum())
    if bad:
        what, received = "The column holds dates that cannot be computed with.", f"{bad} other cells"
        allowed = "days of the years 1 to 9999; fractions of a second only within some 280 years of 1970"
        todo = "make stand-ins for 'no date' missing cells, round to seconds, or declare the column categorical"
        raise TableError(what, column_words(name), allowed, received, todo)
    zone = column.dtype.time_zone if isinstance(column.dtype, pl.Datetime) else None
    return Numbers(_floats(whole), style, zone or "")


def _number_pattern(decimal: str) -> str:
    return NUMBER.format(point=re.escape(decimal))


def _all_match(distinct: pl.Series, pattern: str) -> bool:
    hits = distinct.str.contains(pattern) & distinct.str.contains(r"\d")
    return bool(hits.all())
