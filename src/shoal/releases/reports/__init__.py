# SPDX-License-Identifier: Apache-2.0
"""The faces of a release: text for a terminal, JSON for programs, one HTML page for people.

None of them shows a cell of the original, a path or a time; labels only as the released table has them.
"""
