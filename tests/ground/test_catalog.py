# SPDX-License-Identifier: Apache-2.0
"""Implementations are found by file name, listed without being imported, and asked for by name."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest

from shoal.ground import catalog
from shoal.ground.errors import UnknownNameError


@pytest.fixture(autouse=True)
def fresh_catalogue() -> object:
    """Listings are remembered; a test that plants files must not leave them behind."""
    catalog.entries.cache_clear()
    yield
    catalog.entries.cache_clear()


@pytest.mark.parametrize("room", list(catalog.ROOMS))
def test_every_room_has_inhabitants_with_summaries(room: str) -> None:
    """Each implementation says in one line what it is; names are those of the files, in alphabetical order."""
    found = catalog.entries(room)
    files = {path.stem for path in (catalog.PACKAGE / catalog.ROOMS[room].folder).glob("[!_]*.py")}
    assert set(found) == files
    assert list(found) == sorted(found) == catalog.names(room)
    assert all(entry.summary.endswith(".") for entry in found.values())


def test_listing_imports_nothing_heavy() -> None:
    """The listing of methods needs neither numpy nor the compiler."""
    code = "from shoal.ground import catalog; [one.summary for one in catalog.entries('algorithms').values()]"
    code += "; import sys; print('numpy' in sys.modules, 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_a_dropped_file_is_listed_and_private_files_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is registered anywhere: the folder is the registry."""
    folder = tmp_path / catalog.ROOMS["algorithms"].folder
    folder.mkdir(parents=True)
    for name in ("zigzag", "_shared", "__init__"):
        (folder / f"{name}.py").write_text(f'"""About {name}.\n\nMore."""\n', encoding="utf-8")
    monkeypatch.setattr(catalog, "PACKAGE", tmp_path)
    assert catalog.names("algorithms") == ["zigzag"]
    assert catalog.find("algorithms", "zigzag").summary == "About zigzag."


def test_other_distributions_may_add_but_not_replace(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point adds a method; one with the name of ours changes nothing."""
    points = (
        EntryPoint("theirs", "json", "shoal.algorithms"),
        EntryPoint("k_member", "json", "shoal.algorithms"),
    )
    monkeypatch.setattr(catalog, "_outside", lambda room: points if room == "algorithms" else ())
    assert catalog.load("algorithms", "theirs").__name__ == "json"
    assert "JSON" in catalog.find("algorithms", "theirs").docstring
    assert catalog.load("algorithms", "k_member").__name__ == "shoal.engine.algorithms.k_member"


def test_loading_gives_the_module() -> None:
    """A name leads to its file."""
    module = catalog.load("algorithms", "mondrian")
    assert isinstance(module, ModuleType)
    assert Path(str(module.__file__)).stem == "mondrian"


@pytest.mark.parametrize(("room", "word"), [(name, room.word) for name, room in catalog.ROOMS.items()])
def test_an_unknown_name_is_told_with_those_there_are(room: str, word: str) -> None:
    """All five parts: what, where, what is allowed, what was received, what to do."""
    with pytest.raises(UnknownNameError) as raised:
        catalog.find(room, "nonsense")
    assert raised.value.exit_code == 2
    assert len(raised.value.parts()) == 5
    assert word in raised.value.what
    assert catalog.names(room)[0] in raised.value.allowed


def test_a_misspelt_name_is_answered_with_the_nearest() -> None:
    """A hint for a slip of the finger."""
    with pytest.raises(UnknownNameError) as raised:
        catalog.find("algorithms", "k-membr")
    assert raised.value.todo == "did you mean 'k_member'?"


@pytest.mark.parametrize(
    "says", ["CAPABILITIES = Told(releases='boxes')", "OTHER = Told(releases='boxes')\nCAPABILITIES = OTHER"]
)
def test_what_a_method_declares_is_found_however_it_is_written(
    says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A method that makes no classes is never taken for one that does."""
    path = tmp_path / "planted_method.py"
    path.write_text(f'"""Planted."""\nfrom types import SimpleNamespace as Told\n{says}\n')
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "planted_method", raising=False)
    assert (
        catalog.Entry("algorithms", "planted", "planted_method", path).declared("CAPABILITIES", "releases") == "boxes"
    )
