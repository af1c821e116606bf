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
from shoal.engine.algorithms import shoal
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded
from shoal.engine.refining.rounds import Budget
from shoal.engine.refining.search import refine
from shoal.ground import catalog, svg
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.plan.effort import STEPS
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
    losses = svg.ticks(max(loss for _, loss in points.values()), most=10)
    across = svg.Scale(*SECONDS, LEFT, WIDTH - RIGHT, log=True)
    up = svg.Scale(0.0, losses[-1], HEIGHT - BOTTOM, TOP)

    def at(seconds: float, loss: float) -> Point:
        return across(min(max(seconds, SECONDS[0]), SECONDS[1])), up(loss)

    parts = [*_axes(across, up, losses)]
    for name, point in points.items():
        x, y = at(*point)
        parts += [svg.dot(x, y, 3.5, "dimf"), svg.text(x + 6, y + 4, name, "soft", font_size=9)]
    way = [at(*point) for point in curve]
    x, y = way[-1]
    parts.append(svg.path(way, "line s0"))
    parts.append(svg.text(x + 6, y + 4, f"shoal {curve[-1][1]:.4f}", "t0 strong"))
    title = "Loss per cell against seconds, Adult, k = 10: our search beats every other method"
    told = "; ".join(f"{name}: {loss:.4f} in {seconds:.2f} s" for name, (seconds, loss) in points.items())
    return svg.Picture("curve", title, f"{told}.", WIDTH, HEIGHT, tuple(parts)).svg


def _axes(across: svg.Scale, up: svg.Scale, losses: list[float]) -> Iterator[svg.Svg]:
    for loss in losses:
        yield svg.line(LEFT, up(loss), WIDTH - RIGHT, up(loss), "grid")
        yield svg.text(LEFT - 8, up(loss) + 4, f"{loss:.2f}", "end")
    for seconds in (0.1, 1, 10):
        yield svg.line(across(seconds), HEIGHT - BOTTOM, across(seconds), TOP, "grid")
        yield svg.text(across(seconds), HEIGHT - BOTTOM + 16, f"{seconds:g} s", "mid")
    yield svg.text(LEFT, TOP - 8, f"loss per cell ({LOSS}), 30,162 rows, k = {K}")
    yield svg.text(WIDTH - RIGHT, HEIGHT - 8, "seconds of the clustering step, 2 cores", "end")


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
