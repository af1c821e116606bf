# SPDX-License-Identifier: Apache-2.0
"""The sections of the HTML report, one file each: ``HEADING``, and ``section(release)`` that gives its HTML."""
