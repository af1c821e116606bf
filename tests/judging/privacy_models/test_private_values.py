# SPDX-License-Identifier: Apache-2.0
"""The models about private values on worked examples, and what they refuse."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal.ground.errors import CannotHoldError, HierarchyError, PlanError
from shoal.ground.requirements import Requirement
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging.checking import check
from shoal.judging.privacy_models import alpha_k, beta_likeness, delta_disclosure, l_diversity, t_closeness
from shoal.judging.privacy_models.t_closeness import distances, ground_of
from shoal.judging.private_values import private_codes
from shoal.judging.tallying import counted
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from shoal.testing.privacy_models import check_privacy_model

#: Seven patients of He et al. (2012), Table 1, in the classes of their Table 2.
CLASSES = [0, 0, 1, 1, 2, 2, 2]
DISEASES = ["Flu", "Bronchitis", "Gastritis", "Pneumonia", "Flu", "Bronchitis", "Gastritis"]
TREE = Hierarchy.from_rows(
    [
        ["Flu", "Respiratory", "*"],
        ["Bronchitis", "Respiratory", "*"],
        ["Pneumonia", "Respiratory", "*"],
        ["Gastritis", "Digestive", "*"],
    ]
)


def table(classes: list[int], **sensitive: Any) -> Table:
    """A released table with one quasi-identifier that tells the class."""
    return Table.of(pl.DataFrame({"age": [f"class {one}" for one in classes], **sensitive}))


def plan_for(*sensitive: str, **others: Any) -> Plan:
    """The roles of such a table."""
    return Plan.of(1, quasi_identifiers=["age"], sensitive=sensitive, **others)


def per_class(classes: list[int], kind: str | None, values: Any, **others: Any) -> list[float]:
    """The distance of each class."""
    released = table(classes, disease=values)
    codes = private_codes(released, "disease")
    ground = ground_of(released, plan_for("disease", **others), "disease", codes, kind)
    return distances(counted(np.array(classes), ground.codes), ground).tolist()


# -- t-closeness -------------------------------------------------------------------------------------------------


def test_seven_patients_by_equal_distance() -> None:
    """Half the sum of differences: 3/7, 4/7, 1/7."""
    assert per_class(CLASSES, "equal", DISEASES) == pytest.approx([0.428571, 0.571429, 0.142857], abs=1e-6)


def test_seven_patients_by_their_tree() -> None:
    """Two diseases of one kind are half as far apart as two of different kinds; the tree is taken unasked."""
    for kind in (None, "hierarchical"):
        found = per_class(CLASSES, kind, DISEASES, hierarchies={"disease": TREE})
        assert found == pytest.approx([0.357143, 0.392857, 0.095238], abs=1e-6)


def test_seven_patients_in_order() -> None:
    """In the order of the leaves of that tree, as the type of the column declares it, unasked."""
    ordered = pl.Series(DISEASES, dtype=pl.Enum(TREE.leaf_labels))
    for kind in (None, "ordered"):
        assert per_class(CLASSES, kind, ordered) == pytest.approx([0.309524, 0.357143, 0.063492], abs=1e-6)


def test_salaries() -> None:
    """The example of Li, Li and Venkatasubramanian: nine salaries, the three lowest, and three spread ones."""
    pay = [3, 4, 5, 6, 8, 11, 7, 9, 10]
    found = per_class([0, 0, 0, 1, 1, 1, 2, 2, 2], None, pay)
    assert found[:2] == pytest.approx([0.375, 0.1666667], abs=1e-6)


def test_numbers_count_by_their_rank() -> None:
    """Neither the gaps between numbers nor the way they are written matters; text of numbers is ordered as numbers."""
    classes = [0, 0, 1, 1]
    far = per_class(classes, "ordered", [1, 2, 3, 1000])
    assert far == per_class(classes, "ordered", [1, 2, 3, 4])
    assert far == per_class(classes, "ordered", ["9", "10", "11", "100"])


def test_missing_stands_last_in_a_row_and_under_the_root_of_a_tree() -> None:
    """Two values and missing: the first is one and two steps away; in a tree, missing is 1 from everything."""
    assert per_class([0, 1, 2], "ordered", [1, 2, None]) == pytest.approx([1 / 2, 1 / 3, 1 / 2])
    found = per_class([0, 1], "hierarchical", ["Flu", None], hierarchies={"disease": TREE})
    assert found == pytest.approx([1 / 2, 1 / 2])
    near = per_class([0, 1], "hierarchical", ["Flu", "Bronchitis"], hierarchies={"disease": TREE})
    assert near == pytest.approx([1 / 4, 1 / 4])


def test_codes_have_the_tree_of_their_prefixes() -> None:
    """J10 and J11 are nearer to each other than to K29."""
    kinds = {"kinds": {"disease": "text-prefix"}}
    codes = ["J10", "J11", "K29", "K29"]
    assert per_class([0, 0, 1, 1], None, codes, **kinds) == pytest.approx([1 / 2, 1 / 2])
    assert per_class([0, 1, 0, 1], None, codes, **kinds) == pytest.approx([1 / 4 * 1 / 3, 1 / 4 * 1 / 3])


def test_a_finding_tells_the_kind_of_each_column() -> None:
    """Several sensitive columns, each by its own distance; the worst decides, without showing a value."""
    released = table(CLASSES, disease=DISEASES, pay=[1, 2, 3, 4, 5, 6, 7])
    plan = plan_for("disease", "pay", hierarchies={"disease": TREE}, models={"t_closeness": {"t": 0.3}})
    found = check(released, plan=plan).findings[1]
    assert found.figures["kind"] == {"disease": "hierarchical", "pay": "ordered"}
    assert found.figures["columns"] == {"disease": 0.392858, "pay": 0.416667}
    assert found.figures["t_found"] == 0.416667
    assert (found.figures["classes_above_t"], found.figures["rows_above_t"]) == (3, 7)
    assert "Flu" not in found.statement
    only = t_closeness.check(released, plan, t_closeness.Parameters(t=0.4, columns=("disease",)))
    assert only.holds is True


@pytest.mark.parametrize(
    ("tree", "error"),
    [(None, PlanError), (Hierarchy.flat(["Flu", "Gastritis"]), HierarchyError)],
    ids=["none", "small"],
)
def test_a_tree_must_be_there_and_cover_the_column(tree: Hierarchy | None, error: type[Exception]) -> None:
    """Asked for hierarchical distances, a column without a tree, or with too small a one, is refused."""
    plan = plan_for("disease", hierarchies={} if tree is None else {"disease": tree})
    claim = t_closeness.Parameters("hierarchical", 0.5)
    for judge in (t_closeness.check, lambda released, plan, given: t_closeness.requirement(given, released, plan)):
        with pytest.raises(error) as raised:
            judge(table(CLASSES, disease=DISEASES), plan, claim)
        assert "Bronchitis" not in str(raised.value)


# -- the others --------------------------------------------------------------------------------------------------


def test_seven_patients_by_alpha() -> None:
    """Half of a class of two; a listed value that a class lacks has no share in it."""
    released, plan = table(CLASSES, disease=DISEASES), plan_for("disease")
    assert alpha_k.check(released, plan, alpha_k.Parameters(0.5)).figures["alpha_found"] == 0.5
    assert alpha_k.check(released, plan, alpha_k.Parameters(0.49)).figures["rows_above_alpha"] == 4
    only = alpha_k.check(released, plan, alpha_k.Parameters(0.49, values=("Pneumonia",)))
    assert (only.holds, only.figures["rows_above_alpha"]) == (False, 2)


def test_seven_patients_by_beta_and_delta() -> None:
    """Pneumonia, one in seven, is one in two of the second class: a gain of 5/2, more than -ln 1/7 = 1.946."""
    released, plan = table(CLASSES, disease=DISEASES), plan_for("disease")
    basic = beta_likeness.check(released, plan, beta_likeness.Parameters("basic", 2.5))
    assert (basic.holds, basic.figures["beta_found"]) == (True, 2.5)
    enhanced = beta_likeness.check(released, plan, beta_likeness.Parameters("enhanced", 2.5))
    assert (enhanced.holds, enhanced.figures["beta_found"]) == (False, None)
    disclosed = delta_disclosure.check(released, plan, delta_disclosure.Parameters(9))
    assert (disclosed.holds, disclosed.figures["delta_found"]) == (False, None)
    assert disclosed.figures["classes_above_delta"] == 3


def test_delta_is_strict() -> None:
    """A value twice as common in a class as in the table has |ln(p / q)| = ln 2, which is not below ln 2."""
    released = table([0, 0, 0, 1, 1, 1], disease=["a", "a", "b", "a", "b", "b"])
    ratio = math.log(3 / 2)
    for delta, holds in ((ratio, False), (ratio + 1e-6, True)):
        parameters = delta_disclosure.Parameters(delta)
        assert delta_disclosure.check(released, plan_for("disease"), parameters).holds is holds
    assert delta_disclosure.check(released, plan_for("disease"), delta_disclosure.Parameters()).figures[
        "delta_found"
    ] == pytest.approx(ratio, abs=1e-6)


def test_counts_keep_only_pairs_that_occur() -> None:
    """A hundred thousand classes with a value each cost no square of them."""
    many = np.arange(100_000)
    found = counted(many, many)
    assert len(found.rows) == 100_000
    assert found.largest(found.shares).tolist() == [1.0] * 100_000


# -- what no release can hold ------------------------------------------------------------------------------------

SECRET = ["secret"] * 31 + [f"other {number}" for number in range(69)]


@pytest.mark.parametrize(
    ("model", "claim", "words"),
    [
        (
            l_diversity,
            {"kind": "frequency", "l": 4},
            ["l = 4 is impossible for column 'disease'", "31 %", "at most 3 ", "3.22"],
        ),
        (l_diversity, {"kind": "frequency", "l": 3.5}, ["l = 3.5 is impossible", "31 %", "at most 3 ", "3.22"]),
        (l_diversity, {"kind": "distinct", "l": 99}, ["70 different values", "at most 70"]),
        (l_diversity, {"kind": "entropy", "l": 60}, ["equally common", "at most 34 "]),
        (l_diversity, {"kind": "recursive", "l": 60, "c": 1.0}, ["31 %", "at most 39 "]),
        (alpha_k, {"alpha": 0.2}, ["alpha = 0.2 is impossible for column 'disease'", "31 %", "at least 0.31"]),
        (alpha_k, {"alpha": 0.2, "values": ("secret",)}, ["listed values fills 31 %", "at least 0.31"]),
    ],
)
def test_what_no_release_can_hold_is_refused_at_once(model: Any, claim: dict[str, Any], words: list[str]) -> None:
    """With the reason, in numbers, and the strongest setting that can hold, which then is not refused."""
    released = table([0] * 100, disease=SECRET)
    with pytest.raises(CannotHoldError) as raised:
        model.requirement(model.Parameters(**claim), released, plan_for("disease"))
    said = str(raised.value)
    assert [word for word in words if word not in said] == []
    assert "secret" not in said
    best = {"alpha": 0.31} if "alpha" in claim else {"l": int(raised.value.allowed.split()[4])}
    assert model.requirement(model.Parameters(**{**claim, **best}), released, plan_for("disease")).rules


@pytest.mark.parametrize(
    ("model", "claim"),
    [
        (t_closeness, {"t": 0.0}),
        (beta_likeness, {"beta": 0.0}),
        (beta_likeness, {"beta": 0.0, "kind": "basic"}),
        (delta_disclosure, {"delta": 0.001}),
    ],
)
def test_the_whole_table_keeps_every_other_model(model: Any, claim: dict[str, Any]) -> None:
    """One class of all rows differs by nothing from all rows, so nothing is refused, and it passes its own rules."""
    released, plan = table([0] * 100, disease=SECRET), plan_for("disease")
    wanted = model.requirement(model.Parameters(**claim), released, plan)
    assert wanted.rules
    assert wanted.size <= 100
    assert model.check(released, plan, model.Parameters(**claim)).holds is True


@pytest.mark.parametrize(
    ("model", "claim"),
    [
        (l_diversity, {"kind": "distinct", "l": 2.5}),
        (l_diversity, {"kind": "recursive", "l": 2.5, "c": 1.0}),
        (l_diversity, {"l": 2, "columns": ("age",)}),
        (t_closeness, {"t": 0.1, "columns": ("diseases",)}),
        (delta_disclosure, {"delta": 0.0}),
    ],
)
def test_claims_that_cannot_be_meant_are_refused(model: Any, claim: dict[str, Any]) -> None:
    """By the judge and before clustering, in five parts."""
    released, plan, given = table(CLASSES, disease=DISEASES), plan_for("disease"), model.Parameters(**claim)
    for judge in (lambda: model.check(released, plan, given), lambda: model.requirement(given, released, plan)):
        with pytest.raises(PlanError) as raised:
            judge()
        assert len(raised.value.parts()) == 5


def test_a_listed_value_that_occurs_nowhere_is_refused_before_clustering() -> None:
    """It may be misspelt; the message counts it and does not repeat it."""
    with pytest.raises(PlanError) as raised:
        alpha_k.requirement(
            alpha_k.Parameters(0.5, values=("Flu", "flu")), table(CLASSES, disease=DISEASES), plan_for("disease")
        )
    assert "2 values, 1 of which" in str(raised.value)


@pytest.mark.parametrize("model", [t_closeness, alpha_k, beta_likeness, delta_disclosure, l_diversity])
def test_nothing_is_asked_without_a_claim(model: Any) -> None:
    """A model that is only to be reported puts no demands on the classes, and nothing can break it."""
    released, plan = table(CLASSES, disease=DISEASES), plan_for("disease")
    assert model.requirement(model.Parameters(), released, plan) == Requirement()
    assert model.check(released, plan, model.Parameters()).holds is None


@pytest.mark.parametrize(
    ("model", "claim"),
    [
        ("t_closeness", {"t": 0.4}),
        ("t_closeness", {"t": 0.4, "kind": "equal"}),
        ("alpha_k", {"alpha": 0.5}),
        ("alpha_k", {"alpha": 0.5, "values": ["flu"]}),
        ("beta_likeness", {"beta": 1}),
        ("beta_likeness", {"beta": 1, "kind": "basic"}),
        ("delta_disclosure", {"delta": 1}),
        ("l_diversity", {"kind": "entropy", "l": 1.5}),
    ],
)
def test_the_exam_holds_with_a_claim(model: str, claim: dict[str, Any]) -> None:
    """All promises of models hold with claims, too."""
    check_privacy_model(model, **claim)
