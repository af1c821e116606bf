# SPDX-License-Identifier: Apache-2.0
"""A comparison measures every cell for itself, survives what cells do, and goes on where it stopped."""

from __future__ import annotations

import csv
import json
import math
import os
import shutil
import signal
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import shoal
from shoal.engine.bounds.certificate import Certificate
from shoal.ground.errors import OutputError, PlanError, TableError
from shoal.ground.progress import Step
from shoal.pipeline import run
from shoal.plan.plan import Plan
from shoal.releases.reports.findings import main_loss
from shoal.studies.comparing import measuring
from shoal.studies.comparing.attribution import attribute
from shoal.studies.comparing.children import Children, died
from shoal.studies.comparing.comparison import Comparison, compare
from shoal.studies.comparing.grid import BOUND, Cell
from shoal.studies.comparing.outcome import DONE, FAILED, LATE, OPEN, REFUSED, Outcome
from shoal.studies.comparing.page import HEADS, figures_in_words
from shoal.studies.comparing.storing import Store
from shoal.studies.comparing.worker import attempt
from shoal.tables.table import Table

Compared = tuple[Comparison, Path]


def cell_files(folder: Path) -> dict[str, bytes]:
    """The finished cells of a folder."""
    return {path.name: path.read_bytes() for path in (folder / "cells").iterdir()}


def test_figures_are_those_of_a_plain_run(compared: Compared, patients: Table, plan: Plan) -> None:
    """What a cell reports is what the same plan gives when it is run alone."""
    found, _ = compared
    for one in found.outcomes:
        if one.done:
            release = run(patients, replace(plan, method=one.method, k=one.k, seed=one.seed, rest="drop"))
            loss = main_loss(release)
            assert loss is not None
            assert one.loss == loss.figures["per_cell"]
            assert one.per_column == dict(loss.per_column)
            assert (one.classes, one.smallest_class) == (release.facts["classes"], release.facts["smallest_class"])
            assert one.smallest_class >= one.k
            assert one.risk == pytest.approx(1 / one.smallest_class)
    assert sum(one.done for one in found.outcomes) == 4


def test_time_and_memory_are_plausible(compared: Compared) -> None:
    """Seconds are positive and leave out the start; memory is that of a process with its libraries."""
    found, _ = compared
    for one in found.outcomes:
        if one.done:
            assert one.seconds is not None
            assert one.memory is not None
            assert 0 < one.seconds < 60
            assert 40 < one.memory < 3000


def test_no_loss_is_below_the_bound(compared: Compared) -> None:
    """The bound of each k is computed once, and every loss is at least as large."""
    found, folder = compared
    assert all(bound is not None and 0 < bound < 1 for bound in found.bounds.values())
    assert all(one.bound is not None and one.loss >= one.bound for one in found.outcomes if one.done)
    assert len([name for name in cell_files(folder) if name.startswith(BOUND)]) == 2


def test_weaker_methods_say_why_they_did_not_run(compared: Compared) -> None:
    """Sub-tables are not compared with tables unasked, and nothing is stored about them."""
    found, folder = compared
    refused = [one for one in found.outcomes if one.method == "equal_combination"]
    assert [one.status for one in refused] == [REFUSED] * 2
    assert "sub-tables" in refused[0].reason
    assert "--accept-weaker" in refused[0].reason
    assert not any("equal" in name for name in cell_files(folder))


def test_a_second_run_computes_nothing(compared: Compared, patients: Table, plan: Plan, monkeypatch) -> None:
    """The same call finds every cell in the folder, and a larger grid runs only what is new."""
    found, folder = compared[0], compared[1].parent / "second"
    shutil.copytree(compared[1], folder)
    monkeypatch.setattr(Children, "run", lambda *_: pytest.fail("a finished cell ran again"))
    again = compare(patients, plan, methods=["hilbert", "mondrian", "equal_combination"], k=[3, 10], output=folder)
    assert again.to_dict() == found.to_dict()
    ran = []

    def refuse(_self: Children, cell: Cell, _heard: object) -> Outcome:
        ran.append((cell.method, cell.k))
        return Outcome.without(cell, FAILED, "not today")

    monkeypatch.setattr(Children, "run", refuse)
    compare(patients, plan, methods=["hilbert"], k=[3, 5], output=folder)
    assert ran == [(BOUND, 5), ("hilbert", 5)]


