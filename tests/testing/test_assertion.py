# SPDX-License-Identifier: Apache-2.0
"""``assert_anonymous``: the checker as an assertion in tests of one's own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import shoal
from shoal.testing import assert_anonymous

COLUMNS = {"age": ["[20, 29]"] * 4 + ["[30, 39]"] * 5, "disease": list("abababaab")}


def test_a_good_table_passes_and_gives_the_verdict() -> None:
    """What holds can be looked at further."""
    verdict = assert_anonymous(pl.DataFrame(COLUMNS), k=4, quasi_identifiers=["age"], sensitive=["disease"])
    assert isinstance(verdict, shoal.Verdict)
    assert verdict.findings[0].figures["k_found"] == 4


@pytest.mark.parametrize("make", [pl.DataFrame, pd.DataFrame, dict])
def test_a_bad_table_fails_with_the_reason(make) -> None:
    """The message says what was claimed and what is true, for every kind of table."""
    with pytest.raises(AssertionError, match=r"k = 4, but 5 was claimed: 4 of 9 rows have fewer look-alikes"):
        assert_anonymous(make(COLUMNS), k=5, quasi_identifiers=["age"])


def test_files_are_read(tmp_path: Path) -> None:
    """A path is a table, too."""
    pl.DataFrame(COLUMNS).write_csv(tmp_path / "table.csv")
    assert assert_anonymous(tmp_path / "table.csv", k=4, quasi_identifiers=["age"])


def test_warnings_count_only_when_strict_and_can_be_allowed() -> None:
    """A row number breaks no model; strict tests refuse it, with what to do, unless it was weighed and allowed."""
    numbered = pl.DataFrame({**COLUMNS, "n": range(9)})
    assert assert_anonymous(numbered, k=4, quasi_identifiers=["age"]).warnings
    with pytest.raises(AssertionError, match="row_numbers: column 'n' numbers the rows") as caught:
        assert_anonymous(numbered, k=4, quasi_identifiers=["age"], strict=True)
    assert "-> row_numbers: leave the column out" in str(caught.value)
    assert assert_anonymous(numbered, k=4, quasi_identifiers=["age"], strict=True, allow=["row_numbers"])


def test_a_leak_that_breaks_fails_always() -> None:
    """An identifier left in under another name is no matter of strictness."""
    names = [f"person {number * 17 % 10}" for number in range(9)]
    original = pl.DataFrame({**COLUMNS, "name": names})
    renamed = pl.DataFrame({**COLUMNS, "ref": names})
    with pytest.raises(AssertionError, match="renamed_identifiers: column 'ref' holds the values of the identifier"):
        assert_anonymous(renamed, k=4, quasi_identifiers=["age"], identifiers=["name"], original=original)


def test_an_unknown_kind_cannot_be_allowed() -> None:
    """A misspelt name would allow nothing; it is refused with the nearest one."""
    with pytest.raises(shoal.ShoalError, match="no leak of that name"):
        assert_anonymous(pl.DataFrame(COLUMNS), k=4, quasi_identifiers=["age"], allow=["row_number"])


def test_the_engine_is_not_loaded() -> None:
    """The judge shares no code with the accused, not even by import."""
    code = (
        "from shoal.testing import assert_anonymous; import sys;"
        "assert_anonymous({'age': ['x'] * 3}, k=3, quasi_identifiers=['age']);"
        "rooms = ('algorithms', 'encoding', 'generalizing', 'kernels', 'pipeline', 'refining', 'enforcing');"
        "engine = tuple(f'shoal.{room}' for room in rooms);"
        "print(*[one for one in sys.modules if one.startswith(engine)], 'numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
