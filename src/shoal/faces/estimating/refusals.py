# SPDX-License-Identifier: Apache-2.0
"""Our errors as scikit-learn expects them: wrong input is a ValueError, too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from shoal.ground.errors import CannotHoldError, InputError


class InvalidInputError(InputError, ValueError):
    """Input or parameters that the estimator cannot take."""


class CannotAssignError(CannotHoldError, ValueError):
    """New rows that cannot join the published classes."""


@contextmanager
def as_value_errors() -> Iterator[None]:
    """Raises wrong input as an error that is also a ValueError, with the same five parts."""
    try:
        yield
    except InvalidInputError:
        raise
    except InputError as problem:
        parts = {"where": problem.where, "allowed": problem.allowed, "received": problem.received}
        raise InvalidInputError(problem.what, **parts, todo=problem.todo) from None
