# SPDX-License-Identifier: Apache-2.0
"""Anonymizer: the same release as ``anonymize``, new rows only where the published labels are true of them."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import shoal
from shoal.ground.errors import CannotHoldError, InputError
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.tables.frames import take_in
from tests.counts import count

ROWS = [["a", "ab", "*"], ["b", "ab", "*"], ["c", "cd", "*"], ["d", "cd", "*"]]
TREE = Hierarchy.from_rows(ROWS)


def people(rows: int, seed: int, missing: float = 0.0) -> pl.DataFrame:
    """Numbers, dates, sizes, names with a tree and a private column."""
    random = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": random.integers(20, 60, rows),
            "day": pl.Series(random.integers(0, 300, rows).astype(np.int32)).cast(pl.Date),
            "size": pl.Series(random.choice(["S", "M", "L"], rows), dtype=pl.Enum(["S", "M", "L"])),
            "town": random.choice(list("abcd"), rows),
            "disease": random.choice(["flu", "cold", "gout"], rows),
        }
    )
    holes = random.random((rows, 4)) < missing
    return frame.with_columns(
        pl.when(pl.Series(holes[:, place])).then(None).otherwise(pl.col(name)).alias(name)
        for place, name in enumerate(frame.columns[:4])
    )


def anonymizer(**changed: Any) -> shoal.Anonymizer:
    """One for the people above."""
    given_ones = {"k": 4, "method": "mondrian", "sensitive": ("disease",), "hierarchies": {"town": ROWS}}
    return shoal.Anonymizer(**{**given_ones, **changed})


# -- fitting -------------------------------------------------------------------------------------------------


def test_fit_transform_is_anonymize_in_order() -> None:
    """The estimator publishes what ``anonymize`` does; rows stay in their order."""
    frame = people(60, 0)
    found = anonymizer()
    shown = found.fit_transform(frame)
    release = shoal.anonymize(
        frame, k=4, method="mondrian", quasi_identifiers=["age", "day", "size", "town"], sensitive=["disease"],
        hierarchies={"town": ROWS}, keep_order=True,
    )  # fmt: skip
    assert shown.equals(release.table)
    assert found.labels_.tolist() == release.classes.tolist()
    assert found.release_.verdict.holds
    assert np.bincount(found.labels_).min() >= 4


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "duckdb"])
def test_frames_of_every_kind(kind: str) -> None:
    """The kind of the frame comes back from both, with a pandas index of row numbers kept."""
    frame = people(40, 1).with_columns(pl.col("size").cast(pl.String))
    held: Any = {
        "pandas": lambda: frame.to_pandas().set_axis(range(100, 140)),
        "polars": lambda: frame,
        "arrow": frame.to_arrow,
        "duckdb": lambda: duckdb.connect().from_arrow(frame.to_arrow()),
    }[kind]()
    found = anonymizer(render="mean")
    first, again = found.fit_transform(held), found.transform(held)
    assert type(first) is type(again) is type(held)
    assert take_in(first).table.frame.equals(take_in(again).table.frame)
    if kind == "pandas":
        assert first.index.tolist() == again.index.tolist() == list(range(100, 140))


@pytest.mark.parametrize("index", [["Ann", "Bob"] * 10, pd.RangeIndex(20, name="patient")], ids=["text", "named"])
def test_an_index_that_may_name_people_is_refused(index: Any) -> None:
    """It would stay in the result; the refusal says how to drop it and shows none of it."""
    frame = pd.DataFrame({"age": range(20)}, index=index)
    with pytest.raises(InputError, match="reset_index") as caught:
        shoal.Anonymizer(k=5).fit(frame)
    assert len(caught.value.parts()) == 5
    assert "Ann" not in str(caught.value)


def test_identifiers_go_and_bounds_come() -> None:
    """The names that come out are those of the published columns."""
    frame = people(40, 2).with_columns(name=pl.Series([f"person {row}" for row in range(40)]))
    found = anonymizer(identifiers=["name"], render={"age": "bounds"}).fit(frame)
    names = ["age_min", "age_max", "day", "size", "town", "disease"]
    assert found.get_feature_names_out().tolist() == names == found.transform(frame[:3]).columns


def test_arrays_of_text() -> None:
    """An array of objects gives one of objects; None and NaN are missing."""
    array = np.array([[1, "x", None], [2, "x", 3.5], [8, "y", 4.5], [9, "y", float("nan")]], dtype=object)
    shown = shoal.Anonymizer(k=2).fit_transform(array)
    assert shown.dtype == object
    assert shown[:, 0].tolist() == [1.5, 1.5, 8.5, 8.5]
    assert shown[:, 1].tolist() == ["x", "x", "y", "y"]


def test_in_a_pipeline_and_a_search() -> None:
    """It can be cloned, searched over, pickled, and stand before a classifier."""
    random = np.random.default_rng(0)
    numbers = random.normal(size=(120, 3))
    target = numbers[:, 0] > 0
    steps = make_pipeline(shoal.Anonymizer(method="mdav"), LogisticRegression())
    search = GridSearchCV(steps, {"anonymizer__k": np.array([3, 6])}, cv=3).fit(numbers, target)
    assert search.best_score_ > 0.6
    fitted = search.best_estimator_[0]
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.transform(numbers), fitted.transform(numbers))
    assert clone(fitted).get_params() == fitted.get_params()
    assert "Anonymizer" in fitted._repr_html_()


# -- new rows ------------------------------------------------------------------------------------------------


def truthful(shown: dict[str, Any], own: dict[str, Any], missing: str) -> bool:
    """Whether a published row is true of a record, read by this test's own rules."""
    sizes = ["S", "M", "L"]
    for name in ("age", "day", "size", "town"):
        label, value = shown[name], own[name]
        if label == "*" or (missing == "wildcard" and (label is None or value is None)):
            continue
        if label is None or value is None:
            if label is not value:
                return False
        elif name == "town":
            if not any(row[0] == value and label in row for row in ROWS):
                return False
        elif name == "size":
            low, _, high = label.strip("[]").partition(", ")
            if not sizes.index(low) <= sizes.index(value) <= sizes.index(high or low):
                return False
        else:
            ((low, high, _, _),) = shoal.intervals([label]).rows()
            if not low <= value <= high:
                return False
    return True


