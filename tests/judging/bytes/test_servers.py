# SPDX-License-Identifier: Apache-2.0
"""Tables of a PostgreSQL server: each cell as the server writes it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import psycopg
import pytest

import shoal
from shoal.ground.errors import TableError
from tests.tables.databases.server import programs, running


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a database of one's own."""
    if programs() is None:
        pytest.skip("no PostgreSQL on this machine (apt-get install postgresql)")
    with running() as server:
        name = f"db_{secrets.token_hex(4)}"
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute(f"create database {name}".encode())
        yield server.url(name)


def holds(address: str, kind: str, cells: str) -> bool:
    """Whether two rows of a new table are look-alikes."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("drop table if exists t")
        connection.execute(f"create table t (a {kind}, b int)".encode())
        connection.execute(f"insert into t select unnest(array[{cells}]::{kind}[]), 1".encode())
    return shoal.check(address, quasi_identifiers=["a"], k=2).holds


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        ("float8", "'NaN', null"),
        ("float8", "'0', '-0'"),
        ("float4", "'NaN', null"),
        ("numeric", "1.0, 1.00"),
        ("text", "'', null"),
        ("interval", "'30 days', '1 month'"),
    ],
)
def test_cells_that_are_written_differently_are_different(address: str, kind: str, cells: str) -> None:
    """What psql shows differently is different."""
    assert not holds(address, kind, cells)


@pytest.mark.parametrize(
    ("kind", "cells"),
    [("float8", "1.5, 1.5"), ("numeric(5, 2)", "1.0, 1.00"), ("text", "'x', 'x'"), ("int", "null, null")],
)
def test_cells_that_are_the_same_hold(address: str, kind: str, cells: str) -> None:
    """Types with one way to write a value."""
    assert holds(address, kind, cells)


@pytest.mark.parametrize("kind", ["json", "jsonb", "bytea", "int[]", "xml", "bit(1)"])
def test_nested_and_binary_columns_are_refused(address: str, kind: str) -> None:
    """A cell that holds several values is not judged, though it could be shown as text."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("drop table if exists t")
        connection.execute(f"create table t (a int, b {kind})".encode())
        connection.execute("insert into t values (1, null), (1, null)")
    with pytest.raises(TableError, match="nested or binary"):
        shoal.check(address, quasi_identifiers=["a"], k=2)
