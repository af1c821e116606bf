# SPDX-License-Identifier: Apache-2.0
"""Names that a table does not have are told, not passed over."""

from __future__ import annotations

import pytest

import shoal
from shoal.tables.table import Table

ROWS = {"age": ["[20, 29]"] * 4, "street": ["A", "B", "C", "D"], "disease": ["flu", "flu", "cold", "cold"]}


def _checked(**told: object) -> shoal.Verdict:
    return shoal.check(Table.from_columns(ROWS), quasi_identifiers=["age"], k=2, **told)


def test_a_model_about_an_absent_column_is_refused() -> None:
    """It used to end as an internal error."""
    with pytest.raises(shoal.ShoalError, match=r"no such column(.|\n)*did you mean 'disease'"):
        _checked(sensitive=["diseases"], models={"l_diversity": {"l": 2}})


def test_an_absent_sensitive_column_is_told() -> None:
    """Nothing was claimed of it, but somebody believes that it was looked at."""
    assert any("'diseases' is not in the table" in said for said in _checked(sensitive=["diseases"]).warnings)
    assert not any("not in the table" in said for said in _checked(sensitive=["disease"]).warnings)


@pytest.mark.parametrize("role", ["identifiers", "drop"])
@pytest.mark.parametrize("name", ["Street", "strete"])
def test_a_column_of_nearly_the_name_of_one_to_be_gone_is_told(role: str, name: str) -> None:
    """'Strasse' is not in the table, for it is spelt 'Straße' there."""
    told = [said for said in _checked(**{role: [name]}).warnings if repr(name) in said]
    assert len(told) == 1
    assert "'street' is in the table and has no role" in told[0]
    with_role = _checked(**{role: [name]}, insensitive=["street", "disease"])
    assert not any(repr(name) in said for said in with_role.warnings)
