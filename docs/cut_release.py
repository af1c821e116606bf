# SPDX-License-Identifier: Apache-2.0
"""Cut a release: the fragments of changes/ become a section of CHANGELOG.md, and the version is that of the release.

Run as ``python docs/cut_release.py 0.2.0 2026-11-17``.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHANGES = ROOT / "changes"
SUMMARY = CHANGES / "summary.md"
TOPICS = {
    "releasing": "Making a release",
    "methods": "Methods, search and certificate",
    "models": "Privacy models",
    "checking": "Checking a release",
    "measuring": "What is lost, and what risk remains",
    "describing": "Roles and hierarchies",
    "tables": "Files, frames and databases",
    "large": "Large tables and Spark",
    "faces": "Command line, Python, notebooks and the app",
    "evidence": "Documentation and evidence",
    ".": "Besides",
}
"""Folders of changes/ in the order of the changelog; what lies in none of them comes last."""
KINDS = {"added": "", "changed": "Changed: ", "fixed": "Fixed: ", "removed": "Removed: "}
NONE_YET = "No version has been released yet.\n"
VERSIONS = {"src/shoal/__init__.py": r'(?<=__version__ = ")[^"]+', "CITATION.cff": r"(?<=\nversion: )\S+"}


def fragments(topic: str, kind: str) -> list[Path]:
    """The changes of a topic and kind, by name."""
    return sorted((CHANGES / topic).glob(f"*.{kind}.md"))


def told(topic: str) -> list[str]:
    """The lines of a topic: what is new first; a fragment may be several points."""
    return [
        f"- {opening}{' '.join(point.split())}"
        for kind, opening in KINDS.items()
        for path in fragments(topic, kind)
        for point in re.split(r"^- ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        if point.strip()
    ]


def section(version: str, day: str) -> str:
    """The summary, then what has changed, topic after topic."""
    lines = [f"## {version} ({day})", ""]
    lines += [SUMMARY.read_text(encoding="utf-8")] if SUMMARY.is_file() else []
    for topic, title in TOPICS.items():
        points = told(topic)
        lines += [f"### {title}", "", *points, ""] if points else []
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
    SUMMARY.unlink(missing_ok=True)
    for topic in TOPICS:
        for kind in KINDS:
            for path in fragments(topic, kind):
                path.unlink()


if __name__ == "__main__":
    cut(*sys.argv[1:3])
