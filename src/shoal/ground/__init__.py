# SPDX-License-Identifier: Apache-2.0
"""Common ground of all rooms: errors, the catalogue, declared parameters, progress."""
