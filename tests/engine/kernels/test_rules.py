# SPDX-License-Identifier: Apache-2.0
"""Rules about private values in the kernels: the same answers as their definitions, and safe in threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from shoal.engine.kernels.rules import as_arrays, obeyed, obeyed_by, own_scratch
from shoal.ground.requirements import RULES, Rule
from tests.reference.rules import obeys, random_rule


@pytest.mark.parametrize("kind", RULES)
def test_kernel_agrees_with_the_definition(kind: str) -> None:
    """Every rule answers as its definition does, for records met several times and for parts of a list."""
    random = np.random.default_rng(RULES.index(kind))
    answers = set()
    for _ in range(400):
        n = int(random.integers(2, 30))
        rules = tuple(random_rule(random, kind, n) for _ in range(random.integers(1, 3)))
        rows = random.permutation(n)
        count = int(random.integers(1, n + 1))
        amounts = random.integers(0, 4, n)
        arrays = as_arrays(rules, n)
        spread = np.repeat(rows[:count], amounts[:count])
        wanted = all(obeys(rule, rule.codes[spread]) for rule in rules)
        answers.add(wanted)
        assert obeyed_by(arrays, rows, amounts, count) == wanted
        side = random.random(n) < 0.5
        one_side = rows[:count][~side[:count]]
        assert obeyed(arrays, rows, 0, count, side, False) == all(obeys(rule, rule.codes[one_side]) for rule in rules)
        assert not arrays.counts.any(), "scratch is left clean"
    assert answers == {True, False}


def test_no_rule_is_always_obeyed() -> None:
    """Without rules everything obeys, nothing too."""
    assert obeyed_by(as_arrays((), 5), np.arange(5), np.ones(5, np.int64), 0)


def test_no_record_obeys_no_rule() -> None:
    """A class without records breaks every rule: it must not pass for a safe one."""
    rules = as_arrays((Rule("share", np.zeros(3, np.int64), 1.0),), 3)
    assert not obeyed_by(rules, np.arange(3), np.ones(3, np.int64), 0)


def test_threads_with_scratch_of_their_own_do_not_disturb_each_other() -> None:
    """Threads that ask at the same time get the answers they get alone."""
    random = np.random.default_rng(5)
    n = 4000
    rule = Rule("share", random.integers(0, 50, n), 0.03)
    rules = as_arrays((rule,), n)
    ones = np.ones(n, np.int64)
    asked = [random.integers(0, n, 200) for _ in range(400)]
    alone = [obeyed_by(rules, rows, ones, 200) for rows in asked]

    def answers(part: list[np.ndarray]) -> list[bool]:
        mine = own_scratch(rules)
        return [obeyed_by(mine, rows, ones, 200) for rows in part for _ in range(20)][::20]

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(answers, [asked[i::4] for i in range(4)]))
    assert [found[i % 4][i // 4] for i in range(len(asked))] == alone
