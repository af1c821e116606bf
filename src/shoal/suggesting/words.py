# SPDX-License-Identifier: Apache-2.0
"""What names, labels and values speak of, in several languages.

A topic is one file of the folder ``topics``: what it is about, its role, who could know it, and words for it. ``age``
is a whole word, ``diagnos*`` its beginning, ``*income*`` any part of one; ``date_of_birth`` are words that follow each
other, small ones aside. Texts are cut at blanks, dots, underscores and capitals, and compared without accents. Longer
phrases come first and use up their words: a health insurance is an insurance and no illness. Languages: English,
German, French, Spanish, Italian, Portuguese, Dutch and Polish.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from shoal.ground.person_numbers import without_count
from shoal.plan.roles import IDENTIFIER, QUASI_IDENTIFIER, SENSITIVE

FOLDER = Path(__file__).parent / "topics"
LIGATURES = str.maketrans({"ß": "ss", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "Ae"})
"""Letters that do not fall apart into a plain one and an accent."""
PIECES = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
ANSWER = re.compile(r"^(?:q|question|item|frage|pregunta|domanda|vraag|pytanie)[ ._-]?\d+[a-z]?$")
UMLAUTS = re.compile(r"(?<=[aou])e")
"""Where German is written without its dots: Auslaender, Groesse."""
LONGEST = 4
"""Words of a phrase."""
SHORTEST, LONG_WORD = 3, 6
"""Letters of the beginning of a word; and of a word that may end in two letters that mean something."""
SMALL = frozenset(
    "of the a an in on at to for and or by with from de la le les du des d l et en el los las y un une der die das dem "
    "den und von vom zu im am beim di del della dei il lo gli e per do da dos para van het een w z i na o s t".split()
)
COMPANIONS = frozenset(
    "respondent respondents person persons personal individual people member members head spouse father mother child "
    "reference ref hh code codes coded recode recoded variable var value category categories group groups grouped "
    "class self reported calculated computed current time interview screening what your is was are patient customer "
    "insured employee client driver policyholder holder applicant student assigned birth legal imputed original "
    "detailed identity r q v x id no nr number binary dummy indicator household primary befragte befragter befragten "
    "enquete individu persona encuestado intervistato respondente respondenta osoba osoby".split()
)
"""Words beside which a word that must stand alone still does."""
NEUTRAL = frozenset("taxpayer taxpayers filingunit taxunit taxfilingunit tax_filer healthcareworker".split())
"""Phrases that say who or what is meant and not what is told of them."""
COUNTED = re.compile(
    r"(?:\b(?:number|numbers|no\.?|nr\.?|numero|número|nombre|anzahl|aantal|liczba|count)|#) "
    r"(?:of|de|di|do|du|des|der|van)\b|\b(?:number|nombre|d)'",
    re.IGNORECASE,
)
"""A number of things is neither a name nor a number of its own."""

CLASS_WORDS = frozenset(
    "class target label outcome type category y klasse zielgrosse typ classe etiquette tipo clase klas klasa".split()
)
"""Names, standing alone, of what others want to predict."""


@dataclass(frozen=True)
class Topic:
    """What a column may be about."""

    name: str
    """The name of its file."""
    about: str
    role: str
    because: str = ""
    """Who could know it, or why nobody."""
    rank: int = 99
    """Quasi-identifiers are taken in this order."""
    names: str = field(default="", repr=False)
    values: str = field(default="", repr=False)
    counts: bool = False
    """Whether numbers under that name are quantities and no names of things."""
    orders: bool = False
    """Whether its codes have an order."""
    many: bool = False
    """Whether the word counts only for columns of many values: it stands for harmless things, too."""
    alone: bool = False
    """Whether the word counts only where hardly another stands beside it."""
    weak: bool = False
    """Whether any other topic comes first."""
    unsure: bool = False
    """Whether experts differ about it."""
    over: str = ""
    """Topics that say less than this one where both are heard."""

    @property
    def identifies(self) -> bool:
        """Whether it points to one person."""
        return self.role == IDENTIFIER

    @property
    def known(self) -> bool:
        """Whether outsiders may know it."""
        return self.role == QUASI_IDENTIFIER

    @property
    def private(self) -> bool:
        """Whether outsiders do not know it, and the word says so by itself."""
        return self.role == SENSITIVE and not self.weak

    @property
    def technical(self) -> bool:
        """Whether it is about the survey and not about the person."""
        return not (self.identifies or self.known or self.role == SENSITIVE)


@cache
def topics() -> dict[str, Topic]:
    """All topics by name."""
    found = {}
    for path in sorted(FOLDER.glob("*.toml")):
        found[path.stem] = Topic(path.stem, **tomllib.loads(path.read_text(encoding="utf-8")))
    return found


@dataclass(frozen=True)
class Heard:
    """The topics of a text, in the order of its words, and the words that belong to none."""

    topics: tuple[Topic, ...] = ()
    words: tuple[str, ...] = ()
    """All words, small ones too."""
    others: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.topics)

    @property
    def alone(self) -> bool:
        """Whether hardly a word stands beside the topics'."""
        return all(word in COMPANIONS or word.isdigit() for word in self.others)


