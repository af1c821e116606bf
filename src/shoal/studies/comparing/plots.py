# SPDX-License-Identifier: Apache-2.0
"""The pictures of a comparison: loss against k, loss against time, loss per column; and of an attribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shoal.ground.svg import COLOURS, Picture, Scale, Svg, box, decades, dot, line, path, spread, text, ticks, width_of
from shoal.ground.wording import percent, seconds, shortened
from shoal.studies.comparing.grid import CHANGES
from shoal.studies.comparing.labels import Spot, beside
from shoal.studies.comparing.standing import Standing, winner

if TYPE_CHECKING:
    from shoal.studies.comparing.attribution import Attribution
    from shoal.studies.comparing.comparison import Comparison

WIDTH, TOP, LEFT, RIGHT = 820, 64, 64, 190
ROW = 17
"""Height of a label."""
BAR = 26
"""Height of a row of bars."""
FASTEST = 0.001
"""Shorter times are drawn here."""
ABOUT = "no grouping of all rows, shown as ranges and tree names,"
"""What the lower bound is about."""
CHANGED = {"drop": "dropped", "bin": "binned", "halve": "half weight"}


# -- loss against k ------------------------------------------------------------------------------------------


def loss_k(comparison: Comparison) -> Picture:
    """A line per method, the lower bound dashed with the ground below it, out of reach of what it is about."""
    by_k = {k: each for k, each in sorted(comparison.standings.items()) if each}
    inks = _inks(comparison)
    lines = {method: [one for each in by_k.values() for one in each if one.method == method] for method in inks}
    bounds = [(k, bound) for k, bound in sorted(comparison.bounds.items()) if bound is not None]
    highest = max([one.loss for each in lines.values() for one in each] + [bound for _, bound in bounds], default=1.0)
    height = max(300, ROW * (len(lines) + 1)) + 20
    bottom = TOP + height
    ks = sorted(comparison.bounds)
    across = Scale(ks[0], ks[-1], LEFT + 14, WIDTH - RIGHT - 14, log=True)
    up = Scale(0.0, ticks(highest)[-1], bottom, TOP)
    parts = [*_ground(up, highest), *_ticks_of_k(across, ks, bottom)]
    ends: list[tuple[str, float, float, str]] = []
    if bounds:
        at = [(across(k), up(bound)) for k, bound in bounds]
        parts.append(path([(at[0][0], bottom), *at, (at[-1][0], bottom)], "never"))
        parts.append(path(at, "bound", f"lower bound: {ABOUT} loses less"))
        ends.append(("lower bound", *at[-1], "strong"))
    for method in reversed(inks):  # the best are drawn last, on top
        each, ink = lines[method], inks[method]
        places = [(across(one.k), up(one.loss)) for one in each]
        bold = " bold" if ink == 0 else ""
        parts.append(path(places, f"line {_stroke(ink)}{bold}", method))
        parts += [dot(*at, 4, f"{_fill(ink)} ring", _tip(one)) for at, one in zip(places, each)]
        ends.append((method + _marks(each[-1], comparison.bounds.get(each[-1].k)), *places[-1], _ink(ink)))
    parts += _end_labels(ends, bottom)
    title = _title(comparison, f"Loss per cell ({comparison.loss}) against k")
    told = "; ".join(
        f"{method}: " + ", ".join(f"{percent(one.loss)} at k = {one.k}" for one in lines[method]) for method in inks
    )
    if bounds:
        told += "; lower bound: " + ", ".join(f"{percent(bound)} at k = {k}" for k, bound in bounds)
    return _picture(
        "loss-k", title, f"{comparison.loss}. {told}.", bottom + 56, parts, _note(comparison, drawn_bound=bool(bounds))
    )


def _end_labels(ends: Sequence[tuple[str, float, float, str]], bottom: float) -> list[Svg]:
    """Names at the ends of lines, pushed apart where they would touch."""
    right = WIDTH - RIGHT + 14
    parts = []
    for (name, x, y, ink), at in zip(ends, spread([y for _, _, y, _ in ends], ROW - 2, TOP, bottom)):
        parts.append(path([(x + 6, y), (right - 12, at), (right - 4, at)], "lead"))
        parts.append(text(right, at + 4, shortened(name, 24), ink))
    return parts


# -- loss against time ---------------------------------------------------------------------------------------


def loss_time(comparison: Comparison) -> Picture:
    """A panel per k, a point per method; the dotted line joins those that no other beats in both."""
    inks = _inks(comparison)
    by_k = {k: each for k, each in sorted(comparison.standings.items()) if each}
    times = [max(one.seconds, FASTEST) for each in by_k.values() for one in each] or [1.0]
    marks = decades(min(times) / 1.3, max(times) * 1.3)
    across = Scale(marks[0], marks[-1], LEFT, WIDTH - 24, log=True)
    tall = 200 + 5 * max((len(each) for each in by_k.values()), default=0)
    parts: list[Svg] = []
    top = TOP + 18
    for k, each in by_k.items():
        parts += _panel(k, each, comparison.bounds.get(k), across, marks, (top, top + tall), inks)
        top += tall + 66
    told = "; ".join(f"k = {k}: " + ", ".join(f"{_tip(one)}" for one in each) for k, each in by_k.items())
    return _picture(
        "loss-time",
        _title(comparison, f"Loss per cell ({comparison.loss}) against time"),
        told + ".",
        top,
        parts,
        _note(comparison, drawn_bound=any(comparison.bounds.values())),
    )


def _panel(
    k: int,
    each: Sequence[Standing],
    bound: float | None,
    across: Scale,
    marks: Sequence[float],
    span: tuple[float, float],
    inks: dict[str, int],
) -> list[Svg]:
    top, bottom = span
    highest = max(one.loss for one in each)
    up = Scale(0.0, ticks(highest)[-1], bottom, top)
    parts = [text(LEFT, top - 12, f"k = {k:,}", "strong"), *_ground(up, highest, WIDTH - 24)]
    for mark in marks:
        parts.append(line(across(mark), bottom, across(mark), bottom + 5, "axis"))
        parts.append(text(across(mark), bottom + 20, seconds(mark), "soft mid"))
    if bound is not None:
        parts.append(box(LEFT, up(bound), WIDTH - 24 - LEFT, bottom - up(bound), "never"))
        parts.append(line(LEFT, up(bound), WIDTH - 24, up(bound), "bound"))
    places = {one.method: (across(max(one.seconds, FASTEST)), up(one.loss)) for one in each}
    parts.append(path(_front([places[one.method] for one in each if not one.weaker]), "front"))
    spots = [Spot(shortened(one.method, 24) + _marks(one, bound), *places[one.method]) for one in each]
    taken = [(LEFT, up(bound) - 16, 90.0, 16.0), (LEFT, up(bound) - 1, WIDTH, 2.0)] if bound is not None else []
    for one, label in zip(each, beside(spots, (LEFT, top - 4, WIDTH - 8, bottom), taken)):
        x, y = places[one.method]
        if label.leader:
            parts.append(path([(x, y), label.leader], "lead"))
        parts.append(dot(x, y, 5, f"{_fill(inks[one.method])} ring", _tip(one)))
        parts.append(text(label.x, label.y, label.told, f"halo {_ink(inks[one.method])}"))
    if bound is not None:
        parts.append(text(LEFT + 6, up(bound) - 5, "lower bound", "strong"))
    return parts


def _front(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The staircase below which no method lies: from fast and coarse to slow and fine."""
    steps: list[tuple[float, float]] = []
    for x, y in sorted(places):
        if not steps or y > steps[-1][1]:  # further down the page is less loss
            if steps:
                steps.append((x, steps[-1][1]))
            steps.append((x, y))
    return steps or [(0.0, 0.0)]


