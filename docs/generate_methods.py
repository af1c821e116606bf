# SPDX-License-Identifier: Apache-2.0
"""Writes one page per method, from the method's own docstring, parameters and capabilities, with a picture.

``python docs/generate_methods.py`` rewrites ``docs/methods/``; a test fails when a page is out of date. The
picture shows what the method makes of a toy table of two numbers: dots are records, frames what a class publishes.
"""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from shoal import catalog
from shoal.algorithms._protocol import Boxes, Partition, Subtables
from shoal.encoding.encoded import Encoded, EncodedColumn
from shoal.parameters import allowed_text
from shoal.progress import Progress
from shoal.requirements import Requirement

PAGES = Path(__file__).parent / "methods"
K, ROWS, SIDE, MARGIN = 4, 60, 360, 14


def toy() -> Encoded:
    """Sixty records in three clouds and a few loners, as two numeric columns."""
    rng = np.random.default_rng(7)
    clouds = [rng.normal(centre, spread, (16, 2)) for centre, spread in (((22, 70), 7), ((65, 75), 10), ((55, 28), 9))]
    points = np.vstack([*clouds, rng.uniform(2, 98, (ROWS - 48, 2))]).clip(0, 100).round()
    return Encoded(tuple(EncodedColumn(name, points[:, j]) for j, name in enumerate(("x", "y"))), "ncp")


def page(name: str) -> tuple[str, str]:
    """The text of a method's page and its picture."""
    method = catalog.load("algorithms", name)
    encoded = toy()
    result = method.cluster(encoded, Requirement(size=K), method.Parameters(), np.random.default_rng(0), Progress())
    text = [
        f"# {name}",
        "",
        "<!-- written by docs/generate_methods.py -->",
        "",
        catalog.find("algorithms", name).docstring.strip().replace("``", "`"),
        "",
        f"![what {name} makes of a toy table]({name}.svg)",
        "",
        f"*Sixty records with two numbers each, k = {K}: {caption(result)}*",
        "",
        "## Parameters",
        "",
        *parameter_lines(method),
        "",
        "## What it can do",
        "",
        *capability_lines(method.CAPABILITIES),
        "",
    ]
    return "\n".join(text), picture(name, encoded.points, result)


def parameter_lines(method: ModuleType) -> list[str]:
    """A table of the method's parameters."""
    declared = fields(method.Parameters)
    if not declared:
        return ["None."]
    lines = ["| name | default | allowed | meaning |", "|---|---|---|---|"]
    for one in declared:
        cells = (f"`{one.name}`", f"`{one.default!r}`", allowed_text(one, one.type), one.metadata.get("help", ""))
        lines.append("| " + " | ".join(cell.replace("|", "or") for cell in cells) + " |")
    return lines


def capability_lines(able: Any) -> list[str]:
    """The method's capabilities in words."""
    largest = f"{able.largest_rows:,} rows" if able.largest_rows else "no limit"
    return [
        f"- columns: {', '.join(able.kinds)}",
        f"- class sizes: {able.class_sizes}",
        f"- random: {'yes, the seed matters' if able.random else 'no'}",
        f"- losses it can keep low: {', '.join(able.losses) or 'has an objective of its own'}",
        f"- publishes by default: {able.render}",
        f"- releases: {able.releases}",
        f"- largest sensible table: {largest}",
    ]


def caption(result: Any) -> str:
    """What the picture shows."""
    if isinstance(result, Partition):
        left_out = int((result.labels < 0).sum())
        ending = f", {left_out} records left out (crosses)" if left_out else ""
        return f"{len(result.sizes)} classes of {result.sizes.min()} to {result.sizes.max()}{ending}."
    if isinstance(result, Subtables):
        return f"{len(result.partitions)} sub-tables, each with classes of its own; stripes are what each publishes."
    return "every record has a box of its own; boxes overlap."


