# SPDX-License-Identifier: Apache-2.0
"""Release folders that somebody bent: whatever was done to them, the check says so and does not end with 0."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import shoal
from shoal.faces.cli.check import command
from shoal.ground import catalog
from shoal.ground.errors import ShoalError
from shoal.releases.folder import read_release, write_release
from shoal.releases.kinds import kind_of_method
from shoal.releases.manifest import files_in, fingerprint
from shoal.releases.release import Release

Bend = Callable[[Path], Any]


def manifest_with(**changed: Any) -> Bend:
    """Bends the manifest: keys replaced, or removed where None."""

    def bend(folder: Path) -> None:
        told = {**json.loads((folder / "manifest.json").read_text()), **changed}
        (folder / "manifest.json").write_text(json.dumps({name: one for name, one in told.items() if one is not None}))

    return bend


def signed(bend: Bend) -> Bend:
    """The same, and then a manifest that vouches for every file as it now is."""

    def bend_and_sign(folder: Path) -> None:
        bend(folder)
        manifest_with(files={name: fingerprint(folder / name) for name in files_in(folder)})(folder)

    return bend_and_sign


def edited(name: str, old: str, new: str) -> Bend:
    """Replaces a text in a file."""

    def bend(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))

    return bend


def added(name: str) -> Bend:
    """Lays a file into the folder."""

    def bend(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("name\nAnna\n")

    return bend


def listed(change: Callable[[dict[str, Any]], Any]) -> Bend:
    """Bends the list of files in the manifest."""

    def bend(folder: Path) -> None:
        files = json.loads((folder / "manifest.json").read_text())["files"]
        change(files)
        manifest_with(files=files)(folder)

    return bend


def guaranteed(**changed: Any) -> Bend:
    """Bends the guarantee of the manifest."""

    def bend(folder: Path) -> None:
        told = json.loads((folder / "manifest.json").read_text())["guarantee"]
        manifest_with(guarantee={**told, **changed})(folder)

    return bend


def with_pipe(name: str) -> Bend:
    """A pipe in the place of a file: whoever reads it waits for ever."""

    def bend(folder: Path) -> None:
        (folder / name).unlink()
        os.mkfifo(folder / name)

    return bend


BENT: dict[str, Bend] = {
    "manifest says boxes": manifest_with(releases="boxes"),
    "manifest says sub-tables": manifest_with(releases="subtables", tables=["table.csv"]),
    "manifest says a kind nobody knows": manifest_with(releases="anything"),
    "manifest names no table": manifest_with(table=None),
    "manifest names another table": manifest_with(table="report.json"),
    "manifest is gone": lambda folder: (folder / "manifest.json").unlink(),
    "manifest is empty": lambda folder: (folder / "manifest.json").write_text("{}"),
    "manifest is no JSON": lambda folder: (folder / "manifest.json").write_text("k = 3"),
    "manifest says a key twice": edited("manifest.json", '"files": {', '"files": {}, "files": {'),
    "manifest is nested without end": lambda folder: (folder / "manifest.json").write_text("[" * 100_000),
    "manifest lists nothing": manifest_with(files={}),
    "manifest lists names only": listed(lambda files: files.update(dict.fromkeys(files, None))),
    "manifest lists texts": listed(lambda files: files.update(dict.fromkeys(files, "abc"))),
    "manifest does not list the table": listed(lambda files: files.pop("table.csv")),
    "manifest does not list the plan": listed(lambda files: files.pop("plan.toml")),
    "manifest lists a path round corners": listed(lambda files: files.update({"./table.csv": files.pop("table.csv")})),
    "manifest lists the table without digest": listed(lambda files: files["table.csv"].pop("sha256")),
    "manifest claims a larger k": guaranteed(k=4),
    "manifest claims k as text": guaranteed(k="3"),
    "manifest claims a model": guaranteed(models={"l_diversity": {"l": 3}}),
    "manifest claims another reading": guaranteed(missing="wildcard"),
    "manifest claims more rows": manifest_with(rows={"rows": 90, "released_rows": 89, "suppressed": 1}),
    "another method": manifest_with(method="mdav"),
    "a file beside": added("notes.csv"),
    "a file beside that is listed": signed(added("notes.csv")),
    "a hidden file": added(".notes"),
    "a second table": added("table.parquet"),
    "a second table that is listed": signed(added("table.tsv")),
    "a folder beside": added("original/people.csv"),
    "an empty folder": lambda folder: (folder / "more").mkdir(),
    "a file among the hierarchies": signed(added("hierarchies/name.csv")),
    "a link": lambda folder: (folder / "people.csv").symlink_to(folder.parent / "people.csv"),
    "a linked report": lambda folder: (
        shutil.move(folder / "report.html", folder.parent / "r")
        and (folder / "report.html").symlink_to(folder.parent / "r")
    ),
    "a pipe as manifest": with_pipe("manifest.json"),
    "a pipe as report": with_pipe("report.json"),
    "a pipe beside": lambda folder: os.mkfifo(folder / "pipe"),
    "a lower k in the plan": edited("plan.toml", "k = 3", "k = 2"),
    "a lower k in the plan, signed": signed(edited("plan.toml", "k = 3", "k = 2")),
    "another reading of missing cells in the plan, signed": signed(edited("plan.toml", '"own"', '"wildcard"')),
    "a role changed in the plan, signed": signed(
        edited("plan.toml", 'role = "quasi-identifier"\nkind = "numeric"', 'role = "insensitive"\nkind = "numeric"')
    ),
    "a report of another k, signed": signed(edited("report.json", '"k": 3', '"k": 30')),
    "a report of another statement, signed": signed(edited("report.json", '"statement": "', '"statement": "k = 30. ')),
    "a report that says a key twice, signed": signed(edited("report.json", '"format":', '"format": "", "format":')),
    "a page of another k, signed": signed(edited("report.html", "at least 2 other rows", "at least 29 other rows")),
    "a page of more rows, signed": signed(edited("report.html", "Rows released</dt><dd>", "Rows released</dt><dd>9")),
    "a page of another loss, signed": signed(
        edited("report.html", "Detail blurred</dt><dd>", "Detail blurred</dt><dd>0.")
    ),
    "a page of another risk, signed": signed(edited("report.html", "person</dt><dd>1 in ", "person</dt><dd>1 in 9")),
    "a page of another verdict, signed": signed(edited("report.html", "✔ Holds</span>: k = ", "✔ Holds</span>: k = 9")),
    "a page of another table, signed": signed(
        edited("report.html", "SHA-256</dt><dd><code>", "SHA-256</dt><dd><code>0")
    ),
    "a page for somebody else, signed": signed(
        edited("report.html", "<dt>Responsible</dt><dd>", "<dt>Responsible</dt><dd>Z")
    ),
    "a page that is no text, signed": signed(lambda folder: (folder / "report.html").write_bytes(b"\xff\xfe")),
    "a report that is gone, signed": signed(lambda folder: (folder / "report.json").unlink()),
}


@pytest.mark.thin(3)
@pytest.mark.parametrize("bend", BENT.values(), ids=BENT)
def test_a_bent_folder_is_told(release: Release, out: Path, bend: Bend) -> None:
    """Whatever is bent, a sentence tells it and the exit code is not 0; the table itself is judged all the same."""
    write_release(release, out)
    bend(out)
    answer = CliRunner().invoke(command, [str(out)], standalone_mode=False)
    assert read_release(out).problems
    assert ("PROBLEM" in answer.output and answer.return_value == 1) or answer.exit_code == 1
    assert "HOLDS" in answer.output


def linked_trees(folder: Path) -> None:
    """Trees that lie elsewhere, behind a link."""
    shutil.move(folder / "hierarchies", folder.parent / "trees")
    (folder / "hierarchies").symlink_to(folder.parent / "trees")


REFUSED: dict[str, Bend] = {
    "the trees are a link": linked_trees,
    "the table is a pipe": with_pipe("table.csv"),
    "the plan is a pipe": with_pipe("plan.toml"),
    "the table is a link": lambda folder: (
        shutil.move(folder / "table.csv", folder.parent / "t")
        and (folder / "table.csv").symlink_to(folder.parent / "t")
    ),
    "the plan is a link": lambda folder: (
        shutil.move(folder / "plan.toml", folder.parent / "p")
        and (folder / "plan.toml").symlink_to(folder.parent / "p")
    ),
    "the table is gone": lambda folder: (folder / "table.csv").unlink(),
    "the plan is gone": lambda folder: (folder / "plan.toml").unlink(),
    "the plan names a tree elsewhere": edited("plan.toml", "hierarchies/job.csv", "../job.csv"),
    "the plan names another method": edited("plan.toml", 'name = "shoal"', 'name = "equal_combination"'),
}


@pytest.mark.parametrize("bend", REFUSED.values(), ids=REFUSED)
def test_a_folder_without_its_own_table_and_plan_is_refused(release: Release, out: Path, bend: Bend) -> None:
    """The judge follows no way out of the folder, and judges no other table than the plan's."""
    write_release(release, out)
    bend(out)
    with pytest.raises(ShoalError):
        read_release(out)


