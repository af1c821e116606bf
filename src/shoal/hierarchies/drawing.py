# SPDX-License-Identifier: Apache-2.0
"""A hierarchy as a picture: one SVG file, root at the left, values at the right; light and dark by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from shoal.ground.svg import Picture, Svg, dot, element, joined, path, text
from shoal.ground.wording import shortened
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.outline import children_of, node_rows

ROW, MARGIN, HEAD, GAP = 20, 16, 44, 26
"""Heights of a line, of the border and of the title, and the width between two levels."""
LETTER = 7.2
"""About how wide a letter is."""
LONGEST = 36


class _Node(NamedTuple):
    """One node in the picture, on a line of its own."""

    label: str
    told: str
    level: int
    line: int
    parent: int
    is_group: bool

    @property
    def x(self) -> float:
        return float(MARGIN + self.level * GAP)

    @property
    def y(self) -> float:
        return HEAD + self.line * ROW + ROW / 2


def draw(tree: Hierarchy, counts: Mapping[str, int] | None = None, *, title: str = "hierarchy", most: int = 40) -> str:
    """The picture as SVG; of a node with many children only the first are drawn, and the others counted."""
    nodes = _placed(tree, counts, most)
    widths = [node.x + 14 + LETTER * len(f"{node.label}  {node.told}") for node in nodes]
    width, height = int(max([*widths, LETTER * 1.3 * len(title)]) + 2 * MARGIN), HEAD + len(nodes) * ROW + MARGIN
    parts = [text(MARGIN, 26, title, "head")]
    for node in nodes[1:]:
        above = nodes[node.parent]
        parts.append(path(f"M{above.x + 5:.1f} {above.y:.1f} V{node.y:.1f} H{node.x:.1f}", "branch"))
    for node in nodes:
        parts += _drawn(node)
    described = f"A tree of {tree.n_leaves} values in {tree.levels} levels, from the root at the left to the values."
    return Picture("tree", title, described, width, height, tuple(parts)).svg


def _placed(tree: Hierarchy, counts: Mapping[str, int] | None, most: int) -> list[_Node]:
    """Every node that is drawn, each on a line of its own, parents above their children."""
    children = children_of(tree)
    rows = node_rows(tree, counts) if counts is not None else None
    nodes: list[_Node] = []
    waiting: list[tuple[int, int, str]] = [(0, -1, "")]
    while waiting:
        node, parent, hidden = waiting.pop()
        here, level = len(nodes), 0 if parent < 0 else nodes[parent].level + 1
        if hidden:
            nodes.append(_Node(hidden, "", level, here, parent, False))
            continue
        told = "" if rows is None else f"{int(rows[node]):,} rows"
        label = shortened(tree.labels[node], LONGEST)
        nodes.append(_Node(label, told, level, here, parent, bool(children[node])))
        shown = children[node][:most]
        if len(shown) < len(children[node]):
            waiting.append((0, here, f"… {len(children[node]) - len(shown)} more"))
        waiting += [(child, here, "") for child in reversed(shown)]
    return nodes


def _drawn(node: _Node) -> tuple[Svg, Svg]:
    style, radius = ("group", 5) if node.is_group else ("leaf", 3)
    rows = (" ", element("tspan", node.told, class_="soft", dx=8)) if node.told else ()
    return dot(node.x + 5, node.y, radius, style), text(node.x + 16, node.y + 4, joined((node.label, *rows)))
