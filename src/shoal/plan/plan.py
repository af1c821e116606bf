# SPDX-License-Identifier: Apache-2.0
"""Plan: the frozen, self-validating description of one run, shared by library and command line.

A plan is one TOML file. Unknown keys are refused with the nearest known name, so that a misspelt privacy
model can never be silently ignored. Hierarchy paths are relative to the plan's own folder.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from shoal.ground import catalog
from shoal.ground.cards import card, in_words
from shoal.ground.errors import PlanError, refuse_unknown
from shoal.ground.limits import PLAN_BYTES, limited_bytes, limited_toml
from shoal.ground.settings import REQUIRED, setting, settings_of, written
from shoal.plan.checks import (
    DEFAULT_METHOD,
    DEFAULT_RENDER,
    FORMULAS,
    LONGEST_LINE,
    LONGEST_TEXT,
    LOSSES,
    MISSING,
    check_plan,
    table_in,
)
from shoal.plan.columns import ColumnPlan as ColumnPlan  # noqa: PLC0414  (found here by everybody)
from shoal.plan.effort import EFFORTS
from shoal.plan.keywords import (
    WholePlan,
    as_day,
    as_hierarchy,
    as_lists,
    as_names,
    as_population,
    for_all_or_one,
    roles_by_column,
)
from shoal.plan.roles import (
    BOUNDS,
    COMMON,
    DROP,
    IDENTIFIER,
    INSENSITIVE,
    QUASI_IDENTIFIER,
    REMOVED,
    RESTS,
    SENSITIVE,
)
from shoal.tables.reading import Reading

if TYPE_CHECKING:
    from shoal.hierarchies.hierarchy import Hierarchy
    from shoal.tables.table import Table
else:
    Hierarchy = Table = object  # the command line looks at the settings for its help: the real ones need numpy

TABLES = ("privacy", "method", "release", "workload", "quality")
"""The tables of a plan that hold its own settings; ``input`` and ``columns`` are those of others."""
OWN_K = "own_k"
"""The model whose column tells what single persons ask for."""


# A declaration reads as a sentence, and all of them fit on a screen:
# fmt: off
@dataclass(frozen=True)
class Plan:
    """One run, whole. Build it with :meth:`of` (keywords), :meth:`read` (TOML) or :meth:`from_dict`."""

    k: int = setting(
        REQUIRED, "Least number of look-alikes per record, e.g. 10.", table="privacy", least=1, flag="-k",
        todo="choose how many look-alikes each record needs, e.g. 10", also=("check", "measure", "attack"), always=True)
    missing: str = setting(
        "own", "Missing cells: own (a value of its own), refuse or wildcard.", table="privacy", choices=MISSING,
        word="reading of missing values", flag="--missing HOW", after="--suppression",
        also=("check", "attack", "compare", "estimator", "risk"), always=True)
    accept_weaker: bool = setting(
        False, "Run methods that publish less than one k-anonymous table.", table="privacy", flag="--accept-weaker",
        also=("compare",), changes_result=False, advanced=True)
    population: Table | Path | int | None = setting(
        None, "The people of whom the table holds some: a table of them, or their number.", table="privacy", least=1,
        flag="--population FILE|N", flag_help="A table of all the people of whom TABLE holds some, or their number.",
        after="models", also=("check", "measure", "compare", "risk"))
    suppression: float = setting(
        0.0, "Share of rows that may be left out, e.g. 0.02.", table="privacy", least=0, below=1,
        unit="share of the rows", example="0.02", flag="--suppression SHARE", also=("compare",))
    person: str | None = setting(
        None, "The column that tells whose row it is; k counts persons.", table="privacy", least=1,
        unit="name of a column", flag="--person COLUMN", after="--identifier", also=("check",))
    sample_weight: str | None = setting(
        None, "The column that tells how many people each row stands for, for figures about people.", table="privacy",
        least=1, unit="name of a column", flag="--sample-weight COLUMN",
        flag_help="A column that tells how many people each row stands for.", after="--population",
        also=("check", "measure", "compare", "risk"))
    accept: tuple[str, ...] = setting(
        (), "Columns that are published although they seem to point to persons.", table="privacy",
        flag="--accept COLUMN,...", after="--rest", also=("estimator",))
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Privacy models beyond k-anonymity, by name, with their parameters; further keys of ``[privacy]``."""
    method: str = setting(
        DEFAULT_METHOD, "How records are grouped; see shoal methods.", table="method", key="name", room="algorithms",
        flag="--method NAME", also=("estimator",), always=True)
    seed: int | None = setting(
        None, "Seed of everything random; the same seed gives the same bytes.", table="method", least=0,
        usual="0", flag="--seed")
    loss: str = setting(
        "ncp", f"The loss to keep low: {', '.join(LOSSES[:-1])} or {LOSSES[-1]}.", table="method", choices=LOSSES,
        flag="--loss NAME", also=("compare", "estimator"), always=True)
    refine: bool = setting(
        False, "Search for classes of lower loss after any method.", table="method", flag="--refine",
        also=("compare", "estimator"))
    effort: str = setting(
        "default", "How long to search (unless steps or seconds are given) and to work out the bound.", table="method",
        choices=tuple(EFFORTS), flag="--effort HOW", flag_help="How long to search (unless --steps or --time-budget "
        "are given) and to work out the bound: quick, default or thorough.", also=("compare", "estimator"))
    steps: int | None = setting(
        None, "Budget of the search, in steps per record.", table="method", least=1, unit="steps per record",
        usual="by rows, columns and k", flag="--steps NUMBER", also=("compare", "estimator"), advanced=True)
    stop_after: int | None = setting(
        None, "Where an earlier search was stopped before its budget was used, so that the plan replays.",
        table="method", least=0, unit="steps per record", advanced=True)
    stop_bound_after: int | None = setting(
        None, "Where the bound of an earlier run was stopped, so that the plan replays; 0: it was left out.",
        table="method", least=0, unit="looks at the clock", advanced=True)
    time_budget: float | None = setting(
        None, "Budget of search and bound, in seconds; the search heeds no effort then.", table="method", above=0,
        unit="seconds", example="30",
        flag="--time-budget SECONDS", also=("compare",), advanced=True)
    memory: str | None = setting(
        None, "Memory that the run may use; a table too large for it is cut into cells.", table="method",
        unit="a number of bytes with its unit", example="4GiB", flag="--memory SIZE",
        flag_help="Memory that may be used, e.g. 4GiB; larger tables are cut into cells.", changes_result=False,
        also=("check", "measure"), advanced=True)
    cell_rows: int | None = setting(
        None, "Rows of a cell, for a table that is cut; in the plan of such a release, so that it replays.",
        table="method", least=1, unit="rows", usual="50000 where memory is too small", flag="--cell-rows NUMBER",
        advanced=True)
    parameters: Mapping[str, Any] = setting(
        {}, "The method's own parameters; see shoal methods NAME.", table="method", example="rounds=3",
        flag="--set NAME=VALUE", flag_help="A parameter of the method; see shoal methods NAME.", after="--method",
        also=("estimator",), advanced=True)
    rest: str | None = setting(
        None, "What becomes of columns without a role: drop or insensitive.", table="release", choices=RESTS,
        word="treatment of the rest", usual="they are refused", flag="--rest HOW", after="--drop",
        also=("estimator",))
    keep_order: bool = setting(
        False, "Keep the input's row order (it may give rows away).", table="release", flag="--keep-order",
        always=True, advanced=True)
    formulas: str = setting(
        "keep", "Cells a spreadsheet would run: keep or prefix.", table="release", choices=FORMULAS,
        word="treatment of formulas", flag="--formulas HOW", always=True)
    render: str | None = setting(
        None, "How classes are published.", table="release", choices=(DEFAULT_RENDER,), room="renderings",
        usual=f"as the method's paper has it, mostly {DEFAULT_RENDER}", flag="--render")
    format: str | None = setting(
        None, "Format of the released table; see shoal formats.", table="release", room="formats",
        usual="the input's", flag="--format NAME")
    title: str | None = setting(
        None, "Name of the data set, for the first page of the report.", table="release", least=1, most=LONGEST_LINE,
        flag="--title TEXT", changes_result=False)
    purpose: str | None = setting(
        None, "What the release is for, for the first page of the report.", table="release", least=1,
        most=LONGEST_TEXT, flag="--purpose TEXT", changes_result=False)
    responsible: str | None = setting(
        None, "Who answers for the release: a person or an office.", table="release", least=1, most=LONGEST_LINE,
        flag="--responsible NAME", changes_result=False)
    contact: str | None = setting(
        None, "Where questions go: an address or a telephone number.", table="release", least=1, most=LONGEST_LINE,
        flag="--contact TEXT", changes_result=False)
    date: str | None = setting(
        None, "The day of the release, e.g. 2026-05-01; none is ever made up.", table="release", least=1,
        unit="year-month-day", example="2026-05-01", flag="--date DAY", changes_result=False)
    require: tuple[str, ...] = setting(
        (), "How good the release must be, e.g. loss <= 0.1; else nothing is released.", table="quality",
        example='["loss <= 0.1", "rows_kept >= 0.99"]', flag="--require GATE",
        flag_help="How good the release must be, e.g. 'loss <= 0.1'; repeatable.", also=("check", "measure"),
        changes_result=False)
    target: str | None = setting(
        None, "The column that analyses of the release predict; columns that tell of it weigh more.", table="workload",
        least=1, unit="name of a column", flag="--target COLUMN", also=("compare", "measure"))
    matters: tuple[str, ...] = setting(
        (), "Quasi-identifiers that analyses of the release use most; they weigh more.", table="workload",
        key="columns", flag="--matters COLUMN,...", also=("compare", "measure"))
    group_by: tuple[tuple[str, ...], ...] = setting(
        (), "Columns by which analyses count rows together, a list for each; quasi-identifiers among them weigh more.",
        table="workload", example='[["sex", "region"]]', flag="--group-by COLUMN,...",
        flag_help="Columns by which analyses count rows together; repeatable.", also=("compare", "measure"))
    pairs: tuple[tuple[str, ...], ...] = setting(
        (), "Pairs of columns whose correlation matters; quasi-identifiers among them weigh more.", table="workload",
        example='[["age", "cost"]]', flag="--pairs COLUMN,COLUMN",
        flag_help="Two columns whose correlation matters; repeatable.", also=("compare", "measure"))
    columns: Mapping[str, ColumnPlan] = field(default_factory=dict)
    reading: Reading = field(default_factory=Reading)
    # fmt: on

    def __post_init__(self) -> None:
        object.__setattr__(self, "population", as_population(self.population))
        object.__setattr__(self, "date", as_day(self.date))
        for name in ("accept", "require", "matters"):
            object.__setattr__(self, name, as_names(getattr(self, name)))
        for name in ("group_by", "pairs"):
            object.__setattr__(self, name, as_lists(getattr(self, name)))
        check_plan(self)
        for name in ("columns", "models", "parameters"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by its fields; read-only mappings cannot be."""
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        return _unpickled, ({name: dict(of) if isinstance(of, Mapping) else of for name, of in given.items()},)

    # -- asking -------------------------------------------------------------------------------------------

    def having(self, role: str) -> list[str]:
        """Names of the columns of that role, in the plan's order."""
        return [name for name, column in self.columns.items() if column.role == role]

    def role_of(self, name: str) -> str:
        """The role of a published column; one of which the plan does not tell it is published as it is."""
        return (self.columns[name].role if name in self.columns else None) or INSENSITIVE

    def without_role(self, names: Iterable[str]) -> list[str]:
        """Which of some columns have no role."""
        return [name for name in names if name not in self.columns or self.columns[name].role is None]

    @property
    def removed(self) -> list[str]:
        """Names of the columns that must not be in the release, in the plan's order."""
        return [name for name, column in self.columns.items() if column.role in REMOVED]

    @property
    def quasi_identifiers(self) -> list[str]:
        """Names of the quasi-identifiers."""
        return self.having(QUASI_IDENTIFIER)

    @property
    def wishes(self) -> str | None:
        """The column with the k that each person asks for, if there is one."""
        given = self.models.get(OWN_K, {})
        column = given.get("column")
        return column if isinstance(column, str) and given.get("values") is None else None

    def rows_spared(self, rows: int) -> int:
        """How many of so many rows may be left out."""
        return math.floor(self.suppression * rows + 1e-9)

    @property
    def in_common_levels(self) -> list[str]:
        """The quasi-identifiers whose classes all share the same levels."""
        return [name for name in self.quasi_identifiers if self.columns[name].levels == COMMON]

    def rendering(self, name: str) -> str:
        """How a column is published: its own choice or the plan's."""
        return self.columns[name].render or self.render or DEFAULT_RENDER

    def published(self, name: str) -> list[str]:
        """The names under which a column stands in the released table: itself, or its two bounds."""
        if self.rendering(name) == "bounds":
            return [name + suffix for suffix in BOUNDS]
        return [name]

    @property
    def published_quasi_identifiers(self) -> list[str]:
        """The quasi-identifiers as the released table has them."""
        return [shown for name in self.quasi_identifiers for shown in self.published(name)]

    # -- changing -----------------------------------------------------------------------------------------

    def with_columns(self, changed: Mapping[str, ColumnPlan]) -> Plan:
        """The same plan with some columns replaced."""
        return replace(self, columns={**self.columns, **changed})

    def with_rest(self, names: Iterable[str]) -> Plan:
        """The same plan with ``rest`` as the role of those columns that have none, where it says one."""
        without = self.without_role(names) if self.rest is not None else []
        settled = {name: replace(self.columns.get(name, ColumnPlan()), role=self.rest) for name in without}
        return self.with_columns(settled) if settled else self

    # -- building -----------------------------------------------------------------------------------------

    @classmethod
    def of(
        cls,
        k: int,
        *,
        quasi_identifiers: Iterable[str] = (),
        sensitive: Iterable[str] = (),
        identifiers: Iterable[str] = (),
        insensitive: Iterable[str] = (),
        drop: Iterable[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        kinds: Mapping[str, str] | None = None,
        orders: Mapping[str, Sequence[str]] | None = None,
        date_format: str | Mapping[str, str] | None = None,
        decimal: str | Mapping[str, str] | None = None,
        thousands: str | Mapping[str, str] | None = None,
        weights: Mapping[str, float] | None = None,
        scales: Mapping[str, str] | None = None,
        levels: Mapping[str, str] | None = None,
        render: str | Mapping[str, str] | None = None,
        **others: Any,
    ) -> Plan:
        """A plan from keywords, as :func:`shoal.anonymize` takes them.

        >>> Plan.of(10, quasi_identifiers=["age", "sex"], sensitive=["disease"]).quasi_identifiers
        ['age', 'sex']
        """
        roles = {
            QUASI_IDENTIFIER: quasi_identifiers,
            SENSITIVE: sensitive,
            IDENTIFIER: identifiers,
            INSENSITIVE: insensitive,
            DROP: drop,
        }
        columns = {name: ColumnPlan(role=role) for name, role in roles_by_column(roles).items()}
        whole, apart = for_all_or_one(
            render=render, date_format=date_format, decimal=decimal, thousands=thousands
        )
        details: dict[str, Mapping[str, Any]] = {
            "hierarchy": {name: as_hierarchy(given) for name, given in (hierarchies or {}).items()},
            "kind": kinds or {},
            "order": {name: tuple(order) for name, order in (orders or {}).items()},
            "weight": weights or {},
            "scale": scales or {},
            "levels": levels or {},
            **apart,
        }
        for detail, given in details.items():
            for name, value in given.items():
                columns[name] = replace(columns.get(name, ColumnPlan()), **{detail: value})
        known = dict.fromkeys([*WholePlan.__annotations__, *(one.name for one in settings_of(cls))])
        refuse_unknown(others, list(known), "keyword", "shoal.anonymize")
        render_all = whole.pop("render", None)
        reading = replace(others.pop("reading", None) or Reading(), **whole) if whole else others.pop("reading", None)
        return cls(k, columns=columns, render=render_all, reading=reading or Reading(), **others)

    @classmethod
    def read(cls, path: str | Path) -> Plan:
        """Read a plan from a TOML file."""
        where = f"plan {str(path)!r}"
        try:
            given = limited_toml(limited_bytes(Path(path), PLAN_BYTES, where, PlanError).decode("utf-8-sig"), where)
        except OSError as problem:
            raise PlanError(
                "The plan cannot be read.",
                where=where,
                allowed="a TOML file",
                received=problem.strerror or "an unreadable file",
                todo="check the path",
            ) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
            raise PlanError(
                "The plan is not valid TOML.",
                where=where,
                allowed="a UTF-8 TOML file",
                received=str(problem).partition("\n")[0],
                todo="mend that line; strings need quotes",
            ) from None
        return cls.from_dict(given, base=Path(path).parent, where=where)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any], *, base: Path = Path(), where: str = "plan") -> Plan:
        """Build a plan from the nested tables of its TOML form."""
        refuse_unknown(given, [*TABLES, "input", "columns"], "table", where)
        tables = {name: dict(table_in(given, name, where)) for name in TABLES}
        own: dict[str, Any] = {}
        for one in settings_of(cls):
            if one.key in tables[one.table] or one.default is REQUIRED:
                own[one.name] = tables[one.table].pop(one.key, None)
        privacy = tables.pop("privacy")
        single = {name for name, value in privacy.items() if not isinstance(value, Mapping)}
        known = [*(one.key for one in settings_of(cls) if one.table == "privacy"), *catalog.names("privacy_models")]
        refuse_unknown(single - set(known), known, "key", f"[privacy] of {where}")
        models = {name: table_in(privacy, name, where, "privacy") for name in privacy}
        for name, rest in tables.items():
            refuse_unknown(
                rest, [one.key for one in settings_of(cls) if one.table == name], "key", f"[{name}] of {where}"
            )
        if isinstance(own.get("population"), str):
            own["population"] = base / own["population"]
        reading = table_in(given, "input", where)
        refuse_unknown(reading, [one.name for one in settings_of(Reading)], "key", f"[input] of {where}")
        columns = _columns(table_in(given, "columns", where), base, where)
        return cls(models=models, columns=columns, reading=Reading(**reading), **own)

    # -- writing ------------------------------------------------------------------------------------------

    def to_dict(self, hierarchy_files: Mapping[str, str] | None = None) -> dict[str, Any]:
        """The nested tables of the TOML form; ``hierarchy_files`` names the file of each column's tree."""
        files: Mapping[str, Any] = hierarchy_files or {}
        columns = {
            name: replace(column, hierarchy=files[name]) if files.get(name) else column
            for name, column in self.columns.items()
        }
        tables = written(self)
        tables["privacy"] |= {name: dict(given) for name, given in self.models.items()}
        tables |= written(self.reading)
        if columns:
            tables["columns"] = {name: written(column)["columns"] for name, column in columns.items()}
        return tables

    def _repr_html_(self) -> str:
        """For notebooks: names, kinds and numbers; of trees and lists their size, for they hold values of the table."""
        given = self.to_dict()
        settings = {key: value for table in TABLES for key, value in given.get(table, {}).items()}
        rows = [(name, in_words(value)) for name, value in settings.items()]
        heads = ["column", *(setting.name for setting in settings_of(ColumnPlan))]
        columns = [
            [name, *("" if (value := getattr(column, head)) is None else in_words(value) for head in heads[1:])]
            for name, column in self.columns.items()
        ]
        return card("shoal plan", ((), rows), (heads, columns))

    def to_toml(self, hierarchy_files: Mapping[str, str] | None = None) -> str:
        """The plan as TOML text."""
        import tomli_w

        return tomli_w.dumps(self.to_dict(hierarchy_files))


def _unpickled(given: dict[str, Any]) -> Plan:
    return Plan(**given)


# -- hierarchies ---------------------------------------------------------------------------------------------


def load_hierarchies(plan: Plan) -> Plan:
    """The same plan with every hierarchy file read and validated."""
    from shoal.hierarchies.level_files import read_levels

    loaded = {
        name: replace(column, hierarchy=read_levels(column.hierarchy))
        for name, column in plan.columns.items()
        if isinstance(column.hierarchy, Path)
    }
    return plan.with_columns(loaded) if loaded else plan


# -- TOML tables ---------------------------------------------------------------------------------------------


def _columns(given: Mapping[str, Any], base: Path, where: str) -> dict[str, ColumnPlan]:
    columns = {}
    known = [one.name for one in fields(ColumnPlan)]
    for name in given:
        table = dict(table_in(given, name, where, "columns"))
        refuse_unknown(table, known, "key", f"[columns.{name}] of {where}")
        if "hierarchy" in table:
            table["hierarchy"] = base / str(table["hierarchy"])
        columns[name] = ColumnPlan(**table)
    return columns
