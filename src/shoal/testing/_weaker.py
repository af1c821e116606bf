# SPDX-License-Identifier: Apache-2.0
"""What the exam asks of methods that publish sub-tables or boxes instead of classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.algorithms._protocol import Boxes, Capabilities, Partition, Subtables
from shoal.encoding.encoded import Encoded
from shoal.metrics._protocol import EVERY_RELEASE
from shoal.plan import Plan
from shoal.releases.release import Release

Ints = NDArray[np.int64]
RESULTS = {"classes": Partition, "subtables": Subtables, "boxes": Boxes}


def check_kind(name: str, able: Capabilities) -> None:
    """What a method releases is one of the known kinds."""
    assert able.releases in EVERY_RELEASE, f"{name}: releases must be one of {', '.join(EVERY_RELEASE)}"


def flat(name: str, able: Capabilities, found: Any, encoded: Encoded, k: int) -> Ints:
    """The result in one array, checked to be whole; equal results give equal arrays."""
    kind = RESULTS[able.releases]
    assert isinstance(found, kind), f"{name}: cluster must return {kind.__name__}"
    if isinstance(found, Boxes):
        return _rings(name, found, len(encoded), k)
    assert isinstance(found, Subtables)
    return _subtables(name, able, found, encoded, k)


def _subtables(name: str, able: Capabilities, found: Subtables, encoded: Encoded, k: int) -> Ints:
    named = sorted(place for group in found.groups for place in group)
    whole = named == list(range(len(encoded.columns))) and len(found.groups) == len(found.partitions)
    assert whole, f"{name}: every attribute must stand in exactly one sub-table"
    for one in found.partitions:
        labels = one.labels
        fits = labels.shape == (len(encoded),) and labels.dtype == np.int64 and labels.min() >= 0
        assert fits, f"{name}: every record must be in exactly one class of each sub-table"
        assert one.sizes.min() >= k, f"{name}: a class of {one.sizes.min()} records in a sub-table where k = {k}"
        bounded = able.class_sizes == "k.." or one.sizes.max() <= 2 * k - 1 or len(encoded) < 2 * k
        assert bounded, f"{name}: a class of {one.sizes.max()} records, declared are k..2k-1 with k = {k}"
        tidy = np.array_equal(Partition.of(labels).labels, labels)
        assert tidy, f"{name}: classes must be numbered by smallest member, see Partition.of"
    return np.concatenate([one.labels for one in found.partitions])


def _rings(name: str, found: Boxes, n: int, k: int) -> Ints:
    assert found.size >= k, f"{name}: boxes of {found.size} records where k = {k}"
    whole = np.array_equal(np.sort(found.order), np.arange(n)) and found.starts[0] == 0 and found.starts[-1] == n
    assert whole, f"{name}: every record must be in exactly one ring ({n} records)"
    shortest = int(np.diff(found.starts).min())
    assert shortest >= found.size, f"{name}: a ring of {shortest} records, too short for boxes of {found.size}"
    return np.concatenate([found.order, found.starts])


def check_words(name: str, release: Release, plan: Plan) -> None:
    """Nothing about such a release is called plain k, and what it keeps instead is told everywhere."""
    models = {one.model for one in release.verdict.findings}
    assert "k_anonymity" not in models, f"{name}: the verdict must not speak of k-anonymity"
    told = {"k_per_subtable", "k_joint"} if release.subtables else {"boxes", "lenders"}
    assert told <= models, f"{name}: the verdict must have {' and '.join(sorted(told))}"
    assert f"k = {plan.k}" not in repr(release), f"{name}: the release must not be called k = {plan.k}"
    assert f"{name} does not publish" in release.report(), f"{name}: the report must say what is not promised"
    undefined = {one.metric for one in release.measurements if np.isnan(one.value)}
    assert {"discernibility", "average_class_size"} <= undefined, f"{name}: metrics of classes must be undefined"
