# SPDX-License-Identifier: Apache-2.0
"""A query, which a stranger's plan may hold, reads tables of its database and does nothing besides."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

import duckdb
import polars as pl
import psycopg
import pytest

import shoal
from shoal.ground.errors import TableError
from shoal.tables.databases import place_of, write_database
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from shoal.tables.table import Table

PEOPLE = Table(pl.DataFrame({"name": ["Ann", "Bob"], "age": [39, 41]}))

ANYWHERE = {
    "two statements": "select 1 as a; select 2 as b",
    "an end of the transaction first": "commit; select 1 as a",
    "out of the brackets": "select 1 as a) as x; drop table people; select * from (select 1 as a",
    "out of the brackets, with a remark": "select 1 as a) as x; create table made (a int); --",
    "deleting": "delete from people returning *",
    "updating": "update people set age = 1 returning age",
    "inserting": "insert into people values ('Eve', 1) returning *",
    "making a table": "create table made as select * from people",
    "dropping the table": "drop table people",
    "undoing the lock": "rollback",
}
POSTGRES = {
    "a file of the server": "select pg_read_file('/etc/hostname') as a",
    "binary file of the server": "select pg_read_binary_file('/etc/hostname') as a",
    "a folder of the server": "select * from pg_ls_dir('/etc') as a",
    "writing a file": "select lo_export(1, '/tmp/shoal_out') as a",
    "SQL in a text": "select query_to_xml('select pg_read_file(''/etc/hostname'')', true, true, '')::text as a",
    "SQL in the text of another function": "select * from ts_stat('select pg_sleep(1)::text::tsvector')",
    "a setting": "select set_config('transaction_read_only', 'off', true) as a",
    "a setting of the session": "select set_config('default_transaction_read_only', 'off', false) as a",
    "other people's sessions": "select pg_terminate_backend(pid) as a from pg_stat_activity",
    "a sleep": "select pg_sleep(0.1)::text as a",
    "a lock that stays": "select pg_advisory_lock(1)::text as a",
    "a message to others": "select pg_notify('a', 'b')::text as a",
    "within a condition": "select age from people where pg_read_file('/etc/hostname') <> ''",
    "within an order": "select age from people order by pg_read_file('/etc/hostname')",
    "within a window": "select sum(age) over (order by length(pg_read_file('/etc/hostname'))) as a from people",
    "within a lateral join": "select a from people, lateral pg_ls_dir('/etc') as a",
    "passwords": "select rolname::text, rolpassword from pg_authid",
    "passwords by a view": "select * from pg_shadow",
    "the server's access rules": "select * from pg_hba_file_rules",
    "a program": "copy people to program 'touch /tmp/shoal_out'",
    "a file by copying": "copy people to '/tmp/shoal_out'",
    "a program behind brackets": "select 1 as a) to program 'touch /tmp/shoal_out' --",
    "code": "do $$ begin perform 1; end $$",
    "a table by select": "select * into made from people",
    "a change within with": "with gone as (delete from people returning *) select * from gone",
    "locks of rows": "select * from people for update",
    "a function of somebody": "select meddle() as a",
    "an operator of somebody": "select 1 ~~~~ 1 as a",
    "what others ask": "select query from pg_stat_activity",
    "what others ask, by its function": "select query from pg_stat_get_activity(null)",
    "settings of the server": "select setting from pg_settings",
    "one setting of the server": "select current_setting('data_directory') as a",
    "passwords to other servers": "select umoptions::text from pg_user_mappings",
    "another server": "select * from dblink('host=localhost', 'select 1') as t(a int)",
}
DUCKDB = {
    "a file": "select * from read_text('{folder}/secret.txt')",
    "a file of bytes": "select * from read_blob('{folder}/secret.txt')",
    "a table file": "select * from read_csv('{folder}/secret.csv')",
    "a file as a table": "select * from '{folder}/secret.csv'",
    "names of files": "select * from glob('{folder}/*')",
    "writing a file": "copy people to '{folder}/made.csv'",
    "writing behind brackets": "select 1 as a) as x; copy people to '{folder}/made.csv'; select * from (select 1 as a",
    "another database": "attach '{folder}/made.duckdb' as other",
    "a whole export": "export database '{folder}/made'",
    "an extension": "install httpfs",
    "loading an extension": "load '{folder}/made.duckdb_extension'",
    "a setting": "set enable_external_access = true",
    "a setting, then a file": "set enable_external_access = true; select * from read_text('{folder}/secret.txt')",
    "SQL in a text": "select * from query('select * from read_text(''{folder}/secret.txt'')')",
    "a variable of the program": "select * from secret_of_the_program",
    "a temporary table": "create temp table made as select 1 as a",
    "a pragma": "pragma database_list",
    "a statement that the library cannot name": "update extensions",
}
SQLITE = {
    "another database": "attach database '{folder}/made.db' as other",
    "a copy of all": "vacuum into '{folder}/made.db'",
    "a pragma": "pragma database_list",
    "a pragma that changes": "pragma journal_mode = delete",
    "a pragma as a table": "select * from pragma_database_list",
    "an extension": "select load_extension('{folder}/made') as a",
    "a temporary table": "create temp table made as select 1 as a",
    "a trigger": "create temp trigger t after insert on people begin select 1; end",
    "with and a change": "with a as (select 1) delete from people",
    "a reindex": "reindex",
    "an end of the transaction": "end",
    "tokenizers": "select fts3_tokenizer('simple') as a",
}


@pytest.fixture
def secrets_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files that no query may read."""
    folder = tmp_path / "around"
    folder.mkdir()
    (folder / "secret.txt").write_text("SECRET")
    (folder / "secret.csv").write_text("a,b\nSECRET,2\n")
    monkeypatch.chdir(folder)
    return folder


