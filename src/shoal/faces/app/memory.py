# SPDX-License-Identifier: Apache-2.0
"""What the app keeps on the disk: a private folder for as long as it runs, and what is needed to go on afterwards.

Uploads and releases lie in a folder that only this user can read and that is gone when the app ends; what a killed run
left behind is swept at the next start. To go on after a restart only the plan, the place of the table and its
fingerprint are kept, never a cell of the table beyond what trees name.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from shoal.ground.errors import ShoalError
from shoal.ground.json_text import json_text
from shoal.ground.writing import NEW, private_folder, sweep, write_files
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.level_files import FOLDER, levels_text, safe_names
from shoal.plan.plan import Plan, load_hierarchies

PLAN, WORK = "plan.toml", "work.json"
KEPT = "last"
_WRITER = ThreadPoolExecutor(1)
"""Writes one thing after the other."""


def state_place() -> Path:
    """Where the app keeps what it keeps, by the usual place of the system."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "shoal"


def state_folder() -> Path:
    """The same, made, and readable for this user alone."""
    folder = state_place()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    return folder


@contextmanager
def run_folder() -> Iterator[Path]:
    """A private folder for one run of the app; gone afterwards, with those that killed runs left."""
    target = state_folder() / "app"
    sweep(target)
    with private_folder(target) as folder:
        new = folder / NEW
        new.mkdir(mode=0o700)
        yield new


@dataclass(frozen=True)
class LastWork:
    """What was done last, as far as it is kept."""

    places: tuple[str, ...]
    """Where the table lies; empty if it was uploaded and is gone."""
    name: str
    fingerprint: str
    plan: Plan = field(repr=False)


def plan_files(plan: Plan) -> dict[str, str]:
    """A plan as files: ``plan.toml``, and its trees in a folder beside it."""
    trees = {name: one.hierarchy for name, one in plan.columns.items() if isinstance(one.hierarchy, Hierarchy)}
    files = {name: f"{FOLDER}/{safe}.csv" for name, safe in safe_names(trees).items()}
    texts = {files[name]: levels_text(tree) for name, tree in trees.items()}
    return {PLAN: plan.to_toml(files), **texts}


def keep(work: LastWork) -> None:
    """Write down what is needed to go on, beside the pages, which need not wait for the disk."""
    _WRITER.submit(_keep, work)


def _keep(work: LastWork) -> None:
    """A disk that is full is no reason to stop."""
    folder = state_folder() / KEPT
    with suppress(OSError):
        shutil.rmtree(folder, ignore_errors=True)
        (folder / FOLDER).mkdir(mode=0o700, parents=True)
        folder.chmod(0o700)
        about = {"places": list(work.places), "name": work.name, "fingerprint": work.fingerprint}
        texts = {folder / file: text for file, text in plan_files(work.plan).items()}
        write_files({**texts, folder / WORK: json_text(about)})


def last() -> LastWork | None:
    """What was kept, if it can be read."""
    folder = state_folder() / KEPT
    try:
        work = json.loads((folder / WORK).read_text(encoding="utf-8"))
        plan = load_hierarchies(Plan.read(folder / PLAN))
        return LastWork(tuple(map(str, work["places"])), str(work["name"]), str(work["fingerprint"]), plan)
    except (OSError, ValueError, ShoalError, KeyError, TypeError):
        return None


def forget() -> None:
    """Remove what was kept."""
    _WRITER.submit(remove, state_folder() / KEPT)


def remove(folder: Path) -> None:
    """Remove a folder with all in it."""
    shutil.rmtree(folder, ignore_errors=True)
