# SPDX-License-Identifier: Apache-2.0
"""What the terms mean."""

from __future__ import annotations

from html import escape

from shoal.reports.findings import Reported
from shoal.reports.words import GLOSSARY

HEADING = "Words"


def section(release: Reported) -> str:
    """A list of terms."""
    told = "".join(f"<dt>{escape(term)}</dt><dd>{escape(meaning)}</dd>" for term, meaning in GLOSSARY.items())
    return f"<dl>{told}</dl>"
