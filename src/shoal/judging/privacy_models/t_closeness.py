# SPDX-License-Identifier: Apache-2.0
"""The private values of every class are spread nearly as in the whole table: no further away than t.

Whoever finds the class of a person learns how the private values are spread in it; t-closeness bounds how much that
differs from what the whole table says about everybody. With p the shares of the values in a class and q those in the
table, the distance is the earth mover's distance: the least work of turning p into q, where moving a share from one
value to another costs their ground distance, 0 to 1. The ``kind`` says what that is:

* ``equal``: 1 between any two values. The distance is 1/2 Σ |p - q|;
* ``ordered``: the m values stand in a row, at ranks 1 to m, |i - j| / (m - 1) apart. The distance is
  1/(m - 1) Σ_{i < m} |Σ_{j <= i} (p_j - q_j)|. Numbers and dates are ranked by size, so that only their order counts,
  ordered categories by the order that is given for them, that of their type, or the one that they tell (``10-19``);
* ``hierarchical``: height of their lowest common ancestor / height of the root, a height being the edges down to the
  deepest leaf. Bottom-up, each node evens out the surplus and the lack of its children, at its own height.

Unless a kind is given, each column takes its tree if the plan has one for it (text-prefix columns have that of their
prefixes), its order if it is numeric, a date or ordered, else equal distance.

A missing private value counts as a value: the last of a row, or a leaf of its own under the root. Each sensitive column
is judged by itself. Rows are alike as in k-anonymity, missing quasi-identifiers being values of their own; under the
plan's ``missing = "wildcard"`` that is the stricter reading, since a union of close classes is close.

Paper: N. Li, T. Li, S. Venkatasubramanian, t-closeness: privacy beyond k-anonymity and l-diversity, ICDE 2007.

Limits: a small t keeps the class from telling much, and so also what an analyst would like to know: how the private
column depends on the quasi-identifiers. A rare value may become many times as common as in the table and still move
little mass; ``beta_likeness`` and ``delta_disclosure`` bound that. An order that only the type of a column knows is
lost in a text file: give it with --order there.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import PlanError
from shoal.ground.parameters import parameter
from shoal.ground.requirements import Requirement, Rule, Spans
from shoal.ground.settings import ModelFlag
from shoal.hierarchies.hierarchy import Hierarchy, check_covers
from shoal.hierarchies.kinds.prefixes import prefix_hierarchy
from shoal.judging.labels.lines import line_of
from shoal.judging.privacy_models._values import answered, finding_above, sensitive
from shoal.judging.private_values import private_codes
from shoal.judging.tallying import Asked, Measure, Question, ValueCounts
from shoal.judging.verdicts import Finding
from shoal.plan.plan import Plan, load_hierarchies
from shoal.plan.roles import ORDERED as ORDERED_KIND
from shoal.plan.roles import RANGE_KINDS, TEXT_PREFIX
from shoal.plan.values import as_told
from shoal.tables.meanings import meaning_codes
from shoal.tables.table import Table

EQUAL, ORDERED, HIERARCHICAL = KINDS = ("equal", "ordered", "hierarchical")


IN_CELLS = True
"""Whether classes can be made to hold it in the parts of a table, knowing the digest of the whole."""
OF_ALL_ROWS = True
"""Whether classes are compared with all released rows, so that who is left out matters to all."""


@dataclass(frozen=True)
class Parameters:
    """What is claimed."""

    kind: str | None = parameter(
        None, "how far apart values are; none: by the column's tree, else its order, else equal", choices=KINDS
    )
    t: float | None = parameter(None, "largest distance from the whole table; none: tell what holds", least=0, most=1)
    columns: tuple[str, ...] = parameter((), "the sensitive columns it is about; none: all")


FLAG: ModelFlag = {"flag": "--t-closeness [COLUMN=][KIND:]T", "columns": True,
    "forms": {"": [{"t": "number"}], "equal": [{"t": "number"}],
              "ordered": [{"t": "number"}], "hierarchical": [{"t": "number"}]},
    "help": "How far private values of a class may be from the whole table: 0.2, equal:0.2, "
            "ordered:0.2, hierarchical:0.2.",
    "examples": "0.2 (by the column's tree, else its order), equal:0.2, ordered:0.2, hierarchical:0.2"}  # fmt: skip


@dataclass(frozen=True)
class Ground:
    """The values of a column, and how far apart they are."""

    kind: str
    codes: Ints
    """[row] the value, from 0 without gaps; in the order of the row, or of the leaves."""
    tree: Hierarchy | None = None
    leaves: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """[value] its leaf number in the tree."""

    @property
    def abstract(self) -> Ground:
        """The values alone, without the rows that have them."""
        return replace(self, codes=self.codes[:0])


def requirement(parameters: Parameters, table: Table, plan: Plan) -> Requirement:
    """Every class stays within t of the whole table, which can always be had: by one class of all rows."""
    plan = load_hierarchies(plan)
    columns = sensitive(plan, "t_closeness", parameters.columns)
    if parameters.t is None:
        return Requirement()
    rules = []
    for name in columns:
        ground = ground_of(table, plan, name, meaning_codes(table, name), parameters.kind)
        target = table.shares(name, ground.codes)
        spans = spans_of(ground)
        rules.append(Rule("closeness", ground.codes, parameters.t, target=target, spans=spans, column=name))
    return Requirement(rules=tuple(rules))


def check(released: Table, plan: Plan, parameters: Parameters) -> Finding:
    """Measure the distance of every class of a released table from the whole of it."""
    return answered(question(released, plan, parameters), released, plan)


def question(table: Table, plan: Plan, parameters: Parameters) -> Question:
    """The distance of every class from the whole table."""
    plan, measure = load_hierarchies(plan), Measure("t", parameters.t)
    columns = sensitive(plan, "t_closeness", parameters.columns)
    table.require(columns, where="sensitive columns of the released table")
    grounds = {name: ground_of(table, plan, name, private_codes(table, name), parameters.kind) for name in columns}
    asked = {name: Asked(ground.codes, partial(distances, ground=ground.abstract)) for name, ground in grounds.items()}
    kinds = {name: ground.kind for name, ground in grounds.items()}
    return Question(asked, measure, partial(finding_above, "t_closeness", measure, kind=kinds))


# -- how far apart values are -------------------------------------------------------------------------------------


def ground_of(table: Table, plan: Plan, name: str, values: Ints, kind: str | None = None) -> Ground:
    """The ground distance of a column: the kind asked for, or the one that fits the column.

    ``values`` numbers the private value of each row; cells of one value have one place, the last that any of them has.
    """
    column, table = plan.columns[name], as_told(table, plan)
    ranged = column.kind or table.natural_kind(name)
    has_tree = column.hierarchy is not None or column.kind == TEXT_PREFIX
    chosen = kind or (HIERARCHICAL if has_tree else ORDERED if ranged in RANGE_KINDS else EQUAL)
    if chosen == EQUAL:
        return Ground(EQUAL, values)
    if chosen == ORDERED:
        line = line_of(table, name, ranged if ranged in RANGE_KINDS else ORDERED_KIND, table.notation(name))
        beyond = _last_of_each(values, np.where(np.isnan(line.positions), np.inf, line.positions))
        return Ground(ORDERED, np.unique(beyond, return_inverse=True)[1].astype(np.int64))
    return _in_a_tree(table, plan, name, values)


def _last_of_each(values: Ints, places: Floats) -> Floats:
    """[row] the last place of all rows that have its value."""
    last = np.full(int(values.max(initial=-1)) + 1, -np.inf)
    np.maximum.at(last, values, places)
    found: Floats = last[values]
    return found


def _in_a_tree(table: Table, plan: Plan, name: str, values: Ints) -> Ground:
    column = plan.columns[name]
    codes, texts = table.codes(name)
    if isinstance(column.hierarchy, Hierarchy):
        tree = column.hierarchy
        check_covers(tree, texts, column=name)
    elif column.kind == TEXT_PREFIX:
        tree = prefix_hierarchy(texts)
    else:
        raise PlanError(
            "Hierarchical t-closeness is asked for a column that has no tree.",
            where=f"--t-closeness / [privacy] t_closeness, column {name!r}",
            allowed="a tree for every sensitive column it is about, or another kind",
            received="no hierarchy",
            todo=f"add --hierarchy {name}=FILE, or ask for the kind ordered or equal",
        )
    if (codes < 0).any():
        tree = tree.with_missing()
    leaf_of = np.array([*(tree.leaf_numbers[text] for text in texts), tree.n_leaves - 1], dtype=np.int64)
    last = _last_of_each(values, leaf_of[codes].astype(np.float64)).astype(np.int64)
    leaves, numbered = np.unique(last, return_inverse=True)
    return Ground(HIERARCHICAL, numbered.astype(np.int64), tree, leaves)


def spans_of(ground: Ground) -> Spans:
    """The earth mover's distance as weighted runs of values: one run per edge of the line or tree."""
    m = int(ground.codes.max(initial=-1)) + 1
    if ground.kind == EQUAL:
        return Spans(np.arange(m), np.arange(1, m + 1), np.full(m, 0.5))
    if ground.kind == ORDERED:
        return Spans(
            np.zeros(max(m - 1, 0), dtype=np.int64), np.arange(1, m), np.full(max(m - 1, 0), 1 / max(m - 1, 1))
        )
    tree, leaves = ground.tree, ground.leaves
    assert tree is not None
    begin, end = np.searchsorted(leaves, tree.first), np.searchsorted(leaves, tree.last, side="right")
    ends = np.column_stack([begin, end])[1:]
    weight = _edges(tree)[1:]
    telling = (ends[:, 0] < ends[:, 1]) & (ends[:, 1] - ends[:, 0] < m)  # none, or all, differ by nothing
    runs, which = np.unique(ends[telling], axis=0, return_inverse=True)
    summed = np.zeros(len(runs))
    np.add.at(summed, which.ravel(), weight[telling])
    return Spans(runs[:, 0].astype(np.int64), runs[:, 1].astype(np.int64), summed)


