# SPDX-License-Identifier: Apache-2.0
"""Attacks on rows that were left out: an attacker holds every file of a release and knows everybody else's row."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

import shoal

INCOME = 978_320
"""What the one person earns who was left out because of it."""


def people(**of_the_last: Any) -> pl.DataFrame:
    """Two groups of look-alikes, and one person who is like nobody."""
    rows = 24
    half = ["m", "f"] * (rows // 2)
    frame = pl.DataFrame(
        {
            "income": [20_000 + 10 * (row % 4) + 5_000 * (row % 2) for row in range(rows)],
            "born": [date(1980 + row % 2, 1, 1) for row in range(rows)],
            "job": pl.Series([f"job {row % 2}" for row in range(rows)]),
            "sex": half,
            "ill": [f"ill {row % 3}" for row in range(rows)],
        }
    )
    usual = {"income": INCOME, "born": date(1980, 1, 1), "job": "job 0", "sex": "m", "ill": "ill 0"}
    last = pl.DataFrame([usual | of_the_last], schema=frame.schema)
    return pl.concat([frame, last])


def released(table: Any, **others: Any) -> shoal.Release:
    """A release that leaves one person out."""
    release = shoal.anonymize(
        table, quasi_identifiers=["income", "born", "job"], sensitive=["ill"], rest="insensitive", suppression=0.05,
        **{"k": 3, "method": "mondrian", **others},
    )  # fmt: skip
    assert release.facts["suppressed"] == 1
    return release


def test_the_range_behind_a_loss_is_that_of_released_rows() -> None:
    """Width over loss gives the range of a column; it must not reach to the income that nobody else has."""
    release = released(people(), k=8)
    shown = shoal.intervals(release.table["income"])
    low, high = shown["lo"].min(), shown["hi"].max()
    widths = (shown["hi"] - shown["lo"]).sum()
    for measurement in release.measurements:
        if measurement.metric not in ("ncp", "lm", "il", "eloss"):
            continue
        cells = measurement.per_column["income"] * 25 - 1  # one row left out costs 1
        assert widths / cells == pytest.approx(high - low)


OTHERS: dict[str, dict[str, Any]] = {
    "another income": {"income": 950_001},
    "a far larger income": {"income": 50_000_000},
    "an income below all": {"income": -50_000_000},
    "another day": {"born": date(1899, 12, 31)},
    "another job": {"job": "spy"},
    "no job": {"job": None},
    "another illness": {"ill": "plague"},
    "another sex": {"sex": "f"},
}


PLANS: dict[str, dict[str, Any]] = {
    "ranges": {},
    "means": {"render": "mean"},
    "sets": {"render": "set"},
    "bounds": {"render": "bounds"},
    "another loss": {"loss": "lm", "formulas": "prefix"},
    "other scales": {"scales": {"income": "log", "born": "rank"}},
}


@pytest.fixture(scope="module", params=PLANS)
def usual(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """A plan, and the folder of its release where the row that is left out is the usual one."""
    others = PLANS[request.param]
    return others, released(people(), **others).save(tmp_path_factory.mktemp("usual") / "out")


@pytest.mark.thin(3)
@pytest.mark.parametrize("last", OTHERS.values(), ids=OTHERS)
def test_no_file_depends_on_the_row_that_was_left_out(
    tmp_path: Path, usual: tuple[dict[str, Any], Path], last: Any
) -> None:
    """Whatever the one person is like: the same table has the same report, plan and figures, byte for byte.

    So nobody can compute anything about them, however much they know about the others.
    """
    others, folder = usual
    folders = [folder, released(people(**last), **others).save(tmp_path / "out")]
    tables = [folder / "table.parquet" for folder in folders]
    assert tables[0].read_bytes() == tables[1].read_bytes()
    for name in ("report.json", "report.html", "plan.toml"):
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes(), name
    manifests = [json.loads((folder / "manifest.json").read_text()) for folder in folders]
    for name in ("guarantee", "verdict", "rows", "files"):
        assert manifests[0][name] == manifests[1][name]


@pytest.mark.parametrize("name", ["report.json", "report.html", "plan.toml", "manifest.json"])
def test_every_file_but_the_table_says_that_it_is_not_for_publication(tmp_path: Path, name: str) -> None:
    """Whoever opens one of them meets the words first."""
    folder = released(people()).save(tmp_path / "out")
    text = (folder / name).read_text(encoding="utf-8")
    body = text[text.index("<header>") :] if name.endswith("html") else text
    assert "Not for publication" in body[:100]


# -- types and notes -----------------------------------------------------------------------------------------

PLAGUE = "plague of Anna"
FORMATS = ["parquet", "arrow_ipc", "duckdb", "sqlite", "excel", "spss", "stata", "json_lines", "delimited"]


def typed(kind: str) -> Any:
    """The people as a frame whose types and notes list what only the last of them has."""
    ills = ["ill 0", "ill 1", PLAGUE, "ill 2"]
    frame = people(ill=PLAGUE).with_columns(pl.col("sex").cast(pl.Categorical))
    if kind == "Polars Enum":
        return frame.with_columns(pl.col("ill").cast(pl.Enum(ills)))
    if kind in ("Polars text", "Polars text cut out of others"):
        whole = pl.concat_str(pl.col("ill"), pl.lit(" of "), pl.col("income"))
        cut = whole if kind == "Polars text" else whole.str.slice(0, 5)
        return frame.with_columns(pl.col("ill"), cut.alias("note"))
    if kind == "Polars Categorical":
        return frame.with_columns(pl.col("ill").cast(pl.Categorical))
    if kind == "Arrow":
        ill = pa.DictionaryArray.from_arrays([ills.index(one) for one in frame["ill"]], ills, ordered=True)
        table = frame.to_arrow().set_column(4, pa.field("ill", ill.type, metadata={"note": PLAGUE}), ill)
        return table.replace_schema_metadata({"note": PLAGUE})
    pandas = frame.to_pandas()
    if kind == "pandas with PyArrow":
        import pandas as pd

        arrow = pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
        return pandas.assign(ill=pandas["ill"].astype(arrow))
    pandas = pandas.assign(ill=pandas["ill"].astype("category").cat.set_categories(ills, ordered=True))
    pandas.attrs["note"] = PLAGUE
    pandas["ill"].attrs["note"] = PLAGUE
    return pandas.set_axis([f"{PLAGUE} {row}" for row in range(len(pandas))])


@pytest.mark.thin(3)
@pytest.mark.parametrize(
    "kind",
    [
        "Polars Enum",
        "Polars Categorical",
        "Polars text",
        "Polars text cut out of others",
        "Arrow",
        "pandas categories",
        "pandas with PyArrow",
    ],
)
def test_types_and_notes_forget_rows_that_were_left_out(tmp_path: Path, kind: str) -> None:
    """In the frame that is handed back and in every file, nothing is left of a value that only they had."""
    import pickle

    release = released(typed(kind))
    assert PLAGUE.encode() not in pickle.dumps(release.table)
    assert PLAGUE.encode() not in pickle.dumps(release.publishable())
    if kind.startswith("Polars"):
        release.table.write_ipc(tmp_path / "own.arrow", compression="uncompressed")
        assert PLAGUE.encode() not in (tmp_path / "own.arrow").read_bytes()
    assert shoal.check(release.table, plan=release.plan).holds
    for format in FORMATS:
        folder = release.save(tmp_path / format, format=format)
        texts = {path.name: path.read_bytes() for path in folder.glob("*") if path.is_file()}
        assert [name for name, content in texts.items() if PLAGUE.encode() in content] == []


def test_an_order_survives_the_loss_of_a_category() -> None:
    """Categories that are left keep the order that they had."""
    assert list(released(typed("pandas categories")).table["ill"].cat.categories) == ["ill 0", "ill 1", "ill 2"]
    assert released(typed("Polars Enum")).table["ill"].dtype.categories.to_list() == ["ill 0", "ill 1", "ill 2"]
    assert released(typed("Arrow")).table["ill"].chunk(0).dictionary.to_pylist() == ["ill 0", "ill 1", "ill 2"]


def test_a_relation_of_duckdb_forgets_too() -> None:
    """An ENUM of DuckDB that comes back lists what is still shown, in its order."""
    import duckdb

    frame = people(ill=PLAGUE).to_arrow()
    given = duckdb.from_arrow(frame).project(
        f"income, born, job, sex, cast(ill as enum('ill 2', '{PLAGUE}', 'ill 1', 'ill 0')) as ill"
    )
    table = released(given).table
    assert str(dict(zip(table.columns, table.types))["ill"]) == "ENUM('ill 2', 'ill 1', 'ill 0')"
