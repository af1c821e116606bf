# SPDX-License-Identifier: Apache-2.0
"""How exposed a table is before anything is done about it."""
