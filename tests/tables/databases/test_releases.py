# SPDX-License-Identifier: Apache-2.0
"""From a database to a release and into a database, on the command line; and no password anywhere on the way."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import psycopg
import pytest
from click.testing import CliRunner, Result

import shoal
from shoal.faces.cli import shoal as commands
from shoal.ground.errors import PlanError, RefusedReleaseError
from shoal.releases.publishing import publish
from shoal.tables.databases import place_of, write_database
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from shoal.tables.table import Table
from tests.tables.databases.server import PASSWORD, USER, Server

ROLES = ("-k", "5", "--qi", "age,sex", "--identifier", "name", "--method", "mondrian", "--quiet")


def people(rows: int = 60) -> Table:
    """Invented people."""
    ages = [20 + 7 * row % 50 for row in range(rows)]
    return Table(
        pl.DataFrame({"name": [f"person {row}" for row in range(rows)], "age": ages, "sex": ["f", "m"] * (rows // 2)})
    )


@pytest.fixture
def filled(database: str) -> str:
    """A database with a table of people beside another table."""
    tables = {"patients": people(), "other": Table(pl.DataFrame({"x": [1]}))}
    write_database(place_of(database), tables, overwrite=False, approve=lambda read: None)
    return database


@pytest.fixture
def run() -> Callable[..., Result]:
    """Runs a command in this process."""
    return lambda *arguments: CliRunner().invoke(commands, [str(one) for one in arguments])


def test_from_a_table_to_a_table(filled: str, tmp_path: Path, run: Callable[..., Result]) -> None:
    """One command reads a table, makes the folder, writes the released table back, and both hold."""
    out = tmp_path / "out"
    done = run("anonymize", filled, "--table", "patients", "-o", out, *ROLES, "--to", filled, "--to-table", "open")
    assert done.exit_code == 0, done.output
    assert "Written       table open of " in done.output
    assert run("check", out).exit_code == 0
    assert run("check", filled, "--table", "open", "--qi", "age,sex", "-k", "5").exit_code == 0
    assert run("check", filled, "--table", "patients", "--qi", "age,sex", "-k", "5").exit_code == 1
    assert run("measure", filled, out, "--table", "patients").exit_code == 0
    released = read_table(filled, Reading(table="open")).table
    assert released.names == ["age", "sex"]
    assert sorted(released.frame.rows()) == sorted(read_table(next(out.glob("table.*"))).table.frame.rows())


def test_the_plan_of_a_release_replays(filled: str, tmp_path: Path, run: Callable[..., Result]) -> None:
    """The plan tells the query, not the address, and gives the same content again."""
    query = "select age, sex, name from patients where age > 25 order by name"
    first = run("anonymize", filled, "--query", query, "-o", tmp_path / "one", *ROLES)
    assert first.exit_code == 0, first.output
    again = run("anonymize", filled, "--plan", tmp_path / "one" / "plan.toml", "-o", tmp_path / "two", "--quiet")
    assert again.exit_code == 0, again.output
    frames = [read_table(next((tmp_path / name).glob("table.*"))).table.frame for name in ("one", "two")]
    assert frames[0].equals(frames[1])
    assert frames[0].columns == ["age", "sex"]


def test_an_existing_table_stops_the_run_at_once(filled: str, tmp_path: Path, run: Callable[..., Result]) -> None:
    """A taken name is refused before the work: no folder is made; with --overwrite the table is replaced."""
    flags = ("--table", "patients", "-o", tmp_path / "out", *ROLES, "--to", filled, "--to-table", "other")
    refused = run("anonymize", filled, *flags)
    assert refused.exit_code == 2
    assert "--overwrite" in refused.output
    assert not (tmp_path / "out").exists()
    assert run("anonymize", filled, *flags, "--overwrite").exit_code == 0
    assert len(read_table(filled, Reading(table="other")).table) == 60


def test_interrupted_before_it_is_kept(
    filled: str, tmp_path: Path, run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is there by then, the table is not; both are told."""
    out = tmp_path / "out"
    monkeypatch.setattr("shoal.releases.publishing._approve", lambda *_: signal.raise_signal(signal.SIGINT))
    done = run("anonymize", filled, "--table", "patients", "-o", out, *ROLES, "--to", filled, "--to-table", "open")
    assert done.exit_code == 130
    assert f"the release folder {str(out)!r} is complete, the database is as before" in done.output
    assert run("check", out).exit_code == 0
    assert run("check", filled, "--table", "open", "--qi", "age,sex").exit_code == 2


def test_the_original_is_never_replaced(filled: str, tmp_path: Path, run: Callable[..., Result]) -> None:
    """Source and target may not be the same table, whatever is allowed to be overwritten."""
    flags = ("--table", "patients", "-o", tmp_path / "out", *ROLES, "--to", filled, "--to-table", "patients")
    refused = run("anonymize", filled, *flags, "--overwrite")
    assert refused.exit_code == 2
    assert "could replace the original" in refused.output
    assert read_table(filled, Reading(table="patients")).table.names == ["name", "age", "sex"]


