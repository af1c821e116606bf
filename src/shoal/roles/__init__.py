# SPDX-License-Identifier: Apache-2.0
"""What each column is: its role towards the people in the table, and its kind of values."""
