# SPDX-License-Identifier: Apache-2.0
r"""Open the local web app: a table, its columns, the protection, the release, in a browser.

TABLE is read where it lies; without it the app asks for one.

\b
    shoal app patients.csv
    shoal app --example
    shoal app patients.csv --port 8750 --no-browser

The app listens on this computer alone, and lets in whoever opens the link that it prints; nothing is sent anywhere.
"""

from __future__ import annotations

from pathlib import Path

import click

from shoal.faces.cli import _flags as flags
from shoal.faces.cli._output import say
from shoal.ground import catalog
from shoal.ground.sizes import bytes_of


@click.command(help=flags.shown(__doc__))
@click.argument("tables", nargs=-1, type=flags.place, metavar="[TABLE]")
@click.option("--example", is_flag=True, help="Begin with a built-in table of invented patients.")
@click.option("--port", type=int, default=0, metavar="N", help="The port to listen on; any free one unless given.")
@click.option("--no-browser", is_flag=True, help="Only print the link.")
@click.option(
    "--idle", type=float, default=60.0, metavar="MINUTES", help="End when nobody was there so long; 0: never."
)
@click.option("--max-upload", default="4GiB", metavar="SIZE", help="Largest file taken from the browser; 4GiB.")
@click.option("--out", type=flags.path, metavar="DIR", help="Also put every release into a new folder below DIR.")
@click.option("--verbose", is_flag=True, help="Log every request: what was asked for, never a name or a value.")
def command(
    tables: tuple[Path | str, ...],
    example: bool,
    port: int,
    no_browser: bool,
    idle: float,
    max_upload: str,
    out: Path | None,
    verbose: bool,
) -> None:
    """Start the app, and stay until it ends."""
    for needed in ("starlette", "uvicorn"):
        catalog.library(needed, extra="app", what="The local web app")
    from shoal.faces.app.opening import Wanted
    from shoal.faces.app.serving import Options, serve
    from shoal.tables.sources import refuse_unreadable

    if tables:
        refuse_unreadable(list(tables))
    options = Options(port, not no_browser, idle, bytes_of(max_upload, "--max-upload"), out, verbose)
    serve(Wanted(tables, example), options, say)
