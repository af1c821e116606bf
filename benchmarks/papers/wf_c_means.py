# SPDX-License-Identifier: Apache-2.0
"""Chiu and Tsai 2007: WF-C-means against single, complete and average link on Iris, Wine and Zoo."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Any

from benchmarks.papers.claims import Verdict, between, falls, of_settings, rises
from benchmarks.papers.figures import Figures
from benchmarks.papers.paper import Chart, Paper
from benchmarks.papers.running import Cell, Effort, clustered
from benchmarks.tables import DATA
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded
from shoal.judging.evidence import Evidence
from shoal.judging.metrics import distortion, nearest_neighbour_error
from shoal.plan.plan import Plan
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from shoal.tables.table import Table

WF, LINKS = "WF-C-means", ("single", "complete", "average")
RESTRICTED, CUT = "", ", cut"
"""How a link's name ends: classes of k are not joined with each other, or the dendrogram is cut where all have k."""
METHODS: dict[str, tuple[str, dict[str, Any]]] = {WF: ("wf_c_means", {})} | {
    f"{link}{stop}": ("linkage", {"link": link, "stop": "cut" if stop else "restricted"})
    for stop, link in product((RESTRICTED, CUT), LINKS)
}
ROWS = {"Iris": 150, "Wine": 178, "Zoo": 101, "Lung-Cancer": 32}
COLUMNS = {"Iris": 4, "Wine": 13, "Zoo": 16, "Lung-Cancer": 56}
FIGURED = ("Iris", "Wine", "Zoo")
"""The tables of figures 4 and 5."""
RAW, SHARES = "raw", "range"
"""Numbers as they are, as the paper's seem to be, or as shares of their range."""
KS, TABLE_K = (2, 4, 8, 16), 3
PRINTED = {
    "Iris": (4.47, 6.67, 8.67, 9.33, 6.00),
    "Wine": (15.73, 17.42, 22.47, 21.91, 19.66),
    "Lung-Cancer": (56.25, 59.38, 65.63, 62.50, 62.50),
}
"""Table 1: errors in per cent of the original, WF-C-means, and the three links; its "Zoo" read as Lung-Cancer."""


def cells(effort: Effort) -> Iterator[Cell]:
    """Figures 4 and 5: k; Table 1: k = 3."""
    for name, scale, method in product(ROWS, (RAW, SHARES), METHODS):
        for k in (*effort.some(KS), TABLE_K):
            yield Cell(f"{name}, {scale}", method, k, COLUMNS[name], effort.part(ROWS[name]))


def run(cell: Cell, seed: int) -> dict[str, float]:
    """Distortion of one run, by its own weights and by equal ones, its error, that of the original, CPU seconds."""
    table, plan, encoded = _prepared(cell.table.partition(",")[0])
    raw = cell.table.endswith(RAW)
    method, parameters = METHODS[cell.method]
    scaled = {"scale": "none" if raw else "range", **parameters}
    found, seconds = clustered(encoded, method, cell.k, seed, **scaled)
    learnt = dict(zip(plan.quasi_identifiers, found.weights))
    evidence = Evidence(table, table, plan, found.labels, learnt=learnt)
    moved, wrong = distortion.measure(evidence), nearest_neighbour_error.measure(evidence)
    equal = moved.value if raw else moved.figures["of_range"]
    return {
        "own": moved.figures.get("weighted" if raw else "weighted_of_range", equal),
        "equal": equal,
        "error": 100 * wrong.value,
        "original": 100 * wrong.figures[f"original {PRIVATE}"],
        "classes": float(len(found.sizes)),
        "cpu_seconds": seconds,
    }


PRIVATE = "class"


@lru_cache(maxsize=4)
def _prepared(name: str) -> tuple[Table, Plan, Encoded]:
    table = _table(name)
    names = [column for column in table.names if column != PRIVATE]
    kinds = dict.fromkeys(names, "numeric")
    plan = complete(Plan.of(2, quasi_identifiers=names, sensitive=[PRIVATE], kinds=kinds, method="wf_c_means"), table)
    return table, plan, encode(table, plan).unitless


