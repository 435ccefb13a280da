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


def information_state(course: Iterable[Games], actions: Sequence[int], seat: int) -> str:
    """Return the key of a seat at the end of a course: a game before each of the actions, and after the last one."""
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    held: NDArray[np.int8] | None = None
    for games, action in zip(course, (*actions, None), strict=True):
        if not _is_seen(games, action, seat):
            continue
        holds = _cards(games)
        spent = np.zeros_like(holds) if held is None else np.maximum(held - holds, 0)  # cards are paid openly (C9)
        digest.update(spent.tobytes() + games.views([0], [seat]).tobytes())
        if action is not None:
            digest.update(f"{_as_seen(games, action, seat)};".encode())
        held = holds
    return digest.hexdigest()


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
