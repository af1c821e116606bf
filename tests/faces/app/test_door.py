# SPDX-License-Identifier: Apache-2.0
"""The door of the app, tried from outside: other names, other pages, no cookie, old tokens, long uploads."""

from __future__ import annotations

import io
import os
import signal
import socket
import stat
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from shoal.faces.app.archives import refuse_swollen, unpacked
from shoal.faces.app.door import TOKEN_SECONDS, Door
from shoal.ground.errors import ShoalError
from tests.faces.app.conftest import RunningApp


@pytest.fixture(scope="module")
def inside(app: RunningApp) -> RunningApp:
    """The app, entered."""
    app.enter()
    return app


@pytest.mark.parametrize("host", ["evil.test", "evil.test:{port}", "127.0.0.1.evil.test:{port}", "0.0.0.0:{port}", ""])
def test_other_names_are_misdirected(inside: RunningApp, host: str) -> None:
    """A name that a foreign page made lead here gets nothing, cookie or not."""
    named = host.format(port=inside.port) or "[::2]"
    assert inside.ask("GET", f"{inside.base}/columns", host=named)[0] == 421


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
def test_names_of_this_computer_pass_with_any_port(inside: RunningApp, name: str) -> None:
    """Tunnels come with other ports."""
    assert inside.ask("GET", f"{inside.base}/file", host=f"{name}:1234")[0] == 200
    assert inside.ask("GET", f"{inside.base}/file", host=name)[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.test"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": "http://localhost:1"},
        {"sec_fetch_site": "same-site"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "none"},
    ],
    ids=str,
)
def test_other_pages_change_nothing(inside: RunningApp, headers: dict[str, str]) -> None:
    """Every request that could change something must come from the app's own pages, whatever cookie it carries."""
    for path in ("open/builtin", "columns", "run", "open/upload", "plan/step", "cover"):
        assert inside.ask("POST", f"{inside.base}/{path}", {"revision": "1"}, **headers)[0] == 403
    assert inside.ask("POST", "/open", {"token": "x"}, **headers)[0] == 403


@pytest.mark.parametrize(
    "path", ["/", "/file", "/r/guess/columns", "{base}/columns", "{base}/status.json", "/static/app.css"]
)
def test_nothing_without_the_cookie(inside: RunningApp, path: str) -> None:
    """Neither pages nor figures nor files; and a wrong cookie is none."""
    asked = path.format(base=inside.base)
    assert inside.ask("GET", asked, cookie="")[0] == 401
    assert inside.ask("GET", asked, cookie=f"shoal-{inside.port}=guess")[0] == 401


def test_a_token_opens_once(inside: RunningApp) -> None:
    """A link that somebody finds in a history, or guesses, is worth nothing."""
    assert inside.ask("POST", "/open", {"token": inside.link.partition("#")[2]})[0] == 401
    assert inside.ask("POST", "/open", {"token": "guess"})[0] == 401
    assert inside.ask("POST", "/open", {})[0] == 401


def test_a_token_grows_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """After ten minutes it opens nothing."""
    door = Door(1)
    link = door.new_link()
    monkeypatch.setattr("time.monotonic", lambda: 1e12 + TOKEN_SECONDS)
    assert not door.admit(link.partition("#")[2])


def test_every_answer_is_dressed(inside: RunningApp) -> None:
    """A strict policy, nothing framed, no page cached, on pages, files and refusals alike."""
    for path in (f"{inside.base}/file", f"{inside.base}/static/app.js", "/open", "/nowhere", f"{inside.base}/nowhere"):
        _, headers, _ = inside.ask("GET", path)
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'"), path
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["cache-control"] == ("private, max-age=86400" if path.endswith("app.js") else "no-store")
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "access-control-allow-origin" not in headers


def test_the_cookie_is_for_this_app_alone(app: RunningApp) -> None:
    """No script reads it, no other site and no other path of this computer gets it."""
    line = Door(1234).cookie_line()
    assert "HttpOnly" in line
    assert "SameSite=Strict" in line
    assert "Path=/r/" in line


