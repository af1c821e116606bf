# SPDX-License-Identifier: Apache-2.0
"""``python -m shoal`` is the command ``shoal``."""

from __future__ import annotations

from shoal.faces.cli import main

if __name__ == "__main__":
    main()
