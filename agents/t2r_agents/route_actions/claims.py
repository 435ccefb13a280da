"""Choosing a route to claim."""

from t2r_agents.route_plan.planning import make_plan
from t2r_agents.route_plan.records import Parameters, Plan, Workspace
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, lowest_bit
from t2r_env.core.game import NO_ACTION
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game import board, exchange, prices, racks, stations
from t2r_env.rules.map_game.board import GRAY, ROUTE_WORDS
from t2r_env.rules.map_game.modules import MapRules, MapState
from t2r_env.rules.names import blocks

FEW_CARDS_FOR_A_TUNNEL = 10
"""With so few cards in deck and discard a tunnel turns up the same ones again and again."""
TICKETS_FIRST = 10_000
"""Added to the length of routes for tickets, so that they come before all others."""


@compiled
def best_claim(view: MapState, mask: Array, rules: MapRules, plan: Plan, min_length: int) -> int:
    """Claim the longest planned route that can be paid, those for tickets before the others; or NO_ACTION.

    Routes of fewer than `min_length` spaces are not claimed.
    """
    chosen = NO_ACTION
    best = 0
    for word in range(ROUTE_WORDS):
        routes = plan.routes[word]
        while routes != bits.NONE:
            route = 64 * word + lowest_bit(routes)
            routes = bits.without_lowest(routes)
            action = rules.first_action[board.blocks.CLAIM] + route
            length = rules.route_length[route]
            if mask[action] and length >= min_length and is_payable(view, rules, plan, route):
                value = length + (TICKETS_FIRST if bits.contains(plan.ticket_routes, route) else 0)
                if value > best:
                    best = value
                    chosen = action
    return chosen


@compiled
def min_length_to_claim(rules: MapRules, parameters: Parameters, plan: Plan) -> int:
    """The length of the longest planned route if the agent claims only those, else 0."""
    longest = 0
    if parameters.prefers_long_routes:
        for word in range(ROUTE_WORDS):
            routes = plan.routes[word]
            while routes != bits.NONE:
                longest = max(longest, rules.route_length[64 * word + lowest_bit(routes)])
                routes = bits.without_lowest(routes)
    return longest


@compiled
def claim_second(
    view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan, workspace: Workspace
) -> int:
    """Claim a planned route as the second of the turn, or stop."""
    make_plan(view, rules, parameters, plan, workspace)
    action = best_claim(view, mask, rules, plan, min_length_to_claim(rules, parameters, plan))
    return rules.first_action[blocks.STOP] if action == NO_ACTION else action


@compiled
def is_payable(view: MapState, rules: MapRules, plan: Plan, route: int) -> bool:
    """Whether a route that may be claimed can be paid without waste.

    Cards that the plan takes are not exchanged for locomotives, and a tunnel is tried with a card in reserve; with all
    that it may demand, once few cards are left to turn up.
    """
    seat = view.current
    cards = prices.price(view, rules, seat, route)
    if rules.route_tunnel[route] > 0:
        left = view.deck_count + view.discard_count
        cards += min(left, rules.route_tunnel[route]) if left <= FEW_CARDS_FOR_A_TUNNEL else 1
    elif rules.exchange == 0:
        return True
    coloured = 0
    for colour in range(LOCOMOTIVE):
        if rules.route_colour[route] == GRAY or rules.route_colour[route] == colour:
            coloured = max(coloured, racks.held(view, rules, seat, colour))
    locomotives = racks.held(view, rules, seat, LOCOMOTIVE)
    missing = max(cards - coloured - locomotives, rules.route_ferry[route] - locomotives)
    return missing <= 0 or (rules.exchange > 0 and missing * exchange.rate(view, rules, seat) <= coloured_surplus(plan))


@compiled
def coloured_surplus(plan: Plan) -> int:
    """How many coloured cards the plan does not take."""
    surplus = 0
    for colour in range(LOCOMOTIVE):
        surplus += max(0, plan.spare_cards[colour])
    return surplus


@compiled
def act_without_cards(mask: Array, rules: MapRules) -> int:
    """When no card can be drawn: claim any route, else draw tickets, else pass, or build a station, as one has to."""
    action = longest_claim(mask, rules)
    draw_tickets, pass_ = rules.first_action[blocks.DRAW_TICKETS], rules.first_action[blocks.PASS]
    if action == NO_ACTION:
        action = draw_tickets if mask[draw_tickets] else pass_
    if action == pass_ and not mask[pass_]:
        action = rules.first_action[stations.blocks.BUILD]
        while not mask[action]:
            action += 1
    return action


@compiled
def longest_claim(mask: Array, rules: MapRules) -> int:
    """Claim the longest route that may be claimed, planned or not; or NO_ACTION."""
    chosen = NO_ACTION
    longest = 0
    for route in range(rules.num_routes):
        action = rules.first_action[board.blocks.CLAIM] + route
        if mask[action] and rules.route_length[route] > longest:
            longest = rules.route_length[route]
            chosen = action
    return chosen
