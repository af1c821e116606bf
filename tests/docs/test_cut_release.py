# SPDX-License-Identifier: Apache-2.0
"""A release is cut from the fragments: grouped by topic, none lost, the version set everywhere."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import shoal

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def cutting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, at work on a small project elsewhere."""
    found = importlib.util.spec_from_file_location("cut_release", ROOT / "docs" / "cut_release.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    for name, path in {
        "ROOT": tmp_path,
        "CHANGES": tmp_path / "changes",
        "SUMMARY": tmp_path / "changes/summary.md",
    }.items():
        monkeypatch.setattr(module, name, path)
    files = {
        "CHANGELOG.md": "# Changelog\n\nWords.\n\nNo version has been released yet.\n",
        "CITATION.cff": "title: shoal\nversion: 0.1.0\n",
        "src/shoal/__init__.py": '__version__ = "0.1.0"\n',
        "changes/README.md": "How to.\n",
        "changes/summary.md": "All in all.\n",
        "changes/methods/b.fixed.md": "No longer\nwrong.\n",
        "changes/methods/a.added.md": "- New.\n- Newer,\n  too.\n",
        "changes/loose.changed.md": "Otherwise.\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return module


def test_the_fragments_become_a_section(cutting: ModuleType, tmp_path: Path) -> None:
    """What is new before what is mended, topics in their order, loose ones last; a second release stands above."""
    cutting.cut("0.2.0", "2026-01-31")
    first = """## 0.2.0 (2026-01-31)

All in all.

### Methods, search and certificate

- New.
- Newer, too.
- Fixed: No longer wrong.

### Besides

- Changed: Otherwise.
"""
    assert (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8") == f"# Changelog\n\nWords.\n\n{first}"
    assert [path.name for path in (tmp_path / "changes").rglob("*.md")] == ["README.md"]
    assert (tmp_path / "CITATION.cff").read_text(encoding="utf-8") == "title: shoal\nversion: 0.2.0\n"
    assert (tmp_path / "src/shoal/__init__.py").read_text(encoding="utf-8") == '__version__ = "0.2.0"\n'
    (tmp_path / "changes" / "models").mkdir()
    (tmp_path / "changes" / "models" / "c.removed.md").write_text("Gone.\n", encoding="utf-8")
    cutting.cut("0.3.0", "2026-02-28")
    second = "## 0.3.0 (2026-02-28)\n\n### Privacy models\n\n- Removed: Gone.\n"
    assert (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8") == f"# Changelog\n\nWords.\n\n{second}\n{first}"


def test_no_fragment_would_be_lost(cutting: ModuleType) -> None:
    """Every file of changes/ has a kind and a topic that the changelog knows."""
    folder = ROOT / "changes"
    known = {folder / "README.md", folder / "summary.md"}
    for topic in cutting.TOPICS:
        known |= {path for kind in cutting.KINDS for path in (folder / topic).glob(f"*.{kind}.md")}
    assert set(folder.rglob("*.*")) - known == set()


def test_the_citation_names_the_version() -> None:
    """Both places that tell the version tell the same."""
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert cited is not None
    assert cited[1] == shoal.__version__
