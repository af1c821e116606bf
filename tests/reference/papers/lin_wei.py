# SPDX-License-Identifier: Apache-2.0
"""One-pass k-means (OKA): J.-L. Lin, M.-C. Wei, "An efficient clustering method for k-anonymization", PAIS 2008."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tests.reference.papers.records import Classes, Column, Names, Records, in_order


def distance_in(column: Column, row: int, members: Sequence[int]) -> Fraction:
    """Distance of a record to the centroid of a class: their mean, or their lowest common ancestor."""
    if isinstance(column, Names):
        return column.spread([*members, row])
    mean = sum((column.cells[member] for member in members), Fraction(0)) / len(members)
    return abs(column.cells[row] - mean) / column.domain if column.domain else Fraction(0)


def distance(records: Records, row: int, members: Sequence[int]) -> Fraction:
    """Distance of a record to the centroid of a class."""
    return sum((column.weight * distance_in(column, row, members) for column in records), Fraction(0))


def closest(records: Records, classes: Classes, row: int, among: Sequence[int]) -> int:
    """The class with the nearest centroid."""
    return min(among, key=lambda number: (distance(records, row, classes[number]), number))


def one_pass_k_means(records: Records, k: int, seeds: Sequence[int]) -> Classes:
    """The clustering stage, then the adjustment stage; what is trimmed is placed in the order of the table."""
    classes = [[seed] for seed in seeds]
    for row in in_order(records):
        if row not in seeds:
            classes[closest(records, classes, row, range(len(classes)))].append(row)
    return adjust(records, k, classes)


def adjust(records: Records, k: int, classes: Classes) -> Classes:
    """Classes of more than k lose their furthest records, which fill those of fewer than k first."""
    removed: list[int] = []
    for number, members in enumerate(classes):
        furthest_first = sorted(members, key=lambda row: (-distance(records, row, members), row))
        spare = max(0, len(members) - k)
        classes[number] = furthest_first[spare:]
        removed += furthest_first[:spare]
    for row in sorted(removed):
        wanting = [number for number, members in enumerate(classes) if len(members) < k]
        classes[closest(records, classes, row, wanting or range(len(classes)))].append(row)
    return classes
