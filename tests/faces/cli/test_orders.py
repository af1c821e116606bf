# SPDX-License-Identifier: Apache-2.0
"""Ordered columns of words: their order is given, kept in the plan, followed by releases and read by the judge."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import shoal
from shoal.plan.plan import Plan

EDUCATION = ["none", "primary", "secondary", "phd"]
ORDER = "none<primary<secondary<phd"
CELLS = ["secondary", "phd", "none", "primary"] * 8
RANGES = {"[none, primary]", "[secondary, phd]"}


def people() -> pl.DataFrame:
    """Four levels of education; by the alphabet, ``phd`` would stand before ``primary``."""
    return pl.DataFrame({"edu": CELLS, "fact": [f"f{row % 5}" for row in range(32)]})


ROLES = {"quasi_identifiers": ["edu"], "sensitive": ["fact"], "method": "mondrian"}


def frames() -> dict[str, Any]:
    """Frames whose type knows the order."""
    frame = people()
    ordered = pd.Categorical(CELLS, categories=EDUCATION, ordered=True)
    codes = pa.array([EDUCATION.index(cell) for cell in CELLS], pa.int8())
    return {
        "pandas": frame.to_pandas().assign(edu=ordered),
        "polars": frame.with_columns(pl.col("edu").cast(pl.Enum(EDUCATION))),
        "pyarrow": pa.table(
            {"edu": pa.DictionaryArray.from_arrays(codes, EDUCATION, ordered=True), "fact": ["x"] * 32}
        ),
    }


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The people as a file of text."""
    people().write_csv(tmp_path / "people.csv")
    return tmp_path / "people.csv"


def test_without_an_order_nothing_is_released(table: Path, run: Any) -> None:
    """From the command line and from Python a column of words is refused, with what to do."""
    done = run("anonymize", table, "-o", table.parent / "out", "-k", 12, "--qi", "edu", "--sensitive", "fact",
               "--kind", "edu=ordered")  # fmt: skip
    assert done.exit_code == 2
    assert "--order edu=" in done.stderr
    assert not (table.parent / "out").exists()
    with pytest.raises(shoal.ShoalError, match="in which order"):
        shoal.anonymize(people(), k=12, kinds={"edu": "ordered"}, **ROLES)


def test_ranges_follow_the_order_and_replay(table: Path, run: Any) -> None:
    """The order of the flag is that of the ranges, stands in the plan, gives the same bytes again, and is judged by."""
    out, again = table.parent / "out", table.parent / "again"
    done = run("anonymize", table, "-o", out, "-k", 12, "--qi", "edu", "--sensitive", "fact", "--order", f"edu={ORDER}",
               "--method", "mondrian")  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert set(pl.read_csv(out / "table.csv")["edu"]) <= RANGES | set(EDUCATION)
    column = tomllib.loads((out / "plan.toml").read_text())["columns"]["edu"]
    assert (column["kind"], column["order"]) == ("ordered", EDUCATION)
    assert run("anonymize", table, "-o", again, "--plan", out / "plan.toml").exit_code == 0
    assert (again / "table.csv").read_bytes() == (out / "table.csv").read_bytes()
    assert run("check", out, "--original", table, "--strict").exit_code == 0
    judged = ("check", out / "table.csv", "--plan", out / "plan.toml", "--original", table, "--strict")
    assert run(*judged).exit_code == 0
    told = run(
        "measure", table, out / "table.csv", "--qi", "edu", "--order", f"edu={ORDER}", "--metric", "ncp", "-k", 12
    )
    assert "nan" not in told.stdout.lower(), told.stdout
    attacked = run(
        "attack", out / "table.csv", "--known", table, "--qi", "edu", "--on", "edu", "--order", f"edu={ORDER}"
    )
    assert attacked.exit_code == 0, attacked.stderr


