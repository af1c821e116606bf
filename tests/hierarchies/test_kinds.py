# SPDX-License-Identifier: Apache-2.0
"""Builders: every kind sits one exam, and each does what its page says."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.ground import catalog
from shoal.ground.errors import HierarchyError, PlanError, UnknownNameError
from shoal.hierarchies.building import ROOM, build_from, build_hierarchy
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.kinds import similarity
from shoal.hierarchies.kinds.mapping import mapping_hierarchy
from shoal.hierarchies.kinds.prefixes import prefix_hierarchy
from shoal.hierarchies.level_files import write_levels
from shoal.hierarchies.values import Values
from shoal.tables.detecting import Found
from shoal.tables.notation import Notation

COLUMN = {"dates": "admission_date", "prefixes": "postcode", "equal_width": "age", "quantiles": "cost"}
COLUMN |= {"nice_numbers": "age", "ages": "age", "icd10": "diagnosis", "us_states": "state", "isco08": "job"}
COLUMN |= {"nace": "industry", "education": "school"}
NUMERIC = ("equal_width", "quantiles", "nice_numbers")


def tree_over(kind: str, texts: Iterable[str], counts: Sequence[int] | None = None, **settings: Any) -> Hierarchy:
    """The tree of bare values."""
    return build_from(Values.of(texts, counts), kind, settings)


@pytest.fixture(scope="module")
def patients() -> pl.DataFrame:
    """A table of invented people, with codes and words that public classifications know."""
    random = np.random.default_rng(3)
    coded = {
        "state": "CA Texas 36 ME",
        "job": "2211 5120 110 9333",
        "industry": "C10.1 47 6201 A",
        "school": "PhD 9th BA",
    }
    columns = {name: random.choice(words.split(), 600) for name, words in coded.items()}
    return shoal.synthetic_patients(600, seed=3).with_columns(**{n: pl.Series(c) for n, c in columns.items()})


@pytest.mark.parametrize("kind", catalog.names(ROOM))
def test_the_exam_of_every_kind(kind: str, patients: pl.DataFrame, tmp_path: Path) -> None:
    """The leaves are the values of the column and the root is ``*``; built twice, the trees are the same."""
    column = COLUMN.get(kind, "nationality")
    values = sorted(set(patients[column].drop_nulls().cast(pl.String)))
    settings = {}
    if kind in ("mapping", "arx"):
        settings["file"] = str(tmp_path / "file.csv")
        (tmp_path / "file.csv").write_text(
            "Spain;Europe\n" if kind == "mapping" else "Spain;Europe;*\nPeru;America;*\n"
        )
    tree, again = (build_hierarchy(patients, column, kind, **settings) for _ in range(2))
    assert set(values) <= set(tree.leaf_labels)
    assert kind == "arx" or set(values) == set(tree.leaf_labels)
    assert tree.labels[0] == "*"
    assert tree.rows() == again.rows()


@pytest.mark.thin(2)
@pytest.mark.parametrize("kind", catalog.names(ROOM))
def test_columns_with_trees_are_published_by_their_labels(kind: str, patients: pl.DataFrame, tmp_path: Path) -> None:
    """Whatever a column holds, the tree of its own values can be given to a run."""
    if kind in ("mapping", "arx"):
        (tmp_path / "file.csv").write_text("Spain;Europe\n" if kind == "mapping" else "Spain;Europe;*\n")
    settings = {"file": str(tmp_path / "file.csv")} if kind in ("mapping", "arx") else {}
    column = COLUMN.get(kind, "nationality")
    tree = build_hierarchy(patients, column, kind, **settings)
    roles = {"quasi_identifiers": [column], "rest": "drop"}
    release = shoal.anonymize(patients, k=5, hierarchies={column: tree}, method="mondrian", **roles)
    assert set(release.table[column].drop_nulls().cast(pl.String)) <= set(tree.labels)


@pytest.mark.parametrize("kind", catalog.names(ROOM))
def test_no_values_make_a_bare_root(kind: str, tmp_path: Path) -> None:
    """A column of nothing but missing cells has a tree without leaves, or that of the file."""
    (tmp_path / "file.csv").write_text("a;*\n")
    module = catalog.load(ROOM, kind)
    given = {"file": str(tmp_path / "file.csv")} if kind in ("mapping", "arx") else {}
    tree = module.build(Values.of([]), module.Parameters(**given))
    assert tree.labels == (("*", "a") if kind == "arx" else ("*",))


# -- numbers -------------------------------------------------------------------------------------------------

numbers = st.lists(
    st.one_of(st.integers(-(10**6), 10**6), st.floats(-1e6, 1e6).map(lambda one: round(one, 3))),
    min_size=1,
    max_size=30,
)


def ends_of(label: str) -> tuple[float, float, bool]:
    """Both ends of a label, and whether the upper one belongs to it."""
    if not label.startswith("["):
        return float(label), float(label), True
    low, high = label[1:-1].split(", ")
    return float(low), float(high), label.endswith("]")


@given(numbers=numbers)
@pytest.mark.parametrize("kind", NUMERIC)
def test_ranges_hold_what_is_below_them(kind: str, numbers: list[float]) -> None:
    """Every label is a range in which all values below it lie, and no value lies in two ranges of a level."""
    texts = [str(one) for one in numbers]
    module = catalog.load(ROOM, kind)
    tree: Hierarchy = module.build(Values.of(texts), module.Parameters())
    for row in tree.rows():
        for label in row[1:-1]:
            low, high, closed = ends_of(label)
            assert low - 1e-6 <= float(row[0]) < high + 1e-6 or (closed and float(row[0]) == high)
    for level in range(1, tree.levels - 1):
        labels = dict.fromkeys(row[level] for row in tree.rows() if len(row) > level + 1)
        spans = sorted(ends_of(label) for label in labels)
        assert all(one[1] < other[0] or (one[1] == other[0] and not one[2]) for one, other in itertools.pairwise(spans))


def test_nice_numbers_are_nice() -> None:
    """Ages fall into fives, tens and fifties."""
    rows = tree_over("nice_numbers", [str(age) for age in range(17, 91)]).rows()
    assert rows[0] == ["17", "[15, 19]", "[10, 19]", "[0, 49]", "*"]
    reals = tree_over("nice_numbers", ["0.12", "0.38", "0.7", "1.4"], width=0.5)
    assert reals.rows()[0] == ["0.12", "[0, 0.5)", "[0, 1)", "*"]
    with pytest.raises(PlanError, match="no nice number"):
        tree_over("nice_numbers", ["1", "2"], width=7)


def test_borders_that_floats_miss() -> None:
    """0.3 belongs into [0.3, 0.4), although 0.3 / 0.1 is a little less than 3."""
    rows = {row[0]: row for row in tree_over("equal_width", ["0.1", "0.3", "0.35", "0.7"], width=0.1).rows()}
    assert rows["0.3"][1] == rows["0.35"][1] == "[0.3, 0.4)"


def test_quantiles_hold_equally_many_rows() -> None:
    """Sixteen values of very different frequency, four ranges of a quarter each, then halves."""
    counts = [1] * 12 + [12, 12, 12, 0]
    tree = tree_over("quantiles", [str(10 + one) for one in range(16)], counts, groups=4)
    assert tree.rows()[0] == ["10", "[10, 21]", "[10, 22]", "*"]
    assert tree.rows()[13][1] == "23"


@pytest.mark.parametrize("kind", NUMERIC)
def test_text_is_no_number(kind: str, patients: pl.DataFrame) -> None:
    """Values that are no numbers are counted, and none is shown."""
    with pytest.raises(HierarchyError, match="no numbers") as raised:
        build_hierarchy(patients, "insurance", kind)
    assert "7 of 7" in str(raised.value)
    assert "private full" not in str(raised.value)


def test_a_decimal_comma_stays_one() -> None:
    """Labels are written with the mark of the table, and parted by a semicolon then."""
    values = Values(("0,5", "0,75", "7,25"), np.ones(3, dtype=np.int64), found=Found(Notation(",")))
    module = catalog.load(ROOM, "nice_numbers")
    assert module.build(values, module.Parameters(0.5)).rows()[0][1] == "[0,5; 1)"


def test_too_narrow_ranges_are_refused() -> None:
    """A width that would make billions of ranges is a mistake."""
    with pytest.raises(HierarchyError, match="too many"):
        tree_over("equal_width", ["1", "1e12"], width=1e-3)


# -- dates and codes -----------------------------------------------------------------------------------------


def test_dates_follow_the_calendar() -> None:
    """Day, month, quarter, year, decade; moments become days first."""
    assert tree_over("dates", ["1999-12-31", "2000-01-01", "2000-02-01", "2023-05-17"]).rows() == [
        ["1999-12-31", "1999-Q4", "1999", "1990s", "*"],
        ["2000-01-01", "2000-Q1", "2000", "2000s", "*"],
        ["2000-02-01", "2000-Q1", "2000", "2000s", "*"],
        ["2023-05-17", "2023-Q2", "2023", "2020s", "*"],
    ]
    moments = ["2023-05-17 08:00:00", "2023-05-17 09:30:00", "2023-05-18 08:00:00"]
    assert tree_over("dates", moments, levels=["day", "month"]).rows()[0] == ["2023-05-17 08:00:00", "2023-05-17", "*"]


def test_dates_refuse_others() -> None:
    """No dates, and no such level."""
    with pytest.raises(HierarchyError, match="no dates"):
        tree_over("dates", ["17.05.2023"])
    with pytest.raises(PlanError, match="no such level"):
        tree_over("dates", ["2023-05-17"], levels=["week"])


def test_prefixes_of_chosen_lengths() -> None:
    """Chapters and categories of ICD codes, which differ in length."""
    tree = prefix_hierarchy(["A09", "A09.1", "A41.0", "C18"], lengths=[1, 3])
    assert tree.rows()[1] == ["A09.1", "A09**", "A****", "*"]
    assert tree.rows()[0] == ["A09", "A09**", "A****", "*"]


# -- names ---------------------------------------------------------------------------------------------------


def test_rare_values_are_merged() -> None:
    """What is rarer than the share is in one group, whose name no value has."""
    tree = tree_over("frequency", ["a", "other", "c", "d"], [90, 6, 3, 1], least=0.05)
    assert tree.rows() == [["a", "*"], ["other", "*"], ["c", "other (2)", "*"], ["d", "other (2)", "*"]]
    assert tree_over("frequency", ["a", "b"], [99, 1]).is_flat


def test_similar_values_are_put_together() -> None:
    """Four values of two makes: those that go along with the same others share a group."""
    random = np.random.default_rng(0)
    make = random.integers(0, 2, 2000)
    frame = pl.DataFrame(
        {
            "value": [f"{'ab'[one]}{two}" for one, two in zip(make, random.integers(0, 3, 2000))],
            "other": [("x", "y")[one] if certain else "z" for one, certain in zip(make, random.random(2000) < 0.7)],
            "noise": random.integers(0, 100, 2000),
        }
    )
    groups = {row[0]: row[1] for row in build_hierarchy(frame, "value").rows()}
    assert len({groups[f"a{one}"] for one in range(3)}) == len({groups[f"b{one}"] for one in range(3)}) == 1
    assert groups["a0"] != groups["b0"]


@given(sizes=st.lists(st.integers(1, 50), min_size=4, max_size=25), seed=st.integers(0, 9))
def test_groups_of_similar_values_nest(sizes: list[int], seed: int) -> None:
    """However the values are spread, the tree is one, even, and with a third of the groups on each level."""
    random = np.random.default_rng(seed)
    others = random.integers(0, 5, (len(sizes), 4)).astype(float)
    values = Values(tuple(f"v{one}" for one in range(len(sizes))), np.array(sizes, dtype=np.int64), (others,))
    tree = similarity.build(values, similarity.Parameters())
    assert {len(row) for row in tree.rows()} == {tree.levels}
    assert len({row[1] for row in tree.rows()}) == -(-len(sizes) // 3)


def test_too_many_values_to_compare() -> None:
    """Thousands of names are refused with advice."""
    values = Values.of(str(one) for one in range(similarity.MOST_VALUES + 1))
    with pytest.raises(HierarchyError, match="too many"):
        similarity.build(values, similarity.Parameters())


@pytest.mark.parametrize("form", ["lines", "json"])
def test_mapping_files(form: str, patients: pl.DataFrame, tmp_path: Path) -> None:
    """Pairs in lines or JSON; groups may have groups; what has none hangs under the root."""
    pairs = {"Spain": "South", "Italy": "South", "South": "Europe", "China": "Asia"}
    text = json.dumps(pairs) if form == "json" else "\n".join(f"{one};{other}" for one, other in pairs.items())
    (tmp_path / "pairs").write_text(text)
    rows = {
        row[0]: row for row in build_hierarchy(patients, "nationality", "mapping", file=str(tmp_path / "pairs")).rows()
    }
    assert rows["Spain"] == ["Spain", "South", "Europe", "*"]
    assert rows["China"] == ["China", "Asia", "*"]
    assert rows["France"] == ["France", "*"]


@pytest.mark.parametrize("text", ["a;b;c\n", "a;x\na;y\n", "a\n", "{", '{"a": 1}', "a;\n"])
def test_mappings_that_are_none(text: str, tmp_path: Path) -> None:
    """Other than two labels, two groups for a value, or no JSON of texts."""
    (tmp_path / "pairs").write_text(text)
    with pytest.raises(HierarchyError, match="mapping cannot be read"):
        build_hierarchy(pl.DataFrame({"c": ["a", "b"]}), "c", "mapping", file=str(tmp_path / "pairs"))


def test_mappings_do_not_go_round() -> None:
    """A group that leads to itself is refused."""
    with pytest.raises(HierarchyError, match="circle"):
        mapping_hierarchy({"a": "b", "b": "c", "c": "b"}, ["a"])


def test_gaps_of_arx_files(tmp_path: Path) -> None:
    """Values without a line go under the root, or stop the work; the root becomes ``*``."""
    write_levels(Hierarchy.from_rows([["a", "g", "Any"], ["b", "Any"]]), tmp_path / "tree.csv")
    frame = pl.DataFrame({"c": ["a", "x", None]})
    tree = build_hierarchy(frame, "c", "arx", file=str(tmp_path / "tree.csv"))
    assert tree.rows() == [["a", "g", "*"], ["b", "*"], ["x", "*"]]
    with pytest.raises(HierarchyError, match="does not cover"):
        build_hierarchy(frame, "c", "arx", file=str(tmp_path / "tree.csv"), gaps="refuse")


def test_what_cannot_be_built(patients: pl.DataFrame) -> None:
    """Unknown kinds, parameters and columns, and files that nobody named."""
    with pytest.raises(UnknownNameError, match="kind of hierarchy"):
        build_hierarchy(patients, "age", "nice")
    with pytest.raises(PlanError, match="no such parameter"):
        build_hierarchy(patients, "age", "nice_numbers", widht=5)
    with pytest.raises(shoal.ShoalError, match="no such column"):
        build_hierarchy(patients, "Age", "nice_numbers")
    for kind in ("mapping", "arx"):
        with pytest.raises(PlanError, match="Nothing says"):
            build_hierarchy(patients, "age", kind)
