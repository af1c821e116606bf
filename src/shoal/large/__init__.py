# SPDX-License-Identifier: Apache-2.0
"""Tables beyond memory: the same flow, cell by cell, within the memory that is allowed."""
