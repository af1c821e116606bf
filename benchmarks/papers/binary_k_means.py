# SPDX-License-Identifier: Apache-2.0
"""He et al. 2012: CB, binary k-means, against NH, non-homogeneous generalisation, on census tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from benchmarks.clustering import loss_and_classes
from benchmarks.papers.claims import Verdict, between, falls, gaps, of_settings, ratios, rises
from benchmarks.papers.figures import Figures
from benchmarks.papers.paper import SMALLEST, Chart, Paper
from benchmarks.papers.running import Cell, Effort, clustered
from benchmarks.papers.synthetic import INC, SAL, people
from benchmarks.tables import ACS, CENSUS
from shoal.engine.encoding.encode import complete, encode
from shoal.engine.encoding.encoded import Encoded
from shoal.plan.plan import Plan
from shoal.tables.sources import read_table
from shoal.tables.table import Table

METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "CB": ("binary_k_means", {}),
    "NH": ("non_homogeneous", {}),
    "NH, curve": ("non_homogeneous", {"partition": "hilbert"}),
}
SAL_LIKE, INC_LIKE = "invented SAL", "invented INCOME"
CENSUS_LIKE, ACS_LIKE = CENSUS.name, ACS.name
INVENTED = (SAL_LIKE, INC_LIKE)
"""Run at every k with every number of columns; the real tables at every k or with every number of columns."""
MOST_ROWS = {SAL_LIKE: 500_000, INC_LIKE: 500_000, CENSUS_LIKE: 299_285, ACS_LIKE: 204_309}
"""How many rows there are, or were in the paper."""
KS, DEFAULT_K = (50, 100, 150, 200, 250), 100
WIDTHS, LARGEST_WIDTH = (3, 4, 5, 6), 7
DEFAULT_ROWS, SIZES = 100_000, (100_000, 200_000, 300_000, 400_000, 500_000)

CENSUS_COLUMNS = ("age", "sex", "education", "marital_stat", "race", "class_of_worker", "country_of_birth_self")
ACS_COLUMNS = ("age", "occupation", "industry", "sex", "education_level", "race", "economic_region", "marital")
EDUCATION = (
    "Children", "Less than 1st grade", "1st 2nd 3rd or 4th grade", "5th or 6th grade", "7th and 8th grade", "9th grade",
    "10th grade", "11th grade", "12th grade no diploma", "High school graduate", "Some college but no degree",
    "Associates degree-occup /vocational", "Associates degree-academic program", "Bachelors degree(BA AB BS)",
    "Masters degree(MA MS MEng MEd MSW MBA)", "Prof school degree (MD DDS DVM LLB JD)", "Doctorate degree(PhD EdD)",
)  # fmt: skip
"""The one text column whose values have an order of their own; the others are coded in that of the alphabet."""


def cells(effort: Effort) -> Iterator[Cell]:
    """Figures 6 and 7: k and the number of columns; figures 8 and 9: the number of rows."""
    for table, method in product(MOST_ROWS, METHODS):
        for k, width in product((DEFAULT_K, *effort.some(KS)), effort.some(WIDTHS)):
            if table in INVENTED or k == DEFAULT_K or width == WIDTHS[-1]:
                yield Cell(table, method, k, width, effort.part(DEFAULT_ROWS))
        sizes = [min(size, MOST_ROWS[table]) for size in SIZES if size - MOST_ROWS[table] < 1_000]
        for size in effort.some(sizes):
            yield Cell(table, method, DEFAULT_K, LARGEST_WIDTH, effort.part(size))


def run(cell: Cell, seed: int) -> dict[str, float]:
    """GCP of one run, and its CPU seconds."""
    encoded = _encoded(cell.table, cell.columns, cell.rows)
    method, parameters = METHODS[cell.method]
    found, seconds = clustered(encoded, method, cell.k, seed, **parameters)
    return {"gcp": loss_and_classes(encoded, found)[0] / encoded.points.size, "cpu_seconds": seconds}


@lru_cache(maxsize=3)
def _encoded(table: str, columns: int, rows: int) -> Encoded:
    codes = _codes(table, rows)
    names = codes.names[:columns]
    plan = Plan.of(2, quasi_identifiers=names, rest="drop", kinds=dict.fromkeys(names, "numeric"), loss="ncp")
    return encode(codes, complete(plan, codes)).unitless


def _codes(table: str, rows: int) -> Table:
    """The table with every column as ordered codes, as in the paper's definition of NCP; a random sample of it."""
    if table in INVENTED:
        return people(SAL if table == SAL_LIKE else INC, rows)
    bench, names = (CENSUS, CENSUS_COLUMNS) if table == CENSUS_LIKE else (ACS, ACS_COLUMNS)
    read = read_table(bench.path).table
    sample = np.random.default_rng(0).permutation(len(read))[:rows]
    return Table.from_columns({name: _code(read, name)[sample] for name in names})


