# SPDX-License-Identifier: Apache-2.0
"""l-diversity, judged on the released table, and asked of the classes beforehand."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.ground.errors import CannotHoldError, PlanError
from shoal.ground.requirements import Requirement
from shoal.judging.privacy_models.l_diversity import KINDS, Parameters, check, levels, requirement
from shoal.judging.tallying import counted
from shoal.judging.verdicts import Finding
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from shoal.testing.privacy_models import check_privacy_model

#: Seven patients of He et al. (2012), Table 1, in the classes of their Table 2.
CLASSES = np.array([0, 0, 1, 1, 2, 2, 2])
DISEASES = ["Flu", "Bronchitis", "Gastritis", "Pneumonia", "Flu", "Bronchitis", "Gastritis"]


def table(classes: Any, **sensitive: list[str | None]) -> Table:
    """A released table with one quasi-identifier that tells the class."""
    return Table.of(pl.DataFrame({"age": [f"class {one}" for one in classes], **sensitive}))


def plan_for(*sensitive: str) -> Plan:
    """The roles of such a table."""
    return Plan.of(1, quasi_identifiers=["age"], sensitive=sensitive)


def found(classes: Any, given: Parameters, **sensitive: list[str | None]) -> Finding:
    """The finding on such a table."""
    return check(table(classes, **sensitive), plan_for(*sensitive), given)


def by_definition(values: list[Any], given: Parameters) -> float:
    """The l of one class, straight from the definition."""
    counts = sorted(Counter(values).values(), reverse=True)
    if given.kind == "distinct":
        return len(counts)
    if given.kind == "frequency":
        return len(values) / counts[0]
    if given.kind == "entropy":
        return math.exp(-sum(one / len(values) * math.log(one / len(values)) for one in counts))
    assert given.c is not None
    passed = [rank for rank in range(1, len(counts) + 1) if counts[0] < given.c * sum(counts[rank - 1 :])]
    return max(passed, default=0)


@pytest.mark.parametrize("kind", ["distinct", "frequency", "entropy"])
def test_seven_patients(kind: str) -> None:
    """The classes of He et al. have 2, 2 and 3 equally common diseases: that is their l by each of these kinds."""
    codes = np.unique(DISEASES, return_inverse=True)[1]
    assert levels(counted(CLASSES, codes), Parameters(kind)).tolist() == pytest.approx([2, 2, 3])
    assert found(CLASSES, Parameters(kind, 2), disease=DISEASES).holds is True
    broken = found(CLASSES, Parameters(kind, 3), disease=DISEASES)
    assert broken.holds is False
    assert (broken.figures["classes_below_l"], broken.figures["rows_below_l"]) == (2, 4)


@given(
    rows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), min_size=1, max_size=40),
    kind=st.sampled_from(KINDS),
    c=st.sampled_from([0.1, 0.5, 1.0, 2.0, 3.0]),
)
@settings(deadline=None)
def test_levels_follow_the_definitions(rows: list[tuple[int, int]], kind: str, c: float) -> None:
    """Counted all at once, every class gets the l that its own values give."""
    owners = np.unique([owner for owner, _ in rows], return_inverse=True)[1]
    codes = np.array([value for _, value in rows])
    claim = Parameters(kind, c=c if kind == "recursive" else None)
    expected = [by_definition(codes[owners == owner].tolist(), claim) for owner in range(owners.max() + 1)]
    assert levels(counted(owners, codes), claim).tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("counts", "c", "most"),
    [([3, 2, 1], 2.0, 2), ([3, 2, 1], 4.0, 3), ([3, 3], 1.0, 1), ([2, 1], 0.5, 0), ([30, 300], 0.1, 0)],
)
def test_recursive_is_strict(counts: list[int], c: float, most: int) -> None:
    """r1 < c (r_l + ... + r_m): equality does not pass, not even where rounding would let it (0.1 times 300 is 30)."""
    codes = np.repeat(np.arange(len(counts)), counts)
    assert levels(counted(np.zeros(len(codes), dtype=np.int64), codes), Parameters("recursive", c=c)).tolist() == [most]


def test_exact_shares_hold() -> None:
    """A value with exactly 1/l of the rows is common enough, for every l up to 60."""
    for wanted in range(1, 61):
        values = [str(number % wanted) for number in range(3 * wanted)]
        for kind in ("frequency", "entropy"):
            assert found([0] * len(values), Parameters(kind, wanted), disease=values).holds is True


def test_missing_private_values_count_as_a_value() -> None:
    """Two rows of which one does not tell its disease show two values; two that both do not show one."""
    assert found([0, 0], Parameters("distinct", 2), disease=["flu", None]).holds is True
    assert found([0, 0], Parameters("distinct", 2), disease=[None, None]).holds is False


def test_every_sensitive_column_counts() -> None:
    """The table is as diverse as its worst column, and the figures tell each."""
    one = found([0, 0, 0], Parameters("distinct", 2), disease=["a", "b", "c"], salary=["1", "1", "1"])
    assert one.holds is False
    assert one.figures["columns"] == {"disease": 3, "salary": 1}
    assert one.figures["l_found"] == 1


def test_without_a_claim_it_tells_what_holds() -> None:
    """No l, no verdict, only figures."""
    one = found(CLASSES, Parameters("frequency"), disease=DISEASES)
    assert one.holds is None
    assert one.figures["l_found"] == 2


def test_no_rows_disclose_nothing() -> None:
    """An empty table holds."""
    assert found([], Parameters("entropy", 5), disease=pl.Series([], dtype=pl.String)).holds is True


# -- what is asked of the classes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "kind", "limit"),
    [
        (Parameters("distinct", 3), "distinct", 3),
        (Parameters("frequency", 3), "share", 1 / 3),
        (Parameters("entropy", 3), "entropy", 3),
        (Parameters("recursive", 3, 2.0), "recursive", 2.0),
    ],
)
def test_the_requirement_is_the_model_in_numbers(claim: Parameters, kind: str, limit: float) -> None:
    """One rule per sensitive column, and no class of fewer than l records."""
    columns = {"disease": DISEASES, "salary": [None, *"123412"]}
    wanted = requirement(claim, table(CLASSES, **columns), plan_for("disease", "salary"))
    assert wanted.size == 3
    assert [(rule.kind, rule.limit) for rule in wanted.rules] == [(kind, limit)] * 2
    assert [len(set(rule.codes.tolist())) for rule in wanted.rules] == [4, 5]


def test_nothing_is_asked_without_a_claim() -> None:
    """A model that is only to be reported puts no demands on the classes."""
    assert requirement(Parameters(), table(CLASSES, disease=DISEASES), plan_for("disease")) == Requirement()


@pytest.mark.parametrize(
    ("claim", "most"),
    [
        (Parameters("distinct", 4), "at most 3"),
        (Parameters("frequency", 2), "at most 1"),
        (Parameters("entropy", 3), "at most 2"),
        (Parameters("recursive", 3, 2.0), "at most 2"),
        (Parameters("recursive", 1, 0.5), "no l at all"),
    ],
)
def test_what_no_release_can_hold_is_refused_at_once(claim: Parameters, most: str) -> None:
    """If all rows together are not diverse enough, the error tells the largest l, without showing a value."""
    values = ["secret", "secret", "secret", "other", "third"]
    with pytest.raises(CannotHoldError) as raised:
        requirement(claim, table([0] * 5, disease=values), plan_for("disease"))
    assert len(raised.value.parts()) == 5
    assert most in raised.value.allowed
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("claim", "sensitive"),
    [
        (Parameters("distinct", 2), ()),
        (Parameters("recursive", 2), ("disease",)),
        (Parameters("entropy", 2, 1.0), ("disease",)),
    ],
)
def test_claims_that_cannot_be_meant_are_refused(claim: Parameters, sensitive: tuple[str, ...]) -> None:
    """No sensitive column, recursive without its factor, another kind with it: an error of the plan in five parts."""
    for judge in (check, lambda released, plan, given: requirement(given, released, plan)):
        with pytest.raises(PlanError) as raised:
            judge(table(CLASSES, disease=DISEASES), plan_for(*sensitive), claim)
        assert len(raised.value.parts()) == 5


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "distinct", "l": 2},
        {"kind": "frequency", "l": 2},
        {"kind": "entropy", "l": 2},
        {"kind": "recursive", "l": 2, "c": 3.0},
    ],
)
def test_the_exam_holds_with_a_claim(claim: dict[str, Any]) -> None:
    """All promises of models hold with claims of every kind, too."""
    check_privacy_model("l_diversity", **claim)
