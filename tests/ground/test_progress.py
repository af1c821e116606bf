# SPDX-License-Identifier: Apache-2.0
"""Reports of work under way, and the wish to stop it."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.engine.algorithms._growing import in_slices
from shoal.ground.errors import Interrupted
from shoal.ground.progress import PREPARE, Progress, Step

PATIENTS = shoal.synthetic_patients(300, seed=1).select(
    "age", "sex", pl.when(pl.col("sex") == "female").then(pl.lit("flu")).otherwise("diagnosis").alias("diagnosis")
)
"""Whoever knows that it is a woman knows what she has, so remedies are weighed."""
PHASES = ["encode", "cluster", "refine", "generalise", "check", "measure", "weigh", "bound"]
ROLES = {"quasi_identifiers": ["age", "sex"], "sensitive": ["diagnosis"]}


def test_phases_come_in_the_order_of_the_flow() -> None:
    """The callback sees every phase once, in the order of the sentence."""
    steps: list[Step] = []
    shoal.anonymize(PATIENTS, k=5, **ROLES, progress=steps.append)
    assert list(dict.fromkeys(step.phase for step in steps if step.phase != PREPARE)) == PHASES
    for phase in ("cluster", "refine"):
        reports = [step for step in steps if step.phase == phase and step.total]
        assert reports[-1].done == reports[-1].total


@pytest.mark.parametrize("phase", PHASES)
def test_any_phase_can_be_cancelled(phase: str) -> None:
    """The answer "cancel" ends the run with its own exit code, and the message says where."""
    with pytest.raises(Interrupted) as raised:
        shoal.anonymize(
            PATIENTS,
            k=5,
            **ROLES,
            progress=lambda step: "cancel" if step.phase == phase else None,
        )
    assert raised.value.exit_code == 130
    assert raised.value.where == f"phase {phase}"
    assert 'an answer "finish"' in raised.value.todo


def test_no_interrupt_goes_without_a_next_step() -> None:
    """Whoever raises one need not think of it."""
    assert "  next      give the same command" in str(Interrupted("interrupted"))
    assert Interrupted("interrupted", todo="wait").todo == "wait"


@pytest.mark.parametrize("answer", [None, True, "go on", 0])
def test_other_answers_go_on(answer: object) -> None:
    """Only the one word stops a run."""
    release = shoal.anonymize(PATIENTS, k=5, **ROLES, progress=lambda step: answer)
    assert release.verdict.holds


def test_what_a_callback_raises_comes_through() -> None:
    """A callback may also stop a run by raising, as Ctrl-C does."""

    def interrupted(step: Step) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shoal.anonymize(PATIENTS, k=5, **ROLES, progress=interrupted)


def test_without_a_callback_nothing_happens() -> None:
    """Reports go nowhere if nobody listens."""
    progress = Progress()
    progress.phase("cluster")
    progress(1, 2)


@pytest.mark.parametrize("total", [0, 1, 7, 1000])
def test_slices_reach_the_goal(total: int) -> None:
    """Whatever the slices, all of the work is done once, and each slice is reported."""
    goals: list[int] = []
    steps: list[Step] = []
    done = in_slices(lambda until: goals.append(until) or until, total, Progress(steps.append))
    assert done == total
    assert goals == sorted(set(goals))
    assert [step.done for step in steps] == goals
    assert (goals[-1:] or [0]) == [total]


def test_slices_end_where_the_work_ends() -> None:
    """A step that stops short of its goal was the last one."""
    goals: list[int] = []
    assert in_slices(lambda until: goals.append(until) or min(until, 5), 100, Progress()) == 5
    assert max(goals) < 100
