"""An OpenEnv environment: one seat of a game in text behind a server, a game for each client; and its client.

A move that is not legal changes nothing, and the observation says why; the third one in a row loses the game.

    python examples/openenv_server.py --variant new_york --opponents greedy --port 8000
    docker build -f examples/openenv/Dockerfile -t t2r-env . && docker run -p 8000:8000 t2r-env
    python examples/openenv_server.py --check     # a server, and a client that plays a game at random
"""

import argparse
import random
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import uvicorn
from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app

from t2r_env.envs.single import SeatEnvironment
from t2r_env.text import TextEnvironment, rules_text

MOST_GAMES = 64  # clients that may play at once
TRIES = 3  # illegal moves in a row that lose the game


class Move(Action):
    """A move in text, such as `claim Dallas-Houston`."""

    move: str


class Seen(Observation):
    """The observation: all that the seat knows, or what has changed since its last decision."""

    text: str = ""
    legal_moves: list[str] = []
    rules: str = ""
    """At the beginning of a game: its rules."""
    fault: str = ""
    """Why the last move was not taken."""


class TextGame(Environment):
    """A game of one client. The reward at the end is the rank: 1 for the first, -1 for the last."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, variant: str, num_players: int | None, opponents: str, changes: bool) -> None:
        super().__init__()
        self._env = TextEnvironment(SeatEnvironment(variant, num_players, opponents=opponents), changes=changes)
        self._state, self._faults, self._text = State(), 0, ""

    def reset(self, seed: int | None = None, episode_id: str | None = None, **further: Any) -> Seen:
        """Begin a game; without a seed another one each time."""
        self._text, _ = self._env.reset(seed=random.getrandbits(63) if seed is None else seed)
        self._state, self._faults = State(episode_id=episode_id, step_count=0), 0
        return self._seen(0.0, rules=rules_text(self._env.configuration))

    def step(self, action: Move, timeout_s: float | None = None, **further: Any) -> Seen:
        """Take a move, or say why it is not taken."""
        try:
            self._text, reward, *_ = self._env.step(action.move)
        except ValueError as error:
            self._faults += 1
            return self._seen(-1.0 if self._faults == TRIES else 0.0, fault=str(error))
        self._faults = 0
        self._state.step_count += 1
        return self._seen(float(reward))

    def _seen(self, reward: float, rules: str = "", fault: str = "") -> Seen:
        done = self._env.isTerminal() or self._faults >= TRIES
        legal = self._env.legalActionStrings()
        return Seen(text=self._text, legal_moves=legal, done=done, reward=reward, rules=rules, fault=fault)

    @property
    def state(self) -> State:
        """The id of the game and the number of moves taken."""
        return self._state


class TextGameClient(EnvClient):
    """The client of `TextGame`."""

    def _step_payload(self, action: Move) -> dict[str, Any]:
        return {"move": action.move}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult:
        seen = Seen(**payload["observation"] | {name: payload[name] for name in ("reward", "done")})
        return StepResult(observation=seen, reward=seen.reward, done=seen.done)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)


def play(client: Any, seed: int, move: str = "") -> str:
    """Play a game by this move each time, by default at random; return in words how it ended."""
    rng, result = random.Random(seed), client.reset(seed=seed)
    while not result.done:
        result = client.step(Move(move=move or rng.choice(result.observation.legal_moves)))
    return f"reward {result.reward:+.1f} after {client.state().step_count} moves"


def check() -> None:
    """Play a whole game with a server of its own, by OpenEnv's client, and one that is lost by illegal moves."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    client = TextGameClient(f"http://127.0.0.1:{port}").sync()
    with subprocess.Popen([sys.executable, __file__, "--port", str(port)]) as server:
        try:
            for _ in range(300):  # seconds, in which the server begins
                with suppress(ConnectionError):
                    client.connect()
                    break
                time.sleep(1)
            with client:
                print(f"OpenEnv: {play(client, 1)}; with illegal moves {play(client, 2, 'fly to Miami')}")
        finally:
            server.terminate()


def main(command: Sequence[str] | None = None) -> None:
    """Serve with the arguments of the command line, or check the server."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help="the name of a variant, or a folder")
    parser.add_argument("--num-players", type=int, help="the fewest that the variant allows by default")
    parser.add_argument("--opponents", default="random", help="an agent")
    parser.add_argument("--changes", action="store_true", help="show the whole view only at first, then what changes")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--check", action="store_true", help="play with a server of its own, and end")
    arguments = parser.parse_args(command)
    if arguments.check:
        check()
    else:
        game = partial(TextGame, arguments.variant, arguments.num_players, arguments.opponents, arguments.changes)
        first = game()
        first.step(Move(move=first.reset().legal_moves[0]))  # compiles, so that no client waits for it
        uvicorn.run(create_fastapi_app(game, Move, Seen, MOST_GAMES), host=arguments.host, port=arguments.port)


if __name__ == "__main__":
    main()
