# SPDX-License-Identifier: Apache-2.0
"""What the worker does, without a server: every task by itself, and the forms that are drawn from declarations."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.faces.app.bench import Bench
from shoal.faces.app.facts import Checked, Declared
from shoal.faces.app.forms import field_of, given_parameters, given_settings, parameter_fields
from shoal.faces.app.tasks import check, declare, expose, mend, open_table, release
from shoal.ground.errors import PlanError
from shoal.ground.parameters import parameter
from shoal.ground.settings import REQUIRED, settings_of
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.studies import space
from shoal.tables.reading import Reading


def quiet(_step: object) -> None:
    """A progress callback that does not care."""


def test_a_spreadsheet_of_another_country_is_read_without_a_question(tmp_path: Path) -> None:
    """Semicolons, decimal commas, Latin-1: names and numbers are right, and the guess is said."""
    lines = ["Alter;Größe;Befund", *(f"{20 + n % 40};1,{50 + n % 45};gut" for n in range(80))]
    (tmp_path / "export.csv").write_bytes("\r\n".join(lines).encode("cp1252"))
    found = open_table.run(Bench(), quiet, places=str(tmp_path / "export.csv"), reading=Reading())
    assert [one.name for one in found.columns] == ["Alter", "Größe", "Befund"]
    assert found.columns[1].kind == "numeric"
    assert "encoding latin-1" in found.notes[0]


def test_a_table_is_read_once(tmp_path: Path) -> None:
    """What lies on the bench is used again, with the reading as it was completed, until the file changes."""
    path = tmp_path / "t.csv"
    path.write_text("a;b\n1;x\n2;y\n")
    bench = Bench()
    first = bench.source(str(path), Reading(), quiet)
    assert bench.source(str(path), first.reading, quiet) is first
    path.write_text("a;b\n1;x\n2;y\n3;z\n")
    assert len(bench.source(str(path), Reading(), quiet).table) == 3


def test_exposure_counts_rows_not_groups(tmp_path: Path) -> None:
    """Rows that fewer than k look like, themselves included, by hand: sizes 3, 2 and 1."""
    (tmp_path / "t.csv").write_text("age\n" + "1\n" * 3 + "2\n" * 2 + "3\n")
    found = expose.run(Bench(), quiet, places=str(tmp_path / "t.csv"), reading=Reading(), names=("age",))
    assert dict(found.below) == {2: 1, 3: 3, 5: 6, 10: 6, 20: 6, 50: 6, 100: 6}
    assert found.alone == 1


def test_names_that_a_spreadsheet_would_run(tmp_path: Path) -> None:
    """Rows are shown before and after under the names that are published."""
    (tmp_path / "t.csv").write_text("-age,=sex\n" + "30,f\n41,m\n" * 6)
    plan = Plan.of(3, quasi_identifiers=["-age", "=sex"], formulas="prefix", method="mondrian")
    where: dict[str, Any] = {"places": str(tmp_path / "t.csv"), "reading": Reading(), "folder": tmp_path / "made"}
    found = release.run(Bench(), quiet, plan=plan, **where)
    assert [name for name, _ in found.before] == [name for name, _ in found.after] == ["'-age", "'=sex"]


def test_a_bent_release_folder_is_named(tmp_path: Path) -> None:
    """A zip of a release holds; with one cell changed, its fingerprint says so."""
    frame = shoal.synthetic_patients(80).select("age", "sex", "diagnosis")
    made = shoal.anonymize(
        frame, k=4, quasi_identifiers=["age", "sex"], sensitive=["diagnosis"], method="hilbert", format="delimited"
    )
    folder = made.save(tmp_path / "release", format="delimited")
    assert judged(folder, tmp_path / "sound.zip").holds
    table = folder / "table.csv"
    table.write_text(table.read_text().replace("female", "male", 1))
    found = judged(folder, tmp_path / "bent.zip")
    assert found.holds is False
    assert any("SHA-256" in one for one in found.problems)


def judged(folder: Path, archive: Path) -> Checked:
    """The verdict on a folder, packed."""
    with zipfile.ZipFile(archive, "w") as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                packed.write(path, f"release/{path.relative_to(folder)}")
    return check.run(Bench(), quiet, place=archive, names=None, private=(), k=None, original=None)


@pytest.fixture(scope="module")
def declared() -> dict[str, dict[str, Declared]]:
    """What all methods, models and kinds of trees declare."""
    return declare.run(Bench(), quiet)


def test_every_declared_parameter_has_a_field_that_gives_its_default(declared: Any) -> None:
    """A form that nobody touched says nothing, whatever a method, model or kind of tree declares."""
    for room in declared.values():
        for one in room.values():
            fields = parameter_fields(one, {}, "x.")
            assert [field.name for field in fields] == [f"x.{parameter[0]}" for parameter in one.parameters]
            given = {field.name: [field.value] for field in fields if field.value}
            assert given_parameters(one, given, "x.", one.name) == {}, one.name


@pytest.mark.parametrize("kind", [Plan, ColumnPlan, Reading])
def test_every_setting_has_a_field_that_gives_its_default(kind: type) -> None:
    """The same of the settings of a plan, of its columns and of reading."""
    known = [one for one in settings_of(kind) if one.name not in ("hierarchy", "parameters")]
    for one in known:
        field = field_of(one, one.default)
        found = given_settings([one], {field.name: [field.value]} if field.value else {})
        assert found[one.name] == (None if one.default is REQUIRED else one.default), one.name


def test_a_method_nobody_knows_gets_a_whole_form() -> None:
    """Six types of parameters: drawn, read back, and refused in the library's words; no line of the app names them."""
    made = [
        ("count", int, 3, dict(parameter(3, "how many", least=1, most=9).metadata)),
        ("share", float, 0.5, dict(parameter(0.5, "which part").metadata)),
        ("sure", bool, False, dict(parameter(False, "whether").metadata)),
        ("way", str, "a", dict(parameter("a", "which way", choices=("a", "b")).metadata)),
        ("limit", float | None, None, dict(parameter(None, "how far").metadata)),
        ("sizes", tuple[int, ...], (), dict(parameter((), "all sizes").metadata)),
    ]
    dummy = Declared("dummy", "Does nothing.", tuple(made))
    forms = {field.name: field.form for field in parameter_fields(dummy, {}, "")}
    expected = ["number", "number", "check", "radios", "number", "lines"]
    assert list(forms.values()) == expected
    given = {"count": ["4"], "share": ["0.25"], "sure": ["yes"], "way": ["b"], "limit": ["2"], "sizes": ["1\n2"]}
    read = given_parameters(dummy, given, "", "method 'dummy'")
    assert read == {"count": 4, "share": 0.25, "sure": True, "way": "b", "limit": 2.0, "sizes": [1, 2]}
    for wrong in ({"count": ["12"]}, {"count": ["many"]}, {"way": ["c"]}, {"sizes": ["x"]}):
        with pytest.raises(PlanError, match="not allowed"):
            given_parameters(dummy, given | wrong, "", "method 'dummy'")


