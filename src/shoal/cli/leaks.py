# SPDX-License-Identifier: Apache-2.0
"""The leaks that a release is searched for, one line each."""

from __future__ import annotations

from shoal.cli._listing import listing

command = listing("leaks", __doc__ or "")
