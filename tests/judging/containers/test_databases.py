# SPDX-License-Identifier: Apache-2.0
"""What a database file holds besides its cells is found."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from shoal.tables.reading import Reading
from shoal.tables.sources import write_table
from shoal.tables.table import Table
from tests.judging.containers.planting import CELLS, SECRET, Plant, around


def sqlite_with(*statements: str) -> Plant:
    """A SQLite file of the table, after some statements."""

    def made(path: Path) -> None:
        write_table(Table(CELLS), path, "sqlite", Reading())
        with closing(sqlite3.connect(path)) as connection:
            for statement in statements:
                connection.execute(statement)
            connection.commit()

    return made


def sqlite_reserved(path: Path) -> None:
    """A SQLite file with something in bytes that mean nothing."""
    sqlite_with()(path)
    stored = path.read_bytes()
    path.write_bytes(stored[:72] + b"Anna" + stored[76:])


def duckdb_with(*statements: str) -> Plant:
    """A DuckDB file of the table, after some statements."""

    def made(path: Path) -> None:
        import duckdb

        write_table(Table(CELLS), path, "duckdb", Reading())
        with duckdb.connect(str(path)) as connection:
            for statement in statements:
                connection.execute(statement)

    return made


DATABASES: dict[str, tuple[str, Plant]] = {
    "another table": ("t.sqlite", sqlite_with("create table original (name)")),
    "a header that says more": ("t.sqlite", sqlite_reserved),
    "a view": ("t.sqlite", sqlite_with("create view anna as select 978320")),
    "a trigger": (
        "t.sqlite",
        sqlite_with("create trigger t after insert on released begin select 'Anna'; end"),
    ),
    "an index": ("t.sqlite", sqlite_with("create index i on released (age) where ill = 'Anna'")),
    "free pages": (
        "t.sqlite",
        sqlite_with(
            "create table gone as with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)"
            " select i, 'Anna Bell' from n",
            "drop table gone",
        ),
    ),
    "a default": ("t.sqlite", sqlite_with("alter table released add column x text default 'Anna Bell'")),
    "numbers of rows that are gone": (
        "t.sqlite",
        sqlite_with("insert into released select * from released", "delete from released where rowid <= 6"),
    ),
    "a journal": ("t.sqlite", lambda path: (sqlite_with()(path), Path(f"{path}-wal").write_bytes(b""))),
    "words as a type": ("t.sqlite", sqlite_with("alter table released add column x Anna_Bell")),
    "a schema": ("t.duckdb", duckdb_with("create schema anna")),
    "bytes behind DuckDB": (
        "t.duckdb",
        lambda path: (duckdb_with()(path), path.write_bytes(path.read_bytes() + SECRET.encode())),
    ),
    "another table of DuckDB": ("t.duckdb", duckdb_with("create table original (name varchar)")),
    "a view of DuckDB": ("t.duckdb", duckdb_with("create view anna as select 978320 as income")),
    "a macro": ("t.duckdb", duckdb_with("create macro anna() as 978320")),
    "a comment": ("t.duckdb", duckdb_with("comment on table released is 'Anna Bell'")),
    "a default of DuckDB": ("t.duckdb", duckdb_with("alter table released add column x text default 'Anna Bell'")),
    "a type": ("t.duckdb", duckdb_with("create type names as enum ('Anna Bell')")),
}


@pytest.mark.thin(2)
@pytest.mark.parametrize(("name", "plant"), DATABASES.values(), ids=DATABASES)
def test_extras_of_databases_are_told(tmp_path: Path, name: str, plant: Plant) -> None:
    """A database file is published with everything in it, in use or not."""
    plant(tmp_path / name)
    told = around(tmp_path / name, Reading(table="released"))
    assert [leak.kind for leak in told if leak.kind.startswith("container")]


@pytest.mark.parametrize("name", ["Anna Bell 31337", "2020-01-01", "anna@example.com"])
def test_names_of_tables_are_names(tmp_path: Path, name: str) -> None:
    """A table that is called like a cell publishes one."""
    sqlite_with(f'alter table released rename to "{name}"')(tmp_path / "t.sqlite")
    assert "header_cells" in [leak.kind for leak in around(tmp_path / "t.sqlite")]
