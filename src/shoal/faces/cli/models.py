# SPDX-License-Identifier: Apache-2.0
"""The privacy models a release can be judged by, one line each."""

from shoal.faces.cli._listing import listing

command = listing("privacy_models", __doc__ or "")
