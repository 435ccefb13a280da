"""Shares of companies (PA4), what they pay at the end (PA5), and the neutral player who holds some (PA8).

A share is a number among those of all companies, one company after the other. Within a company shares go in the order
of their numbers, so the top one is the lowest that is left.
"""

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.core.randomness import below
from t2r_env.core.records import Array
from t2r_env.rules.map_game.records import NEUTRAL, MapRules, MapScoringScratch, MapState
from t2r_env.rules.names import blocks, parts
from t2r_env.rules.ranking import add_points
from t2r_env.rules.state import SharedScratch


@inlined
def list_companies(state: MapState, rules: MapRules, scratch: SharedScratch, first_action: int) -> int:
    """List the companies of the route being claimed that have a share left; return how many there are."""
    offered = state.shares_left & rules.route_shares[state.route]
    count = 0
    for company in range(rules.num_companies):
        if offered & rules.company_shares[company] != bits.NONE:
            scratch.legal[count] = first_action + company
            count += 1
    return count


@inlined
def take(state: MapState, rules: MapRules, holder: int, company: int) -> None:
    """Give a holder (a seat or `NEUTRAL`) the company's top share."""
    share = bits.bit(lowest_bit(state.shares_left & rules.company_shares[company]))
    state.shares_left &= ~share
    state.shares[holder] |= share


@compiled
def reveal_neutral(state: MapState) -> None:
    """Draw the half, rounded up, of the neutral player's shares that count (PA8)."""
    to_pass = state.shares[NEUTRAL]
    number = count_bits(to_pass)
    to_reveal = (number + 1) // 2
    while to_reveal > 0:
        share = bits.bit(lowest_bit(to_pass))
        to_pass &= ~share
        # of those not yet passed, this many are to be revealed: all choices are equally likely
        if below(state, number) < to_reveal:
            state.revealed_shares |= share
            to_reveal -= 1
        number -= 1


@compiled
def payout(holdings: Array, rules: MapRules, holder: int, company: int) -> int:
    """Return what a company pays one of those who hold the shares in `holdings`, a word for each holder (PA5)."""
    own = holdings[holder] & rules.company_shares[company]
    if own == bits.NONE:
        return 0
    rank = 0
    for other in range(holdings.size):
        if other != holder and _is_before(holdings[other] & rules.company_shares[company], own):
            rank += 1
    return rules.company_points[company, rank]


@inlined
def _is_before(shares: np.uint64, others: np.uint64) -> bool:
    """Whether shares of a company are more than others, or as many with the lowest number among them."""
    number, other_number = count_bits(shares), count_bits(others)
    if number != other_number:
        return number > other_number
    return lowest_bit(shares) < lowest_bit(others)


@inlined
def are_offered(state: MapState, rules: MapRules) -> bool:
    """Whether a company shown on the route being claimed has a share left (PA4)."""
    return state.shares_left & rules.route_shares[state.route] != bits.NONE


# Phase `take_share`: which company's share is taken for the route just claimed (PA4)


@inlined
def list_takes(state: MapState, rules: MapRules, scratch: SharedScratch) -> int:
    """List the top share of any of the route's companies, and none."""
    first = rules.first_action[blocks.TAKE_SHARE]
    count = list_companies(state, rules, scratch, first)
    scratch.legal[count] = first + rules.num_companies
    return count + 1


@inlined
def take_for_claim(state: MapState, rules: MapRules, action: int) -> bool:
    """Take a share, or none; return whether the neutral player gets one too (PA8)."""
    company = action - rules.first_action[blocks.TAKE_SHARE]
    if company == rules.num_companies:
        return False
    state.company = company
    take(state, rules, state.current, company)
    return rules.neutral_shareholder == 1 and are_offered(state, rules)


@compiled
def score_end(state: MapState, rules: MapRules, scoring: MapScoringScratch) -> None:
    """Let each company pay its holders; of the neutral player's shares those drawn count (PA5, PA8).

    They are drawn once: a game that is scored again has them already.
    """
    if state.revealed_shares == bits.NONE:
        reveal_neutral(state)
    for seat in range(rules.num_seats):
        scoring.holdings[seat] = state.shares[seat]
    scoring.holdings[NEUTRAL] = state.revealed_shares
    for seat in range(rules.num_seats):
        for company in range(rules.num_companies):
            points = payout(scoring.holdings, rules, seat, company)
            add_points(state, rules.team[seat], parts.SHARES, points)
