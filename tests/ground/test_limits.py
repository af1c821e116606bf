# SPDX-License-Identifier: Apache-2.0
"""Plans, trees and tables that were made to hang or to flood their reader are refused; the limits can be raised."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.ground.errors import ShoalError
from shoal.ground.limits import ALL_LIMITS, UNPACKING
from shoal.hierarchies.level_files import read_levels
from shoal.plan.plan import Plan
from shoal.releases.folder import read_release
from shoal.tables.sources import read_table

PLANS = {
    "deep arrays": "[privacy]\nk = " + "[" * 100_000 + "]" * 100_000,
    "arrays just too deep": "[privacy]\nk = " + "[" * 60 + "]" * 60,
    "deep tables": "[privacy]\nk = " + "{a=" * 60 + "1" + "}" * 60,
    "a deep dotted key": ".".join("a" * 50_000) + " = 1",
    "many deep keys": "\n".join(f"{'a.' * 150}b{n} = 1" for n in range(2_000)),
    "a huge integer": f"[privacy]\nk = {'9' * 5_000}",
    "a large integer": f"[privacy]\nk = {'9' * 400}",
    "an integer of 65 bits": f"[method]\nsteps = {2**64}\n[privacy]\nk = 2",
    "a large number for a model": f"[privacy]\nk = 2\nl_diversity = {{l = {'9' * 40}}}",
    "50,000 keys": "[privacy]\nk = 2\n" + "\n".join(f"a{n} = 1" for n in range(50_000)),
    "50,000 columns": "[privacy]\nk = 2\n" + "\n".join(f"[columns.a{n}]" for n in range(50_000)),
    "a long list": "[privacy]\nk = 2\n[input]\nna = [" + "'a'," * 50_000 + "]",
    "megabytes": "[privacy]\nk = 2\n#" + "x" * 6_000_000,
}


@pytest.mark.parametrize("text", PLANS.values(), ids=PLANS.keys())
def test_plans_that_exhaust(tmp_path: Path, text: str) -> None:
    """Refused in five parts, shortly, whatever way the plan is too much."""
    (tmp_path / "plan.toml").write_text(text)
    with pytest.raises(ShoalError) as refused:
        Plan.read(tmp_path / "plan.toml")
    assert len(refused.value.parts()) == 5
    assert len(str(refused.value)) < 1_500


@pytest.mark.parametrize("large", [2**63, 10**30, 10**5_000, -(10**40)], ids=["64 bits", "100 bits", "5000", "below"])
def test_large_numbers_by_keyword(large: int) -> None:
    """What no plan file can hold is no setting either."""
    for keywords in ({"k": large}, {"k": 2, "steps": large}, {"k": 2, "models": {"l_diversity": {"l": large}}}):
        table = pl.DataFrame({"a": [1, 2], "s": ["x", "y"]})
        with pytest.raises(ShoalError) as refused:
            shoal.anonymize(table, quasi_identifiers=["a"], sensitive=["s"], **keywords)
        assert len(str(refused.value)) < 1_500


def fifo(path: Path) -> None:
    """A pipe that nobody writes to."""
    os.mkfifo(path)


def link_to(device: str) -> Callable[[Path], None]:
    """A name for a device."""
    return lambda path: path.symlink_to(device)


READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "plan": ("plan.toml", Plan.read),
    "tree": ("tree.csv", read_levels),
    "csv": ("people.csv", read_table),
    "packed csv": ("people.csv.gz", read_table),
    "parquet": ("people.parquet", read_table),
    "sheet": ("people.xlsx", read_table),
    "sqlite": ("people.sqlite", read_table),
    "json": ("people.jsonl", read_table),
    "population": (
        "people.csv",
        lambda path: shoal.anonymize(
            pl.DataFrame({"a": [1, 2]}), k=1, quasi_identifiers=["a"], population=path, models={"k_map": {"k": 2}}
        ),
    ),
    "hierarchy of a column": (
        "tree.csv",
        lambda path: shoal.anonymize(
            pl.DataFrame({"a": ["x", "y"]}), k=1, quasi_identifiers=["a"], hierarchies={"a": path}
        ),
    ),
}


@pytest.mark.parametrize("make", [fifo, link_to("/dev/zero"), link_to("/dev/urandom"), link_to("/dev/full")])
@pytest.mark.parametrize("reader", READERS.values(), ids=READERS.keys())
def test_what_never_ends(tmp_path: Path, reader: tuple[str, Callable], make: Callable[[Path], None]) -> None:
    """Pipes and devices are refused at once, wherever a file is expected."""
    name, read = reader
    make(tmp_path / name)
    with pytest.raises(ShoalError, match="might never end"):
        read(tmp_path / name)


@pytest.mark.parametrize("name", ["manifest.json", "plan.toml", "table.csv"])
def test_a_release_folder_with_a_pipe(tmp_path: Path, name: str) -> None:
    """A folder that somebody sends is not waited for."""
    release = shoal.anonymize(pl.DataFrame({"a": [1, 1]}), k=1, quasi_identifiers=["a"], method="mondrian")
    folder = tmp_path / "released"
    release.save(folder, format="delimited")
    (folder / name).unlink()
    fifo(folder / name)
    if name == "manifest.json":
        assert any(name in problem for problem in read_release(folder).problems)
        return
    with pytest.raises(ShoalError):
        read_release(folder)


ZEROS = b"a\n" + b"0\n" * 5_000_000


def zstd(content: bytes) -> bytes:
    """Packed by the extra."""
    from backports import zstd

    return zstd.compress(content)


@pytest.mark.parametrize(
    ("ending", "pack"), [("gz", lambda _: gzip.compress(b"a\n" + b"0" * 9_000_000)), ("bz2", bz2.compress),
                         ("xz", lambda some: lzma.compress(some, preset=1)), ("zst", zstd)]
)  # fmt: skip
def test_packed_files_that_grow(tmp_path: Path, ending: str, pack: Callable[[bytes], bytes]) -> None:
    """A thousandfold is too much; the limit is told and can be raised."""
    if ending == "zst":
        pytest.importorskip("backports.zstd")
    path = tmp_path / f"people.csv.{ending}"
    path.write_bytes(pack(ZEROS))
    with pytest.raises(ShoalError, match="unpacks to far more") as refused:
        read_table(path)
    assert "1,000 times" in refused.value.allowed
    assert "SHOAL_MOST_UNPACKING=" in refused.value.todo


def test_a_workbook_that_grows(tmp_path: Path) -> None:
    """Workbooks are packed, too."""
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/worksheets/sheet1.xml", "0" * 50_000_000)
    (tmp_path / "people.xlsx").write_bytes(stored.getvalue())
    with pytest.raises(ShoalError, match="unpacks to far more"):
        read_table(tmp_path / "people.xlsx")


def test_limits_can_be_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable that the message names makes room."""
    path = tmp_path / "people.csv.gz"
    path.write_bytes(gzip.compress(b"a\n" + b"0" * 9_000_000 + b"\n"))
    with pytest.raises(ShoalError, match="unpacks to far more"):
        read_table(path)
    monkeypatch.setenv(UNPACKING.name, "100000")
    assert len(read_table(path).table) == 1
    (tmp_path / "plan.toml").write_text(PLANS["50,000 columns"])
    monkeypatch.setenv("SHOAL_MOST_PLAN_KEYS", "1000000")
    assert len(Plan.read(tmp_path / "plan.toml").columns) == 50_000


def test_limits_are_documented() -> None:
    """Each limit stands in the documentation, with its value."""
    page = (Path(__file__).parents[2] / "docs" / "errors-and-exit-codes.md").read_text(encoding="utf-8")
    assert all(f"`{one.name}` | {one.usual:,} {one.unit}" in page for one in ALL_LIMITS)
