"""Plays with a server of its own, by the client: alone, many at once, at a table with others, and too slowly.

python -m t2r_openenv.check     # in examples/
"""

import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

from .client import T2REnv
from .models import Move

SECONDS = 300
"""In which the server begins: it may have to compile."""


@contextmanager
def serving() -> Iterator[str]:
    """Yield the address of a server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([sys.executable, "-m", "t2r_openenv.server.app", "--port", str(port)]) as server:
        try:
            for _ in range(10 * SECONDS):
                with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def play(url: str, dice: int, move: str = "", slow: float = 0, **wishes: Any) -> tuple[int, Any]:
    """Play a game by this move each time, by default at random; return the seat and the last observation."""
    rng = random.Random(dice)
    with T2REnv(url).sync() as client:
        result = client.reset(legal_moves=True, **wishes)
        assert result.done or "How to answer" in result.observation.text, result
        viewed = client.step(Move(move="view"))
        assert result.done or result.observation.text.startswith(viewed.observation.text), viewed
        while not result.done:
            time.sleep(slow)
            result = client.step(
                Move(move=move or f'I play {{"move": "{rng.choice(result.observation.legal_moves)}"}}')
            )
        state = client.state()
    assert state.seat == result.observation.seat, state
    assert bool(move) == (state.refused == 3), state
    return state.seat, result.observation


def refusal(url: str, **wishes: Any) -> str:
    """Return the error that a client gets for such wishes."""
    with T2REnv(url).sync() as client:
        try:
            client.reset(**wishes)
        except RuntimeError as error:
            return str(error)
    return ""


def main() -> None:
    """Check all this, and say so."""
    with serving() as url, ThreadPoolExecutor(12) as pool:
        _, seen = play(url, 1, seed=1, variant="usa", opponents="random")
        assert "The game is over. player_0: " in seen.text, seen
        _, lost = play(url, 1, move="fly to Miami", seed=1)
        assert (lost.reward, lost.forfeited_by) == (-1, 0), lost
        assert "is not a legal action" in lost.fault, lost
        at_once = [*pool.map(lambda dice: play(url, dice, seed=7)[1], [3] * 12)]
        assert len({(it.text, it.reward) for it in at_once}) == 1, at_once  # the same deal, the same moves
        friends = [pool.submit(play, url, seed, table="friends", clients=3, num_players=4) for seed in range(3)]
        together = sorted((it.result() for it in friends), key=lambda it: it[0])
        assert [seat for seat, _ in together] == [0, 1, 2], together
        assert len({seen.text for _, seen in together}) == 1, together
        assert max(seen.reward for _, seen in together) > min(seen.reward for _, seen in together), together
        slow = [pool.submit(play, url, 0, slow=it, table="slow", clients=2, seconds=1) for it in (0, 2)]
        ended = [it.result()[1] for it in slow]
        assert {it.forfeited_by for it in ended} == {next(it.seat for it in ended if it.reward == -1)}, ended
        alone = refusal(url, table="alone", clients=2, seconds=0.2)
        assert "only 1 of 2 clients have come" in alone, alone
        assert "variant must be one of" in refusal(url, variant="/etc"), "a folder is refused"
        assert "opponents must be" in refusal(url, opponents="os:getcwd"), "an import path is refused"
    print(f"OpenEnv: {seen.text} Three clients at a table: {together[0][1].text}")


if __name__ == "__main__":
    main()
