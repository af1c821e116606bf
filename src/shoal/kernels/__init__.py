# SPDX-License-Identifier: Apache-2.0
"""Numba only; arrays in, arrays out. Every kernel has a slow, plain twin in ``tests/reference``."""
