# SPDX-License-Identifier: Apache-2.0
"""Builders of hierarchies, one file per kind.

Every public file has a ``Parameters`` dataclass and ``build(values, parameters)``, which makes a tree whose leaves are
the values as the table shows them. A new file is a new kind: ``shoal hierarchy build --kind`` knows it at once. Kinds
by a public classification also have ``groups_of(said)``; their lists stand in ``hierarchies/classifications``.
"""
