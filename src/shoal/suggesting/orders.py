# SPDX-License-Identifier: Apache-2.0
"""The order of values that are words: education, agreement, frequency, quality, sizes, severity, months, weekdays.

Words of English, German, French, Spanish, Italian, Portuguese, Dutch and Polish. A scale is a list of steps from the
lowest to the highest, each with its words; a column follows it if every one of its values is on it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from shoal.suggesting.words import split
from shoal.tables.date_formats import MONTHS, SHORT_MONTHS
from shoal.tables.ordering import natural_order, number_in, numbered_things

FEWEST, MOST = 3, 60
"""Values from which on an order matters, and up to which somebody can look it over."""


class ProposedOrder(NamedTuple):
    """An order for a column, to be looked over."""

    order: tuple[str, ...]
    """Empty where the values tell their order by themselves."""
    why: str


SCALES = {
    "agreement": (
        "strongly disagree|disagree strongly|totally disagree|stimme gar nicht zu|stimme überhaupt nicht zu|"
        "trifft gar nicht zu|trifft überhaupt nicht zu|pas du tout d'accord|totalmente en desacuerdo|muy en desacuerdo|"
        "fortemente in disaccordo|per niente d'accordo|discordo totalmente|helemaal mee oneens|zdecydowanie nie",
        "disagree|somewhat disagree|tend to disagree|rather disagree|stimme nicht zu|stimme eher nicht zu|"
        "trifft nicht zu|trifft eher nicht zu|plutôt pas d'accord|pas d'accord|en desacuerdo|in disaccordo|"
        "poco d'accordo|discordo|"
        "mee oneens|oneens|raczej nie",
        "neither agree nor disagree|neutral|neither|undecided|teils teils|weder noch|unentschieden|"
        "ni d'accord ni pas d'accord|neutre|ni de acuerdo ni en desacuerdo|neutrale|neutro|neutraal|trudno powiedzieć",
        "agree|somewhat agree|tend to agree|rather agree|stimme zu|stimme eher zu|trifft zu|trifft eher zu|"
        "plutôt d'accord|d'accord|de acuerdo|d'accordo|abbastanza d'accordo|concordo|mee eens|eens|raczej tak",
        "strongly agree|agree strongly|totally agree|stimme voll zu|stimme voll und ganz zu|trifft voll zu|"
        "trifft voll und ganz zu|tout à fait d'accord|totalmente de acuerdo|muy de acuerdo|fortemente d'accordo|"
        "molto d'accordo|concordo totalmente|helemaal mee eens|zdecydowanie tak",
    ),
    "frequency": (
        "never|not at all|nie|niemals|jamais|nunca|mai|nooit|nigdy",
        "almost never|hardly ever|very rarely|fast nie|presque jamais|casi nunca|quasi mai|quase nunca|bijna nooit",
        "rarely|seldom|selten|rarement|raramente|rara vez|zelden|rzadko|less than monthly|yearly|jährlich",
        "sometimes|occasionally|several days|now and then|manchmal|gelegentlich|parfois|quelquefois|a veces|a volte|"
        "qualche volta|às vezes|soms|czasami|czasem|monthly|monatlich",
        "often|frequently|more than half the days|oft|häufig|souvent|a menudo|frecuentemente|spesso|frequentemente|"
        "vaak|często|weekly|wöchentlich|hebdomadaire|semanal",
        "very often|usually|nearly every day|most of the time|sehr oft|sehr häufig|meistens|très souvent|muy a menudo|"
        "casi siempre|molto spesso|muito frequentemente|heel vaak|bardzo często|daily|täglich|quotidien|diario",
        "always|all of the time|immer|toujours|siempre|sempre|altijd|zawsze",
    ),
    "quality": (
        "very bad|very poor|terrible|sehr schlecht|ungenügend|très mauvais|très mauvaise|muy malo|muy mala|muy mal|"
        "pessimo|molto cattivo|muito ruim|péssimo|zeer slecht|bardzo zły|bardzo źle",
        "bad|poor|schlecht|mangelhaft|mauvais|mauvaise|malo|mala|mal|cattivo|scarso|ruim|slecht|zły|źle",
        "fair|average|so so|mittelmäßig|mittel|teils teils|ausreichend|passable|moyen|moyenne|assez bon|assez bonne|"
        "regular|discreto|mediocre|razoável|matig|redelijk|średni|średnio|okay|ok",
        "satisfactory|befriedigend|zufriedenstellend|satisfaisant|sufficiente|voldoende|dostateczny",
        "good|gut|bon|bonne|bien|bueno|buena|buono|bom|boa|goed|dobry|dobrze",
        "very good|sehr gut|très bon|très bonne|très bien|muy bueno|muy buena|muy bien|molto buono|muito bom|muito boa|"
        "zeer goed|bardzo dobry|bardzo dobrze",
        "excellent|outstanding|ausgezeichnet|hervorragend|excelente|eccellente|ottimo|uitstekend|doskonały|celujący",
    ),
    "satisfaction": (
        "very dissatisfied|very unsatisfied|sehr unzufrieden|très insatisfait|muy insatisfecho|molto insoddisfatto|"
        "muito insatisfeito|zeer ontevreden|bardzo niezadowolony",
        "dissatisfied|unsatisfied|somewhat dissatisfied|unzufrieden|eher unzufrieden|insatisfait|insatisfecho|"
        "insoddisfatto|insatisfeito|ontevreden|niezadowolony",
        "neutral|neither satisfied nor dissatisfied|teils teils|weder noch|neutre|neutro|neutraal",
        "satisfied|somewhat satisfied|zufrieden|eher zufrieden|satisfait|satisfecho|soddisfatto|satisfeito|tevreden|"
        "zadowolony",
        "very satisfied|sehr zufrieden|très satisfait|muy satisfecho|molto soddisfatto|muito satisfeito|zeer tevreden|"
        "bardzo zadowolony",
    ),
    "amount": (
        "none|no|absent|keine|keiner|kein|aucun|aucune|ninguno|ninguna|nessuno|nenhum|geen|brak",
        "minimal|trace|minimale|mínimo|minimo",
        "very low|very little|very small|sehr niedrig|sehr gering|sehr wenig|très faible|muy bajo|molto basso|"
        "muito baixo|zeer laag|bardzo niski",
        "low|little|mild|light|slight|niedrig|gering|wenig|leicht|faible|bas|léger|bajo|baja|leve|basso|bassa|lieve|"
        "baixo|baixa|laag|licht|niski|lekki",
        "medium|moderate|middle|mid|average|some|normal|mittel|mäßig|moyen|modéré|medio|media|moderado|moderato|médio|"
        "média|gemiddeld|matig|średni|umiarkowany",
        "high|much|severe|strong|heavy|hoch|viel|stark|schwer|élevé|fort|sévère|grave|alto|alta|severo|severa|"
        "forte|hoog|"
        "ernstig|wysoki|ciężki|upper",
        "very high|very much|very severe|extreme|critical|sehr hoch|sehr viel|sehr stark|sehr schwer|extrem|très élevé|"
        "extrême|muy alto|muy grave|molto alto|estremo|muito alto|zeer hoog|bardzo wysoki|life threatening",
    ),
    "importance": (
        "not important|unimportant|not at all important|not important at all|unwichtig|völlig unwichtig|pas important",
        "slightly important|less important|weniger wichtig|eher unwichtig|peu important",
        "moderately important|somewhat important|teils teils|eher wichtig|assez important",
        "important|wichtig|importante|belangrijk|ważne",
        "very important|sehr wichtig|très important|muy importante|molto importante|zeer belangrijk|"
        "extremely important",
    ),
    "size": (
        "xxs|3xs|xx small", "xs|2xs|extra small|very small|tiny|sehr klein|très petit|muy pequeño|winzig|zeer klein",
        "s|small|klein|petit|petite|pequeño|pequeña|piccolo|pequeno|mały",
        "m|medium|mittel|moyen|moyenne|mediano|mediana|medio|médio|middel|gemiddeld|średni",
        "l|large|big|groß|gross|grand|grande|groot|duży",
        "xl|extra large|very large|sehr groß|très grand|muy grande|molto grande|muito grande|zeer groot|huge|riesig",
        "xxl|2xl|xx large", "xxxl|3xl", "xxxxl|4xl",
    ),
    "stage": tuple(f"{roman}|stage {roman}|stadium {roman}|grade {roman}|level {roman}|class {roman}|klasse {roman}"
                   for roman in ("0", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")),
    "stage of life": (
        "newborn|neonate|neugeborenes", "infant|baby|säugling|nourrisson|lactante", "toddler|kleinkind",
        "child|kind|enfant|niño|bambino|criança|dziecko|children|kinder",
        "teenager|adolescent|youth|teen|jugendlicher|jugendliche|adolescente|nastolatek",
        "young adult|junger erwachsener|junge erwachsene|jeune adulte|adulto joven",
        "adult|adults|erwachsener|erwachsene|adulte|adulto|volwassene|dorosły",
        "middle aged|mittleres alter", "senior|elderly|old|seniors|senioren|anziano|idoso|bejaarde|starszy|anciano",
    ),
    "weekdays": (
        "monday|mon|montag|mo|lundi|lun|lunes|lunedì|lunedi|segunda feira|segunda|maandag|ma|poniedziałek|pon",
        "tuesday|tue|tues|dienstag|di|mardi|martes|martedì|martedi|terça feira|terça|dinsdag|wtorek|wt",
        "wednesday|wed|mittwoch|mi|mercredi|mer|miércoles|mercoledì|mercoledi|quarta feira|quarta|woensdag|wo|środa|śr",
        "thursday|thu|thur|thurs|donnerstag|jeudi|jeu|jueves|giovedì|giovedi|quinta feira|quinta|donderdag|"
        "czwartek|czw",
        "friday|fri|freitag|fr|vendredi|ven|viernes|venerdì|venerdi|sexta feira|sexta|vrijdag|vr|piątek|pt",
        "saturday|sat|samstag|sonnabend|sa|samedi|sam|sábado|sabato|sab|zaterdag|za|sobota|sob",
        "sunday|sun|sonntag|so|dimanche|dim|domingo|domenica|dom|zondag|zo|niedziela|nd",
    ),
    "months": tuple(
        "|".join(names.split()[month] for names in (*MONTHS.values(), *SHORT_MONTHS.values())) for month in range(12)
    ),
}  # fmt: skip

EDUCATION = (
    (r"(?:no|none|never|without|not any|ohne|kein\w*|aucun\w*|sans|sin|nessun\w*|sem|geen|brak)(?: (?:formal )?"
     r"(?:education|schooling|school|schulabschluss|abschluss|schulbildung|bildung|diplôme|estudios|estudos|titolo"
     r"|opleiding|wykształcenia))?|illiterate|analfabet\w*|uneducated", 0),
    (r"pre ?school|kindergarten|nursery.*|maternelle|early childhood.*|vorschule|prescolar", 1),
    (r"(?:primary|elementary|basic|grundschule|volksschule|primaire|école primaire|primaria|"
     r"educación primaria|elementare"
     r"|ensino fundamental|fundamental|basisonderwijs|basisschool|podstawowe)(?: (?:school|"
     r"education))?(?: completed)?", 4),
    (r"(?:incomplete|some) (?:primary|elementary)(?: (?:school|education))?", 3),
    (r"(?:lower|junior) (?:secondary|high)(?: (?:school|education))?|middle school|hauptschule|hauptschulabschluss|"
     r"collège|media inferiore|vmbo|gimnazjalne|secundaria baja", 20),
    (r"realschule|realschulabschluss|mittlere reife|mittlerer abschluss|mavo", 21),
    (r"some high school.*|less than high school.*|did not finish high school", 22),
    (r"(?:upper |higher )?(?:secondary|high)(?: ?school| education)?(?: (?:graduate|grad|diploma|degree|completed))?"
     r"|hs ?grad\w*|ged|abitur|hochschulreife|fachabitur|fachhochschulreife|gymnasium|matura|lycée|baccalauréat|bac"
     r"|bachillerato|secundaria|diploma|scuola superiore|ensino médio|havo|vwo|średnie|high school or equivalent"
     r"|educación secundaria|secondaire", 24),
    (r"vocational.*|apprenticeship|lehre|ausbildung|berufsausbildung|cap|bep|formation professionnelle|zawodowe|mbo"
     r"|formación profesional|technical(?: school| education)?|trade school|post secondary(?: .*)?", 26),
    (r"some college.*|college no degree|university no degree", 28),
    (r"assoc\w*(?: (?:degree|voc))?|associate s(?: degree)?|two year degree", 30),
    (r"assoc\w* acdm", 31),
    (r"short cycle tertiary.*|college|fachschule|meister|techniker|hbo|bts|dut", 32),
    (r"bachelor\w*(?: s)?(?: degree)?|undergraduate(?: degree)?|ba|bsc|licence|licenciatura|grado|laurea(?: triennale)?"
     r"|graduação|licencjat|four year degree|degree|university(?: degree)?|tertiary(?: education)?|higher education"
     r"|hochschule|universität|universitaire|universitario|superior|wyższe|college degree|graduate", 34),
    (r"postgraduate(?: degree)?|post graduate|graduate degree|graduate school|diplom|magister|staatsexamen", 36),
    (r"master\w*(?: s)?(?: degree)?|ma|msc|mba|maestría|máster|mestrado|laurea magistrale|maîtrise", 38),
    (r"prof(?:essional)? school|professional(?: degree| school degree)?", 40),
    (r"ph ?d|doctor\w*(?: degree)?|doktor\w*|promotion|doctorat|doctorado|dottorato|doutorado|doctoraat|doktorat", 42),
)  # fmt: skip
STEPS = frozenset(
    "level grade stage step class degree rank tier phase standard priority severity score band quartile quintile "
    "decile percentile wave round generation age year quarter semester term trimester month week day hour "
    "stufe klasse grad pflegegrad rang niveau note jahr jahrgang alter quartal monat woche tag stunde runde welle "
    "classe etape stade palier an annee mois semaine jour nivel grado etapa curso ano mes semana dia "
    "livello stadio fase anno mese settimana giorno grau estagio graad klas leerjaar jaar maand week dag "
    "poziom stopien klasa etap rok miesiac tydzien dzien "
    "nyha asa ecog ckd figo tanner killip birads cefr esi".split()
)
"""Words for steps: what is numbered with them has an order. The last ones are scales of doctors and schools."""
STEPS_IN_ONE_WORD = ("stufe", "klasse", "niveau", "level")
"""Ends of longer words for steps: Lohnstufe, opleidingsniveau."""
GRADE = re.compile(
    r"(?:less than |up to |below )?(\d{1,2})(?:st|nd|rd|th)?(?: (\d{1,2})(?:st|nd|rd|th)?)?(?: grades?| klasse| class)?"
)


def propose_order(values: Sequence[str], *, steps: bool = False) -> ProposedOrder | None:
    """The order in which the distinct values of a column stand, if they are on a scale; None for names.

    ``steps``: whether the column speaks of steps, so that whatever is numbered in it has an order.

    >>> propose_order(["agree", "Strongly agree", "disagree", "neutral"]).order
    ('disagree', 'neutral', 'agree', 'Strongly agree')
    """
    distinct = sorted(set(values))
    if not FEWEST <= len(distinct) <= MOST or all(number_in(value) is not None for value in distinct):
        return None
    if natural_order(distinct) is not None and (steps or not _are_names(distinct)):
        return ProposedOrder((), "values that tell their order")
    if _letters(distinct):
        return ProposedOrder(tuple(distinct), "letters that follow one another")
    plain = [_plain(value) for value in distinct]
    for name, rank in _ranks().items():
        found = [rank(value) for value in plain]
        places = [place for place in found if place is not None]
        if len(places) == len(distinct) and len(set(places)) >= FEWEST:
            pairs = sorted(zip(places, distinct, strict=True))
            return ProposedOrder(tuple(value for _, value in pairs), f"steps of {name}")
    return None


def speaks_of_steps(text: str) -> bool:
    """Whether a name, a label or a value speaks of steps.

    >>> speaks_of_steps("Grade 3"), speaks_of_steps("Pflegestufe"), speaks_of_steps("party3")
    (True, True, False)
    """
    return any(word in STEPS or word.endswith(STEPS_IN_ONE_WORD) for word in split(text))


def _are_names(values: Sequence[str]) -> bool:
    """Whether numbers only tell things apart, as in party3 or ward 12; behind a single letter they grade, as in A1."""
    thing = numbered_things(values)
    return len(thing) > 1 and not speaks_of_steps(thing)


def _letters(values: Sequence[str]) -> bool:
    """Capitals without a gap, as grades are written."""
    single = all(len(value) == 1 and value.isascii() and value.isupper() for value in values)
    return single and ord(values[-1]) - ord(values[0]) == len(values) - 1


def _plain(value: str) -> str:
    """A value without capitals, signs and a number in front."""
    words = re.sub(r"[^\w']+|_", " ", unicodedata.normalize("NFC", value).casefold().replace("’", "'")).strip()
    return " ".join(words.split())


@cache
def _ranks() -> dict[str, Callable[[str], float | None]]:
    """For each scale, the place of a value on it."""
    steps = {
        name: {_plain(word): float(place) for place, words in enumerate(scale) for word in words.split("|")}
        for name, scale in SCALES.items()
    }
    levels = [(re.compile(pattern), float(rank)) for pattern, rank in EDUCATION]

    def education(value: str) -> float | None:
        graded = GRADE.fullmatch(value)
        if graded is not None:
            return 5 + int(graded[1]) - 0.5 * value.startswith(("less", "below"))
        plain = value.replace("'", " ")
        return next((rank for pattern, rank in levels if pattern.fullmatch(plain)), None)

    ranks: dict[str, Callable[[str], float | None]] = {name: words.get for name, words in steps.items()}
    return {**ranks, "education": education}