def _edges(tree: Hierarchy) -> Floats:
    """[node] half the length of the edge above it: from leaf to leaf, up and down, twice the height of the top."""
    heights = tree.heights.astype(np.float64)
    above = np.where(tree.parents < 0, heights, heights[tree.parents])
    lengths: Floats = (above - heights) / (2 * max(float(heights[0]), 1.0))
    return lengths


# -- the distance of every class ----------------------------------------------------------------------------------


def distances(counts: ValueCounts, ground: Ground) -> Floats:
    """The distance of each class from the whole table.

    >>> from shoal.judging.tallying import counted
    >>> values = np.array([0, 1, 2, 3])
    >>> distances(counted(np.array([0, 0, 1, 1]), values), Ground(ORDERED, values)).round(6).tolist()
    [0.333333, 0.333333]
    """
    if not len(counts.sizes):
        return np.zeros(0)
    if ground.kind == EQUAL:
        return _equal(counts)
    return _ordered(counts) if ground.kind == ORDERED else _hierarchical(counts, ground)


def _equal(counts: ValueCounts) -> Floats:
    """Values that a class does not show differ by their whole share."""
    shown = counts.whole[counts.value]
    differences: Floats = np.add.reduceat(np.abs(counts.shares - shown) - shown, counts.begin)
    return (1 + differences) / 2


