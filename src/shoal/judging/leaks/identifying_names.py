# SPDX-License-Identifier: Apache-2.0
"""A column that is called like an identifier and published as it is: name, e-mail, passport, patient number, ...

The header is what a custodian wrote, so it is believed: a column called ``surname`` holds surnames even where they
repeat. Words that also stand for harmless things (``id``, ``name``, ``number``) count only if the column has many
different values, at least one for every ten rows. So do all words for sensitive columns, whose names may speak of a
code or a telephone without being one. A word for a patient, a customer, a case and the like, alone or with a word for
number, counts with the cells to it. A number of several, as in ``number of patients``, is a count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from shoal.ground.person_numbers import numbers_persons, without_count
from shoal.judging.leak_search import WARNING, Leak, LeakScene, TextCells
from shoal.plan.roles import INSENSITIVE, SENSITIVE

CERTAIN = frozenset(
    "email mail phone telephone mobile fax ssn passport surname lastname firstname forename fullname iban username "
    "login nickname street address licence license plate ip ipaddress uuid guid mrn nino givenname familyname "
    "maidenname middlename vorname nachname familienname geburtsname strasse anschrift adresse telefon "
    "telefonnummer handynummer reisepass sozialversicherungsnummer steuernummer versichertennummer prenom "
    "nomdefamille apellido apellidos telefono direccion cognome indirizzo codicefiscale voornaam achternaam "
    "telefoon imie nazwisko pesel telefone endereco".split()
)
DOUBTFUL = frozenset("name id identifier number no nr code key reference ref account".split())
FEWEST = 5


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns whose header says that they point to a person."""
    for name in (*scene.having(INSENSITIVE), *scene.having(SENSITIVE)):
        if _points(scene.cells(name), name, private=scene.role(name) == SENSITIVE):
            said = f"column {name!r} is called like an identifier and is published as it is"
            todo = "name it with --identifier if it points to a person, else rename it"
            yield Leak("identifying_names", WARNING, said, todo, (name,))


def _points(cells: TextCells, name: str, *, private: bool) -> bool:
    words = words_of(without_count(name))
    several = len(cells.texts) >= max(FEWEST, cells.present / 10)
    if numbers_persons(name, cells.texts, len(cells.texts), cells.present) or (words & CERTAIN and several):
        return True
    return not private and bool((words & CERTAIN and len(cells.texts) > 1) or (words & DOUBTFUL and several))


def words_of(name: str) -> set[str]:
    """The words of a header without their accents, and each two that follow each other as one.

    >>> sorted(words_of("patientEMail 2"))
    ['2', 'e', 'email', 'mail', 'mail2', 'patient', 'patiente']
    """
    bare = "".join(
        one for one in unicodedata.normalize("NFKD", name.replace("ß", "ss")) if not unicodedata.combining(one)
    )
    parts = re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+", bare)
    plain = [part.lower() for part in parts]
    return {*plain, *(first + second for first, second in pairwise(plain))}
