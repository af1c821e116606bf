# SPDX-License-Identifier: Apache-2.0
"""Lists what a room offers, one line each, without importing it; tells one whole when it is named."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

import click

from shoal.faces.cli._output import columns_of_text, say, say_json
from shoal.ground import catalog

#: How a user sets the parameters of an inhabitant of a room.
HOW_SET = {"algorithms": " (--set name=value)", "privacy_models": " (in [privacy] of a plan)"}


def listing(room: str, about: str) -> click.Command:
    """The command that lists one room."""
    word = catalog.ROOMS[room].word

    @click.command(help=f"{about}\n\nWith NAME: all about that one {word}.")
    @click.argument("name", required=False)
    @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    def command(name: str | None, as_json: bool) -> None:
        if name is None:
            tell_all(room, as_json)
        else:
            tell_one(catalog.find(room, name), as_json)

    return command


def tell_all(room: str, as_json: bool) -> None:
    """Every inhabitant of a room, one line each."""
    found = list(catalog.entries(room).values())
    if as_json:
        say_json([{"name": one.name, "summary": one.summary} for one in found])
    elif found:
        say(columns_of_text([(one.name, one.summary) for one in found], indent=0))


def tell_one(entry: catalog.Entry, as_json: bool) -> None:
    """All about one inhabitant of a room."""
    module = entry.load()
    parameters = _parameters(getattr(module, "Parameters", None))
    capabilities = _constants(module)
    if as_json:
        facts: dict[str, Any] = {"name": entry.name, "summary": entry.summary, "text": entry.docstring}
        say_json(facts | {"parameters": parameters, "capabilities": capabilities})
        return
    parts = [entry.name, "", entry.docstring.strip()]
    if parameters:
        rows = [(one["name"], f"= {one['default']!r}", one["allowed"], one["help"]) for one in parameters]
        parts += ["", f"Parameters{HOW_SET.get(entry.room, '')}:", columns_of_text(rows)]
    if capabilities:
        rows_of = [(name, _words(value)) for name, value in capabilities.items()]
        parts += ["", "Capabilities:", columns_of_text(rows_of)]
    say("\n".join(parts))


def _parameters(kind: Any) -> list[dict[str, Any]]:
    """What a ``Parameters`` dataclass declares."""
    if kind is None or not is_dataclass(kind):
        return []
    from shoal.ground.parameters import allowed_text

    hints = get_type_hints(kind)
    return [
        {
            "name": one.name,
            "default": one.default,
            "allowed": allowed_text(one, hints[one.name]),
            "help": one.metadata.get("help", ""),
        }
        for one in fields(kind)
    ]


def _constants(module: Any) -> dict[str, Any]:
    """``CAPABILITIES`` of a method, or what a format declares."""
    declared = getattr(module, "CAPABILITIES", None)
    if is_dataclass(declared):
        return {one.name: getattr(declared, one.name) for one in fields(declared)}
    facts: dict[str, Any] = {}
    for name in ("EXTENSIONS", "SCHEMES", "EXTRA", "KEEPS", "LOSES"):
        if found := getattr(module, name, None):
            facts[name.lower()] = list(found) if isinstance(found, tuple) else found
    return facts


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "; ".join(f"{what} ({how})" for what, how in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(str(one) for one in value) or "(none)"
    return "no limit" if value is None else str(value)
