# SPDX-License-Identifier: Apache-2.0
"""Texts by which people and programs say that nothing is known: ``k.A.``, ``unknown``, ``#N/A``, ``-``."""

from __future__ import annotations

MISSING_WORDS = frozenset(
    """na|n/a|n.a.|n.a|n a|n/k|nk|nan|-nan|null|none|nil|nat|missing|unknown|unk|not known|not available|not applicable
    |not stated|not specified|unspecified|undefined|no data|no answer|no response|blank|empty|void|<na>|<null>|<none>
    |<missing>|<unknown>|(null)|(none)|(na)|(n/a)|(blank)|(empty)|(missing)|(unknown)|[null]|[missing]|#n/a|#na|#null!
    |#value!|unbekannt|keine angabe|ohne angabe|k.a.|k. a.|k.a|inconnu|desconocido|sin dato|sconosciuto|onbekend
    |don't know|dont know|dk|refused|declined|not reported|not recorded|not provided|not given|not disclosed
    |not answered|undisclosed|prefer not to say|tbd|tba|xxx|no info|no information|weiß nicht|weiss nicht|fehlt
    |nicht bekannt|nicht verfügbar|entfällt|non disponible|non renseigné|ne sait pas|nsp|sans réponse|s/d|n/d|n.d.|s.d.
    |sin datos|no disponible|no sabe|ns/nc|ns/nr|non disponibile|non noto|desconhecido|não disponível|sem dados
    |geen antwoord|niet bekend|n.v.t.|brak|brak danych|b.d.|nieznane|nie dotyczy""".replace("\n    ", "").split("|")
)
"""In small letters."""
MISSING_SIGNS = frozenset("?.-_*#/ ")


def says_nothing(text: str) -> bool:
    """Whether a text, as it is written, stands for a value that nobody knows.

    >>> says_nothing("k.A."), says_nothing("--"), says_nothing("keine")
    (True, True, False)
    """
    small = text.strip().casefold()
    return small in MISSING_WORDS or set(small) <= MISSING_SIGNS