@settings(max_examples=count(5, 25))
@given(st.integers(0, 10_000), st.sampled_from(["own", "wildcard"]), st.sampled_from([0.0, 0.2]))
def test_new_rows_join_classes_whose_labels_are_true_of_them(seed: int, missing: str, share: float) -> None:
    """Each new row shows what some class publishes, it is true, and a row is refused only if nothing would be."""
    frame, new = people(40, seed, share), people(6, seed + 1, share)
    found = anonymizer(missing=missing).fit(frame)
    names = ["age", "day", "size", "town"]
    shown_by = found.release_.released.frame.select(names).with_columns(label=found.labels_)
    classes = shown_by.group_by("label", maintain_order=True).agg(pl.all().drop_nulls().first())
    published = classes.select(names).to_dicts()  # of a class that matches anything in gaps, what it shows elsewhere
    for row in new.iter_slices(1):
        fitting = [one for one in published if truthful(one, row.to_dicts()[0], missing)]
        if not fitting:
            with pytest.raises(CannotHoldError, match=r"1 others \(of 1 rows\)"):
                found.transform(row)
            continue
        shown = found.transform(row)
        assert shown["disease"].equals(row["disease"])
        assert truthful(shown.to_dicts()[0], row.to_dicts()[0], missing)
        if missing == "own":
            assert shown.select(names).to_dicts()[0] in published


@settings(max_examples=count(5, 25))
@given(st.integers(0, 10_000))
def test_centres_are_those_of_the_class_that_costs_least(seed: int) -> None:
    """By brute force: the class whose ranges would have to grow least."""
    random = np.random.default_rng(seed)
    numbers, new = random.random((40, 2)), random.random((5, 2)) * 1.4 - 0.2
    found = shoal.Anonymizer(k=5, method="mdav").fit(numbers)
    shown = found.transform(new)
    span = np.ptp(numbers, axis=0)
    for row, centre in zip(new, shown):
        rises = []
        for label in range(found.labels_.max() + 1):
            members = numbers[found.labels_ == label]
            before = np.ptp(members, axis=0) / span
            after = np.minimum(np.ptp(np.vstack([members, row]), axis=0) / span, 1)
            rises.append((round(float((after - before).sum()), 9), round(float(before.sum()), 9), members.mean(axis=0)))
        best = min(rises, key=lambda one: one[:2])
        assert centre == pytest.approx(best[2])


def test_rows_of_the_fitted_table_go_to_their_own_classes() -> None:
    """Whatever the boxes overlap."""
    frame = people(80, 5, 0.1).unique(subset=["age", "day", "size", "town"], maintain_order=True)
    for render in ("generalise", "set", "bounds", "mode", "rounded"):
        found = anonymizer(render=render, method="mdav")
        assert found.fit_transform(frame).equals(found.transform(frame)), render


