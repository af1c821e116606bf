# SPDX-License-Identifier: Apache-2.0
"""The formats and databases that can be read and written, one line each."""

from __future__ import annotations

from typing import Any

import click

from shoal.faces.cli._listing import tell_all, tell_one
from shoal.faces.cli._output import columns_of_text, say, say_json
from shoal.ground import catalog

ROOM = "formats"


@click.command(help=f"{__doc__}\n\nWith NAME: all about that one format.")
@click.argument("name", required=False)
@click.option("--loses", is_flag=True, help="Also what each format keeps, and what it loses or refuses.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(name: str | None, loses: bool, as_json: bool) -> None:
    """List the room, or tell one whole."""
    if name is not None:
        tell_one(catalog.find(ROOM, name), as_json)
    elif not loses:
        tell_all(ROOM, as_json)
    elif as_json:
        say_json([{"name": one.name, "summary": one.summary, **_declared(one)} for one in _entries()])
    else:
        say("\n\n".join(_told(one) for one in _entries()))


def _entries() -> list[catalog.Entry]:
    return list(catalog.entries(ROOM).values())


def _told(entry: catalog.Entry) -> str:
    facts = _declared(entry)
    rows = [("keeps", str(facts.get("keeps", "")))]
    rows += [(f"loses {what}:", how) for what, how in facts.get("loses", {}).items()]
    rows += [("needs", f"pip install 'shoal[{facts['extra']}]'")] if "extra" in facts else []
    return f"{entry.name}\n{columns_of_text(rows)}"


def _declared(entry: catalog.Entry) -> dict[str, Any]:
    return {name.lower(): value for name, value in entry.constants("KEEPS", "LOSES", "EXTRA").items()}
