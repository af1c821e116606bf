# SPDX-License-Identifier: Apache-2.0
"""What about a release folder does not fit: its files, its manifest, its plan and its report beside each other.

The plan says what was promised, so everything else is held against it; what a release consists of follows from the
plan's method. Nothing here can tell whether a whole folder was made anew by somebody: a manifest is no signature.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from shoal.ground.json_text import plain
from shoal.hierarchies.level_files import FOLDER
from shoal.judging.common_levels import MODEL as LEVELS
from shoal.judging.persons import MODEL as PERSONS
from shoal.plan.plan import Plan
from shoal.releases.codebook import CODEBOOK, CODEBOOK_CSV, codebook_files
from shoal.releases.kinds import USUAL
from shoal.releases.kinds.kind import Kind
from shoal.releases.manifest import LARGEST, MANIFEST, entries_in, fingerprint, read_manifest, read_strictly
from shoal.releases.reports.json_report import columns_of_plan
from shoal.releases.reports.versions import versions
from shoal.releases.sheet import missing_in
from shoal.tables.table import Table

PLAN, REPORT, PAGE = "plan.toml", "report.json", "report.html"
SHA256 = re.compile(r"[0-9a-f]{64}")
LONGEST_NAME = 80


def problems_of(folder: Path, plan: Plan, kind: Kind, read: Mapping[Path, Table | int]) -> list[str]:
    """Everything that does not fit, one sentence each; ``read`` tells the tables by file, of long ones their rows."""
    tables, rows = list(read), [table if isinstance(table, int) else len(table) for table in read.values()]
    whole = {path: table for path, table in read.items() if isinstance(table, Table)}
    manifest = read_manifest(folder)
    if manifest is None:
        said = f"The folder has no {MANIFEST} of shoal that can be read; whether its files were changed cannot be told."
        return [said, *_strangers(folder, plan, tables, {})]
    report = _report(folder)
    return [
        *_changed(folder, manifest["files"]),
        *_unlisted(plan, tables, manifest["files"]),
        *_strangers(folder, plan, tables, manifest["files"]),
        *_claims(manifest, MANIFEST, plan, kind, tables, rows),
        *(_of_report(report, manifest, plan, kind, rows) if report is not None else _no_report(folder)),
        *(_of_page(folder, report, plan, kind) if report is not None else ()),
        *(_of_codebook(folder, manifest, plan, kind, whole) if whole else ()),
    ]


# -- files ---------------------------------------------------------------------------------------------------


def _changed(folder: Path, listed: dict[str, Any]) -> Iterator[str]:
    """Files that the manifest lists and that are gone, elsewhere, or others than those that were released."""
    for name, expected in sorted(listed.items()):
        path = folder / name
        if not _is_inside(name):
            yield f"{MANIFEST} lists a file outside the folder."
        elif path.is_symlink() or not path.is_file():
            yield f"{_named(name)} is missing."
        elif not _well_formed(expected):
            yield f"{MANIFEST} does not tell the SHA-256 and the size of {_named(name)}."
        elif fingerprint(path) != {"sha256": expected["sha256"], "bytes": expected["bytes"]}:
            yield f"{_named(name)} is not the file that was released: its SHA-256 differs from {MANIFEST}."


def _is_inside(name: str) -> bool:
    """Whether a listed name leads to a file of the folder, by the shortest way."""
    plain_name = "\\" not in name and ":" not in name and "\0" not in name
    return plain_name and all(part not in ("", ".", "..") for part in name.split("/"))


def _well_formed(expected: Any) -> bool:
    if not isinstance(expected, dict) or set(expected) != {"sha256", "bytes"}:
        return False
    digest, size = expected["sha256"], expected["bytes"]
    return isinstance(digest, str) and bool(SHA256.fullmatch(digest)) and type(size) is int


def _unlisted(plan: Plan, tables: Sequence[Path], listed: dict[str, Any]) -> Iterator[str]:
    """Parts of every release that the manifest does not vouch for."""
    for name in sorted(_parts(plan, tables) - set(listed)):
        yield f"{MANIFEST} does not list {_named(name)}, so nothing tells whether it was changed."


def _strangers(folder: Path, plan: Plan, tables: Sequence[Path], listed: dict[str, Any]) -> Iterator[str]:
    """What stands in the folder, or in its manifest, and is no part of a release."""
    parts = _parts(plan, tables) | {MANIFEST}
    for entry in entries_in(folder):
        name = entry.relative_to(folder).as_posix()
        if entry.is_symlink():
            yield f"{_named(name)} is a link to elsewhere, which a release has not."
        elif entry.is_dir() and name != FOLDER:
            yield f"{_named(name)} is a folder that is no part of a release."
        elif not entry.is_dir() and name not in parts:
            known = "which its plan does not account for" if name in listed else f"which {MANIFEST} does not list"
            yield f"{_named(name)} lies in the folder, {known}: it is no part of the release."


def _parts(plan: Plan, tables: Sequence[Path]) -> set[str]:
    """Names of the files that the release of a plan consists of, its manifest aside."""
    trees = [column.hierarchy for column in plan.columns.values() if isinstance(column.hierarchy, Path)]
    return {
        PLAN,
        REPORT,
        PAGE,
        *(CODEBOOK if plan.cell_rows is None else ()),  # a long table has none
        *(path.name for path in tables),
        *(f"{FOLDER}/{tree.name}" for tree in trees),
    }


def trees_outside(folder: Path, plan: Plan) -> list[str]:
    """Columns whose hierarchy the plan of a folder fetches from elsewhere."""
    inside = folder.resolve() / FOLDER
    trees = {name: column.hierarchy for name, column in plan.columns.items() if isinstance(column.hierarchy, Path)}
    return [name for name, tree in trees.items() if tree.resolve().parent != inside]


def _named(name: str) -> str:
    """A name that cannot move the cursor, fill the screen or pass for another."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in name[:LONGEST_NAME])
    return shown if len(name) <= LONGEST_NAME else f"{shown}..."


