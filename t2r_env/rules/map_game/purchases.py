"""Buying a technology, before the action of a turn (UK8)."""

from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game import exchange, right_of_way, technologies
from t2r_env.rules.map_game.records import NO_TECHNOLOGY, MapRules, MapState
from t2r_env.rules.names import blocks
from t2r_env.rules.state import SharedScratch
from t2r_env.variants.variant import effects


@compiled
def list_purchases(state: MapState, rules: MapRules, scratch: SharedScratch, count: int) -> int:
    """List, after `count` other actions, the technologies that the seat lacks and can pay, if it has bought none."""
    if state.bought != NO_TECHNOLOGY:
        return count
    seat = state.current
    coloured, locomotives = exchange.coloured_cards(state, seat), state.hand[seat, LOCOMOTIVE]
    units = coloured // exchange.rate(state, rules, seat) + locomotives
    for technology in range(rules.num_technologies):
        is_there = technologies.copies_left(state, rules, technology) > 0
        is_payable = rules.technology_price[technology] <= units
        if is_there and is_payable and not technologies.holds(state, seat, technology):
            is_right_of_way = technology == rules.technology_with[effects.RIGHT_OF_WAY]
            if not is_right_of_way or right_of_way.stays_possible(state, rules, seat):
                scratch.legal[count] = rules.first_action[blocks.BUY] + technology
                count += 1
    return count


@inlined
def complete(state: MapState) -> None:
    """Take the technology that has been paid for: it works from now on (UK8)."""
    state.technologies[state.current] |= 1 << state.technology
    state.technologies_left[state.technology] -= 1
    state.bought = state.technology
    state.technology = NO_TECHNOLOGY
