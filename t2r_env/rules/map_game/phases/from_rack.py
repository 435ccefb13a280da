"""Which cards of the payment come from the team's rack? (TA6)"""

from t2r_env.rules.compiled import inlined
from t2r_env.rules.map_game import actions, claiming, payment
from t2r_env.rules.map_game.phases import tunnel
from t2r_env.rules.map_game.state import FROM_RACK
from t2r_env.rules.records import Record
from t2r_env.rules.state import NO_ACTION
from t2r_env.rules.train_cards import LOCOMOTIVE


@inlined
def ask(state: Record) -> None:
    """Ask; the payment, or what a tunnel demands besides, has been chosen."""
    state.phase = FROM_RACK


@inlined
def locomotives_due(state: Record, rules: Record) -> int:
    """How many locomotives are to be laid out."""
    if state.extra != NO_ACTION:
        return state.extra - rules.first_action[actions.PAY_MORE]
    return actions.payment_locomotives(rules, state.payment)


@inlined
def coloured_due(state: Record, rules: Record) -> int:
    """How many cards of the payment's colour are to be laid out."""
    total = state.due if state.extra != NO_ACTION else rules.route_length[state.route]
    return total - locomotives_due(state, rules)


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """Every number of either kind that the rack has and that leaves no more than the hand has."""
    seat = state.current
    team = rules.team[seat]
    colour = actions.payment_colour(rules, state.payment)
    coloured, locomotives = coloured_due(state, rules), locomotives_due(state, rules)
    in_hand, on_rack = 0, 0
    if colour != LOCOMOTIVE:
        in_hand, on_rack = state.hand[seat, colour], state.rack[team, colour]
    count = 0
    for cards in range(max(0, coloured - in_hand), min(coloured, on_rack) + 1):
        least = max(0, locomotives - state.hand[seat, LOCOMOTIVE])
        for wild in range(least, min(locomotives, state.rack[team, LOCOMOTIVE]) + 1):
            scratch.legal[count] = rules.first_action[actions.FROM_RACK] + cards * rules.rack_width + wild
            count += 1
    return count


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Lay the cards out. At a tunnel, cards are then turned up; else the claim is complete."""
    seat = state.current
    team = rules.team[seat]
    colour = actions.payment_colour(rules, state.payment)
    coloured, locomotives = coloured_due(state, rules), locomotives_due(state, rules)
    chosen = action - rules.first_action[actions.FROM_RACK]
    cards, wild = chosen // rules.rack_width, chosen % rules.rack_width
    payment.lay_out_from_rack(state, team, colour, cards)
    payment.lay_out(state, seat, colour, coloured - cards)
    payment.lay_out_from_rack(state, team, LOCOMOTIVE, wild)
    payment.lay_out(state, seat, LOCOMOTIVE, locomotives - wild)
    if state.extra == NO_ACTION and rules.route_tunnel[state.route] > 0:
        tunnel.ask(state, rules)
    else:
        claiming.complete(state, rules)
