"""The choice of a route to claim, and of a technology to buy."""

from t2r_agents.playing.planner.map_game.paths import distance_to, find_paths, join_again
from t2r_agents.playing.planner.map_game.position import connect, missing_cards
from t2r_agents.playing.planner.map_game.records import Parameters, Plan
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled
from t2r_env.rules.cards import LOCOMOTIVE
from t2r_env.rules.map_game import exchange, payments
from t2r_env.rules.map_game.locomotives import pay_for_route
from t2r_env.rules.map_game.records import GRAY, MapRules, MapState
from t2r_env.rules.names import NO_ACTION, blocks
from t2r_env.variants.variant import effects

FEW_CARDS = 15
"""The number of cards in deck and discard pile below which it does not wait for cards."""
FEW_CARDS_FOR_A_TUNNEL = 10
"""The number of cards in deck and discard pile up to which a tunnel reveals the same ones again and again."""
MAX_DETOUR = 200
"""The most that a detour counts, in quarters of a card."""
DANGER_DIVISOR = 16
MIN_POINTS_PER_LOCOMOTIVE = 3
"""The points that a technology needed by no planned route must bring for each locomotive of its price."""
TRAINS_PER_ROUTE = 2
"""A rough mean, for estimating how many routes are still to come."""


@compiled
def waits(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan) -> bool:
    """Whether to wait with claims: until then any route may be paid in the colour that comes, and opponents learn
    nothing."""
    held = 0
    for card in range(LOCOMOTIVE + 1):
        held += payments.held(view, rules, view.current, card)
    return (
        missing_cards(plan) > parameters.max_missing_cards
        and plan.turns_left > parameters.endgame_turns
        and held <= parameters.max_hand
        and view.deck_count + view.discard_count >= FEW_CARDS
    )


@compiled
def best_claim(
    view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan, is_waiting: bool
) -> int:
    """Claim the planned route that can be paid and is worth most: those for tickets first, then those that may be lost;
    or NO_ACTION. When it waits, only what is long or urgent."""
    chosen = NO_ACTION
    best = 0
    for route in range(rules.num_routes):
        action = rules.first_action[blocks.CLAIM] + route
        if mask[action] and bits.contains(plan.routes, route) and is_payable(view, rules, plan, route):
            value = 1 + parameters.point_value * rules.route_length[route]
            value += parameters.ticket_route_value if bits.contains(plan.ticket_routes, route) else 0
            least_urgency = best + 1 - value
            if is_waiting and rules.route_length[route] < parameters.long_route_length:
                least_urgency = max(least_urgency, parameters.urgency)
            urgency = _urgency(view, rules, parameters, plan, route, least_urgency)
            if urgency >= least_urgency:
                best = value + urgency
                chosen = action
    return chosen


@compiled
def _urgency(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, route: int, least: int) -> int:
    """Return what losing a route would cost, by the danger of it; some number below `least` if it is lower than that.

    A detour takes time to find: it is looked for only if it may lift the urgency to `least`.
    """
    danger = _danger(view, rules, plan, route)
    loss = parameters.point_value * rules.points[rules.route_length[route]] // 4
    if danger > 0 and bits.contains(plan.ticket_routes, route):
        if danger * (loss + MAX_DETOUR) // DANGER_DIVISOR >= least:
            loss += _detour(view, rules, plan, route)
    return danger * loss // DANGER_DIVISOR


@compiled
def _danger(view: MapState, rules: MapRules, plan: Plan, route: int) -> int:
    """Return how likely an opponent is to take a route: more where his network is near, 0 if he has too few cards."""
    danger = 0
    for seat in range(rules.num_seats):
        is_opponent = rules.team[seat] != rules.team[view.current]
        if is_opponent and bits.contains(view.open[seat], route) and view.hand_count[seat] >= rules.route_length[route]:
            danger += 1
            if bits.bit(rules.route_a[route]) & plan.networks[seat] != bits.NONE:
                danger += 2
            if bits.bit(rules.route_b[route]) & plan.networks[seat] != bits.NONE:
                danger += 2
    return danger


