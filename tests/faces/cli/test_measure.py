# SPDX-License-Identifier: Apache-2.0
"""``shoal measure``: loss and risk of a release against its original."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shoal.judging.checking import usual_metrics, utility_metrics


def test_a_release_folder_measures_as_its_report_says(tmp_path: Path, table: Path, roles: tuple[str, ...], run) -> None:
    """The same numbers as in report.json, from the files alone, where these tell which rows make a class."""
    released = tmp_path / "cut"
    done = run("anonymize", table, "-o", released, "-k", "5", *roles, "--method", "full_domain")
    assert done.exit_code == 0, done.output
    done = run("measure", table, released, "--json")
    assert done.exit_code == 0, done.output
    measured = {one["metric"]: one for one in json.loads(done.stdout)}
    reported = {one["metric"]: one for one in json.loads((released / "report.json").read_text())["measurements"]}
    assert set(measured) == set(reported)
    for name, one in measured.items():
        assert one["value"] == pytest.approx(reported[name]["value"]), name


@pytest.mark.parametrize("order", [(), ("--keep-order",)])
def test_what_cannot_be_measured_again_is_found_in_the_report(
    tmp_path: Path, table: Path, roles: tuple[str, ...], run, order: tuple[str, ...]
) -> None:
    """Of classes that overlap nobody knows the rows, unless their order was kept: then its report tells the figure."""
    released = tmp_path / "overlapping"
    run("anonymize", table, "-o", released, "-k", "5", *roles, "--method", "hilbert", *order)
    reported = {one["metric"]: one for one in json.loads((released / "report.json").read_text())["measurements"]}
    measured = {one["metric"]: one for one in json.loads(run("measure", table, released, "--json").stdout)}
    for name in ("sse", "distortion", "ncp_ordered"):
        assert reported[name]["value"] is not None
        assert measured[name]["value"] == pytest.approx(reported[name]["value"]), name
        assert ("as report.json says" in measured[name]["note"]) is not bool(order)
    (released / "report.json").unlink()
    assert "report.json" not in run("measure", table, released, "--json").stdout


@pytest.mark.parametrize("changed", ["original", "plan", "folder"])
def test_a_report_does_not_tell_of_another_original_or_plan(
    changed: str, tmp_path: Path, table: Path, roles: tuple[str, ...], run
) -> None:
    """Its figures are those of the very files and of the plan that it was made from; else it is only pointed to."""
    released = tmp_path / "overlapping"
    run("anonymize", table, "-o", released, "-k", "5", *roles, "--method", "hilbert")
    flags = []
    if changed == "original":
        table.write_text(table.read_text().replace("person 1,", "person X,"))
    elif changed == "plan":
        flags = ["--weight", "age=3"]
    else:
        (released / "codebook.md").write_text("another")
    done = run("measure", table, released, *flags, "--json")
    assert done.exit_code == 0, done.stderr
    (sse,) = [one for one in json.loads(done.stdout) if one["metric"] == "sse"]
    assert sse["value"] is None
    assert "report.json of the release has the figure" in sse["note"]


def test_a_release_is_no_original(released: Path, table: Path, run) -> None:
    """Whoever swaps the two is told so."""
    done = run("measure", released, table)
    assert done.exit_code == 2
    assert "swap the two" in done.stderr


def test_readable_table(released: Path, table: Path, run) -> None:
    """One line per metric with what it is about, notes once, and the loss of each column."""
    done = run("measure", table, released)
    assert done.exit_code == 0
    for word in (*usual_metrics(), "age", "sex", "zip", "work"):
        assert word in done.stdout
    lines = done.stdout.splitlines()
    assert next(line for line in lines if line.startswith("ncp ")).endswith(
        "per cell  which share of the domain each cell leaves open"
    )
    assert done.stdout.count("no population is known") == 1
    assert any(line.startswith("journalist_risk and marketer_risk: no population is known") for line in lines)
    assert "total" not in done.stdout
    assert max(map(len, lines)) <= 120


def test_a_metric_that_is_named_shows_all_its_figures(released: Path, table: Path, run) -> None:
    """What a newcomer need not read is one flag away, and the last line says which."""
    assert "--metric NAME" in run("measure", table, released).stdout.splitlines()[-1]
    named = run("measure", table, released, "--metric", "ncp").stdout
    assert "gcp" in named
    assert "--metric NAME" not in named


def test_labels_of_an_unknown_kind_say_what_tells_it(tmp_path: Path, run) -> None:
    """Codes that were cut from the right are read once their kind is known; until then a note says how to tell it."""
    original, released = tmp_path / "people.csv", tmp_path / "released.csv"
    original.write_text("plz\n01234\n01235\n02345\n02346\n", encoding="utf-8")
    released.write_text("plz\n0123*\n0123*\n0234*\n0234*\n", encoding="utf-8")
    flags = ("--qi", "plz", "--metric", "ncp")
    unread = run("measure", original, released, *flags)
    assert "undefined" in unread.stdout
    assert "--kind COLUMN=text-prefix" in unread.stderr
    read = run("measure", original, released, *flags, "--kind", "plz=text-prefix")
    assert "undefined" not in read.stdout
    assert "--kind" not in read.stderr


def test_only_the_metrics_asked_for(released: Path, table: Path, run) -> None:
    """--metric filters."""
    done = run("measure", table, released, "--metric", "ncp,discernibility", "--json")
    assert [one["metric"] for one in json.loads(done.stdout)] == ["ncp", "discernibility"]


def test_an_unchanged_table_loses_nothing(table: Path, run, roles) -> None:
    """A table released as it is: the loss is 0 and somebody is certain to be found."""
    done = run("measure", table, table, "--qi", "age,sex,zip,work", "--json")
    assert done.exit_code == 0, done.output
    measured = {one["metric"]: one for one in json.loads(done.stdout)}
    assert measured["ncp"]["value"] == 0
    assert (
        max(measured["prosecutor_risk"]["figures"].values(), default=0) == 1
        or measured["prosecutor_risk"]["value"] == 1
    )


def test_a_foreign_release_by_flags(released: Path, table: Path, run) -> None:
    """Without a release folder the flags say the same and give the same numbers."""
    flags = ("--qi", "age,sex,zip,work", "--kind", "age=numeric", "--kind", "zip=numeric", "--metric", "ncp", "--json")
    by_flags = run("measure", table, released / "table.csv", *flags)
    by_folder = run("measure", table, released, "--metric", "ncp", "--json")
    assert by_flags.exit_code == 0, by_flags.output
    assert json.loads(by_flags.stdout)[0]["value"] == pytest.approx(json.loads(by_folder.stdout)[0]["value"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["table.csv"],
        ["table.csv", "nosuch.csv", "--qi", "age"],
        ["nosuch.csv", "table.csv", "--qi", "age"],
        ["table.csv", "table.csv"],
        ["table.csv", "table.csv", "--qi", "nosuch"],
        ["table.csv", "table.csv", "--qi", "age", "--metric", "nosuch"],
        ["table.csv", "table.csv", "--qi", "age", "--hierarchy", "age=nosuch.csv"],
        ["table.csv", "table.csv", "--plan", "nosuch.toml"],
    ],
    ids=" ".join,
)
def test_wrong_usage(table: Path, run, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong input is exit 2 in five parts."""
    monkeypatch.chdir(table.parent)
    done = run("measure", *arguments)
    assert done.exit_code == 2, done.output
    assert all(f"\n  {part} " in done.stderr for part in ("where", "allowed", "received", "next")), done.stderr


def test_utility_is_measured_where_it_is_asked_for(released: Path, table: Path, run) -> None:
    """--utility adds how well analyses still work, to the usual metrics or to those named."""
    done = run("measure", table, released, "--metric", "ncp", "--utility", "--json")
    assert done.exit_code == 0, done.output
    measured = {one["metric"]: one for one in json.loads(done.stdout)}
    assert set(measured) == {"ncp", *utility_metrics()}
    assert 0 < measured["correlation_kept"]["value"] <= 1
    assert measured["accuracy_kept"]["note"] == ""
