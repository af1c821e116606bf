# SPDX-License-Identifier: Apache-2.0
"""Records to groups: one file per method; the file name is the method's public name."""
