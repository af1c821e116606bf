# SPDX-License-Identifier: Apache-2.0
"""The JSON report: strict JSON, the same every time, without cells, paths and times."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from shoal.engine.bounds.certificate import Certificate
from shoal.releases.release import Release
from shoal.releases.reports.json_report import report_dict, report_json


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


def test_it_is_strict_json(release: Release) -> None:
    """No NaN and no Infinity: programs other than Python must read it, and undefined is null."""
    report = json.loads(report_json(release), parse_constant=refuse)
    assert report == report_dict(release)
    undefined = next(one for one in report["measurements"] if one["metric"] == "eloss")
    assert undefined["value"] is None
    assert undefined["limits"] == [0.0, None]


def test_it_tells_everything_that_was_decided(release: Release) -> None:
    """Guarantee, method, seed, columns, verdict, measurements and counts."""
    report = report_dict(release)
    assert report["guarantee"]["k"] == 10
    assert report["method"]["seed"] == 0
    assert [one["name"] for one in report["columns"]] == ["age", "zip", "disease", "<b>name</b>"]
    assert report["verdict"]["holds"] is True
    assert report["facts"]["class_sizes"] == {"10": 2, "12": 1}


def test_it_carries_the_facts_of_the_page(release: Release) -> None:
    """Loss with its definition, risks, before and after, pairs, attackers, limits, commands and words."""
    report = json.loads(report_json(release), parse_constant=refuse)
    assert report["loss"]["metric"] == "ncp"
    assert "NCP" in report["loss"]["definition"]["formula"]
    assert report["risk"]["prosecutor"]["largest"] == pytest.approx(0.1)
    told = report["before_and_after"]
    assert told["columns"][0]["ranges"][0] == {"range": "20 to under 30", "before": 0.25, "after": 0.5}
    assert told["columns"][1]["labels"][2] == {"label": "missing", "kind": "missing", "before": None, "after": 0.1}
    assert told["pairs"][0]["columns"] == ["age", "zip"]
    assert told["attacks"][0]["attack"] == "homogeneity"
    assert {"not_covered", "verify", "glossary", "versions"} <= set(report)


def test_it_holds_no_cell_and_no_time(release: Release) -> None:
    """Cells and timings stay out, and so do the private links between rows."""
    text = report_json(release)
    assert "secret cell" not in text
    assert "123.456" not in text
    assert text == report_json(replace(release, timings={"cluster": 1.0}, private=None))


def test_the_same_release_gives_the_same_bytes(make: Callable[..., Release]) -> None:
    """Reports of equal runs can be compared by their hashes."""
    assert report_json(make()) == report_json(make())


def test_the_certificate_is_told(release: Release) -> None:
    """Loss, bound, gap and their sentence where they are known; null where not, and a gap without end is null."""
    assert report_dict(release)["certificate"] is None
    given = Certificate(0.03, 0.02, 10, 32, 32, "prices")
    told = report_dict(replace(release, certificate=given))["certificate"]
    assert (told["loss"], told["bound"], told["gap"]) == (0.03, 0.02, pytest.approx(1.5))
    assert told["statement"] == given.sentence()
    none = Certificate(0.03, 0.0, 10, 32, 0, "boxes")
    assert (
        json.loads(report_json(replace(release, certificate=none)), parse_constant=refuse)["certificate"]["gap"] is None
    )