def test_the_kind_is_known_without_the_engine() -> None:
    """What a method publishes is read off its file: the judge loads nothing of the accused."""
    for method in catalog.names("algorithms"):
        assert kind_of_method(method).name == catalog.load("algorithms", method).CAPABILITIES.releases


def test_the_kind_follows_from_the_method(release: Release, out: Path) -> None:
    """A manifest that says boxes does not switch counting off: rows are counted by sight all the same."""
    write_release(release, out)
    table = out / "table.csv"
    first = table.read_text().splitlines()[1]
    table.write_text(table.read_text().replace(first, first.replace("[20, 29]", "[21, 29]").replace("[30", "[31"), 1))
    manifest_with(releases="boxes", files={})(out)
    saved = read_release(out)
    assert saved.kind.name == "classes"
    assert not saved.check(saved.plan).holds


@pytest.mark.parametrize(
    ("method", "judged"), [("non_homogeneous", False), ("equal_combination", True), ("unequal_combination", True)]
)
@pytest.mark.filterwarnings("ignore")
def test_a_promise_that_cannot_be_judged_is_no_yes(tmp_path: Path, method: str, judged: bool) -> None:
    """Boxes cannot be judged without what their maker knows: exit 1 and the reason; sub-tables can, one by one."""
    people = shoal.synthetic_patients(60).select(["age", "sex", "postcode", "diagnosis"])
    release = shoal.anonymize(
        people, k=3, quasi_identifiers=["age", "sex", "postcode"], sensitive=["diagnosis"], method=method,
        accept_weaker=True,
    )  # fmt: skip
    release.save(tmp_path / "weaker")
    saved = read_release(tmp_path / "weaker")
    verdict = saved.check(saved.plan)
    assert saved.problems == []
    assert verdict.holds is judged
    assert ("NOT JUDGED" in str(verdict)) is not judged


