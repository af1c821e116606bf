# SPDX-License-Identifier: Apache-2.0
"""The release folder: whole or not at all, judged before it is in place, replayable, never over a stranger's things."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.ground.errors import OutputError, PlanError, RefusedReleaseError, ShoalError, TableError
from shoal.ground.writing import OLD
from shoal.hierarchies.level_files import safe_names
from shoal.judging.checking import check
from shoal.plan.plan import Plan
from shoal.releases import folder as folder_module
from shoal.releases.folder import check_target, read_release, write_release
from shoal.releases.manifest import files_in, read_manifest
from shoal.releases.record import Record
from shoal.releases.release import Release

CONTENTS = [
    "codebook.csv",
    "codebook.md",
    "hierarchies/job.csv",
    "plan.toml",
    "report.html",
    "report.json",
    "table.csv",
]


def left(place: Path) -> list[str]:
    """Everything that stands in a folder, hidden things included."""
    return sorted(path.name for path in place.iterdir())


def bytes_of(folder: Path) -> dict[str, bytes]:
    """The contents of a release, its manifest aside."""
    return {name: (folder / name).read_bytes() for name in files_in(folder)}


def has_five_parts(problem: ShoalError) -> bool:
    return list(problem.parts()) == ["what", "where", "allowed", "received", "next"]


# -- whole ---------------------------------------------------------------------------------------------------


def test_the_folder_holds_what_the_contract_says(release: Release, out: Path) -> None:
    """Table, two reports, plan with hierarchies, manifest; nothing else, here and beside."""
    assert write_release(release, out) == out
    assert files_in(out) == CONTENTS
    assert left(out.parent) == ["released"]


@pytest.mark.parametrize(("format", "name"), [("delimited", "table.csv"), ("parquet", "table.parquet")])
def test_the_table_reads_back_as_it_was(make: Callable[..., Release], out: Path, format: str, name: str) -> None:
    """Rows, columns and cells of the written table are those of the release."""
    release = make(format)
    release.save(out)
    assert (out / name).is_file()
    assert read_release(out).tables[0].frame.equals(release.released.frame)


def test_another_format_can_be_asked_for(release: Release, out: Path) -> None:
    """The format of the release need not be the input's, and its plan says so."""
    release.save(out, format="parquet")
    assert (out / "table.parquet").is_file()
    assert Plan.read(out / "plan.toml").format == "parquet"


