# SPDX-License-Identifier: Apache-2.0
"""Archives from outside: how large they may become, and that no name in them leads elsewhere."""

from __future__ import annotations

import zipfile
from pathlib import Path

from shoal.ground.errors import InputError, TableError

MOST_FILES, LARGEST, RATIO = 2_000, 8 << 30, 200
"""Of an archive: files, bytes unpacked, and how many times that is of what it is packed."""
BLOCK = 1 << 20


def unpacked(archive: Path, target: Path) -> Path:
    """The files of an archive in a new folder; refused if it is too large, or a name leads elsewhere."""
    with zipfile.ZipFile(archive) as packed:
        entries = _entries(packed, archive)
        target.mkdir(mode=0o700)
        for one in entries:
            parts = one.filename.split("/")
            strange = "\\" in one.filename or ":" in one.filename or any(part in ("", ".", "..") for part in parts)
            if strange:
                raise _refused("The archive holds a name that leads elsewhere.", "a path outside the archive")
            _write(packed, one, target.joinpath(*parts))
    inside = [one for one in target.iterdir() if one.is_dir()]
    alone = len(inside) == 1 and not (target / "plan.toml").exists()
    return inside[0] if alone else target


def refuse_swollen(path: Path) -> None:
    """Refuse a file that is an archive inside, as workbooks are, and would swell beyond reason when it is read."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as packed:
            _entries(packed, path)


def _entries(packed: zipfile.ZipFile, path: Path) -> list[zipfile.ZipInfo]:
    entries = [one for one in packed.infolist() if not one.is_dir()]
    whole = sum(one.file_size for one in entries)
    if len(entries) > MOST_FILES or whole > LARGEST or whole > RATIO * max(path.stat().st_size, 1 << 20):
        raise _refused("The archive is too large once it is unpacked.", f"{len(entries):,} files")
    return entries


def _write(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path) -> None:
    """One file, and no more bytes of it than its archive promised."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    left = entry.file_size
    with packed.open(entry) as source, path.open("xb") as target:
        for block in iter(lambda: source.read(BLOCK), b""):
            left -= len(block)
            if left < 0:
                raise _refused("The archive is larger than it says.", "more bytes than promised")
            target.write(block)


def _refused(what: str, received: str) -> InputError:
    return TableError(
        what,
        where="archive",
        allowed=f"at most {MOST_FILES:,} files, of at most {RATIO} times the size of the archive",
        received=received,
        todo="unpack it yourself, and name what is in it by its path",
    )