def test_names_never_seen_fit_only_what_is_true_of_them() -> None:
    """A new town may stand below ``*`` and below nothing else; under centres it joins anybody."""
    frame = pl.DataFrame({"age": [1, 2, 8, 9], "town": ["a", "a", "a", "b"]})
    new = pl.DataFrame({"age": [8], "town": ["zz"]})
    found = shoal.Anonymizer(k=2, method="mondrian").fit(frame)
    assert found.transform(new).rows() == [("[8, 9]", "*")]
    with pytest.raises(CannotHoldError, match=r"1 others \(of 1 rows\)"):
        found.transform(new.with_columns(age=pl.lit(1)))
    assert shoal.Anonymizer(k=2, method="mondrian", render="mode").fit(frame).transform(new)["town"].to_list() == ["a"]


def test_rows_that_break_a_model_are_refused() -> None:
    """Classes only grow, but the share of a private value may grow, too: the whole is judged again."""
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "disease": ["flu", "cold", "flu", "cold"]})
    models = {"l_diversity": {"l": 2, "kind": "frequency"}}
    found = shoal.Anonymizer(k=4, sensitive=["disease"], models=models).fit(frame)
    more = pl.DataFrame({"age": [2, 3], "disease": ["flu", "cold"]})
    assert len(found.transform(more)) == 2
    with pytest.raises(CannotHoldError, match="l_diversity") as caught:
        found.transform(more[:1])
    assert len(caught.value.parts()) == 5
    assert isinstance(caught.value, ValueError)


# -- refusals ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings_", "data", "word"),
    [
        ({"k": 5}, np.zeros((4, 2)), "n_samples = 4"),
        ({"k": 0}, np.zeros((4, 2)), "at least 1"),
        ({"k": 2, "method": "loukides_shao"}, np.zeros((4, 2)), "leaves rows out"),
        ({"k": 2, "method": "non_homogeneous"}, np.zeros((4, 2)), "releases boxes"),
        ({"k": 2, "method": "mdaw"}, np.zeros((4, 2)), "did you mean 'mdav'"),
        ({"k": 2}, np.array([[1.0], [np.inf], [2.0]]), "1 infinite cells"),
        ({"k": 2}, np.zeros(4), "Reshape your data"),
        ({"k": 2}, [["SECRET"], ["SECRET", 1]], "different shapes"),
        ({"k": 2}, np.array([[{"SECRET": 1}], [1]], dtype=object), "column 'x0'"),
        ({"k": 2}, pl.LazyFrame({"a": ["SECRET"]}), "collect"),
        ({"k": 2, "quasi_identifiers": ["b"]}, pl.DataFrame({"a": ["SECRET", "SECRET"]}), "no such column"),
    ],
)
def test_wrong_input_is_a_value_error_in_five_parts(settings_: dict[str, Any], data: Any, word: str) -> None:
    """As scikit-learn expects it, and as shoal tells it: no cell, and what to do."""
    with pytest.raises(InputError) as caught:
        shoal.Anonymizer(**settings_).fit(data)
    assert isinstance(caught.value, ValueError)
    assert len(caught.value.parts()) == 5
    assert word in str(caught.value)
    assert "SECRET" not in str(caught.value)


def test_columns_without_a_role() -> None:
    """What is not named is refused, left out or kept, as rest says; a key of persons needs accept by its name."""
    frame = people(20, 0).with_columns(mail=pl.Series([f"p{i}@example.org" for i in range(20)]))
    roles: dict[str, Any] = {"quasi_identifiers": ["age", "town"]}
    with pytest.raises(shoal.ShoalError, match="no role"):
        anonymizer(**roles).fit(frame)
    assert anonymizer(**roles, rest="drop").fit_transform(frame).columns == ["age", "town", "disease"]
    with pytest.raises(shoal.ShoalError, match="mail"):
        anonymizer(**roles, rest="drop", insensitive=["mail"]).fit(frame)
    kept = anonymizer(**roles, rest="drop", insensitive=["mail"], accept=["mail"]).fit_transform(frame)
    assert "mail" in kept.columns
    assert "day" not in kept.columns


def test_a_column_of_another_kind_is_refused() -> None:
    """Dates where numbers were fitted."""
    found = anonymizer(quasi_identifiers=["age"], rest="insensitive").fit(people(20, 0))
    wrong = people(5, 1).with_columns(age=pl.col("day"))
    with pytest.raises(ValueError, match="another kind"):
        found.transform(wrong)


def test_without_scikit_learn() -> None:
    """The error names the extra; everything else of shoal works."""
    program = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import shoal\n"
        "shoal.synthetic_patients(5)\n"
        "try: shoal.Anonymizer\n"
        "except shoal.ShoalError as problem: print(len(problem.parts()), problem.todo)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "5 pip install 'shoal[sklearn]'"
