# SPDX-License-Identifier: Apache-2.0
"""The search for classes of lower loss."""
