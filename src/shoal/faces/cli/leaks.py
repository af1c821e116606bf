# SPDX-License-Identifier: Apache-2.0
"""The leaks that a release is searched for, one line each."""

from shoal.faces.cli._listing import listing

command = listing("leaks", __doc__ or "")
