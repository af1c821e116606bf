# SPDX-License-Identifier: Apache-2.0
"""Writes one page per privacy model and per metric, from its own docstring and parameters, with a picture.

``python docs/generate_measures.py`` rewrites ``docs/models/`` and ``docs/metrics/``; a test fails when a page is out of
date. The picture shows what the measure comes to on one small table as k grows: six releases of invented patients by
the same quick method, judged as any release is. Of a model it is the strongest promise that holds without being asked
for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

import polars as pl
from formulas import explained
from generate_methods import parameter_lines

import shoal
from shoal.ground import catalog
from shoal.ground.svg import Picture, Scale, dot, line, path, text, ticks
from shoal.judging.evidence import Measurement
from shoal.tables.frames import as_table

DOCS = Path(__file__).parent
KS = (2, 5, 10, 20, 50, 100)
ROWS, PEOPLE = 600, 2400
KNOWN, PRIVATE = ("age", "sex", "nationality", "marital_status"), "insurance"
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 274, 64, 24, 62, 44
FOLDERS = {"privacy_models": "models", "metrics": "metrics"}
UP = {
    "privacy_models": "One of [all models](index.md); [privacy models](../privacy-models.md) says which to choose.",
    "metrics": "One of [all metrics](index.md); [metrics and models](../metrics.md) compares them.",
}
"""Where a reader came from."""
COMMON = "national fund"
"""The commonest private value: where no class shows all values, two are told apart, this one and the others."""
DEMANDING, OWN_K = "pensioners fund", 20
OTHERWISE = {
    "delta_disclosure": f"; its values told as `{COMMON}` or another, drawn where every class shows both",
    "own_k": f"; rows in smaller classes than asked for, where those with `{DEMANDING}` ask for {OWN_K}",
}
"""What is drawn of models that say nothing by k alone."""
Curve = list[tuple[int, float]]


def releases() -> Iterator[tuple[int, shoal.Release, object]]:
    """The same patients at every k, with the original."""
    columns = [*KNOWN, PRIVATE]
    patients = shoal.synthetic_patients(ROWS).select(columns)
    people = shoal.synthetic_patients(PEOPLE).select(columns)
    for k in KS:
        asked = {"k": k, "quasi_identifiers": list(KNOWN), "sensitive": [PRIVATE], "population": people}
        yield k, shoal.anonymize(patients, **asked, method="hilbert"), patients


def curves() -> dict[str, dict[str, Curve]]:
    """What each model and metric comes to, by k; where it is undefined or boundless, nothing."""
    found: dict[str, dict[str, Curve]] = {room: {name: [] for name in catalog.names(room)} for room in FOLDERS}
    for k, release, original in releases():
        for one in measured(original, release):
            found["metrics"][one.metric].append((k, one.value))
        for name in catalog.names("privacy_models"):
            told = promised(name, release)
            found["privacy_models"][name] += [(k, float(told[-1]))] if told else []
    return {room: {name: known(curve) for name, curve in each.items()} for room, each in found.items()}


def measured(original: object, release: shoal.Release) -> list[Measurement]:
    """Every metric from the tables alone; those that need the classes, with them."""
    asked = {"plan": release.plan, "metrics": catalog.names("metrics")}
    alone = shoal.measure(original, release.table, **asked)
    known = shoal.measure(original, release.table, classes=release.classes, **asked)
    return [more if math.isnan(one.value) else one for one, more in zip(alone, known, strict=True)]


def promised(name: str, release: shoal.Release) -> list[float]:
    """What a model finds in a release, or how far its demand is missed."""
    model, table = catalog.load("privacy_models", name), release.table
    if name == "own_k":
        demand = model.Parameters(column=PRIVATE, values={DEMANDING: OWN_K})
        return [model.check(as_table(table), release.plan, demand).figures["rows_below_own_k"]]
    if name in OTHERWISE:
        common = pl.col(PRIVATE).eq(COMMON).fill_null(value=False)
        table = table.with_columns(pl.when(common).then(pl.lit(COMMON)).otherwise(pl.lit("another")).alias(PRIVATE))
    figures = model.check(as_table(table), release.plan, model.Parameters()).figures
    return [value for key, value in figures.items() if key.endswith("_found") and value is not None]


def known(curve: Curve) -> Curve:
    """The points that can be drawn."""
    return [(k, value) for k, value in curve if math.isfinite(value)]


def page(room: str, name: str, *, drawn: bool) -> str:
    """The text of a page."""
    entry = catalog.find(room, name)
    lines = [f"# {name}", "", "<!-- written by docs/generate_measures.py -->", ""]
    about = entry.docstring.strip().replace("``", "`")
    lines += [UP[room], "", explained(name, about) if room == "metrics" else about, ""]
    if drawn:
        lines += [f"![{name} as k grows]({name}.svg)", "", f"*{caption(room, name)}*", ""]
    module = entry.load()
    if room == "privacy_models":
        lines += ["## Parameters", "", *parameter_lines(module), ""]
    return "\n".join([*lines, "## How to ask for it", "", *asking(room, name, module), ""])


def caption(room: str, name: str) -> str:
    """What the picture shows."""
    about = f"{ROWS} invented patients, four columns that others may know, `hilbert`, k from {KS[0]} to {KS[-1]}"
    if room == "metrics":
        return f"{about}."
    return (
        f"What holds without being asked for, by k alone: {about}; private column `{PRIVATE}`{OTHERWISE.get(name, '')}."
    )


def asking(room: str, name: str, module: ModuleType) -> list[str]:
    """Command line and plan."""
    if room == "metrics":
        utility = " It is one of those that `--utility` asks for." if getattr(module, "UTILITY", False) else ""
        return [f"`shoal measure ORIGINAL RELEASED --metric {name}`.{utility}"]
    flag = getattr(module, "FLAG", None)
    by_flag = f"`{flag['flag']}` of `shoal anonymize` and `shoal check`, or " if flag is not None else ""
    return [f"{by_flag}`{name}` in the table `[privacy]` of a [plan](../plan.md)."]


def picture(name: str, curve: Curve) -> str:
    """A line over k."""
    low, high = min(0.0, *(value for _, value in curve)), max(value for _, value in curve) or 1.0
    marks = ticks(high)
    across = Scale(KS[0], KS[-1], LEFT, WIDTH - RIGHT, log=True)
    up = Scale(low, marks[-1], HEIGHT - BOTTOM, TOP)
    parts = [
        text(LEFT, 24, f"{name}, by k", "head"),
        text(WIDTH - RIGHT, HEIGHT - 6, "k (logarithmic)", "end soft"),
    ]
    parts += [text(14, TOP - 16, name, "soft")]
    for mark in marks:
        parts += [line(LEFT, up(mark), WIDTH - RIGHT, up(mark), "grid"), side(up(mark) + 4, f"{mark:g}")]
    parts += [text(across(k), HEIGHT - BOTTOM + 20, f"{k}", "mid") for k in KS]
    places = [(across(k), up(value)) for k, value in curve]
    parts += [path(places, "line s0"), *(dot(*at, 4, "f0 ring") for at in places)]
    told = ", ".join(f"{value:.4g} at k = {k}" for k, value in curve)
    return Picture(f"measure-{name}", f"{name} as k grows", told, WIDTH, HEIGHT, tuple(parts)).svg


def side(y: float, told: str) -> str:
    """A number beside the axis."""
    return text(LEFT - 8, y, told, "end")


def index(room: str, title: str, above: Sequence[str]) -> str:
    """The list of a folder."""
    word = catalog.ROOMS[room].word
    rows = [f"| [{name}]({name}.md) | {one.summary} |" for name, one in catalog.entries(room).items()]
    heads = [f"# {title}", "", "<!-- written by docs/generate_measures.py -->", "", *above, ""]
    return "\n".join([*heads, f"| {word} | in one line |", "|---|---|", *rows, ""])


def indexes() -> dict[str, str]:
    """The list of each folder, by its path."""
    models = "What can be promised of a release; [privacy models](../privacy-models.md) says which to choose."
    metrics = "What a release lost and what risk remains; [metrics and models](../metrics.md) compares them."
    return {
        "models/index.md": index("privacy_models", "All models", [models]),
        "metrics/index.md": index("metrics", "All metrics", [metrics]),
    }


def main() -> None:
    """Rewrite all pages and pictures."""
    for room, each in curves().items():
        folder = DOCS / FOLDERS[room]
        folder.mkdir(exist_ok=True)
        for name, curve in each.items():
            drawn = len(curve) > 1
            (folder / f"{name}.md").write_text(page(room, name, drawn=drawn), encoding="utf-8")
            if drawn:
                (folder / f"{name}.svg").write_text(picture(name, curve), encoding="utf-8")
    for name, written in indexes().items():
        (DOCS / name).write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main()
