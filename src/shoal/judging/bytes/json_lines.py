# SPDX-License-Identifier: Apache-2.0
"""JSON Lines by its bytes: keys that repeat or wander, 1 beside 1.0 and "1", absent beside null, escapes, blanks.

A cell is written as the bytes of its member, ``"age": 39``. Refused are keys that repeat within an object (readers
take the first value or the last), keys in changing order, and blanks that differ from line to line, since such things
mark a row and belong to no cell.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.ground.errors import TableError
from shoal.judging.bytes.spellings import refused, unjudgeable
from shoal.judging.bytes.stored import mixed_line_ends, text_of
from shoal.tables.reading import Reading

FEED, RETURN, QUOTE, BACKSLASH, COMMA, OPEN, CLOSE, BRACKET, BLANK, TAB = b'\n\r"\\,{}[ \t'
HIDDEN = 0x1F
"""Stands for a comma inside a text; JSON has no such sign unescaped."""
KEY = r'^[ \t]*("(?:[^"\\]|\\.)*")[ \t]*:'
Signs = NDArray[np.uint8]


def written_cells(path: Path, names: Sequence[str], reading: Reading) -> Mapping[str, pl.Series]:
    """Every column as the bytes of its members; missing where the key is absent."""
    where = f"file {str(path)!r}"
    members = _members(text_of(path, None), where)
    keys = [_keys(column) for column in members]
    told = [column.drop_nulls().unique() for column in keys]
    if all(len(one) == 1 for one in told) and not any(column.null_count() for column in members):
        found = {_name(one[0]): column for one, column in zip(told, members, strict=True)}
        if len(found) < len(members):
            raise _repeated(where)
    else:
        _refuse_other_order(keys, where)
        found = _by_key(members, keys, where)
    if set(found) != set(names):
        raise refused(
            "The keys of the file cannot be read in one way.", where, "the same keys for all readers", "others"
        )
    return found


def _members(text: bytes, where: str) -> list[pl.Series]:
    """The members of every object, first ones first, each as its bytes."""
    signs = np.frombuffer(text.rstrip(b" \t\r\n"), dtype=np.uint8)
    outside = ~_inside_texts(signs)
    _refuse_line_marks(signs, outside, where)
    opened, braces = outside & (signs == OPEN), outside & (signs == CLOSE)
    lines = int((signs == FEED).sum()) + 1
    if int(opened.sum()) > lines or (outside & (signs == BRACKET)).any():
        raise _nested(where)
    if int(opened.sum()) != lines or int(braces.sum()) != lines:
        raise refused(
            "Some lines of the file are no objects.", where, "one object per line", "other lines, or blank ones"
        )
    changed = signs.copy()
    changed[~outside & (signs == COMMA)] = HIDDEN
    plain = changed[~(opened | braces | (signs == RETURN))].tobytes()
    width = int(_commas(signs, outside).max(initial=0)) + 1
    schema = {str(place): pl.String for place in range(width)}
    frame = pl.read_csv(plain, has_header=False, quote_char=None, schema=schema, missing_columns="insert")
    if frame.height != lines:
        raise refused("The lines of the file cannot be told apart.", where, f"{lines} objects", f"{frame.height}")
    return frame.get_columns()


def _inside_texts(signs: Signs) -> NDArray[np.bool_]:
    """Which bytes stand inside texts: after an odd number of quotes, those that a backslash escapes not counted."""
    quotes = np.flatnonzero(signs == QUOTE)
    slashes = np.flatnonzero(signs == BACKSLASH)
    if len(slashes):
        first = np.diff(slashes, prepend=-2) != 1  # a run of backslashes begins
        begin = np.flatnonzero(first)[np.cumsum(first) - 1]
        place = np.minimum(np.searchsorted(slashes, quotes - 1), len(slashes) - 1)
        run = np.where(slashes[place] == quotes - 1, place - begin[place] + 1, 0)
        quotes = quotes[run % 2 == 0]
    flips = np.zeros(len(signs), dtype=bool)
    flips[quotes] = True
    inside: NDArray[np.bool_] = np.logical_xor.accumulate(flips)
    return inside


def _commas(signs: Signs, outside: NDArray[np.bool_]) -> NDArray[np.int64]:
    """[line] commas between members."""
    return np.bincount(np.searchsorted(np.flatnonzero(signs == FEED), np.flatnonzero(outside & (signs == COMMA))))


def _refuse_line_marks(signs: Signs, outside: NDArray[np.bool_], where: str) -> None:
    """Line ends and blanks must be the same in all lines: they belong to no cell, but mark a row."""
    ends = np.flatnonzero(signs == FEED)
    returns = int((signs[np.maximum(ends - 1, 0)] == RETURN).sum())
    if returns not in (0, len(ends)):
        raise mixed_line_ends(where, returns, len(ends))
    blanks = np.flatnonzero(((signs == BLANK) | (signs == TAB)) & outside)
    if not len(blanks):
        return
    gaps = np.diff(blanks) != 1
    starts, stops = blanks[np.append(True, gaps)], blanks[np.append(gaps, True)]
    lengths = stops - starts + 1
    for sign in (OPEN, COMMA, CLOSE):
        places = np.flatnonzero(outside & (signs == sign))
        if len({*_runs(starts, lengths, places + 1)}) > 1 or len({*_runs(stops, lengths, places - 1)}) > 1:
            raise _unlike_blanks(where)
    if len(np.unique(signs[blanks])) > 1:
        raise _unlike_blanks(where)


def _runs(ends: NDArray[np.int64], lengths: NDArray[np.int64], places: NDArray[np.int64]) -> list[int]:
    """How long the runs of blanks are that end, or begin, at some places; 0: there is none. Each length once."""
    found = np.minimum(np.searchsorted(ends, places), len(ends) - 1)
    different: list[int] = np.unique(np.where(ends[found] == places, lengths[found], 0)).tolist()
    return different


# -- keys ------------------------------------------------------------------------------------------------------------


def _keys(members: pl.Series) -> pl.Series:
    """The keys of members, as they are written."""
    return members.str.extract(KEY)


def _name(key: str) -> str:
    return str(json.loads(key.replace(chr(HIDDEN), ",")))


def _by_key(members: list[pl.Series], keys: list[pl.Series], where: str) -> dict[str, pl.Series]:
    """The members of each key, where objects have different ones; without the blanks before a member."""
    rows = pl.int_range(len(members[0]), eager=True, dtype=pl.UInt32)
    parts = [
        pl.DataFrame({"row": rows, "key": key, "member": member.str.strip_chars(" \t")}).drop_nulls("member")
        for key, member in zip(keys, members, strict=True)
    ]
    long = pl.concat(parts)
    names = {key: _name(key) for key in long.get_column("key").unique().to_list() if key is not None}
    long = long.with_columns(pl.col("key").replace_strict(names, default=None))
    if long.select(pl.struct("row", "key").n_unique()).item() < long.height:
        raise _repeated(where)
    wide = {str(key): part for (key,), part in long.partition_by("key", as_dict=True).items()}
    frame = pl.DataFrame({"row": rows})
    return {
        name: frame.join(part.select("row", "member"), on="row", how="left", maintain_order="left").get_column("member")
        for name, part in wide.items()
    }


def _refuse_other_order(keys: list[pl.Series], where: str) -> None:
    """Keys may be absent, but those that are there stand in one order."""
    follows: TopologicalSorter[str] = TopologicalSorter()
    for before, after in pairwise(keys):
        pairs = pl.DataFrame({"before": before, "after": after}).drop_nulls().unique()
        for first, second in pairs.iter_rows():
            follows.add(second, first)
    try:
        follows.prepare()
    except CycleError:
        received = "keys that stand in another order, or twice, in some objects"
        raise refused("The keys of the objects change places.", where, "one order of keys", received) from None


# -- refusals --------------------------------------------------------------------------------------------------------


def _repeated(where: str) -> TableError:
    received = "objects in which a key repeats: some readers take its first value, others its last"
    return refused("A key repeats within an object.", where, "every key once in an object", received)


def _nested(where: str) -> TableError:
    return unjudgeable("?", "objects or lists inside of objects", where)


def _unlike_blanks(where: str) -> TableError:
    allowed = "the same blanks around the members of every object"
    return refused("The lines of the file are spaced differently.", where, allowed, "blanks that differ between lines")
