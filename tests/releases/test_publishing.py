# SPDX-License-Identifier: Apache-2.0
"""A release in a database never replaces the table that it was made from."""

from __future__ import annotations

import pytest

from shoal.ground.errors import PlanError
from shoal.releases.publishing import refuse_source
from shoal.tables.databases import place_of
from shoal.tables.reading import Reading


@pytest.mark.parametrize(
    ("source", "table", "name", "refused"),
    [
        ("a.sqlite", "people", "people", True),
        ("a.sqlite", "released", None, True),
        ("a.sqlite", None, "people", True),
        ("a.sqlite", "people", "safe", False),
        ("a.sqlite", "people", None, False),
        ("b.sqlite", "people", "people", False),
    ],
)
def test_the_source_is_not_replaced(source: str, table: str | None, name: str | None, refused: bool) -> None:
    """The same table of the same database is refused; without its name it might be the same."""
    asked = (place_of("a.sqlite"), name, (source,), Reading(table=table))
    if refused:
        with pytest.raises(PlanError, match="could replace the original"):
            refuse_source(*asked)
    else:
        refuse_source(*asked)
