# SPDX-License-Identifier: Apache-2.0
"""Plan: the frozen, self-validating description of one run, shared by library, command line and web app.

A plan is one TOML file. Unknown keys are refused with the nearest known name, so that a misspelt privacy
model can never be silently ignored. Hierarchy paths are relative to the plan's own folder.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from shoal.cards import card, in_words
from shoal.errors import PlanError
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.level_files import read_levels
from shoal.plan_checks import (
    BUDGET,
    DEFAULT_METHOD,
    DEFAULT_RENDER,
    OPTIONAL_PRIVACY_KEYS,
    PRIVACY_KEYS,
    check_plan,
    refuse_unknown,
)
from shoal.roles.roles import (
    BOUNDS,
    IDENTIFIER,
    INSENSITIVE,
    QUASI_IDENTIFIER,
    SENSITIVE,
)
from shoal.tables.reading import Reading

if TYPE_CHECKING:
    from shoal.tables.table import Table


@dataclass(frozen=True)
class ColumnPlan:
    """What one column is and how it is published."""

    role: str = INSENSITIVE
    kind: str | None = None
    """None: decided from the values, and written into the release's plan."""
    hierarchy: Hierarchy | Path | None = None
    weight: float = 1.0
    render: str | None = None
    """None: as the plan says for all columns."""


