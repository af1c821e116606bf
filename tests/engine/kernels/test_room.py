# SPDX-License-Identifier: Apache-2.0
"""The room of kernels as a whole: a name means one thing, and every kernel is compared with something plain."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

from shoal.engine.kernels import compile as door

ROOM = Path(door.__file__).parent
TESTS = Path(__file__).parents[2]
MODULES = {
    ".".join(path.relative_to(ROOM).with_suffix("").parts): path
    for path in sorted(ROOM.rglob("*.py"))
    if path.stem not in ("__init__", "compile") and path.parent.name != "compiler"
}

TWINS = {
    "hull": ("kernels/test_hull", "losses"),
    "rules": ("kernels/test_rules", "rules"),
    "parts": ("algorithms/test_top_down", "top_down"),
    "dice": ("algorithms/test_binary_k_means", "binary_k_means"),
    "flows": ("kernels/test_flows", "cuts"),
    "ranking": ("kernels/test_trimming", "trimming"),
    "queues": ("bounds/test_searched_prices", "boxes"),
    "trees.box_tree": ("kernels/test_box_tree", "growing"),
    "trees.walks": ("kernels/test_box_tree", "growing"),
    "trees.hull_queries": ("kernels/test_box_tree", "growing"),
    "trees.sign_patterns": ("kernels/test_box_tree", "growing"),
    "trees.squared_queries": ("algorithms/test_mdav", "mdav"),
    "trees.additive_queries": ("algorithms/test_centroids", "centroids"),
    "trees.class_tree": ("kernels/test_class_tree", "growing"),
    "trees.group_tree": ("algorithms/test_top_down", "top_down"),
    "methods.growing": ("algorithms/test_greedy_twins", "growing"),
    "methods.group_growing": ("algorithms/test_gaa_cp", "grouping"),
    "methods.threshold_growing": ("algorithms/test_loukides_shao", "grouping"),
    "methods.joining": ("algorithms/test_kaca", "joining"),
    "methods.linking": ("algorithms/test_linkage", "linking"),
    "methods.peeling": ("algorithms/test_peeling", "peeling"),
    "methods.cutting": ("algorithms/test_mondrian", "cutting"),
    "methods.dealing": ("algorithms/test_binary_k_means", "binary_k_means"),
    "methods.two_means": ("algorithms/test_binary_k_means", "binary_k_means"),
    "methods.pairing": ("algorithms/test_non_homogeneous", "rings"),
    "methods.runs": ("algorithms/test_hilbert", "hilbert"),
    "methods.squared_runs": ("algorithms/test_microaggregation", "partitions"),
    "methods.hilbert": ("algorithms/test_hilbert", "hilbert"),
    "methods.tree_classes": ("algorithms/test_hilbert", "hilbert"),
    "methods.microaggregating": ("algorithms/test_mdav", "mdav"),
    "methods.moving_centres": ("algorithms/test_wf_c_means", "wf_c_means"),
    "methods.remaining_centre": ("algorithms/test_mdav_generic", "centroids"),
    "methods.seeded_splits": ("algorithms/test_top_down", "top_down"),
    "methods.group_mending": ("algorithms/test_top_down", "top_down"),
    "methods.centroids": ("algorithms/test_centroids", "centroids"),
    "methods.centroid_sums": ("algorithms/test_centroids", "centroids"),
    "methods.choosing": ("algorithms/test_one_pass_k_means", "choosing"),
    "methods.lots": ("algorithms/test_systematic", "choosing"),
    "methods.resettling": ("algorithms/test_sequential", "sequential"),
    "methods.rebalancing": ("algorithms/test_systematic", "choosing"),
    "search.pools": ("kernels/test_regrouping", "pools"),
    "search.splitting": ("kernels/test_regrouping", "splitting"),
    "search.class_block": ("kernels/test_trimming", "trimming"),
    "search.board": ("kernels/test_trimming", "trimming"),
    "search.class_rules": ("kernels/test_trimming", "trimming"),
    "search.block_moves": ("kernels/test_trimming", "trimming"),
    "search.fillers": ("kernels/test_trimming", "trimming"),
    "search.donors": ("kernels/test_trimming", "trimming"),
    "search.trimming": ("kernels/test_trimming", "trimming"),
    "search.patterns": ("kernels/test_opening", "patterns"),
    "search.passing_on": ("kernels/test_opening", "patterns"),
    "search.crossing": ("kernels/test_crossing", "crossing"),
    "search.grafting": ("kernels/test_grafting", "crossing"),
    "search.sets": ("refining/test_search", "partitions"),
    "search.scatter_moves": ("kernels/test_scatter_search", "scatter_search"),
    "enforcing.lacking": ("kernels/test_lacking", "lacking"),
    "bounds.nearest": ("bounds/test_twins", "boxes"),
    "bounds.box_search": ("bounds/test_twins", "boxes"),
    "bounds.lattice": ("bounds/test_twins", "boxes"),
    "bounds.pricing": ("bounds/test_twins", "boxes"),
    "bounds.crowding": ("bounds/test_twins", "boxes"),
    "bounds.company": ("bounds/test_searched_prices", "boxes"),
    "bounds.dear_sets": ("bounds/test_searched_prices", "boxes"),
    "bounds.settling": ("bounds/test_searched_prices", "boxes"),
    "bounds.squares": ("bounds/test_squares", "squares"),
    "bounds.pattern_walk": ("bounds/test_patterns", "patterns"),
}
"""Where the kernels of a module, or the method that is made of them, give what a plain twin gives."""

PROMISES = {
    "search.regrouping": ("refining/test_search", "partitions"),
    "search.opening": ("kernels/test_opening", "patterns"),
    "search.scatter_search": ("kernels/test_scatter_search", "scatter_search"),
    "search.swapping": ("kernels/test_swapping", "pools"),
    "enforcing.exchanging": ("kernels/test_exchanging", "lacking"),
    "enforcing.class_mending": ("refining/test_enforce", "rules"),
    "enforcing.parting": ("kernels/test_exchanging", "lacking"),
    "enforcing.suppressing": ("refining/test_suppress", "rules"),
    "enforcing.doubling": ("refining/test_coarsen", "losses"),
}
"""Searches and rules of thumb, whose result no definition fixes: held to what they promise, by definition."""


def test_every_module_is_compared_with_something() -> None:
    """A new kernel file has to say what it is compared with."""
    assert set(TWINS) | set(PROMISES) == set(MODULES)
    assert not set(TWINS) & set(PROMISES)


@pytest.mark.parametrize("module", [*TWINS, *PROMISES])
def test_the_comparison_exists(module: str) -> None:
    """The test that is named uses the plain code that is named."""
    test, twin = {**TWINS, **PROMISES}[module]
    assert (TESTS / "reference" / f"{twin}.py").is_file()
    tree = ast.parse((TESTS / "engine" / f"{test}.py").read_text(encoding="utf-8"))
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    used = {f"{node.module}.{alias.name}" for node in froms for alias in node.names} | {node.module for node in froms}
    assert f"tests.reference.{twin}" in used


def constants(tree: ast.Module) -> list[tuple[str, str]]:
    """Names in capitals that a module assigns, with what it assigns to them."""
    found = []
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            value = node.value  # type: ignore[union-attr]
            values = value.elts if isinstance(value, ast.Tuple) and len(names) > 1 else [value] * len(names)
            found += [
                (name.id, ast.unparse(each))
                for name, each in zip(names, values, strict=True)
                if isinstance(name, ast.Name) and name.id.isupper() and each is not None
            ]
    return found


def test_a_constant_means_one_thing() -> None:
    """No two kernel files give one name two values, or write the same constant twice."""
    places = defaultdict(list)
    for module, path in MODULES.items():
        for name, _ in constants(ast.parse(path.read_text(encoding="utf-8"))):
            places[name].append(module)
    assert not {name: modules for name, modules in places.items() if len(modules) > 1}
    assert constants(ast.parse("A, B = 0, 1\nC: int = 2\nd = 3")) == [("A", "0"), ("B", "1"), ("C", "2")]
