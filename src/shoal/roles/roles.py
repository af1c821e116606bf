# SPDX-License-Identifier: Apache-2.0
"""The four roles and five kinds a column can have, and what can be done with each kind."""

from __future__ import annotations

IDENTIFIER = "identifier"
QUASI_IDENTIFIER = "quasi-identifier"
SENSITIVE = "sensitive"
INSENSITIVE = "insensitive"

ROLES = {
    IDENTIFIER: "points to one person by itself; removed from the release",
    QUASI_IDENTIFIER: "harmless alone, telling together; generalised",
    SENSITIVE: "the private fact; published as it is",
    INSENSITIVE: "neither; published as it is",
}

NUMERIC = "numeric"
ORDERED = "ordered"
CATEGORICAL = "categorical"
DATE = "date"
TEXT_PREFIX = "text-prefix"

KINDS = {
    NUMERIC: "quantities; a class publishes the range of its values",
    ORDERED: "categories with an order; a class publishes first and last",
    CATEGORICAL: "names; a class publishes the nearest common ancestor in the column's tree",
    DATE: "days or moments; a class publishes the range",
    TEXT_PREFIX: "codes that get coarser from the right, such as postcodes",
}

#: Kinds whose classes are ranges on a line; the others are leaves of a tree.
RANGE_KINDS = (NUMERIC, ORDERED, DATE)

#: A column rendered as ``bounds`` is published as two, ``age_min`` and ``age_max``.
BOUNDS = ("_min", "_max")
