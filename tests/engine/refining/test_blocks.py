# SPDX-License-Identifier: Apache-2.0
"""Blocks of neighbouring classes: all of them once, none too large, cut where classes are apart."""

from __future__ import annotations

import numpy as np

from shoal.engine.refining.blocks import cut


def test_every_class_is_in_one_block_that_is_not_too_large() -> None:
    """Whatever they are like, all in one place included; the same dice cut alike."""
    for seed in range(30):
        random = np.random.default_rng(seed)
        middles = random.choice([0.0, 0.5, 7.0], (200, 3)) * random.choice([0.0, 1.0], 3)
        widths = random.choice([0.0, 1.0, 9.0], (200, 3))
        for wide in (None, widths):
            blocks = [cut(middles, np.random.default_rng(seed), 30, wide) for _ in range(2)]
            assert sorted(np.concatenate(blocks[0]).tolist()) == list(range(200))
            assert max(map(len, blocks[0])) <= 30
            assert [one.tolist() for one in blocks[0]] == [one.tolist() for one in blocks[1]]


def test_cuts_are_where_classes_are_apart() -> None:
    """Four towns 0.02 apart that no class spans, and ages of 0 to 1 in classes of 0.3: the towns are cut apart."""
    random = np.random.default_rng(0)
    town = np.repeat(np.arange(4), 50)
    middles = np.column_stack([0.02 * town, random.random(200)])
    widths = np.column_stack([np.zeros(200), np.full(200, 0.3)])

    def towns(blocks: list[np.ndarray]) -> float:
        return float(np.mean([len(set(town[block].tolist())) for block in blocks]))

    for seed in range(10):
        assert towns(cut(middles, np.random.default_rng(seed), 60, widths)) < 2.1
        assert towns(cut(middles, np.random.default_rng(seed), 60)) == 4.0, "the ages reach further"
