# SPDX-License-Identifier: Apache-2.0
"""Groups to publishable values: what each class shows instead of its members' own cells."""