def test_a_table_that_reads_back_differently_is_not_kept(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the database gives back is judged before it is committed."""
    release = shoal.anonymize(people(), k=5, quasi_identifiers=["age", "sex"], identifiers=["name"], method="mondrian")
    kind = place_of(filled).module
    opened = next(value for name, value in vars(kind).items() if name.startswith("_") and hasattr(value, "create"))
    create = opened.create

    def forgetful(self: object, table: tuple[str, ...], content: Table) -> None:
        create(self, table, Table(content.frame.head(7)))

    monkeypatch.setattr(opened, "create", forgetful)
    with pytest.raises(RefusedReleaseError):
        publish(release, filled, "open")
    monkeypatch.undo()
    with pytest.raises(shoal.ShoalError, match="no such table"):
        read_table(filled, Reading(table="open"))


def everything_in(folder: Path) -> bytes:
    """All bytes of a folder's files."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.fixture
def prepared(postgres: str) -> Iterator[str]:
    """A PostgreSQL database with a table of people."""
    write_database(place_of(postgres), {"patients": people()}, overwrite=False, approve=lambda read: None)
    return postgres


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_no_password_in_a_release(prepared: str, tmp_path: Path, run: Callable[..., Result], flags: tuple[str]) -> None:
    """Neither password nor user is in the output, the plan, the report or the manifest of a run that succeeds."""
    out = tmp_path / "out"
    done = run("anonymize", prepared, "--table", "patients", "-o", out, *ROLES[:-1], "--to", prepared, *flags)
    assert done.exit_code == 0, done.output
    for secret in (PASSWORD, USER):
        assert secret not in done.output
        assert secret.encode() not in everything_in(out)


@pytest.mark.parametrize(
    "broken",
    [
        lambda url: (url.replace(PASSWORD, f"{PASSWORD}x"), "user or a password"),
        lambda url: (url.rpartition("/")[0] + "/nosuch", "not on the server"),
        lambda url: (url.replace("127.0.0.1", "127.0.0.1:1,127.0.0.2"), "cannot be reached"),
        lambda url: (url.replace("postgresql://", "postgresql:/"), "received"),
        lambda url: (url.replace("postgresql://", "mysql://"), "no known database"),
        lambda url: (f"{url}?sslmode=nonsense", "received"),
        lambda url: (f"{url}?application_name={PASSWORD}&nonsense=1", "received"),
    ],
)
@pytest.mark.parametrize("place", ["source", "target"])
def test_no_password_in_an_error(
    prepared: str, tmp_path: Path, run: Callable[..., Result], place: str, broken: Callable[[str], tuple[str, str]]
) -> None:
    """However a connection fails, the message is in five parts and tells no password."""
    wrong, word = broken(prepared)
    source, target = (wrong, prepared) if place == "source" else (prepared, wrong)
    done = run("anonymize", source, "--table", "patients", "-o", tmp_path / "out", *ROLES, "--to", target)
    assert done.exit_code == 2
    assert word in done.output
    assert PASSWORD not in done.output
    assert all(part in done.output for part in ("where", "allowed", "received", "next"))
    assert not (tmp_path / "out").exists()


def test_no_password_in_what_compare_keeps(prepared: str, tmp_path: Path, run: Callable[..., Result]) -> None:
    """The results of a comparison do not tell where the table came from."""
    flags = ("--table", "patients", "--k", "5", "--methods", "mondrian", *ROLES[2:6], "--quiet", "-o", tmp_path / "out")
    done = run("compare", prepared, *flags)
    assert done.exit_code == 0, done.output
    assert PASSWORD not in done.output
    assert PASSWORD.encode() not in everything_in(tmp_path / "out")


def test_password_from_the_environment(server: Server, prepared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a password in the address, PGPASSWORD or a password file is asked."""
    bare = prepared.replace(f":{PASSWORD}", "")
    with pytest.raises(shoal.ShoalError, match="cannot be read") as refused:
        read_table(bare)
    assert "password" in refused.value.received
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    assert len(read_table(bare).table) == 60


def test_password_from_a_file(prepared: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A password file is read where libpq looks for one."""
    secrets = tmp_path / "pgpass"
    secrets.write_text(f"127.0.0.1:*:*:{USER}:{PASSWORD}\n")
    secrets.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", os.fspath(secrets))
    assert len(read_table(prepared.replace(f":{PASSWORD}", "")).table) == 60


def test_types_of_a_server(prepared: str) -> None:
    """What only a server has is read in a fitting type: enums in their order, decimals, time zones, others as text."""
    with psycopg.connect(prepared) as connection:
        connection.execute(
            "create type level as enum ('low', 'mid', 'high');"
            "create schema health;"
            "create table health.odd as select 'mid'::level as level, 1.50::numeric(5, 2) as money,"
            "  12::numeric as total,"
            "  timestamptz '2020-05-01 12:00+02' as seen, '{\"a\": 1}'::jsonb as document, array[1, 2] as list,"
            "  interval '3 days' as span, date 'infinity' as never, 'ab'::char(4) as padded"
        )
    frame = read_table(prepared, Reading(table="health.odd")).table.frame
    assert frame.row(0, named=True) | {"seen": None} == {
        "level": "mid", "money": pl.Series(["1.50"]).cast(pl.Decimal(5, 2))[0], "total": 12, "seen": None,
        "document": '{"a": 1}', "list": "{1,2}", "span": "P3D", "never": "infinity", "padded": "ab  ",
    }  # fmt: skip
    assert frame["seen"].dt.to_string("%F %T %Z").to_list() == ["2020-05-01 10:00:00 UTC"]
    assert frame.schema["level"] == pl.Enum(["low", "mid", "high"])
    assert frame.schema["money"] == pl.Decimal(5, 2)


def test_large_tables_come_in_batches(prepared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches cut anywhere give the same table."""
    module = place_of(prepared).module
    whole = read_table(prepared).table.frame
    monkeypatch.setattr(module, "BYTES_AT_ONCE", 100)
    assert read_table(prepared).table.frame.equals(whole)


def test_a_reading_of_files_ignores_no_database(tmp_path: Path) -> None:
    """A place that is neither a file nor a database is refused for --to."""
    with pytest.raises(PlanError, match="no database"):
        publish(shoal.anonymize(people(), k=5, quasi_identifiers=["age"], rest="drop"), tmp_path / "t.csv")
