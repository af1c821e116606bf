# SPDX-License-Identifier: Apache-2.0
"""All settings of a plan, as they are declared: for flags, keywords, forms and pages."""

from __future__ import annotations

from shoal.ground.settings import Setting, settings_of
from shoal.plan.columns import ColumnPlan
from shoal.plan.plan import Plan
from shoal.tables.reading import Reading


def settings() -> list[Setting]:
    """Every declared setting: of the plan, of its columns, and of reading the table.

    >>> [one.key for one in settings() if one.table == "release"]
    ['rest', 'keep_order', 'formulas', 'render', 'format', 'title', 'purpose', 'responsible', 'contact', 'date']
    """
    return [one for kind in (Plan, ColumnPlan, Reading) for one in settings_of(kind)]


def taken_by(user: str) -> list[Setting]:
    """The plan's own settings that a command, ``check`` or the ``estimator`` takes besides ``anonymize``."""
    return [one for one in settings_of(Plan) if user in one.also]
