"""Tunnels: cards turned up from the deck tell what a claim costs besides (TA10)."""

from t2r_env.rules import train_cards
from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import LOCOMOTIVE


@compiled
def reveal(state: Record, rules: Record, number: int) -> None:
    """Turn up so many cards, or all that there are."""
    for _ in range(number):
        if state.deck_count > 0:
            state.revealed[train_cards.draw_blind(state, rules)] += 1


@inlined
def demand(state: Record, colour: int) -> int:
    """How many of the cards turned up are of the payment's colour or locomotives; a locomotive counts once."""
    if colour == LOCOMOTIVE:
        return state.revealed[LOCOMOTIVE]
    return state.revealed[colour] + state.revealed[LOCOMOTIVE]
