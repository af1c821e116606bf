# SPDX-License-Identifier: Apache-2.0
"""The release and its folder: written whole or not at all, read back and judged first."""
