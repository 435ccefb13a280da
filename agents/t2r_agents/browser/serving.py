"""A server of pages: it runs until it is stopped, and then ends the streams, which would never end by themselves."""

import socket
from contextlib import suppress
from typing import Protocol

import uvicorn
from starlette.types import ASGIApp

from t2r_agents.browser.guard import Connection

MAX_HEAD_BYTES = 1 << 14


class Answers(Protocol):
    """The answers to the requests to a server."""

    @property
    def app(self) -> ASGIApp:
        """The application that answers them."""

    def stop(self) -> None:
        """Answer nothing new from now on: the server is told to stop."""

    def close(self) -> None:
        """Release what it holds: the server has stopped."""


class Server(uvicorn.Server):
    """A server that listens on a socket, for whoever knows its addresses."""

    def __init__(self, answers: Answers, listener: socket.socket) -> None:
        super().__init__(
            uvicorn.Config(
                answers.app,
                log_level="warning",
                access_log=False,
                lifespan="off",
                http=Connection,
                ws="none",
                loop="asyncio",
                h11_max_incomplete_event_size=MAX_HEAD_BYTES,
                timeout_graceful_shutdown=5,
                server_header=False,
                proxy_headers=False,
            )
        )
        self._answers = answers
        self._listener = listener

    def run_until_stopped(self) -> None:
        """Serve until Ctrl-C, or until `should_exit` is set."""
        with suppress(KeyboardInterrupt):
            self.run(sockets=[self._listener])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop. What was served is saved already; other servers may take it up from now on."""
        self._answers.stop()
        await super().shutdown(sockets)
        self._answers.close()