def _ordered(counts: ValueCounts) -> Floats:
    """From one value of a class to its next the summed share stays the same, while that of the table rises."""
    m = len(counts.totals)
    if m < 2:
        return np.zeros(len(counts.sizes))
    table = np.cumsum(counts.whole)[:-1]
    sums = np.concatenate([[0.0], np.cumsum(table)])
    summed = np.cumsum(counts.shares)
    first = counts.begin
    reached = summed - np.repeat(summed[first] - counts.shares[first], np.diff(first, append=len(summed)))
    start = counts.value
    stop = np.append(start[1:], m - 1)
    stop[np.append(first[1:], len(start)) - 1] = m - 1
    turn = np.clip(np.searchsorted(table, reached), start, stop)
    below = reached * (turn - start) - (sums[turn] - sums[start])
    beyond = (sums[stop] - sums[turn]) - reached * (stop - turn)
    work: Floats = np.add.reduceat(below + beyond, first) + sums[counts.value[first]]
    return work / (m - 1)


def _hierarchical(counts: ValueCounts, ground: Ground) -> Floats:
    """Level by level from the deepest up: what a node holds too much or too little crosses the edge above it."""
    tree, leaves = ground.tree, ground.leaves
    assert tree is not None
    edges = _edges(tree)
    per_leaf = np.zeros(tree.n_leaves + 1)
    per_leaf[leaves + 1] = counts.whole
    before = np.cumsum(per_leaf)
    whole = before[tree.last + 1] - before[tree.first]
    found = np.full(len(counts.sizes), float(edges @ whole))  # as if no node were met in any class
    owner, node, shares = counts.owner, tree.leaves[leaves][counts.value], counts.shares
    for depth in range(int(tree.depths.max()), 0, -1):
        here = tree.depths[node] == depth
        met, which = np.unique(owner[here] * len(tree.labels) + node[here], return_inverse=True)
        held = np.bincount(which, weights=shares[here], minlength=len(met))
        classes, nodes = np.divmod(met, len(tree.labels))
        crossing = edges[nodes] * (np.abs(held - whole[nodes]) - whole[nodes])
        found += np.bincount(classes, weights=crossing, minlength=len(found))
        owner = np.concatenate([owner[~here], classes])
        node = np.concatenate([node[~here], tree.parents[nodes]])
        shares = np.concatenate([shares[~here], held])
    return found.clip(min=0.0)
