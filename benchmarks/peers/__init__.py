# SPDX-License-Identifier: Apache-2.0
"""Other people's anonymisers beside ours: the same tables, one yardstick, one run (``make bench-peers``)."""
