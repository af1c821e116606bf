# SPDX-License-Identifier: Apache-2.0
"""Plants random defects into random good releases and asks the checker; every miss and every false alarm is printed.

    make fuzz                                        after the random plans
    python -m tests.defects --rounds 3 --first 7     rounds 7 to 9
    python -m tests.defects --only spss

A round plants every defect once in a format drawn by chance, and judges one good release of every format.
"""

from __future__ import annotations

import argparse
import inspect
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np

from tests.defects import files, folders, tables
from tests.defects.cases import EXTENSIONS, Answer, Case, Defect, answer, good

PADDING = ("spss",)
"""Formats that fill text up with blanks, so that one more is none."""


def public(module: ModuleType) -> list[Defect]:
    """The defects of a module."""
    return [
        function
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if not name.startswith("_") and function.__module__ == module.__name__
    ]


def planned() -> list[tuple[Defect, tuple[str, ...]]]:
    """Every defect and the formats that it can be planted in."""
    everywhere = [(defect, tuple(EXTENSIONS)) for defect in [*public(tables), *public(folders)]]
    padded = {tables.a_label_with_a_blank_behind: tuple(format for format in EXTENSIONS if format not in PADDING)}
    return [*{**dict(everywhere), **padded, **files.DEFECTS}.items()]


def pairs(seed: int) -> Iterator[tuple[Defect | None, str]]:
    """The defects of a round, each with a format; none: a good release."""
    random = np.random.default_rng([42, seed])
    for format in EXTENSIONS:
        yield None, format
    for defect, formats in planned():
        yield defect, str(random.choice(formats))


def damaged(case: Case, defect: Defect) -> Case:
    """The release with its defect, on disk."""
    spoilt = defect(case)
    return spoilt if spoilt.target is not None else spoilt.written()


def examined(seed: int, defect: Defect | None, format: str) -> str:
    """What is wrong with the checker's answer; empty if nothing is."""
    with tempfile.TemporaryDirectory() as place:
        case = good(seed, Path(place), format)
        if defect is None:
            said = answer(Case(**{**vars(case), "target": case.folder / "release"}))
            return "" if said.exit_code == 0 else f"a good release is accused: {said}"
        return _missed(answer(damaged(case, defect)))


def _missed(said: Answer) -> str:
    return "" if said.exit_code in (1, 2) else f"nothing was found: {said}"


def main() -> int:
    """Run the rounds asked for; 1 if anything was missed or accused wrongly."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--first", type=int, default=0)
    arguments.add_argument("--only", default="", help="part of the name of a defect or format")
    given = arguments.parse_args()
    tried = wrong = 0
    for seed in range(given.first, given.first + given.rounds):
        for defect, format in pairs(seed):
            name = f"{defect.__name__ if defect else 'good'} in {format}"
            if given.only not in name:
                continue
            tried += 1
            try:
                problem = examined(seed, defect, format)
            except Exception:  # whatever it is, it belongs to a seed
                problem = traceback.format_exc()
            if problem:
                wrong += 1
                print(f"round {seed}, {name}: {problem}", flush=True)
    print(f"{tried} releases judged, {len(planned())} kinds of defects: {wrong} wrong answers")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
