# SPDX-License-Identifier: Apache-2.0
"""Files of compiled kernels that notice damage: each begins with a fingerprint of the rest.

The compiler trusts its cache. A file that was cut off by a full disk or damaged otherwise would end a run with a
strange error, or be executed. Here it counts as absent, so that the kernel is compiled anew, and the user gets a word.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import warnings
from functools import cache
from pathlib import Path
from typing import Any

from shoal.ground.errors import Notice

DIGEST = hashlib.sha256().digest_size
DAMAGED = "compiled kernels on disk are damaged ({place}); they are compiled anew, which takes a moment"


class CheckedFiles:
    """What is put in front of the compiler's own class for an index and its data."""

    _cache_path: str
    _index_path: str
    _source_stamp: Any
    _version: str

    def _dump(self, obj: Any) -> bytes:
        content: bytes = super()._dump(obj)  # type: ignore[misc]
        return hashlib.sha256(content).digest() + content

    def _load_index(self) -> dict[Any, str]:
        try:
            with open(self._index_path, "rb") as file:
                version = pickle.load(file)
                stamp, overloads = _checked(file.read()) if version == self._version else (None, {})
        except FileNotFoundError:
            return {}
        except Exception:  # whatever a damaged file makes of a pickle
            _tell(Path(self._cache_path))
            return {}
        return overloads if stamp == self._source_stamp else {}

    def _load_data(self, name: str) -> Any:
        path = os.path.join(self._cache_path, name)
        try:
            return _checked(Path(path).read_bytes())
        except FileNotFoundError:
            raise
        except Exception:
            _tell(Path(self._cache_path))
            raise OSError("damaged") from None  # which the compiler takes for absent


def _checked(stored: bytes) -> Any:
    digest, content = stored[:DIGEST], stored[DIGEST:]
    if hashlib.sha256(content).digest() != digest:
        raise ValueError("damaged")
    return pickle.loads(content)


@cache
def _tell(folder: Path) -> None:
    """Say it, once for each folder."""
    warnings.warn(DAMAGED.format(place=folder), Notice, stacklevel=2)


def check(made: Any) -> None:
    """Let the cache of a compiled function be one that notices damage, if it has a cache of the usual kind."""
    files = getattr(getattr(made, "_cache", None), "_cache_file", None)
    usual = ("_dump", "_load_index", "_load_data")
    if files is not None and all(hasattr(files, name) for name in usual):
        files.__class__ = type("CheckedCache", (CheckedFiles, type(files)), {})