def refused(address: str, query: str) -> None:
    """Ask, and see that the answer is five parts without a cell, and that the table is as it was."""
    secret_of_the_program = pl.DataFrame({"a": ["SECRET"]})
    with pytest.raises(TableError) as answer:
        read_table(address, Reading(query=query))
    assert len(answer.value.parts()) == 5
    assert "SECRET" not in str(answer.value)
    assert len(secret_of_the_program) == 1
    assert read_table(address).table.frame.rows() == PEOPLE.frame.rows()


@pytest.mark.parametrize("query", ANYWHERE.values(), ids=ANYWHERE.keys())
def test_one_statement_that_reads(database: str, query: str, secrets_around: Path) -> None:
    """Several statements, ends of transactions and changes are refused by every database."""
    write_database(place_of(database), {"people": PEOPLE}, overwrite=False, approve=lambda read: None)
    refused(database, query)


@pytest.mark.parametrize("query", POSTGRES.values(), ids=POSTGRES.keys())
def test_postgresql_even_as_superuser(postgres: str, query: str) -> None:
    """The most powerful user's query reaches no file, no program, no other session and no setting of the server."""
    Path("/tmp/shoal_out").unlink(missing_ok=True)
    write_database(place_of(postgres), {"people": PEOPLE}, overwrite=False, approve=lambda read: None)
    with psycopg.connect(postgres, autocommit=True) as owner:
        owner.execute("create function meddle() returns int language sql as 'select 1'")
        owner.execute("create function meddle(int, int) returns int language sql as 'select 1'")
        owner.execute("create operator ~~~~ (leftarg = int, rightarg = int, function = meddle)")
        with suppress(psycopg.Error):  # not installed there, so it is refused as unknown
            owner.execute("create extension dblink")
    refused(postgres, query)
    assert not Path("/tmp/shoal_out").exists()


@pytest.mark.parametrize("query", DUCKDB.values(), ids=DUCKDB.keys())
def test_duckdb_sees_its_own_file_alone(tmp_path: Path, query: str, secrets_around: Path) -> None:
    """No other file is read or written, nothing is loaded, and no setting opens the door again."""
    with duckdb.connect(str(tmp_path / "people.duckdb")) as made:
        made.execute("create table people as select * from (values ('Ann', 39::bigint), ('Bob', 41)) as t(name, age)")
    refused(f"{tmp_path}/people.duckdb", query.format(folder=secrets_around))
    assert sorted(path.name for path in secrets_around.iterdir()) == ["secret.csv", "secret.txt"]


@pytest.mark.parametrize("query", SQLITE.values(), ids=SQLITE.keys())
def test_sqlite_reads_and_nothing_else(tmp_path: Path, query: str, secrets_around: Path) -> None:
    """Whatever is no reading is refused by SQLite itself, before it happens."""
    with sqlite3.connect(tmp_path / "people.db") as made:
        made.execute("create table people (name text, age integer)")
        made.execute("insert into people values ('Ann', 39), ('Bob', 41)")
    made.close()
    refused(f"{tmp_path}/people.db", query.format(folder=secrets_around))
    assert sorted(path.name for path in secrets_around.iterdir()) == ["secret.csv", "secret.txt"]


GOOD = {
    "a join": "select a.name, b.age from people a join people b on a.name = b.name order by 1",
    "a set of rows": "select name from people union all select upper(name) from people",
    "with": "with old as (select * from people where age > 40) select count(*) as n from old",
    "a window": "select name, row_number() over (order by age desc) as place from people",
    "a grouping": "select age % 2 as odd, avg(age) as mean, count(distinct name) as n from people group by 1",
    "words like those of attacks": "select name as \"drop table; :funcid 2625\", 'commit; --' as b from people",
    "a remark at the end": "select name from people -- everybody",
    "text and cases": "select case when name like 'A%' then 'a' else coalesce(name, '') end as a from people",
}


@pytest.mark.parametrize("query", GOOD.values(), ids=GOOD.keys())
def test_honest_queries_are_answered(database: str, query: str) -> None:
    """What reads the tables of the database goes on working."""
    write_database(place_of(database), {"people": PEOPLE}, overwrite=False, approve=lambda read: None)
    assert len(read_table(database, Reading(query=query)).table) >= 1


def test_chance_and_the_clock_are_harmless(postgres: str) -> None:
    """Samples by chance and the time of day need functions that the server calls volatile."""
    write_database(place_of(postgres), {"people": PEOPLE}, overwrite=False, approve=lambda read: None)
    query = "select name, clock_timestamp() as t from people order by random()"
    assert len(read_table(postgres, Reading(query=query)).table) == 2


def test_the_query_of_a_plan(tmp_path: Path, secrets_around: Path) -> None:
    """A plan that somebody sends cannot bring a local file into the release."""
    with duckdb.connect(str(tmp_path / "people.duckdb")) as made:
        made.execute("create table people as select 1 as a")
    (tmp_path / "plan.toml").write_text(
        "[privacy]\nk = 1\n[input]\n"
        f"query = \"select content as a from read_text('{secrets_around}/secret.txt')\"\n"
        '[columns.a]\nrole = "quasi-identifier"\n'
    )
    with pytest.raises(TableError, match="cannot be read"):
        shoal.anonymize(tmp_path / "people.duckdb", shoal.Plan.read(tmp_path / "plan.toml"))
