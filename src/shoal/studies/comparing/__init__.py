# SPDX-License-Identifier: Apache-2.0
"""Methods side by side over a grid of k, and what each quasi-identifier costs."""