@pytest.mark.filterwarnings("ignore")
def test_a_sub_table_that_is_gone_is_missed(tmp_path: Path) -> None:
    """Sub-tables that do not show every quasi-identifier together do not hold, even if the manifest was mended."""
    people = shoal.synthetic_patients(60).select(["age", "sex", "postcode", "diagnosis"])
    release = shoal.anonymize(
        people, k=3, quasi_identifiers=["age", "sex", "postcode"], sensitive=["diagnosis"], method="equal_combination",
        accept_weaker=True,
    )  # fmt: skip
    folder = release.save(tmp_path / "weaker")
    last = sorted(folder.glob("table-*"))[-1]
    signed(lambda folder: last.unlink())(folder)
    saved = read_release(folder)
    assert saved.problems
    assert not saved.check(saved.plan).holds


def test_persons_that_cannot_be_counted_are_no_yes(tmp_path: Path) -> None:
    """Where k counts persons and their column is gone, a check from outside says that it cannot judge."""
    people = shoal.synthetic_patients(60).select(["age", "sex", "name"])
    release = shoal.anonymize(people, k=3, quasi_identifiers=["age", "sex"], identifiers=["name"], person="name")
    folder = release.save(tmp_path / "released")
    saved = read_release(folder)
    assert saved.problems == []
    verdict = saved.check(saved.plan)
    assert release.verdict.holds
    assert not verdict.holds
    assert any(not finding.judged for finding in verdict.findings)


@pytest.mark.parametrize(
    ("old", "new"),
    [('person = "name"\n', ""), ("[privacy.l_diversity]\nl = 2\n", ""), ("l = 2", "l = 1"), ("k = 3", "k = 2")],
    ids=["persons are not counted", "a model is gone", "a model asks for less", "a smaller k"],
)
def test_a_plan_that_asks_for_less_is_told(tmp_path: Path, old: str, new: str) -> None:
    """A promise taken out of the plan is missed even if the manifest vouches for the new plan."""
    people = shoal.synthetic_patients(120).select(["age", "sex", "name", "insurance"])
    roles = {"quasi_identifiers": ["age", "sex"], "identifiers": ["name"], "sensitive": ["insurance"]}
    models = {"l_diversity": {"l": 2}}
    release = shoal.anonymize(people, k=3, person="name", models=models, method="mondrian", **roles)
    folder = release.save(tmp_path / "released")
    signed(edited("plan.toml", old, new))(folder)
    assert read_release(folder).problems
