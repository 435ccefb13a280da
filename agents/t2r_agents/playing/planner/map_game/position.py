"""The start of a plan: the seat's cards, trains, network, time and shares; and how much of them planned routes take."""

import numpy as np

from t2r_agents.playing.planner.map_game.records import FIRST, LATER, Parameters, Plan
from t2r_env.agents import Array
from t2r_env.basics.sizes import MAX_LENGTH
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined, lowest_bit
from t2r_env.rules.cards import CARD_TYPES, LOCOMOTIVE
from t2r_env.rules.map_game import payments, shares, stations, technologies
from t2r_env.rules.map_game.locomotives import pay_for_route
from t2r_env.rules.map_game.records import GRAY, NO_CITY, NO_ROUTE, ROUTE_WORDS, MapRules, MapState
from t2r_env.rules.names import phases
from t2r_env.rules.state import TICKET_WORDS

HALF_TURNS_PER_CLAIM = 2
"""The cost of a claim. A turn has two halves, since two cards are drawn in one."""
QUARTERS = 4
"""The unit of costs: quarters of a card."""
CARDS_PER_TUNNEL = 4
"""The number of cards revealed by a tunnel for each one to be paid, on average."""
ANY_NUMBER = 1000
"""More locomotives than there are."""
ALWAYS = 100
"""More turns than any plan takes."""


@compiled
def begin_plan(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan) -> None:
    """Write what all plans of a decision start from, and start one."""
    plan.turns_left = turns_left(view, rules, parameters)
    for other in range(rules.num_seats):
        plan.networks[other] = bits.NONE
        for city in range(rules.num_cities):
            if intersect(view.claimed[other], rules.touching[city]):
                plan.networks[other] |= bits.bit(city)
    clear_plan(view, rules, plan)
    _value_shares(view, rules, plan)
    _list_edges(view, rules, parameters, plan)
    plan.prices = LATER  # the first are not known yet
    for row in range(rules.num_cities):
        plan.paths_from[FIRST, row] = bits.NONE


@compiled
def clear_plan(view: MapState, rules: MapRules, plan: Plan) -> None:
    """Start from an empty plan; a route or a station that is being paid for counts as the seat's own."""
    seat = view.current
    count_resources(view, rules, plan)
    plan.ticket_value = 0
    plan.half_turns = 0
    plan.open_routes = 0
    for word in range(ROUTE_WORDS):
        plan.ticket_routes[word] = bits.NONE
        plan.routes[word] = bits.NONE
        plan.used_routes[word] = bits.NONE
    for word in range(TICKET_WORDS):
        plan.unplanned_tickets[word] = held_tickets(view, rules, word)
    for city in range(rules.num_cities):
        plan.component[city] = view.component[rules.team[seat], city]
    plan.network = bits.NONE
    for other in range(rules.num_seats):
        if rules.team[other] == rules.team[seat]:
            plan.network |= plan.networks[other]
    if is_paying_for_route(view):
        connect(rules, plan, view.route)
    plan.stations = bits.NONE
    plan.may_use = rules.num_stations
    if rules.num_stations > 0:
        plan.cities_taken = stations.cities_taken(view, rules)
        plan.free_stations = own_stations(view)
        plan.num_stations = payments.stations_built(view, seat)
        if view.city != NO_CITY:  # it is being paid for
            plan.cities_taken |= bits.bit(view.city)
            plan.free_stations |= bits.bit(view.city)
            plan.num_stations += 1


@inlined
def is_paying_for_route(view: MapState) -> bool:
    """Whether a claim is being paid for; its route counts as the seat's own."""
    return view.phase == phases.PAY and view.route != NO_ROUTE


@inlined
def held_tickets(view: MapState, rules: MapRules, word: int) -> np.uint64:
    """Return a word of the set of tickets that the seat holds, on the rack included."""
    tickets = view.tickets[view.current, word]
    if rules.num_racks > 0:
        tickets |= view.rack_tickets[rules.team[view.current], word]
    return tickets


@inlined
def ends(rules: MapRules, route: int) -> np.uint64:
    """Return the two cities of a route, as a set."""
    return bits.bit(rules.route_a[route]) | bits.bit(rules.route_b[route])


@inlined
def intersect(routes: Array, others: Array) -> bool:
    """Whether two sets have a route in common."""
    return routes[0] & others[0] != bits.NONE or routes[1] & others[1] != bits.NONE


