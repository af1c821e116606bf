# SPDX-License-Identifier: Apache-2.0
"""Builders of hierarchies, one file per kind."""
