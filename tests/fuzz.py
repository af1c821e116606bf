# SPDX-License-Identifier: Apache-2.0
"""Random tables and plans through the whole flow, judged by the checker and by plain counting.

    make fuzz                                   20,000 pairs
    python -m tests.fuzz --pairs 500 --first 7  pairs 7 to 506

A pair is made from its seed alone. A run may refuse what was asked for, in five parts; what it releases must hold:
every model, k by counting cells, no row lost or doubled, columns that are published as they are unchanged. Every
failure prints its seed.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

from shoal import pipeline
from shoal.ground import catalog
from shoal.ground.errors import RefusedReleaseError, ShoalError
from shoal.judging.checking import check
from shoal.plan.checks import LOSSES, MISSING
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.plan.roles import IDENTIFIER, INSENSITIVE, SENSITIVE
from shoal.releases.release import Release
from shoal.tables.table import Table
from shoal.testing import _people as people

PAIRS = 20_000
RELEASED = "released"
Random = np.random.Generator


def main() -> int:
    """Run the pairs asked for, two at a time; 1 if any failed."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--pairs", type=int, default=PAIRS)
    arguments.add_argument("--first", type=int, default=0)
    arguments.add_argument("--workers", type=int, default=2)
    given = arguments.parse_args()
    started, outcomes, failed = time.perf_counter(), Counter[str](), 0
    with ProcessPoolExecutor(given.workers) as pool:
        seeds = range(given.first, given.first + given.pairs)
        for seed, (outcome, told) in zip(seeds, pool.map(examined, seeds, chunksize=50), strict=True):
            outcomes[outcome] += 1
            if told:
                failed += 1
                print(f"seed {seed}: {told}", flush=True)
    counts = ", ".join(f"{number:,} {outcome}" for outcome, number in outcomes.most_common())
    print(f"{given.pairs:,} pairs in {time.perf_counter() - started:.0f} s: {counts}")
    released = sum(number for outcome, number in outcomes.items() if outcome.startswith(RELEASED))
    if released < given.pairs / 4:
        print("Too few were released for this to have tried anything.")
    return 1 if failed or released < given.pairs / 4 else 0


def examined(seed: int) -> tuple[str, str]:
    """How the pair of a seed ended, and what is wrong with it, if anything is."""
    try:
        return fuzz(seed), ""
    except Exception:  # whatever it is, it belongs to a seed
        return "FAILED", traceback.format_exc()


def fuzz(seed: int) -> str:
    """One pair through the flow; raises if a promise is broken."""
    table, plan = pair(seed)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            release = pipeline.run(table, plan)
    except RefusedReleaseError:
        raise
    except ShoalError as refused:
        if not all((refused.where, refused.allowed, refused.received, refused.todo)):
            raise
        return f"refused ({type(refused).__name__})"
    judge(table, release)
    return f"{RELEASED}, some rows left out" if release.facts["suppressed"] else RELEASED


# -- what must hold ----------------------------------------------------------------------------------------------


def judge(table: Table, release: Release) -> None:
    """The checker's verdict, and what can be counted without it."""
    weaker = release.facts.get("releases", "classes") != "classes"
    plan, rows, classes = release.plan, release.rows, release.classes
    if weaker:
        assert release.verdict.holds, str(release.verdict)
        assert all(sorted(part.rows.tolist()) == list(range(len(table))) for part in release.parts), "rows were lost"
        return
    verdict = check(release.released, plan=plan)
    assert all(finding.holds is not False for finding in verdict.findings), str(verdict)
    assert verdict.holds or plan.person is not None, str(verdict)  # whose column is gone, nobody can count
    out = np.flatnonzero(classes < 0).tolist()
    assert sorted([*rows.tolist(), *out]) == list(range(len(table))), "a row was lost or doubled"
    may_leave_out = plan.suppression * len(table) + 1e-9
    suppresses = catalog.load("algorithms", plan.method).CAPABILITIES.suppresses
    assert suppresses or len(out) <= may_leave_out, "more rows were left out than allowed"
    if plan.missing != "wildcard":
        shown = [release.released.texts(name).to_list() for name in plan.published_quasi_identifiers]
        counts = Counter(zip(*shown, strict=True)) if shown else Counter({(): len(rows)})
        assert min(counts.values()) >= plan.k, "a combination of cells occurs less than k times"
    for name in release.released.names:
        if name not in plan.published_quasi_identifiers and plan.formulas == "keep":
            same = release.released.texts(name).to_list() == table.take(rows).texts(name).to_list()
            assert same, f"column {name!r} was changed"
    assert not set(plan.having(IDENTIFIER)) & set(release.released.names), "an identifier was published"
    if plan.person is not None:
        _judge_persons(table, release)


def _judge_persons(table: Table, release: Release) -> None:
    """K persons per class of look-alike rows, counted one by one."""
    who = table.texts(str(release.plan.person)).to_list()
    shown = [release.released.texts(name).to_list() for name in release.plan.published_quasi_identifiers]
    persons: dict[tuple[Any, ...], set[str]] = {}
    for row, cells in zip(release.rows.tolist(), zip(*shown, strict=True), strict=True):
        persons.setdefault(cells, set()).update({who[row]} - {None})
    assert min(len(one) for one in persons.values()) >= release.plan.k, "a class of fewer than k persons"


# -- tables and plans ----------------------------------------------------------------------------------------------


