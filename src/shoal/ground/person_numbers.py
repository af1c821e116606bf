# SPDX-License-Identifier: Apache-2.0
"""Columns that are called like the number of a patient, customer, member, case, ... and whose cells may be such.

Common ground of the suggestion and the gate, which look for them before a release, and of the judge, who looks for them
in one. Name and cells count together: ``case`` with yes and no, or ``insured`` with two values, numbers nobody.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

CLEAR, LIKELY = "clear", "likely"
"""A noun with a word for number beside it; the noun by itself."""
PERSONS = (
    "patient(?:in)? client customer member insured insuree policyholder policy employee staff worker student pupil "
    "participant respondent subject person individual citizen resident applicant borrower beneficiary subscriber "
    "taxpayer tenant donor inmate record case chart contract dossier "
    "kund(?:e|in) klient(?:in)? mandant versichert(?:e|er) versicherungsnehmer mitglied mitarbeiter(?:in)? "
    "angestellter beschaftigter schuler(?:in)? studierender teilnehmer(?:in)? proband(?:in)? burger bewohner fall akte "
    "(?:patienten|kranken|personal)akte police vertrag "
    "cliente? assure adherent employe salarie eleve etudiant personne dossier "
    "paciente asegurado miembro empleado alumno persona paziente assicurato socio dipendente studente "
    "utente funcionario aluno klant verzekerde werknemer leerling pacjent klient ubezpieczony pracownik"
)
"""What stands for one person, in the singular: the plural counts. Words of English, German, French, Spanish, Italian,
Portuguese, Dutch and Polish."""
SHORT = "pat pt pers kd kdn cust emp empl mbr memb stud subj resp acct account vers vs vn mitgl mitarb pol vertr"
"""Short for a person, and only beside a word for number."""
KEYS = (
    "no nr num nbr number id ident identifier identification code key ref reference index idx uid uuid guid token "
    "pseudonym nummer kennung kennziffer kennzeichen schlussel kode numero identifiant matricule codigo clave "
    "identificador codice identificativo kod numer identyfikator"
)
FIRST = "id ident identifier identification code key kennung numero identifiant codigo codice identificador"
"""Words for number that may come first: ``id_patient``; no patients are a count."""
QUALIFIED = "unique|internal|external|our|old|new|primary|main|pseudo|hashed|study|insurance|health|medical|hospital"
FEWEST, LOOKED_AT = 20, 1000
"""Values from which on they may number people; values that are looked at."""
MOST_ROWS = 20
"""Rows per value up to which a column that is only called ``case`` numbers cases."""
MOST = 0.8
_AMOUNT = re.compile(r"[+-]?(?:\d+[.,]\d*[1-9]\d*|\d*[1-9]\d*00(?:[.,]0*)?)")
_DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[T ].*)?")
_FOREIGN = str.maketrans({"ß": "ss", "ł": "l", "Ł": "L"})


def _any(words: str) -> str:
    return f"(?:{'|'.join(words.split())})"


_NOUN, _KEY = _any(PERSONS), _any(KEYS)
_ALONE = re.compile(rf"(?:{QUALIFIED})?(?:{_NOUN}|pnr|pno|cno)")
_NUMBERED = re.compile(
    rf"(?:{QUALIFIED})*(?:{_NOUN}(?:e?n|s|es|ens)?|kunden|patienten|personal|{_any(SHORT)}){_KEY}{{1,2}}\d?"
    rf"|{_any(FIRST)}(?:of|de|der|des|du|del|di|do)?(?:the)?{_NOUN}"
)


def called_like_a_number(name: str) -> str:
    """Whether a name is that of somebody's number: :data:`CLEAR`, :data:`LIKELY` or empty.

    >>> [called_like_a_number(name) for name in ("patientNo", "Kunden-Nr.", "Case", "patients", "case type")]
    ['clear', 'clear', 'likely', '', '']
    """
    parted = unicodedata.normalize("NFKD", name.translate(_FOREIGN)).casefold()
    plain = "".join(mark for mark in parted if mark.isascii() and mark.isalnum())
    for spelt in (plain, re.sub("(?<=[aou])e", "", plain)):  # German without its dots: Schueler
        if _NUMBERED.fullmatch(spelt):
            return CLEAR
        if _ALONE.fullmatch(spelt):
            return LIKELY
    return ""


def numbers_persons(name: str, texts: Sequence[str], distinct: int, present: int) -> str:
    """Whether a column is called like somebody's number and may hold such: :data:`CLEAR`, :data:`LIKELY` or empty.

    ``texts``: some of its ``distinct`` different values in ``present`` cells.
    """
    called = called_like_a_number(name)
    looked = texts[:LOOKED_AT]
    if not called or distinct < 2 or _most(looked, _is_amount):
        return ""
    if called == CLEAR:
        return CLEAR if distinct >= min(FEWEST, present / 4) else ""
    codes = _most(looked, lambda text: any(mark.isdigit() for mark in text)) or distinct >= present / 4
    return LIKELY if codes and distinct >= FEWEST and present <= MOST_ROWS * distinct else ""


def _most(texts: Sequence[str], fits: Callable[[str], bool]) -> bool:
    return sum(fits(text) for text in texts) >= MOST * len(texts)


def _is_amount(text: str) -> bool:
    """Whether a text is a number with decimals, a round sum or a day."""
    plain = text.strip()
    return _AMOUNT.fullmatch(plain) is not None or _DATE.fullmatch(plain) is not None
