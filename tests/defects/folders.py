# SPDX-License-Identifier: Apache-2.0
"""Defects of a release folder: every public function here bends one."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.defects.cases import Case


def _folder(case: Case) -> Case:
    return replace(case, target=case.folder / "release")


def _manifest(case: Case, **changes: Any) -> Case:
    """The manifest says something else."""
    path = case.folder / "release" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    return _folder(case)


def _kept_in_step(case: Case, path: Path) -> Case:
    """The manifest lists a changed file as it is now."""
    manifest = json.loads((case.folder / "release" / "manifest.json").read_text())
    entry = {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "bytes": path.stat().st_size}
    name = path.relative_to(case.folder / "release").as_posix()
    return _manifest(case, files={**manifest["files"], name: {**manifest["files"].get(name, {}), **entry}})


def called_boxes(case: Case) -> Case:
    """A kind of release that has no classes to count."""
    return _manifest(case, releases="boxes")


def called_subtables(case: Case) -> Case:
    """Another kind."""
    return _manifest(case, releases="subtables")


def without_fingerprints(case: Case) -> Case:
    """Nothing is listed, so nothing could differ."""
    return _manifest(case, files={})


def a_stronger_guarantee(case: Case) -> Case:
    """The manifest promises more than the plan."""
    return _manifest(case, guarantee={"k": int(case.plan.k) + 5})


def an_unlisted_file(case: Case) -> Case:
    """A file that no manifest knows."""
    (case.folder / "release" / "names.csv").write_text("name\nAbel 31337\n")
    return _folder(case)


def a_hidden_file(case: Case) -> Case:
    """A file that listings leave out."""
    (case.folder / "release" / ".names").write_text("Abel 31337\n")
    return _folder(case)


def a_folder_inside(case: Case) -> Case:
    """A file in a folder of its own."""
    (case.folder / "release" / "more").mkdir()
    (case.folder / "release" / "more" / "names.csv").write_text("name\nAbel 31337\n")
    return _folder(case)


def a_link_to_the_original(case: Case) -> Case:
    """Whoever copies the folder copies the original."""
    (case.folder / "release" / "notes.csv").symlink_to(case.folder / "original.csv")
    return _folder(case)


def a_weaker_plan(case: Case) -> Case:
    """K = 1 in the plan, and the manifest kept in step with it."""
    path = case.folder / "release" / "plan.toml"
    path.write_text(path.read_text().replace(f"k = {case.plan.k}", "k = 1", 1))
    return _kept_in_step(case, path)


def a_report_that_claims_more(case: Case) -> Case:
    """Another k in report.json, and the manifest kept in step with it."""
    path = case.folder / "release" / "report.json"
    facts = json.loads(path.read_text())
    path.write_text(json.dumps(_with_other_k(facts, int(case.plan.k))))
    return _kept_in_step(case, path)


def _with_other_k(facts: Any, k: int) -> Any:
    if isinstance(facts, dict):
        return {key: k + 7 if key == "k" and value == k else _with_other_k(value, k) for key, value in facts.items()}
    return [_with_other_k(each, k) for each in facts] if isinstance(facts, list) else facts


def an_edited_table(case: Case) -> Case:
    """A byte behind the table."""
    path = next(case.folder.glob("release/table.*"))
    path.write_bytes(path.read_bytes() + b"\n")
    return _folder(case)


def without_manifest(case: Case) -> Case:
    """Nobody can tell what was released."""
    (case.folder / "release" / "manifest.json").unlink()
    return _folder(case)


def a_report_that_is_gone(case: Case) -> Case:
    """A file that the manifest lists."""
    (case.folder / "release" / "report.html").unlink()
    return _folder(case)


def a_codebook_with_a_label_of_nobody(case: Case) -> Case:
    """The codebook lists a label that the table has not, and the manifest is kept in step with it."""
    path = case.folder / "release" / "codebook.csv"
    first, *lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    told = lines[0].split(",")
    path.write_text("".join([first, *lines, ",".join([*told[:6], "Abel 31337", "1,,,,\n"])]), encoding="utf-8")
    return _kept_in_step(case, path)


def a_codebook_page_that_tells_more(case: Case) -> Case:
    """The page of the codebook names somebody, and the manifest is kept in step with it."""
    path = case.folder / "release" / "codebook.md"
    path.write_text(path.read_text(encoding="utf-8") + "\n| Abel 31337 | 1 |\n", encoding="utf-8")
    return _kept_in_step(case, path)