# -- claims --------------------------------------------------------------------------------------------------


def _claims(
    told: dict[str, Any], source: str, plan: Plan, kind: Kind, tables: Sequence[Path], rows: Sequence[int]
) -> Iterator[str]:
    """Where the manifest says something else than the plan, or than the tables."""
    if told.get("releases", USUAL) != kind.name:
        yield f"{source} tells another kind of release than method {plan.method!r} makes."
    named = told.get("tables") if kind.several else [told.get("table")]
    if named != [path.name for path in tables]:
        yield f"{source} names other tables than the release of this plan has."
    if told.get("method") != plan.method or told.get("seed") != plan.seed:
        yield f"{source} tells another method or seed than {PLAN}."
    if not _same_guarantee(told.get("guarantee"), plan, kind):
        yield f"{source} tells another guarantee than {PLAN} asks for."
    if not _same_rows(told.get("rows"), rows):
        yield f"{source} tells other numbers of rows than the table has."


def _same_guarantee(told: Any, plan: Plan, kind: Kind) -> bool:
    """Whether a guarantee is that of the plan; a number that the plan does not tell may be larger than its k."""
    asked = {"missing": plan.missing, "models": plain({name: dict(given) for name, given in plan.models.items()})}
    if not isinstance(told, dict) or set(told) != {*asked, *kind.figures}:
        return False
    numbers = {name: told[name] for name in kind.figures}
    least = {name: plan.k if name not in kind.unpromised else 1 for name in kind.figures}
    exact = {name: plan.k for name, place in kind.figures.items() if place == "k"}
    whole = all(type(number) is int and number >= least[name] for name, number in numbers.items())
    return whole and numbers == {**numbers, **exact} and all(told[name] == asked[name] for name in asked)


def _same_rows(told: Any, rows: Sequence[int]) -> bool:
    """Whether the counts add up and are those of every table."""
    names = ("rows", "released_rows", "suppressed")
    if not isinstance(told, dict) or set(told) != set(names) or any(type(told[name]) is not int for name in names):
        return False
    whole = told["rows"] == told["released_rows"] + told["suppressed"] and told["suppressed"] >= 0
    return whole and all(count == told["released_rows"] for count in rows)


# -- the report ----------------------------------------------------------------------------------------------


def _report(folder: Path) -> dict[str, Any] | None:
    report = read_strictly(folder / REPORT)
    return report if isinstance(report, dict) else None


def _no_report(folder: Path) -> list[str]:
    return [f"{REPORT} cannot be read, so it cannot be compared."] if (folder / REPORT).is_file() else []