def test_it_listens_on_this_computer_only(inside: RunningApp) -> None:
    """No other address of the machine answers."""
    others = {one[4][0] for one in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
    for address in sorted(others):
        if not address.startswith("127."):
            with pytest.raises(OSError), socket.create_connection((address, inside.port), timeout=2):  # noqa: PT011
                pass


@pytest.mark.parametrize(
    "path",
    [
        "static/../../../../../../etc/passwd",
        "static/%2e%2e/%2e%2e/desk.py",
        "shared/..%2f..%2fapp.py",
        "result/..%2f..%2fx/table",
    ],
)
def test_no_path_leads_out(inside: RunningApp, path: str) -> None:
    """Downloads are looked up, never joined to what is asked for."""
    status, _, body = inside.ask("GET", f"{inside.base}/{path}")
    assert status in (401, 404)
    assert b"root:" not in body
    assert b"SPDX" not in body


def test_names_of_uploads_lead_nowhere(inside: RunningApp, patients: Path) -> None:
    """The name is only shown; the file lies under a random one in the private folder."""
    status, _, _ = inside.ask(
        "POST", f"{inside.base}/open/upload", body=patients.read_bytes(), x_file_name="..%2F..%2F..%2Fescaped.csv"
    )
    assert status == 200
    (folder,) = (inside.state / "shoal").glob(".app.shoal-*")
    assert not list(inside.state.parent.rglob("escaped.csv"))
    assert len(list((folder / "new" / "uploads").iterdir())) == 1


def test_a_long_upload_is_refused_by_its_length(inside: RunningApp) -> None:
    """Five gigabytes are refused before the first of them is sent."""
    with socket.create_connection(("127.0.0.1", inside.port), timeout=20) as line:
        head = [
            f"POST {inside.base}/open/upload HTTP/1.1", f"Host: 127.0.0.1:{inside.port}", f"Cookie: {inside.cookie}",
            f"Origin: http://127.0.0.1:{inside.port}", f"Content-Length: {5 * 2**30}", "", "",
        ]  # fmt: skip
        line.sendall("\r\n".join(head).encode())
        assert line.recv(65536).startswith(b"HTTP/1.1 400")


def test_two_hundred_at_once(inside: RunningApp) -> None:
    """All are answered, and the app is as before."""
    with ThreadPoolExecutor(40) as pool:
        answers = list(pool.map(lambda _: inside.ask("GET", f"{inside.base}/words")[0], range(200)))
    assert answers == [200] * 200


def test_archives_that_swell_or_climb_are_refused(tmp_path: Path) -> None:
    """A small archive of many zeros, and one whose names lead out of it."""
    bomb, climber = tmp_path / "bomb.zip", tmp_path / "climber.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("table.csv", bytes(210 << 20))
    with zipfile.ZipFile(climber, "w") as made:
        made.writestr("../../climbed.csv", "a")
    for archive in (bomb, climber):
        with pytest.raises(ShoalError, match="archive"):
            unpacked(archive, tmp_path / archive.stem)
    with pytest.raises(ShoalError, match="too large"):
        refuse_swollen(bomb)  # a workbook is an archive, too
    assert not list(tmp_path.parent.rglob("climbed.csv"))


def test_a_broken_or_strange_file_is_an_answer_and_no_crash(inside: RunningApp) -> None:
    """Pickles, half archives and nothing at all end as a page that says what is wrong."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        made.writestr("[Content_Types].xml", "x")
    for name, body in {"t.pkl": b"\x80\x04", "t.xlsx": buffer.getvalue(), "t.csv": b"", "t.parquet": b"PAR1"}.items():
        status, _, answer = inside.ask("POST", f"{inside.base}/open/upload", body=body, x_file_name=name)
        assert status == 200
        job = answer.decode().partition("job=")[2].rstrip('"}')
        inside.wait(lambda job=job: b"failed" in inside.ask("GET", f"{inside.base}/status.json?job={job}")[2])
        page = inside.ask("GET", f"{inside.base}/run?job={job}")[2].decode()
        assert "Nothing was written" in page
        assert "Traceback" not in page + inside.stderr()


def test_the_state_folder_is_private(inside: RunningApp) -> None:
    """Another user of the machine reads neither what is kept nor what is under way."""
    folder = inside.state / "shoal"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in folder.rglob("*"):
        allowed = stat.S_IMODE(path.stat().st_mode)
        assert allowed & 0o077 == 0, path


def test_nothing_is_left_after_the_end_and_after_a_kill(tmp_path: Path, patients: Path) -> None:
    """A polite end removes the private folder; a killed run's is swept by the next; a finished end says 0."""
    killed = RunningApp(tmp_path / "state")
    killed.enter()
    killed.ask("POST", f"{killed.base}/open/upload", body=patients.read_bytes(), x_file_name="p.csv")
    folder = tmp_path / "state" / "shoal"
    assert len(list(folder.glob(".app.shoal-*"))) == 1
    killed.stop(signal.SIGKILL)
    assert len(list(folder.glob(".app.shoal-*"))) == 1
    following = RunningApp(tmp_path / "state", "--idle", "60")
    assert len(list(folder.glob(".app.shoal-*"))) == 1
    assert not list(folder.rglob("uploads/*"))
    assert following.stop(signal.SIGINT) == 0
    assert list(folder.glob(".app.shoal-*")) == []


def test_an_app_that_nobody_looks_at_ends(tmp_path: Path) -> None:
    """By itself, as after a good end, with nothing left."""
    app = RunningApp(tmp_path / "state", "--idle", "0.01")
    assert app.process.wait(30) == 0
    assert list((tmp_path / "state" / "shoal").glob(".app.shoal-*")) == []


@pytest.mark.long
def test_workers_do_not_outlive_a_killed_server(tmp_path: Path, patients: Path) -> None:
    """The process with the table ends when nobody listens any more."""
    app = RunningApp(tmp_path / "state", str(patients))
    children = Path(f"/proc/{app.process.pid}/task/{app.process.pid}/children")
    app.wait(lambda: len(children.read_text().split()) >= 2)
    found = [int(one) for one in children.read_text().split()]
    app.stop(signal.SIGKILL)
    app.wait(lambda: not any(_alive(one) for one in found), 30)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return "zombie" not in Path(f"/proc/{process}/status").read_text()
