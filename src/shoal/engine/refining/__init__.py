# SPDX-License-Identifier: Apache-2.0
"""Improving classes after they were made."""
