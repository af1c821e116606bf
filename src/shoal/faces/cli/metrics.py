# SPDX-License-Identifier: Apache-2.0
"""The measures of loss and risk, one line each."""

from shoal.faces.cli._listing import listing

command = listing("metrics", __doc__ or "")
