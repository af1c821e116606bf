# SPDX-License-Identifier: Apache-2.0
"""Exchanges and partings that mend two classes: each step as its definition reads, over all pairs of records."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine.encoding.encoded import Encoded
from shoal.engine.kernels.enforcing.class_mending import work_of_exchange
from shoal.engine.kernels.enforcing.exchanging import EPSILON, MENDED_AT_ONCE, PAIRS, exchange
from shoal.engine.kernels.enforcing.lacking import alike_in_size, lack_of
from shoal.engine.kernels.enforcing.parting import _cheapest_cut, _halve_each_value, _in_line, parted
from shoal.engine.kernels.hull import loss
from shoal.engine.kernels.rules import Rules, as_arrays
from shoal.ground.requirements import Requirement, Rule
from tests.counts import count, repeats
from tests.reference.lacking import lack
from tests.reference.rules import random_rule
from tests.strategies import random_encoded

KINDS = ("distinct", "share", "entropy", "recursive", "bounds")


def cost(encoded: Encoded, rows: np.ndarray) -> float:
    """What a class of these rows costs."""
    at = encoded.points[rows]
    return len(rows) * float(loss(encoded.hulls, at.min(axis=0), at.max(axis=0)))


def lacking(asked: Requirement, rows: np.ndarray, side: np.ndarray, allowed: float) -> float:
    """What both sides lack; the second may lack as much as is allowed, and as many records as it likes."""
    mine, theirs = (
        sum(lack(rule, rule.codes[rows[which]]) for rule in asked.rules) if which.any() else np.inf
        for which in (~side, side)
    )
    return mine + max(theirs - allowed, 0.0) + max(asked.size - int((~side).sum()), 0)


def best_step(
    encoded: Encoded, asked: Requirement, rows: np.ndarray, side: np.ndarray, allowed: float
) -> tuple[np.ndarray, float, float] | None:
    """The sides after the step that costs least for what it mends, its price, and what is lacking then."""
    n, least, now = len(rows), asked.size, lacking(asked, rows, side, allowed)
    before, best, found = cost(encoded, rows[~side]) + cost(encoded, rows[side]), np.inf, None
    sizes = int((~side).sum()), int(side.sum())
    for one in [*np.flatnonzero(~side), n]:
        for other in [*np.flatnonzero(side), n]:
            if one == n and other == n:
                continue
            then = side.copy()
            then[[place for place in (one, other) if place < n]] ^= True
            mine, theirs = int((~then).sum()), int(then.sum())
            if (mine < least and mine <= sizes[0]) or (theirs < least and theirs < sizes[1]):
                continue
            after = lacking(asked, rows, then, allowed)
            if after > now - EPSILON:
                continue
            change = cost(encoded, rows[~then]) + cost(encoded, rows[then]) - before
            score = change / (now - after) if change > 0 else change * (now - after)
            if score < best - EPSILON:
                best, found = score, (then, change, after)
    return found


def exchanged(
    encoded: Encoded, asked: Requirement, rows: np.ndarray, side: np.ndarray, allowed: float
) -> tuple[np.ndarray, float]:
    """Step after step; infinity if something is lacking at the end."""
    steps = min(max(PAIRS // (int(side.sum()) * int((~side).sum())), 4), 32)
    price, left = 0.0, lacking(asked, rows, side, allowed)
    for step in range(steps):
        if left <= EPSILON:
            break
        if step > 0 and left > MENDED_AT_ONCE * (steps - step):
            return side, np.inf
        found = best_step(encoded, asked, rows, side, allowed)
        if found is None:
            return side, np.inf
        side, price, left = found[0], price + found[1], found[2]
    return side, price if left <= EPSILON else np.inf


@pytest.mark.parametrize("kind", KINDS)
def test_exchanges_are_those_of_the_definition(kind: str) -> None:
    """Random classes of any shape that lack something: the same records change sides, at the same price."""
    mended = 0
    for seed in range(count(75, 150)):
        random = np.random.default_rng([seed, KINDS.index(kind)])
        n = int(random.integers(5, 11))
        encoded = random_encoded(random, n + 3)
        rows = random.permutation(n + 3)[:n]
        side = np.arange(n) < random.integers(2, n - 1)
        asked = Requirement(int(random.integers(1, 5)), (random_rule(random, kind, n + 3, 3),))
        allowed = float(random.choice([0.0, 0.0, 1.0]))
        then, price = exchanged(encoded, asked, rows, side, allowed)
        found = side.copy()
        told = exchange(encoded.hulls, encoded.points, as_arrays(asked.rules, n + 3), rows, found, asked.size, allowed)
        assert told == pytest.approx(price, abs=1e-7), seed
        if np.isfinite(price):
            assert (found == then).all(), seed
            mended += bool((then != side).any())
    assert mended > 2


@pytest.mark.parametrize("seed", repeats(20, 200))
def test_a_line_is_cut_where_it_costs_least(seed: int) -> None:
    """Both ends are long enough, and no other such cut costs less."""
    random = np.random.default_rng(seed)
    n, least = int(random.integers(4, 12)), int(random.integers(1, 3))
    encoded, line = random_encoded(random, n), random.permutation(n)
    prices = {at: cost(encoded, line[:at]) + cost(encoded, line[at:]) for at in range(least, n - least + 1)}
    found = int(_cheapest_cut(encoded.hulls, encoded.points, line, least))
    assert prices[found] == pytest.approx(min(prices.values()))


def partings(encoded: Encoded, rules: Rules, rows: np.ndarray, least: int) -> list[tuple[float, bool]]:
    """What each way to part a class costs, and whether it obeys: cut in line, halves of each value in every order."""
    line = _in_line(encoded.hulls, encoded.points, rows)
    cut = np.arange(len(line)) >= _cheapest_cut(encoded.hulls, encoded.points, line, least)
    orders = [
        line,
        *(line[np.argsort(encoded.points[line, way], kind="stable")] for way in range(encoded.points.shape[1])),
    ]
    ways = [(line, cut)]
    for order in orders:
        halves = np.zeros(len(order), dtype=bool)
        _halve_each_value(rules, order, halves)
        ways.append((order, halves))
    return [
        (
            cost(encoded, order[side]) + cost(encoded, order[~side]),
            lack_of(rules, order[side], least) <= 0 and lack_of(rules, order[~side], least) <= 0,
        )
        for order, side in ways
        if side.any() and not side.all()
    ]


@pytest.mark.parametrize("seed", repeats(30, 300))
def test_a_class_is_parted_in_the_cheapest_way_that_obeys(seed: int) -> None:
    """Of all ways, if none that breaks the rules is cheaper; never dearer than the whole, and both parts obey."""
    random = np.random.default_rng(seed)
    n, least = int(random.integers(6, 14)), 2
    encoded = random_encoded(random, n, columns=2)
    rules = as_arrays((random_rule(random, "distinct", n, 3),), n)
    done, line, side = parted(encoded.hulls, encoded.points, rules, np.arange(n), least)
    ways, whole = partings(encoded, rules, np.arange(n), least), cost(encoded, np.arange(n))
    cheapest = min(ways, default=(np.inf, False))
    if cheapest[1] and cheapest[0] < whole - 1e-6:
        assert done
        assert cost(encoded, line[side]) + cost(encoded, line[~side]) == pytest.approx(cheapest[0])
    if done:
        assert sorted(line) == list(range(n))
        assert lack_of(rules, line[side], least) <= 0
        assert lack_of(rules, line[~side], least) <= 0
        assert cost(encoded, line[side]) + cost(encoded, line[~side]) <= whole + 1e-6


def test_those_who_ask_for_most_come_first() -> None:
    """Six who ask for five, six who ask for three and six who ask for two; too few of a kind take in the next."""
    codes = np.repeat([0, 1, 2], 6)
    rule = Rule("own_size", codes, sizes=np.array([5, 3, 2]))
    assert alike_in_size(as_arrays((rule,), 18), 2).tolist() == codes.tolist()
    few = np.repeat([0, 1, 2], [3, 9, 6])
    rule = Rule("own_size", few, sizes=np.array([5, 3, 2]))
    assert alike_in_size(as_arrays((rule,), 18), 2).tolist() == [0] * 12 + [1] * 6


def test_the_work_of_an_exchange_grows_with_the_values_at_hand() -> None:
    """For each rule the cube of its values, or of the records if they are fewer, whichever rule it is."""
    rules = as_arrays((Rule("distinct", np.arange(12) % 3, 2), Rule("distinct", np.arange(12) % 4, 2)), 12)
    assert work_of_exchange(rules, 100) == 3**3 + 4**3
    assert work_of_exchange(rules, 2) == 2**3 + 2**3


def test_rules_that_look_at_all_values_cost_more_work() -> None:
    """Closeness is worked out over the spans of all values of the column, those that are not at hand included."""
    random = np.random.default_rng(1)
    close = random_rule(random, "closeness", 30, 5)
    rules = as_arrays((Rule("distinct", np.arange(30) % 3, 2), close), 30)
    values, spans = int(close.codes.max()) + 1, int(rules.first_span[2] - rules.first_span[1])
    assert spans > 0
    assert work_of_exchange(rules, 2) == 2**3 + 2**2 * (2 + spans + values)