@pytest.mark.parametrize("what", ["table", "plan", "fresh"])
def test_what_no_longer_fits_is_run_again(
    compared: Compared, patients: Table, plan: Plan, monkeypatch, what: str
) -> None:
    """Another table, another plan or --fresh: stored cells are not taken for today's."""
    folder = compared[1].parent / f"copy of {what}"
    shutil.copytree(compared[1], folder)
    ran = []

    def note(_self: Children, cell: Cell, _heard: object) -> Outcome:
        ran.append(cell.method)
        return Outcome.without(cell, FAILED, "not today")

    monkeypatch.setattr(Children, "run", note)
    table = patients.take(np.arange(149)) if what == "table" else patients
    other = replace(plan, loss="height") if what == "plan" else plan
    compare(table, other, methods=["hilbert"], k=3, output=folder, fresh=what == "fresh")
    assert ran == [BOUND, "hilbert"]


def test_cells_that_broke_are_tried_again_and_refusals_are_not(patients: Table, plan: Plan, tmp_path: Path) -> None:
    """A lack of memory may pass; a method that says no will say it again; a longer limit is a new chance."""
    store = Store(tmp_path / "out", patients, plan)
    cell = Cell("hilbert", 3)
    kept = [(REFUSED, None, None, True), (FAILED, None, None, False), (LATE, 5.0, 5.0, True), (LATE, 5.0, 9.0, False)]
    for status, had, now, known in [*kept, (LATE, 5.0, None, False)]:
        store.keep(cell, Outcome.without(cell, status, "why", limit=had))
        found = Store(tmp_path / "out", patients, plan).known(cell, now)
        assert (found is not None) == known, (status, had, now)


def test_a_damaged_cell_file_is_as_good_as_absent(patients: Table, plan: Plan, tmp_path: Path) -> None:
    """A file that was cut off is not believed."""
    store = Store(tmp_path / "out", patients, plan)
    cell = Cell("hilbert", 3)
    store.keep(cell, Outcome("hilbert", 3, 0, loss=0.5))
    path = next((tmp_path / "out" / "cells").iterdir())
    path.write_text(path.read_text()[:40])
    assert Store(tmp_path / "out", patients, plan).known(cell, None) is None


