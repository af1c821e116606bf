# SPDX-License-Identifier: Apache-2.0
"""Helpers for whoever computes with a released table."""
