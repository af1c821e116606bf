# SPDX-License-Identifier: Apache-2.0
"""SQLite, DuckDB and PostgreSQL: types come back, tables and queries are found, and writing is all or nothing."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.ground import catalog
from shoal.ground.errors import OutputError, PlanError, ShoalError, TableError
from shoal.tables.databases import check_target, masked, place_of, read_database, write_database
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from shoal.tables.table import Table
from tests.tables.test_round_trips import CELLS, COMMON, frames, left_of

PEOPLE = Table(pl.DataFrame({"name": ["Ann", None, ""], "age": [39, 41, None]}))


def put(address: str, tables: Mapping[str, Table], *, overwrite: bool = False) -> list[Table]:
    """Write tables; gives what was read back before the end of the transaction."""
    seen: list[Table] = []
    write_database(place_of(address), tables, overwrite=overwrite, approve=seen.extend)
    return seen


def get(address: str, **reading: str) -> pl.DataFrame:
    """The cells of a table or a query."""
    return read_table(address, Reading(**reading)).table.frame


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_types_come_back(database: str, data: st.DataObject) -> None:
    """Values, types, missing cells and the order of columns come back, but for the losses that are declared."""
    module = place_of(database).module
    frame = data.draw(frames((*COMMON, "binary")))
    put(database, {"t": Table(frame)}, overwrite=True)
    back = get(database, table="t")
    assert back.columns == frame.columns
    small = {"small": pl.Int16} if module.__name__.endswith("postgresql") else {}
    for name in frame.columns:
        expected = left_of(frame[name], module.LOSES)
        assert back[name].to_list() == expected.to_list(), name
        assert back[name].dtype == small.get(name, expected.dtype), name


def test_every_type_was_tried() -> None:
    """The strategy above draws from all types but nested ones."""
    assert {*COMMON, "binary", "list"} == set(CELLS)


@pytest.mark.parametrize("rows", [0, 1])
def test_empty_and_missing(database: str, rows: int) -> None:
    """Empty text, missing text and tables without rows keep their columns."""
    put(database, {"t": Table(PEOPLE.frame.head(rows))})
    assert get(database, table="t").schema == PEOPLE.frame.schema
    put(database, {"u": PEOPLE})
    assert get(database, table="u").rows() == PEOPLE.frame.rows()


def test_what_is_meant(database: str) -> None:
    """The only table needs no name; of several one must be named, and a misspelt one finds its neighbour."""
    put(database, {"people": PEOPLE})
    assert get(database).rows() == PEOPLE.frame.rows()
    put(database, {'"visits.of people"': PEOPLE})
    with pytest.raises(TableError, match="several tables") as refused:
        get(database)
    assert "people" in refused.value.allowed
    with pytest.raises(TableError, match="no such table") as refused:
        get(database, table="peple")
    assert refused.value.todo == "did you mean 'people'?"


def test_queries(database: str) -> None:
    """A query is read like a table; a final semicolon or remark does not matter."""
    put(database, {"people": PEOPLE})
    assert get(database, query="select age from people where age > 40;").rows() == [(41,)]
    assert get(database, query="with p as (select * from people) select count(*) as n from p -- all").rows() == [(3,)]


@pytest.mark.parametrize(
    "query", ["selec", "select nope from people", "select * from nope", "delete from people", "drop table people"]
)
def test_queries_that_cannot_be(database: str, query: str) -> None:
    """Faulty queries, and those that would change something, are refused in five parts without a cell."""
    put(database, {"people": Table(pl.DataFrame({"name": ["SECRET"]}))})
    with pytest.raises(TableError) as refused:
        get(database, query=query)
    assert len(refused.value.parts()) == 5
    assert "SECRET" not in str(refused.value)
    assert get(database, table="people").rows() == [("SECRET",)]


def test_a_table_is_not_replaced_unasked(database: str) -> None:
    """An existing table is refused before the work and at its end; with overwrite it is replaced."""
    put(database, {"t": PEOPLE})
    other = Table(pl.DataFrame({"x": [1]}))
    with pytest.raises(OutputError, match="already"):
        check_target(place_of(database), ["t"], overwrite=False)
    with pytest.raises(OutputError, match="appeared"):
        put(database, {"t": other})
    assert get(database, table="t").rows() == PEOPLE.frame.rows()
    check_target(place_of(database), ["t"], overwrite=True)
    put(database, {"t": other}, overwrite=True)
    assert get(database, table="t").rows() == [(1,)]


def test_what_is_not_approved_is_undone(database: str) -> None:
    """A verdict of no undoes everything, of several tables all of them, and leaves the old table in place."""
    put(database, {"old": PEOPLE})

    def no(read: list[Table]) -> None:
        assert [len(one) for one in read] == [1, 1]
        raise TableError("no")

    tables = {name: Table(pl.DataFrame({"x": [1]})) for name in ("old", "new")}
    with pytest.raises(TableError, match="no"):
        write_database(place_of(database), tables, overwrite=True, approve=no)
    assert get(database).rows() == PEOPLE.frame.rows()


CHILD = """
import sys, time, polars as pl
from shoal.tables.databases import place_of, write_database
from shoal.tables.table import Table
def approve(read):
    print("written", len(read[0]), flush=True)
    time.sleep(300)
