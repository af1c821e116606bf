# SPDX-License-Identifier: Apache-2.0
"""Classes that break a rule are mended before they are published."""
