"""The report of a tournament, served: it opens each game by one click, and the page of a game is made when it is asked.

All that it sends was made here, from checked files: a folder may be a stranger's. The address is a secret, as those of
games are.
"""

import asyncio
import re
import secrets
from collections.abc import Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from t2r_agents.browser.guard import Guard, refusal
from t2r_agents.browser.network import LOOPBACK, own_names
from t2r_agents.browser.table import new_key

_TYPES = {".svg": "image/svg+xml", ".csv": "text/csv"}
_FIGURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"
_PAGE_POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'"
)
"""That of pages made here, each of which states a stricter one of its own."""


class ReportPages:
    """The answers of the server: a report, its data, and the pages of games."""

    def __init__(self, report: Path, figures: Path, make_page: Callable[[int], Path]) -> None:
        """Serve a report and its data, which have just been written.

        `make_page` writes the page of a game and returns its path; it raises ValueError if there is no such game, and
        OSError if it can't be written.
        """
        self.token = new_key()
        self._report, self._figures, self._make_page = report, figures, make_page
        self._pages: dict[int, Path] = {}
        self._making = asyncio.Lock()
        self._is_stopping = False
        self.app = Guard(
            Starlette(
                routes=[
                    Route("/{token}/", self._send_report),
                    Route("/{token}/report.html", self._send_report),
                    Route("/{token}/figures/{name}", self._send_figure),
                    Route("/{token}/replays/game_{game:int}.html", self._send_page),
                ],
                exception_handlers={HTTPException: _answer_error},
            ),
            names=own_names(LOOPBACK),
        )

    def stop(self) -> None:
        """Make no more pages."""
        self._is_stopping = True

    def close(self) -> None:
        """Hold nothing."""

    def _check_token(self, request: Request) -> None:
        if not secrets.compare_digest(request.path_params["token"].encode(), self.token.encode()):
            raise HTTPException(404, "there is no such page; the address is the one that the server has printed")

    async def _send_report(self, request: Request) -> Response:
        self._check_token(request)
        return _page(self._report)

    async def _send_figure(self, request: Request) -> Response:
        self._check_token(request)
        name = request.path_params["name"]
        if not re.fullmatch(r"[a-z_]+\.(svg|csv)", name) or not (self._figures / name).is_file():
            raise HTTPException(404, "there is no such picture or data")
        file = self._figures / name
        return FileResponse(file, media_type=_TYPES[file.suffix], headers={"Content-Security-Policy": _FIGURE_POLICY})

    async def _send_page(self, request: Request) -> Response:
        """Send the page of a game, which is made when it is asked for the first time."""
        self._check_token(request)
        game = request.path_params["game"]
        async with self._making:  # one at a time: its agents may play it again
            if game not in self._pages:
                if self._is_stopping:
                    raise HTTPException(503, "the server stops")
                try:
                    self._pages[game] = await asyncio.to_thread(self._make_page, game)
                except (ValueError, OSError) as error:
                    raise HTTPException(404, str(error)) from error
        return _page(self._pages[game])


def _page(path: Path) -> Response:
    return FileResponse(path, media_type="text/html", headers={"Content-Security-Policy": _PAGE_POLICY})


async def _answer_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return refusal(error.status_code, error.detail, error.headers)
