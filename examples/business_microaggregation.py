# SPDX-License-Identifier: Apache-2.0
"""Business data for analysts: amounts become the mean of five similar firms, so that sums and means stay true."""

from __future__ import annotations

import numpy as np
import polars as pl

import shoal

draw = np.random.default_rng(3)
size = draw.lognormal(3, 1, 400)
firms = pl.DataFrame({
    "employees": np.ceil(size),
    "turnover": np.round(size * draw.lognormal(4, 0.3, 400), 1),
    "energy": np.round(size * draw.lognormal(1, 0.5, 400), 1),
})  # fmt: skip

release = shoal.anonymize(
    firms, k=5, quasi_identifiers=firms.columns, method="mdav", loss="sse", render=dict.fromkeys(firms.columns, "mean")
)
assert release.verdict.holds

error = {one.metric: one for one in release.measurements}["sse"].figures["percent"]
print(f"{error:.1f} % of the scatter is lost")
for name in firms.columns:
    print(f"{name:>10}  total {firms[name].sum():>12,.0f}  published {release.table[name].sum():>12,.0f}")
