# SPDX-License-Identifier: Apache-2.0
"""How it was made: method, plan, search, seed, versions; how to verify it; and what the words mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shoal.ground.pages import render
from shoal.ground.pieces import TextTable
from shoal.ground.wording import phrase, some
from shoal.judging.evidence import loss_metric
from shoal.plan.plan import Plan
from shoal.releases.reports.findings import Reported, search_of, summary_of, verification
from shoal.releases.reports.versions import versions
from shoal.releases.reports.words import GLOSSARY, MISSING, ORDER, SECRET_SEED


def section(release: Reported) -> str:
    """The run, the plan column by column, commands, a glossary."""
    plan, facts = release.plan, release.facts
    search = search_of(plan)
    rows = [
        ("Method", f"{plan.method}: {summary_of('algorithms', plan.method)}"),
        *((f"Parameter {name}", str(value)) for name, value in plan.parameters.items()),
        *([("Weights that it has learnt", _settings(_shown(release.record.learnt)))] if release.record.learnt else []),
        *([("Search after it", search)] if search else []),
        *_promised(release),
        *((f"Model {name}", _settings(parameters.items())) for name, parameters in plan.models.items()),
        ("Seed", SECRET_SEED if plan.seed is None else str(plan.seed)),
        ("Rows", _rows(release)),
        ("Identifiers removed", some(list(facts.get("identifiers_removed", ())))),
        *([("Left out as not needed", some(dropped))] if (dropped := list(facts.get("columns_dropped", ()))) else []),
        *([("Accepted although they may point to persons", phrase(list(plan.accept)))] if plan.accept else []),
    ]
    more = [
        ("Loss that was kept low", f"{plan.loss}: {summary_of('metrics', loss_metric(plan))}"),
        ("Missing cells", MISSING[plan.missing]),
        ("Order of rows", ORDER[facts.get("order", "shuffled")]),
        ("Cells that a spreadsheet would run", _formulas(release)),
        *(("Note", note) for note in release.notes),
        ("Versions", _settings(versions().items())),
    ]
    return render(
        "releases/reports/templates/done.html",
        run=TextTable("The run", (), rows),
        more=TextTable("Loss, missing cells, order, formulas, versions", (), more),
        columns=_columns(plan),
        commands=verification(release),
        terms=GLOSSARY,
    )


def _shown(learnt: Mapping[str, float]) -> list[tuple[str, str]]:
    return [(name, f"{weight:.3f}") for name, weight in learnt.items()]


def _columns(plan: Plan) -> TextTable:
    rows = []
    for name in plan.quasi_identifiers:
        column = plan.columns[name]
        tree = "a tree of its own" if column.hierarchy is not None else "none"
        rows.append(
            (name, column.kind or "by its values", tree, f"{column.weight:g}", column.scale, plan.rendering(name))
        )
    heads = ("Column", "Kind", "Hierarchy", "Weight", "Loss counted on", "Published as")
    return TextTable("The recognisable columns, as plan.toml has them", heads, rows, (3,))


def _promised(release: Reported) -> list[tuple[str, str]]:
    asked = [("k asked for", f"{release.plan.k:,}")] if release.kind.weaker else []
    return [*asked, *release.kind.told(release.kind.rows, release)]


def _rows(release: Reported) -> str:
    facts = release.facts
    given, suppressed = facts.get("rows", release.released_rows), facts.get("suppressed", 0)
    return f"{given:,} read, {release.released_rows:,} released, {suppressed:,} left out"


def _formulas(release: Reported) -> str:
    cells = release.facts.get("formula_cells") or {}
    if not cells:
        return "none"
    done = "prefixed with an apostrophe" if release.plan.formulas == "prefix" else "kept as they are"
    return f"{done}: {_settings((name, f'{count:,}') for name, count in cells.items())}"


def _settings(pairs: Iterable[tuple[str, object]]) -> str:
    return ", ".join(f"{name} {value}" for name, value in pairs)
