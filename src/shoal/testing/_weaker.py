# SPDX-License-Identifier: Apache-2.0
"""What the exam asks of the results of methods, be they classes, sub-tables or boxes."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.methods import RESULTS, Boxes, Capabilities, Partition
from shoal.ground.arrays import Ints
from shoal.plan.plan import Plan
from shoal.releases.release import Release


def flat(name: str, able: Capabilities, found: Any, encoded: Encoded, k: int, *, bounded: bool = True) -> Ints:
    """The result in one array, checked to be whole; equal results give equal arrays."""
    kind: Any = RESULTS[able.releases]
    assert isinstance(found, kind), f"{name}: cluster must return a {kind.__name__}"
    fault = found.fault(encoded, able, k)
    assert not fault, f"{name}: {fault}"
    if isinstance(found, Boxes):
        return np.concatenate([found.order, found.starts])
    partitions = (found,) if isinstance(found, Partition) else found.partitions
    for part in partitions:
        fits = not bounded or able.class_sizes == "k.." or part.sizes.max() <= 2 * k - 1 or len(encoded) < 2 * k
        assert fits, f"{name}: a class of {part.sizes.max()} records, declared are k..2k-1 with k = {k}"
        tidy = np.array_equal(Partition.of(part.labels).labels, part.labels)
        assert tidy, f"{name}: classes must be numbered by smallest member, see Partition.of"
    return np.concatenate([part.labels for part in partitions])


def check_words(name: str, release: Release, plan: Plan) -> None:
    """Nothing about such a release is called plain k, and what it keeps instead is told everywhere."""
    models, told = {finding.model for finding in release.verdict.findings}, set(release.kind.findings)
    assert "k_anonymity" not in models, f"{name}: the verdict must not speak of k-anonymity"
    assert told <= models, f"{name}: the verdict must have {' and '.join(sorted(told))}"
    assert f"k = {plan.k}" not in repr(release), f"{name}: the release must not be called k = {plan.k}"
    assert f"{name} does not publish" in release.report(), f"{name}: the report must say what is not promised"
    undefined = {measured.metric for measured in release.measurements if np.isnan(measured.value)}
    assert {"discernibility", "average_class_size"} <= undefined, f"{name}: metrics of classes must be undefined"