def _code(table: Table, name: str) -> Any:
    if not table.is_text(name):
        return table.numbers(name).values.astype(np.int64)
    codes, values = table.codes(name)
    order = EDUCATION if name == "education" else sorted(values)
    return np.array([order.index(value) for value in values])[codes]


# -- what the paper says ---------------------------------------------------------------------------------------


def _grid(figures: Figures) -> Figures:
    """The rows of figures 6 and 7."""
    return Figures([row for row in figures.rows if row["columns"] != LARGEST_WIDTH])


def _sizes(figures: Figures) -> Figures:
    """The rows of figures 8 and 9."""
    return figures.where(columns=LARGEST_WIDTH)


Line = Mapping[float, float]


def _lines(figures: Figures, figure: str, over: str, methods: tuple[str, ...] = ("CB", "NH")) -> Iterator[Line]:
    """One line for each method and each setting of all else."""
    others = [name for name in ("table", "k", "columns", "rows") if name != over]
    for method in methods:
        part = figures.where(method=method)
        for setting in dict.fromkeys(tuple(row[name] for name in others) for row in part.rows):
            yield part.where(**dict(zip(others, setting))).line(figure, over)


def _against(figures: Figures, rival: str = "NH", figure: str = "gcp") -> dict[tuple[Any, ...], float]:
    """CB's figure over the rival's, for each setting."""
    names = ("table", "columns", "rows", "k")
    by = {(row["method"], *(row[name] for name in names)): row[figure] for row in figures.rows}
    return {key[1:]: value / by[(rival, *key[1:])] for key, value in by.items() if key[0] == "CB"}


def _straight_lines(lines: Iterable[Line]) -> Verdict:
    """Whether straight lines fit, those of three settings and more."""
    fits = [np.corrcoef(list(line), list(line.values()))[0, 1] ** 2 for line in lines if len(line) > 2]
    return of_settings((fit >= 0.95 for fit in fits), f"R² of a straight line: {between(fits)}")


def cb_below(figures: Figures) -> Verdict:
    found = {key: ratio for key, ratio in _against(_grid(figures)).items() if key[:2] != (SAL_LIKE, 3)}
    return of_settings(
        (ratio < 1 for ratio in found.values()), f"GCP of CB over that of NH: {between(found.values(), '{:.2f}')}"
    )


def not_on_sal_3(figures: Figures) -> Verdict:
    found = [ratio for key, ratio in _against(_grid(figures)).items() if key[:2] == (SAL_LIKE, 3)]
    return of_settings((ratio >= 1 for ratio in found), f"GCP of CB over that of NH: {between(found, '{:.2f}')}")


def linear_in_k(figures: Figures) -> Verdict:
    return _straight_lines(_lines(_grid(figures), "gcp", "k"))


def _domains(figures: Figures) -> tuple[list[float], list[float], list[float]]:
    """How much GCP grows from the small domains to the large ones: by NH, by CB; and NH's as a factor over CB's."""
    grown: dict[str, list[float]] = {"NH": [], "CB": []}
    times: dict[str, list[float]] = {"NH": [], "CB": []}
    grid = _grid(figures)
    for method, width in product(grown, grid.values("columns")):
        part = grid.where(method=method, columns=width)
        small, large = (part.where(table=table).line("gcp", "k") for table in (SAL_LIKE, INC_LIKE))
        grown[method] += gaps(large, small).values()
        times[method] += ratios(large, small).values()
    return grown["NH"], grown["CB"], [nh / cb for nh, cb in zip(times["NH"], times["CB"])]


