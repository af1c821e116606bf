# SPDX-License-Identifier: Apache-2.0
"""What a file holds besides the cells of its table: one scanner per format, by the format's name.

A scanner is one file with ``look(opened) -> Iterator[Extra]``. It reads the bytes itself, not through the readers that
make releases, which skip what is no cell. A format without a scanner is not looked into, and the check says so.
"""
