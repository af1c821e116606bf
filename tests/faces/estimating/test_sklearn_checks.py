# SPDX-License-Identifier: Apache-2.0
"""The estimator passes scikit-learn's own checks, and names those that do not apply."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from sklearn.utils import estimator_checks

import shoal
from shoal.faces.estimating.estimator import NOT_APPLICABLE

FURTHER = [
    "check_dataframe_column_names_consistency",
    "check_transformer_get_feature_names_out",
    "check_transformer_get_feature_names_out_pandas",
    "check_set_output_transform",
    "check_set_output_transform_polars",
    "check_global_set_output_transform_polars",
    "check_inplace_ensure_writeable",
]
"""Checks that scikit-learn holds its own estimators to, beside those that it asks of everybody."""

PROGRAM = """
import warnings
import shoal
from sklearn.utils.estimator_checks import check_estimator
warnings.simplefilter("ignore")
settings = {"method": "mdav"}, {"k": 3, "steps": 50}, {"k": 4, "render": "rounded", "method": "mondrian"}
for estimator in [shoal.Anonymizer(**one) for one in settings]:
    results = check_estimator(estimator, on_fail=None, on_skip=None)
    for one in results:
        if one["status"] != "passed":
            print(estimator, one["check_name"], one["status"], one["exception"])
    print(len(results))
"""


@pytest.mark.long
def test_check_estimator() -> None:
    """Every check of ``check_estimator`` passes, none fails or is skipped; array namespaces are tried, too."""
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    lines = done.stdout.split("\n")[:-1]
    assert len(lines) == 3, done.stdout
    assert all(int(line) > 40 for line in lines)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FURTHER)
def test_further_checks(name: str) -> None:
    """Names of columns and ``set_output`` work as in scikit-learn's own transformers."""
    getattr(estimator_checks, name)("Anonymizer", shoal.Anonymizer(method="mdav"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NOT_APPLICABLE)
def test_checks_that_do_not_apply(name: str) -> None:
    """Each of them exists and would fail: a check that passes is not one to leave out."""
    assert NOT_APPLICABLE[name]
    with pytest.raises(Exception):  # noqa: B017, PT011  each fails in a way of its own
        getattr(estimator_checks, name)("Anonymizer", shoal.Anonymizer(method="mdav"))
