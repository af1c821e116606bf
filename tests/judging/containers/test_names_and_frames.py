# SPDX-License-Identifier: Apache-2.0
"""What names of columns and frames of other libraries tell besides cells is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from shoal.judging.checking import check
from shoal.plan.plan import Plan
from tests.judging.containers.planting import CELLS, SECRET, arrow_with


@pytest.mark.parametrize(
    "name", ["anna@example.com", "1984-02-29", "978320.50", "0123456789", "[20, 29] 978320", "a\nb", "x" * 200]
)
def test_names_that_look_like_data_are_told(name: str) -> None:
    """A name of a column is published like a cell; the message does not quote it."""
    verdict = check(CELLS.rename({"money": name}), quasi_identifiers=["age", "sex"], k=3)
    told = [leak for leak in verdict.leaks if leak.kind == "header_cells"]
    assert told
    assert all(name not in leak.statement for leak in told)


@pytest.mark.parametrize("name", ["Anna Bell", "ill_978320", "note=flu", "patient Anna Bell", "978320"])
def test_names_that_are_cells_of_the_original_break_the_release(name: str) -> None:
    """Beside the original, a name that holds one of its cells is found whatever it looks like."""
    original = CELLS.with_columns(
        pl.Series("name", ["Anna Bell", "Bo", "Cy", "Di", "Ed", "Flo"]), pl.Series("ill", ["flu", "978320"] * 3)
    )
    released = CELLS.rename({"money": name}).drop("ill")
    plan = Plan.of(3, quasi_identifiers=["age", "sex"], identifiers=["name"])
    verdict = check(released, plan=plan, original=original)
    assert any(leak.kind == "header_cells" for leak in verdict.leaks)


def test_usual_names_are_not_accused() -> None:
    """Years, units and words in names are usual."""
    names = {"money": "income 2020", "ill": "2019"}
    verdict = check(CELLS.rename(names), quasi_identifiers=["age", "sex"], k=3)
    assert not [leak for leak in verdict.leaks if leak.kind == "header_cells"]


def with_attrs() -> Any:
    """A pandas frame with notes."""
    frame = CELLS.to_pandas()
    frame.attrs["source"] = SECRET
    return frame


FRAMES: dict[str, Callable[[], Any]] = {
    "pandas categories": lambda: CELLS.to_pandas().assign(
        ill=lambda frame: frame["ill"].astype("category").cat.add_categories([SECRET])
    ),
    "pandas attrs": with_attrs,
    "pandas index": lambda: CELLS.to_pandas().set_axis([31, 7, 9, 12, 5, 3]),
    "Polars Enum": lambda: CELLS.cast({"ill": pl.Enum(["a", "b", SECRET])}),
    "Arrow dictionary": lambda: arrow_with(unused=True),
    "Arrow metadata": lambda: arrow_with({"source": SECRET}),
    "Arrow field": lambda: arrow_with(field={"source": SECRET}),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_frames_that_tell_more_than_their_cells_are_told(frame: Callable[[], Any]) -> None:
    """The check looks at types and notes of a frame before it turns it into cells."""
    verdict = check(frame(), quasi_identifiers=["age", "sex"], k=3)
    told = [leak for leak in verdict.leaks if leak.kind == "unseen_values"]
    assert told
    assert SECRET not in json.dumps(verdict.to_dict())


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_good_frames_are_not_accused(kind: str) -> None:
    """Frames whose types list what their cells show are fine."""
    frame = CELLS.cast({"ill": pl.Enum(["a", "b"])})
    given = {"pandas": frame.to_pandas, "arrow": frame.to_arrow, "polars": lambda: frame}[kind]()
    verdict = check(given, quasi_identifiers=["age", "sex"], k=3)
    assert not [leak for leak in verdict.leaks if leak.kind == "unseen_values"]


def test_beside_the_original_values_of_rows_left_out_break_the_release() -> None:
    """A category that only a left-out row had is a cell of that row."""
    original = pl.concat([CELLS, CELLS[:1].with_columns(pl.lit("plague").alias("ill"))])
    released = CELLS.cast({"ill": pl.Enum(["a", "b", "plague"])})
    verdict = check(released, quasi_identifiers=["age", "sex"], k=3, original=original)
    assert not verdict.holds