def _table(name: str) -> Table:
    """All features as numbers, and the class."""
    if name in ("Iris", "Wine"):
        from sklearn import datasets

        bunch = datasets.load_iris() if name == "Iris" else datasets.load_wine()
        features, classes = dict(zip(bunch.feature_names, bunch.data.T.copy())), bunch.target
    else:
        table, private = _zoo() if name == "Zoo" else _lungs()
        features = {column: table.numbers(column).values for column in table.names if column != private}
        classes = table.numbers(private).values
    return Table.from_columns({**features, PRIVATE: [str(int(one)) for one in classes]})


def _zoo() -> tuple[Table, str]:
    return read_table(DATA / "zoo" / "zoo.csv").table.without(["animal_name"]), "type"


def _lungs() -> tuple[Table, str]:
    reading = Reading(header=False, columns=(PRIVATE, *(f"f{number}" for number in range(1, 57))), na=("?",))
    return read_table(DATA / "lung-cancer" / "lung-cancer.data", reading).table, PRIVATE


# -- what the paper says ---------------------------------------------------------------------------------------


def _line(figures: Figures, table: str, method: str, figure: str) -> dict[float, float]:
    """A figure over the values of k of figures 4 and 5."""
    line = figures.where(table=table, method=method).line(figure, "k")
    return {k: value for k, value in line.items() if k != TABLE_K}


def _lowest(figures: Figures, figure: str, scale: str, stop: str) -> list[bool]:
    """Whether WF has the lowest figure, for each table and k."""
    found = []
    for name in FIGURED:
        table = f"{name}, {scale}"
        ours = _line(figures, table, WF, figure)
        rivals = [_line(figures, table, f"{link}{stop}", figure) for link in LINKS]
        found += [value < min(rival[k] for rival in rivals) for k, value in ours.items()]
    return found


def _in_all_readings(figures: Figures, figure: str) -> Verdict:
    """Whether WF is lowest, raw and as shares of ranges, against links of both kinds."""
    held = {
        (scale, stop): _lowest(figures, figure, scale, stop) for scale in (RAW, SHARES) for stop in (CUT, RESTRICTED)
    }
    told = ", ".join(
        f"{sum(flags)} of {len(flags)} {scale} against {'cut' if stop else 'restricted'}"
        for (scale, stop), flags in held.items()
    )
    return of_settings((flag for flags in held.values() for flag in flags), told)


def grows_with_k(figures: Figures) -> Verdict:
    lines = [_line(figures, f"{name}, {RAW}", method, "own") for name, method in product(FIGURED, (WF, *LINKS))]
    return of_settings(flag for line in lines for flag in rises(line))


def lowest_distortion(figures: Figures) -> Verdict:
    return _in_all_readings(figures, "own")


def lowest_by_equal_weights(figures: Figures) -> Verdict:
    return _in_all_readings(figures, "equal")


def _errors(figures: Figures, name: str, figure: str = "error", stop: str = RESTRICTED) -> dict[str, float]:
    """Figures of Table 1 on one table, raw: WF and the three links."""
    part = figures.where(table=f"{name}, {RAW}", k=TABLE_K)
    return {link or WF: part.where(method=f"{link}{stop}" if link else WF).one(figure) for link in ("", *LINKS)}


def _original(figures: Figures, name: str) -> float:
    return _errors(figures, name, "original")[WF]


def original_errors(figures: Figures) -> Verdict:
    found = {name: _original(figures, name) for name in PRINTED}
    told = ", ".join(f"{name} {found[name]:.2f} % (printed {PRINTED[name][0]:.2f})" for name in found)
    return of_settings((abs(found[name] - PRINTED[name][0]) < 0.01 for name in found), told)


def zoo_is_lung_cancer(figures: Figures) -> Verdict:
    zoo, lungs = _original(figures, "Zoo"), _original(figures, "Lung-Cancer")
    printed = PRINTED["Lung-Cancer"][0]
    told = f"printed {printed:.2f} %; Lung-Cancer {lungs:.2f} %, Zoo {zoo:.2f} %"
    return of_settings([abs(lungs - printed) < 0.01, abs(zoo - printed) > 1], told)


