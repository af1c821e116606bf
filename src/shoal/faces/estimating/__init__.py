# SPDX-License-Identifier: Apache-2.0
"""The whole flow as an estimator of scikit-learn."""
