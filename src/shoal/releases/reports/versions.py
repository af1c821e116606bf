# SPDX-License-Identifier: Apache-2.0
"""Versions of everything that could change a result."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from shoal import __version__

PACKAGES = ("numpy", "numba", "polars", "narwhals")


def versions() -> dict[str, str]:
    """Versions of Python, shoal and its main packages, without importing them."""
    found = {"python": platform.python_version(), "shoal": __version__}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # a frozen application carries no metadata
            found[package] = "unknown"
    return found