@compiled
def _detour(view: MapState, rules: MapRules, plan: Plan, route: int) -> int:
    """Return the cost of a path between the ends of a planned route if it is lost, with those parallel to it where one
    closes them."""
    for city in range(rules.num_cities):
        plan.held_component[city] = plan.component[city]
        plan.component[city] = view.component[rules.team[view.current], city]
    for other in bits.members(plan.ticket_routes):
        if other != route:
            connect(rules, plan, other)
    join_again(rules, plan)
    closes = rules.capacity[route] == 1
    for i in range(plan.num_candidates):
        other = plan.edge_route[i]
        if other == route or (closes and bits.contains(rules.parallel[route], other)):
            plan.edge_b[i] = plan.edge_a[i]  # it leads nowhere
    end = find_paths(rules, plan, bits.bit(rules.route_a[route]), bits.bit(rules.route_b[route]))
    detour = min(MAX_DETOUR, distance_to(plan, end))
    for city in range(rules.num_cities):
        plan.component[city] = plan.held_component[city]
    join_again(rules, plan)
    return detour


@compiled
def is_payable(view: MapState, rules: MapRules, plan: Plan, route: int) -> bool:
    """Whether a route that may be claimed can be paid without waste.

    Cards that the plan takes are not exchanged for locomotives, and a tunnel is tried with a card in reserve; with all
    that it may demand, once few cards are left to turn up.
    """
    seat = view.current
    cards = payments.route_price(view, rules, seat, route)
    if rules.route_tunnel[route] > 0:
        left = view.deck_count + view.discard_count
        cards += min(left, rules.route_tunnel[route]) if left <= FEW_CARDS_FOR_A_TUNNEL else 1
    elif rules.route_exchange[route] == 0:
        return True
    coloured = most_of_colour(view, rules, route)
    takes_locomotives = pay_for_route(rules, route)
    locomotives = payments.held(view, rules, seat, LOCOMOTIVE) if takes_locomotives else 0
    surplus = _coloured_surplus(plan)
    if not takes_locomotives:
        surplus += max(0, plan.spare_cards[LOCOMOTIVE])
    missing = max(cards - coloured - locomotives, rules.route_ferry[route] - locomotives)
    for_one = exchange.rate_of(view, rules, seat, rules.route_exchange[route])
    return missing <= 0 or (for_one > 0 and missing * for_one <= surplus)


@compiled
def most_of_colour(view: MapState, rules: MapRules, route: int) -> int:
    """Return the most cards of one colour with which the seat may pay for a route."""
    if rules.route_colour[route] != GRAY:
        return payments.held(view, rules, view.current, rules.route_colour[route])
    most = 0
    for colour in range(LOCOMOTIVE):
        most = max(most, payments.held(view, rules, view.current, colour))
    return most


@compiled
def _coloured_surplus(plan: Plan) -> int:
    """Return how many coloured cards the plan does not take."""
    surplus = 0
    for colour in range(LOCOMOTIVE):
        surplus += max(0, plan.spare_cards[colour])
    return surplus


# Technologies


@compiled
def best_purchase(view: MapState, mask: Array, rules: MapRules, plan: Plan) -> int:
    """Buy a technology that planned routes need, or one that is worth its price, with spare cards; or NO_ACTION."""
    chosen = NO_ACTION
    locomotives = view.hand[view.current, LOCOMOTIVE]
    for technology in range(rules.num_technologies):
        action = rules.first_action[blocks.BUY] + technology
        if mask[action]:
            price = rules.technology_price[technology]
            is_planned = bits.bit(technology) & plan.technologies != bits.NONE
            is_worth_it = _technology_points(view, rules, technology) >= MIN_POINTS_PER_LOCOMOTIVE * price
            to_exchange = exchange.rate(view, rules, view.current) * max(0, price - locomotives)
            is_cheap = plan.spare_cards[LOCOMOTIVE] >= price
            if (is_planned and to_exchange <= _coloured_surplus(plan)) or (is_worth_it and is_cheap):
                chosen = action
    return chosen


@compiled
def _technology_points(view: MapState, rules: MapRules, technology: int) -> int:
    """Return roughly how many points a technology that opens no routes brings; a card saved counts as a point."""
    if (
        technology == rules.technology_with[effects.BOILER_LAGGING]
        or technology == rules.technology_with[effects.DIESEL_POWER]
    ):
        return view.trains[view.current] // TRAINS_PER_ROUTE
    if technology == rules.technology_with[effects.DOUBLE_HEADING]:
        return 2 * view.ticket_count[view.current]
    return 0
