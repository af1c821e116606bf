# SPDX-License-Identifier: Apache-2.0
"""The suggestion: a complete plan, a reason for every column, and the files that a person reads and edits."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shoal.ground.cards import card
from shoal.ground.errors import OutputError
from shoal.ground.wording import counted
from shoal.ground.writing import unwritable, write_files
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.level_files import FOLDER, levels_text, safe_names
from shoal.plan.plan import Plan
from shoal.plan.roles import DROP, IDENTIFIER, KINDS, ROLES
from shoal.tables.table import Table

PLAN = "plan.toml"
"""What a plan is called in a release, and where nobody says otherwise."""
UNSURE = "please check"
HEADS = ("column", "role", "kind", "values", "adds", "why")
HEAD = (
    "Suggested by shoal from the table alone. Look it over, above all where it says 'please check', and change what is "
    "wrong; then: shoal anonymize TABLE --plan {name} -o DIR"
)
WIDE = 110


@dataclass(frozen=True)
class Suggested:
    """What one column seems to be."""

    role: str
    kind: str | None
    hierarchy: Hierarchy | None = field(repr=False)
    reasons: tuple[str, ...]
    sure: bool
    built: str
    """How the hierarchy was built."""
    distinct: int
    missing: int
    entropy: float
    """Bits that the value of a row tells."""
    adds: float | None
    """Share of rows that it makes unique beside three quasi-identifiers; None of columns that are none."""
    about: str = ""
    """What it is about, in words; empty if nothing told."""
    next: bool = False
    """Whether others may know it, and it is left out only because enough others come first."""
    order: tuple[str, ...] | None = None
    """The order of its values, where they are words on a scale."""

    @property
    def planned(self) -> str:
        """The role in the plan: the next quasi-identifiers are left out."""
        return DROP if self.next else self.role

    @property
    def why(self) -> str:
        """The reasons and what was measured, as one line."""
        told = list(self.reasons)
        if self.distinct and self.role != IDENTIFIER:
            told.append(f"{self.distinct:,} values, {self.entropy:.1f} bits")
        if self.adds is not None:
            told.append(f"beside three others it makes {_percent(self.adds)} more rows unique")
        return "; ".join(told)

    def to_dict(self) -> dict[str, Any]:
        """The facts, for JSON."""
        facts = {name: getattr(self, name) for name in ("distinct", "missing", "entropy", "adds")}
        decided = {name: getattr(self, name) for name in ("role", "planned", "kind", "sure", "next", "about")}
        return {**decided, "reasons": list(self.reasons), "hierarchy": self.built or None, **facts}


@dataclass(frozen=True)
class Suggestion:
    """A plan with reasons."""

    plan: Plan
    columns: Mapping[str, Suggested]
    rows: int
    alone: float
    """Share of rows that no other row equals on all suggested quasi-identifiers."""
    notes: tuple[str, ...] = ()
    table: Table | None = field(default=None, repr=False, compare=False)
    """The table, with the labels of its codebook."""

    def __str__(self) -> str:
        rows = [HEADS, *self._rows()]
        widths = [max(len(row[place]) for row in rows) for place in range(len(HEADS) - 1)]
        lines = [
            "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[-1]]).rstrip() for row in rows
        ]
        return "\n".join([*lines, "", self.told_alone, *(f"Note: {note}." for note in self.notes)])

    def _rows(self) -> list[tuple[str, ...]]:
        """One row per column: what it is, how many values, how many more rows it makes unique, and why."""
        rows: list[tuple[str, ...]] = []
        for name, column in self.columns.items():
            why = "; ".join(column.reasons) if column.sure else f"{'; '.join(column.reasons)} ({UNSURE})"
            adds = "" if column.adds is None else _percent(column.adds)
            role = f"{DROP} (next)" if column.next else column.role
            rows.append((name, role, column.kind or "", f"{column.distinct:,}" if column.distinct else "", adds, why))
        return rows

    @property
    def told_alone(self) -> str:
        """How many rows are alone, in words."""
        return f"{self.alone:.0%} of the {self.rows:,} rows are alone with their quasi-identifiers."

    def _repr_html_(self) -> str:
        """A card for notebooks."""
        notes = [(self.told_alone,), *((f"{note}.",) for note in self.notes)]
        return card(f"suggestion, k = {self.plan.k}", (HEADS, self._rows()), ((), notes))

    def to_dict(self) -> dict[str, Any]:
        """The facts, for JSON."""
        columns = {name: column.to_dict() for name, column in self.columns.items()}
        return {"k": self.plan.k, "rows": self.rows, "alone": self.alone, "columns": columns, "notes": list(self.notes)}

    def to_toml(self, name: str = "plan.toml") -> str:
        """The plan with the reasons as comments; hierarchies are named as :meth:`save` writes them."""
        import tomli_w

        tables = self.plan.to_dict(self.hierarchy_files(name))
        columns = tables.pop("columns", {})
        parts = [_comment(HEAD.format(name=name)), *(_comment(f"Note: {note}.") for note in self.notes), ""]
        parts += [tomli_w.dumps(tables), _comment("Roles")]
        parts += [_comment(f"  {role}: {meaning}") for role, meaning in ROLES.items()]
        parts += [_comment("Kinds"), *(_comment(f"  {kind}: {meaning}") for kind, meaning in KINDS.items()), ""]
        for column, table in columns.items():
            suggested = self.columns[column]
            parts.append(_comment(suggested.why if suggested.sure else f"{UNSURE}: {suggested.why}"))
            parts += [_comment(f"hierarchy built {suggested.built}")] * bool(suggested.built)
            parts.append(tomli_w.dumps({"columns": {column: table}}))
        return "\n".join(parts)

    def hierarchy_files(self, name: str = PLAN) -> dict[str, str]:
        """The file of each column's tree, from the folder of the plan, which is called so."""
        folder = tree_folder(name)
        trees = [column for column, one in self.plan.columns.items() if one.hierarchy is not None]
        return {column: f"{folder}/{safe}.csv" for column, safe in safe_names(trees).items()}

    def save(self, path: str | Path, overwrite: bool = False) -> Path:
        """Write the plan, and the hierarchies into a folder of their own beside it; the plan comes last."""
        plan = Path(path)
        files = self.hierarchy_files(plan.name)
        contents = {plan.parent / file: _tree_text(self.columns[name]) for name, file in files.items()}
        contents[plan] = self.to_toml(plan.name)
        if not overwrite:
            _refuse_existing(contents)
        try:
            (plan.parent / tree_folder(plan.name) if files else plan.parent).mkdir(parents=True, exist_ok=True)
            write_files(contents)
        except OSError as problem:
            allowed = "a place that exists or can be made, with room and permission to write"
            what, where = "The suggestion cannot be written.", f"file {str(path)!r}"
            raise unwritable(problem, what, where, allowed, "choose another place with -o") from None
        return plan


