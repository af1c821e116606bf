# SPDX-License-Identifier: Apache-2.0
"""Methods without chance, or with the draws given, make the classes of the papers' own pseudo-code.

The other side is written from the papers, in exact fractions, and imports nothing of shoal.
"""

from __future__ import annotations

from random import Random

import pytest

from tests.counts import repeats
from tests.engine.papers.tables import Case, case
from tests.reference.papers import bharath, byun, domingo_torra, lin_wei, wang_he_zhu
from tests.reference.papers.records import how_many, labels


def draws(given: Case, seed: int) -> tuple[int, list[int]]:
    """Number of records, and all of them in a random order."""
    n = how_many(given.records)
    return n, Random(seed).sample(range(n), n)


@pytest.mark.parametrize("seed", repeats(13, 150))
def test_k_member_is_byuns(seed: int) -> None:
    """Greedy k-member clustering, with the first record given."""
    given = case(seed)
    n, order = draws(given, seed)
    assert given.labels("k_member", start=order[0]) == labels(byun.k_member(given.records, given.k, order[0]), n)


@pytest.mark.parametrize("seed", repeats(13, 150))
def test_k_members_is_wang_liu_and_gaos(seed: int) -> None:
    """Table III, with the records it draws given."""
    given = case(1_000 + seed)
    n, order = draws(given, seed)
    expected = labels(byun.k_members(given.records, given.k, order, order), n)
    assert given.labels("k_members", order=order) == expected


@pytest.mark.parametrize("rebalance", ["net", "arrival"])
@pytest.mark.parametrize("seed", repeats(10, 120))
def test_systematic_is_as_told_by_bharath(seed: int, rebalance: str) -> None:
    """Steps 3 to 12, the records that begin classes given."""
    given = case(2_000 + seed)
    n, random = how_many(given.records), Random(seed)
    offsets = [random.randrange(given.k) for _ in range(n // given.k)]
    expected = labels(bharath.systematic(given.records, given.k, offsets, rebalance), n)
    assert given.labels("systematic", offsets=offsets, rebalance=rebalance) == expected


@pytest.mark.parametrize("seed", repeats(13, 150))
def test_one_pass_k_means_is_lin_and_weis(seed: int) -> None:
    """Both stages, with the first records given, and the records that are given away placed in row order."""
    given = case(3_000 + seed)
    n, order = draws(given, seed)
    seeds = order[: n // given.k]
    expected = labels(lin_wei.one_pass_k_means(given.records, given.k, seeds), n)
    assert given.labels("one_pass_k_means", init=seeds, order="row") == expected


@pytest.mark.parametrize("seed", repeats(13, 150))
def test_mdav_generic_is_domingo_ferrer_and_torras(seed: int) -> None:
    """Algorithm 5.1, numbers in standard deviations, names equal or not."""
    given = case(4_000 + seed)
    expected = labels(domingo_torra.mdav_generic(given.records, given.k), how_many(given.records))
    assert given.labels("mdav_generic") == expected


@pytest.mark.parametrize("seed", repeats(13, 150))
def test_kacpc_is_wang_he_and_zhus(seed: int) -> None:
    """Algorithm 1 with the distances of equations 3 to 6."""
    given = case(5_000 + seed)
    expected = labels(wang_he_zhu.kacpc(given.records, given.k), how_many(given.records))
    assert given.labels("kacpc") == expected


@pytest.mark.parametrize("rebalance", ["net", "arrival"])
@pytest.mark.parametrize("seed", repeats(5, 80))
def test_equal_combination_is_bharaths(seed: int, rebalance: str) -> None:
    """Every quasi-identifier by itself, the records that begin classes given for each block."""
    given = case(7_000 + seed)
    n, random = how_many(given.records), Random(seed)
    offsets = [random.randrange(given.k) for _ in range(n // given.k)]
    expected = bharath.equal_combination(given.records, given.k, [offsets] * len(given.records), rebalance)
    found = given.found("equal_combination", offsets=offsets, rebalance=rebalance)
    assert [part.labels.tolist() for part in found.partitions] == [labels(one, n) for one in expected]
