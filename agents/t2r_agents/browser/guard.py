"""The checks of every request and connection to the server of pages.

Addresses are secrets, and there are no cookies, so a request that knows an address needs no more. Those that come by
another name of the machine, or from pages of other origins, are refused; strangers can't take the place of others.
"""

import asyncio
import ipaddress
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_CONNECTIONS = 80
"""The most connections in addition to those of pages. One more ends the oldest of them.

With these, those of pages and open games a server keeps below 256 descriptors, which some systems allow."""

KNOWN = "t2r.known"
"""The entry of a request that knows a secret address."""

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
    " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Guard:
    """The middleware that refuses requests from pages of other servers, and adds headers to the answers."""

    def __init__(self, app: ASGIApp, *, names: Collection[str]) -> None:
        """Answer requests under these names of the machine, in lower case, and under all addresses."""
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refused = self._refusal(scope["method"], Headers(scope=scope))
        await (refused or self._app)(scope, receive, send_with_headers)

    def _refusal(self, method: str, headers: Mapping[str, str]) -> Response | None:
        host = headers.get("host", "")
        if not self._is_known(host):
            return refusal(421, "this server answers only to the name in the address that it has printed")
        if method == "POST":
            if headers.get("origin") != f"http://{host}":
                return refusal(403, "requests must come from a page of this server")
            if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                return refusal(415, "requests must be JSON")
        elif headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return refusal(403, "other pages must not ask this server")
        return None

    def _is_known(self, host: str) -> bool:
        """Whether a host is a trusted name of this machine, which a stranger can't rebind."""
        name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
        if name.lower().rstrip(".") in self._names:
            return True
        with suppress(ValueError):
            return bool(ipaddress.ip_address(name.strip("[]")))
        return False


class Connection(H11Protocol):
    """A connection that leaves room for others: it is closed if it is idle, slow or asks for too much."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Make room for a new connection."""
        super().connection_made(transport)
        self._since = time.monotonic()
        others: list[Connection] = [it for it in self.connections if isinstance(it, Connection) and not it._is_known]
        for connection in sorted(others, key=lambda it: it._since)[:-MAX_CONNECTIONS]:
            connection.transport.abort()

    @property
    def _is_known(self) -> bool:
        """Whether a request is under way that knows a secret address."""
        cycle: Any = self.cycle  # None until there is a request
        return cycle is not None and not cycle.response_complete and KNOWN in cycle.scope

    def send_400_response(self, msg: str) -> None:
        """Refuse data that is not HTTP, with the headers that all answers have."""
        headers = {**_HEADERS, "Connection": "close", "Content-Length": "0"}
        lines = ["HTTP/1.1 400 Bad Request", *(f"{name}: {value}" for name, value in headers.items())]
        self.transport.write("\r\n".join([*lines, "", ""]).encode())
        self.transport.close()


def refusal(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return an answer that says in one sentence what is wrong."""
    return JSONResponse({"error": message}, status, headers)
