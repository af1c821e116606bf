# SPDX-License-Identifier: Apache-2.0
"""How anybody can verify the release, with commands."""

from __future__ import annotations

from html import escape

from shoal.reports.findings import Reported, verification

HEADING = "How to verify this"


def section(release: Reported) -> str:
    """What to type, and what it tells."""
    told = "".join(
        f"<p>{escape(purpose)}</p><pre><code>{escape(command)}</code></pre>"
        for command, purpose in verification(release).items()
    )
    return f"<p>In the folder that holds this report. ORIGINAL and REGISTER stand for files of yours.</p>{told}"
