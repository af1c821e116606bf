# SPDX-License-Identifier: Apache-2.0
"""The public exams: what every method, privacy model, metric and format must be able to do.

>>> from shoal.testing import check_privacy_model
>>> check_privacy_model("k_anonymity")
"""

from __future__ import annotations

from shoal.testing.algorithms import check_algorithm
from shoal.testing.formats import check_format
from shoal.testing.metrics import check_metric
from shoal.testing.privacy_models import check_privacy_model

__all__ = ["check_algorithm", "check_format", "check_metric", "check_privacy_model"]
