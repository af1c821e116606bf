# SPDX-License-Identifier: Apache-2.0
"""The experiments of the papers whose methods are here, run again; ``make reproduce`` rewrites ``docs/reproduction/``.

One script per paper, named like its method: which settings are run, what one run measures, and how each claim is judged
from the figures. What the paper claims and our reading of it stand in ``words/``. Pages are made from the CSV files.
"""