def test_the_judge_reads_ranges_by_the_order_of_the_plan() -> None:
    """A range that ends before it begins is broken, one in order is not, and spellings of one range are found."""
    released = pl.DataFrame({"edu": ["[none, primary]"] * 2 + ["[phd, secondary]"] * 2, "fact": list("abab")})
    verdict = shoal.check(released, quasi_identifiers=["edu"], orders={"edu": EDUCATION})
    assert "malformed_labels" in {leak.kind for leak in verdict.leaks}
    good = released.with_columns(pl.col("edu").replace("[phd, secondary]", "[secondary, phd]"))
    assert not shoal.check(good, quasi_identifiers=["edu"], orders={"edu": EDUCATION}).leaks
    twice = good.with_columns(pl.Series("edu", ["[none, primary]", "[none,primary]", "phd", "phd"]))
    verdict = shoal.check(twice, quasi_identifiers=["edu"], orders={"edu": EDUCATION})
    assert "interval_spellings" in {leak.kind for leak in verdict.leaks}


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_types_that_know_the_order(library: str, tmp_path: Path) -> None:
    """Ordered categories need nothing else, and their order goes into the plan, for files that cannot keep it."""
    release = shoal.anonymize(frames()[library], k=12, **ROLES)
    shown = release.table["edu"]
    assert {str(cell) for cell in (shown.to_pylist() if library == "pyarrow" else shown.to_list())} <= RANGES | {
        *EDUCATION
    }
    assert release.plan.columns["edu"].order == tuple(EDUCATION)
    folder = release.save(tmp_path / "out", format="delimited")
    assert shoal.check(folder / "table.csv", plan=Plan.read(folder / "plan.toml"), original=frames()[library]).holds


@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_files_that_know_the_order(format: str, tmp_path: Path) -> None:
    """Ordered dictionaries of Arrow come back from files, too."""
    path = tmp_path / f"people.{format}"
    write = pyarrow.parquet.write_table if format == "parquet" else pyarrow.feather.write_feather
    write(frames()["pyarrow"], path)
    assert shoal.anonymize(path, k=12, **ROLES).plan.columns["edu"].order == tuple(EDUCATION)


def test_a_given_order_wins_over_the_type() -> None:
    """Whoever says an order means it."""
    turned = EDUCATION[::-1]
    release = shoal.anonymize(frames()["polars"], k=12, orders={"edu": turned}, **ROLES)
    assert set(release.table["edu"]) <= {"[primary, none]", "[phd, secondary]", *EDUCATION}
    assert release.plan.columns["edu"].order == tuple(turned)


def test_strangers_are_counted(table: Path, run: Any) -> None:
    """A value that the order lacks stops the run; the message holds no cell."""
    done = run("anonymize", table, "-o", table.parent / "out", "-k", 12, "--qi", "edu", "--sensitive", "fact",
               "--order", "edu=none<primary<secondary")  # fmt: skip
    assert done.exit_code == 2
    assert "1 other value" in done.stderr
    assert "phd" not in done.stderr


@pytest.mark.parametrize(
    ("column", "received"),
    [
        ({"order": ["a", "a"]}, "repeat"),
        ({"order": ["a"]}, "1 values"),
        ({"order": ["a", "b"], "kind": "numeric"}, "numeric"),
        ({"order": ["a", "b"], "hierarchy": "x.csv"}, "hierarchy"),
        ({"order": "a<b"}, "a<b"),
        ({"order": [1, 2]}, "1"),
    ],
)
def test_orders_that_cannot_be_meant(column: dict[str, Any], received: str) -> None:
    """A plan says what is wrong before any table is read."""
    with pytest.raises(shoal.ShoalError) as refused:
        Plan.from_dict({"privacy": {"k": 2}, "columns": {"x": {"role": "quasi-identifier", **column}}})
    assert received in str(refused.value)


@pytest.mark.parametrize("given", ["edu=", "edu", "edu=a<<b", 'edu="a<b'])
def test_orders_that_cannot_be_read(given: str, table: Path, run: Any) -> None:
    """The flag says how an order is written."""
    done = run("anonymize", table, "-o", table.parent / "out", "-k", 12, "--qi", "edu", "--order", given)
    assert done.exit_code == 2
    assert "--order" in done.stderr
