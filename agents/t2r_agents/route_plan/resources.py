"""What the seat has, and what planned routes take of it: cards, trains, technologies."""

from t2r_agents.route_plan.records import Plan
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules.cards import CARD_TYPES, LOCOMOTIVE
from t2r_env.rules.map_game import board, racks, technologies
from t2r_env.rules.map_game.board import GRAY, NO_ROUTE
from t2r_env.rules.map_game.modules import MapRules, MapState

MANY_CARDS = 10_000
"""More cards than any route takes, and than any plan lacks."""


@inlined
def is_paying_for_route(view: MapState) -> bool:
    """Whether a claim is being paid for; its route counts as the seat's own."""
    return view.phase == board.phases.PAY and view.route != NO_ROUTE


@compiled
def count_resources(view: MapState, rules: MapRules, plan: Plan) -> None:
    """Have all cards and trains spare but the trains of a route that is being paid for."""
    seat = view.current
    for card in range(CARD_TYPES):
        plan.spare_cards[card] = racks.held(view, rules, seat, card)
    plan.technologies = bits.NONE
    plan.spare_trains = view.trains[seat]
    if is_paying_for_route(view):
        plan.spare_trains -= rules.route_trains[view.route]


@compiled
def add_route(view: MapState, rules: MapRules, plan: Plan, route: int) -> None:
    """Plan a route: reserve the trains, cards and technologies that it takes."""
    bits.add(plan.routes, route)
    plan.spare_trains -= rules.route_trains[route]
    plan.spare_cards[payment_colour(rules, plan, route)] -= rules.route_length[route] - rules.route_ferry[route]
    plan.spare_cards[LOCOMOTIVE] -= rules.route_ferry[route]
    for technology in range(rules.num_technologies):
        if needs_technology(view, rules, plan, route, technology):
            plan.technologies |= bits.bit(technology)
            plan.spare_cards[LOCOMOTIVE] -= rules.technology_price[technology]


@compiled
def needs_technology(view: MapState, rules: MapRules, plan: Plan, route: int, technology: int) -> bool:
    """Whether a route needs a technology that the seat neither has nor plans."""
    is_had_or_planned = (
        technologies.holds(view, view.current, technology) or bits.bit(technology) & plan.technologies != bits.NONE
    )
    return not is_had_or_planned and bits.contains(rules.takes_technology[technology], route)


@compiled
def payment_colour(rules: MapRules, plan: Plan, route: int) -> int:
    """The route's colour; for a gray route the colour with the most spare cards."""
    if rules.route_colour[route] != GRAY:
        return rules.route_colour[route]
    return best_colour(plan)


@compiled
def best_colour(plan: Plan) -> int:
    """The colour with the most spare cards."""
    colour = 0
    for other in range(1, LOCOMOTIVE):
        if plan.spare_cards[other] > plan.spare_cards[colour]:
            colour = other
    return colour


@compiled
def reserve_for_station(rules: MapRules, plan: Plan, number: int) -> None:
    """Reserve the cards for the station of this number."""
    plan.spare_cards[best_colour(plan)] -= rules.station_price[number]


@compiled
def missing_cards(rules: MapRules, plan: Plan, route: int) -> int:
    """How many cards a route takes beyond the spare ones."""
    spare = max(0, plan.spare_cards[payment_colour(rules, plan, route)])
    spare_locomotives = max(0, plan.spare_cards[LOCOMOTIVE])
    symbols = rules.route_ferry[route]
    return max(0, rules.route_length[route] - symbols - spare) + max(0, symbols - spare_locomotives)