def _of_report(
    report: dict[str, Any], manifest: dict[str, Any], plan: Plan, kind: Kind, rows: Sequence[int]
) -> Iterator[str]:
    """Where the report says something else than plan and manifest."""
    guarantee, method, facts = (_table(report, name) for name in ("guarantee", "method", "facts"))
    if {name: value for name, value in guarantee.items() if name != "statement"} != manifest.get("guarantee"):
        yield f"{REPORT} tells another guarantee than {MANIFEST}."
    ours = _table(report, "versions").get("shoal") == versions()["shoal"]  # another version may word it otherwise
    if ours and guarantee.get("statement") != kind.statement(plan):
        yield f"{REPORT} states another guarantee than {PLAN} asks for."
    if (method.get("name"), method.get("seed"), method.get("loss")) != (plan.method, plan.seed, plan.loss):
        yield f"{REPORT} tells another method, seed or loss than {PLAN}."
    if report.get("columns") != plain(columns_of_plan(plan)):
        yield f"{REPORT} tells other columns, roles or kinds than {PLAN}."
    if not kind.weaker and _models_told(report) != _models_asked(plan):
        yield f"{REPORT} tells findings about other models than {PLAN} asks for."
    if report.get("verdict") != manifest.get("verdict"):
        yield f"{REPORT} tells another verdict than {MANIFEST}."
    if _outputs_told(report) != {name: one for name, one in manifest["files"].items() if name in _outputs_told(report)}:
        yield f"{REPORT} tells another SHA-256 of the table than {MANIFEST}."
    if not _same_rows({name: facts.get(name) for name in ("rows", "released_rows", "suppressed")}, rows):
        yield f"{REPORT} tells other numbers of rows than the table has."


def _of_page(folder: Path, report: dict[str, Any], plan: Plan, kind: Kind) -> Iterator[str]:
    """Where the first page of the report tells something else than the plan and the report for programs."""
    page = _text(folder / PAGE)
    if page is None or _table(report, "versions").get("shoal") != versions()["shoal"]:
        return
    prints = [str(one.get("sha256")) for one in _outputs_told(report).values() if isinstance(one, dict)]
    for what in missing_in(page, report, plan, kind, prints):
        yield f"{PAGE} does not tell the {what} of {PLAN} and {REPORT}."


def _models_asked(plan: Plan) -> set[str]:
    """What the verdict on the release of a plan speaks of."""
    persons, levels = [PERSONS] * (plan.person is not None), [LEVELS] * bool(plan.in_common_levels)
    return {"k_anonymity", *plan.models, *persons, *levels}


def _models_told(report: dict[str, Any]) -> set[str]:
    """The models that the verdict of a report speaks of."""
    findings = _table(report, "verdict").get("findings")
    told = [one.get("model") for one in findings if isinstance(one, dict)] if isinstance(findings, list) else []
    return {str(model) for model in told} - {"identifiers", "dropped"}


def _outputs_told(report: dict[str, Any]) -> dict[str, Any]:
    """The fingerprints of the tables, as a report tells them."""
    outputs = _table(report, "provenance").get("output")
    return outputs if isinstance(outputs, dict) else {}


def _table(report: dict[str, Any], name: str) -> dict[str, Any]:
    found = report.get(name)
    return found if isinstance(found, dict) else {}


# -- the codebook --------------------------------------------------------------------------------------------


def _of_codebook(
    folder: Path, manifest: dict[str, Any], plan: Plan, kind: Kind, read: Mapping[Path, Table]
) -> Iterator[str]:
    """Where the codebook says something else than the tables; it follows from these, so it is simply made again."""
    made = codebook_files({path.name: table for path, table in read.items()}, plan, kind)
    ours = _table(manifest, "versions").get("shoal") == versions()["shoal"]  # another version may word it otherwise
    for name, text in made.items():
        told = _text(folder / name)
        if told is None or told == text or not (ours or name == CODEBOOK_CSV):
            continue
        others = len(_label_lines(told) - _label_lines(text)) if name == CODEBOOK_CSV else 0
        more = f": {others} of its lines tell of labels, or of rows with them, that the table has not" if others else ""
        yield f"{name} is not the codebook of the table in this folder{more}."


def _text(path: Path) -> str | None:
    """The text of a file, empty if it cannot be read; nothing where there is no plain file, which is told elsewhere."""
    if path.is_symlink() or not path.is_file():
        return None
    try:
        return path.read_bytes().decode("utf-8") if path.stat().st_size <= LARGEST else ""
    except (OSError, UnicodeDecodeError):
        return ""


def _label_lines(text: str) -> set[tuple[str, ...]]:
    """The lines of a table of labels, as far as they can be read."""
    try:
        return {tuple(line) for line in csv.reader(io.StringIO(text, newline=""), strict=True)}
    except csv.Error:
        return set()
