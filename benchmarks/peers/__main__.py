# SPDX-License-Identifier: Apache-2.0
"""``make bench-peers``: every peer beside ours on Adult; figures into docs/peers.csv, tables into two pages.

First two small tables, to see how a peer grows, then the whole, and some rows of the table with its missing values; at
last the whole for those who take long. ``python -m benchmarks.peers page`` writes the pages again from the figures.
What is in the file already is not measured again: delete it to begin anew.
"""

from __future__ import annotations

import csv
import math
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, fields

from benchmarks.peers.running import CPU_SECONDS, OURS, Outcome, Peer, absent, measured, peers
from benchmarks.tables import ADULT, ROOT, Bench, adult_all

KS = (10, 5, 50, 100)
SIZES = (1000, 2000)
ADULT_ROWS = 30_162
NOT_RUN = "not run"
LONG = 60
"""CPU seconds from which on a run waits for the others."""
HOLES = Bench("adult-holes", adult_all, ADULT.quasi_identifiers, ADULT.numeric, hierarchies=ADULT.hierarchies)
HOLES_ROWS, K = 3000, 10
FIGURES = ROOT / "docs" / "peers.csv"
PAGES = (ROOT / "docs" / "peers.md", ROOT / "docs" / "performance.md")
PART = re.compile(r"(<!-- (\w+): written by make bench-peers -->\n).*?(<!-- end -->)", re.DOTALL)
HEADS = ("part", "program", "option", "asked", *(one.name for one in fields(Outcome)))
Key = tuple[str, Peer, int, int]
"""Part, peer, k asked for, rows."""
Figures = dict[Key, Outcome]


def runs(done: Collection[Key]) -> Iterator[tuple[Key, Outcome]]:
    """All runs that are not done: small tables, the whole, some rows with holes; at last what will take long."""
    for k in KS:
        for peer in peers():
            for rows in SIZES if peer.program != OURS else ():
                if ("growth", peer, k, rows) not in done:
                    yield ("growth", peer, k, rows), measured(peer, ADULT, k, rows)
    yield from wholes(done, long=False)
    for peer in peers():
        if ("holes", peer, K, HOLES_ROWS) not in done:
            yield ("holes", peer, K, HOLES_ROWS), measured(peer, HOLES, K, HOLES_ROWS)
    yield from wholes(done, long=True)


def wholes(done: Collection[Key], *, long: bool) -> Iterator[tuple[Key, Outcome]]:
    """Runs of the whole table; a peer whose growth says that it would need over ten minutes is spared it."""
    for k in KS:
        for peer in peers():
            expected = expectation(figures(), peer, k)
            if ("whole", peer, k, ADULT_ROWS) in done or (expected > LONG) is not long:
                continue
            yield (
                ("whole", peer, k, ADULT_ROWS),
                not_run(expected) if expected > CPU_SECONDS else measured(peer, ADULT, k),
            )


def not_run(expected: float) -> Outcome:
    """The outcome of a run that was spared."""
    return Outcome(ADULT_ROWS, trouble=f"{NOT_RUN}, its growth foretells {expected / 60:,.0f} minutes")


def expectation(found: Figures, peer: Peer, k: int) -> float:
    """CPU seconds that a peer will take for the whole table; nothing of ours."""
    return forecast([found["growth", peer, k, rows] for rows in SIZES if ("growth", peer, k, rows) in found])


def forecast(grown: Sequence[Outcome]) -> float:
    """CPU seconds on the whole table, if they go on to grow as between the last two sizes."""
    if len(grown) < 2 or any(one.trouble for one in grown):
        return 0.0
    (less, more), (before, after) = zip(*((one.rows, one.cpu_seconds) for one in grown[-2:]))
    return float(after * (ADULT_ROWS / more) ** (math.log(after / before) / math.log(more / less)))


