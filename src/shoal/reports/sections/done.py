# SPDX-License-Identifier: Apache-2.0
"""What was done: method, plan, search, seed, versions."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.plan import Plan
from shoal.reports import weaker_sections
from shoal.reports.findings import METRIC_OF_LOSS, Reported, in_words, kind_of, search_of, summary_of
from shoal.reports.pieces import text_table
from shoal.reports.versions import versions
from shoal.reports.words import MISSING, ORDER, SECRET_SEED

HEADING = "What was done"


def section(release: Reported) -> str:
    """Two tables: the run, and the plan column by column."""
    plan, facts = release.plan, release.facts
    search = search_of(plan)
    rows = [
        ("Method", f"{plan.method}: {summary_of('algorithms', plan.method)}"),
        *((f"Parameter {name}", str(value)) for name, value in plan.parameters.items()),
        *([("Search after it", search)] if search else []),
        *_promised(release),
        *((f"Model {name}", _settings(parameters.items())) for name, parameters in plan.models.items()),
        ("Loss that was kept low", f"{plan.loss}: {summary_of('metrics', loss_metric(plan))}"),
        ("Seed", SECRET_SEED if plan.seed is None else str(plan.seed)),
        ("Rows", _rows(release)),
        ("Identifiers removed", in_words(list(facts.get("identifiers_removed", ())))),
        ("Missing cells", MISSING[plan.missing]),
        ("Order of rows", ORDER[facts.get("order", "shuffled")]),
        ("Cells that a spreadsheet would run", _formulas(release)),
        ("Versions", _settings(versions().items())),
    ]
    return text_table("The run", (), rows) + _plan(plan)


def loss_metric(plan: Plan) -> str:
    """The metric that measures the plan's loss."""
    return METRIC_OF_LOSS.get(plan.loss, plan.loss)


def _plan(plan: Plan) -> str:
    rows = []
    for name in plan.quasi_identifiers:
        column = plan.columns[name]
        tree = "a tree of its own" if column.hierarchy is not None else "none"
        rows.append((name, column.kind or "by its values", tree, f"{column.weight:g}", plan.rendering(name)))
    heads = ("Column", "Kind", "Hierarchy", "Weight", "Published as")
    return text_table("The recognisable columns, as plan.toml has them", heads, rows, (3,))


def _promised(release: Reported) -> list[tuple[str, str]]:
    if kind_of(release) == "classes":
        return [("k", f"{release.plan.k:,}")]
    return [("k asked for", f"{release.plan.k:,}"), *weaker_sections.promised_rows(release)]


def _rows(release: Reported) -> str:
    facts = release.facts
    given, suppressed = facts.get("rows", len(release.released)), facts.get("suppressed", 0)
    return f"{given:,} read, {len(release.released):,} released, {suppressed:,} left out"


def _formulas(release: Reported) -> str:
    cells = release.facts.get("formula_cells") or {}
    if not cells:
        return "none"
    done = "prefixed with an apostrophe" if release.plan.formulas == "prefix" else "kept as they are"
    return f"{done}: {_settings((name, f'{count:,}') for name, count in cells.items())}"


def _settings(pairs: Iterable[tuple[str, object]]) -> str:
    return ", ".join(f"{name} {value}" for name, value in pairs)
