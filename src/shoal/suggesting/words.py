# SPDX-License-Identifier: Apache-2.0
"""What a column's name says, in several languages.

A topic is a list of words: ``age`` is the whole word, ``diagnos*`` its beginning, ``*income*`` any part of the name.
Names are cut at blanks, dots, underscores and capitals, and compared without accents. Languages: English, German,
French, Spanish, Italian, Portuguese, Dutch and Polish.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise

from shoal.roles.roles import IDENTIFIER, QUASI_IDENTIFIER, SENSITIVE

LIGATURES = str.maketrans({"ß": "ss", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "Ae"})
"""Letters that do not fall apart into a plain one and an accent."""
PIECES = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
ANSWER = re.compile(r"^(?:q|question|item|frage|pregunta|domanda|vraag|pytanie)[ ._-]?\d+[a-z]?$")


@dataclass(frozen=True)
class Topic:
    """What a column may be about."""

    name: str
    role: str
    words: str
    names_values: bool = False
    """Whether numbers under that name are names and no quantities."""
    needs_many: bool = False
    """Whether the word counts only for columns of many values: it stands for harmless things, too."""
    strong: bool = False
    """Whether it stands even beside a word for a private fact: the age at a diagnosis is an age."""

    def fits(self, words: set[str], joined: str) -> bool:
        """Whether one of its words is among those of a name."""
        return any(_hit(pattern, words, joined) for pattern in self.words.split())


TOPICS = (
    # -- who it is ---------------------------------------------------------------------------------------------
    Topic("an e-mail address", IDENTIFIER, "email mail emailaddress correo courriel epost *email*"),
    Topic(
        "a telephone number",
        IDENTIFIER,
        "phone telephone tel mobile fax cellphone telefon* telephone* handy mobil mobilnummer telefono* "
        "telefone celular movil gsm portable telefoonnummer",
    ),
    Topic(
        "an official number",
        IDENTIFIER,
        "ssn sin nino passport* nationalid socialsecurity sozialversicherung* svnr ahv reisepass* ausweis* "
        "personalausweis insee nir dni nie nif cif cpf codicefiscale bsn pesel iban bic account accountnumber "
        "konto* kontonummer compte creditcard cardnumber kreditkarte steuernummer steuerid taxid licence "
        "license licenceplate plate kennzeichen matricula immatriculation targa kenteken mrn",
    ),
    Topic(
        "an address",
        IDENTIFIER,
        "street address streetaddress housenumber adresse anschrift strasse hausnummer rue calle direccion "
        "indirizzo endereco straat straatnaam adres ulica",
    ),
    Topic(
        "a name of somebody online",
        IDENTIFIER,
        "username login nickname userid benutzername pseudonym url website homepage ip ipaddress macaddress uuid guid",
    ),
    Topic(
        "a person's name",
        IDENTIFIER,
        "surname lastname firstname forename fullname givenname familyname middlename patientname nachname "
        "vorname familienname zuname geburtsname prenom nomdefamille apellido* cognome sobrenome achternaam "
        "voornaam imie nazwisko",
    ),
    Topic("a name", IDENTIFIER, "name names *name nom nombre nome naam nazwa", needs_many=True),
    Topic(
        "a number of its own",
        IDENTIFIER,
        "id ident identifier *id idx index key *number *nummer caseid recordid rowid patientid personid "
        "kennung aktenzeichen fallnummer numero identifiant identificador codigo matricule serial",
        needs_many=True,
    ),
    # -- what a neighbour may know -----------------------------------------------------------------------------
    Topic(
        "a birth date",
        QUASI_IDENTIFIER,
        "dob birth* born geb geburt* naissance nacimiento nascita nascimento geboorte* urodz*",
        strong=True,
    ),
    Topic("an age", QUASI_IDENTIFIER, "age ages alter lebensalter edad eta idade leeftijd wiek agegroup", strong=True),
    Topic(
        "a sex",
        QUASI_IDENTIFIER,
        "sex gender geschlecht sexe genre sexo genero sesso genere geslacht plec",
        names_values=True,
    ),
    Topic(
        "a postcode",
        QUASI_IDENTIFIER,
        "zip zipcode postcode postalcode postal plz postleitzahl codepostal codigopostal cap cep cp pcode postnummer",
        names_values=True,
        strong=True,
    ),
    Topic(
        "a place",
        QUASI_IDENTIFIER,
        "city town village county district region state province municipal* country location residence area "
        "place ort wohnort stadt gemeinde kreis landkreis bezirk bundesland land kanton ville commune "
        "departement pays ciudad municipio provincia pais citta comune regione paese cidade estado distrito "
        "stad gemeente provincie miasto wojewodztwo powiat kraj latitude longitude lat lon neighbourhood "
        "neighborhood density",
        names_values=True,
    ),
    Topic(
        "a family status",
        QUASI_IDENTIFIER,
        "marital* married maritalstatus civilstatus spouse partner familienstand zivilstand etatcivil "
        "situationfamiliale estadocivil statocivile burgerlijkestaat stancywilny relationship",
        names_values=True,
    ),
    Topic(
        "an origin",
        QUASI_IDENTIFIER,
        "race ethnic* origin hispanic nationality nationalit* citizen* nativity native immigra* migration* "
        "rasse herkunft staatsang* staatsburger* nacionalidad ciudadania nazionalita cittadinanza "
        "nacionalidade nationaliteit narodowosc obywatelstwo birthplace religion religi* konfession language "
        "sprache langue idioma lingua taal",
        names_values=True,
    ),
    Topic(
        "an education",
        QUASI_IDENTIFIER,
        "education* edu educ school* degree bildung* schulabschluss abschluss etudes diplome estudios "
        "istruzione escolaridade opleiding wyksztalcenie student*",
    ),
    Topic(
        "a household",
        QUASI_IDENTIFIER,
        "household* family familysize children child kids haushalt* kinder familie menage enfants hogar hijos "
        "famiglia figli familia filhos huishouden kinderen dzieci hh",
    ),
    Topic(
        "work",
        QUASI_IDENTIFIER,
        "workclass employer company industry sector branch* arbeitgeber firma branche entreprise empresa "
        "azienda bedrijf hours worked veteran* department abteilung",
    ),
    Topic(
        "an insurance",
        QUASI_IDENTIFIER,
        "insurance insurer versicherung* krankenkasse assurance seguro assicurazione verzekering ubezpieczenie",
        names_values=True,
    ),
    Topic(
        "a vehicle",
        QUASI_IDENTIFIER,
        "vehicle* veh car brand model fahrzeug marke vehicule coche auto",
        names_values=True,
    ),
    Topic(
        "a date",
        QUASI_IDENTIFIER,
        "date datum fecha admission* admitted discharge* visit* aufnahme* entlass* entree sortie ingreso ricovero",
    ),
    # -- what is nobody's business -----------------------------------------------------------------------------
    Topic(
        "health",
        SENSITIVE,
        "diagnos* disease* illness* condition symptom* icd* therap* treatment* medication* medicine drug* "
        "procedure* surgery hiv blood* allerg* mental* psych* disab* cholesterol glucose bmi pregnan* krank* "
        "befund behandlung* medikament* operation* blut* behinder* maladie* traitement* sante handicap* "
        "enfermedad* tratamiento* salud medicament* malattia* diagnosi terapia salute doenca* tratamento* "
        "saude ziekte* behandeling* gezondheid choroba* leczenie",
    ),
    Topic(
        "income",
        SENSITIVE,
        "*income* salar* wage* earn* pay payment* gehalt* lohn* einkommen* verdienst* revenu* salaire* "
        "sueldo* ingresos nomina reddito* stipendio* renda rendimento* inkomen* loon* zarob* dochod* benefit* "
        "pension* rente*",
    ),
    Topic(
        "money",
        SENSITIVE,
        "cost* charge* debt* credit* loan* balance* asset* wealth* capital tax taxes dividend* profit* gain* "
        "mortgage* kosten schuld* kredit* vermogen* steuer* cout* dette* impot* patrimoine* costo* coste* "
        "deuda* credito* impuesto* debito* custo* divida* imposto* schulden belasting* koszt* dlug* podatek",
    ),
    Topic(
        "an occupation",
        SENSITIVE,
        "occup* profession* job jobtitle beruf* tatigkeit metier emploi ocupacion* oficio professione* "
        "mestiere ocupacao* profissao* beroep* zawod*",
        names_values=True,
    ),
    Topic(
        "a claim or rating",
        SENSITIVE,
        "claim* bonus malus score* rating* grade grades result* schaden* zeugnis* ergebnis* sinistre* "
        "resultat* siniestro* resultado* sinistro* risultato* uitslag* wynik* punkte punktzahl",
    ),
    Topic(
        "convictions",
        SENSITIVE,
        "crime* criminal* offence* offense* convict* sentence* arrest* party political* vote* voting union "
        "straf* partei* gewerkschaft* parti* syndicat* sexualorientation orientation",
    ),
)

CLASS_WORDS = frozenset(
    "class target label outcome type category klasse zielgroesse typ classe etiquette tipo klas".split()
)
"""Names, standing alone, of what others want to predict."""


def topics_of(name: str) -> list[Topic]:
    """Everything that a name may speak of, in the order of the list."""
    words, joined = split(name)
    return [topic for topic in TOPICS if topic.fits(words, joined)]


def is_class(name: str) -> bool:
    """Whether a name is that of a class to be predicted."""
    return split(name)[1] in CLASS_WORDS


def is_answer(name: str) -> bool:
    """Whether a name is that of a numbered question."""
    return ANSWER.match(name.strip().casefold()) is not None


def split(name: str) -> tuple[set[str], str]:
    """The words of a name and its neighbours as one, and all of it as one.

    >>> sorted(split("Código-postal")[0]), split("famIncome")[1]
    (['codigo', 'codigopostal', 'postal'], 'famincome')
    """
    parted = unicodedata.normalize("NFKD", name.translate(LIGATURES))
    plain = "".join(mark for mark in parted if not unicodedata.combining(mark))
    pieces = [piece.casefold() for piece in PIECES.findall(plain)]
    triples = ["".join(pieces[at : at + 3]) for at in range(len(pieces) - 2)]
    return {*pieces, *(one + other for one, other in pairwise(pieces)), *triples}, "".join(pieces)


def _hit(pattern: str, words: set[str], joined: str) -> bool:
    stem = pattern.strip("*")
    if pattern.startswith("*") and pattern.endswith("*"):
        return stem in joined
    if pattern.startswith("*"):
        return any(word.endswith(stem) for word in words)
    if pattern.endswith("*"):
        return any(word.startswith(stem) for word in words)
    return pattern in words
