# SPDX-License-Identifier: Apache-2.0
"""The methods that group records into classes, one line each."""

from shoal.faces.cli._listing import listing

command = listing("algorithms", __doc__ or "")
