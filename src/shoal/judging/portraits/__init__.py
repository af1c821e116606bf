# SPDX-License-Identifier: Apache-2.0
"""Before and after: how each column and each pair of columns came through, told in the labels of the released table.

This room sees the original, so it keeps three rules. Every text comes from the released table: original rows are only
counted, under the labels or between the ends that the release itself shows. No figure stands for 1 to k - 1 original
rows. Rows that were left out are in no figure, so that nothing about them follows from a difference.
"""
