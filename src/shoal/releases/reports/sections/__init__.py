# SPDX-License-Identifier: Apache-2.0
"""The sections of the HTML report, one file each: ``section(release)`` gives its HTML, by the template of its name."""
