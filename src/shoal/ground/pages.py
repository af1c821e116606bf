# SPDX-License-Identifier: Apache-2.0
"""Pages of HTML: templates in, text out; whatever comes from outside is escaped.

A template is a file in a folder ``templates`` of some room, named by its path below the package. Escaping is on for
all of them and cannot be forgotten; only pieces that were rendered here or drawn by :mod:`shoal.ground.svg` are
placed as they are. A name that a template uses and nobody gave is an error, not an empty place.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.ground import wording

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

PACKAGE = Path(__file__).parents[1]
FILTERS = ("number", "one_in", "percent", "phrase", "sentence", "share", "whole")
"""Of :mod:`shoal.ground.wording`, for templates."""
LONG_NAME = 14
"""Letters for which there is room everywhere."""
WORD_ENDS = re.compile(r"([_.-])(?=\w)")


@cache
def environment() -> Environment:
    """What all templates share; loaded with the first page, for it is not needed to start."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(PACKAGE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update({name: getattr(wording, name) for name in FILTERS}, foldable=foldable)
    return made


def foldable(name: str) -> Markup:
    """A name that is broken between its words where it is too long for its place.

    >>> str(foldable("length_of_stay_in_days")), str(foldable("marital_status"))
    ('length_<wbr>of_<wbr>stay_<wbr>in_<wbr>days', 'marital_status')
    """
    from markupsafe import Markup, escape

    return Markup(WORD_ENDS.sub(r"\1<wbr>", str(escape(name)))) if len(name) > LONG_NAME else escape(name)


def render(template: str, /, **values: Any) -> Markup:
    """A template filled with values; the result may be placed into another."""
    from markupsafe import Markup

    return Markup(environment().get_template(template).render(values))


def trusted(rendered: str) -> Markup:
    """What was rendered here in another process, and came back as plain text."""
    from markupsafe import Markup

    return Markup(rendered)


def page(template: str, /, *styles: str, **values: Any) -> str:
    """A whole page, one file: nothing may be loaded or run; its own style sheets are allowed by their fingerprint."""
    from markupsafe import Markup

    look = "".join(style(name) for name in styles)
    fingerprint = base64.b64encode(hashlib.sha256(look.encode()).digest()).decode()
    return str(render(template, style=Markup(look), fingerprint=fingerprint, **values)) + "\n"


@cache
def style(name: str) -> str:
    """A style sheet, by its path below the package."""
    return (PACKAGE / name).read_text(encoding="utf-8")
