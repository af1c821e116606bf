# SPDX-License-Identifier: Apache-2.0
"""Table to number arrays: every quasi-identifier becomes one coordinate per record."""
