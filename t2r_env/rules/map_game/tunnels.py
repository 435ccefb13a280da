"""Tunnels: cards turned up from the deck tell how much more a claim costs (EU5, TA10)."""

from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules import train_cards
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game import payments
from t2r_env.rules.map_game.locomotives import pay_now
from t2r_env.rules.map_game.records import MapRules, MapState
from t2r_env.rules.names import NO_ACTION, blocks
from t2r_env.rules.state import SharedScratch


@compiled
def follow_payment(state: MapState, rules: MapRules) -> bool:
    """Turn up the cards of a tunnel that is being paid for; return whether they demand something.

    Each card of the payment's colour demands one, and so does each locomotive.
    """
    if state.extra != NO_ACTION or rules.route_tunnel[state.route] == 0:
        return False
    for _ in range(rules.route_tunnel[state.route]):
        if state.deck_count > 0:
            state.revealed[train_cards.draw_blind(state, rules)] += 1
    colour = payments.colour_of(rules, state.payment)
    state.due = state.revealed[LOCOMOTIVE]
    if colour != LOCOMOTIVE:
        state.due += state.revealed[colour]
    return state.due > 0


@inlined
def list_legal(state: MapState, rules: MapRules, scratch: SharedScratch) -> int:
    """List the ways to pay just what is demanded, and to withdraw, which is always allowed; return their number."""
    seat = state.current
    colour = payments.colour_of(rules, state.payment)
    scratch.legal[0] = rules.first_action[blocks.WITHDRAW]
    count = 1
    coloured = 0 if colour == LOCOMOTIVE else payments.held(state, rules, seat, colour)
    locomotives = 0
    if not rules.limits_locomotives or pay_now(state, rules):
        locomotives = payments.held(state, rules, seat, LOCOMOTIVE)
    for wild in range(max(0, state.due - coloured), min(state.due, locomotives) + 1):
        scratch.legal[count] = rules.first_action[blocks.PAY_MORE] + wild
        count += 1
    return count


@inlined
def pay_more(state: MapState, rules: MapRules, action: int) -> None:
    """Lay out what is demanded, from the hand."""
    seat, wild = state.current, action - rules.first_action[blocks.PAY_MORE]
    payments.lay_out(state, seat, payments.colour_of(rules, state.payment), state.due - wild)
    payments.lay_out(state, seat, LOCOMOTIVE, wild)
