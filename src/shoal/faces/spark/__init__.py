# SPDX-License-Identifier: Apache-2.0
"""Spark: DataFrames in, DataFrames out, by nothing but the API that Spark Connect and hosted Spark have, too."""
