# SPDX-License-Identifier: Apache-2.0
"""Speed and loss, measured side by side in one run; ``make bench`` prints the tables.

Figures are ratios first: seconds depend on the machine and on what else it does.
"""
