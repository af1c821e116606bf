# SPDX-License-Identifier: Apache-2.0
"""Release: the result of one run, in memory; what :func:`shoal.anonymize` returns.

``table`` is what may be published. What links released rows to input rows stays with the custodian: it is kept in
``private``, is in no file of the release folder, and no text about a release quotes a cell.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.engine.bounds.certificate import Certificate
from shoal.ground.arrays import Ints
from shoal.ground.errors import OutputError, PlanError, PrivacyWarning, in_parts
from shoal.ground.progress import Progress
from shoal.ground.wording import counted
from shoal.judging.checking import check_again
from shoal.judging.evidence import Measurement
from shoal.judging.portraits.portrait import Portrait, Subtable
from shoal.judging.verdicts import Verdict
from shoal.plan.plan import Plan
from shoal.releases.kinds import USUAL, kind_named
from shoal.releases.kinds.kind import Kind
from shoal.releases.private import Private
from shoal.releases.record import Record
from shoal.tables.sameness import same_tables
from shoal.tables.stowaways import prefixed_columns
from shoal.tables.table import Table

if TYPE_CHECKING:  # whoever only reads a release needs no compiler
    from shoal.releases.remedies import Remedy


@dataclass(frozen=True)
class Release:
    """A released table with its plan, verdict and measurements."""

    released: Table = field(repr=False)
    """The neutral table, rows in publishing order; of several sub-tables the first."""
    record: Record
    """What was asked, and what was done."""
    verdict: Verdict
    """What holds, model by model, judged on the released table."""
    measurements: tuple[Measurement, ...]
    """Loss and risk."""
    facts: Mapping[str, Any]
    """Counts about the run, safe to show; each kind tells its own."""
    private: Private | None = field(default=None, repr=False)
    """What only the custodian may have; None once the release is :meth:`publishable`."""
    others: tuple[Table, ...] = field(default=(), repr=False)
    """The further sub-tables, where the method publishes several."""
    source_format: str = "parquet"
    """Format in which the table is written."""
    inputs: tuple[Mapping[str, Any], ...] = ()
    """SHA-256 and size of each file that the table was read from; none where it came from elsewhere."""
    outputs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The same of each table as it was written, by its name."""
    timings: Mapping[str, float] = field(default_factory=dict)
    """Seconds per phase; only ever shown in the manifest."""
    certificate: Certificate | None = None
    """How far the loss can be above the smallest possible, where that is known."""
    uncertified: str = ""
    """Why that is not known, where it might have been."""
    remedies: tuple[Remedy, ...] = ()
    """What would stop private values from being given away, where some are, and about what it would cost."""
    drawn: Portrait | None = field(default=None, repr=False)
    """The portrait, once it was made."""
    frames: tuple[Any, ...] | None = field(default=None, repr=False)
    """The tables of the same kind as the input, once they were handed back."""

    @property
    def released_rows(self) -> int:
        """How many rows it has; of a long table, which is in its file alone, they are counted there."""
        return int(self.facts.get("released_rows", len(self.released)))

    @property
    def kind(self) -> Kind:
        """What the release consists of; all that depends on it is asked there."""
        return kind_named(self.facts.get("releases", USUAL))

    @property
    def plan(self) -> Plan:
        """What was done, complete: on the same input it gives the same bytes."""
        return self.record.plan

    @property
    def notes(self) -> tuple[str, ...]:
        """What was decided on the way and is worth a look: how dates and numbers were read, lines left out."""
        return self.record.notes

    @property
    def asked(self) -> Plan:
        """What was asked, as it was given."""
        return self.record.asked

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may give somebody away although every model holds: of the table, and of what was asked."""
        return (*self.verdict.warnings, *self.facts.get("warnings", ()))

    @property
    def given_away(self) -> tuple[str, ...]:
        """Private columns whose values look-alikes share, or nearly, in sentences; ``remedies`` would stop it."""
        from shoal.releases.reports.findings import GIVEN_AWAY, exposures_of

        return tuple(f"{GIVEN_AWAY}{one.sentence()}" for one in exposures_of(self) if one.total)

    def warn(self, stacklevel: int = 2) -> None:
        """Say all warnings the way Python does, so that they can be seen, filtered and made errors."""
        from shoal.releases.reports.advice import advice_of

        for said in (*self.warnings, *self.given_away):
            warnings.warn(in_parts(said, **advice_of(self, said)), PrivacyWarning, stacklevel=stacklevel)

    @property
    def published(self) -> tuple[Table, ...]:
        """All neutral tables of the release: one, or the sub-tables."""
        return (self.released, *self.others)

    @cached_property
    def table(self) -> Any:
        """The released table, of the same kind as the input."""
        if self.kind.several:
            raise PlanError(
                "The release is several sub-tables, not one table.",
                where="release.table",
                allowed="release.tables",
                received=f"a release of {len(self.published)} sub-tables",
                todo="take release.tables, and never join them: only each by itself hides anybody",
            )
        return self.tables[0]

    @cached_property
    def tables(self) -> tuple[Any, ...]:
        """Every table of the release, of the same kind as the input."""
        if self.frames is not None:
            return self.frames
        if self.private is None or self.private.hand_back is None:
            return tuple(table.frame for table in self.published)
        hand_back, changed = self.private.hand_back, self._changed()
        return tuple(hand_back(part.released, part.rows, changed) for part in self.parts)

    def _changed(self) -> frozenset[str]:
        """Columns of the released table whose cells are not the input's own."""
        changed = frozenset(self.plan.published_quasi_identifiers)
        if self.plan.formulas != "prefix":
            return changed
        quoted = [name for table in self.published for name in prefixed_columns(table)]
        return changed | {*self.facts.get("formula_cells", ()), *quoted}

    @property
    def classes(self) -> Ints:
        """Class of each *input* row, -1 if it was left out; of sub-tables as if joined, of boxes the ring. Private."""
        return self._private("release.classes").classes

    @property
    def rows(self) -> Ints:
        """Input row shown in each released row; of sub-tables in the first. Private."""
        return self._private("release.rows").rows[0]

    @property
    def parts(self) -> tuple[Subtable, ...]:
        """All tables of the release, each with the input rows it shows. Private."""
        rows = self._private("release.parts").rows
        return tuple(Subtable(table, shown) for table, shown in zip(self.published, rows, strict=True))

    def _private(self, what: str) -> Private:
        if self.private is None:
            raise OutputError(
                "The release holds nothing private any more.",
                where=what,
                allowed="the release as it was made, before release.publishable()",
                received="what release.publishable() gave",
                todo=f"take {what} from the release itself",
            )
        return self.private

    def handed_back_by(self, hand_back: Callable[..., Any]) -> Release:
        """The same release with tables of the kind of frame that came in."""
        return replace(self, private=replace(self._private("hand_back"), hand_back=hand_back))

    def publishable(self, *, portrayed: bool = True) -> Release:
        """The same release without anything private: it can be kept, pickled and handed on.

        The portrait is made before, unless ``portrayed`` is false; without it the release cannot be saved any more.
        """
        release = self.portrayed() if portrayed else self
        return replace(release, record=self.record.without_people(), private=None, frames=self.tables)

    @cached_property
    def portrait(self) -> Portrait | None:
        """How columns and pairs of columns came through, in labels of the released table only; made when asked for."""
        return self._portrait(None)

    def portrayed(self, progress: Progress | None = None) -> Release:
        """The release with its portrait, which costs some time and is made from what is private."""
        return self if self.drawn else replace(self, drawn=vars(self).get("portrait") or self._portrait(progress))

    def _portrait(self, progress: Progress | None) -> Portrait | None:
        if self.drawn or self.private is None or self.private.original is None:
            return self.drawn
        from shoal.judging.portraits.portray import portray

        return portray(self.private.original, self.parts, self.plan, progress, lent=self.kind.lends)

    def judge_again(self, tables: Sequence[Table], plan: Plan) -> Verdict:
        """The verdict on the tables as they were read back from where they were written."""
        pairs = zip(tables, self.published, strict=True)
        if self.private is None and all(same_tables(table, published) for table, published in pairs):
            return self.verdict
        if not self.kind.needs_maker(plan):
            return check_again(tables[0], plan, self.released, self.verdict)
        if self.private is not None:
            return self.kind.judge(tables, plan, self.private)
        raise OutputError(
            "The tables read back with other types, and only the maker of the release could judge them anew.",
            where="the table as read back",
            allowed="a format that keeps the types, such as parquet",
            received="what release.publishable() gave, in a format that does not",
            todo="choose another format, or save the release itself, before release.publishable()",
        )

    def numeric(self) -> Any:
        """The released table to compute with: four columns in place of each range of numbers or dates.

        ``age`` becomes ``age_lo``, ``age_hi``, ``age_mid`` and ``age_weight``, as :func:`shoal.intervals` tells them;
        all other columns stay.
        """
        from shoal.releases.numeric import as_numbers

        return as_numbers(self.table, self.released, self.plan)

    def report(self) -> str:
        """The report as one HTML page."""
        from shoal.releases.reports.html import html

        return html(self)

    def save(self, directory: str | Path, overwrite: bool = False, format: str | None = None) -> Path:
        """Write the release folder, whole or not at all, and return its path."""
        from shoal.releases.folder import write_release

        self.require_rows("release.save")
        return write_release(self, directory, overwrite, format)

    def publish(self, to: str | Path, table: str | None = None, overwrite: bool = False) -> list[str]:
        """Write the released table to a database, in one transaction and judged first; the names it got there."""
        from shoal.releases.publishing import publish

        self.require_rows("release.publish")
        return publish(self, to, table, overwrite=overwrite)

    def require_rows(self, what: str) -> None:
        """Refuse what has other rows than were released: those of a table that was cut are in its file alone."""
        if self.kind.several or self.released_rows == len(self.released):
            return
        if len(self.released):
            raise OutputError(
                "The table of the release was changed since the release was made.",
                where=what,
                allowed=f"the release as it was made, of {counted(self.released_rows, 'row')}",
                received=f"one of {counted(len(self.released), 'row')}",
                todo="take the release as it was made, or judge the table by itself: "
                "shoal.check(table, plan=release.plan)",
            )
        raise OutputError(
            "The table was cut to fit memory, and its release is in its folder already.",
            where=what,
            allowed="a release whose rows are in memory",
            received="one whose rows are in a file",
            todo="copy the folder, or load its table file",
        )

    def _repr_html_(self) -> str:
        from shoal.releases.reports.html import card

        return card(self)

    def __str__(self) -> str:
        from shoal.releases.reports.text import summary

        return summary(self, in_python=True)

    def __repr__(self) -> str:
        verdict = "holds" if self.verdict.holds else "does not hold"
        columns = sum(len(table.names) for table in self.published)
        several = f" in {len(self.published)} sub-tables" * self.kind.several
        promised = self.kind.letters.format(**self.kind.numbers(self))
        shape = f"{self.released_rows} rows, {columns} columns{several}"
        return f"<Release: {shape}, {promised}, {self.plan.method}, {verdict}>"
