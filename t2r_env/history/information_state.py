"""The information state of a seat as a key: all that it has seen and done since a recorded game began, in this order.

An observation says what a seat knows, cards seen before included, but not in which order things happened. In the
field's sense of perfect recall, as in tables of counterfactual regret, the order counts too.

Whether another seat had a choice is hidden: a payment may have been the only one that its hand allows. So of others'
moves only those decisions are looked at that all can see coming, and what came of the rest is seen at the next one.
"""

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from t2r_env.games import Games
from t2r_env.rules.names import outcomes, phases

SEEN_BY_ALL = (phases.TURN, phases.SECOND_CARD)
"""The phases of which all can tell that the acting seat is in them, and which choice it has made."""
DIGEST_BYTES = 16


class Recall:
    """The key of what a seat has seen and done so far, which grows with each decision of a game. It can be copied."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self._key = b""
        self._held: NDArray[np.int8] | None = None

    def note(self, games: Games, action: int) -> None:
        """Note an action that is about to be taken in a game of one row, if the seat sees that there is a decision."""
        if _is_seen(games, action, self.seat):
            self._key = self._grown(games, action)
            self._held = _cards(games)

    def follow(self, games: Games, determinized: Games) -> None:
        """Go on in a game whose hidden cards were dealt again: what has been paid since the last decision stays."""
        if self._held is not None:
            self._held = np.maximum(self._held - _cards(games), 0) + _cards(determinized)

    def key(self, games: Games) -> str:
        """Return the key at the present decision of the game, or after its end: 32 hexadecimal digits."""
        return (self._grown(games, None) if _is_seen(games, None, self.seat) else self._key).hex()

    def _grown(self, games: Games, action: int | None) -> bytes:
        holds = _cards(games)
        spent = np.zeros_like(holds) if self._held is None else np.maximum(self._held - holds, 0)  # paid openly (C9)
        digest = hashlib.blake2b(self._key, digest_size=DIGEST_BYTES)
        digest.update(spent.tobytes() + games.views([0], [self.seat]).tobytes())
        if action is not None:
            digest.update(f"{_as_seen(games, action, self.seat)};".encode())
        return digest.digest()


def information_state(course: Iterable[Games], actions: Sequence[int], seat: int) -> str:
    """Return the key of a seat at the end of a course: a game before each of the actions, and after the last one."""
    recall = Recall(seat)
    for games, action in zip(course, (*actions, None), strict=True):
        if action is not None:
            recall.note(games, action)
    return recall.key(games)


def _is_seen(games: Games, action: int | None, seat: int) -> bool:
    """Whether the seat sees that there is this decision, or that the game is over."""
    state = games.states[0]
    if state["outcome"] != outcomes.RUNNING or state["current"] == seat or state["phase"] in SEEN_BY_ALL:
        return True
    return bool(state["phase"] == phases.SECOND_CLAIM and _is_in("claim", games, action))  # else there may be no claim


def _cards(games: Games) -> NDArray[np.int8]:
    """Return the train cards of all hands and racks, (holders, card types)."""
    state = games.states[0]
    return np.concatenate([state[name] for name in ("hand", "rack") if name in (state.dtype.names or ())])


def _as_seen(games: Games, action: int, seat: int) -> int:
    """Return another seat's action without the ticket that it puts on its rack (TA8), which teammates see there."""
    if games.states[0]["current"] != seat and _is_in("share_ticket", games, action):
        return games.layout.actions["share_ticket"].start
    return action


def _is_in(block: str, games: Games, action: int | None) -> bool:
    """Whether the action is one of a block, which the game need not have."""
    found = games.layout.actions.get(block)
    return found is not None and action in range(found.start, found.start + found.size)
