# SPDX-License-Identifier: Apache-2.0
"""Trees over records, classes and groups, and the questions asked of them."""
