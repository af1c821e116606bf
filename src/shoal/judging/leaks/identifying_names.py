# SPDX-License-Identifier: Apache-2.0
"""An insensitive column that is called like an identifier: name, e-mail, telephone, passport, ...

The header is what a custodian wrote, so it is believed: a column called ``surname`` holds surnames even where they
repeat. Words that also stand for harmless things (``id``, ``name``, ``number``) count only if the column has many
different values, at least one for every ten rows.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

from shoal.judging.leak_search import WARNING, Leak, LeakScene
from shoal.plan.roles import INSENSITIVE

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
    for name in scene.having(INSENSITIVE):
        cells = scene.cells(name)
        words = words_of(name)
        several = len(cells.texts) >= max(FEWEST, cells.present / 10)
        if (words & CERTAIN and len(cells.texts) > 1) or (words & DOUBTFUL and several):
            said = f"column {name!r} is called like an identifier and is published as it is"
            todo = "name it with --identifier if it points to a person, else rename it"
            yield Leak("identifying_names", WARNING, said, todo, (name,))


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
