# SPDX-License-Identifier: Apache-2.0
"""Built-in tables about invented people, for demonstrations, documentation and tests."""