def tree_folder(plan: str) -> str:
    """The folder of the trees of a plan: as in a release if it is called as there, else one that no other plan has.

    >>> tree_folder("plan.toml"), tree_folder("plan_a.toml")
    ('hierarchies', 'plan_a_hierarchies')
    """
    return FOLDER if plan == PLAN else f"{Path(plan).stem}_{FOLDER}"


def _percent(share: float) -> str:
    return f"{share:.1%}" if 0 < share < 0.1 else f"{share:.0%}"


def _comment(text: str) -> str:
    """A comment of TOML, in short lines; control characters have no place in it."""
    plain = "".join(mark if mark.isprintable() else "?" for mark in text)
    return textwrap.fill(plain, WIDE, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)


def _tree_text(column: Suggested) -> str:
    return levels_text(column.hierarchy) if column.hierarchy is not None else ""


def _says(path: Path, text: str) -> bool:
    """Whether a tree is there already, as an earlier suggestion for the same table left it."""
    try:
        return path.parent.name.endswith(FOLDER) and path.read_text(encoding="utf-8") == text
    except (OSError, UnicodeDecodeError):
        return False


def _refuse_existing(files: Mapping[Path, str]) -> None:
    there = [path for path, text in files.items() if os.path.lexists(path) and not _says(path, text)]
    if there:
        raise OutputError(
            "Files of that name exist already.",
            where=f"file {str(there[0])!r}",
            allowed="new files, or overwrite",
            received=counted(len(there), "file that exists", "files that exist"),
            todo="choose another folder with -o, or add --overwrite",
        )