# -- loss per column -----------------------------------------------------------------------------------------


def columns(comparison: Comparison) -> Picture:
    """A row of bars per method and k: how the loss falls on the quasi-identifiers."""
    names = comparison.quasi_identifiers
    by_k = {k: each for k, each in sorted(comparison.standings.items()) if each}
    largest = max((loss for each in by_k.values() for one in each for loss in one.per_column.values()), default=1.0)
    longest = max((width_of(shortened(name, 20)) for name in names), default=0.0)
    wide = max((WIDTH - 170) / max(len(names), 1), longest + 12) if len(names) > 3 else 150.0
    width = round(170 + wide * len(names) + 16)
    parts: list[Svg] = []
    top = float(TOP)
    for k, each in by_k.items():
        parts.append(text(LEFT - 48, top + 14, f"k = {k:,}", "strong"))
        parts += [text(170 + wide * place, top + 14, shortened(name, 20), "soft") for place, name in enumerate(names)]
        top += 24
        for row, one in enumerate(each):
            told = shortened(one.method, 20) + "*" * one.weaker
            parts.append(text(LEFT - 48, top + 14, told, "strong" if row == 0 else ""))
            for place, name in enumerate(names):
                parts += _bar(
                    170 + wide * place, top, wide - 12, one.per_column.get(name), largest, 0 if row == 0 else -1
                )
            top += BAR
        top += 18
    told = "; ".join(
        f"{one.method} at k = {k}: " + ", ".join(f"{name} {percent(loss)}" for name, loss in one.per_column.items())
        for k, each in by_k.items()
        for one in each
    )
    return _picture(
        "columns",
        _title(comparison, f"Loss per column ({comparison.loss})"),
        told + ".",
        top + 8,
        parts,
        _note(comparison, drawn_bound=False),
        width,
    )


def _bar(
    x: float, y: float, wide: float, value: float | None, largest: float, ink: int, mark: float | None = None
) -> list[Svg]:
    """A bar on its track with the number above; a mark stands where the value was before."""
    if value is None:
        return [text(x, y + 12, "–", "soft")]
    share = value / largest if largest else 0.0
    parts = [
        text(x, y + 11, percent(value), "" if ink >= 0 else "dimt"),
        box(x, y + 15, wide, 6, "track"),
        box(x, y + 15, max(wide * share, 0.0), 6, _fill(ink)),
    ]
    if mark is not None and largest:
        at = x + wide * mark / largest
        parts.append(line(at, y + 12, at, y + 24, "mark"))
    return parts


