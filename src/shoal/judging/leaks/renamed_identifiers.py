# SPDX-License-Identifier: Apache-2.0
"""A column that holds an identifier in disguise: under another name, respelt, inside other text, encoded, hashed.

Needs the original; identifiers are those of the plan, and columns that point to persons and were left out without a
word. Renaming ``name`` to ``ref``, or publishing its digest, leaves the identifier in: anybody with a
list of names can do the same and join. Columns of every role are looked at for

* values of the identifier in half of the cells, whatever case, blanks and punctuation, also turned round;
* the identifier of the very person inside the cell, where the rest of a row tells whose row it is, or in half of all;
* MD5, SHA-1, SHA-2, SHA-3, BLAKE2, CRC-32 and Adler-32 of it, or the identifier itself, in base 16, 32 or 64, also cut;
* letters that stand for letters: a shift of the alphabet, any table of letters, one for each place;
* its numbers, shifted, on another scale, turned over by a constant, or in any form that keeps their order;
* words of it alone, such as first names, in a column that the original does not have;
* any pseudonym, keyed or salted, of an identifier that has several rows: the two stand one to one;
* the row numbers of the original: in any such disguise, or in any form that keeps their order.

What numbers that lie close together would meet by accident is passed over, and so are amounts of the original that
were left out: others that are published may agree with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.judging.evidence import once
from shoal.judging.leak_search import BREAKS, Leak, LeakScene, TextCells
from shoal.judging.leaks._candidates import candidates
from shoal.judging.leaks._ciphers import letter_for_letter, moved, shifted
from shoal.judging.leaks._disguises import SHORTEST_PLAIN, disguised, hash_met, plain, tokens, words
from shoal.judging.leaks.determining_columns import determined
from shoal.plan.roles import DATE, DROP, NUMERIC
from shoal.tables.profile import readable
from shoal.tables.row_marks import given_out

SHARE = 0.5
"""Share of the cells from which on values of an identifier are no accident."""
LOOKED_AT = 1000
"""Cells of a column, and rows whose record is known, that are looked at."""
TRIED = 60
"""Identifiers whose digests are looked for in all cells."""
FEWEST, CLEARLY = 5, 10
"""Rows that show their own identifier: so many at least, and so many times more than show another's."""
CROWDED = 0.05
"""Share of all numbers of its range that an identifier may take before others meet it by accident."""
ROWS_EACH, FEWEST_VALUES = 10, 10
"""An identifier has at least so many values, for at most so many rows each."""
FEWEST_ROWS = 20
EXACT = 1e-4
"""Share of its range by which a number may be off its place: some for rounding, less than chance leaves."""

ADVICE = "leave the column out"


def find(scene: LeakScene) -> Iterator[Leak]:
    """Identifiers that were left in."""
    if scene.original is None or len(scene.released) < 2:
        return
    for name in scene.names:
        said = _rows_in_disguise(scene, name)
        if said:
            yield Leak("renamed_identifiers", BREAKS, f"column {name!r} {said}", ADVICE, (name,))
            continue
        for identifier in _identifiers(scene):
            said = _disguise(scene, name, identifier)
            if said:
                what = "the identifier" if identifier in scene.hidden else "the column that was left out,"
                whole = f"column {name!r} {said} of {what} {identifier!r}"
                yield Leak("renamed_identifiers", BREAKS, whole, ADVICE, (name, identifier))
                break


def _identifiers(scene: LeakScene) -> list[str]:
    """Those of the plan; and columns that are not published, dropped or not planned, and given out, as keys are."""
    original = scene.original
    assert original is not None
    dropped = scene.plan.having(DROP)
    others = [name for name in original.names if name in dropped or name not in scene.plan.columns]
    gone = [name for name in others if name not in scene.released.names]
    planned = [name for name in scene.hidden if readable(original, name)]
    return once(scene.read, "identifiers", lambda: planned + [name for name in gone if _points(scene, name)])


def _points(scene: LeakScene, name: str) -> bool:
    assert scene.original is not None
    return (
        readable(scene.original, name) and _identifies(scene.original_cells(name)) and given_out(scene.original, name)
    )


