# SPDX-License-Identifier: Apache-2.0
"""Facts as strict JSON, for files, terminals and other programs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from shoal.ground.json_text import json_line, json_text, plain


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.int64(3), 3),
        (np.float32(0.5), 0.5),
        (np.float64("nan"), None),
        (np.bool_(True), True),
        (np.array([1.0, np.inf]), [1.0, None]),
        ({1: (None, "a")}, {"1": [None, "a"]}),
    ],
)
def test_numbers_of_numpy_become_plain(value: object, expected: object) -> None:
    """Facts may come straight from arrays."""
    assert plain(value) == expected
    assert type(plain(value)) is type(expected)


def test_anything_else_is_refused() -> None:
    """An object whose text might be a cell or an address never slips in."""
    with pytest.raises(TypeError, match="object"):
        plain({"x": object()})


def test_a_terminal_may_say_what_else_there_is() -> None:
    """Where objects are known to be harmless, their text stands for them; a set has one order."""
    facts = {"path": Path("a/b"), "names": {"b", "a"}, "loss": float("inf")}
    assert json.loads(json_text(facts, str)) == {"path": "a/b", "names": ["a", "b"], "loss": None}
    assert "\n" not in json_line(facts, str)
