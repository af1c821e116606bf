# SPDX-License-Identifier: Apache-2.0
"""Faces: how people meet shoal: the command line, the web app, the scikit-learn estimator, labels as numbers."""
