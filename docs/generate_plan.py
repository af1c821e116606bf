# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of ``docs/plan.md`` from the declarations of the settings; the prose around them stays.

``python docs/generate_plan.py`` rewrites them, and gives every flag that ``docs/command-line.md`` does not know yet a
row with its help line. A test fails when a table is out of date.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from shoal.ground import catalog
from shoal.ground.settings import REQUIRED, Setting
from shoal.plan.settings import settings

DOCS = Path(__file__).parent
PART = re.compile(r"(<!-- (\w+): written by docs/generate_plan.py -->\n).*?(<!-- end -->)", re.DOTALL)


def plan_page(text: str) -> str:
    """The page of the plan with its tables written anew."""
    return PART.sub(lambda part: f"{part[1]}\n{table(part[2])}\n{part[3]}", text)


def table(name: str) -> str:
    """The keys of one table of the plan."""
    lines = ["| key | default | allowed | flag | meaning |", "|---|---|---|---|---|"]
    lines += [row(one) for one in settings() if one.table == name]
    return "\n".join([*lines, ""])


def row(one: Setting) -> str:
    """One key."""
    cells = (f"`{one.key}`", default(one), allowed(one), f"`{one.flag}`" if one.flag else "", one.help)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def default(one: Setting) -> str:
    """What a key has where the plan does not name it."""
    if one.default is REQUIRED:
        return "required"
    if one.default is None or one.usual:
        return one.usual or "none"
    return f"`{json.dumps(one.default)}`"


def allowed(one: Setting) -> str:
    """What a key may have, every choice by its name; methods and formats are listed by a command."""
    if one.room and not one.choices:
        return f"`shoal {catalog.ROOMS[one.room].word}s` lists them"
    return ", ".join(f"`{name}`" for name in one.known()) or one.words()


def command_page(text: str) -> str:
    """The page of the command line with a row for every flag that has none."""
    for name, entry in catalog.entries("commands").items():
        start = text.index(f"\n## `shoal {name}`\n")
        stop = (text.find("\n## ", start + 1) + len(text)) % len(text) + 1
        section = text[start:stop]
        new = [flag_row(one) for one in entry.load().command.params if unknown(one, section)]
        end = section.rfind("\n|")
        end = section.index("\n", end + 1) if end >= 0 else len(section)
        text = text[:start] + section[:end] + "".join("\n" + line for line in new) + section[end:] + text[stop:]
    return text


def unknown(flag: click.Parameter, section: str) -> bool:
    """Whether a flag stands nowhere in the section of its command."""
    return isinstance(flag, click.Option) and not all(re.search(rf"`{name}[` ]", section) for name in flag.opts)


def flag_row(flag: click.Option) -> str:
    """A row of a command's table."""
    metavar = "" if flag.is_flag else f" {flag.metavar or 'N'}"
    cells = (", ".join(f"`{name}`" for name in flag.opts) + metavar, flag.help or "")
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def main() -> None:
    """Rewrite both pages."""
    for name, written in (("plan.md", plan_page), ("command-line.md", command_page)):
        path = DOCS / name
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
