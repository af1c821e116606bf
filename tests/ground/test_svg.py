# SPDX-License-Identifier: Apache-2.0
"""Drawing: what is written stays text, and scales hold what they should."""

from __future__ import annotations

import itertools
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from shoal.ground.svg import Picture, Svg, decades, dot, element, joined, path, spread, text, ticks

XML = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"]), min_size=1)


@given(XML, XML)
def test_whatever_is_written_is_read_back(told: str, named: str) -> None:
    """Texts and attributes come out of a strict reader as they went in, whatever they hold."""
    read = ElementTree.fromstring(element("text", told, id=named))
    assert (read.text, read.attrib["id"]) == (told, named)


def test_only_what_was_drawn_is_placed_as_it_is() -> None:
    """A text that looks like an element is a text; an element stays one."""
    assert joined(["<b>", element("g")]) == "&lt;b&gt;<g/>"
    assert joined([joined(["<b>"])]) == "&lt;b&gt;"
    assert isinstance(joined(["<b>"]), Svg)


def test_a_picture_is_described_and_well_formed() -> None:
    """Title, description and tips are there for those who cannot see it, and hold what they were given."""
    nasty = '</svg><script>alert("1")</script>'
    parts = (text(1, 2, nasty), dot(1.0, 2.0, 3, "ring", nasty), path([(0, 0), (1, 1)], "line", nasty))
    read = ElementTree.fromstring(Picture("p", nasty, nasty, 10, 20, parts).svg)
    names = [one.tag.rpartition("}")[2] for one in read.iter()]
    assert names == ["svg", "title", "desc", "style", "rect", "text", "circle", "title", "path", "title"]
    assert read.attrib["aria-labelledby"] == "p-title p-desc"
    assert [one.text for one in read.iter() if one.tag.endswith(("title", "desc", "text"))] == [nasty] * 5


@given(st.lists(st.floats(0, 400), min_size=1, max_size=25))
def test_labels_are_spread(wanted: list[float]) -> None:
    """Labels keep their order, their distance and the ground."""
    placed = spread(wanted, 15, 0, 400)
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    assert all(placed[b] - placed[a] >= 15 - 1e-6 for a, b in itertools.pairwise(order))
    assert max(placed) <= 400 + 1e-6


@given(st.floats(1e-6, 1e6))
def test_ticks_reach_the_value(high: float) -> None:
    """The ground is as high as the highest value, and there are few lines."""
    marks = ticks(high)
    assert marks[0] == 0
    assert marks[-1] >= high * (1 - 1e-9)
    assert len(marks) <= 8


@given(st.floats(1e-4, 1e4), st.floats(1.0, 1e4))
def test_decades_hold_both_ends(low: float, ratio: float) -> None:
    """The time axis reaches from below the fastest to above the slowest."""
    marks = decades(low, low * ratio)
    assert marks[0] <= low * (1 + 1e-6)
    assert marks[-1] >= low * ratio * (1 - 1e-6)
    assert marks == sorted(marks)
