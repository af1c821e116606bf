# SPDX-License-Identifier: Apache-2.0
"""Every method makes the same classes compiled and as plain Python: no integer overflows unseen, no type decides."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded
from shoal.ground import catalog
from shoal.testing import _people as people
from shoal.testing import _weaker as weaker
from shoal.testing._candidate import Candidate
from tests.counts import count

K = 4
WAYS: list[dict[str, Any]] = [
    {"scale": "none"},
    {"scale": "range"},
    {"link": "single"},
    {"link": "complete", "scale": "none"},
    {"rebalance": "arrival"},
    {"partition": "dp"},
    {"order": "idistance"},
    {"mode": "relaxed", "cuts": "taxonomy"},
    {"names": "taxonomy", "seeds": "far"},
]
"""Settings that lead through other kernels, for the methods that have them."""


def settings(candidate: Candidate) -> Iterator[dict[str, Any]]:
    """The defaults, and the other ways that the method has."""
    yield {}
    declared = {one.name: one.metadata.get("choices") for one in fields(candidate.method.Parameters)}
    for way in WAYS:
        if all(value in (declared.get(name) or ()) for name, value in way.items()):
            yield way


def tables(names: list[str], rows: int) -> Iterator[Encoded]:
    """Incomes, dates and large weights as they are, with many duplicates; and without units, with missing cells."""
    columns = ["wage", "day", *names]
    repeated = people.people(rows, columns, 1).take(np.arange(rows) * 2 // 3)
    weights = {name: (1e6, 1e-3, 1.0)[place % 3] for place, name in enumerate(columns)}
    plan = people.plan_for(repeated, "k_member", K, weights=weights)
    yield encode(repeated, complete(plan, repeated))
    holed = people.people(rows, columns, 2, missing=0.1)
    yield encode(holed, complete(people.plan_for(holed, "k_member", K), holed)).unitless


def classes_of_all_methods(rows: int) -> dict[str, str]:
    """A fingerprint of what each method makes of each table with each setting."""
    found = {}
    for name in catalog.names("algorithms"):
        candidate = Candidate(name, catalog.load("algorithms", name))
        for number, encoded in enumerate(tables([one for one in candidate.columns if one != "day"], rows)):
            for given in settings(candidate):
                made = candidate.made(encoded, K, **given)
                labels = weaker.flat(name, candidate.able, made, encoded, K)
                found[f"{name} {given} {number}"] = hashlib.sha256(labels.tobytes()).hexdigest()
    return found


def test_compiled_and_plain_code_agree_on_whole_methods() -> None:
    """Incomes, dates, weights of a million beside a thousandth, duplicates, missing cells: the same classes."""
    rows = count(32, 120)
    code = f"import json; from {__name__} import classes_of_all_methods as a; print(json.dumps(a({rows})))"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False, timeout=900,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    plain, compiled = json.loads(done.stdout), classes_of_all_methods(rows)
    assert len(compiled) > 2 * len(catalog.names("algorithms"))
    assert [one for one in compiled if plain[one] != compiled[one]] == []