def test_the_manifest_vouches_for_every_file(release: Release, out: Path) -> None:
    """SHA-256 and size of each file, seed, guarantee, verdict, versions, timings."""
    write_release(release, out)
    manifest = json.loads((out / "manifest.json").read_text())
    assert sorted(manifest["files"]) == CONTENTS
    for name, expected in manifest["files"].items():
        content = (out / name).read_bytes()
        assert expected == {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    assert manifest["seed"] == 7
    assert manifest["guarantee"]["k"] == 3
    assert manifest["verdict"]["holds"] is True
    assert manifest["rows"] == {"rows": 8, "released_rows": 7, "suppressed": 1}
    assert {"python", "shoal", "numpy", "numba", "polars"} <= set(manifest["versions"])
    assert {"cluster", "write", "judge written"} == set(manifest["timings"])


def test_the_plan_is_complete_and_names_its_trees_relatively(release: Release, out: Path) -> None:
    """The plan of a release reads back with every decision and every tree, wherever the folder goes."""
    write_release(release, out)
    moved = out.rename(out.parent / "moved")
    plan = read_release(moved).plan
    assert "hierarchies/job.csv" in (moved / "plan.toml").read_text()
    assert (plan.k, plan.seed, plan.method, plan.format) == (3, 7, release.plan.method, "delimited")
    assert plan.columns["age"].kind == "numeric"
    assert check(read_release(moved).tables[0], plan=plan).holds


def test_two_runs_give_the_same_bytes(release: Release, out: Path) -> None:
    """Only the manifest, which holds times, may differ; private numbers are in no file."""
    slower = replace(release, timings={"cluster": 99.0})
    write_release(release, out)
    write_release(slower, out.parent / "again")
    assert bytes_of(out) == bytes_of(out.parent / "again")


def test_usual_permissions(release: Release, out: Path) -> None:
    """The finished folder has the modes that the user's umask gives, not the private 0700."""
    before = os.umask(0o027)
    try:
        write_release(release, out)
    finally:
        os.umask(before)
    assert stat.S_IMODE(out.stat().st_mode) == 0o750
    assert {stat.S_IMODE((out / name).stat().st_mode) for name in files_in(out)} == {0o640}


def test_missing_parents_are_made(release: Release, out: Path) -> None:
    """A deep new path is as good as a near one."""
    write_release(release, out / "deep" / "er")
    assert read_manifest(out / "deep" / "er") is not None


def test_a_link_leads_to_its_target(release: Release, out: Path) -> None:
    """The release stands where the link points, and the link stays."""
    elsewhere = out.parent / "elsewhere"
    out.symlink_to(elsewhere)
    write_release(release, out)
    assert out.is_symlink()
    assert read_manifest(elsewhere) is not None


# -- or not at all -------------------------------------------------------------------------------------------


def test_a_table_that_does_not_hold_is_refused(make: Callable[..., Release], out: Path) -> None:
    """Whatever the engine believed: the written file is judged, and nothing is left if it fails."""
    with pytest.raises(RefusedReleaseError) as caught:
        write_release(make(k=4), out)
    assert has_five_parts(caught.value)
    assert caught.value.exit_code == 1
    assert left(out.parent) == []


def test_a_table_that_lost_a_row_on_its_way_is_refused(
    release: Release, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading back fewer rows than were released is a fault, even if they hold."""
    from shoal.tables import sources

    real = sources.write_table
    shorter = replace(release.released, frame=release.released.frame.head(6))
    monkeypatch.setattr(sources, "write_table", lambda table, *others: real(shorter, *others))
    with pytest.raises(RefusedReleaseError, match="failed the independent check"):
        write_release(release, out)
    assert left(out.parent) == []


CALLS = {
    "os.fsync": 12,
    "os.rename": 3,
    "os.mkdir": 4,
    "pathlib.Path.write_text": 8,
    "shoal.tables.sources.write_table": 1,
}


SYNCS = 11
"""Six files, two folders, and the folder above once the release is in place."""


def failures() -> Iterator[tuple[str, int]]:
    for call, times in CALLS.items():
        yield from ((call, number) for number in range(times))


@pytest.mark.thin(3)
@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize(("call", "number"), list(failures()))
@pytest.mark.parametrize("problem", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()], ids=["full", "interrupt"])
def test_a_failure_at_any_step_leaves_all_or_nothing(
    release: Release,
    out: Path,
    monkeypatch: pytest.MonkeyPatch,
    call: str,
    number: int,
    problem: BaseException,
    overwrite: bool,
) -> None:
    """A full disk or Ctrl-C at the n-th such call: nothing new, the old release untouched, nothing beside it."""
    if overwrite:
        write_release(replace(release, record=Record.of(replace(release.plan, seed=1))), out)
    before = bytes_of(out) if overwrite else {}
    count = fail_at(monkeypatch, call, number, problem)
    try:
        write_release(release, out, overwrite=overwrite)
        failed = False
    except (OutputError, KeyboardInterrupt):
        failed = True
    finally:
        monkeypatch.undo()
    after = bytes_of(out) if out.exists() else {}
    finished = bool(after) and not read_release(out).problems and b"seed = 7" in after["plan.toml"]
    in_place = call == "os.fsync" and count[0] == SYNCS  # the last sync comes after the rename
    assert finished if not failed or in_place else after == before
    assert left(out.parent) == (["released"] if after else [])


def fail_at(monkeypatch: pytest.MonkeyPatch, call: str, number: int, problem: BaseException) -> list[int]:
    """Make the n-th call of a function fail, and count the calls."""
    module, _, name = call.rpartition(".")
    owner: object = Path if module == "pathlib.Path" else sys.modules.get(module)
    if owner is None:
        owner = __import__(module, fromlist=[name])
    real = getattr(owner, name)
    count = [0]

    def stand_in(*given: object, **named: object) -> object:
        count[0] += 1
        if count[0] == number + 1:
            raise problem
        return real(*given, **named)

    monkeypatch.setattr(owner, name, stand_in)
    return count


def test_a_full_disk_is_explained(release: Release, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ENOSPC becomes exit 2 with five parts."""
    fail_at(monkeypatch, "pathlib.Path.write_text", 0, OSError(errno.ENOSPC, "x"))
    with pytest.raises(OutputError, match="cannot be written") as caught:
        write_release(release, out)
    assert has_five_parts(caught.value)
    assert caught.value.exit_code == 2
    assert "free some space" in caught.value.todo
    assert left(out.parent) == []


# -- places that will not do ---------------------------------------------------------------------------------


def stranger(out: Path) -> None:
    out.mkdir()
    (out / "thesis.txt").write_text("mine")


def web_app(out: Path) -> None:
    out.mkdir()
    (out / "manifest.json").write_text('{"name": "my web app"}')


def file(out: Path) -> None:
    out.write_text("mine")


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("prepare", [stranger, web_app, file])
def test_things_of_others_are_never_replaced(
    release: Release, out: Path, prepare: Callable[[Path], None], overwrite: bool
) -> None:
    """A file, and a folder that is no release of ours, is refused even with --overwrite."""
    prepare(out)
    before = out.read_text() if out.is_file() else bytes_of(out)
    with pytest.raises(OutputError) as caught:
        write_release(release, out, overwrite=overwrite)
    assert has_five_parts(caught.value)
    assert (out.read_text() if out.is_file() else bytes_of(out)) == before
    assert left(out.parent) == ["released"]


def test_an_existing_release_is_refused_without_overwrite(release: Release, out: Path) -> None:
    """Nobody loses a release by repeating a command."""
    write_release(release, out)
    with pytest.raises(OutputError) as caught:
        check_target(out)
    assert "--overwrite" in caught.value.todo


def test_overwrite_replaces_a_release(make: Callable[..., Release], release: Release, out: Path) -> None:
    """With --overwrite the old release is gone, all of it."""
    write_release(release, out)
    write_release(make("parquet"), out, overwrite=True)
    assert "table.csv" not in files_in(out)
    assert left(out.parent) == ["released"]


def test_overwrite_spares_a_release_that_somebody_added_to(release: Release, out: Path) -> None:
    """Notes laid into a release folder are not ours to delete."""
    write_release(release, out)
    (out / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match="exists already"):
        write_release(release, out, overwrite=True)
    assert (out / "notes.txt").read_text() == "mine"


def test_an_empty_folder_may_be_replaced_when_asked(release: Release, out: Path) -> None:
    """An empty folder holds nothing to lose, but the contract still asks for --overwrite."""
    out.mkdir()
    with pytest.raises(OutputError):
        write_release(release, out)
    write_release(release, out, overwrite=True)
    assert read_manifest(out) is not None


def test_a_target_that_appears_meanwhile_is_not_replaced(
    release: Release, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two runs to one folder: the second to finish is refused."""
    monkeypatch.setattr(folder_module, "sync_all", lambda new: stranger(out))
    with pytest.raises(OutputError, match="exists already"):
        write_release(release, out)
    assert left(out) == ["thesis.txt"]
    assert left(out.parent) == ["released"]


@pytest.mark.parametrize("place", ["file/below", "file/below/deep", "x" * 300, "nul\0name"])
def test_impossible_places(release: Release, out: Path, place: str) -> None:
    """Below a file, a name too long, a NUL: an explanation, nothing left."""
    (out.parent / "file").write_text("")
    with pytest.raises(OutputError) as caught:
        write_release(release, out.parent / place)
    assert has_five_parts(caught.value)
    assert left(out.parent) == ["file"]


def test_a_killed_overwrite_is_healed_by_the_next_look(release: Release, out: Path) -> None:
    """check_target puts back what a killed run had set aside, and then sees it."""
    write_release(release, out)
    folder = out.parent / ".released.shoal-0123abcd"
    folder.mkdir()
    (folder / "lock").touch()
    out.rename(folder / OLD)
    with pytest.raises(OutputError, match="exists already"):
        check_target(out)
    assert read_release(out).problems == []
    assert left(out.parent) == ["released"]


AS_NOBODY = """
import os, sys
from shoal.ground.errors import OutputError
from shoal.releases.folder import check_target
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
for overwrite in (False, True):
    try:
        check_target(sys.argv[1], overwrite)
    except OutputError as problem:
        assert len(problem.parts()) == 5, problem.parts()
        assert problem.received == "Permission denied", problem.received
    else:
        sys.exit("nobody may write here")
print("refused")
"""


@pytest.mark.parametrize("below", ["released", "deep/er/released"])
def test_no_permission(below: str) -> None:
    """An unprivileged user who may not write there is told so before any work."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o555)
        command = [sys.executable, "-c", AS_NOBODY, str(place / below)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "refused\n"), done.stderr
        assert left(place) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KiB."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a small disk")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize("format", ["delimited", "parquet", "arrow_ipc"])
@pytest.mark.parametrize("rows", [6, 60_000])
def test_a_disk_that_is_really_full(release: Release, small_disk: Path, format: str, rows: int) -> None:
    """Whichever file finds no room, the table or a later one: exit 2, five parts, nothing left."""
    (small_disk / "filler").write_bytes(bytes(60_000))
    cells = [f"[{number}, {number}]" for number in range(rows // 3) for _ in range(3)]
    frame = pl.DataFrame({"age": cells, "job": ["care"] * rows, "disease": ["flu"] * rows})
    large = replace(release, released=replace(release.released, frame=frame), source_format=format)
    with pytest.raises(OutputError) as caught:
        write_release(large, small_disk / "released")
    assert has_five_parts(caught.value)
    assert left(small_disk) == ["filler"]


# -- reading -------------------------------------------------------------------------------------------------


def test_an_untouched_release_has_no_problems(release: Release, out: Path) -> None:
    """What was written is what is read."""
    write_release(release, out)
    saved = read_release(out)
    assert saved.problems == []
    assert saved.manifest["seed"] == 7


def test_a_changed_file_is_told(release: Release, out: Path) -> None:
    """The SHA-256 of a file that was edited differs."""
    write_release(release, out)
    table = out / "table.csv"
    table.write_text(table.read_text().replace("cough", "cold"))
    assert [one.split()[0] for one in read_release(out).problems] == ["table.csv", "codebook.md", "codebook.csv"]


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd"])
def test_a_foreign_manifest_does_not_lead_outside(release: Release, out: Path, name: str) -> None:
    """A release from a stranger cannot make the checker look at other files."""
    write_release(release, out)
    manifest = json.loads((out / "manifest.json").read_text())
    (out / "manifest.json").write_text(json.dumps({**manifest, "files": {name: {}}, "table": name}))
    assert "manifest.json lists a file outside the folder." in read_release(out).problems


def test_missing_files_are_told(release: Release, out: Path) -> None:
    """A report that is gone is a problem, not an error."""
    write_release(release, out)
    (out / "report.html").unlink()
    assert read_release(out).problems == ["report.html is missing."]


def test_without_a_manifest_the_table_is_found_all_the_same(release: Release, out: Path) -> None:
    """A copied folder that lost its manifest can still be judged, and says what cannot be told."""
    write_release(release, out)
    (out / "manifest.json").unlink()
    saved = read_release(out)
    assert len(saved.tables[0]) == 7
    assert saved.manifest == {}
    assert "no manifest.json" in saved.problems[0]


@pytest.mark.parametrize(("gone", "problem"), [("plan.toml", PlanError), ("table.csv", TableError)])
def test_what_cannot_be_judged_is_explained(release: Release, out: Path, gone: str, problem: type[ShoalError]) -> None:
    """Without plan or table there is nothing to judge."""
    write_release(release, out)
    (out / gone).unlink()
    with pytest.raises(problem) as caught:
        read_release(out)
    assert has_five_parts(caught.value)


# -- names ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names",
    [
        ["a/b", "a\\b", "a:b", "a?b"],
        ["Age", "age", "AGE"],
        ["..", ".", "", " "],
        ["../../etc/passwd", "~", "-o"],
        ["x" * 500, "x" * 501, "年" * 200],
        ["a", "a-2", "A"],
    ],
)
def test_odd_column_names_give_safe_and_different_files(tmp_path: Path, names: list[str]) -> None:
    """Any column name makes a file inside the folder, and no two columns share one, on any file system."""
    safe = safe_names(names)
    assert list(safe) == names
    assert len({one.casefold() for one in safe.values()}) == len(names)
    for one in safe.values():
        (tmp_path / f"{one}.csv").touch()
    assert len(left(tmp_path)) == len(names)


def test_learnt_weights_are_read_back(tmp_path: Path) -> None:
    """Only numbers are; what somebody wrote into the manifest instead counts as nothing learnt."""
    saved = shoal.anonymize(
        pl.DataFrame({"a": [*range(12)], "b": [*range(0, 36, 3)]}), k=3, quasi_identifiers=["a", "b"], method="mondrian"
    ).save(tmp_path / "release")
    manifest = json.loads((saved / "manifest.json").read_text())
    for told, read in (({"a": 0.25, "b": 0.75}, {"a": 0.25, "b": 0.75}), ({"a": "x"}, {}), (["a"], {}), (None, {})):
        (saved / "manifest.json").write_text(json.dumps({**manifest, "learnt_weights": told}))
        assert read_release(saved).learnt == read
