# SPDX-License-Identifier: Apache-2.0
"""How little any class around a record can lose, and prices of records."""