@compiled
def connect(rules: MapRules, plan: Plan, route: int) -> None:
    """Merge the components of a route's two cities."""
    component = plan.component[rules.route_a[route]]
    merged = plan.component[rules.route_b[route]]
    for city in range(rules.num_cities):
        if plan.component[city] == merged:
            plan.component[city] = component


# Edges


@compiled
def _list_edges(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan) -> None:
    """List the routes that the seat may claim, now or later, within its trains; and those that stations may use."""
    seat = view.current
    plan.num_edges = 0
    for word in range(ROUTE_WORDS):
        routes = view.open[seat, word] & rules.up_to_trains[min(plan.spare_trains, MAX_LENGTH), word]
        if is_paying_for_route(view):
            routes &= ~rules.parallel[view.route, word]
        _add_edges(rules, plan, word, routes)
        plan.usable_routes[word] = bits.NONE
    plan.num_candidates = plan.num_edges
    for i in range(plan.num_candidates):
        route = plan.edge_route[i]
        cost = parameters.claim_cost + parameters.train_cost * rules.route_trains[route]
        cost += parameters.locomotive_cost * rules.route_ferry[route]
        plan.edge_base[i] = cost + QUARTERS * (rules.route_tunnel[route] // CARDS_PER_TUNNEL)
        plan.edge_discount[i] = parameters.point_discount * rules.points[rules.route_length[route]]
        plan.edge_colour[i] = rules.route_colour[route]
        plan.edge_cards[i] = rules.route_length[route] - rules.route_ferry[route]
        plan.edge_trains[i] = rules.route_trains[route]
        plan.edge_points[i] = points_without_attractions(rules, plan, route)
        plan.edge_technologies[i] = bits.NONE
        for technology in range(rules.num_technologies):
            if needs_technology(view, rules, plan, route, technology):
                plan.edge_technologies[i] |= bits.bit(technology)
    if rules.num_stations > 0:
        for other in range(rules.num_seats):
            if other != seat:
                for word in range(ROUTE_WORDS):
                    plan.usable_routes[word] |= view.claimed[other, word]
                    _add_edges(rules, plan, word, view.claimed[other, word])


@compiled
def _add_edges(rules: MapRules, plan: Plan, word: int, routes: np.uint64) -> None:
    while routes != bits.NONE:
        route = 64 * word + lowest_bit(routes)
        plan.edge_route[plan.num_edges] = route
        plan.edge_city_a[plan.num_edges] = rules.route_a[route]
        plan.edge_city_b[plan.num_edges] = rules.route_b[route]
        plan.num_edges += 1
        routes = bits.without_lowest(routes)


@inlined
def own_stations(view: MapState) -> np.uint64:
    """Return the cities with a station of the acting seat."""
    cities = bits.NONE
    for city in view.stations[view.current]:
        if city != NO_CITY:
            cities |= bits.bit(city)
    return cities


# Cards, trains and technologies


@compiled
def count_resources(view: MapState, rules: MapRules, plan: Plan) -> None:
    """Write all cards and trains as spare, except the trains of a route that is being paid for."""
    seat = view.current
    for card in range(CARD_TYPES):
        plan.spare_cards[card] = payments.held(view, rules, seat, card)
    plan.gray_colour = _best_colour(plan)
    plan.technologies = bits.NONE
    plan.most_locomotives = 0 if rules.limits_locomotives else ANY_NUMBER
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
    if rules.limits_locomotives and pay_for_route(rules, route):
        plan.most_locomotives += rules.route_length[route] - rules.route_ferry[route]
    plan.gray_colour = _best_colour(plan)
    for technology in range(rules.num_technologies):
        if needs_technology(view, rules, plan, route, technology):
            plan.technologies |= bits.bit(technology)
            plan.spare_cards[LOCOMOTIVE] -= rules.technology_price[technology]


@inlined
def needs_technology(view: MapState, rules: MapRules, plan: Plan, route: int, technology: int) -> bool:
    """Whether a route needs a technology that the seat neither has nor plans."""
    is_had_or_planned = (
        technologies.holds(view, view.current, technology) or bits.bit(technology) & plan.technologies != bits.NONE
    )
    return not is_had_or_planned and bits.contains(rules.takes_technology[technology], route)


@compiled
def reserve_for_station(rules: MapRules, plan: Plan, number: int) -> None:
    """Reserve the cards for the station of this number."""
    plan.spare_cards[plan.gray_colour] -= rules.station_price[number]
    plan.gray_colour = _best_colour(plan)


@inlined
def payment_colour(rules: MapRules, plan: Plan, route: int) -> int:
    """Return the colour in which a route is best paid: its own, or that of which most cards are spare."""
    return plan.gray_colour if rules.route_colour[route] == GRAY else rules.route_colour[route]


@inlined
def _best_colour(plan: Plan) -> int:
    colour = 0
    for other in range(1, LOCOMOTIVE):
        if plan.spare_cards[other] > plan.spare_cards[colour]:
            colour = other
    return colour


@compiled
def missing_cards(plan: Plan) -> int:
    """Return how many cards the plan takes that the seat does not hold; spare locomotives stand in where they may."""
    missing = 0
    for colour in range(LOCOMOTIVE):
        missing += max(0, -plan.spare_cards[colour])
    return max(0, missing - min(plan.spare_cards[LOCOMOTIVE], plan.most_locomotives))


@inlined
def missing_for_route(rules: MapRules, plan: Plan, route: int) -> int:
    """Return the cards that spare ones of the best colour lack for a route; locomotives are left for symbols."""
    spare = max(0, plan.spare_cards[payment_colour(rules, plan, route)])
    return max(0, rules.route_length[route] - rules.route_ferry[route] - spare)


@inlined
def missing_for_edge(plan: Plan, i: int) -> int:
    """Return the same for a route that the seat may claim."""
    colour = plan.gray_colour if plan.edge_colour[i] == GRAY else plan.edge_colour[i]
    return max(0, plan.edge_cards[i] - max(0, plan.spare_cards[np.uint64(colour)]))


@inlined
def missing_for_station(rules: MapRules, plan: Plan, number: int) -> int:
    """Return the cards that spare ones of the best colour lack for the station of this number."""
    return max(0, rules.station_price[number] - max(0, plan.spare_cards[plan.gray_colour]))


# Time


@compiled
def turns_left(view: MapState, rules: MapRules, parameters: Parameters) -> int:
    """Return how many turns the seat will have, this one included, if opponents go on at the usual pace (C15)."""
    if view.last_turns_left > 0:
        return 1
    turns = ALWAYS
    spent = parameters.trains_per_100_turns * (rules.num_seats // rules.num_teams)
    for seat in range(rules.num_seats):
        if rules.team[seat] != rules.team[view.current]:
            trains = -rules.last_round_trains
            for other in range(rules.num_seats):
                if rules.team[other] == rules.team[seat]:
                    trains += view.trains[other]
            turns = min(turns, 1 + (100 * max(0, trains) + spent - 1) // spent)
    return turns


@inlined
def has_time(plan: Plan, parameters: Parameters, half_turns: int) -> bool:
    """Whether a plan that takes this many half turns can be carried out in time."""
    return half_turns <= 2 * plan.turns_left + parameters.slack


# Shares of companies (PA4)


@compiled
def _value_shares(view: MapState, rules: MapRules, plan: Plan) -> None:
    """Copy everybody's shares, and write what each company's next share brings the seat, in points."""
    for holder in range(plan.shares.size):
        plan.shares[holder] = view.shares[holder]
    for company in range(rules.num_companies):
        plan.share_value[company] = 0
        if view.shares_left & rules.company_shares[company] != bits.NONE:
            gain = share_gain(view, rules, plan, view.current, company)
            plan.share_value[company] = gain // (rules.num_seats - 1)


@inlined
def points_without_attractions(rules: MapRules, plan: Plan, route: int) -> int:
    """Return the points of a route: its spaces, its mountains, and a share."""
    points = rules.points[rules.route_length[route]]
    points += rules.mountain_points * (rules.route_trains[route] - rules.route_length[route])
    share = 0
    for company in range(rules.num_companies):
        if rules.route_shares[route] & rules.company_shares[company] != bits.NONE:
            share = max(share, plan.share_value[company])
    return points + share


@compiled
def share_gain(view: MapState, rules: MapRules, plan: Plan, holder: int, company: int) -> int:
    """Return by how much the seat's lead in a company's payment grows if the holder gets the company's next share.

    The lead is over the mean of the others' payments, times their number.
    """
    before = _lead(view, rules, plan, company)
    held = plan.shares[holder]
    plan.shares[holder] = held | bits.lowest(view.shares_left & rules.company_shares[company])
    after = _lead(view, rules, plan, company)
    plan.shares[holder] = held
    return after - before


@compiled
def _lead(view: MapState, rules: MapRules, plan: Plan, company: int) -> int:
    lead = 0
    for seat in range(rules.num_seats):
        weight = rules.num_seats - 1 if seat == view.current else -1
        lead += weight * shares.payout(plan.shares, rules, seat, company)
    return lead
