# SPDX-License-Identifier: Apache-2.0
"""``make mutants`` plants what it says, where it says."""

from __future__ import annotations

import ast
import random

from tests.mutants import planting as mutants


def test_each_kind_of_fault_is_planted_once() -> None:
    """One node is turned around, and nothing else."""
    source = "def f(a, b):\n    return not a or (a < b and b is not None) or a - 1 == 2 or True\n"
    expected = [
        "not a and (a < b and b is not None) and (a - 1 == 2) and True",
        "+bool(a) or (a < b and b is not None) or a - 1 == 2 or True",
        "not a or (a < b or b is not None) or a - 1 == 2 or True",
        "not a or (a < b and b is not None) or a - 1 != 2 or True",
        "not a or (a < b and b is not None) or a - 1 == 2 or False",
        "not a or (a <= b and b is not None) or a - 1 == 2 or True",
        "not a or (a < b and b is None) or a - 1 == 2 or True",
        "not a or (a < b and b is not None) or a + 1 == 2 or True",
        "not a or (a < b and b is not None) or a - 1 == 3 or True",
        "not a or (a < b and b is not None) or a - 2 == 2 or True",
    ]
    turned = []
    for place in range(len(list(mutants.turnable(ast.parse(source))))):
        tree = ast.parse(source)
        mutants.turn(list(mutants.turnable(tree))[place][0])
        turned.append(ast.unparse(ast.fix_missing_locations(tree)).partition("return ")[2])
    assert sorted(turned) == sorted(expected)


def test_faults_can_be_planted_in_every_room() -> None:
    """Every room has places for faults and tests that must notice; what is planted can be read."""
    possible = mutants.faults()
    for room in mutants.ROOMS:
        inside = [fault for fault in possible if fault.path.as_posix().startswith(room)]
        fault = random.Random(1).choice(inside)
        assert ast.dump(ast.parse(mutants.planted(fault))) != ast.dump(
            ast.parse((mutants.PACKAGE / fault.path).read_text(encoding="utf-8"))
        )
        assert all((mutants.ROOT / folder).exists() for folder in mutants.ROOMS[fault.room])


def test_what_is_called_harmless_is_still_there() -> None:
    """The list of harmless faults names places that exist, so that it cannot hide new ones."""
    known = mutants.harmless()
    assert set(known) - {fault.key for fault in mutants.faults()} == set()
    assert all(known.values())
