# SPDX-License-Identifier: Apache-2.0
"""Databases to read from and to write to: a real PostgreSQL server, and files of SQLite and DuckDB."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.tables.databases.server import Server, programs, running


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """One PostgreSQL server for all tests."""
    if programs() is None:
        pytest.skip("no PostgreSQL on this machine (apt-get install postgresql)")
    with running() as started:
        yield started


@pytest.fixture
def postgres(server: Server) -> Iterator[str]:
    """The address, password included, of a database of one's own."""
    name = f"db_{secrets.token_hex(4)}"
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"create database {name}".encode())
        yield server.url(name)
        connection.execute(f"drop database {name} with (force)".encode())


@pytest.fixture(params=["sqlite", "duckdb", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of each kind."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres"))
    return f"{request.param}:///{tmp_path}/people.{request.param}"


@pytest.fixture(autouse=True)
def no_credentials_around(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests see no settings of whoever runs them."""
    for name in [name for name in os.environ if name.startswith("PG")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PGPASSFILE", os.devnull)
