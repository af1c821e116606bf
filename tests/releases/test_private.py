# SPDX-License-Identifier: Apache-2.0
"""What is private about a release is in one place, is not carried away by accident, and can be left behind."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import shoal
from shoal.ground.errors import OutputError
from shoal.pipeline import run
from shoal.plan.plan import Plan
from shoal.releases.folder import read_release
from shoal.releases.release import Release
from shoal.tables.table import Table

PEOPLE = pl.DataFrame(
    {
        "name": [f"person {row}" for row in range(40)],
        "age": [20 + 7 * row % 50 for row in range(40)],
        "sex": ["mf"[row % 2] for row in range(40)],
        "disease": [("flu", "cold", "gout")[row % 3] for row in range(40)],
    }
)
ROLES: dict[str, Any] = {"quasi_identifiers": ["age", "sex"], "sensitive": ["disease"], "identifiers": ["name"]}
RUNS: dict[str, dict[str, Any]] = {
    "k_member": {"method": "k_member"},
    "person": {"method": "k_member", "person": "name"},
    "population": {"method": "k_member", "population": PEOPLE, "models": {"k_map": {"k": 3}}},
    "subtables": {"method": "equal_combination", "accept_weaker": True},
    "boxes": {"method": "non_homogeneous", "accept_weaker": True, "seed": 0},
}
each_run = pytest.mark.parametrize("name", list(RUNS))


@pytest.fixture(autouse=True)
def _silence(recwarn: pytest.WarningsRecorder) -> None:
    """Weaker methods warn, which is not the matter here."""


def made(name: str, data: Any = PEOPLE) -> Release:
    """One of the runs."""
    return shoal.anonymize(data, k=3, **ROLES, **RUNS[name])


def reached(start: object) -> Iterator[object]:
    """Everything that an object keeps alive, closures and arguments of partial functions included."""
    seen, waiting = set(), [start]
    while waiting:
        here = waiting.pop()
        if id(here) in seen or isinstance(here, type | ModuleType):
            continue
        seen.add(id(here))
        yield here
        if isinstance(here, FunctionType):  # its module is no part of it
            waiting += [here.__closure__, here.__defaults__, here.__kwdefaults__]
        else:
            waiting += gc.get_referents(here)
        if isinstance(here, MethodType):
            waiting.append(here.__self__)


def secrets(release: Release, start: object) -> list[str]:
    """What of the original, and of the way back to it, can be reached."""
    found = []
    ages = PEOPLE["age"].to_list()
    for thing in reached(start):
        if isinstance(thing, pl.DataFrame | pd.DataFrame) and ("name" in thing.columns or _has(thing, ages)):
            found.append("a frame of the original")
        if isinstance(thing, np.ndarray) and any(thing is known for known in (release.classes, *release.private.rows)):
            found.append("a link to its rows")
    return found


def _has(frame: Any, ages: list[int]) -> bool:
    return "age" in frame.columns and list(frame["age"]) == ages


@each_run
@pytest.mark.parametrize("kind", ["polars", "pandas"])
def test_nothing_private_is_left_in_what_is_publishable(name: str, kind: str) -> None:
    """Neither the original nor the links to its rows can be reached by any path, in contrast to the release itself."""
    release = made(name, PEOPLE.to_pandas() if kind == "pandas" else PEOPLE)
    assert {"a frame of the original", "a link to its rows"} <= set(secrets(release, release))
    public = release.publishable()
    assert public.private is None
    assert secrets(release, public) == []


@each_run
def test_it_is_still_a_release(name: str) -> None:
    """Table, verdict, measurements and report are those of the release."""
    release = made(name)
    public = release.publishable()
    assert all(first.equals(second) for first, second in zip(public.tables, release.tables, strict=True))
    assert public.verdict == release.verdict
    assert repr(public.measurements) == repr(release.measurements)
    assert public.report() == release.report()
    assert repr(public) == repr(release)


@pytest.mark.parametrize("what", ["classes", "rows", "parts"])
def test_what_is_gone_says_so(what: str) -> None:
    """What is private is told to be gone, with all five parts, not found missing."""
    with pytest.raises(OutputError) as caught:
        getattr(made("k_member").publishable(), what)
    assert len(caught.value.parts()) == 5


@each_run
def test_pickling_is_refused_before_and_possible_after(name: str) -> None:
    """A pickle of a release would carry the original away; of what is publishable, it is the same release."""
    release = made(name)
    with pytest.raises(OutputError, match="private") as caught:
        pickle.dumps(release)
    assert len(caught.value.parts()) == 5
    assert "publishable()" in caught.value.todo
    public = release.publishable()
    again = pickle.loads(pickle.dumps(public))
    assert again.tables[0].equals(public.tables[0])
    assert again.report() == public.report()
    assert secrets(release, pickle.loads(pickle.dumps(public))) == []


@each_run
def test_the_same_folder_is_written_afterwards(name: str, tmp_path: Path) -> None:
    """Saved in a format that keeps types, it gives the very files of the release, judged by what was judged before."""
    release = made(name)
    before, after = release.save(tmp_path / "before"), release.publishable().save(tmp_path / "after")
    files = {path.name for path in before.iterdir()} - {"manifest.json"}
    assert {path.name for path in after.iterdir()} - {"manifest.json"} == files
    for file in files - {"hierarchies"}:
        assert (before / file).read_bytes() == (after / file).read_bytes()
    assert read_release(after).problems == []


@pytest.mark.parametrize(("name", "judged"), [("k_member", True), ("person", False), ("boxes", False)])
def test_only_the_maker_can_judge_what_reads_back_differently(name: str, judged: bool, tmp_path: Path) -> None:
    """A table of classes is judged anew by itself; where that takes more, other types are refused with the reason."""
    frame = PEOPLE.with_columns(visits=pl.int_range(40))
    shown = {"insensitive": ["visits"], "accept": ["visits"]}
    public = shoal.anonymize(frame, k=3, **ROLES, **RUNS[name], **shown).publishable()
    if judged:
        assert public.save(tmp_path / "out", format="delimited").is_dir()
        return
    with pytest.raises(OutputError, match="only the maker") as caught:
        public.save(tmp_path / "out", format="delimited")
    assert len(caught.value.parts()) == 5
    assert not (tmp_path / "out").exists()


def test_without_a_portrait_it_cannot_be_saved(tmp_path: Path) -> None:
    """The report would lack what only the original can tell, so nothing is written and the reason is said."""
    public = made("k_member").publishable(portrayed=False)
    assert public.portrait is None
    with pytest.raises(OutputError, match="beside its original") as caught:
        public.save(tmp_path / "out")
    assert len(caught.value.parts()) == 5


# -- asked and done ----------------------------------------------------------------------------------------------


def test_the_request_is_the_very_object_that_was_given(tmp_path: Path) -> None:
    """What was asked is never rewritten, whatever had to be settled; what was done is told apart."""
    path = tmp_path / "people.csv"
    PEOPLE.write_csv(path, separator=";")
    plan = Plan.of(3, method="k_member", refine=True, steps=10, **ROLES)
    for data in (PEOPLE, Table(PEOPLE), path):
        release = shoal.anonymize(data, plan)
        assert release.asked is plan
        assert release.plan is not plan
        assert (release.plan.seed, release.plan.render) == (0, "generalise")
        assert release.plan.columns["age"].kind == "numeric"
    assert release.plan.reading.separator == ";"
    assert (plan.seed, plan.render, plan.columns["age"].kind, plan.reading.separator) == (None, None, None, None)


# -- the portrait is a phase -------------------------------------------------------------------------------------


def test_the_portrait_is_a_phase_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It comes last, with progress and time of its own, and is made once; who does not need it does not pay."""
    from shoal.judging.portraits import portray as module

    calls = []
    real = module.portray
    monkeypatch.setattr(module, "portray", lambda *given, **others: calls.append(1) or real(*given, **others))
    steps: list[shoal.Step] = []
    plan = Plan.of(3, method="k_member", **ROLES)
    release = run(Table(PEOPLE), plan, shoal.ground.progress.Progress(steps.append), portrayed=True)
    phases = list(dict.fromkeys(step.phase for step in steps))
    assert phases == ["encode", "cluster", "generalise", "check", "measure", "bound", "portray"]
    assert any(step.total for step in steps if step.phase == "portray")
    assert list(release.timings) == phases
    release.save(tmp_path / "eager")
    release.report()
    assert len(calls) == 1

    lazy = run(Table(PEOPLE), plan)
    assert len(calls) == 1
    assert "portray" not in lazy.timings
    timings = read_release(lazy.save(tmp_path / "lazy")).manifest["timings"]
    assert len(calls) == 2
    assert {"portray", "write", "judge written"} <= set(timings)
    same = ("table.parquet", "report.html", "report.json", "plan.toml")
    assert all((tmp_path / "eager" / one).read_bytes() == (tmp_path / "lazy" / one).read_bytes() for one in same)