def _disguise(scene: LeakScene, name: str, identifier: str) -> str:
    """In which disguise a column holds an identifier; empty if in none."""
    cells, hidden = scene.cells(name), scene.original_cells(identifier)
    if name == identifier or len(cells.texts) < 2 or len(hidden.texts) < 2 or _two_measures(scene, name, identifier):
        return ""
    if _values(scene, cells, identifier):
        return "holds the values"
    if not _identifies(hidden):
        return ""
    if _own_values(scene, name, identifier):
        return "holds, within its cells, the values"
    if _enciphered(scene, name, identifier):
        return "holds, letter for letter in a simple cipher, the values"
    digest = _digest(scene, cells, identifier, hidden.texts)
    if digest is not None:
        return f"holds the {digest} of the values" if digest else "holds the encoded values"
    if _on_another_scale(scene, name, identifier) or _moved(scene, name, identifier):
        return "holds, on another scale, the numbers"
    if _rises_with(scene, name, identifier):
        return "rises with the numbers"
    if _one_to_one(scene, name, identifier):
        return "stands one to one with the values, as a pseudonym does,"
    if _words_alone(scene, name, identifier):
        return "holds single words of the values"
    return ""


def _two_measures(scene: LeakScene, name: str, identifier: str) -> bool:
    """Whether both are columns of the original, and what was left out are amounts: these may agree with others."""
    original = scene.original
    assert original is not None
    if name not in original.names:
        return False

    def measured() -> bool:
        return original.natural_kind(identifier) in (NUMERIC, DATE) and not given_out(original, identifier)

    return once(scene.read, ("measured", identifier), measured)


# -- values ------------------------------------------------------------------------------------------------------


def _values(scene: LeakScene, cells: TextCells, identifier: str) -> bool:
    """Whether half of the different cells are, or contain as words, values of an identifier, beyond accident."""
    hidden = scene.original_cells(identifier)
    if once(scene.read, ("crowded", identifier), lambda: _crowded(hidden.texts)):
        return False
    looked = _spread(cells.texts, LOOKED_AT)
    exact = once(scene.read, ("values", identifier), lambda: set(hidden.texts))
    if sum(text in exact for text in looked) >= max(SHARE * len(looked), 2):
        return 2 * len(cells.texts) >= cells.present or _identifies(hidden)
    if not _identifies(hidden):
        return False
    known = once(scene.read, ("plain values", identifier), lambda: _long_enough(hidden.texts))
    return sum(_holds_one(text, known) for text in looked) >= max(SHARE * len(looked), FEWEST)


def _long_enough(texts: list[str]) -> set[str]:
    return {one for one in map(plain, texts) if len(one) >= SHORTEST_PLAIN}


def _holds_one(text: str, known: set[str]) -> bool:
    """Whether a cell, straight or turned round, is one of the values, or holds one as successive words."""
    whole = plain(text)
    if whole in known or whole[::-1] in known:
        return True
    parts = [plain(part) for part in text.replace("_", " ").split()]
    return any("".join(parts[at : at + size]) in known for size in (1, 2, 3) for at in range(len(parts) + 1 - size))


def _crowded(texts: list[str]) -> bool:
    """Whether an identifier is of numbers so close together that any others would meet them."""
    if not all(text.isascii() and text.isdigit() for text in _spread(texts, LOOKED_AT)):
        return False
    numbers = [int(text) for text in texts if text.isascii() and text.isdigit() and len(text) < 19]
    return len(numbers) > CROWDED * (max(numbers, default=0) - min(numbers, default=0) + 1)


def _identifies(hidden: TextCells) -> bool:
    """Whether an identifier points to persons: many values, of few rows each. A dropped region does not."""
    number = len(hidden.texts)
    return number >= max(FEWEST_VALUES, hidden.present / ROWS_EACH)


def _pairs(scene: LeakScene, name: str, identifier: str) -> list[tuple[str, str]]:
    """What rows show, and the identifier of the record that they must be."""
    if scene.released.natural_kind(name) == DATE or name in scene.quasi_identifiers:
        return []
    rows, records = _known_rows(scene)
    cells, hidden = scene.cells(name), scene.original_cells(identifier)
    return [
        (cells.texts[row], hidden.texts[record])
        for row, record in zip(cells.codes[rows], hidden.codes[records])
        if row >= 0 and record >= 0
    ]


