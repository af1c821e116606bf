# SPDX-License-Identifier: Apache-2.0
"""The loops of the methods that make classes."""
