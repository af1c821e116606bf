# SPDX-License-Identifier: Apache-2.0
"""The exam of kinds of leaks: what every file of ``leaks/`` must be able to do."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

from shoal.judging.leak_search import SEVERITIES, WARNING, Leak, LeakScene
from shoal.plan.plan import Plan
from shoal.plan.roles import QUASI_IDENTIFIER, ROLES
from shoal.tables.table import Table
from shoal.testing import _specimen as specimen


def check_leak(name: str) -> None:
    """Examine one kind of leak by its public name; raises AssertionError with the promise that is broken."""
    kind = specimen.described("leaks", name)
    _calm_about_a_good_release(name, kind)
    _speaks_of_every_table(name, kind)


def _calm_about_a_good_release(name: str, kind: ModuleType) -> None:
    """A sound release is not warned about, with its original beside it or not."""
    released, original = specimen.table(specimen.RELEASED), specimen.table(specimen.ORIGINAL)
    for table in (released, specimen.shuffled(released), specimen.turned(released)):
        for beside in (None, original):
            alarms = [one for one in _found(name, kind, table, specimen.plan(), beside) if one.severity == WARNING]
            order = [one for one in alarms if "order" in one.statement]  # the specimen keeps the order of its original
            assert alarms == order, f"{name}: a good release must not be warned about"


def _speaks_of_every_table(name: str, kind: ModuleType) -> None:
    """Whatever the roles and the size, nothing fails and no cell is told."""
    for rows in (0, 1, 2, len(specimen.RELEASED["age"])):
        for role in ROLES:
            table = specimen.table(_telling(rows))
            roles = {"copy": role, "number": role}
            plan = Plan.of(
                2,
                quasi_identifiers=[*specimen.QUASI_IDENTIFIERS, *_of(roles, QUASI_IDENTIFIER)],
                sensitive=["disease", *_of(roles, "sensitive")],
                identifiers=_of(roles, "identifier"),
            )
            for beside in (None, specimen.table(specimen.ORIGINAL), table):
                _found(name, kind, table, plan, beside)


def _telling(rows: int) -> specimen.Columns:
    """The first rows of the specimen with a copy of its private column and a row number."""
    columns = {name: list(cells)[:rows] for name, cells in specimen.RELEASED.items()}
    return {**columns, "copy": columns["disease"], "number": [str(place) for place in range(rows)]}


def _of(roles: dict[str, str], role: str) -> list[str]:
    return [name for name, given in roles.items() if given == role]


def _found(name: str, kind: ModuleType, table: Table, plan: Plan, original: Table | None) -> list[Leak]:
    """The leaks of a table, each of them well formed."""
    found: Iterable[Leak] = kind.find(LeakScene(table, plan, original))
    leaks = list(found)
    for leak in leaks:
        assert isinstance(leak, Leak), f"{name}: must find Leaks"
        assert leak.kind == name, f"{name}: a leak carries the name of its file"
        assert leak.severity in SEVERITIES, f"{name}: severity must be one of {SEVERITIES}"
        words = f"{leak.statement} {leak.todo}"
        said = bool(leak.statement) and bool(leak.todo) and "\n" not in words
        assert said, f"{name}: one sentence, and what to do"
        assert not any(cell in words for cell in specimen.cells(specimen.RELEASED)), f"{name}: must never quote a cell"
    return leaks
