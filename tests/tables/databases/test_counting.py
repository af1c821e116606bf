# SPDX-License-Identifier: Apache-2.0
"""Judging inside a database says what judging the rows says, and its query gives a row where a promise is broken."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import psycopg
import pytest
from click.testing import CliRunner

import shoal
from shoal.faces.cli import shoal as command
from shoal.ground.errors import PlanError
from shoal.judging import in_database
from shoal.tables.databases import place_of, write_database
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from shoal.tables.table import Table

FIGURES = ("k_found", "k_claimed", "classes", "rows", "rows_below_k")


def stored(database: str, frame: pl.DataFrame) -> None:
    """Put a frame into the table ``people``."""
    write_database(place_of(database), {"people": Table.of(frame)}, overwrite=True, approve=lambda _: None)


def people(seed: int, rows: int = 60) -> pl.DataFrame:
    """Few values, some missing, spelled in ways that only bytes tell apart."""
    random = np.random.default_rng(seed)
    words = np.array(["a", "A", "a ", None, "ä"], dtype=object)
    return pl.DataFrame(
        {
            "word": words[random.integers(0, 5, rows)].tolist(),
            "real": [None if one == 2 else one / 2 for one in random.integers(0, 3, rows).tolist()],
            "ill": np.array(["flu", "cold", "gout", None], dtype=object)[random.integers(0, 4, rows)].tolist(),
            "name": [f"person {row}" for row in range(rows)],
        }
    )


def rows_of(database: str, query: str) -> list[tuple[Any, ...]]:
    """What a query gives, run by the database's own library."""
    scheme, _, path = database.partition(":///")
    if scheme == "sqlite":
        return sqlite3.connect(path).execute(query).fetchall()
    if scheme == "duckdb":
        return duckdb.connect(path, read_only=True).execute(query).fetchall()
    with psycopg.connect(database) as connection:
        return connection.execute(query.encode()).fetchall()


def test_it_finds_what_the_rows_say(database: str) -> None:
    """Figures, statements and verdicts of k and of distinct l are the same; the query gives a row if one is broken."""
    for seed in range(6):
        stored(database, people(seed))
        table = read_table(database, Reading(table="people")).table
        for k, values_each in ((1, 1), (2, 2), (3, 4)):
            given: Any = {"quasi_identifiers": ["word", "real"][: 1 + seed % 2], "sensitive": ["ill"], "k": k}
            given |= {"models": {"l_diversity": {"l": values_each}}}
            there, here = shoal.check_in_database(database, table="people", **given), shoal.check(table, **given)
            (size, values), (same_size, same_values) = there.findings[:2], here.findings[:2]
            assert [size.figures[one] for one in FIGURES] == [same_size.figures[one] for one in FIGURES]
            assert (size.holds, values) == (same_size.holds, same_values)
            query = shoal.check_as_sql(database, table="people", **given)
            assert len(rows_of(database, query)) == int(not there.holds)


def test_what_cannot_be_counted_is_not_judged(database: str) -> None:
    """Other models, and private values that are spelled in several ways, are not said to hold."""
    stored(database, people(1).with_columns(ill=pl.Series(["flu", "FLU", "5", "5.0", "?", "gout"] * 10)))
    given: Any = {"quasi_identifiers": ["word"], "sensitive": ["ill"], "k": 2, "table": "people"}
    entropy = {"l_diversity": {"l": 2, "kind": "entropy"}}
    for models in ({"l_diversity": {"l": 2}}, {"t_closeness": {"t": 0.9}}, entropy):
        verdict = shoal.check_in_database(database, models=models, **given)
        assert [one.judged for one in verdict.findings] == [True, False]
        assert not verdict.holds
    with pytest.raises(PlanError, match="cannot be written as a query"):
        shoal.check_as_sql(database, models={"t_closeness": {"t": 0.9}}, **given)


