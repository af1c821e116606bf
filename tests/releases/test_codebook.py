# SPDX-License-Identifier: Apache-2.0
"""The codebook for whoever receives a release: complete, true of the table, and nothing beyond it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.judging.portraits.portrait import ColumnPortrait, LabelBar
from shoal.releases.codebook import HOW, MOST_LABELS, codebook_csv, codebook_files, codebook_of
from shoal.releases.folder import read_release
from shoal.releases.kinds import kind_named
from shoal.releases.reports.sections.columns import _drawn
from shoal.tables.frames import as_table
from shoal.tables.table import Table

PATIENTS = shoal.synthetic_patients(120, seed=3).with_columns(zip=pl.col("postcode").cast(pl.String))


def released(**more: Any) -> shoal.Release:
    """A release of invented patients by a quick method."""
    given: dict[str, Any] = {
        "quasi_identifiers": ["age", "sex", "zip", "admission_date"],
        "sensitive": ["diagnosis", "cost"],
    }
    return shoal.anonymize(PATIENTS, k=4, rest="drop", method="mondrian", **{**given, **more})


def lines_of(folder: Path) -> list[dict[str, str]]:
    """The lines of the codebook for programs."""
    with (folder / "codebook.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("format", ["delimited", "parquet", "excel", "json_lines"])
def test_every_label_of_the_table_and_no_other(format: str, tmp_path: Path) -> None:
    """Labels and their numbers of rows are those of the written table, column by column and in its order."""
    release = released()
    folder = release.save(tmp_path / "out", format=format)
    table = read_release(folder).tables[0]
    lines = lines_of(folder)
    assert list(dict.fromkeys(line["column"] for line in lines)) == table.names
    for name in table.names:
        texts = table.texts(name)
        told = {line["label"]: int(line["rows"]) for line in lines if line["column"] == name and line["label"]}
        missing = [int(line["rows"]) for line in lines if line["column"] == name and line["published_as"] == "missing"]
        assert sum(missing) == texts.null_count()
        if name != "cost":  # too many different ones to be a list
            assert told == dict(texts.drop_nulls().value_counts().iter_rows())
    assert read_release(folder).problems == []


def test_what_is_removed_is_not_in_it(tmp_path: Path) -> None:
    """Neither the names of columns that were left out nor any cell of theirs is told."""
    folder = released().save(tmp_path / "out")
    told = (folder / "codebook.md").read_text(encoding="utf-8") + (folder / "codebook.csv").read_text(encoding="utf-8")
    for name in ("name", "email", "phone", "insurance"):
        assert f"{name}," not in told
        assert not any(str(cell) in told for cell in PATIENTS[name].drop_nulls().head(20) if len(str(cell)) > 6)


def test_ranges_are_told_as_numbers_and_days(tmp_path: Path) -> None:
    """The ends, the middle and the weight of a range are those that shoal.intervals gives."""
    release = released()
    lines = [line for line in lines_of(release.save(tmp_path / "out")) if line["column"] in ("age", "admission_date")]
    for line in lines:
        ends = shoal.intervals(release.table[line["column"]])
        row = ends.filter(release.table[line["column"]] == line["label"])[0]
        assert [line["low"], line["high"]] == [str(cell).removesuffix(".0") for cell in (row["lo"][0], row["hi"][0])]
        assert float(line["weight"]) == pytest.approx(row["weight"][0])


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, {"age": "range", "sex": "node", "zip": "node", "diagnosis": "as it was"}),
        ({"levels": {"age": "common", "sex": "common"}}, {"age": "band", "sex": "level"}),
        ({"kinds": {"zip": "text-prefix"}}, {"zip": "prefix"}),
        (
            {"render": {"age": "bounds", "sex": "set"}},
            {"age_min": "lower bound", "age_max": "upper bound", "sex": "set"},
        ),
        ({"render": {"age": "mean"}}, {"age": "centre"}),
    ],
)
def test_each_way_to_publish_has_its_word(more: dict[str, Any], expected: dict[str, str]) -> None:
    """What a column is published as is told, with how to work with it."""
    release = released(**more)
    entries = {one.column: one for one in codebook_of({"table.csv": release.released}, release.plan)}
    assert {name: entries[name].published_as for name in expected} == expected
    page = codebook_files({"table.csv": release.released}, release.plan, release.kind)["codebook.md"]
    assert all(entries[name].how in page for name in expected)
    assert not any("RENDERING" in one.how for one in entries.values())
    ranged = {name for name, one in entries.items() if any(label.low or label.weight for label in one.labels)}
    assert ranged == {name for name, one in entries.items() if one.published_as in ("range", "band")}


def test_every_word_is_explained() -> None:
    """No way to publish is left without a word on how to work with it."""
    assert all(len(said) > 20 for said in HOW.values())


def test_long_columns_are_counted_and_not_listed() -> None:
    """A quasi-identifier of thousands of labels does not make a codebook of megabytes."""
    many = Table.from_columns({"age": [f"[{n}, {n + 5}]" for n in range(MOST_LABELS + 1)]})
    plan = shoal.Plan.of(1, quasi_identifiers=["age"], kinds={"age": "numeric"})
    (entry,) = codebook_of({"table.csv": many}, plan)
    assert entry.labels == ()
    assert len(codebook_csv([entry]).splitlines()) == 2
    page = codebook_files({"table.csv": many}, plan, kind_named("classes"))["codebook.md"]
    assert f"{MOST_LABELS + 1:,} different cells" in page


def test_labels_cannot_break_the_page() -> None:
    """Cells that look like Markdown or HTML stay text, and a line stays a line."""
    odd = Table.from_columns({"x": ["a|b", "<script>", "**b**\nc", "`d`"] * 2})
    plan = shoal.Plan.of(1, quasi_identifiers=["x"], kinds={"x": "categorical"})
    page = codebook_files({"table.csv": odd}, plan, kind_named("classes"))["codebook.md"]
    assert "| a\\|b | 2 |" in page
    assert "\\<script\\>" in page
    assert "\\*\\*b\\*\\* c" in page


def test_labels_that_nobody_sees_are_named() -> None:
    """Empty text and blanks, in the page and in pictures of the report; the file for programs has them as they are."""
    table = Table.of(pl.DataFrame({"ward": ["", "  ", "a"] * 4, "ill": ["flu"] * 12}))
    plan = shoal.Plan.of(4, quasi_identifiers=["ward"], sensitive=["ill"])
    made = codebook_files({"table.csv": table}, plan, kind_named("classes"))
    assert "| (empty text) | 4 |" in made["codebook.md"]
    assert "| (only blanks) | 4 |" in made["codebook.md"]
    assert "empty text" not in made["codebook.csv"]
    bars = (LabelBar("", 0.4, 0.4), LabelBar("  ", 0.6, 0.6))
    figure = _drawn(0, ColumnPortrait("ward", "quasi-identifier", True, bars=bars, labels=2))
    assert figure is not None
    assert "(empty text)" in figure.drawing
    assert "(only blanks)" in figure.drawing


def test_labels_cannot_break_the_file_for_programs() -> None:
    """Whatever signs of a line end a label holds, it is one cell."""
    odd = ["a\rb", "a\nb", "a\r\nb", "\r"]
    plan = shoal.Plan.of(1, quasi_identifiers=["x"], kinds={"x": "categorical"})
    text = codebook_csv(codebook_of({"table.csv": Table.from_columns({"x": odd})}, plan))
    head, *lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    assert sorted(line[head.index("label")] for line in lines) == sorted(odd)


@pytest.mark.parametrize(("written", "kinds"), [(int, {}), (str, {"days": "numeric"})])
def test_numbers_stand_in_their_order(written: type, kinds: dict[str, str]) -> None:
    """Private numbers, too, from the lowest on and not as words."""
    table = as_table(pl.DataFrame({"sex": ["m"] * 6, "days": [written(days) for days in (10, 9, 100, 0, 9, 2)]}))
    plan = shoal.Plan.of(1, quasi_identifiers=["sex"], sensitive=["days"], kinds=kinds)
    days = codebook_of({"table.csv": table}, plan)[1]
    assert [(one.text, one.rows, one.low) for one in days.labels] == [
        ("0", 1, ""),
        ("2", 1, ""),
        ("9", 2, ""),
        ("10", 1, ""),
        ("100", 1, ""),
    ]


def test_formulas_stay_prefixed() -> None:
    """Where cells got an apostrophe against spreadsheets, the codebook has it too, and still reads the numbers."""
    table = Table.from_columns({"x": ["'-5 %", "7 %", "[-5 %, 7 %]"] * 2})
    plan = shoal.Plan.of(1, quasi_identifiers=["x"], kinds={"x": "numeric"}, formulas="prefix")
    (entry,) = codebook_of({"table.csv": table}, plan)
    assert [(one.text, one.low, one.high) for one in entry.labels] == [
        ("'-5 %", "-5", "-5"),
        ("[-5 %, 7 %]", "-5", "7"),
        ("7 %", "7", "7"),
    ]


def _rehash(folder: Path, name: str) -> None:
    import hashlib

    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    content = (folder / name).read_bytes()
    manifest["files"][name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    path.write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("name", "bend"),
    [
        ("codebook.csv", lambda text: text.replace("female", "Ann Lee", 1)),
        ("codebook.csv", lambda text: text.replace("numeric", "ordered", 1)),
        ("codebook.csv", lambda text: text + '"'),
        ("codebook.md", lambda text: text.replace("female", "Ann Lee", 1)),
    ],
)
def test_a_bent_codebook_is_found(name: str, bend: Callable[[str], str], tmp_path: Path) -> None:
    """A codebook that says something else than the table is a problem, even if the manifest vouches for it."""
    folder = released().save(tmp_path / "out")
    path = folder / name
    path.write_text(bend(path.read_text(encoding="utf-8")), encoding="utf-8")
    _rehash(folder, name)
    (problem,) = read_release(folder).problems
    assert problem.startswith(f"{name} is not the codebook of the table")
    assert "Ann Lee" not in problem


def test_a_codebook_that_is_gone(tmp_path: Path) -> None:
    """A release has a codebook: one that is taken away, or no file, is missed."""
    folder = released().save(tmp_path / "out")
    (folder / "codebook.md").unlink()
    (folder / "codebook.csv").write_bytes(b"\xff\xfe")
    problems = " ".join(read_release(folder).problems)
    assert "codebook.md is missing" in problems
    assert "codebook.csv is not the codebook" in problems


# -- numbers instead of ranges -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["polars", "pandas", "arrow"])
@pytest.mark.parametrize("render", [None, {"age": "bounds"}])
def test_numeric(kind: str, render: dict[str, str] | None) -> None:
    """Ranges become four columns in their place, as shoal.intervals tells them; all others stay as they are."""
    table = PATIENTS.select("sex", "age", "admission_date", "cost")
    frame = {"polars": table, "pandas": table.to_pandas(), "arrow": table.to_arrow()}[kind]
    roles = {"quasi_identifiers": ["sex", "age", "admission_date"], "sensitive": ["cost"]}
    release = shoal.anonymize(frame, k=4, method="mondrian", render=render, **roles)
    made = release.numeric()
    assert type(made) is type(frame)
    plain = pl.DataFrame(made) if kind != "arrow" else pl.from_arrow(made)
    four = ("lo", "hi", "mid", "weight")
    ranged = [f"{name}_{what}" for name in ("age", "admission_date") for what in four]
    assert plain.columns == ["sex", *ranged, "cost"]
    given = [release.released.frame[name] for name in release.plan.published("age")]
    expected = shoal.intervals(*given)
    assert [plain[f"age_{what}"].to_list() for what in four] == [expected[what].to_list() for what in four]
    assert plain["sex"].to_list() == release.released.frame["sex"].to_list()


def test_numeric_leaves_centres_alone() -> None:
    """A mean is a number already, and nobody's."""
    release = released(quasi_identifiers=["age", "sex"], render={"age": "mean"})
    assert release.numeric().equals(release.table)


def test_numeric_does_not_write_over_columns() -> None:
    """Where a column has the name that a number would get, it is refused by name."""
    table = PATIENTS.select("age", "sex", age_lo=pl.col("cost"))
    release = shoal.anonymize(table, k=4, quasi_identifiers=["age", "sex"], sensitive=["age_lo"], method="mondrian")
    with pytest.raises(shoal.ShoalError, match="names that the numbers would get"):
        release.numeric()
