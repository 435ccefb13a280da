"""Shares of companies (PA4), what they pay at the end (PA5), and the neutral player who holds some (PA8).

A share is a number among those of all companies, one company after the other. Within a company shares go in the order
of their numbers, so the top one is the lowest that is left.
"""

import numpy as np

from t2r_env.rules import bits
from t2r_env.rules.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.rules.map_game.state import NEUTRAL
from t2r_env.rules.randomness import below
from t2r_env.rules.records import Record


@inlined
def offered_by(state: Record, rules: Record, route: int) -> np.uint64:
    """The shares left of the companies shown on a route."""
    return state.shares_left & rules.route_shares[route]


@inlined
def list_companies(state: Record, rules: Record, scratch: Record, first_action: int) -> int:
    """List as answers the companies of the route in decision that have a share left; return how many there are."""
    offered = offered_by(state, rules, state.route)
    count = 0
    for company in range(rules.num_companies):
        if offered & rules.company_shares[company] != bits.NONE:
            scratch.legal[count] = first_action + company
            count += 1
    return count


@inlined
def take(state: Record, rules: Record, holder: int, company: int) -> None:
    """Give a holder (a seat or `NEUTRAL`) the company's top share."""
    share = bits.bit(lowest_bit(state.shares_left & rules.company_shares[company]))
    state.shares_left &= ~share
    state.shares[holder] |= share


@compiled
def reveal_neutral(state: Record) -> None:
    """Draw the half, rounded up, of the neutral player's shares that count (PA8)."""
    to_pass = state.shares[NEUTRAL]
    number = count_bits(to_pass)
    to_reveal = (number + 1) // 2
    while to_reveal > 0:
        share = bits.bit(lowest_bit(to_pass))
        to_pass &= ~share
        # of those not yet passed, so many are to be revealed: all choices are equally likely
        if below(state, number) < to_reveal:
            state.revealed_shares |= share
            to_reveal -= 1
        number -= 1


@compiled
def payout(holdings: np.ndarray, rules: Record, holder: int, company: int) -> int:
    """What a company pays one of those who hold the shares in `holdings` (a word for each holder) (PA5)."""
    own = holdings[holder] & rules.company_shares[company]
    if own == bits.NONE:
        return 0
    place = 0
    for other in range(holdings.size):
        if other != holder and _is_before(holdings[other] & rules.company_shares[company], own):
            place += 1
    return rules.company_points[company, place]


@inlined
def _is_before(shares: np.uint64, others: np.uint64) -> bool:
    """Whether shares of a company are more than others, or as many with the lowest number among them."""
    number, other_number = count_bits(shares), count_bits(others)
    if number != other_number:
        return number > other_number
    return lowest_bit(shares) < lowest_bit(others)
