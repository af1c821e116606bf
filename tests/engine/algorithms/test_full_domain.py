# SPDX-License-Identifier: Apache-2.0
"""full_domain finds the best table with one level per column, datafly walks as published, and both publish levels."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import shoal
from shoal.engine.algorithms import _domains, datafly, full_domain
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.methods import Partition
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.studies.samples.patients import synthetic_patients
from tests.counts import repeats
from tests.reference import full_domain as twin
from tests.strategies import random_encoded, thinned


def case(seed: int) -> tuple[Encoded, int, int]:
    """A small table, a k, and how many records may be left out."""
    random = np.random.default_rng(seed)
    n = int(random.integers(8, 40))
    encoded = random_encoded(random, n, columns=int(random.integers(1, 4)))
    encoded = thinned(random, encoded) if random.random() < 0.4 else encoded
    return encoded, int(random.integers(1, 5)), int(random.choice([0, 0, 1, n // 10, n // 3]))


def made(method: object, encoded: Encoded, k: int, spare: int) -> Partition:
    """What a method makes of it."""
    given = Requirement(k, spare=spare), method.Parameters(), np.random.default_rng(0), Progress()
    return method.cluster(encoded, *given)


@pytest.mark.parametrize("seed", repeats(20, 200))
def test_full_domain_is_the_best_of_all_tables(seed: int) -> None:
    """No combination of levels loses less, counted one by one; the classes are those of its levels."""
    encoded, k, spare = case(70_000 + seed)
    found = made(full_domain, encoded, k, spare)
    lattice = twin.Lattice(encoded, k)
    same = [node for node in lattice.nodes() if twin.labels(encoded, k, node) == found.labels.tolist()]
    assert any(lattice.loss(node) == twin.best_loss(encoded, k, spare) for node in same)
    assert np.count_nonzero(found.labels < 0) <= spare


@pytest.mark.parametrize("seed", repeats(20, 200))
def test_datafly_walks_as_published(seed: int) -> None:
    """The column with the most values goes up, until few enough records are too few."""
    encoded, k, spare = case(71_000 + seed)
    node = twin.datafly(encoded, k, spare)
    assert made(datafly, encoded, k, spare).labels.tolist() == twin.labels(encoded, k, node)


@pytest.mark.parametrize("seed", repeats(5, 60))
def test_beyond_the_lattice_levels_are_made_finer_one_by_one(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are too many combinations the table holds all the same, and no finer column would lose less."""
    encoded, k, spare = case(72_000 + seed)
    monkeypatch.setattr(full_domain, "MOST_NODES", 0)
    found = made(full_domain, encoded, k, spare)
    assert np.count_nonzero(found.labels < 0) <= spare
    domains = _domains.Domains(encoded, Requirement(k))
    node = full_domain._descended(domains, spare, Progress())
    assert domains.left_out(node) <= spare
    assert all(domains.loss(one, spare) >= domains.loss(node, spare) for one in _domains.finer(node))


def test_few_combinations_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of some ten thousand combinations at most three in a hundred."""
    random = np.random.default_rng(5)
    columns = random_encoded(random, 400, columns=1).columns
    numbers = [_domains.EncodedColumn(f"n{place}", random.integers(0, 90, 400).astype(float)) for place in range(4)]
    counted = []
    count = _domains.Domains._groups
    monkeypatch.setattr(_domains.Domains, "_groups", lambda self, node: (counted.append(node), count(self, node))[1])
    encoded = Encoded((*numbers, *columns))
    nodes = np.prod([level + 1 for level in _domains.Domains(encoded, Requirement(5)).top])
    made(full_domain, encoded, 5, 20)
    assert nodes > 10_000
    assert 0 < len(counted) < 0.03 * nodes


@pytest.mark.parametrize("method", ["full_domain", "datafly"])
def test_every_column_has_one_coding(method: str) -> None:
    """What a column publishes does not overlap, codes begin alike, and rows are left out no more than allowed."""
    people = synthetic_patients(600, seed=3).select("age", "sex", "postcode", "diagnosis")
    release = shoal.anonymize(
        people,
        k=5,
        quasi_identifiers=["age", "sex", "postcode"],
        sensitive=["diagnosis"],
        kinds={"postcode": "text-prefix"},
        method=method,
        suppression=0.05,
    )
    assert release.verdict.holds
    assert len(release.table) >= 570
    ages = [label.strip("[]").split(", ") for label in release.table["age"].unique()]
    ends = sorted((int(one[0]), int(one[-1])) for one in ages)
    assert all(one[1] < other[0] for one, other in itertools.pairwise(ends))
    assert len({label.count("*") for label in release.table["postcode"].unique()}) == 1


def ncp_of(release: shoal.Release) -> float:
    """Loss per cell that the judge reads off the labels."""
    return next(one for one in release.measurements if one.metric == "ncp").figures["per_cell"]


def test_the_certificate_is_about_all_groupings() -> None:
    """That all classes show one level is the method's choice: what it costs stands in the gap."""
    people = synthetic_patients(400, seed=3).select("age", "sex")
    gap = {}
    for method in ("full_domain", "k_members"):
        release = shoal.anonymize(people, k=5, quasi_identifiers=["age", "sex"], method=method)
        assert release.certificate is not None
        assert release.certificate.loss == pytest.approx(ncp_of(release))
        assert "levels" not in release.certificate.sentence()
        gap[method] = release.certificate.gap
    assert gap["full_domain"] > gap["k_members"]


def test_models_choose_other_levels() -> None:
    """A private value that would be told makes the levels coarser; they are not joined afterwards."""
    people = synthetic_patients(500, seed=3).select("age", "sex", "diagnosis")
    asked = {"quasi_identifiers": ["age", "sex"], "sensitive": ["diagnosis"], "method": "full_domain", "k": 3}
    plain, diverse = (shoal.anonymize(people, **asked, models=models) for models in ({}, {"l_diversity": {"l": 8}}))
    wide = shoal.anonymize(people, **asked | {"k": 30})
    assert ncp_of(plain) < ncp_of(diverse) <= ncp_of(wide)
    assert diverse.verdict.holds


def test_columns_that_weigh_nothing_stay_fine() -> None:
    """All tables are equally good then, and the finest that holds is taken."""
    people = synthetic_patients(300, seed=3).select("age")
    asked = {"k": 5, "quasi_identifiers": ["age"], "method": "full_domain", "weights": {"age": 0}}
    assert shoal.anonymize(people, **asked).table["age"].n_unique() > 3
