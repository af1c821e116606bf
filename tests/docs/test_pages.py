# SPDX-License-Identifier: Apache-2.0
"""Every command and program that the documentation shows does what it shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import shoal

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
SHELL = [ROOT / "README.md"]
"""The page of which every command is typed into a shell, as newcomers do; of the others, in ``make test-all``."""
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
COMPARING = [DOCS / "compare.md", ROOT / "examples" / "price_of_k.py"]
"""What runs many methods side by side takes a quarter of the time of all pages: in ``make test-all``."""
OTHER_PAGES = ["CONTRIBUTING.md", "changes/README.md", "examples/README.md"]
LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")


def name_of(page: Path) -> str:
    """Path from the root, for test names."""
    return page.relative_to(ROOT).as_posix()


def shown(paths: list[Path]) -> list[Any]:
    """Pages or programs as cases, those that compare as long ones."""
    return [pytest.param(path, marks=[pytest.mark.long] if path in COMPARING else []) for path in paths]


@pytest.mark.parametrize("page", shown(PAGES), ids=name_of)
def test_page_runs(page: Path, reader: Any) -> None:
    """A reader who types the page sees what the page shows."""
    reader.hurries = page not in SHELL
    reader.read(page)


@pytest.mark.parametrize("page", [*PAGES, *(ROOT / folder for folder in OTHER_PAGES)], ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    """Links between pages are not broken."""
    targets = [link.partition("#")[0] for link in LINK.findall(page.read_text(encoding="utf-8"))]
    inner = [target for target in targets if target and "://" not in target]
    assert [target for target in inner if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("program", shown(EXAMPLES), ids=name_of)
def test_example_runs(program: Path, reader: Any) -> None:
    """The examples are programs that run as they are."""
    printed = reader.type(f"python {program}")
    assert reader.exit_code == 0, printed
    assert printed


def test_every_public_name_is_documented() -> None:
    """What can be imported from shoal stands in the table that begins the Python page."""
    table = (DOCS / "python.md").read_text(encoding="utf-8").partition("## ")[0]
    assert [name for name in shoal.__all__ if f"`{name}`" not in table] == []


def test_every_example_is_listed() -> None:
    """The list of the examples names all of them, and no other."""
    page = ROOT / "examples" / "README.md"
    named = {link for link in LINK.findall(page.read_text(encoding="utf-8")) if "/" not in link}
    assert named == {path.name for path in page.parent.iterdir() if path.suffix in (".py", ".ipynb")}


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=name_of)
def test_every_page_is_reachable_from_the_index(page: Path) -> None:
    """No page is lost: the index of its folder, or the one above, names it. The site's navigation is made of these."""
    if page == DOCS / "index.md":
        return
    indexes = [place / name for place in (page.parent, DOCS) for name in ("index.md", "README.md")]
    named = [
        (index.parent / link).resolve()
        for index in indexes
        if index.is_file() and index != page
        for link in LINK.findall(index.read_text(encoding="utf-8"))
    ]
    assert page in named, f"write a line for it in {name_of(DOCS / 'index.md')} or in the index of its folder"


def test_a_wrong_transcript_is_noticed(reader: Any, tmp_path: Path) -> None:
    """The reader compares: a page that shows other output fails."""
    page = tmp_path / "page.md"
    page.write_text("```console\n$ echo one\ntwo\n```\n")
    with pytest.raises(AssertionError):
        reader.read(page)
    page.write_text("```console\n$ printf 'one\\ntwo\\n'\none ...\n```\n")
    with pytest.raises(AssertionError):
        reader.read(page)
    page.write_text("```console\n$ false\n$ echo $?\n1\n```\n\n```python\n>>> 1 + 1\n2\n```\n")
    reader.read(page)
