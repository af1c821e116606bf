# SPDX-License-Identifier: Apache-2.0
"""No page can forget to escape: every template escapes by itself, and hostile names stay inert wherever they appear."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from jinja2 import UndefinedError

import shoal
from shoal.ground.cards import card
from shoal.ground.pages import PACKAGE, environment, render, style
from shoal.ground.svg import element
from shoal.hierarchies.drawing import draw
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging.attempts import AttackReport, not_tried
from shoal.judging.verdicts import Finding, Leak, Verdict
from shoal.plan.plan import Plan
from shoal.studies.comparing.attribution import Attribution, Effect
from shoal.studies.comparing.comparison import Comparison
from shoal.studies.comparing.outcome import REFUSED, Outcome
from tests.releases.reports.conftest import made

TEMPLATES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("templates/*.html"))
SCRIPT, IMAGE = "<script>alert(1)</script>", '"><img src=x onerror="alert(2)">'


class Elements(HTMLParser):
    """The elements of a page, and the names of their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}


def released(first: str, second: str) -> shoal.Release:
    """A release whose columns, findings and leaks carry given names."""
    release = made(names=(first, second))
    found = Finding("k_anonymity", True, f"about {first} and {second}")
    leaks = tuple(Leak("singular_values", "warning", f"{name} gives {name} away", f"drop {name}") for name in (first,))
    loss = replace(release.measurements[0], metric=first, note=second)
    verdict = Verdict((found,), (f"beware of {second}",), leaks)
    return replace(release, verdict=verdict, measurements=(loss,))


def compared(first: str, second: str) -> Comparison:
    """A comparison of methods, columns and reasons that carry given names."""
    columns = {first: 0.2, second: 0.1}
    good = Outcome(first, 5, 0, metric="ncp", loss=0.2, bound=0.1, per_column=columns, seconds=1.0, memory=9.0)
    refused = Outcome(second, 5, 0, REFUSED, f"not with {first}")
    effects = tuple(Effect(name, "drop", second, 1.0, 0.3, 0.25, 0.5) for name in columns)
    cost = Attribution(first, 5, 0, "ncp", 0.3, columns, dict.fromkeys(columns, 1.0), effects)
    return Comparison((good, refused), {5: 0.1}, 100, tuple(columns), "ncp", (cost,))


def compared_page(first: str, second: str) -> str:
    """The page of a comparison."""
    from shoal.studies.comparing.page import page as page_of

    return page_of(compared(first, second))


def planned(first: str, second: str) -> Plan:
    """A plan about columns of given names."""
    return Plan.of(5, quasi_identifiers=[first], sensitive=[second])


def drawn(first: str, second: str) -> str:
    """A tree of given labels."""
    return draw(Hierarchy.from_rows([[first, "group", "*"], [second, "*"]]), {first: 2}, title=first)


FACES: dict[str, Callable[[str, str], str]] = {
    "report": lambda *names: released(*names).report(),
    "card of a release": lambda *names: released(*names)._repr_html_(),
    "card of a verdict": lambda *names: released(*names).verdict._repr_html_(),
    "card of a plan": lambda *names: planned(*names)._repr_html_(),
    "card of attacks": lambda *names: AttackReport((not_tried(*names),), names)._repr_html_(),
    "comparison": compared_page,
    "card of a comparison": lambda *names: compared(*names)._repr_html_(),
    "card of an attribution": lambda *names: compared(*names).attributions[0]._repr_html_(),
    "plot": lambda *names: compared(*names).plot("columns").svg,
    "hierarchy": drawn,
}


@pytest.mark.parametrize("face", FACES)
def test_hostile_names_stay_inert(face: str) -> None:
    """A page has the same elements whatever columns and labels are called, and none that was smuggled in."""
    plain, hostile = Elements(FACES[face]("one", "two")), Elements(FACES[face](SCRIPT, IMAGE))
    assert hostile.tags == plain.tags
    assert hostile.attributes == plain.attributes
    assert not {"script", "img"} & set(hostile.tags)
    assert "onerror" not in hostile.attributes


@pytest.mark.parametrize("face", FACES)
def test_hostile_names_are_there(face: str) -> None:
    """The names do reach the page, so that the test above says something."""
    assert re.search("alert.[12]", FACES[face](SCRIPT, IMAGE))


def test_escaping_is_on_for_every_template() -> None:
    """There are templates, escaping is on for all of them, and none turns it off or declares anything safe."""
    assert len(TEMPLATES) > 10
    assert environment().autoescape is True
    for name in TEMPLATES:
        environment().get_template(name)  # it can be read at all
        assert not re.search(r"\|\s*safe\b|autoescape|Markup", (PACKAGE / name).read_text(encoding="utf-8")), name


def test_only_drawings_and_rendered_pieces_are_placed_as_they_are() -> None:
    """A text is escaped even where it looks finished; a drawing and a rendered piece are not escaped again."""
    template = "releases/reports/templates/limits.html"
    piece = render(template, texts=["<b>"])
    assert "<li>&lt;b&gt;</li>" in piece
    assert f"<li>{piece}</li>" in render(template, texts=[piece])
    assert "<li><g/></li>" in render(template, texts=[element("g")])


def test_what_nobody_gave_is_an_error() -> None:
    """A misspelt name does not leave a hole in a page."""
    with pytest.raises(UndefinedError, match="texts"):
        render("releases/reports/templates/limits.html", text=["one"])


def test_the_result_is_a_plain_text() -> None:
    """Callers may add to a page or a card without anything being escaped behind their back."""
    assert type(card("a", ((), [("b",)]))) is str
    assert type(released("one", "two").report()) is str


def test_a_page_allows_its_own_styles_alone() -> None:
    """The fingerprint in the policy is that of the style in the page, to the letter."""
    text = compared_page("one", "two")
    look = text.partition("<style>")[2].partition("</style>")[0]
    fingerprint = base64.b64encode(hashlib.sha256(look.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{fingerprint}'\"" in text
    assert style("ground/templates/picture.css") in look
