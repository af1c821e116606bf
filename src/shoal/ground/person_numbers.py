# SPDX-License-Identifier: Apache-2.0
"""Columns that are called like the number of a patient, customer, member, case, ... and whose cells may be such.

Common ground of the suggestion and the gate, which look for them before a release, and of the judge, who looks for them
in one. Name and cells count together: ``case`` with yes and no, or ``insured`` with two values, numbers nobody.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

CLEAR, LIKELY = "clear", "likely"
"""A noun with a word for number beside it, and values to it; the noun by itself, or values that have many rows."""
PERSONS = (
    "patient client customer member insured insuree policyholder employee worker student pupil participant respondent "
    "subject person individual citizen resident applicant borrower beneficiary subscriber taxpayer tenant inmate "
    "cardholder accountholder claimant defendant plaintiff prisoner detainee offender suspect refugee voter candidate "
    "enrollee veteran volunteer "
    "cliente? assure adherent employe salarie eleve etudiant personne utilisateur electeur detenu refugie "
    "paciente asegurado miembro empleado alumno persona paziente assicurato socio dipendente studente utente "
    "funcionario aluno usuario acusado preso refugiado votante imputato detenuto rifugiato elettore utilizador eleitor "
    "pacjent(?:a)? klient(?:a)? ubezpieczony ubezpieczonego pracownik(?:a)? uzytkownik(?:a)? oskarzony wiezien uchodzca"
)
"""What stands for one person, in the singular: the plural counts. Words of English, French, Spanish, Italian,
Portuguese and Polish."""
JOINED = (
    "patientin kund(?:e|in) klient(?:in)? mandant versichert(?:e|er) versicherungsnehmer mitglied mitarbeiter(?:in)? "
    "angestellter beschaftigter schuler(?:in)? studierender teilnehmer(?:in)? proband(?:in)? burger bewohner nutzer "
    "benutzer karteninhaber kontoinhaber angeklagter beschuldigter haftling gefangener fluchtling wahler antragsteller "
    "klant verzekerde werknemer leerling gebruiker kaarthouder rekeninghouder verdachte gevangene vluchteling"
)
"""The same in German and Dutch, whose words are joined by an ``s`` or ``n`` that is no plural."""
COUNTABLE = (
    "policy staff donor record case chart contract dossier user guest passenger driver visitor victim doctor physician "
    "nurse holder teacher owner "
    "passager conducteur visiteur victime medecin infirmier titulaire huesped pasajero conductor visitante victima "
    "medico enfermero ospite passeggero conducente visitatore vittima infermiere intestatario titolare hospede "
    "passageiro motorista vitima enfermeiro pasazer kierowca ofiara lekarz pielegniarka"
)
"""What is counted in the singular, too, or stands for more than persons: by itself no number if the values count."""
COUNTABLE_JOINED = (
    "fall akte (?:patienten|kranken|personal)akte police vertrag gast besucher halter inhaber fahrer fahrgast "
    "passagier opfer arzt arztin bestuurder bezoeker slachtoffer verpleegkundige"
)
BESIDE = (
    "claim loan prestamo siniestro prestito sinistro emprestimo sinistre "
    "(?:health|medical|social|national|sickness)?insurance"
)
"""What has a number and also an amount or a kind, and counts only beside a word for number."""
BESIDE_JOINED = (
    "schaden schadensfall darlehen kredit lening kranken(?:kassen|versicherungs?|versicherten) versicherungs "
    "versicherungsschein sozialversicherungs rentenversicherungs gesundheitskarten?"
)
KIN = (
    "household family mother father child parent spouse hh menage foyer mere enfant hogar madre hijo famiglia figlio "
    "agregado mae crianca gospodarstwo gospodarstwa matka dziecko"
)
"""The same; few values are an order of birth or a place in a household."""
KIN_JOINED = "haushalt familien? mutter vater huishouden moeder"
SHORT = (
    "pat pt pers kd kdn cust emp empl mbr memb stud subj resp acct account vers vs vn mitgl mitarb pol vertr kv sv usr"
)
"""Short for a person, and only beside a word for number."""
CODES = "code key ref reference index idx token kennzeichen schlussel kode codigo clave codice kod"
"""Words for number that stand for kinds as well."""
COUNTING = "no nr num nbr number"
"""Words for number that count beside a plural."""
KEYS = (
    f"{COUNTING} {CODES} id ident identifier identification uid uuid guid "
    "pseudonym nummer kennung kennziffer numero identifiant matricule "
    "identificador identificativo numer identyfikator"
)
FIRST = (
    "id ident identifier identification code key kennung numero identifiant codigo codice identificador numer "
    "identyfikator"
)
"""Words for number that may come first: ``id_patient``; no patients are a count."""
QUALIFIED = (
    "unique|internal|external|our|old|new|primary|main|pseudo|hashed|study|insurance|health|medical|hospital|treating"
    "|attending|referring"
)
PEOPLE = "people children persons policies families beneficiaries kinder kunden patienten personen ludzi osob dzieci"
"""Plurals of their own."""
FEWEST, LOOKED_AT = 20, 1000
"""Values from which on they may number people; values that are looked at."""
MOST_ROWS, MOST_ROWS_CLEAR, MOST_ROWS_CODE = 20, 15, 5
"""Rows per value up to which a column that is only called ``case`` numbers cases; up to which a number is clear; up to
which a code is no kind."""
MANY_VALUES = 100
"""Values from which on a number is clear, and a code likely, however many rows each has."""
ROWS_COUNTED, UNBROKEN = 5, 0.8
"""Rows per value from which on small numbers may count, and the share of a range that they fill."""
MOST = 0.8
_AMOUNT = re.compile(r"[+-]?(?:\d+[.,]\d*[1-9]\d*|\d*[1-9]\d*00(?:[.,]0*)?)")
_DATE = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[T ].*)?")
_FOREIGN = str.maketrans({"ß": "ss", "ł": "l", "Ł": "L"})


def _any(words: str) -> str:
    return f"(?:{'|'.join(words.split())})"


_PLAIN = _any(f"{PERSONS} {COUNTABLE} {BESIDE} {KIN}")
_JOINED = _any(f"{JOINED} {COUNTABLE_JOINED} {BESIDE_JOINED} {KIN_JOINED}")
_KEY, _KIN, _COUNTED = _any(KEYS), _any(f"{KIN} {KIN_JOINED}"), _any(f"{COUNTABLE} {COUNTABLE_JOINED}")
_ALONE = re.compile(rf"(?:{QUALIFIED})?(?:{_any(PERSONS)}|{_any(JOINED)}|(?P<counted>{_COUNTED})|pnr|pno|cno)")
_NUMBERED = re.compile(
    rf"(?:{QUALIFIED})*(?:{_JOINED}(?:e?n|s|es|ens)?|{_PLAIN}|kunden|patienten|versicherten|personal|{_any(SHORT)})"
    rf"(?P<key>{_KEY}{{1,2}})\d?"
    rf"|(?:{QUALIFIED})*{_PLAIN}(?:e?s|en)(?P<plural_key>{_KEY}{{1,2}})\d?"
    rf"|(?:kind(?:es)?|rv|la)(?:nr|nummer)"
    rf"|(?P<first>{_any(FIRST)})(?:of|de|der|des|du|del|di|do)?(?:the)?(?:{_PLAIN}|{_JOINED})"
)
_OF_KIN = re.compile(rf"(?:{QUALIFIED})*{_KIN}s?{_KEY}{{1,2}}\d?|kind(?:es)?(?:nr|nummer)|{_any(FIRST)}.*{_KIN}")
_CODE, _COUNTING = re.compile(_any(CODES)), re.compile(_any(COUNTING))
_APART = re.compile(r"(?<=[a-z])(?=[A-Z])|[\s_.-]+")
_MANY = rf"(?:{_any(PEOPLE)}|\w*[^\W\ds]s)"
_NUMBER_OF = re.compile(
    rf"\b(?:numbers?|num|no|nr|n[uú]mero|nombre) (?:of|de|di|do|du|des|der|van) (?=(?:\w+ ){{0,2}}{_MANY}\b)",
    re.IGNORECASE,
)
_MANY_NO = re.compile(rf"\b({_any(PEOPLE)}|{_PLAIN}s) {_any(COUNTING)}\s*$", re.I)


def without_count(text: str) -> str:
    """A name without the words that make it a number of several; as it is if it is none.

    >>> [without_count(name) for name in ("number_of_patients", "cases no", "numberOfClaims", "case_no")]
    ['patients', 'cases', 'Claims', 'case_no']
    """
    apart = _APART.sub(" ", text)
    bare = _MANY_NO.sub(r"\1", _NUMBER_OF.sub("", apart))
    return text if bare == apart else bare


def called_like_a_number(name: str) -> str:
    """Whether a name is that of somebody's number: :data:`CLEAR`, :data:`LIKELY` or empty.

    >>> [called_like_a_number(name) for name in ("patientNo", "Kunden-Nr.", "Case", "patients", "cases no")]
    ['clear', 'clear', 'likely', '', '']
    """
    return _called(name).how


class _Called(NamedTuple):
    how: str = ""
    code: bool = False
    """Whether the word for number stands for kinds as well."""
    few: bool = False
    """Whether few values mean something else, however short the table is."""
    counted: bool = False
    """Whether the noun may stand for how many there are."""


@lru_cache(maxsize=1000)
def _called(name: str) -> _Called:
    parted = unicodedata.normalize("NFKD", re.sub(r"['’]s(?![^\W_])", "", name).translate(_FOREIGN)).casefold()
    plain = "".join(mark for mark in parted if mark.isascii() and mark.isalnum())
    for spelt in (plain, re.sub("(?<=[aou])e", "", plain)):  # German without its dots: Schueler
        found = _NUMBERED.fullmatch(spelt)
        if found and not _COUNTING.fullmatch(found["plural_key"] or ""):
            key = found["key"] or found["plural_key"] or found["first"] or ""
            return _Called(CLEAR, code=_CODE.fullmatch(key) is not None, few=_OF_KIN.fullmatch(spelt) is not None)
        found = _ALONE.fullmatch(spelt)
        if found:
            return _Called(LIKELY, counted=bool(found["counted"]))
    return _Called()


def numbers_persons(name: str, texts: Sequence[str], distinct: int, present: int) -> str:
    """Whether a column is called like somebody's number and may hold such: :data:`CLEAR`, :data:`LIKELY` or empty.

    ``texts``: some of its ``distinct`` different values in ``present`` cells.
    """
    called = _called(name)
    looked = texts[:LOOKED_AT]
    if not called.how or distinct < 2 or _most(looked, _is_amount):
        return ""
    if called.how == CLEAR:
        if distinct < (FEWEST if called.few else min(FEWEST, present / 4)):
            return ""
        if called.code:
            sure = CLEAR if present <= MOST_ROWS_CODE * distinct else LIKELY
            return sure if sure == CLEAR or distinct >= MANY_VALUES else ""
        return CLEAR if present <= MOST_ROWS_CLEAR * distinct or distinct >= MANY_VALUES else LIKELY
    if called.counted and present >= ROWS_COUNTED * distinct and _count_up(looked):
        return ""
    codes = _most(looked, lambda text: any(mark.isdigit() for mark in text)) or distinct >= present / 4
    return LIKELY if codes and distinct >= FEWEST and present <= MOST_ROWS * distinct else ""


def _count_up(texts: Sequence[str]) -> bool:
    """Whether texts are whole numbers from nought or one on with hardly a gap."""
    plain = [text.strip().removesuffix(".0") for text in texts]
    if not all(text.isascii() and text.isdigit() and len(text) < 10 for text in plain):
        return False
    numbers = {int(text) for text in plain}
    return min(numbers) <= 1 and len(numbers) >= UNBROKEN * (max(numbers) - min(numbers) + 1)


def _most(texts: Sequence[str], fits: Callable[[str], bool]) -> bool:
    return sum(fits(text) for text in texts) >= MOST * len(texts)


def _is_amount(text: str) -> bool:
    """Whether a text is a number with decimals, a round sum or a day."""
    plain = text.strip()
    return _AMOUNT.fullmatch(plain) is not None or _DATE.fullmatch(plain) is not None