tables = {name: Table(pl.DataFrame({"x": range(60_000), "y": ["text"] * 60_000})) for name in ("old", "new")}
write_database(place_of(sys.argv[1]), tables, overwrite=True, approve=approve)
"""


@pytest.mark.thin(3)
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_killed_write_leaves_nothing(database: str, how: signal.Signals) -> None:
    """Whoever is stopped with all rows written, but not committed, leaves the database as it was."""
    put(database, {"old": PEOPLE})
    child = subprocess.Popen([sys.executable, "-c", CHILD, database], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "written 60000\n"
    child.send_signal(how)
    assert child.wait(60) != 0
    for _ in range(100):  # a server takes a moment to notice
        try:
            assert get(database).rows() == PEOPLE.frame.rows()
            break
        except TableError:
            time.sleep(0.1)
    else:
        assert get(database).rows() == PEOPLE.frame.rows()


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_new_file_that_failed_is_gone(tmp_path: Path, kind: str) -> None:
    """A file that was made for a table which did not come about does not stay."""

    def no(read: list[Table]) -> None:
        raise TableError("no")

    with pytest.raises(TableError, match="no"):
        write_database(place_of(f"{tmp_path}/new.{kind}"), {"t": PEOPLE}, overwrite=False, approve=no)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_files_that_are_no_database(tmp_path: Path, kind: str) -> None:
    """Absent, empty and foreign files are refused; reading makes no file."""
    path = tmp_path / f"people.{kind}"
    for content in (None, b"", b"SECRET" * 1000):
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(TableError) as refused:
            read_table(path)
        assert len(refused.value.parts()) == 5
        assert "SECRET" not in str(refused.value)
        assert path.exists() == (content is not None)


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_names_that_differ_in_case_only(tmp_path: Path, kind: str) -> None:
    """Columns that the database would not tell apart are refused."""
    with pytest.raises(TableError, match="case"):
        put(f"{tmp_path}/new.{kind}", {"t": Table(pl.DataFrame({"a": [1], "A": [2]}))})


def test_sqlite_columns_of_several_types(tmp_path: Path) -> None:
    """SQLite types cells and not columns: numbers among text become text, and dates in another form stay text."""
    import sqlite3

    with sqlite3.connect(tmp_path / "t.db") as made:
        made.execute("create table t (mixed, number, day date, odd date, truth boolean, none integer)")
        made.execute("insert into t values ('x', 1, '2020-02-29', '29.2.2020', 1, null)")
        made.execute("insert into t values (7, 1.5, null, '2020-02-29', 0, null)")
    made.close()
    frame = get(f"{tmp_path}/t.db")
    assert frame.rows()[1][:2] == ("7", 1.5)
    assert [str(kind) for kind in frame.dtypes] == ["String", "Float64", "Date", "String", "Boolean", "Int64"]


def test_addresses(tmp_path: Path) -> None:
    """A file is named by its path or by a URL; three slashes are relative, four begin at the root."""
    put(f"{tmp_path}/people.db", {"t": PEOPLE})
    assert get(f"sqlite:///{tmp_path}/people.db").rows() == PEOPLE.frame.rows()
    assert place_of("sqlite:///people.db").address == "people.db"
    assert place_of("duckdb:////data/people.duckdb").address == "/data/people.duckdb"
    assert read_database(f"sqlite:///{tmp_path}/people.db", Reading())[1] == "sqlite"
    with pytest.raises(PlanError, match="no known database"):
        read_table("mysql://ann:hidden@host/db")
    with pytest.raises(PlanError, match="no database"):
        place_of(tmp_path / "people.csv")
    with pytest.raises(TableError, match="Several places"):
        read_table([f"sqlite:///{tmp_path}/people.db", tmp_path / "other.csv"])


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:hidden@host/db",
        "postgresql://ann:hidden@host:5432,other:5433/db",
        "postgresql://host/db?user=ann&password=hidden",
        "postgresql:/ann:hidden@host/db",
        "postgresql://ann:hidden@host:port/db",
        "postgres://ann:hid/den@host/db",
        "mysql://ann:hidden@host/db",
    ],
)
def test_nothing_secret_is_shown_of_an_address(address: str) -> None:
    """Neither the password nor the user is in what is shown of an address, however it is mistyped."""
    assert "hid" not in masked(address)
    assert "ann" not in masked(address)


@pytest.mark.parametrize("reading", [{"table": "t", "query": "select 1"}])
def test_a_table_or_a_query(reading: dict[str, str]) -> None:
    """Both at once cannot be meant."""
    with pytest.raises(PlanError):
        Reading(**reading)


@pytest.mark.parametrize(
    ("name", "extra"),
    [("fastexcel", "excel"), ("pyreadstat", "stats-formats"), ("duckdb", "duckdb"), ("psycopg", "postgres")],
)
def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, extra: str) -> None:
    """Without its library a format says which extra to install."""
    monkeypatch.setitem(sys.modules, name, None)
    format = next(
        one for one in catalog.names("formats") if getattr(catalog.load("formats", one), "EXTRA", "") == extra
    )
    place: str | Path = "postgresql://host/db"
    if extra != "postgres":
        place = tmp_path / f"t{catalog.load('formats', format).EXTENSIONS[0]}"
        Path(place).write_bytes(b"x")
    with pytest.raises(ShoalError, match="not installed") as refused:
        read_table(place)
    assert refused.value.todo == f"pip install 'shoal[{extra}]'"
    assert len(refused.value.parts()) == 5
