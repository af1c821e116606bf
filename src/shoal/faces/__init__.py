# SPDX-License-Identifier: Apache-2.0
"""Faces: how people meet shoal; the command line, the scikit-learn estimator, released labels as numbers."""
