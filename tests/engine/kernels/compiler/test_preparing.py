# SPDX-License-Identifier: Apache-2.0
"""What is compiled on the way is told: which kernel, how much is done, and out of how much."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from shoal.engine.algorithms import k_members, mondrian
from shoal.engine.bounds.bound import certify
from shoal.engine.kernels.compiler.preparing import entries_of, parts_of
from shoal.engine.kernels.methods.growing import grow_in_order
from shoal.engine.refining.hull_state import HullState

pytestmark = pytest.mark.compiled

RUN = """
import json, sys
from numba.core import event
class Count(event.Listener):
    made = 0
    def on_start(self, one): Count.made += 1
    def on_end(self, one): pass
event.register("numba:compile", Count())
import shoal
steps = []
data = shoal.synthetic_patients(150, seed=1)
kept = ["age", "sex", "postcode", "nationality", "admission_date", "diagnosis"][: int(sys.argv[2])] + ["diagnosis"]
data = data.select(*dict.fromkeys(kept))
shoal.anonymize(data, k=5, quasi_identifiers=list(dict.fromkeys(kept))[:-1], sensitive=["diagnosis"],
                method=sys.argv[1], steps=2500,
                progress=lambda step: steps.append(step) if step.phase == "prepare" else None)
print(json.dumps({"made": Count.made, "steps": [(step.what, step.done, step.total) for step in steps]}))
"""


def first_run(folder: Path, method: str, columns: int) -> dict:
    """Functions compiled, and reports of that, in a first run."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run([sys.executable, "-c", RUN, method, str(columns)], env=env, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    found: dict = json.loads(done.stdout)
    return found


def names(entries: list) -> set[str]:
    """What kernels are called."""
    return {entry.py_func.__name__ for entry in entries}


def test_kernels_of_a_function_are_found() -> None:
    """Through functions, classes, methods and properties, however deep; and no others."""
    assert {"grow_in_order", "place_leftovers", "grow_nodes", "distinct"} <= names(entries_of([k_members.cluster]))
    assert names(entries_of([mondrian.cluster])).isdisjoint(names(entries_of([HullState])))
    assert {"nearest_losses", "cheapest_boxes", "cut_prices", "total_loss"} <= names(entries_of([certify]))
    assert {"_search", "_put_all", "total_loss"} <= names(entries_of([HullState]))


def test_parts_of_a_kernel_are_found() -> None:
    """Itself, what it calls, and what that calls, each once."""
    parts = [part.py_func.__name__ for part in parts_of(grow_in_order).values()]
    assert {"grow_in_order", "grow_class", "cheapest", "delete", "walk", "term"} <= set(parts)
    assert "grow_from_furthest" not in parts


@pytest.mark.long
@pytest.mark.parametrize(
    ("method", "columns", "most"),
    [pytest.param("shoal", 5, 300, marks=pytest.mark.long), ("k_members", 3, 130)],
)
def test_the_first_run_compiles_little(tmp_path: Path, method: str, columns: int, most: int) -> None:
    """The number of functions that a first run compiles is what it costs; the second run compiles none.

    249 (24 processor seconds) and 98 when this was written; 90 of the first are prices for several columns of numbers.
    256 and 122 with tolls; 290 and 122 since tries learn from each other.
    A kernel that calls sorting or slicing of the compiler's own brings dozens along.
    """
    first = first_run(tmp_path, method, columns)
    assert first["made"] <= most
    steps = first["steps"]
    assert steps[0][1] == 0
    assert [done for _, done, _ in steps] == sorted(done for _, done, _ in steps)
    assert all(0 <= done <= total and what for what, done, total in steps)
    assert steps[-1][1] >= 0.5 * steps[-1][2], "the estimate counts little that is not needed"
    assert first_run(tmp_path, method, columns) == {"made": 0, "steps": []}
