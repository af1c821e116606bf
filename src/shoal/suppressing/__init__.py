# SPDX-License-Identifier: Apache-2.0
"""Leaving out the records whose removal saves most."""
