# SPDX-License-Identifier: Apache-2.0
"""Personalised k: asked for by a column or by values, enforced, judged with and without what the maker knows."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import shoal
from shoal.faces.cli import shoal as cli
from shoal.ground.errors import CannotHoldError, PlanError, ShoalError, TableError
from shoal.judging.checking import check
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from tests.counts import repeats

AGES = [20, 21, 30, 31, 40, 41, 42, 43]
OWN = {"own_k": {"column": "wish"}}


def people(wishes: list[Any]) -> pl.DataFrame:
    """Eight people of different ages, with what they ask for."""
    return pl.DataFrame({"age": AGES, "wish": wishes, "disease": ["flu", "cold"] * 4}, strict=False)


def released(wishes: list[Any], **others: Any) -> shoal.Release:
    """Them, each among two, or as many as they ask for."""
    how = {"quasi_identifiers": ["age"], "sensitive": ["disease"], "method": "k_member", "models": OWN, **others}
    return shoal.anonymize(people(wishes), k=2, **how)


def judged(ages: list[str], original: pl.DataFrame | None = None, **others: Any) -> Any:
    """What the judge says of own-k for a table with these labels."""
    plan = Plan.of(2, quasi_identifiers=["age"], drop=["wish"], models=OWN, **others)
    verdict = check(Table.from_columns({"age": ages}), plan=plan, original=original)
    return next(one for one in verdict.findings if one.model == "own_k")


def test_every_class_satisfies_the_largest_k_of_its_members() -> None:
    """One person who asks for four gets four; the column of wishes is gone; the finding says so."""
    release = released([1, 1, 1, 1, 4, 1, 1, 1])
    sizes = np.bincount(release.classes)[release.classes]
    assert sizes[4] >= 4
    assert sizes.min() == 2
    assert "wish" not in release.released.names
    found = next(one for one in release.verdict.findings if one.model == "own_k")
    assert found.holds
    assert found.figures == {"rows": 8, "rows_asking_more": 1, "largest_own_k": 4, "rows_below_own_k": 0}


def test_values_of_a_published_column_ask() -> None:
    """A rule about a sensitive column is kept, and anybody can judge it by the released table alone."""
    rule = {"own_k": {"column": "disease", "values": {"flu": 4}}}
    release = shoal.anonymize(
        people([1] * 8).drop("wish"), k=2, quasi_identifiers=["age"], sensitive=["disease"], models=rule
    )
    assert release.verdict.holds
    plan = Plan.of(2, quasi_identifiers=["age"], sensitive=["disease"], models=rule)
    assert check(release.released, plan=plan).holds
    bad = Table.from_columns({"age": ["a", "a", "b", "b"], "disease": ["flu", "flu", "cold", "cold"]})
    assert not check(bad, plan=plan).holds


@pytest.mark.parametrize("wish", ["many", "0", "-3", "2.5", None, "5 rows", ""])
def test_cells_that_tell_no_k_are_refused(wish: str | None) -> None:
    """A cell that is no whole number of at least 1 is refused, and not shown."""
    with pytest.raises(TableError) as refused:
        released(["1"] * 7 + [wish])
    assert "1 row " in refused.value.received
    assert not wish or repr(wish) not in str(refused.value)


def test_more_than_there_are_is_refused() -> None:
    """Nobody can have more look-alikes than there are rows; the number itself is not told."""
    with pytest.raises(CannotHoldError, match="more look-alikes than the table has rows") as refused:
        released([1] * 7 + [773])
    assert "773" not in str(refused.value)


@pytest.mark.parametrize(
    ("models", "kind"),
    [
        ({"own_k": {"column": "disease", "values": {"gout": 4}}}, CannotHoldError),
        ({"own_k": {"column": "disease", "values": {"flu": 0}}}, PlanError),
        ({"own_k": {"column": "height"}}, ShoalError),
    ],
    ids=["a value that does not occur", "no k", "no such column"],
)
def test_rules_that_mean_nothing_are_refused(models: Any, kind: type[ShoalError]) -> None:
    """A misspelt value or column is never silently ignored."""
    with pytest.raises(kind):
        released([1] * 8, models=models, rest="drop")


def test_without_what_was_asked_for_it_is_not_judged() -> None:
    """An outsider is told that it could not be judged, and the verdict does not hold."""
    found = judged(["[20, 31]"] * 4 + ["[40, 43]"] * 4)
    assert (found.holds, found.judged) == (None, False)


def test_the_original_decides() -> None:
    """Beside the original: it holds if everybody can be in a class that is large enough, and not else."""
    labels = ["[20, 21]"] * 2 + ["[30, 31]"] * 2 + ["[40, 43]"] * 4
    assert judged(labels, people([1, 1, 1, 1, 4, 1, 4, 2])).holds
    assert judged(labels, people([1, 1, 3, 1, 4, 1, 1, 1])).holds is False


def possible(labels: list[tuple[int, int]], ages: list[int], wishes: list[int]) -> bool:
    """Whether some order of the people fits all rows, tried one by one."""
    size = [labels.count(label) for label in labels]
    return any(
        all(
            low <= ages[who] <= high and size[row] >= wishes[who]
            for row, ((low, high), who) in enumerate(zip(labels, order, strict=True))
        )
        for order in permutations(range(len(ages)), len(labels))
    )


@pytest.mark.parametrize("seed", repeats(13, 150))
def test_the_original_decides_as_every_order_tried_does(seed: int) -> None:
    """Overlapping labels, wishes of all sizes, rows left out: the judge finds an assignment just where there is one."""
    random = Random(seed)
    n = random.randint(2, 6)
    ages, wishes = [random.randint(0, 6) for _ in range(n)], [random.choice([1, 1, 2, 3]) for _ in range(n)]
    ranges = [sorted(random.choices(range(7), k=2)) for _ in range(2)]
    labels = [(low, high) for low, high in (random.choice(ranges) for _ in range(n - random.randint(0, 1)))]
    shown = [f"[{low}, {high}]" if low < high else str(low) for low, high in labels]
    plan = Plan.of(1, quasi_identifiers=["age"], drop=["wish"], models=OWN, kinds={"age": "numeric"})
    verdict = check(Table.from_columns({"age": shown}), plan=plan, original=pl.DataFrame({"age": ages, "wish": wishes}))
    found = next(one for one in verdict.findings if one.model == "own_k")
    assert found.holds == possible(labels, ages, wishes)


def test_from_the_command_line(tmp_path: Path) -> None:
    """Not judged alone (exit 1), judged beside the original (exit 0), and beside another one the promise is broken."""
    people([1, 1, 1, 1, 4, 1, 1, 1]).write_csv(tmp_path / "people.csv")
    out = tmp_path / "out"
    run = CliRunner().invoke
    asked = ["anonymize", str(tmp_path / "people.csv"), "-o", str(out), "-k", "2", "--qi", "age"]
    done = run(cli, [*asked, "--sensitive", "disease", "--own-k", "wish", "--method", "k_member"])
    assert done.exit_code == 0, done.output
    assert Plan.read(out / "plan.toml").models == OWN
    alone = run(cli, ["check", str(out)])
    assert (alone.exit_code, "NOT JUDGED" in alone.output) == (1, True)
    beside = run(cli, ["check", str(out), "--original", str(tmp_path / "people.csv")])
    assert beside.exit_code == 0, beside.output
    people([7, 1, 1, 1, 4, 1, 1, 1]).write_csv(tmp_path / "other.csv")
    assert run(cli, ["check", str(out), "--original", str(tmp_path / "other.csv")]).exit_code == 1
    bad = run(cli, [*asked, "--overwrite", "--own-k", "disease=flu"])
    assert bad.exit_code == 2


def test_sub_tables_keep_it_each() -> None:
    """Every sub-table has classes as large as their members ask for."""
    frame = people([1, 1, 1, 1, 4, 1, 1, 1]).with_columns(height=pl.Series([1, 5, 2, 6, 3, 7, 4, 8]))
    release = shoal.anonymize(
        frame, k=2, quasi_identifiers=["age", "height"], sensitive=["disease"], models=OWN,
        method="equal_combination", accept_weaker=True,
    )  # fmt: skip
    found = [one for one in release.verdict.findings if one.model == "own_k"]
    assert found
    assert all(one.holds for one in found)
