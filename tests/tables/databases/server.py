# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server of our own: made in a temporary folder, asked for a password, gone afterwards.

PostgreSQL refuses to run as root, so there its programs run as the user that its package makes.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

USER, PASSWORD = "custodian", "s3cr3t-Pa55"
ACCOUNT = "postgres"


@dataclass(frozen=True)
class Server:
    """A running server."""

    port: int

    def url(self, database: str = "postgres", *, password: str | None = PASSWORD) -> str:
        """The address of a database."""
        secret = "" if password is None else f":{password}"
        return f"postgresql://{USER}{secret}@127.0.0.1:{self.port}/{database}"


def programs() -> Path | None:
    """The folder of PostgreSQL's programs."""
    found = shutil.which("initdb")
    packaged = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return Path(found).parent if found else packaged[-1].parent if packaged else None


@contextmanager
def running() -> Iterator[Server]:
    """Start a server and stop it."""
    folder = Path(tempfile.mkdtemp(prefix="shoal-postgres-"))
    try:
        secret = folder / "password"
        secret.write_text(PASSWORD)
        if os.getuid() == 0:
            for path in (folder, secret):
                shutil.chown(path, ACCOUNT, ACCOUNT)
        data, port = folder / "data", _free_port()
        _run("initdb", "-D", data, "-A", "scram-sha-256", "-U", USER, f"--pwfile={secret}", "-E", "UTF8", "--no-sync")
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
        _run("pg_ctl", "-D", data, "-l", folder / "log", "-o", options, "-w", "start")
        try:
            yield Server(port)
        finally:
            _run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(program: str, *arguments: object) -> None:
    home = programs()
    assert home is not None
    as_account = ["setpriv", f"--reuid={ACCOUNT}", f"--regid={ACCOUNT}", "--init-groups"] if os.getuid() == 0 else []
    line = [*as_account, str(home / program), *(str(one) for one in arguments)]
    # Its output goes nowhere: a server that inherits a pipe would keep it open.
    done = subprocess.run(
        line, cwd="/", check=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    assert done.returncode == 0, f"{program} ended with {done.returncode}"


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
