# SPDX-License-Identifier: Apache-2.0
"""``shoal suggest``: what it shows, what it writes, and that the plan runs as it is."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from shoal.plan.plan import Plan

Run = Callable[..., Result]


def test_guesses_are_shown_with_reasons(table: Path, run: Run) -> None:
    """Without -o nothing is written."""
    done = run("suggest", table)
    assert done.exit_code == 0
    assert "name     identifier" in done.stdout
    assert "its name speaks of health" in done.stdout
    assert "-o plan.toml" in done.stderr
    assert sorted(path.name for path in table.parent.iterdir()) == ["table.csv"]


def test_the_plan_runs_unedited(table: Path, run: Run) -> None:
    """First suggest -o, then anonymize --plan, then check: exit code 0 each time."""
    plan = table.parent / "made" / "plan.toml"
    assert run("suggest", table, "-o", plan).exit_code == 0
    assert sorted(path.name for path in (plan.parent / "hierarchies").iterdir()) == ["sex.csv", "zip.csv"]
    out = table.parent / "out"
    assert run("anonymize", table, "--plan", plan, "-o", out).exit_code == 0
    assert run("check", out).exit_code == 0


def test_how_the_file_is_read_stands_in_the_plan(tmp_path: Path, run: Run) -> None:
    """A file without a header, with its own separator and its own mark for missing cells, is read so again."""
    rows = [f"{20 + number % 50};{'mf'[number % 2]};{'-9' if number == 3 else number % 7}" for number in range(80)]
    (tmp_path / "people.txt").write_text("\n".join(rows) + "\n")
    flags = ("--no-header", "--columns", "age,sex,visits", "--separator", ";", "--na", "-9")
    done = run("suggest", tmp_path / "people.txt", *flags, "-o", tmp_path / "plan.toml", "-k", 4)
    assert done.exit_code == 0, done.output
    plan = Plan.read(tmp_path / "plan.toml")
    assert (plan.k, plan.reading.columns, plan.reading.na) == (4, ("age", "sex", "visits"), ("-9",))
    again = run("anonymize", tmp_path / "people.txt", "--plan", tmp_path / "plan.toml", "-o", tmp_path / "out")
    assert again.exit_code == 0, again.output


def test_json(table: Path, run: Run) -> None:
    """All facts, none of them a cell."""
    done = run("suggest", table, "--json", "-q")
    facts = json.loads(done.stdout)
    assert facts["columns"]["disease"]["role"] == "sensitive"
    assert facts["columns"]["age"]["reasons"]
    assert facts["columns"]["age"]["adds"] >= 0
    assert done.stderr == ""
    assert "person 7" not in done.stdout


def test_an_earlier_plan_is_kept(table: Path, run: Run) -> None:
    """A plan that a person may have edited is replaced only when asked."""
    plan = table.parent / "plan.toml"
    plan.write_text("mine")
    done = run("suggest", table, "-o", plan)
    assert done.exit_code == 2
    assert plan.read_text() == "mine"
    assert run("suggest", table, "-o", plan, "--overwrite").exit_code == 0
    assert plan.read_text() != "mine"


INTERRUPTED = "Error: interrupted, nothing written\n  next      give the same command again\n"


def test_interrupted_while_it_forecasts(table: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written, as the message says."""
    monkeypatch.setattr("shoal.studies.forecasting.forecast", lambda _: signal.raise_signal(signal.SIGINT))
    done = run("suggest", table, "-o", table.parent / "made" / "plan.toml")
    assert (done.exit_code, done.stderr) == (130, INTERRUPTED)
    assert sorted(path.name for path in table.parent.iterdir()) == ["table.csv"]


def test_two_plans_in_one_folder_have_trees_of_their_own(tmp_path: Path, run: Run) -> None:
    """Columns of one name in two tables: no plan takes the other's tree, and a second look changes its own."""
    for table, places in (("a", "North South East"), ("b", "Ulm Bonn Kiel")):
        cells = [f"{20 + row % 50},{places.split()[row % 3]}" for row in range(120)]
        (tmp_path / f"{table}.csv").write_text("\n".join(["age,region", *cells, ""]))
        done = run("suggest", tmp_path / f"{table}.csv", "-o", tmp_path / f"plan_{table}.toml")
        assert done.exit_code == 0
        assert f"plan_{table}.toml, with 1 hierarchy in {tmp_path / f'plan_{table}_hierarchies'}." in done.stderr
    first = (tmp_path / "plan_a_hierarchies" / "region.csv").read_text()
    assert "North" in first
    assert run("suggest", tmp_path / "b.csv", "-o", tmp_path / "plan_b.toml", "--overwrite").exit_code == 0
    assert (tmp_path / "plan_a_hierarchies" / "region.csv").read_text() == first
    for table in "ab":
        asked = ("--plan", tmp_path / f"plan_{table}.toml", "-k", "3", "--method", "mondrian", "--quiet")
        assert run("anonymize", tmp_path / f"{table}.csv", *asked, "-o", tmp_path / f"out_{table}").exit_code == 0


def test_a_tree_that_somebody_edited_is_not_overwritten(table: Path, run: Run) -> None:
    """The same trees may be there already; others are not overwritten, and nothing else is written."""
    folder = table.parent
    assert run("suggest", table, "-o", folder / "one.toml").exit_code == 0
    tree = next((folder / "one_hierarchies").iterdir())
    (folder / "one.toml").unlink()
    assert run("suggest", table, "-o", folder / "one.toml").exit_code == 0
    tree.write_text(tree.read_text() + "edited\n")
    (folder / "one.toml").unlink()
    refused = run("suggest", table, "-o", folder / "one.toml")
    assert refused.exit_code == 2
    assert tree.name in refused.stderr
    assert "1 file that exists" in refused.stderr
    assert not (folder / "one.toml").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["nosuch.csv"], "no such file"), (["{table}", "-k", "0"], "k must be"), (["{table}", "--kk"], "No such option")],
)
def test_wrong_input(arguments: list[str], words: str, table: Path, run: Run) -> None:
    """Errors in five parts, exit code 2."""
    done = run("suggest", *(one.format(table=table) for one in arguments))
    assert done.exit_code == 2
    assert words in done.stderr
    assert "\n  next " in done.stderr


@pytest.mark.data
@pytest.mark.parametrize("path", ["zoo/zoo.csv", "casc-tarragona/Tarragona.csv"])
def test_whole_tables_from_suggestion_to_release(path: str, shared_data: Path, tmp_path: Path, run: Run) -> None:
    """Real files, from the first look to a checked release, without an edit."""
    assert run("suggest", shared_data / path, "-o", tmp_path / "plan.toml").exit_code == 0
    done = run("anonymize", shared_data / path, "--plan", tmp_path / "plan.toml", "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert run("check", tmp_path / "out").exit_code == 0
