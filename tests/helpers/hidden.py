"""Other things where a seat can't look (C20): whatever it is shown of a game must not depend on them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env import Games
from t2r_env.rules.state import FROM_DECK
from tests.helpers.situations import NOTHING


def with_other_secrets(games: Games, seats: Any, seed: int = 0) -> NDArray[Any]:
    """Copies of the states of games in which all that these seats can't know is random, even where it does not fit.

    They are to be looked at: only a determinization, which there is for the acting seat alone, can be played on.
    """
    states, rng = games.states.copy(), np.random.default_rng(seed)
    tickets = games.configuration.num_tickets

    def change(name: str, where: Any, most: int) -> None:
        drawn = rng.integers(most, size=states[name].shape)
        states[name][where] = drawn[where].astype(states[name].dtype)

    def change_cards(name: str, where: Any, known: NDArray[Any], count: NDArray[Any]) -> None:
        cards = games.configuration.rules[0].deck
        drawn = rng.multinomial(count - known.sum(axis=-1), cards / cards.sum())
        states[name][where] = (known + drawn)[where]

    def change_set(name: str, where: Any) -> None:
        every_ticket = (1 << tickets) - 1
        drawn = rng.integers(2**64, size=states[name].shape, dtype=np.uint64)
        states[name][where] = (drawn & np.array([every_ticket % 2**64, every_ticket >> 64], np.uint64))[where]

    seats = np.broadcast_to(seats, games.batch)
    acts = states["current"] == seats
    numbers = np.arange(states["hand"].shape[1])
    others = (numbers != seats[:, None]) & (numbers < games.num_players)
    for name, most in (("rng", 2**62), ("decisions", 100), ("deck", 9), ("queue_head", tickets)):
        change(name, slice(None), most)
    change("ticket_queue", states["ticket_queue"] != NOTHING, tickets)
    change_cards("hand", others, states["known"], states["hand_count"])
    change_set("tickets", others)
    change("offered", others[..., None] & (states["offered"] != NOTHING), tickets)
    change("kept", others, 8)
    change("offer_index", ~acts & (states["offer_index"] > 0), 2)
    if "completing" in (states.dtype.names or ()):
        change_set("completing", others)
    team_size = games.configuration.variant.team_size
    if team_size > 1:
        racks = np.arange(states["rack"].shape[1])
        rivals = (racks != seats[:, None] // team_size) & (racks < games.num_players // team_size)
        change_cards("rack", rivals, states["rack_known"], states["rack_count"])
        change_set("rack_tickets", rivals)
        change_set("to_share", ~acts)
        change("sharing", others & (states["sharing"] != NOTHING), tickets)
        change("unplaced", ~acts & (states["drawn_slot"] == FROM_DECK) & (states["unplaced"] != NOTHING), 9)
    return states
