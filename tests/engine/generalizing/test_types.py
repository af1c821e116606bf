# SPDX-License-Identifier: Apache-2.0
"""What is shown has the type of the column that it stands for, wherever it is a value and not a label."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal

ROWS = 24
VALUE_RENDERINGS = ["mean", "median", "mode", "rounded"]


def typed() -> pl.DataFrame:
    """One column of each type that a range can have, and the names that can be counted."""
    random = np.random.default_rng(3)
    whole = random.integers(0, 60, ROWS)
    days = pl.Series([datetime(2020, 3, 1) + timedelta(days=int(one)) for one in whole])
    return pl.DataFrame(
        {
            "short": whole.astype(np.int8),
            "unsigned": whole.astype(np.uint16),
            "single": (whole / 7).astype(np.float32),
            "money": [Decimal(int(one)) / 4 for one in whole],
            "day": days.dt.date(),
            "milli": days.cast(pl.Datetime("ms")),
            "nano": days.cast(pl.Datetime("ns")),
            "zoned": days.dt.replace_time_zone("Europe/Berlin"),
            "size": pl.Series(np.array(["S", "M", "L"])[whole % 3], dtype=pl.Enum(["unused", "S", "M", "L"])),
            "truth": whole > 30,
            "colour": pl.Series(np.array(["red", "blue"])[whole % 2], dtype=pl.Categorical),
        }
    )


@pytest.mark.thin(2)
@pytest.mark.parametrize("render", [*VALUE_RENDERINGS, "bounds"])
@pytest.mark.parametrize("name", typed().columns)
def test_values_keep_their_type(render: str, name: str) -> None:
    """Numbers keep size and sign, dates unit and zone, names their type; only a mean of whole numbers has a point."""
    frame = typed()
    release = shoal.anonymize(frame, k=5, quasi_identifiers=[name], rest="drop", render=render, method="mondrian")
    whole = frame.schema[name].is_integer()
    for shown in release.plan.published(name):
        kind = release.table.schema[shown]
        if name == "size":
            assert isinstance(kind, pl.Enum)
            assert set(kind.categories) == set(release.table[shown]), "a category that nobody shows is not told"
        elif render == "mean" and whole:
            assert kind == pl.Float64
        elif name in ("truth", "colour") and render == "bounds":
            assert kind == pl.String, "an ancestor is a label"
        else:
            assert kind == frame.schema[name]


@pytest.mark.parametrize("render", ["interval", "set"])
def test_labels_of_moments_tell_the_time_of_their_zone(render: str) -> None:
    """A label says how far its clock is from universal time, over the change to summer time, and the judge reads it."""
    frame = typed().select("zoned")
    how: dict[str, Any] = {"render": render, "method": "mondrian", "keep_order": True}
    release = shoal.anonymize(frame, k=6, quasi_identifiers=["zoned"], **how)
    values = frame["zoned"].to_list()
    offsets = set()
    for label, value in zip(release.table["zoned"].to_list(), values):
        ends = [datetime.fromisoformat(one) for one in label.strip("[]{}").split(", ")]
        assert min(ends) <= value <= max(ends)
        assert all(end.hour == 0 for end in ends)
        offsets |= {end.utcoffset() for end in ends}
    assert offsets == {timedelta(hours=1), timedelta(hours=2)}
    losses = {one.metric: one for one in release.measurements}
    assert 0 < losses["ncp"].figures["per_cell"] < 1


def test_moments_of_old_local_times_are_read_again() -> None:
    """Before time zones, clocks were ahead by odd seconds; the label tells them."""
    old = pl.Series([datetime(1850, 1, 1, tzinfo=UTC), datetime(1880, 1, 1, tzinfo=UTC)])
    frame = pl.DataFrame({"born": old.dt.convert_time_zone("Europe/Berlin")})
    release = shoal.anonymize(frame, k=2, quasi_identifiers=["born"])
    low, high = (datetime.fromisoformat(one) for one in release.table["born"][0].strip("[]").split(", "))
    assert [low, high] == old.to_list()


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Asia/Kathmandu", "America/New_York"])
def test_moments_are_rounded_by_the_clock_on_the_wall(zone: str) -> None:
    """The first of a month begins at midnight where the column is, not in Greenwich."""
    days: list[Any] = [datetime(2020, 1, 10, 5), datetime(2020, 9, 30, 12)]
    frame = pl.DataFrame({"at": pl.Series(days).dt.replace_time_zone(zone)})
    release = shoal.anonymize(frame, k=2, quasi_identifiers=["at"], render="rounded")
    shown = release.table["at"][0]
    assert (shown.day, shown.hour, shown.minute) == (1, 0, 0)


def test_midnights_are_shown_as_days() -> None:
    """A frame of pandas has no type for days; a column of midnights is one of days all the same."""
    frame = pl.DataFrame({"at": [datetime(2020, 1, 1), datetime(2020, 1, 9)]})
    assert shoal.anonymize(frame, k=2, quasi_identifiers=["at"]).table["at"][0] == "[2020-01-01, 2020-01-09]"


@pytest.mark.thin(2)
@pytest.mark.parametrize("kind", ["ordered", "categorical"])
@pytest.mark.parametrize("render", ["mode", "median", "bounds"])
@pytest.mark.parametrize("name", typed().columns)
def test_columns_of_another_kind_than_their_type(name: str, render: str, kind: str) -> None:
    """Numbers and dates that are declared to be names can be shown, too, and keep their type where they can."""
    frame = typed().with_columns(pl.when(pl.col("short") > 50).then(None).otherwise(pl.col(name)).alias(name))
    orders = {name: ["red", "green", "blue"]} if (name, kind) == ("colour", "ordered") else {}
    release = shoal.anonymize(
        frame,
        k=4,
        quasi_identifiers=[name],
        rest="drop",
        kinds={name: kind},
        orders=orders,
        render=render,
        method="mondrian",
        keep_order=True,
    )
    assert release.verdict.holds
    for shown in release.plan.published(name):
        kept = {"short", "unsigned", "single", "money", "day"} if render != "bounds" or kind == "ordered" else set()
        if name in kept:
            assert release.table.schema[shown] == frame.schema[name]
