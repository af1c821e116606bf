# SPDX-License-Identifier: Apache-2.0
"""SPSS, Stata and SAS: what columns and codes mean is kept, and a generalised column tells no code that it hides."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat
import pytest

import shoal
from shoal.ground.errors import TableError
from shoal.tables.formats import spss, stata
from shoal.tables.labels import Labels
from shoal.tables.reading import Reading
from shoal.tables.sources import extension, read_table, write_table
from shoal.tables.table import Table

SAS_SAMPLE = Path(__file__).parent / "people.sas7bdat.gz"
"""Sixty invented people, written with ReadStat."""

LABELS = Labels(
    columns={"sex": "Sex of the patient", "age": "Age in years"},
    codes={"sex": {1: "male", 2: "female"}, "smoker": {0: "no", 1: "yes", 99: "not asked"}},
    missing={"smoker": ({"lo": 99, "hi": 99},)},
    measures={"sex": "nominal", "age": "scale"},
)


def labelled() -> Table:
    """Forty people with coded answers."""
    return Table.of(
        pl.DataFrame(
            {
                "age": [20 + 3 * row % 40 for row in range(40)],
                "sex": [1 + row % 2 for row in range(40)],
                "smoker": [(0, 1, 99)[row % 3] for row in range(40)],
            }
        ),
        labels=LABELS,
    )


def written(tmp_path: Path, format: str, table: Table) -> Path:
    """The file of a table."""
    path = tmp_path / f"people{extension(format)}"
    write_table(table, path, format)
    return path


def test_spss_keeps_all_labels(tmp_path: Path) -> None:
    """Variable labels, value labels, missing codes and measures of SPSS come back, and so do the cells."""
    back = read_table(written(tmp_path, "spss", labelled())).table
    assert back.frame.equals(labelled().frame)
    assert back.labels.columns == LABELS.columns
    assert back.labels.codes == LABELS.codes
    assert back.labels.measures == LABELS.measures
    assert [dict(one) for one in back.labels.missing["smoker"]] == [{"lo": 99.0, "hi": 99.0}]


def test_stata_keeps_labels_of_columns_and_codes(tmp_path: Path) -> None:
    """Variable labels and value labels of Stata come back."""
    back = read_table(written(tmp_path, "stata", labelled())).table
    assert back.frame.equals(labelled().frame)
    assert (back.labels.columns, back.labels.codes) == (LABELS.columns, LABELS.codes)


@pytest.mark.parametrize("format", ["spss", "stata"])
def test_labels_are_those_that_the_packages_see(tmp_path: Path, format: str) -> None:
    """The file itself carries the labels; it is not only our own reader that finds them."""
    path = written(tmp_path, format, labelled())
    _, meta = {"spss": pyreadstat.read_sav, "stata": pyreadstat.read_dta}[format](str(path), output_format="polars")
    assert meta.column_names_to_labels["sex"] == "Sex of the patient"
    assert meta.variable_value_labels["sex"] == {1: "male", 2: "female"}


def test_a_column_of_codes_is_no_quantity() -> None:
    """Numbers that all have names are categories; a measure decides where it is declared."""
    table = labelled()
    assert [table.natural_kind(name) for name in table.names] == ["numeric", "categorical", "categorical"]
    ordinal = Table.of(table.frame, labels=Labels(measures={"age": "ordinal"}))
    assert ordinal.natural_kind("age") == "ordered"
    assert Table.of(table.frame, labels=Labels(codes={"age": {20: "twenty"}})).natural_kind("age") == "numeric"


def test_missing_codes_can_be_read_as_missing(tmp_path: Path) -> None:
    """A code that stands for missing stays a cell unless it is named."""
    path = written(tmp_path, "spss", labelled())
    assert read_table(path).table.missing("smoker").sum() == 0
    assert read_table(path, Reading(na=("99",))).table.missing("smoker").sum() == 13


def test_a_release_keeps_labels_but_no_hidden_code(tmp_path: Path) -> None:
    """In the released file untouched columns have all labels, generalised ones those of the codes they still show."""
    table = labelled()
    odd = table.frame.with_columns(pl.when(pl.int_range(pl.len()) == 0).then(3).otherwise("sex").alias("sex"))
    labels = Labels(LABELS.columns, {**LABELS.codes, "sex": {1: "male", 2: "female", 3: "other"}}, LABELS.missing)
    path = written(tmp_path, "spss", Table.of(odd, labels=labels))
    release = shoal.anonymize(path, k=5, quasi_identifiers=["age", "sex"], sensitive=["smoker"], method="mondrian")
    release.save(tmp_path / "out")
    back = read_table(tmp_path / "out" / "table.sav").table
    assert back.labels.columns == LABELS.columns
    assert back.labels.codes["smoker"] == LABELS.codes["smoker"]
    shown = set(back.texts("sex").to_list())
    assert "3" not in shown
    assert set(back.labels.codes.get("sex", {})) == shown - {"*", None} != set()
    assert b"other" not in (tmp_path / "out" / "table.sav").read_bytes()


@pytest.mark.parametrize("format", ["spss", "stata"])
def test_names_that_cannot_be_carried_are_refused(tmp_path: Path, format: str) -> None:
    """A name with a blank is refused in words and not changed."""
    with pytest.raises(shoal.ShoalError, match="column names") as refused:
        written(tmp_path, format, Table(pl.DataFrame({"date of birth": [1]})))
    assert "'date of birth'" in refused.value.received


def test_sas_is_read_and_released_as_spss(tmp_path: Path) -> None:
    """A SAS file is read with its labels; its release is an SPSS file that carries them on."""
    path = tmp_path / "people.sas7bdat"
    path.write_bytes(gzip.decompress(SAS_SAMPLE.read_bytes()))
    source = read_table(path)
    assert source.table.frame.schema == {"age": pl.Int64, "sex": pl.String, "born": pl.Date, "weight": pl.Float64}
    assert source.table.frame["age"].null_count() == 1
    assert source.table.frame["born"][0].isoformat() == "1949-12-31"
    assert source.table.labels.columns == {"age": "Age in years", "sex": "Sex"}
    release = shoal.anonymize(path, k=5, quasi_identifiers=["age", "sex"], rest="drop", method="mondrian")
    release.save(tmp_path / "out")
    assert read_table(tmp_path / "out" / "table.sav").table.labels.columns["age"] == "Age in years"


def test_sas_cannot_be_written(tmp_path: Path) -> None:
    """The format that nobody else can write says so, and what to take instead."""
    with pytest.raises(shoal.ShoalError, match="cannot be written") as refused:
        write_table(labelled(), tmp_path / "t.sas7bdat", "sas")
    assert "spss" in refused.value.todo


def test_long_files_are_read_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches whose cells are all missing do not change the type of a column."""
    from shoal.tables.formats import _labelled

    monkeypatch.setattr(_labelled, "ROWS_AT_ONCE", 3)
    frame = pl.DataFrame({"n": [1, 2, 3, None, None, None, 7], "t": [None, None, None, "x", "y", "z", None]})
    for format in ("spss", "stata"):
        assert read_table(written(tmp_path, format, Table(frame))).table.frame.equals(frame)


@pytest.mark.parametrize(("format", "longest"), [(spss, 64), (stata, 32)])
def test_names_as_long_as_the_format_allows_are_carried(tmp_path: Path, format: Any, longest: int) -> None:
    """The longest name comes back; one letter more is refused."""
    path = tmp_path / f"t{format.EXTENSIONS[0]}"
    format.write(Table(pl.DataFrame({"a" * longest: [1, 2]})), path, Reading())
    assert read_table(path).table.names == ["a" * longest]
    with pytest.raises(TableError, match="cannot carry some column names"):
        format.write(Table(pl.DataFrame({"a" * (longest + 1): [1, 2]})), path, Reading())
