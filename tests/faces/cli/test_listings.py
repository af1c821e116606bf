# SPDX-License-Identifier: Apache-2.0
"""``shoal methods``, ``models``, ``metrics`` and ``formats`` list files, and tell one whole."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from shoal.faces.cli import shoal
from shoal.ground import catalog

ROOMS = {
    "methods": "algorithms",
    "models": "privacy_models",
    "metrics": "metrics",
    "leaks": "leaks",
    "formats": "formats",
}


@pytest.mark.parametrize(("command", "room"), ROOMS.items())
def test_one_line_each(command: str, room: str) -> None:
    """Every implementation has one line: its name and its summary."""
    lines = CliRunner().invoke(shoal, [command]).output.splitlines()
    known = catalog.entries(room)
    assert len(known) > 0
    assert [line.split()[0] for line in lines] == list(known)
    assert all(line.endswith(entry.summary) for line, entry in zip(lines, known.values(), strict=True))


@pytest.mark.parametrize(("command", "room"), ROOMS.items())
def test_listing_as_json(command: str, room: str) -> None:
    """The same list for programs."""
    listed = json.loads(CliRunner().invoke(shoal, [command, "--json"]).output)
    assert [one["name"] for one in listed] == catalog.names(room)


@pytest.mark.thin(3)
@pytest.mark.parametrize(
    ("command", "name"), [(command, name) for command, room in ROOMS.items() for name in catalog.names(room)]
)
def test_one_whole(command: str, name: str) -> None:
    """A name tells everything: the docstring and every declared parameter with default and help."""
    done = CliRunner().invoke(shoal, [command, name])
    assert done.exit_code == 0
    entry = catalog.find(ROOMS[command], name)
    assert entry.docstring.strip() in done.output
    facts = json.loads(CliRunner().invoke(shoal, [command, name, "--json"]).output)
    for parameter in facts["parameters"]:
        assert parameter["name"] in done.output
        assert parameter["help"] in done.output
        assert parameter["allowed"]


@pytest.mark.parametrize("command", ROOMS)
def test_unknown_name(command: str) -> None:
    """A name nobody knows: exit 2 and the list of those that exist."""
    done = CliRunner().invoke(shoal, [command, "nosuchthing"])
    assert done.exit_code == 2
    assert catalog.names(ROOMS[command])[0] in done.stderr
