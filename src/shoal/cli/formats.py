# SPDX-License-Identifier: Apache-2.0
"""The file formats that can be read and written, one line each."""

from __future__ import annotations

from shoal.cli._listing import listing

command = listing("tables.formats", __doc__ or "")
