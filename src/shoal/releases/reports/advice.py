# SPDX-License-Identifier: Apache-2.0
"""What to do about each warning of a release, in Python's words; a command says it in its summary or by --explain."""

from __future__ import annotations

import re

from shoal.ground.errors import column_words
from shoal.ground.wording import phrase
from shoal.releases.reports.findings import GIVEN_AWAY, Reported, exposures_of, remedy_sentences

FLAG = re.compile(r"--[a-z-]+(?: \d+)?")
KEYWORDS = {
    "--qi": "quasi_identifiers=",
    "--sensitive": "sensitive=",
    "--identifier": "identifiers=",
    "--na": "na=",
    "--l-diversity 2": "models={'l_diversity': {'l': 2}}",
    "--alpha": "models={'alpha_k': {'alpha': 0.85}}",
}
UNSTOPPED = "leave the column out, or choose a method that publishes classes and ask for a model such as l_diversity"


def advice_of(release: Reported, warning: str) -> dict[str, str]:
    """Where a warning of a release is met, and what to do about it in Python; nothing where it says so itself."""
    leak = next((one for one in release.verdict.leaks if one.statement == warning.removeprefix(GIVEN_AWAY)), None)
    given = next((one for one in exposures_of(release) if warning == GIVEN_AWAY + one.sentence()), None)
    columns = leak.columns if leak else (given.column,) if given else ()
    stops = remedy_sentences(release, in_python=True) if given else []
    todo = "\n".join(stops) or (in_keywords(leak.todo) if leak else UNSTOPPED if given else "")
    return {"where": phrase([column_words(name) for name in columns]) if columns else "", "next": todo}


def in_keywords(todo: str) -> str:
    """An advice with keywords of Python in place of the flags of a command.

    >>> in_keywords("name it by --identifier or --qi")
    'name it by identifiers= or quasi_identifiers='
    """
    return FLAG.sub(lambda flag: KEYWORDS.get(flag[0], flag[0]), todo)
