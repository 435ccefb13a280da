"""Do you pay what the tunnel demands, or withdraw? (TA10)"""

from t2r_env.rules import train_cards
from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.map_game import actions, claiming, payment, racks, tunnels
from t2r_env.rules.map_game.state import FROM_RACK, TUNNEL
from t2r_env.rules.records import Record
from t2r_env.rules.state import TURN_OVER
from t2r_env.rules.train_cards import LOCOMOTIVE


@compiled
def ask(state: Record, rules: Record) -> None:
    """Turn up cards, and ask if they demand something; else the claim is complete."""
    tunnels.reveal(state, rules, rules.route_tunnel[state.route])
    state.due = tunnels.demand(state, actions.payment_colour(rules, state.payment))
    if state.due > 0:
        state.phase = TUNNEL
    else:
        claiming.complete(state, rules)


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """Just so many cards of the payment's colour or locomotives, as there are; or withdraw, which is always allowed."""
    seat = state.current
    colour = actions.payment_colour(rules, state.payment)
    scratch.legal[0] = rules.first_action[actions.WITHDRAW]
    count = 1
    coloured = 0 if colour == LOCOMOTIVE else racks.held(state, rules, seat, colour)
    locomotives = racks.held(state, rules, seat, LOCOMOTIVE)
    for wild in range(max(0, state.due - coloured), min(state.due, locomotives) + 1):
        scratch.legal[count] = rules.first_action[actions.PAY_MORE] + wild
        count += 1
    return count


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Pay, in team games by way of the decision which cards come from the rack; or take all back."""
    seat = state.current
    if action == rules.first_action[actions.WITHDRAW]:
        payment.take_back(state, rules, seat)
        payment.discard_all(state)
        train_cards.restore(state, rules)
        state.phase = TURN_OVER
    elif rules.num_racks > 0:
        state.extra = action
        state.phase = FROM_RACK
    else:
        wild = action - rules.first_action[actions.PAY_MORE]
        payment.lay_out(state, seat, actions.payment_colour(rules, state.payment), state.due - wild)
        payment.lay_out(state, seat, LOCOMOTIVE, wild)
        claiming.complete(state, rules)
