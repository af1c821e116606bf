# SPDX-License-Identifier: Apache-2.0
"""The judge's own look at what a table was read from: one file per format, named as the format is.

The engine may read leniently: it takes ``35`` and `` 35`` for one cell. An attacker does not have to. Each file here
looks at the bytes (or at the frame) with code of its own and tells how every cell is *written*; nothing of
``tables/formats`` is imported.
"""
