# SPDX-License-Identifier: Apache-2.0
"""How a value gets coarser: trees over the values of a column.

Common ground of engine and judges; trees know neither tables nor plans. Only ``building`` looks at a table.
"""
