# SPDX-License-Identifier: Apache-2.0
"""A hierarchy as a picture: one SVG file, root at the left, values at the right; light and dark by itself."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import NamedTuple

from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.outline import children_of, node_rows

ROW, MARGIN, HEAD, GAP = 20, 16, 44, 26
"""Heights of a line, of the border and of the title, and the width between two levels."""
LETTER = 7.2
"""About how wide a letter is."""
LONGEST = 36
STYLE = (
    "svg{font:12px system-ui,'DejaVu Sans',sans-serif}.paper{fill:#fff}text{fill:#1b1f24}.soft{fill:#4b5560}"
    ".head{font-size:15px;font-weight:600}.branch{fill:none;stroke:#98a2ad;stroke-width:1.2}"
    ".group{fill:#1a66a8}.leaf{fill:#868e99}"
    "@media (prefers-color-scheme:dark){.paper{fill:#14181d}text{fill:#e8ecf1}.soft{fill:#b4bdc8}"
    ".branch{stroke:#66717d}.group{fill:#6cb4f2}.leaf{fill:#7d8793}}"
)


class _Spot(NamedTuple):
    """One node in the picture."""

    label: str
    told: str
    level: int
    line: float
    parent: int
    is_group: bool


def draw(tree: Hierarchy, counts: Mapping[str, int] | None = None, *, title: str = "hierarchy", most: int = 40) -> str:
    """The picture as SVG; of a node with many children only the first are drawn, and the others counted."""
    spots = _placed(tree, counts, most)
    lefts = _lefts(spots)
    lines = max((spot.line for spot in spots), default=0) + 1
    widths = [lefts[spot.level] + 14 + LETTER * len(f"{spot.label}  {spot.told}") for spot in spots]
    width, height = int(max([*widths, LETTER * 1.3 * len(title)]) + 2 * MARGIN), int(HEAD + lines * ROW + MARGIN)
    parts = [f'<text class="head" x="{MARGIN}" y="26">{escape(title)}</text>']
    for spot in spots:
        x, y = lefts[spot.level], _y(spot.line)
        if spot.parent >= 0:
            above = spots[spot.parent]
            bend = lefts[above.level] + 5
            parts.append(f'<path class="branch" d="M{bend:.1f} {_y(above.line):.1f} V{y:.1f} H{x:.1f}"/>')
    for spot in spots:
        parts.append(_node(spot, lefts[spot.level]))
    described = f"A tree of {tree.n_leaves} values in {tree.levels} levels, from the root at the left to the values."
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" aria-labelledby="tree-title tree-desc"><title id="tree-title">{escape(title)}</title>'
        f'<desc id="tree-desc">{escape(described)}</desc><style>{STYLE}</style>'
        f'<rect class="paper" width="{width}" height="{height}"/>{"".join(parts)}</svg>\n'
    )


def _placed(tree: Hierarchy, counts: Mapping[str, int] | None, most: int) -> list[_Spot]:
    """Every node that is drawn, each on a line of its own, parents above their children."""
    children = children_of(tree)
    rows = node_rows(tree, counts) if counts is not None else None
    spots: list[_Spot] = []
    waiting: list[tuple[int, int, str]] = [(0, -1, "")]
    while waiting:
        node, parent, hidden = waiting.pop()
        level = 0 if parent < 0 else spots[parent].level + 1
        if hidden:
            spots.append(_Spot(hidden, "", level, len(spots), parent, False))
            continue
        told = "" if rows is None else f"{int(rows[node]):,} rows"
        spots.append(_Spot(_short(tree.labels[node]), told, level, len(spots), parent, bool(children[node])))
        here = len(spots) - 1
        shown = children[node][:most]
        if len(shown) < len(children[node]):
            waiting.append((0, here, f"… {len(children[node]) - len(shown)} more"))
        waiting += [(child, here, "") for child in reversed(shown)]
    return spots


def _lefts(spots: list[_Spot]) -> list[float]:
    deepest = max((spot.level for spot in spots), default=0)
    return [MARGIN + level * GAP for level in range(deepest + 1)]


def _node(spot: _Spot, x: float) -> str:
    y = _y(spot.line)
    told = f' <tspan class="soft" dx="8">{escape(spot.told)}</tspan>' if spot.told else ""
    style, radius = ("group", 5) if spot.is_group else ("leaf", 3)
    return (
        f'<circle class="{style}" cx="{x + 5:.1f}" cy="{y:.1f}" r="{radius}"/>'
        f'<text x="{x + 16:.1f}" y="{y + 4:.1f}">{escape(spot.label)}{told}</text>'
    )


def _y(line: float) -> float:
    return HEAD + line * ROW + ROW / 2


def _short(label: str) -> str:
    return label if len(label) <= LONGEST else label[: LONGEST - 1] + "…"
