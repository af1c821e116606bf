# SPDX-License-Identifier: Apache-2.0
"""Categories by how common they are: rare ones are merged into one group, common ones stand for themselves.

A value is rare if fewer than ``least`` of the rows have it (``--set least=0.02``). The group is called ``other``
unless ``label`` says otherwise. This needs no knowledge of what the values mean; ``similarity`` puts together what
behaves alike, ``mapping`` what you say belongs together.
"""

from __future__ import annotations

from dataclasses import dataclass

from shoal.ground.parameters import parameter
from shoal.hierarchies.hierarchy import ROOT, Hierarchy
from shoal.hierarchies.values import Values, free_label, tree_of


@dataclass(frozen=True)
class Parameters:
    """What counts as rare."""

    least: float = parameter(0.05, "share of the rows below which a value is rare", least=0, most=1)
    label: str = parameter("other", "what the group of rare values is called")


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """One group for the rare values, if there are two or more.

    >>> build(Values.of(["a", "b", "c"], [96, 2, 2]), Parameters()).rows()
    [['a', '*'], ['b', 'other', '*'], ['c', 'other', '*']]
    """
    total = max(int(values.counts.sum()), 1)
    order = sorted(range(len(values.texts)), key=lambda leaf: (-int(values.counts[leaf]), values.texts[leaf]))
    rare = [leaf for leaf in order if values.counts[leaf] < parameters.least * total]
    if len(rare) < 2 or len(rare) == len(order):
        return tree_of([[values.texts[leaf], ROOT] for leaf in order], values)
    label = free_label(parameters.label, {*values.texts, ROOT})
    common = [[values.texts[leaf], ROOT] for leaf in order if leaf not in set(rare)]
    return tree_of([*common, *([values.texts[leaf], label, ROOT] for leaf in rare)], values)
