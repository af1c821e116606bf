# SPDX-License-Identifier: Apache-2.0
"""Damaged files of compiled kernels are noticed: compiled anew, with the right answer and a word to the user."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.compiled

ASK = "from shoal.engine.kernels.hull import ticks; print(ticks(1.0))"
COMMAND = f"import shoal.faces.cli as cli, sys; cli.shoal.main = lambda **_: exec({ASK!r}); cli.main()"


def asked(folder: Path, script: str = ASK) -> tuple[str, str]:
    """The answer of a kernel in a process of its own, and what was said besides."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=False)
    return done.stdout, done.stderr


def cut(path: Path) -> None:
    """Half of the file, as a full disk leaves it."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def emptied(path: Path) -> None:
    """Nothing but the name."""
    path.write_bytes(b"")


def noise(path: Path) -> None:
    """Something else."""
    path.write_bytes(os.urandom(path.stat().st_size))


def one_bit(path: Path) -> None:
    """A bit in the middle of it."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def text(path: Path) -> None:
    """A page that a proxy sent instead."""
    path.write_text("<html>not found</html>")


@pytest.mark.thin(3)
@pytest.mark.parametrize(
    ("files", "damage"),
    [("*.nbi", cut), ("*.nbi", text), ("*.nbi", noise), ("*.nbc", emptied), ("*.nbc", one_bit), ("*.nbc", cut)],
)
def test_damage_is_noticed_and_mended(tmp_path: Path, files: str, damage: Callable[[Path], None]) -> None:
    """Whatever happened to a file, the answer is the same, and the next run finds a whole cache."""
    assert asked(tmp_path) == ("1000000000000.0\n", "")
    damaged = list(tmp_path.rglob(files))
    assert damaged
    for path in damaged:
        damage(path)
    answer, said = asked(tmp_path, COMMAND)
    assert answer == "1000000000000.0\n"
    assert said.count("Note: compiled kernels on disk are damaged") == 1
    assert "Traceback" not in said
    assert asked(tmp_path) == ("1000000000000.0\n", "")
