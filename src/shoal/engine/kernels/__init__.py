# SPDX-License-Identifier: Apache-2.0
"""Numba only; arrays in, arrays out. At the top what all kernels share, then one folder for each use of them.

A kernel, or the method that is made of it, gives what a slow, plain twin in ``tests/reference`` gives; searches and
rules of thumb, whose result no definition fixes, are held to their promises instead. Which is which for each file,
``tests/engine/kernels/test_room.py`` says.
"""
