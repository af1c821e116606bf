# SPDX-License-Identifier: Apache-2.0
"""The engine: records to numbers, numbers to classes, classes to publishable values. The judge never imports it."""
