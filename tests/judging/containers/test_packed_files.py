# SPDX-License-Identifier: Apache-2.0
"""What packed and plain text files hold besides their cells is found."""

from __future__ import annotations

import gzip
import lzma
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

import shoal
from shoal.judging.containers import packing
from shoal.judging.containers.extras import OpenedFile
from shoal.plan.plan import Plan
from shoal.releases.folder import read_release
from shoal.tables.reading import Reading
from shoal.tables.table import Table
from tests.judging.containers.planting import CELLS, SECRET, TEXT, around


def gzipped(flags: int, field: bytes, behind: bytes = b"") -> bytes:
    """A gzip file with a field in its header and bytes behind it."""
    plain = gzip.compress(TEXT, mtime=0)
    return plain[:3] + bytes([flags]) + plain[4:10] + field + plain[10:] + behind


def zstd_skippable() -> bytes:
    """A zstd file with a frame that readers skip."""
    from backports import zstd

    return zstd.compress(TEXT) + struct.pack("<II", 0x184D2A53, len(SECRET)) + SECRET.encode()


PACKED: dict[str, tuple[str, Callable[[], bytes]]] = {
    "gzip comment": ("t.csv.gz", lambda: gzipped(16, SECRET.encode() + b"\0")),
    "gzip name": ("t.csv.gz", lambda: gzipped(8, b"anna-bell-original.csv\0")),
    "gzip field": ("t.csv.gz", lambda: gzipped(4, struct.pack("<H", 8) + b"AB\4\0Anna")),
    "gzip second member": ("t.csv.gz", lambda: gzip.compress(TEXT[:-4], mtime=0) + gzip.compress(TEXT[-4:], mtime=0)),
    "zstd skippable frame": ("t.csv.zst", zstd_skippable),
}


@pytest.mark.parametrize(("name", "content"), PACKED.values(), ids=PACKED)
def test_extras_of_packed_files_are_told(tmp_path: Path, name: str, content: Callable[[], bytes]) -> None:
    """Headers and frames that unpacking drops are bytes of the file all the same."""
    (tmp_path / name).write_bytes(content())
    assert around(tmp_path / name)


def test_lines_above_the_table_are_told(tmp_path: Path) -> None:
    """What stands above the table is published with it."""
    (tmp_path / "t.csv").write_bytes(b"made from Anna's table\n" + TEXT)
    assert around(tmp_path / "t.csv", Reading(skip_lines=1))


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.csv.xz"])
def test_lines_above_the_input_are_not_those_of_the_release(tmp_path: Path, name: str) -> None:
    """The plan of a release tells how its input was read; its table has nothing above it."""
    CELLS.write_csv(tmp_path / "plain.csv")
    (tmp_path / "in.csv").write_bytes(b"a remark\n" + (tmp_path / "plain.csv").read_bytes())
    source = tmp_path / name.replace("t.", "in.")
    if source.suffix != ".csv":
        source.write_bytes(
            {".gz": gzip.compress, ".xz": lzma.compress}[source.suffix](source.with_suffix("").read_bytes())
        )
    roles = {"quasi_identifiers": ["age", "sex"], "sensitive": ["ill", "money"], "rest": "drop"}
    release = shoal.anonymize(source, k=2, reading=Reading(skip_lines=1), method="mondrian", **roles)
    saved = read_release(release.save(tmp_path / "out"))
    assert saved.plan.reading.skip_lines == 1
    assert not [leak for leak in saved.check(saved.plan).leaks if leak.kind == "container_notes"]


@pytest.mark.parametrize("behind", [b"\n", b"   \n", b" \t", b"\n\n \n"])
def test_blank_lines_below_the_table_are_told(tmp_path: Path, behind: bytes) -> None:
    """Blanks behind the last row can carry a mark."""
    (tmp_path / "t.csv").write_bytes(TEXT + behind)
    assert around(tmp_path / "t.csv")


def test_files_that_readers_of_a_folder_skip_are_told(tmp_path: Path) -> None:
    """A table in several files is published as a folder, with everything in it."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.csv").write_bytes(TEXT)
    assert around(tmp_path / "parts") == []
    (tmp_path / "parts" / ".original").write_text(SECRET)
    assert around(tmp_path / "parts")


def zstd_frame(content: bytes, single: bool, checksum: bool = False) -> bytes:
    """A frame with one block as it is; a single segment tells its size, another one its window."""
    descriptor = (0x20 if single else 0) | (4 if checksum else 0)
    head = bytes([descriptor, len(content) if single else 0])
    block = (1 | len(content) << 3).to_bytes(3, "little")
    return b"\x28\xb5\x2f\xfd" + head + block + content + b"\0\0\0\0" * checksum


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("checksum", [True, False])
def test_frames_of_zstd_are_walked_from_end_to_end(tmp_path: Path, single: bool, checksum: bool) -> None:
    """One frame of either kind is no extra; another, one that is skipped or cut off, and bytes behind are."""
    frame = zstd_frame(b"a,b\n1,2\n", single, checksum)
    skipped = struct.pack("<II", 0x184D2A50, len(SECRET)) + SECRET.encode()
    cut = frame[: 9 if single else 8]
    files = {frame: 0, frame + skipped: 1, frame + frame: 1, frame + SECRET.encode(): 1, frame + cut: 2}
    for stored, told in files.items():
        (tmp_path / "t.csv.zst").write_bytes(stored)
        opened = OpenedFile(tmp_path / "t.csv.zst", Table(CELLS), Plan.of(3, quasi_identifiers=["age"]))
        assert len(list(packing.look(opened))) == told, stored