def pair(seed: int) -> tuple[Table, Plan]:
    """The table and the plan of a seed."""
    random = np.random.default_rng([seed, 20])
    method = str(random.choice(catalog.names("algorithms")))
    able = catalog.load("algorithms", method).CAPABILITIES
    columns = people.columns_of(able.kinds)
    names = [str(one) for one in random.permutation(columns)[: random.integers(1, len(columns) + 1)]]
    rows = int(random.choice([1, 3, 8, 20, 40, 60, 90], p=[0.02, 0.05, 0.13, 0.25, 0.25, 0.2, 0.1]))
    missing = float(random.choice([0.0, 0.0, 0.1, 0.5]))
    table = people.people(rows, names, int(random.integers(1_000_000)), missing)
    if random.random() < 0.3:
        table = table.take(random.integers(0, rows, rows))
    private = {f"private {place}": _private(random, rows) for place in range(random.integers(0, 3))}
    others = {
        "note": [f"note {one}" for one in random.integers(0, 5, rows)],
        "name": [f"n{one}" for one in range(rows)],
    }
    whole = Table.of(table.frame.with_columns(**_frame({**private, **others, "who": _persons(random, rows)})))
    return whole, _plan(random, whole, table, method, able, list(private), missing)


def _frame(columns: dict[str, Any]) -> dict[str, Any]:
    import polars as pl

    return {name: pl.Series(name, list(cells)) for name, cells in columns.items()}


def _private(random: Random, rows: int) -> list[Any]:
    values = int(random.integers(2, 6))
    drawn = random.choice(values, rows, p=random.dirichlet(np.ones(values) * random.choice([1.0, 5.0])))
    if random.random() < 0.3:
        return [int(one) * 10 for one in drawn]
    holes = random.random(rows) < random.choice([0.0, 0.1])
    return [None if hole else f"value {one}" for one, hole in zip(drawn, holes, strict=True)]


def _persons(random: Random, rows: int) -> list[str | None]:
    drawn = random.integers(0, max(1, int(rows * random.uniform(0.3, 1.5))), rows)
    holes = random.random(rows) < random.choice([0.0, 0.1])
    return [None if hole else f"person {one}" for one, hole in zip(drawn, holes, strict=True)]


def _plan(
    random: Random, whole: Table, table: Table, method: str, able: Any, private: list[str], missing: float
) -> Plan:
    choices: dict[str, Any] = {
        "loss": str(random.choice(LOSSES if able.losses == () else able.losses)),
        "missing": str(random.choice(MISSING if missing else ["own", "wildcard"], p=None)),
        "seed": int(random.integers(100)),
        "keep_order": bool(random.random() < 0.2),
        "formulas": str(random.choice(["keep", "prefix"], p=[0.8, 0.2])),
        "accept_weaker": able.releases != "classes",
        "suppression": float(random.choice([0.0, 0.0, 0.05, 0.3])),
        "render": _rendering(random, table),
        "weights": {name: float(random.choice([0.0, 0.5, 1.0, 3.0])) for name in table.names if random.random() < 0.3},
    }
    if random.random() < 0.25 and able.releases == "classes":
        choices["person"] = "who"
    if able.refined or random.random() < 0.15:
        choices |= {"refine": True, "steps": 2_500}
    models = _models(random, private, choices, whole)
    k = min(int(random.integers(1, 8)), len(table)) if random.random() < 0.95 else 9
    plan = people.plan_for(table, method, k, models=models, **choices)
    roles = dict.fromkeys(private, ColumnPlan(role=SENSITIVE))
    roles |= {"name": ColumnPlan(role=IDENTIFIER), "note": ColumnPlan(role=INSENSITIVE)}
    if "person" not in choices:
        roles["who"] = ColumnPlan(role=IDENTIFIER)
    return plan.with_columns(roles)


def _rendering(random: Random, table: Table) -> Any:
    """Usually the method's own; else one for all columns or for some."""
    if random.random() < 0.6:
        return None
    ways = ["generalise", *catalog.names("renderings")]
    if random.random() < 0.5:
        return str(random.choice(ways))
    return {name: str(random.choice(ways)) for name in table.names if random.random() < 0.5}


def _models(random: Random, private: list[str], choices: dict[str, Any], whole: Table) -> dict[str, dict[str, Any]]:
    """Up to two models of the catalogue, with parameters that often can hold."""
    names = [name for name in catalog.names("privacy_models") if name != "k_anonymity"]
    chosen = [str(one) for one in random.choice(names, int(random.integers(0, 3)), replace=False)]
    if not private:
        chosen = [name for name in chosen if name in ("k_map", "delta_presence")]
    given: dict[str, Any] = {
        "l_diversity": _l_diversity(random),
        "t_closeness": {"t": round(float(random.uniform(0, 0.6)), 2)},
        "alpha_k": {"alpha": round(float(random.uniform(0.3, 1)), 2)},
        "beta_likeness": {
            "beta": round(float(random.uniform(0, 3)), 2),
            "kind": str(random.choice(["basic", "enhanced"])),
        },
        "delta_disclosure": {"delta": round(float(random.uniform(0, 3)), 2)},
        "k_map": {"k": int(random.integers(1, 6))},
        "delta_presence": {"delta_min": 0.0, "delta_max": round(float(random.uniform(0.3, 1)), 2)},
    }
    if {"k_map", "delta_presence"} & set(chosen):
        choices["population"] = whole.take(np.repeat(np.arange(len(whole)), int(random.integers(1, 4))))
    return {name: given.get(name, {}) for name in chosen}


def _l_diversity(random: Random) -> dict[str, Any]:
    kind = str(random.choice(["distinct", "frequency", "entropy", "recursive"]))
    wanted = int(random.integers(1, 4)) if kind in ("distinct", "recursive") else round(float(random.uniform(1, 3)), 1)
    return {"kind": kind, "l": wanted} | ({"c": round(float(random.uniform(0.5, 4)), 1)} if kind == "recursive" else {})


if __name__ == "__main__":
    sys.exit(main())