def test_a_foreign_folder_is_refused(patients: Table, plan: Plan, tmp_path: Path) -> None:
    """Results are never mixed with things that are not ours."""
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(OutputError):
        compare(patients, plan, methods=["hilbert"], k=3, output=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_json_and_csv_agree(compared: Compared) -> None:
    """The same figures in both files, and every figure of the outcomes in both."""
    found, folder = compared
    cells = json.loads((folder / "comparison.json").read_text())["cells"]
    with (folder / "comparison.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(cells) == len(found.outcomes)
    for row, cell in zip(rows, cells):
        assert row["method"] == cell["method"]
        for name in ("loss", "bound", "gap", "risk", "mean_risk", "classes", "seconds", "memory"):
            assert row[name] == ("" if cell[name] is None else str(cell[name]))
        for name in found.quasi_identifiers:
            assert row[f"loss_{name}"] == str(cell["per_column"].get(name, ""))


def test_no_cell_value_anywhere(compared: Compared, patients: Table) -> None:
    """No name, note or diagnosis of a patient is in any file."""
    private = {str(cell) for name in ("name", "email", "diagnosis", "note") for cell in patients.texts(name) if cell}
    text = "".join(path.read_text() for path in compared[1].rglob("*") if path.is_file())
    assert [cell for cell in private if cell in text] == []


def test_a_folder_has_all_files(compared: Compared) -> None:
    """JSON, CSV, the page, three plots and the cells; nothing half-written."""
    names = sorted(path.name for path in compared[1].iterdir())
    plots = ["columns.svg", "loss-k.svg", "loss-time.svg"]
    assert names == sorted(["cells", "comparison.csv", "comparison.json", "report.html", *plots])


def test_the_table_is_of_the_callers_kind(plan: Plan, monkeypatch) -> None:
    """A pandas frame in, a pandas frame out."""

    def done(_self: Children, cell: Cell, _heard: object) -> Outcome:
        return Outcome(cell.method, cell.k, cell.seed, loss=0.5, per_column={"age": 0.5})

    monkeypatch.setattr(Children, "run", done)
    frame = pd.DataFrame({"age": range(20)})
    found = shoal.compare(frame, methods=["hilbert", "mondrian"], k=[2, 3], quasi_identifiers=["age"])
    assert isinstance(found.table, pd.DataFrame)
    assert found.table["loss_age"].tolist() == [0.5] * 4
    assert found.table["k"].tolist() == [2, 2, 3, 3]


# -- what cells do -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("problem", "status", "said"),
    [
        (
            TableError("The table is odd.", allowed="even ones", received="an odd one"),
            REFUSED,
            "The table is odd. Allow",
        ),
        (MemoryError("SECRET"), FAILED, "not enough memory"),
        (ValueError("SECRET"), FAILED, "Internal error in ValueError at "),
        (KeyboardInterrupt("SECRET"), FAILED, "Internal error"),
    ],
    ids=lambda one: type(one).__name__ if isinstance(one, BaseException) else "",
)
def test_whatever_a_cell_raises_is_told_in_words(patients, plan, monkeypatch, problem, status: str, said: str) -> None:
    """An error becomes an outcome with a reason, and the text of foreign exceptions is withheld."""
    import pickle

    from shoal.studies.comparing import worker

    def broken(*_: object) -> Outcome:
        raise problem

    monkeypatch.setattr(worker, "measured", broken)
    outcome = attempt(pickle.dumps(patients), plan, Cell("hilbert", 3), lambda _: None)
    assert outcome.status == status
    assert said in outcome.reason
    assert "SECRET" not in outcome.reason


def test_a_killed_process_fails_only_its_cell(patients: Table, plan: Plan) -> None:
    """Kill -9, as the system does when memory runs out: that cell says so, the others have figures."""
    seen: list[str] = []

    def killing(step: Step) -> None:
        if "shoal" in step.phase and step.phase not in seen:
            seen.append(step.phase)
            mine = [path.parent.name for path in Path("/proc").glob("*/stat") if _parent(path) == os.getpid()]
            for server in mine:
                for path in Path("/proc").glob("*/stat"):
                    if _parent(path) == int(server):
                        os.kill(int(path.parent.name), signal.SIGKILL)

    endless = replace(plan, steps=10**9)  # so that the cell cannot end before it is killed, however busy the machine is
    found = compare(patients, endless, methods=["hilbert", "shoal", "r_tree"], k=3, progress=killing)
    by_method = {one.method: one for one in found.outcomes}
    assert by_method["hilbert"].done
    assert by_method["r_tree"].done
    assert by_method["shoal"].status == FAILED
    assert "killed" in by_method["shoal"].reason


def _parent(stat: Path) -> int:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return -1


def test_crashes_are_named() -> None:
    """Signals and exit codes become words."""
    assert "memory" in died(-signal.SIGKILL)
    assert "SIGSEGV" in died(-signal.SIGSEGV)
    assert "exit code 3" in died(3)


def test_a_limit_stops_a_cell(patients: Table, plan: Plan) -> None:
    """A cell over its limit is stopped, whatever it is doing, and says so."""
    found = compare(patients, plan, methods=["hilbert"], k=3, limit=0.01, progress=lambda _: time.sleep(0.05))
    assert (found.outcomes[0].status, found.outcomes[0].limit) == (LATE, 0.01)
    assert "limit of 0.01 s" in found.outcomes[0].reason
    with pytest.raises(PlanError):
        compare(patients, plan, methods=["hilbert"], k=3, limit=0)


def test_cancelling_keeps_what_is_done(patients: Table, plan: Plan, tmp_path: Path) -> None:
    """The callback stops the rest; what is finished comes back and is kept, and a second call goes on."""

    def stop(step: Step) -> str:
        return "cancel" if "mondrian" in step.phase else ""

    found = compare(patients, plan, methods=["hilbert", "mondrian"], k=3, output=tmp_path / "out", progress=stop)
    assert [one.status for one in found.outcomes] == [DONE, OPEN]
    assert not found.complete
    assert "stopped" in found.outcomes[1].reason
    assert sorted(cell_files(tmp_path / "out")) == ["hilbert-k3-seed0.json", f"{BOUND}-k3-seed0.json"]
    assert json.loads((tmp_path / "out" / "comparison.json").read_text())["complete"] is False
    whole = compare(patients, plan, methods=["hilbert", "mondrian"], k=3, output=tmp_path / "out")
    assert whole.complete
    assert whole.outcomes[0] == found.outcomes[0]


def test_an_interrupt_writes_what_is_done_and_goes_on_its_way(patients, plan, tmp_path: Path, monkeypatch) -> None:
    """Ctrl-C in the middle: results so far are on disk, and the caller still sees the interrupt."""

    def interrupted(_self: Children, cell: Cell, _heard: object) -> Outcome:
        if cell.method == "mondrian":
            raise KeyboardInterrupt
        return Outcome(cell.method, cell.k, cell.seed, loss=0.5)

    monkeypatch.setattr(Children, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compare(patients, plan, methods=["hilbert", "mondrian", "r_tree"], k=3, output=tmp_path / "out")
    cells = json.loads((tmp_path / "out" / "comparison.json").read_text())["cells"]
    assert [one["status"] for one in cells] == [DONE, OPEN, OPEN]


def test_an_interrupt_while_a_cell_is_kept_writes_what_is_done(patients, plan, tmp_path: Path, monkeypatch) -> None:
    """Ctrl-C may come when a cell is on disk and its walk has not gone on: the overview is written all the same."""
    keep = Store.keep

    def interrupted(self: Store, cell: Cell, outcome: Outcome) -> None:
        keep(self, cell, outcome)
        if cell.method != BOUND:
            raise KeyboardInterrupt

    monkeypatch.setattr(Store, "keep", interrupted)
    monkeypatch.setattr(Children, "run", lambda _self, cell, _heard: Outcome(cell.method, cell.k, cell.seed, loss=0.5))
    with pytest.raises(KeyboardInterrupt):
        compare(patients, plan, methods=["hilbert", "mondrian"], k=3, output=tmp_path / "out")
    cells = json.loads((tmp_path / "out" / "comparison.json").read_text())["cells"]
    assert [one["status"] for one in cells] == [DONE, OPEN]


def test_wrong_input_is_refused_before_anything_runs(patients: Table, monkeypatch) -> None:
    """A misspelt column is one error, not one per cell."""
    monkeypatch.setattr(Children, "run", lambda *_: pytest.fail("ran"))
    with pytest.raises(TableError):
        compare(patients, k=[3, 5], quasi_identifiers=["agee"])
    with pytest.raises(PlanError):
        compare(patients, Plan.of(3, quasi_identifiers=["age"]), k=3, sensitive=["diagnosis"])
    with pytest.raises(PlanError):
        compare(patients, quasi_identifiers=["age"])


def test_a_table_without_rows_is_refused_once(patients: Table, monkeypatch) -> None:
    """All five parts, and nothing runs."""
    monkeypatch.setattr(Children, "run", lambda *_: pytest.fail("ran"))
    for act in (partial(compare, k=[10, 5]), partial(attribute, k=5)):
        with pytest.raises(TableError, match="The table has no rows, so there is nothing to compare") as caught:
            act(patients.take(np.arange(0)), quasi_identifiers=["age", "sex"])
        assert caught.value.exit_code == 2
        assert len(caught.value.parts()) == 5


@pytest.mark.parametrize("gap", [1.0, 1.00001, 1.0801, 1.084, 1.09, 2.004])
def test_a_gap_is_told_as_the_certificate_tells_it(gap: float) -> None:
    """Both are rounded up: one release has one figure, and 'at most' stays true."""
    outcome = Outcome("mdav", 5, 0, DONE, loss=0.1 * gap, bound=0.1, metric="ncp")
    certificate = Certificate(0.1 * gap, 0.1, 5, 100, 100, "prices", "ncp")
    told = figures_in_words(outcome)[HEADS.index("Times the bound")]
    said = certificate.sentence()
    assert f"at most {told} times" in said or (told == "1.00" and "at most" not in said)
    assert float(told) >= gap - 5e-5


def test_suppression_and_value_sets_have_no_gap(plan: Plan) -> None:
    """The bound speaks of whole tables and hulls; where it does not, no gap is claimed."""
    from shoal.studies.comparing.comparison import _with_bound

    one = Outcome("m", 3, 0, metric="ncp", loss=0.5, suppressed=0, hulls=True)
    assert _with_bound(one, {3: 0.2}, plan).bound == 0.2
    assert _with_bound(replace(one, suppressed=4), {3: 0.2}, plan).gap is None
    assert _with_bound(replace(one, releases="boxes"), {3: 0.2}, plan).gap is None
    assert _with_bound(replace(one, hulls=False), {3: 0.2}, plan).gap is None
    assert _with_bound(one, {3: None}, plan).gap is None
    assert _with_bound(replace(one, metric="eloss"), {3: 0.2}, plan).gap is None


def test_the_peak_is_that_of_this_process() -> None:
    """Memory that was given back counts, and the peak can be made to start anew on Linux."""
    before = measuring._peak()
    held = bytearray(64_000_000)
    del held
    assert measuring._peak() >= before
    measuring._forget_peak()
    assert math.isfinite(measuring._peak())
    assert measuring._peak() > 10_000_000


def test_methods_are_ranked_by_what_the_table_is_for(patients: Table, plan: Plan) -> None:
    """The figure of each release, as anybody measures it; a metric that is not there is refused before any cell."""
    asked = replace(plan, group_by=(("sex", "insurance"),))
    found = compare(patients, asked, methods=["hilbert", "mondrian"], k=10, rank="query_error.group sex + insurance")
    values = {one.method: one.rank for one in found.outcomes}
    assert [one.method for one in found.standings[10]] == sorted(values, key=lambda name: values[name] or 0)
    assert found.records[0]["rank"] == values["hilbert"]
    for wrong, problem in (("nosuch", "no such metric"), ("query_error.group sex", "no such columns together")):
        with pytest.raises(PlanError, match=problem) as caught:
            compare(patients, plan, methods=["hilbert"], k=10, rank=wrong)
        assert caught.value.where.startswith("--rank")
    with pytest.raises(PlanError, match="No column is named") as caught:
        compare(patients, k=10, quasi_identifiers=["age"], methods=["hilbert"], rank="accuracy_kept")
    assert "require" not in str(caught.value)
