# SPDX-License-Identifier: Apache-2.0
"""The door: who may talk to the app, and what every answer carries.

Only this computer, by a loopback name (else a foreign page could reach the app under a name of its own); only with the
cookie, which is given for a token that works once; and nothing is changed by what another page sends. The token stands
behind the # of the link: no browser sends that part, no log sees it.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Mapping

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
TOKEN_SECONDS = 600
SAFE = ("GET", "HEAD")
PUBLIC = ("/open", "/open.js", "/open.css", "/icon.svg")
"""What is shown to anybody on this computer: the page that hands over the token, and nothing of the table."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; sandbox"
"""Of reports, which hold their own style sheet and no script."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
"""``no-referrer`` would turn the origin of our own forms into null."""
KEPT = "private, max-age=86400"
"""Of style sheets, scripts and pictures of the app itself, which tell of nobody; the browser never keeps a page."""


class Door:
    """Tokens that let somebody in once, the cookie that keeps the door open, and the path behind it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.base = f"/r/{secrets.token_urlsafe(16)}"
        self.cookie = f"shoal-{port}"
        self._secret = secrets.token_urlsafe(32)
        self._tokens: dict[str, float] = {}

    def is_own(self, path: str) -> bool:
        """Whether a path leads to a part of the app itself, the same for every table."""
        return path.startswith((f"{self.base}/static/", f"{self.base}/shared/"))

    def new_link(self) -> str:
        """An address that opens the app once, within ten minutes."""
        token = secrets.token_urlsafe(32)
        self._tokens[token] = time.monotonic() + TOKEN_SECONDS
        return f"http://127.0.0.1:{self.port}/open#{token}"

    def admit(self, given: str) -> bool:
        """Whether a token opens the door; it does not a second time."""
        found = next((one for one in self._tokens if hmac.compare_digest(one.encode(), given.encode())), None)
        return found is not None and self._tokens.pop(found) > time.monotonic()

    def cookie_line(self) -> str:
        """What the browser keeps: not for scripts, not for other sites, not for other paths of this computer."""
        return f"{self.cookie}={self._secret}; HttpOnly; SameSite=Strict; Path={self.base}/"

    def refusal(self, method: str, path: str, headers: Mapping[str, str]) -> int:
        """The status with which a request is refused; 0 if it may pass."""
        host = headers.get("host", "")
        if (host.rpartition(":")[0] if _has_port(host) else host) not in LOOPBACK:
            return 421
        if method not in SAFE and not _is_ours(headers, host):
            return 403
        if path in PUBLIC:
            return 0
        return 0 if path.startswith(f"{self.base}/") and self._has_cookie(headers.get("cookie", "")) else 401

    def _has_cookie(self, cookies: str) -> bool:
        given = [one.strip().partition("=") for one in cookies.split(";")]
        ours = [value for name, _, value in given if name == self.cookie]
        return any(hmac.compare_digest(value.encode(), self._secret.encode()) for value in ours)


def _has_port(host: str) -> bool:
    """Whether a name of a host has a port behind it; one of the sixth version stands in brackets.

    >>> _has_port("127.0.0.1:80"), _has_port("[::1]"), _has_port("[::1]:80")
    (True, False, True)
    """
    return host.rpartition(":")[2].isdecimal() and ":" in host


def _is_ours(headers: Mapping[str, str], host: str) -> bool:
    """Whether a request that may change something was sent by one of our own pages."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    return headers.get("origin") == f"http://{host}"