def best_on_wine_and_zoo(figures: Figures) -> Verdict:
    held, told = [], []
    for name in ("Wine", "Lung-Cancer"):
        found = _errors(figures, name)
        held += [found[WF] < found[link] for link in LINKS]
        told.append(f"{name}: " + ", ".join(f"{method} {error:.2f} %" for method, error in found.items()))
    return of_settings(held, "; ".join(told))


def second_on_iris(figures: Figures) -> Verdict:
    found = _errors(figures, "Iris")
    told = ", ".join(f"{method} {error:.2f} %" for method, error in found.items())
    return of_settings([found["average"] < found[WF], found[WF] < found["single"], found[WF] < found["complete"]], told)


def printed_errors_of_wf(figures: Figures) -> Verdict:
    """Within two standard deviations of our ten runs."""
    held, told = [], []
    for name, (_, printed, *_) in PRINTED.items():
        error, by = _errors(figures, name)[WF], _errors(figures, name, "error_spread")[WF]
        held.append(abs(error - printed) <= 2 * by)
        told.append(f"{name} {error:.2f} ± {by:.2f} % (printed {printed:.2f})")
    return of_settings(held, ", ".join(told))


def printed_errors_of_links(figures: Figures) -> Verdict:
    held = []
    for name, (_, _, *printed) in PRINTED.items():
        each = [_errors(figures, name, stop=stop) for stop in (RESTRICTED, CUT)]
        held += [any(abs(one[link] - error) < 0.01 for one in each) for link, error in zip(LINKS, printed)]
    return of_settings(held, "either way to stop")


def error_rises_lightly(figures: Figures) -> Verdict:
    more = {name: _errors(figures, name)[WF] - _original(figures, name) for name in PRINTED}
    told = ", ".join(f"{name} {points:+.2f} points" for name, points in more.items())
    return of_settings((0 <= points <= 5 for points in more.values()), told)


def time_falls_with_k(figures: Figures) -> Verdict:
    lines = [_line(figures, f"{name}, {RAW}", WF, "cpu_seconds") for name in FIGURED]
    told = between([line[max(line)] / line[min(line)] for line in lines], "{:.2f}")
    return of_settings((flag for line in lines for flag in falls(line)), f"the largest k over the smallest: {told}")


def links_do_not_fall(figures: Figures) -> Verdict:
    lines = [_line(figures, f"{name}, {RAW}", link, "cpu_seconds") for name, link in product(FIGURED, LINKS)]
    told = between([line[max(line)] / line[min(line)] for line in lines], "{:.2f}")
    return of_settings((not flag for line in lines for flag in falls(line)), f"the largest k over the smallest: {told}")


def below_ten_seconds(figures: Figures) -> Verdict:
    spent = [row["cpu_seconds"] for row in figures.where(method=WF).rows]
    return of_settings((seconds < 10 for seconds in spent), f"at most {max(spent):.4f} CPU seconds")


def _charts() -> Iterator[Chart]:
    words = {"own": "by learnt weights (Fig. 4)", "equal": "by equal weights"}
    for name, scale, figure in product(FIGURED, (RAW, SHARES), words):
        slug, title = f"{figure}-{scale}-{name.lower()}", f"{name}, {scale}: distortion {words[figure]}"
        yield Chart(slug, title, figure, "k", {"table": f"{name}, {scale}"}, "distortion", pictured=scale == RAW)
    for name in ROWS:
        where = {"table": f"{name}, {RAW}"}
        yield Chart(f"error-{name.lower()}", f"{name}: error of the nearest neighbour", "error", "k", where, "per cent")
    for name in FIGURED:
        where = {"table": f"{name}, {RAW}"}
        yield Chart(f"time-{name.lower()}", f"{name}: time (Fig. 5)", "cpu_seconds", "k", where, "CPU seconds")


PAPER = Paper.told("wf_c_means", globals(), drawn=lambda method: method == WF, charts=_charts())