def nh_hurt_by_domains(figures: Figures) -> Verdict:
    nh, _, _ = _domains(figures)
    return of_settings((gap > 0 for gap in nh), f"GCP of NH grows by {between(nh)}")


def cb_less_sensitive(figures: Figures) -> Verdict:
    nh, cb, factor = _domains(figures)
    told = f"GCP grows by {between(cb)} with CB, {between(nh)} with NH; as factors, NH's over CB's: {between(factor)}"
    return of_settings((ours < theirs for theirs, ours in zip(nh, cb)), told)


def rises_with_columns(figures: Figures) -> Verdict:
    lines = _lines(_grid(figures).where(k=DEFAULT_K), "gcp", "columns")
    return of_settings(flag for line in lines for flag in rises(line))


def cb_below_from_4_columns(figures: Figures) -> Verdict:
    found = {key: ratio for key, ratio in _against(_grid(figures).where(k=DEFAULT_K)).items() if key[1] >= 4}
    return of_settings((ratio < 1 for ratio in found.values()), f"ratio {between(found.values(), '{:.2f}')}")


def falls_with_rows(figures: Figures) -> Verdict:
    return of_settings(flag for line in _lines(_sizes(figures), "gcp", "rows") for flag in falls(line))


def cb_below_for_all_rows(figures: Figures) -> Verdict:
    found = _against(_sizes(figures)).values()
    return of_settings((ratio < 1 for ratio in found), f"ratio {between(found, '{:.2f}')}")


def time_is_linear(figures: Figures) -> Verdict:
    return _straight_lines(_lines(_sizes(figures), "cpu_seconds", "rows"))


def nh_faster(figures: Figures) -> Verdict:
    told = {rival: _against(_sizes(figures), rival, "cpu_seconds").values() for rival in ("NH", "NH, curve")}
    words = "; ".join(f"CPU seconds of CB over {rival}: {between(found, '{:.2f}')}" for rival, found in told.items())
    return of_settings((ratio > 1 for ratio in told["NH"]), words)


def cb_in_500_seconds(figures: Figures) -> Verdict:
    spent = [row["cpu_seconds"] for row in figures.where(method="CB").rows]
    return of_settings((seconds <= 500 for seconds in spent), f"at most {max(spent):.1f} CPU seconds")


def cb_below_other_nh(figures: Figures) -> Verdict:
    found = _against(figures, "NH, curve").values()
    return of_settings((ratio < 1 for ratio in found), f"ratio {between(found, '{:.2f}')}")


def _charts() -> Iterator[Chart]:
    for table, width in product(MOST_ROWS, WIDTHS):
        name, title = f"k-{width}-{_slug(table)}", f"{table}, {width} quasi-identifiers: GCP against k (Fig. 6)"
        if table in INVENTED or width == WIDTHS[-1]:
            where = {"table": table, "columns": width}
            yield Chart(name, title, "gcp", "k", where, "GCP", pictured=width in (WIDTHS[0], WIDTHS[-1]))
    for table in MOST_ROWS:
        where = {"table": table, "k": DEFAULT_K, "rows": SMALLEST}
        title = f"{table}: GCP against the number of quasi-identifiers (Fig. 7)"
        yield Chart(f"columns-{_slug(table)}", title, "gcp", "columns", where, "GCP")
    for table in MOST_ROWS:
        where, name = {"table": table, "columns": LARGEST_WIDTH, "k": DEFAULT_K}, _slug(table)
        yield Chart(f"rows-{name}", f"{table}: GCP against rows (Fig. 8)", "gcp", "rows", where, "GCP")
        title = f"{table}: CPU seconds against rows (Fig. 9)"
        yield Chart(f"time-{name}", title, "cpu_seconds", "rows", where, "CPU seconds")


def _slug(table: str) -> str:
    return table.replace(" ", "-").lower()


PAPER = Paper.told("binary_k_means", globals(), drawn=lambda method: True, charts=_charts())