def picture(name: str, points: np.ndarray, result: Any) -> str:
    """An SVG of the records and what is published of them."""
    size = SIDE + 2 * MARGIN
    crosses = result.labels < 0 if isinstance(result, Partition) else np.zeros(len(points), dtype=bool)
    marks = [cross(*place(point)) if out else dot(*place(point)) for point, out in zip(points, crosses)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}"'
            ' role="img">',
            f"<title>{name} on a toy table</title>",
            f"<desc>{caption(result)}</desc>",
            f'<rect width="{size}" height="{size}" fill="#ffffff"/>',
            *[frame(*corners) for corners in shown(points, result)],
            *marks,
            "</svg>",
            "",
        ]
    )


def shown(points: np.ndarray, result: Any) -> list[tuple[float, float, float, float]]:
    """The ranges that are published, as left, bottom, right, top."""
    if isinstance(result, Partition):
        members = [points[result.labels == label] for label in range(len(result.sizes))]
        return [(*group.min(axis=0), *group.max(axis=0)) for group in members]
    if isinstance(result, Boxes):
        return [
            ring_box(points, result, ring, at) for ring in range(len(result.starts) - 1) for at in ring_of(result, ring)
        ]
    stripes = []
    for columns, partition in zip(result.groups, result.partitions):
        for label in range(len(partition.sizes)):
            group = points[partition.labels == label]
            low, high = np.zeros(2), np.full(2, 100.0)
            for column in columns:
                low[column], high[column] = group[:, column].min(), group[:, column].max()
            stripes.append((*low, *high))
    return stripes


def ring_of(result: Boxes, ring: int) -> range:
    """Places of a ring's records in the order of all rings."""
    return range(int(result.starts[ring]), int(result.starts[ring + 1]))


def ring_box(points: np.ndarray, result: Boxes, ring: int, at: int) -> tuple[float, float, float, float]:
    """The hull of a record and the next ones of its ring."""
    places = ring_of(result, ring)
    inside = [places.start + (at - places.start + step) % len(places) for step in range(result.size)]
    group = points[result.order[inside]]
    return (*group.min(axis=0), *group.max(axis=0))


def place(point: np.ndarray) -> tuple[float, float]:
    """Where a record stands in the picture."""
    x, y = point / 100 * SIDE
    return round(MARGIN + float(x), 1), round(MARGIN + SIDE - float(y), 1)


def frame(left: float, bottom: float, right: float, top: float) -> str:
    """A published range."""
    x, y = place(np.array([left, top]))
    far_x, far_y = place(np.array([right, bottom]))
    size = f'width="{far_x - x + 8:.1f}" height="{far_y - y + 8:.1f}"'
    style = 'rx="4" fill="#1f6feb" fill-opacity="0.10" stroke="#1f6feb" stroke-width="1.2"'
    return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" {size} {style}/>'


def dot(x: float, y: float) -> str:
    """A record."""
    return f'<circle cx="{x}" cy="{y}" r="2.6" fill="#24292f"/>'


def cross(x: float, y: float) -> str:
    """A record that is left out."""
    return f'<path d="M{x - 3} {y - 3}l6 6m0 -6l-6 6" stroke="#cf222e" stroke-width="1.6"/>'


def index() -> str:
    """The list of all pages."""
    rows = [f"| [{name}]({name}.md) | {one.summary} |" for name, one in catalog.entries("algorithms").items()]
    heads = [
        "# All methods",
        "",
        "<!-- written by docs/generate_methods.py -->",
        "",
        "| method | in one line |",
        "|---|---|",
    ]
    return "\n".join([*heads, *rows, ""])


def main(names: list[str]) -> None:
    """Rewrite the list and the pages of the named methods, or of all."""
    PAGES.mkdir(exist_ok=True)
    (PAGES / "index.md").write_text(index(), encoding="utf-8")
    for name in names or catalog.names("algorithms"):
        text, svg = page(name)
        (PAGES / f"{name}.md").write_text(text, encoding="utf-8")
        (PAGES / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
