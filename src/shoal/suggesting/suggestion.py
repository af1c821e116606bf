# SPDX-License-Identifier: Apache-2.0
"""The suggestion: a complete plan, a reason for every column, and the files that a person reads and edits."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import Any

from shoal.errors import OutputError
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.level_files import levels_text
from shoal.plan import Plan
from shoal.releases.folder import HIERARCHIES, safe_names
from shoal.roles.roles import KINDS, ROLES

UNSURE = "please check"
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
    """Share of rows that it makes unique beside three other quasi-identifiers; None for other roles."""

    @property
    def why(self) -> str:
        """The reasons as one line."""
        return "; ".join(self.reasons)


@dataclass(frozen=True)
class Suggestion:
    """A plan with reasons."""

    plan: Plan
    columns: Mapping[str, Suggested]
    rows: int
    alone: float
    """Share of rows that no other row equals on all suggested quasi-identifiers."""
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        rows = [("column", "role", "kind", "why")]
        for name, one in self.columns.items():
            why = one.why if one.sure else f"{one.why} ({UNSURE})"
            rows.append((name, one.role, one.kind or "", why))
        widths = [max(len(row[place]) for row in rows) for place in range(3)]
        lines = ["  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]]).rstrip() for row in rows]
        told = f"{self.alone:.0%} of the {self.rows:,} rows are alone with their quasi-identifiers."
        return "\n".join([*lines, "", told, *(f"Note: {note}." for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        """The facts, for JSON."""
        columns = {
            name: {
                "role": one.role,
                "kind": one.kind,
                "sure": one.sure,
                "reasons": list(one.reasons),
                "hierarchy": one.built or None,
                "distinct": one.distinct,
                "missing": one.missing,
                "entropy": one.entropy,
                "adds": one.adds,
            }
            for name, one in self.columns.items()
        }
        return {"k": self.plan.k, "rows": self.rows, "alone": self.alone, "columns": columns, "notes": list(self.notes)}

    # -- files --------------------------------------------------------------------------------------------

    def to_toml(self, name: str = "plan.toml") -> str:
        """The plan with the reasons as comments; hierarchies are named as :meth:`save` writes them."""
        import tomli_w

        tables = self.plan.to_dict(self.hierarchy_files())
        columns = tables.pop("columns", {})
        parts = [_comment(HEAD.format(name=name)), *(_comment(f"Note: {note}.") for note in self.notes), ""]
        parts += [tomli_w.dumps(tables), _comment("Roles")]
        parts += [_comment(f"  {role}: {told}") for role, told in ROLES.items()]
        parts += [_comment("Kinds"), *(_comment(f"  {kind}: {told}") for kind, told in KINDS.items()), ""]
        for column, table in columns.items():
            one = self.columns[column]
            parts.append(_comment(one.why if one.sure else f"{UNSURE}: {one.why}"))
            parts += [_comment(f"hierarchy built {one.built}")] * bool(one.built)
            parts.append(tomli_w.dumps({"columns": {column: table}}))
        return "\n".join(parts)

    def hierarchy_files(self) -> dict[str, str]:
        """The file of each column's tree, from the plan's folder."""
        trees = [name for name, one in self.columns.items() if one.hierarchy is not None]
        return {name: f"{HIERARCHIES}/{safe}.csv" for name, safe in safe_names(trees).items()}

    def save(self, path: str | Path, overwrite: bool = False) -> Path:
        """Write the plan, and the hierarchies into a folder beside it; the plan comes last."""
        plan = Path(path)
        files = self.hierarchy_files()
        contents = {plan.parent / file: _tree_text(self.columns[name]) for name, file in files.items()}
        contents[plan] = self.to_toml(plan.name)
        if not overwrite:
            _refuse_existing(contents)
        try:
            if files:
                (plan.parent / HIERARCHIES).mkdir(parents=True, exist_ok=True)
            _write_all(contents)
        except OSError as problem:
            raise OutputError(
                "The suggestion cannot be written.",
                where=f"file {str(path)!r}",
                allowed="a place that exists or can be made, with room and permission to write",
                received=os.strerror(problem.errno) if problem.errno else "an error of the operating system",
                todo="choose another place with -o",
            ) from None
        return plan


def _comment(text: str) -> str:
    """A comment of TOML, in short lines; control characters have no place in it."""
    plain = "".join(mark if mark.isprintable() else "?" for mark in text)
    return textwrap.fill(plain, WIDE, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)


def _tree_text(column: Suggested) -> str:
    return levels_text(column.hierarchy) if column.hierarchy is not None else ""


def _refuse_existing(files: Mapping[Path, str]) -> None:
    there = [path for path in files if os.path.lexists(path)]
    if there:
        raise OutputError(
            "Files of that name exist already.",
            where=f"file {str(there[0])!r}",
            allowed="new files, or overwrite",
            received=f"{len(there)} files that exist",
            todo="choose another folder with -o, or add --overwrite",
        )


def _write_all(contents: Mapping[Path, str]) -> None:
    """Write every file under another name first, so that a full disk leaves no half."""
    drafts = {path: path.with_name(f".{path.name}.{token_hex(4)}") for path in contents}
    try:
        for path, text in contents.items():
            drafts[path].write_text(text, encoding="utf-8", newline="")
        for path, draft in drafts.items():
            os.replace(draft, path)
    finally:
        for draft in drafts.values():
            with suppress(OSError):
                draft.unlink()
