# SPDX-License-Identifier: Apache-2.0
"""Classes on their way to obey rules, and records left out of them."""
