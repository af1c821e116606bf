# SPDX-License-Identifier: Apache-2.0
"""What a privacy model is, and what it answers.

A model is one file with

* a docstring: first line the summary, then definition, paper, limits;
* ``Parameters``: a frozen dataclass (see :mod:`shoal.ground.parameters`);
* ``check(released, plan, parameters) -> Finding``: judges a released table;
* ``requirement(parameters, table, plan) -> Requirement``: what each class must satisfy while clustering; the table
  is the one to be released, for its private values. Raises ``CannotHoldError`` if no release can;
* where less is to be asked of methods that show every column at one level, ``at_one_level``, which is asked instead;
* where it is about what is not published, ``check_beside(released, plan, parameters, beside) -> Finding``, which is
  asked instead of ``check`` and may look at what is known besides the table, see :class:`Beside`;
* where that cannot say it all, ``rows_at_fault(released, plan, parameters) -> Flags``: whose classes must grow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from shoal.ground.arrays import Ints
from shoal.ground.cards import card
from shoal.tables.table import Table

MARKS = {True: "HOLDS", False: "DOES NOT HOLD", None: "FOUND"}
NOT_JUDGED = "NOT JUDGED"
QUESTION = "question"
"""Severity of a leak about which only the owner of a table can say whether it is one."""


@dataclass(frozen=True)
class Finding:
    """What one model found in a released table."""

    model: str
    holds: bool | None
    """None: nothing was claimed, the figures just tell what holds."""
    statement: str
    """One plain sentence, without cell values."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """Numbers behind the statement, for JSON."""
    judged: bool = True
    """False: something was promised that cannot be judged from what is here, and the statement says why."""

    @property
    def mark(self) -> str:
        """The verdict on it in capitals."""
        return MARKS[self.holds] if self.judged else NOT_JUDGED


@dataclass(frozen=True, eq=False)
class Beside:
    """What may be known besides a released table."""

    own_k: Ints | None = None
    """[released row] the k that the person behind it asks for; only the maker of a release knows it."""
    original: Table | None = None


@dataclass(frozen=True)
class Leak:
    """A way in which a released table gives somebody away, whatever the models say; see :mod:`shoal.judging.leaks`."""

    kind: str
    """Name of the file in ``leaks/`` that found it."""
    severity: str
    """``breaks`` (the release must not be published), ``warning``, ``question`` (told, no warning), ``information``."""
    statement: str
    """One plain sentence, without cell values."""
    todo: str
    """What to do about it."""
    columns: tuple[str, ...] = ()
    """The columns concerned."""


@dataclass(frozen=True)
class Verdict:
    """All findings about one released table."""

    findings: tuple[Finding, ...]
    warnings: tuple[str, ...] = ()
    """Leaks that break no model."""
    leaks: tuple[Leak, ...] = ()
    """Leaks of every severity, with what to do about each; those that break are among the findings too."""

    @property
    def holds(self) -> bool:
        """True unless some model that was asked for does not hold, or could not be judged."""
        return all(finding.holds is not False and finding.judged for finding in self.findings)

    def warned(self, *said: str) -> Verdict:
        """The same with further warnings."""
        return replace(self, warnings=(*self.warnings, *said))

    def __bool__(self) -> bool:
        return self.holds

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        found = [
            {
                "model": one.model,
                "holds": one.holds,
                "statement": one.statement,
                "figures": dict(one.figures),
                **({} if one.judged else {"judged": False}),
            }
            for one in self.findings
        ]
        leaks = [{**vars(one), "columns": list(one.columns)} for one in self.leaks]
        return {"holds": self.holds, "findings": found, "warnings": list(self.warnings), "leaks": leaks}

    def _repr_html_(self) -> str:
        found = [(one.mark, one.model, one.statement) for one in self.findings]
        leaks = [(one.severity, one.kind, one.statement, one.todo) for one in self.leaks]
        return card(
            "shoal verdict: " + ("holds" if self.holds else "does not hold"),
            (("", "model", "what was found"), found),
            (("", "leak", "what gives people away", "what to do"), leaks),
        )

    def __str__(self) -> str:
        lines = [f"{one.mark:<13} {one.model}: {one.statement}" for one in self.findings]
        lines += [f"{'WARNING':<13} {warning}" for warning in self.warnings]
        return "\n".join(
            lines + [f"{'QUESTION':<13} {one.statement}" for one in self.leaks if one.severity == QUESTION]
        )
