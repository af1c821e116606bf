# SPDX-License-Identifier: Apache-2.0
"""An assertion for your own tests, and the public exams that every method, model, metric, leak and format sits.

>>> from shoal.testing import check_privacy_model
>>> check_privacy_model("k_anonymity")

Loaded on demand: the assertion does not load the engine, which the exam of methods needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

#: Public name -> module that holds it.
_DOORS = {
    "assert_anonymous": "shoal.testing.anonymity",
    "check_algorithm": "shoal.testing.algorithms",
    "check_format": "shoal.testing.formats",
    "check_leak": "shoal.testing.leaks",
    "check_metric": "shoal.testing.metrics",
    "check_privacy_model": "shoal.testing.privacy_models",
}

__all__ = [*_DOORS]

if TYPE_CHECKING:
    from shoal.testing.algorithms import check_algorithm as check_algorithm
    from shoal.testing.anonymity import assert_anonymous as assert_anonymous
    from shoal.testing.formats import check_format as check_format
    from shoal.testing.leaks import check_leak as check_leak
    from shoal.testing.metrics import check_metric as check_metric
    from shoal.testing.privacy_models import check_privacy_model as check_privacy_model


def __getattr__(name: str) -> Any:
    if name in _DOORS:
        return getattr(import_module(_DOORS[name]), name)
    raise AttributeError(f"module 'shoal.testing' has no attribute {name!r}")