@dataclass(frozen=True)
class Plan:
    """One run, whole. Build it with :meth:`of` (keywords), :meth:`read` (TOML) or :meth:`from_dict`."""

    k: int
    columns: Mapping[str, ColumnPlan] = field(default_factory=dict)
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Privacy models beyond k-anonymity, by name, with their parameters."""
    accept_weaker: bool = False
    """Whether a method may run that publishes something weaker than one k-anonymous table."""
    missing: str = "own"
    population: Table | Path | int | None = None
    """The people of whom the table holds some: a table of them, or their number."""
    suppression: float = 0.0
    """Largest share of the rows that may be left out where that lowers the loss."""
    person: str | None = None
    """The column that tells whose row it is, if k is to count persons instead of rows."""
    method: str = DEFAULT_METHOD
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    """None: 0; methods whose promise rests on a secret draw take it from the operating system."""
    loss: str = "ncp"
    refine: bool = False
    """Whether our search follows the method; it always follows the methods that are made for it."""
    steps: int | None = None
    """Budget of the search per record; None: the usual one."""
    stop_after: int | None = None
    """Steps per record after which an earlier search was stopped; None: it used its budget."""
    time_budget: float | None = None
    """Seconds for the search instead of steps; a release's plan tells the steps that were used."""
    render: str | None = None
    """None: as the method's paper publishes, usually ``generalise``."""
    keep_order: bool = False
    formulas: str = "keep"
    format: str | None = None
    """Format of the released table; None: the input's."""
    reading: Reading = field(default_factory=Reading)

    def __post_init__(self) -> None:
        for name in ("columns", "models", "parameters"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        object.__setattr__(self, "population", _population(self.population))
        check_plan(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by its fields; read-only mappings cannot be."""
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        return _unpickled, ({name: dict(of) if isinstance(of, Mapping) else of for name, of in given.items()},)

    # -- asking -------------------------------------------------------------------------------------------

    def having(self, role: str) -> list[str]:
        """Names of the columns of that role, in the plan's order."""
        return [name for name, column in self.columns.items() if column.role == role]

    @property
    def quasi_identifiers(self) -> list[str]:
        """Names of the quasi-identifiers."""
        return self.having(QUASI_IDENTIFIER)

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

    # -- building -----------------------------------------------------------------------------------------

    @classmethod
    def of(
        cls,
        k: int,
        *,
        quasi_identifiers: Iterable[str] = (),
        sensitive: Iterable[str] = (),
        identifiers: Iterable[str] = (),
        hierarchies: Mapping[str, Any] | None = None,
        kinds: Mapping[str, str] | None = None,
        weights: Mapping[str, float] | None = None,
        render: str | Mapping[str, str] | None = None,
        **others: Any,
    ) -> Plan:
        """A plan from keywords, as :func:`shoal.anonymize` takes them.

        >>> Plan.of(10, quasi_identifiers=["age", "sex"], sensitive=["disease"]).quasi_identifiers
        ['age', 'sex']
        """
        columns = _columns_by_role({QUASI_IDENTIFIER: quasi_identifiers, SENSITIVE: sensitive, IDENTIFIER: identifiers})
        renders = dict(render) if isinstance(render, Mapping) else {}
        details: dict[str, Mapping[str, Any]] = {
            "hierarchy": {name: as_hierarchy(given) for name, given in (hierarchies or {}).items()},
            "kind": kinds or {},
            "weight": weights or {},
            "render": {name: how for name, how in renders.items() if name},
        }
        for detail, given in details.items():
            for name, value in given.items():
                columns[name] = replace(columns.get(name, ColumnPlan()), **{detail: value})
        refuse_unknown(others, [one.name for one in fields(cls)], "keyword", "shoal.anonymize")
        whole = renders.get("") if isinstance(render, Mapping) else render
        return cls(k, columns=columns, render=whole, **others)

    @classmethod
    def read(cls, path: str | Path) -> Plan:
        """Read a plan from a TOML file."""
        where = f"plan {str(path)!r}"
        try:
            given = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
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
        refuse_unknown(given, ["privacy", "method", "release", "input", "columns"], "table", where)
        privacy = _table(given, "privacy", where)
        method = _table(given, "method", where)
        release = _table(given, "release", where)
        known = ["name", "seed", "loss", "parameters", "refine", *BUDGET]
        refuse_unknown(method, known, "key", f"[method] of {where}")
        refuse_unknown(release, ["render", "keep_order", "formulas", "format"], "key", f"[release] of {where}")
        if "k" not in privacy:
            raise PlanError(
                "The plan does not say k.",
                where=f"[privacy] of {where}",
                allowed="k = a whole number of at least 1",
                received="nothing",
                todo="add k, e.g. k = 10",
            )
        optional = {("method" if key == "name" else key): value for key, value in method.items()} | dict(release)
        if "parameters" in method:
            optional["parameters"] = _table(method, "parameters", f"[method] of {where}")
        optional |= {key: privacy[key] for key in OPTIONAL_PRIVACY_KEYS if key in privacy}
        if isinstance(optional.get("population"), str):
            optional["population"] = base / optional["population"]
        return cls(
            k=privacy["k"],
            models={name: _table(privacy, name, where) for name in privacy if name not in PRIVACY_KEYS},
            columns=_columns(_table(given, "columns", where), base, where),
            reading=_reading(_table(given, "input", where), where),
            **optional,
        )

    # -- writing ------------------------------------------------------------------------------------------

    def to_dict(self, hierarchy_files: Mapping[str, str] | None = None) -> dict[str, Any]:
        """The nested tables of the TOML form; ``hierarchy_files`` names the file of each column's tree."""
        privacy: dict[str, Any] = {"k": self.k, "missing": self.missing}
        if self.accept_weaker:
            privacy["accept_weaker"] = True
        if isinstance(self.population, int | Path):
            privacy["population"] = self.population if isinstance(self.population, int) else str(self.population)
        if self.suppression:
            privacy["suppression"] = self.suppression
        if self.person is not None:
            privacy["person"] = self.person
        seed = {} if self.seed is None else {"seed": self.seed}
        method: dict[str, Any] = {"name": self.method, **seed, "loss": self.loss}
        if self.refine:
            method["refine"] = True
        method |= {key: getattr(self, key) for key in BUDGET if getattr(self, key) is not None}
        if self.parameters:
            method["parameters"] = dict(self.parameters)
        release: dict[str, Any] = {"keep_order": self.keep_order, "formulas": self.formulas}
        if self.render:
            release["render"] = self.render
        if self.format:
            release["format"] = self.format
        usual = asdict(Reading())
        reading = {name: value for name, value in asdict(self.reading).items() if value != usual[name]}
        tables = {
            "privacy": privacy | {name: dict(of) for name, of in self.models.items()},
            "method": method,
            "release": release,
            "input": {name: list(value) if isinstance(value, tuple) else value for name, value in reading.items()},
            "columns": {
                name: _column_table(column, (hierarchy_files or {}).get(name)) for name, column in self.columns.items()
            },
        }
        return {name: table for name, table in tables.items() if table}

    def _repr_html_(self) -> str:
        """For notebooks: names, kinds and numbers; of trees and lists their size, for they hold values of the table."""
        given = self.to_dict()
        settings = {**given["privacy"], **given["method"], **given["release"]}
        rows = [(name, in_words(value)) for name, value in settings.items()]
        heads = ("column", "role", "kind", "hierarchy", "weight", "render")
        columns = [
            (name, one.role, one.kind or "", in_words(one.hierarchy), f"{one.weight:g}", one.render or "")
            for name, one in self.columns.items()
        ]
        return card("shoal plan", ((), rows), (heads, columns))

    def to_toml(self, hierarchy_files: Mapping[str, str] | None = None) -> str:
        """The plan as TOML text."""
        import tomli_w

        return tomli_w.dumps(self.to_dict(hierarchy_files))


def _unpickled(given: dict[str, Any]) -> Plan:
    return Plan(**given)


# -- hierarchies ---------------------------------------------------------------------------------------------


def as_hierarchy(given: Any) -> Hierarchy | Path:
    """What a user may hand over as a hierarchy: a path, a Hierarchy, or level rows."""
    if isinstance(given, Hierarchy):
        return given
    if isinstance(given, str | Path):
        return Path(given)
    if isinstance(given, Sequence) and all(isinstance(row, Sequence) and not isinstance(row, str) for row in given):
        return Hierarchy.from_rows([[str(label) for label in row] for row in given])
    raise PlanError(
        "A hierarchy was given in a form that cannot be read.",
        where="hierarchies",
        allowed="the path of an ARX level file, a shoal Hierarchy, or rows [leaf, ..., root]",
        received=type(given).__name__,
        todo="write the levels to a file and give its path",
    )


def load_hierarchies(plan: Plan) -> Plan:
    """The same plan with every hierarchy file read and validated."""
    loaded = {
        name: replace(column, hierarchy=read_levels(column.hierarchy))
        for name, column in plan.columns.items()
        if isinstance(column.hierarchy, Path)
    }
    return plan.with_columns(loaded) if loaded else plan


def _population(given: Any) -> Table | Path | int | None:
    """What a user may hand over as the population: a path, a frame, a table, or a number."""
    if isinstance(given, str):
        return Path(given)
    if given is None or isinstance(given, Path | int):
        return given
    from shoal.tables.frames import as_table

    return as_table(given)


def _columns_by_role(roles: Mapping[str, Iterable[str]]) -> dict[str, ColumnPlan]:
    columns: dict[str, ColumnPlan] = {}
    for role, named in roles.items():
        for name in [named] if isinstance(named, str) else named:
            if name in columns:
                raise PlanError(
                    "A column is named more than once.",
                    where=f"column {name!r}",
                    allowed="one role per column",
                    received=f"{columns[name].role} and {role}",
                    todo="keep the role that fits",
                )
            columns[name] = ColumnPlan(role=role)
    return columns


# -- TOML tables ---------------------------------------------------------------------------------------------


def _table(given: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
    found = given.get(name, {})
    if not isinstance(found, Mapping):
        raise PlanError(
            "A part of the plan must be a table.",
            where=f"[{name}] of {where}",
            allowed=f"[{name}] followed by keys",
            received=type(found).__name__,
            todo=f"write [{name}] on a line of its own",
        )
    return found


def _columns(given: Mapping[str, Any], base: Path, where: str) -> dict[str, ColumnPlan]:
    columns = {}
    known = [one.name for one in fields(ColumnPlan)]
    for name in given:
        table = dict(_table(given, name, f"[columns] of {where}"))
        refuse_unknown(table, known, "key", f"[columns.{name}] of {where}")
        if "hierarchy" in table:
            table["hierarchy"] = base / str(table["hierarchy"])
        columns[name] = ColumnPlan(**table)
    return columns


def _reading(given: Mapping[str, Any], where: str) -> Reading:
    refuse_unknown(given, [one.name for one in fields(Reading)], "key", f"[input] of {where}")
    settings: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in given.items()
    }
    return Reading(**settings)


def _column_table(column: ColumnPlan, hierarchy_file: str | None) -> dict[str, Any]:
    table: dict[str, Any] = {"role": column.role}
    if column.kind:
        table["kind"] = column.kind
    if hierarchy_file:
        table["hierarchy"] = hierarchy_file
    elif isinstance(column.hierarchy, Path):
        table["hierarchy"] = str(column.hierarchy)
    if column.weight != 1.0:
        table["weight"] = float(column.weight)
    if column.render:
        table["render"] = column.render
    return table
