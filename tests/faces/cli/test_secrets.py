# SPDX-License-Identifier: Apache-2.0
"""A password that was typed in the wrong place is repeated nowhere: no message, no file, no name of a folder."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from shoal.ground.errors import without_secrets
from shoal.plan.plan import Plan

SECRET = "s3cr3t-Pa55"
ADDRESSES = [
    f"postgresql://ann:{SECRET}@db.example/health",
    f"postgres//ann:{SECRET}@db.example/health",
    f"postgresql:/ann:{SECRET}@db.example/health",
    f"postgresql://ann:x@{SECRET}@db.example/health",
    f"postgresql://ann:x/{SECRET}@db.example/health",
    f"postgresql://ann:two words {SECRET}@db.example/health",
    f"mysql://ann:{SECRET}@db.example/health",
    f"mongodb+srv://ann:{SECRET}@cluster.example",
    f"jdbc:postgresql://db.example/health?user=ann&password={SECRET}",
    f"host=db.example user=ann password={SECRET} dbname=health",
    f"host=db.example password='two words {SECRET}'",
    f"Driver=PostgreSQL;Server=db.example;Uid=ann;Pwd={SECRET};",
    f"Server=db.example;Password={{{SECRET}}};",
    f"ann:{SECRET}@db.example/health",
    f"redis://:{SECRET}@db.example",
    f"https://ann:{SECRET}@files.example/people.csv",
    f"s3://bucket/people.csv?secret_key={SECRET}",
    f"PGPASSWORD={SECRET}",
]
PLACES: dict[str, list[str]] = {
    "TABLE": ["anonymize", "{}", "-o", "out", "-k", "2", "--qi", "age"],
    "two tables": ["anonymize", "{}", "people.csv", "-o", "out", "-k", "2", "--qi", "age"],
    "plan": ["anonymize", "people.csv", "-o", "out", "--plan", "{}"],
    "output": ["anonymize", "people.csv", "-o", "{}/nowhere/people.csv", "-k", "2", "--qi", "age", "--method", "nope"],
    "hierarchy": ["anonymize", "people.csv", "-o", "out", "-k", "2", "--qi", "age", "--hierarchy", "age={}"],
    "database": ["anonymize", "people.csv", "-o", "out", "-k", "2", "--qi", "age", "--to", "{}"],
    "population": [
        "anonymize", "people.csv", "-o", "out", "-k", "1", "--qi", "age", "--k-map", "2", "--population", "{}",
    ],
    "check": ["check", "{}", "--qi", "age", "-k", "2"],
    "original": ["check", "people.csv", "--qi", "age", "-k", "2", "--original", "{}"],
    "measure": ["measure", "people.csv", "{}", "--qi", "age"],
    "suggest": ["suggest", "{}"],
    "compare": ["compare", "{}", "--k", "2", "--qi", "age"],
}  # fmt: skip


@pytest.fixture(autouse=True)
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table in the folder where the commands run."""
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"age": [1, 1, 2, 2]}).write_csv("people.csv")


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_no_message_repeats_it(place: list[str], as_json: bool, run, tmp_path: Path) -> None:
    """Whatever form the address has, and wherever it was typed, the answer does not hold the password."""
    for address in ADDRESSES:
        line = [part.replace("{}", address) for part in place]
        done = run(*line, *(["--json"] if as_json else []))
        assert done.exit_code != 0
        assert SECRET not in done.output, address
        assert SECRET not in done.stderr, address
    assert not any(SECRET in str(path) for path in tmp_path.rglob("*"))


@pytest.mark.parametrize("address", [one for one in ADDRESSES if ":/" in one])
def test_an_address_is_no_output_folder(address: str, run, tmp_path: Path) -> None:
    """Else a folder of that name would be made."""
    done = run("anonymize", "people.csv", "-o", address, "-k", "2", "--qi", "age", "--method", "mondrian")
    assert done.exit_code == 2
    assert SECRET not in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv"]


def test_no_plan_keeps_it() -> None:
    """A population in a database is written into plans without the password."""
    plan = Plan.of(2, quasi_identifiers=["age"], population=ADDRESSES[0])
    assert SECRET not in plan.to_toml()


@pytest.mark.parametrize(
    "text",
    ["file '/data/ann@home/people.csv'", "write postgresql://user@host:port/database", "sqlite:////data/people.db",
     "k must be a whole number: 3", "--population FILE|N", "a user or a password that the server does not accept"],
)  # fmt: skip
def test_other_words_stay(text: str) -> None:
    """What holds no password is not changed."""
    assert without_secrets(text) == text
