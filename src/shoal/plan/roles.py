# SPDX-License-Identifier: Apache-2.0
"""The five roles and five kinds a column can have, and what can be done with each kind."""

IDENTIFIER = "identifier"
QUASI_IDENTIFIER = "quasi-identifier"
SENSITIVE = "sensitive"
INSENSITIVE = "insensitive"
DROP = "drop"

ROLES = {
    IDENTIFIER: "points to one person by itself; removed from the release",
    QUASI_IDENTIFIER: "harmless alone, telling together; generalised",
    SENSITIVE: "the private fact; published as it is",
    INSENSITIVE: "neither; published as it is",
    DROP: "not needed; left out of the release",
}

#: Roles of columns that are not in the release.
REMOVED = (IDENTIFIER, DROP)
#: What may become of the columns that nobody named.
RESTS = (DROP, INSENSITIVE)

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

RANGE, RANK, LOG = "range", "rank", "log"
SCALES = {
    RANGE: "differences of the values themselves",
    RANK: "how many rows lie in between",
    LOG: "ratios rather than differences",
}
"""What the loss of a range can be counted on."""

#: The scales that each kind of range knows; a tree has none.
SCALES_OF = {NUMERIC: (RANGE, RANK, LOG), DATE: (RANGE, RANK), ORDERED: (RANGE, RANK)}

OWN, COMMON = "own", "common"
LEVELS = (OWN, COMMON)
"""Whether each class has ranges or nodes of its own, or all share levels that do not overlap."""

#: A column rendered as ``bounds`` is published as two, ``age_min`` and ``age_max``.
BOUNDS = ("_min", "_max")
