"""A server of pages in a thread of the test, plain requests to it, and agents that fail or think for long."""

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

from t2r_agents.browser.network import LOOPBACK, listen, shared_origin
from t2r_agents.browser.players import Wish
from t2r_agents.browser.server import Service
from t2r_agents.browser.serving import Server
from t2r_agents.browser.table import Table
from t2r_agents.browser.tables import Tables
from t2r_env import Games, configure
from t2r_env.agents import Decisions, find_agent
from tests.helpers.odd_agents import First

Look = Callable[..., Page]
"""Opens a page, as `tests.helpers.chromium.opened` does."""


@dataclass
class Served:
    """A running server."""

    service: Service
    server: Server
    port: int

    def begin(
        self,
        variant: str,
        players: Sequence[str | Wish | None],
        *,
        own_windows: bool = False,
        seed: int = 0,
        until: Callable[[Games], bool] = lambda games: True,
        **options: Any,
    ) -> Table:
        """Begin a game; None stands for a person. The planner has played all seats until this holds, or to the end."""
        configuration = configure(variant, len(players), **options)
        table = self.service.tables.begin(variant, configuration, players, own_windows=own_windows, seed=seed)
        play(table, until)
        self.service.seat_at(table)
        return table

    def page(self, table: Table, screen: int = 0) -> str:
        return self.address(f"/table/{table.screens[screen].key}/")

    @property
    def lobby(self) -> str:
        return self.address(f"/{self.service.token}/")

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def ask(
        self, method: str, path: str, content: Any = None, headers: Mapping[str, str | None] | None = None
    ) -> tuple[int, Any, Mapping[str, str]]:
        """Send one request as a page would; `headers` replace those of a page, None leaves one out."""
        sent, body = dict(headers or {}), b""
        if method == "POST":
            sent = {"Origin": self.address(""), "Content-Type": "application/json", **sent}
            body = content if isinstance(content, bytes) else json.dumps(content).encode()
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.request(method, path, body or None, {name: it for name, it in sent.items() if it is not None})
            response = connection.getresponse()
            text = response.read()
            kind = response.headers.get("content-type", "")
            answer = json.loads(text) if kind.startswith("application/json") else text
            return response.status, answer, {name.lower(): value for name, value in response.headers.items()}

    def send(self, table: Table, request: str, wish: Any, screen: int = 0) -> tuple[int, Any]:
        """Send a request of a screen."""
        status, answer, _ = self.ask("POST", f"/table/{table.screens[screen].key}/{request}", wish)
        return status, answer

    def wish(self, request: str, wish: Any) -> tuple[int, Any]:
        """Send a request of the list of games."""
        status, answer, _ = self.ask("POST", f"/{self.service.token}/{request}", wish)
        return status, answer

    @contextmanager
    def events(self, key: str, skip: int = 0) -> Iterator[Iterator[Any]]:
        """The messages of a screen's events, as they are sent, but for so many first ones."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.request("GET", f"/table/{key}/events")
            response = connection.getresponse()
            assert response.status == 200
            lines = (line for line in response if line.strip() not in (b"", b": still there"))
            messages = (json.loads(line.removeprefix(b"data: ")) for line in lines)
            for _ in range(skip):
                next(messages)
            yield messages


def after(turn: int, seat: int | None = None, phase: str = "turn") -> Callable[[Games], bool]:
    """Whether a game has come to a turn and a phase of it, of a seat if one is named."""
    return lambda games: (
        games.states["turn"][0] >= turn and seat in (None, games.current[0]) and games.snapshot()["phase"] == phase
    )


def play(table: Table, until: Callable[[Games], bool] = lambda games: False) -> None:
    """Let the planner play all seats until this holds, or to the end."""
    planner = find_agent("planner", table.configuration)
    while not table.is_over and not until(table.games):
        table.take(table.number, int(planner.act(table.decision())[0]))


def take(table: Table, name: str) -> None:
    """Take the first legal action whose description begins so."""
    legal = table.games.masks[0].nonzero()[0].tolist()
    assert table.take(table.number, next(it for it in legal if str(table.games.describe(it)).startswith(name)))


def first_legal(table: Table) -> int:
    return int(table.games.masks[0].argmax())


def actions_in(folder: Path) -> int:
    """The number of actions in the file of a game."""
    return len(json.loads((folder / "replay.json").read_text())["actions"])


@contextmanager
def running(server: Server) -> Iterator[None]:
    """Run a server in a thread of its own."""
    thread = threading.Thread(target=server.run_until_stopped)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield
    finally:
        server.should_exit = True
        thread.join(30)
        assert not thread.is_alive()


@contextmanager
def served(folder: Path, agents: Sequence[str] = (), host: str = LOOPBACK) -> Iterator[Served]:
    """A server of the games of a folder, on a free port, by default of the loopback interface."""
    listener = listen(host, port=0)
    service = Service(Tables(folder, agents=agents), host, shared_origin(listener))
    server = Server(service, listener)
    with running(server):
        yield Served(service, server, listener.getsockname()[1])


class FailingAgent(First):
    """Raises what it sees, until `works` is set."""

    works = threading.Event()
    error: type[BaseException] = ValueError

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        if not self.works.is_set():
            raise self.error(f"I may do {np.flatnonzero(decisions.masks[0]).tolist()}")
        return super().act(decisions)


class SlowAgent(First):
    """Thinks until `goes_on` is set."""

    goes_on = threading.Event()

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        self.goes_on.wait(60)
        return super().act(decisions)


FAILING, SLOW = (f"{__name__}:{agent.__name__}" for agent in (FailingAgent, SlowAgent))
"""Their import paths."""