def hear(text: str) -> Heard:
    """What a name or label speaks of."""
    return _heard(text, _index("names"))


def hear_value(text: str) -> Heard:
    """What a value speaks of."""
    return _heard(text, _index("values"))


def is_class(name: str) -> bool:
    """Whether a name is that of a class to be predicted."""
    return "".join(split(name)) in CLASS_WORDS


def is_answer(name: str) -> bool:
    """Whether a name is that of a numbered question."""
    return ANSWER.match(name.strip().casefold()) is not None


def split(text: str) -> list[str]:
    """The words of a text, without accents and capitals.

    >>> split("Código-postal"), split("famIncome"), split("Körpergröße in cm") == split("Koerpergroesse in cm")
    (['codigo', 'postal'], ['fam', 'income'], True)
    """
    parted = unicodedata.normalize("NFKD", text.translate(LIGATURES))
    plain = "".join(mark for mark in parted if not unicodedata.combining(mark))
    return [UMLAUTS.sub("", piece.casefold()) for piece in PIECES.findall(plain)]


@dataclass(frozen=True)
class _Index:
    """Words to topics."""

    whole: Mapping[str, tuple[Topic, ...]]
    beginnings: Mapping[str, tuple[Topic, ...]]
    parts: tuple[tuple[str, bool, Topic], ...]
    """Parts of words, whether they must stand at the end, and their topics."""

    def find(self, phrase: str, least: int) -> list[Topic]:
        """The topics of a phrase; beginnings that end within its first ``least`` letters were looked at before."""
        found = list(self.whole.get(phrase, ()))
        for length in range(len(phrase), max(least, SHORTEST - 1), -1):
            found += self.beginnings.get(phrase[:length], ())
        return found

    def within(self, word: str) -> list[Topic]:
        """The topics of parts of a word."""
        return [
            topic
            for part, end, topic in self.parts
            if (word.endswith(part) if end else part in word) and (len(part) > 2 or len(word) >= LONG_WORD)
        ]


@cache
def _index(kind: str) -> _Index:
    whole: dict[str, tuple[Topic, ...]] = {}
    beginnings: dict[str, tuple[Topic, ...]] = {}
    parts = []
    for topic in topics().values():
        for pattern in getattr(topic, kind).split():
            stem = _joined(split(pattern))
            if len(stem) < 2 or pattern.endswith(":"):
                continue
            if pattern.startswith("*"):
                parts.append((stem, not pattern.endswith("*"), topic))
                continue
            into = beginnings if pattern.endswith("*") else whole
            into[stem] = (*into.get(stem, ()), topic)
    return _Index(whole, beginnings, tuple(parts))


def _joined(words: Sequence[str]) -> str:
    """A phrase as one word, small words aside."""
    return "".join(word for word in words if word not in SMALL) or "".join(words)


def _heard(text: str, index: _Index) -> Heard:
    words = split(COUNTED.sub(" ", without_count(text)))
    large = [word for word in words if word not in SMALL] or words
    used: dict[int, list[Topic]] = {}
    for first, length, found in _matches(large, index):
        if any(at in used for at in range(first, first + length)):
            continue
        used |= {at: found if at == first else [] for at in range(first, first + length)}
    heard = dict.fromkeys(topic for at in sorted(used) for topic in used[at])
    return Heard(tuple(heard), tuple(words), tuple(word for at, word in enumerate(large) if at not in used))


def _matches(words: Sequence[str], index: _Index) -> Iterator[tuple[int, int, list[Topic]]]:
    """Phrases that topics know, long ones first: where they begin, how many words, which topics."""
    for length in range(min(LONGEST, len(words)), 0, -1):
        for first in range(len(words) - length + 1):
            inner = words[first : first + length]
            phrase = "".join(inner)
            if phrase in NEUTRAL:
                yield first, length, []
                continue
            found = index.find(phrase, len("".join(inner[:-1])))
            if length == 1:
                found += index.within(phrase)
            if found:
                yield first, length, found