def _own_values(scene: LeakScene, name: str, identifier: str) -> bool:
    """Whether rows hold the identifier of the record that they must be, much more often than that of another."""
    pairs = _pairs(scene, name, identifier)
    if len({text for _, text in pairs}) < FEWEST:
        return False
    for holds in (_contains, _same_words):
        own = sum(holds(text, value) for text, value in pairs)
        shifted = pairs[len(pairs) // 2 :] + pairs[: len(pairs) // 2]
        other = sum(holds(text, value) for (text, _), (_, value) in zip(pairs, shifted))
        if own >= max(FEWEST, CLEARLY * other):
            return True
    return False


def _contains(text: str, value: str) -> bool:
    whole, part = plain(text), plain(value)
    if len(part) < SHORTEST_PLAIN:
        return whole == part
    return part in whole or part[::-1] in whole


def _same_words(text: str, value: str) -> bool:
    parts = words(value)
    return len(parts) > 1 and parts <= words(text)


def _enciphered(scene: LeakScene, name: str, identifier: str) -> bool:
    """Whether letters stand for letters: by a shift of the alphabet, or by any table where the records are known."""
    known = once(scene.read, ("plain values", identifier), lambda: _long_enough(scene.original_cells(identifier).texts))
    if shifted([plain(text) for text in _spread(scene.cells(name).texts, LOOKED_AT)], known, SHARE):
        return True
    pairs = _pairs(scene, name, identifier)
    return len({hidden for _, hidden in pairs}) >= FEWEST_ROWS and letter_for_letter(pairs)


def _words_alone(scene: LeakScene, name: str, identifier: str) -> bool:
    """Whether a column that the original does not have shows nothing but words of an identifier of several words."""
    assert scene.original is not None
    if name in scene.original.names or name in scene.quasi_identifiers:
        return False

    def parts() -> frozenset[str]:
        found = [words(text) for text in scene.original_cells(identifier).texts]
        several = [one for one in found if len(one) > 1]
        named = frozenset(word for one in several for word in one if len(word) > 1 and not word.isdigit())
        return named if 2 * len(several) >= len(found) else frozenset()

    known = once(scene.read, ("words", identifier), parts)
    shown = [words(text) for text in _spread(scene.cells(name).texts, LOOKED_AT)]
    return len(shown) >= FEWEST and bool(known) and all(one and one <= known for one in shown)


def _moved(scene: LeakScene, name: str, identifier: str) -> bool:
    """Whether a column that the original does not have shows the numbers of an identifier, moved by a constant."""
    assert scene.original is not None
    if name in scene.original.names:
        return False
    hidden = once(scene.read, ("digits", identifier), lambda: _digits(scene.original_cells(identifier).texts))
    return moved(_spread(scene.cells(name).texts, LOOKED_AT), hidden)


def _digits(texts: list[str]) -> list[str]:
    """The digits of identifiers that hold one number each."""
    found = [re.findall(r"\d+", text) for text in texts]
    return [one[0] for one in found] if all(len(one) == 1 for one in found) else []


def _known_rows(scene: LeakScene) -> tuple[Ints, Ints]:
    """Some released rows, and the original records that they must be."""
    met = candidates(scene)
    nothing = np.zeros(0, dtype=np.int64)
    rows, records = met.certain if met is not None else (nothing, nothing)
    some = np.unique(np.linspace(0, len(rows) - 1, LOOKED_AT).astype(np.int64)) if len(rows) else nothing
    return rows[some], records[some]


def _on_another_scale(scene: LeakScene, name: str, identifier: str) -> bool:
    """Whether a column that the original does not have is as widely spaced as the numbers of an identifier."""
    assert scene.original is not None
    if name in scene.original.names:
        return False
    shown = np.sort(_numbers(scene.cells(name)))
    hidden = np.sort(once(scene.read, ("numbers", identifier), lambda: _numbers(scene.original_cells(identifier))))
    if len(shown) != len(hidden) or len(np.unique(shown)) < FEWEST_ROWS:
        return False
    place = (shown - shown[0]) / np.ptp(shown)
    rising = (hidden - hidden[0]) / max(np.ptp(hidden), 1.0)
    return any(np.abs(place - due).max() <= EXACT for due in (rising, 1 - rising[::-1]))


def _numbers(cells: TextCells) -> Floats:
    """The number in every cell; nothing if some cell has none, or several."""
    found = [re.findall(r"\d+(?:\.\d+)?", text) for text in cells.texts]
    if any(len(one) != 1 or len(one[0].partition(".")[0]) > 15 for one in found):
        return np.zeros(0)
    return np.array([float(number) for (number,) in found])[cells.codes[cells.codes >= 0]]


def _rises_with(scene: LeakScene, name: str, identifier: str) -> bool:
    """Whether a column that the original does not have rises or falls with the numbers in an identifier."""
    assert scene.original is not None
    hidden = scene.original_cells(identifier)
    numbers = once(scene.read, ("numbers", identifier), lambda: _numbers(hidden))
    if name in scene.original.names or len(numbers) < len(scene.original) or len(np.unique(numbers)) < len(numbers):
        return False
    return _keeps_order(scene, name, np.argsort(np.argsort(numbers)))


# -- digests and pseudonyms --------------------------------------------------------------------------------------


def _digest(scene: LeakScene, cells: TextCells, what: str, texts: list[str]) -> str | None:
    """The name of the digest by which the values are published, empty if they are encoded only; None if not at all."""
    looked = _spread(cells.texts, LOOKED_AT)
    pieces = [piece for text in looked for piece in tokens(text)]
    if not pieces or 2 * len(pieces) < len(looked) or not _encoded(pieces):
        return None
    found = {piece for text in cells.texts for piece in tokens(text)}
    shown = {*found, *(piece.lower() for piece in found)}
    lengths = np.bincount([len(piece) for piece in pieces])
    common = np.flatnonzero(lengths >= max(lengths.max() / 4, 2)).tolist()
    tried = once(scene.read, ("disguised", what), lambda: [disguised(text) for text in _spread(texts, TRIED)])
    met, name = hash_met(tried, shown, common)
    assert scene.original is not None
    due = len(tried) * len(scene.released) / max(len(scene.original), 1)
    return name if met >= max(3, SHARE / 2 * due) else None


def _encoded(pieces: list[str]) -> bool:
    """Whether pieces of text may be digests: most have digits, or capitals within."""
    strange = sum(any(one.isdigit() for one in piece) or piece != piece.lower() != piece[1:] for piece in pieces)
    return 2 * strange >= len(pieces)


def _one_to_one(scene: LeakScene, name: str, identifier: str) -> bool:
    """Whether every value goes with one value of the identifier and the other way round, beyond chance."""
    assert scene.original is not None
    hidden = scene.original_cells(identifier)
    if not _identifies(hidden) or len(hidden.texts) == hidden.present:
        return False
    if name in scene.untouched:
        first, second = scene.original_cells(name).groups, hidden.groups
    else:
        rows, records = _known_rows(scene)
        first, second = scene.cells(name).groups[rows], hidden.groups[records]
    return len(first) >= FEWEST_ROWS and determined(first, second) and determined(second, first)


# -- row numbers -------------------------------------------------------------------------------------------------


def _rows_in_disguise(scene: LeakScene, name: str) -> str:
    """In which disguise a column that the original does not have holds its row numbers; empty if in none."""
    assert scene.original is not None
    cells = scene.cells(name)
    if name in scene.original.names or name in scene.quasi_identifiers or 2 * len(cells.texts) < cells.present:
        return ""
    if _keeps_order(scene, name, np.arange(len(scene.original))):
        return "rises with the row numbers of the original"
    for first in (0, 1):
        numbers = _spread([str(row + first) for row in range(len(scene.original))], TRIED)
        digest = _digest(scene, cells, f"\0{first}", numbers)
        if digest is not None:
            return f"holds the {digest or 'encoded form'} of the row numbers of the original"
    return ""


def _keeps_order(scene: LeakScene, name: str, places: Ints) -> bool:
    """Whether cells rise or fall with the places of the records, as numbers, as text, or by length first."""
    rows, records = _known_rows(scene)
    cells = scene.cells(name)
    texts = [cells.texts[code] for code in cells.codes[rows] if code >= 0]
    if len(texts) < max(FEWEST_ROWS, len(rows)) or len(set(texts)) < len(texts):
        return False
    place = np.argsort(places[records], kind="stable")
    keys: tuple[Callable[[str], object], ...] = (_number, str, lambda text: (len(text), text), lambda text: text[::-1])
    for key in keys:
        order = np.array(sorted(range(len(texts)), key=lambda at: key(texts[at])))  # type: ignore[arg-type, return-value]
        if np.array_equal(order, place) or np.array_equal(order[::-1], place):
            return True
    return False


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _spread(texts: list[str], number: int) -> list[str]:
    """Some of many, evenly spread."""
    return texts if len(texts) <= number else [texts[at] for at in np.linspace(0, len(texts) - 1, number).astype(int)]
