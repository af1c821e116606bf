# SPDX-License-Identifier: Apache-2.0
"""Cut a release: the fragments of changes/ become a section of CHANGELOG.md, and the version is that of the release.

Run as ``python docs/cut_release.py 0.2.0 2026-11-17``.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("added", "changed", "fixed", "removed")
NONE_YET = "No version has been released yet.\n"
VERSIONS = {"src/shoal/__init__.py": r'(?<=__version__ = ")[^"]+', "CITATION.cff": r"(?<=\nversion: )\S+"}


def fragments(kind: str) -> list[Path]:
    """The changes of a kind, by name."""
    return sorted((ROOT / "changes").glob(f"*.{kind}.md"))


def section(version: str, day: str) -> str:
    """What has changed, one line per change, kind after kind."""
    lines = [f"## {version} ({day})", ""]
    for kind in KINDS:
        told = [" ".join(path.read_text(encoding="utf-8").split()) for path in fragments(kind)]
        lines += [f"### {kind.capitalize()}", "", *(f"- {one}" for one in told), ""] if told else []
    return "\n".join(lines)


def cut(version: str, day: str) -> None:
    """Write the section, set the version, and take the fragments away."""
    changelog = ROOT / "CHANGELOG.md"
    head, _, earlier = changelog.read_text(encoding="utf-8").replace(NONE_YET, "").partition("\n## ")
    older = f"\n## {earlier}" if earlier else ""
    changelog.write_text(f"{head.rstrip()}\n\n{section(version, day)}{older}", encoding="utf-8")
    for name, pattern in VERSIONS.items():
        path = ROOT / name
        path.write_text(re.sub(pattern, version, path.read_text(encoding="utf-8"), count=1), encoding="utf-8")
    for kind in KINDS:
        for path in fragments(kind):
            path.unlink()


if __name__ == "__main__":
    cut(*sys.argv[1:3])
