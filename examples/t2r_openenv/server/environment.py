"""The environment: a session of the server is a client, which plays at a table of its own or with others."""

import os
import threading
from typing import Any
from uuid import uuid4

from openenv.core.env_server.interfaces import Environment

from t2r_env import VARIANTS
from t2r_env.agents import is_harmless
from t2r_env.text import TextGame
from t2r_openenv.models import GameState, Move, Seen
from t2r_openenv.server.tables import Table

VARIANT = os.environ.get("T2R_VARIANT", "new_york")
OPPONENTS = os.environ.get("T2R_OPPONENTS", "greedy")
SECONDS = float(os.environ.get("T2R_SECONDS", "300"))
"""The game, the agents, and the seconds for a decision, unless a client asks for others (or for less time)."""

_waiting: dict[str, Table] = {}
"""The tables that wait for clients, by name."""
_lock = threading.Lock()


class T2REnvironment(Environment[Move, Seen, GameState]):
    """A client's seat. A move that is not legal changes nothing; the third one in a row loses the game."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._table: Table | None = None
        self._seat, self._episode, self._lists = 0, "", False

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        variant: str = VARIANT,
        num_players: int | None = None,
        opponents: str = OPPONENTS,
        table: str = "",
        clients: int = 1,
        seconds: float = SECONDS,
        changes: bool = True,
        legal_moves: bool = False,
        **further: Any,
    ) -> Seen:
        """Begin a game, or come to a table that waits, and wait for the first decision. Raises ValueError.

        Parameters
        ----------
        seed
            Deals the game; each time another one without. Not at a table with others: who knows it knows all hands.
        variant, num_players, opponents
            The game, and the registered agent that plays the seats without clients.
        table, clients
            The name of a table for several clients, 2 to 5, and their number. The first one's wishes hold.
        seconds
            How long a decision may take, and others are waited for.
        changes, legal_moves
            Whether later texts tell only what has changed; and whether the legal moves are listed apart.
        """
        self.close()
        if variant not in VARIANTS:
            raise ValueError(f"variant must be one of {', '.join(VARIANTS)}, not {variant!r}")
        if opponents != OPPONENTS and not is_harmless(opponents):
            raise ValueError(f"opponents must be a registered agent of little cost, not {opponents!r}")
        if bool(table) != (clients > 1) or (table and seed is not None):
            raise ValueError(
                "a table with a name is for 2 clients or more, and has no seed; without a name it is for 1"
            )
        if not 0 < seconds <= SECONDS:
            raise ValueError(f"seconds must be more than 0, at most {SECONDS:g}, not {seconds}")
        if table:
            with _lock:
                found = _waiting.get(table) or Table(_game(variant, num_players, opponents, clients, changes), seconds)
                self._seat = found.join()
                _waiting[table] = found
                if found.is_full:
                    del _waiting[table]
        else:
            found = Table(_game(variant, num_players, opponents, clients, changes), seconds, seed)
            self._seat = found.join()
        self._table, self._episode, self._lists = found, episode_id or str(uuid4()), legal_moves
        try:
            return self._seen(found.wait(self._seat))
        except TimeoutError:
            with _lock:
                _waiting.pop(table, None)
            raise

    def step(self, action: Move, timeout_s: float | None = None, **further: Any) -> Seen:
        """Take a move, or say why it is not taken; wait for the next decision. Raises ValueError before `reset`.

        The move `view` changes nothing: it asks for the rules and all that the seat knows.
        """
        if self._table is None:
            raise ValueError("call reset first")
        if action.move.strip().lower() == "view":
            return self._seen(self._table.view(self._seat))
        return self._seen(self._table.reply(self._seat, action.move))

    def close(self) -> None:
        """Leave the table: a game that is not over is lost."""
        if self._table is not None:
            self._table.leave(self._seat)
            self._table = None

    @property
    def state(self) -> GameState:
        """Which game it is, and how far."""
        if self._table is None:
            return GameState()
        game = self._table.game
        return GameState(episode_id=self._episode, step_count=game.moves, seat=self._seat, refused=game.refused)

    def _seen(self, text: str) -> Seen:
        assert self._table is not None
        game = self._table.game
        return Seen(
            text=text,
            legal_moves=game.legal_moves() if self._lists else [],
            seat=self._seat,
            fault=game.fault if game.forfeited_by in (None, self._seat) else "",
            forfeited_by=game.forfeited_by,
            reward=game.rewards[self._seat],
            done=game.over,
        )


def _game(variant: str, num_players: int | None, opponents: str, clients: int, changes: bool) -> TextGame:
    """Return a game whose first seats are played by clients. Raises ValueError."""
    if num_players is None and clients > 2:
        num_players = clients
    return TextGame(variant, num_players, seats=[*range(clients)], opponents=opponents, changes=changes)
