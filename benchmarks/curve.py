# SPDX-License-Identifier: Apache-2.0
"""Loss against time on Adult, k = 10: our search as a curve, every other method as a point; drawn for the docs.

Run as ``python -m benchmarks.curve``; writes ``docs/search-curve.svg`` and prints the figures.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

import numpy as np

from benchmarks.clustering import measured
from benchmarks.tables import ADULT, ROOT
from shoal import catalog
from shoal.algorithms import shoal
from shoal.encoding.encode import complete, encode
from shoal.encoding.encoded import Encoded
from shoal.progress import Progress
from shoal.refining.search import STEPS, Budget, refine
from shoal.requirements import Requirement
from shoal.tables.sources import read_table

K, LOSS = 10, "height"
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 760, 420, 64, 48, 24, 120
SECONDS = (0.03, 40.0)

Point = tuple[float, float]


def adult() -> Encoded:
    """The table of the curve."""
    table = read_table(ADULT.path).table
    return encode(table, complete(ADULT.plan(K, LOSS), table))


def searched(encoded: Encoded) -> list[Point]:
    """Seconds and loss per cell at the end of the construction and of every round, warm."""
    requirement, found = Requirement(size=K), None
    for steps in (1, STEPS):  # the first run is for the compiler
        started = time.perf_counter()
        made = shoal.cluster(encoded, requirement, shoal.Parameters(), np.random.default_rng(0), Progress())
        before = time.perf_counter() - started
        found = refine(encoded, made.labels, requirement, Budget(steps), [0, 2], Progress())
    assert found is not None
    best, curve = math.inf, []
    for seconds, loss in found.losses:
        best = min(best, loss)
        curve.append((before + seconds, best))
    return curve


def others() -> dict[str, Point]:
    """Seconds and loss of every other method that publishes classes."""
    found = {}
    for name in catalog.names("algorithms"):
        able = catalog.load("algorithms", name).CAPABILITIES
        if not able.refined and able.releases == "classes":
            one = measured(ADULT.name, name, K, 0, LOSS)
            found[name] = one["seconds"], one["loss"]
    return found


def drawn(curve: list[Point], points: dict[str, Point]) -> str:
    """The picture."""
    top = math.ceil(20 * max(loss for _, loss in points.values())) / 20
    log = [math.log10(one) for one in SECONDS]

    def at(seconds: float, loss: float) -> Point:
        share = (math.log10(min(max(seconds, SECONDS[0]), SECONDS[1])) - log[0]) / (log[1] - log[0])
        return LEFT + share * (WIDTH - LEFT - RIGHT), TOP + (1 - loss / top) * (HEIGHT - TOP - BOTTOM)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="sans-serif" '
        'font-size="11" fill="#555">',
        "<title>Loss per cell against seconds, Adult, k = 10: our search beats every other method</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        *_axes(at, top),
    ]
    for name, (seconds, loss) in points.items():
        x, y = at(seconds, loss)
        lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="#9aa5b1"/>')
        lines.append(f'<text x="{x + 6:.1f}" y="{y + 4:.1f}" font-size="9">{name}</text>')
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*one) for one in curve))
    x, y = at(*curve[-1])
    lines.append(f'<polyline points="{way}" fill="none" stroke="#0b6e99" stroke-width="2.5"/>')
    lines.append(
        f'<text x="{x + 6:.1f}" y="{y + 4:.1f}" fill="#0b6e99" font-weight="bold">shoal {curve[-1][1]:.4f}</text>'
    )
    return "\n".join([*lines, "</svg>\n"])


def _axes(at, top: float) -> Iterator[str]:
    for loss in np.arange(0, top + 0.001, 0.05):
        x, y = at(SECONDS[0], loss)
        yield f'<path d="M{x:.1f} {y:.1f}H{WIDTH - RIGHT}" stroke="#e3e7eb"/>'
        yield f'<text x="{x - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{loss:.2f}</text>'
    for seconds in (0.1, 1, 10):
        x, y = at(seconds, 0)
        yield f'<path d="M{x:.1f} {y:.1f}V{TOP}" stroke="#e3e7eb"/>'
        yield f'<text x="{x:.1f}" y="{y + 16:.1f}" text-anchor="middle">{seconds:g} s</text>'
    yield f'<text x="{LEFT}" y="{TOP - 8}">loss per cell ({LOSS}), 30,162 rows, k = {K}</text>'
    yield f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end">seconds of the clustering step, 2 cores</text>'


def main() -> None:
    """Measure, print, draw."""
    curve, points = searched(adult()), others()
    for name, (seconds, loss) in sorted(points.items(), key=lambda one: one[1][1]):
        print(f"{name:20} {loss:.4f} {seconds:8.2f} s")
    best = min(loss for _, loss in points.values())
    beaten = next(seconds for seconds, loss in curve if loss < best)
    print(f"{'shoal':20} {curve[-1][1]:.4f} {curve[-1][0]:8.2f} s; below all others after {beaten:.2f} s")
    (ROOT / "docs" / "search-curve.svg").write_text(drawn(curve, points), encoding="utf-8")


if __name__ == "__main__":
    main()