def run_all() -> None:
    """Measure what is not there yet; each figure is kept as soon as it is known."""
    for one in absent():
        print(one, flush=True)
    if not FIGURES.is_file():
        FIGURES.write_text(",".join(HEADS) + "\n", encoding="utf-8")
    for (part, peer, k, _), outcome in runs(figures()):
        rounded = [round(one, 5) if isinstance(one, float) else one for one in asdict(outcome).values()]
        with FIGURES.open("a", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow([part, peer.program, peer.option, k, *rounded])
        print(part, peer.title, k, outcome, flush=True)


def figures() -> Figures:
    """What was measured."""
    found: Figures = {}
    with FIGURES.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            kinds = {"rows": int, "k": int, "rows_lost": int, "trouble": str}
            read = {one.name: kinds.get(one.name, float)(line[one.name]) for one in fields(Outcome)}
            outcome = Outcome(**read)  # type: ignore[arg-type]
            found[line["part"], Peer(line["program"], line["option"]), int(line["asked"]), outcome.rows] = outcome
    return found


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of a page."""
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, ["---"] * len(heads), *rows])


def whole(found: Figures) -> str:
    """One table per k, least loss first."""
    parts = []
    for k in sorted({asked for part, _, asked, _ in found if part == "whole"}):
        here = {
            peer: not_run(expectation(found, peer, k))
            for part, peer, asked, _ in found
            if asked == k and part != "holes"
        }
        here |= {peer: one for (part, peer, asked, _), one in found.items() if part == "whole" and asked == k}
        rows = [line(peer, one) for peer, one in sorted(here.items(), key=lambda pair: order(pair[1]))]
        heads = ("", "loss per cell", "k reached", "rows lost", "CPU seconds", "seconds", "peak MiB")
        parts += [f"**k = {k}**", table(heads, rows), verdict(here)]
    return "\n\n".join(parts)


def order(outcome: Outcome) -> float:
    """Least loss first, what did not finish last."""
    return math.inf if outcome.trouble else outcome.loss


def line(peer: Peer, one: Outcome) -> list[str]:
    """A row of a table; ours is set in bold type."""
    name = f"**{peer.title}**" if peer.program == OURS else peer.title
    if one.trouble:
        return [name, one.trouble if one.trouble.startswith(NOT_RUN) else f"did not finish: {one.trouble}", *[""] * 5]
    spent = (f"{one.cpu_seconds:.2f}", f"{one.seconds:.2f}", f"{one.peak_mib:.0f}")
    return [name, f"{one.loss:.4f}", str(one.k), f"{one.rows_lost:,}", *spent]


def verdict(here: dict[Peer, Outcome]) -> str:
    """Whether every peer is beaten in loss, and in time by a method of ours that loses no more; computed."""
    ours = [one for peer, one in here.items() if peer.program == OURS and not one.trouble]
    others = {peer: one for peer, one in here.items() if peer.program != OURS and not one.trouble}
    lower = [peer.title for peer, one in others.items() if one.loss <= min(mine.loss for mine in ours)]
    faster = [
        peer.title
        for peer, one in others.items()
        if not any(mine.loss <= one.loss and mine.cpu_seconds < one.cpu_seconds for mine in ours)
    ]
    said = f"Every peer loses more than ours{' but ' + ', '.join(lower) if lower else ''}; "
    return said + f"at its loss or less, ours is faster than every peer{' but ' + ', '.join(faster) if faster else ''}."


def growth(found: Figures) -> str:
    """CPU seconds by rows."""
    told: dict[str, list[str]] = {}
    for (part, peer, k, _), one in found.items():
        if k == K and peer.program != OURS and part != "holes":
            told.setdefault(peer.title, []).append(one.trouble or f"{one.cpu_seconds:.2f}")
    sizes = [f"{rows:,} rows" for rows in (*SIZES, ADULT_ROWS)]
    return table(
        ("CPU seconds", *sizes),
        [[title, *cells, *["not run"] * (len(sizes) - len(cells))] for title, cells in told.items()],
    )


def holes(found: Figures) -> str:
    """What becomes of missing values; losses are not told, since not every peer says which sets hold a missing one."""
    here = {peer: one for (part, peer, _, _), one in found.items() if part == "holes"}
    rows = [[line(peer, one)[0], one.trouble or str(one.k), f"{one.rows_lost:,}"] for peer, one in here.items()]
    return table(("", "k reached", "rows lost"), rows)


def ours(found: Figures) -> str:
    """What we spend on the whole table, quickest first."""
    here = {
        peer: one for (part, peer, k, _), one in found.items() if part == "whole" and k == K and peer.program == OURS
    }
    rows = [
        [peer.option, f"{one.cpu_seconds:.2f}", f"{one.peak_mib:.0f}", f"{one.loss:.4f}"]
        for peer, one in sorted(here.items(), key=lambda pair: pair[1].cpu_seconds)
    ]
    return table(("method", "CPU seconds", "peak MiB", "loss per cell"), rows)


def write_pages() -> None:
    """The tables of the pages."""
    found, parts = figures(), {"whole": whole, "growth": growth, "holes": holes, "ours": ours}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        text = PART.sub(lambda part: f"{part[1]}\n{parts[part[2]](found)}\n\n{part[3]}", text)
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["page"]:
        run_all()
    write_pages()
