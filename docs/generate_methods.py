# SPDX-License-Identifier: Apache-2.0
"""Writes one page per method, from the method's own docstring, parameters and capabilities, with a picture.

``python docs/generate_methods.py`` rewrites ``docs/methods/``; a test fails when a page is out of date. The
picture shows what the method makes of a toy table of two numbers: dots are records, frames what a class publishes,
and a line ties each record to the middle of its class, so that frames may overlap. Colours only help the eye, and
follow the page, light or dark.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.methods import SWAYS, Boxes, Partition, Subtables
from shoal.ground import catalog, svg
from shoal.ground.parameters import allowed_text
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement

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
        "One of [all methods](index.md); [methods and renderings](../methods.md) says which to choose.",
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
    """The method's capabilities in sentences."""
    told = [
        f"It groups columns of {' and '.join(KINDS[kind] for kind in able.kinds)}.",
        SIZES[able.class_sizes],
        "Some rows may be left out." if able.suppresses else "",
        RANDOM[able.random],
        losses_line(able),
        f"Classes publish `{able.render}` unless `--render` says otherwise ([renderings](../methods.md#renderings)).",
        RELEASES[able.releases],
        "Every column is shown at one level, the same in all classes." if able.one_level else "",
        f"It is meant for tables of up to {able.largest_rows:,} rows." if able.largest_rows else "",
        *(f"{SWAYS[what].capitalize()} may give other classes: {why}." for what, why in able.swayed_by.items()),
    ]
    return [f"- {one}" for one in told if one]


KINDS = {"numeric": "numbers (and dates and ordered values)", "categorical": "names"}
SIZES = {
    "k..2k-1": "Its classes have k to 2k - 1 records, so none is much larger than needed.",
    "k..": "Its classes have k records or more, without an upper bound.",
}
RANDOM = {
    True: "It draws at random: another `--seed` gives other classes, the same seed the same ones.",
    False: "It draws nothing at random: the seed does not matter.",
}
RELEASES = {
    "classes": "It makes one k-anonymous table.",
    "subtables": "It makes several tables of some columns each, a weaker promise that needs `--accept-weaker`.",
    "boxes": "It makes a box for every row instead of classes, a weaker promise that needs `--accept-weaker`.",
}


def losses_line(able: Any) -> str:
    """Which losses it keeps low, and under which it is the method of its paper."""
    if not able.losses:
        return "It keeps a measure of its own low, whatever `--loss` says."
    paper = f" Its paper uses `--loss {able.paper_loss}`." if able.paper_loss else ""
    return f"It keeps low the loss that `--loss` names: {', '.join(f'`{one}`' for one in able.losses)}.{paper}"


def caption(result: Any) -> str:
    """What the picture shows."""
    if isinstance(result, Partition):
        left_out = int((result.labels < 0).sum())
        ending = f", {left_out} records left out (crosses)" if left_out else ""
        tied = "a line ties each record to its class, a frame is what the class publishes"
        sizes = " to ".join(map(str, sorted({int(result.sizes.min()), int(result.sizes.max())})))
        return f"{len(result.sizes)} classes of {sizes}{ending}; {tied}."
    if isinstance(result, Subtables):
        return (
            f"{len(result.partitions)} sub-tables, one picture each, with classes of its own: stripes are what they "
            "publish, and lines tie records to them."
        )
    return "every record has a box of its own, around itself and the next ones on its ring; lines are the rings."


def picture(name: str, points: np.ndarray, result: Any) -> str:
    """An SVG of the records and what is published of them; of sub-tables one beside the other."""
    panels, size = list(drawn(points, result)), SIDE + 2 * MARGIN
    parts: list[svg.Svg] = []
    for number, panel in enumerate(panels):
        parts += panel if len(panels) == 1 else [svg.element("g", *panel, transform=f"translate({number * size} 0)")]
    lines = tuple(svg.Svg(f"\n{part}") for part in parts)  # a line each, for those who read changes
    return svg.Picture(name, f"{name} on a toy table", caption(result), size * len(panels), size, lines).svg


def drawn(points: np.ndarray, result: Any) -> Iterator[list[svg.Svg]]:
    """What belongs together, panel by panel: frames below, then lines, then records."""
    if isinstance(result, Partition):
        yield classes(points, result.labels, range(points.shape[1]))
    elif isinstance(result, Subtables):
        for columns, partition in zip(result.groups, result.partitions):
            yield classes(points, partition.labels, columns)
    else:
        yield rings(points, result)


def classes(points: np.ndarray, labels: np.ndarray, columns: Sequence[int]) -> list[svg.Svg]:
    """Classes as frames, over the columns that they publish; their records tied to the middle of each."""
    frames, ties, dots = [], [], []
    for label in range(int(labels.max()) + 1):
        group, ink = points[labels == label], label % svg.COLOURS
        low, high = np.zeros(2), np.full(2, 100.0)
        for column in columns:
            low[column], high[column] = group[:, column].min(), group[:, column].max()
        frames.append(frame(*low, *high, ink))
        ties += [tie(group.mean(axis=0), point, ink) for point in group]
        dots += [record(*place(point), ink) for point in group]
    return [*frames, *ties, *dots, *(cross(*place(point)) for point in points[labels < 0])]


def rings(points: np.ndarray, result: Boxes) -> list[svg.Svg]:
    """The box of every record, and the ring along which its neighbours are counted."""
    frames, ties, dots = [], [], []
    for ring in range(len(result.starts) - 1):
        ink, places = ring % svg.COLOURS, ring_of(result, ring)
        frames += [frame(*ring_box(points, result, ring, at), ink) for at in places]
        along = points[result.order[list(places)]]
        ties += [tie(one, other, ink) for one, other in zip(along, np.roll(along, -1, axis=0))]
        dots += [record(*place(point), ink) for point in along]
    return [*frames, *ties, *dots]


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


def frame(left: float, bottom: float, right: float, top: float, ink: int) -> svg.Svg:
    """A published range."""
    x, y = place(np.array([left, top]))
    far_x, far_y = place(np.array([right, bottom]))
    look = {"fill_opacity": "0.08", "stroke_width": 1.2}
    return svg.box(x - 4, y - 4, far_x - x + 8, far_y - y + 8, f"f{ink} s{ink}", rx=4, **look)


def tie(one: np.ndarray, other: np.ndarray, ink: int) -> svg.Svg:
    """A line that says what belongs together."""
    return svg.path([place(one), place(other)], f"s{ink}", fill="none", stroke_width=1, stroke_opacity="0.55")


def record(x: float, y: float, ink: int) -> svg.Svg:
    """A record."""
    return svg.dot(x, y, 2.9, f"f{ink}")


def cross(x: float, y: float) -> svg.Svg:
    """A record that is left out."""
    return svg.path(f"M{x - 3:.1f} {y - 3:.1f}l6 6m0 -6l-6 6", "mark")


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
        text, drawn = page(name)
        (PAGES / f"{name}.md").write_text(text, encoding="utf-8")
        (PAGES / f"{name}.svg").write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
