# SPDX-License-Identifier: Apache-2.0
"""How a class shows a column: one file per rendering.

Each file has ``KINDS`` (``"range"``, ``"tree"`` or both), ``OTHERWISE`` (the rendering of a column it cannot
show, when it was chosen for the whole plan) and ``render(groups) -> {column name: cells}``. ``VALUES = True`` says that
the cells are values of the column, so that it keeps its type; without it they are labels.
"""