def test_a_column_that_nothing_groups_gets_a_tree_to_try(tmp_path: Path) -> None:
    """What would help is measured: with a tree, or cut to their beginnings, such values lose less than all."""
    towns = [f"{'ABCD'[number % 4]}{number % 12:02}" for number in range(96)]
    rows = [f"{town},{'fm'[number % 2]}" for number, town in enumerate(towns)]
    (tmp_path / "t.csv").write_text("town,sex\n" + "\n".join(rows) + "\n")
    plan = Plan.of(10, quasi_identifiers=["town", "sex"], kinds={"town": "categorical"}, method="hilbert")
    where = {"places": str(tmp_path / "t.csv"), "reading": Reading()}
    found = {one.change: one for one in mend.run(Bench(), quiet, plan=plan, column="town", **where)}
    assert set(found) == {"drop", "halve", "bin", "tree", "beginnings"}
    assert found["bin"].becomes is None
    best = found["beginnings"]
    assert best.becomes is not None
    assert best.total is not None
    assert best.total < best.total_before
    assert next(iter(found)) in ("tree", "beginnings")


def test_a_run_that_needs_too_much_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above four fifths of what is free; where nobody can tell what is free, nothing is refused."""
    need = space.expected_bytes(1_000_000, 14)
    for free, refused in ((need, True), (int(need / 0.79), False), (None, False)):
        monkeypatch.setattr(space, "free_memory", lambda free=free: free)
        assert space.too_much(1_000_000, 14) is refused


def test_wide_tables_are_not_asked_as_a_whole_about_one_column(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking at all columns costs as many looks as there are columns: no frame of all of them is made for each."""
    asked: list[int] = []
    select = pl.DataFrame.select
    monkeypatch.setattr(
        pl.DataFrame, "select", lambda self, *given, **more: (asked.append(self.width), select(self, *given, **more))[1]
    )
    shoal.suggest(pl.DataFrame({f"c{place}": ["1", "2", "3"] * 9 for place in range(60)}))
    assert sum(width > 30 for width in asked) < 60


def test_what_the_library_refuses_is_refused_by_the_form() -> None:
    """A text where a number belongs goes to the library, which says what is allowed."""
    plan = Plan.of(5, quasi_identifiers=["age"])
    given = given_settings([one for one in settings_of(Plan) if one.name == "suppression"], {"suppression": ["lots"]})
    with pytest.raises(PlanError, match="suppression must be a number"):
        replace(plan, **given)
