# SPDX-License-Identifier: Apache-2.0
"""Studies: how methods compare on a table; and tables to try things on."""