# -- attribution ---------------------------------------------------------------------------------------------


def attribution(costs: Attribution) -> Picture:
    """A row per quasi-identifier: its own loss, and the loss of the others before (mark) and after each change."""
    names = sorted(costs.per_column, key=lambda name: -_given_back(costs, name))
    others = [one.others for one in costs.effects if one.others is not None]
    before = [one.others_before for one in costs.effects if one.others_before is not None]
    largest = max([*others, *before], default=1.0)
    own = max((loss for loss in costs.per_column.values() if loss is not None), default=1.0)
    wide, first = 150.0, 190.0
    heads = ["its own loss", *(f"others, if {CHANGED[change]}" for change in CHANGES)]
    parts = [text(first + wide * place, TOP + 14, head, "soft") for place, head in enumerate(heads)]
    top = TOP + 26.0
    for row, name in enumerate(names):
        parts.append(text(LEFT - 48, top + 14, shortened(name, 20), "strong" if row == 0 else ""))
        parts += _bar(first, top, wide - 16, costs.per_column[name], own, -1)
        for place, change in enumerate(CHANGES, 1):
            effect = costs.effect(name, change)
            after, was = (effect.others, effect.others_before) if effect else (None, None)
            better = after is not None and was is not None and after < was
            parts += _bar(first + wide * place, top, wide - 16, after, largest, 0 if better else -1, was)
        top += BAR + 4
    title = f"What each column costs the others: {costs.method}, k = {costs.k:,}"
    told = " ".join(costs.findings)
    note = "The upright mark is the loss of the other columns as it is; a bar that ends before it shows a gain."
    return _picture("attribution", title, told, top + 6, parts, note, round(first + 4 * wide + 10))


def _given_back(costs: Attribution, name: str) -> float:
    effect = costs.effect(name, "drop")
    return (effect.gives_back if effect else None) or -1.0


# -- common --------------------------------------------------------------------------------------------------


def _inks(comparison: Comparison) -> dict[str, int]:
    """Methods by their mean rank over all k; the first few have a colour, the others are grey (-1)."""
    places: dict[str, list[int]] = {}
    for each in comparison.standings.values():
        for place, one in enumerate(each):
            places.setdefault(one.method, []).append(place)
    ranked = sorted(places, key=lambda method: (sum(places[method]) / len(places[method]), method))
    return {method: place if place < COLOURS else -1 for place, method in enumerate(ranked)}


def _stroke(ink: int) -> str:
    return f"s{ink}" if ink >= 0 else "dim"


def _fill(ink: int) -> str:
    return f"f{ink}" if ink >= 0 else "dimf"


def _ink(ink: int) -> str:
    return f"t{ink}" + " strong" * (ink == 0) if ink >= 0 else "dimt"


def _tip(one: Standing) -> str:
    return f"{one.method}, k = {one.k}: {percent(one.loss)} in {seconds(one.seconds)}"


def _ground(up: Scale, highest: float, right: float = WIDTH - RIGHT) -> list[Svg]:
    parts = []
    for mark in ticks(highest):
        parts.append(line(LEFT, up(mark), right, up(mark), "axis" if mark == 0 else "grid"))
        parts.append(text(LEFT - 8, up(mark) + 4, percent(mark), "soft end"))
    return parts


def _ticks_of_k(across: Scale, ks: Sequence[int], bottom: float) -> list[Svg]:
    parts, free = [text((LEFT + WIDTH - RIGHT) / 2, bottom + 42, "k, least number of look-alikes", "soft mid")], 0.0
    for k in ks:
        at, half = across(k), width_of(f"{k:,}") / 2
        parts.append(line(at, bottom, at, bottom + 5, "axis"))
        if at - half >= free:
            parts.append(text(at, bottom + 20, f"{k:,}", "soft mid"))
            free = at + half + 4
    return parts


def _title(comparison: Comparison, what: str) -> str:
    best = {one.method for each in comparison.standings.values() if (one := winner(each))}
    return f"{what}: {best.pop()} loses least" if len(best) == 1 else what


def _note(comparison: Comparison, *, drawn_bound: bool) -> str:
    marks = {one.marks for each in comparison.standings.values() for one in each}
    bound = f"Dashed: {ABOUT} can be below. " if drawn_bound else ""
    apart = "† shows or leaves out something else. " * ("†" in marks and drawn_bound)
    return (bound + apart + "* publishes less than one k-anonymous table" * ("*" in marks)).strip()


def _marks(one: Standing, bound: float | None) -> str:
    """What stands behind a name; a dagger only where a bound is drawn."""
    return one.marks if bound is not None else "*" * one.weaker


def _picture(
    name: str, title: str, told: str, height: float, parts: Sequence[Svg], note: str = "", width: int = WIDTH
) -> Picture:
    heads = [text(16, 28, title, "head")]
    if note:
        heads.append(text(16, 48, note, "soft"))
    return Picture(name, title, told, width, round(height), (*heads, *parts))