def test_identifiers_must_be_gone_and_leaks_are_not_looked_for(database: str) -> None:
    """A column that must not be published breaks the release; that nobody looked for leaks is a warning."""
    stored(database, people(2))
    verdict = shoal.check_in_database(database, quasi_identifiers=["word"], identifiers=["name"], table="people")
    assert [(one.model, one.holds) for one in verdict.findings] == [("k_anonymity", None), ("identifiers", False)]
    assert verdict.warnings == (in_database.NOT_LOOKED,)
    with pytest.raises(PlanError, match="no such column"):
        shoal.check_in_database(database, quasi_identifiers=["height"], table="people")


def test_collations_hide_nothing(tmp_path: Path) -> None:
    """A column that takes a and A for equal, and one that mixes types, are counted by what is stored."""
    place = tmp_path / "people.db"
    with sqlite3.connect(place) as connection:
        connection.execute("create table people (word text collate nocase, mixed)")
        connection.executemany("insert into people values (?, ?)", [("a", 1), ("A", 1), ("a", 1.0), ("A", "1")])
    counted = [
        shoal.check_in_database(place, quasi_identifiers=[name]).findings[0].figures for name in ("word", "mixed")
    ]
    assert [(one["k_found"], one["classes"]) for one in counted] == [(2, 2), (1, 3)]


def test_tables_that_do_not_fit_memory_stay_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where memory is short the database counts, without being asked, and says so."""
    place = tmp_path / "people.db"
    stored(str(place), people(3))
    line = ["check", str(place), "--qi", "word", "-k", "2"]
    assert "leaks were not looked for" not in CliRunner().invoke(command, line).output
    monkeypatch.setattr(in_database, "free_memory", lambda: 1_000)
    outcome = CliRunner().invoke(command, line)
    assert "does not fit into free memory" in outcome.output
    assert in_database.NOT_LOOKED in outcome.output


def test_the_command_prints_the_query(tmp_path: Path) -> None:
    """--as-sql opens nothing, keeps the templates of a pipeline, and refuses places that are no database."""
    line = [
        "check",
        "postgresql://nobody@nowhere.invalid/x",
        "--table",
        "{{ ref('people') }}",
        "--qi",
        "word",
        "-k",
        "3",
    ]
    outcome = CliRunner().invoke(command, [*line, "--as-sql"])
    assert outcome.exit_code == 0
    assert "from {{ ref('people') }} as released" in outcome.output
    refused = CliRunner().invoke(command, ["check", str(tmp_path / "t.csv"), "--qi", "word", "-k", "3", "--as-sql"])
    assert refused.exit_code == 2
    assert "SQLite, DuckDB or PostgreSQL" in refused.output


@pytest.mark.parametrize(
    ("asked", "model"),
    [
        ({"person": "name"}, "person_k"),
        ({"levels": {"word": "common"}}, "common_levels"),
        ({"require": ["loss <= 0.1"]}, "quality"),
    ],
)
def test_what_is_not_counted_is_not_passed_over(asked: dict[str, Any], model: str, tmp_path: Path) -> None:
    """Persons, levels and gates are said to be not judged, and a query for them is refused."""
    database = f"sqlite:///{tmp_path / 'people.db'}"
    stored(database, people(1))
    given: Any = {"table": "people", "k": 1, "quasi_identifiers": ["word"], **asked}
    found = {one.model: one for one in shoal.check_in_database(database, **given).findings}
    assert not found[model].judged
    with pytest.raises(PlanError, match="cannot be written as a query"):
        shoal.check_as_sql(database, **given)


def test_a_misspelt_column_is_no_text(tmp_path: Path) -> None:
    """To SQLite a quoted name without its table would be a text, the same in every row."""
    database = f"sqlite:///{tmp_path / 'people.db'}"
    stored(database, people(1))
    query = shoal.check_as_sql(database, table="people", quasi_identifiers=["word", "nosuch"], k=2)
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        rows_of(database, query)
