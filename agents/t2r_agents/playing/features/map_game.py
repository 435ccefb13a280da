"""The features `plan` of map games.

The features of the seat's present network (routes, ways of its tickets) are computed first, then the plan. Functions
take their arguments in the order of `planner.map_game`; `probe` is a second plan, in which the cards of a few routes
are counted, and `at` says where the segments begin.
"""

import numpy as np

from t2r_agents.playing.features.segments import put, segments
from t2r_agents.playing.planner.map_game import decide_begun
from t2r_agents.playing.planner.map_game.paths import UNREACHABLE, distance_to, follow_path, price_first
from t2r_agents.playing.planner.map_game.planning import find_end, plan_points, plan_tickets, route_points
from t2r_agents.playing.planner.map_game.position import (
    add_route,
    begin_plan,
    clear_plan,
    count_resources,
    ends,
    held_tickets,
    missing_cards,
    payment_colour,
)
from t2r_agents.playing.planner.map_game.records import Parameters, Plan
from t2r_env import Configuration
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.core.layout import Part
from t2r_env.core.records import Array
from t2r_env.rules.cards import CARD_TYPES, EMPTY, FACE_UP_SLOTS, LOCOMOTIVE
from t2r_env.rules.map_game import exchange, payments
from t2r_env.rules.map_game.locomotives import pay_for_route
from t2r_env.rules.map_game.records import MapRules, MapState
from t2r_env.rules.names import phases
from t2r_env.variants.variant import MapVariant

READY = 8
"""The readiness of a route for which no card is missing."""
OFFER_COLUMNS = 5
POINTS, TRAINS, ADDED_TRAINS, ADDED_CARDS, FITS = range(OFFER_COLUMNS)
CARDS_PER_TURN = 2


def lay_out(configuration: Configuration) -> list[Part]:
    """Return the segments after that of the planner's action; those with a length of 0 are left out."""
    variant = configuration.variant
    assert isinstance(variant, MapVariant)
    rules, routes, tickets = configuration.rules[0], len(variant.routes), configuration.num_tickets
    companies, technologies = int(rules["num_companies"]), int(rules["num_technologies"])
    stations, has_values = bool(rules["num_stations"]), companies > 0 or bool(rules["attractions"])
    offered = max(int(rules["starting_offer"]) + int(rules["long_offer"]), int(rules["later_offer"]))
    of_whom = "held, on the rack or kept of an offer" if rules["num_racks"] else "held, or kept of an offer"
    held = f"for each ticket {of_whom}"
    of_offer = "its points, the trains of its shortest way, the trains and the cards that it adds to the plan, and"
    return [
        (segments.ROUTES_PLANNED, (routes,), "2 for each route planned for a ticket, 1 for one planned for its points"),
        (
            segments.ROUTE_READINESS,
            (routes,),
            f"for each route open to the seat, within its trains: {READY} less the cards that it lacks for this route"
            " alone and for technologies that the route needs, at least 1; 0 if it is not open",
        ),
        (
            segments.ROUTE_CONTESTED,
            (routes,),
            "for each route open to the seat, within its trains: how many of its cities opponents' routes touch",
        ),
        (
            segments.ROUTE_POINTS,
            (routes * has_values,),
            "for each route open to the seat, within its trains: the points that it would bring now, with those of"
            " mountains, attractions and the next share",
        ),
        (segments.SHARE_POINTS, (companies,), "the points that each company's next share is worth to the seat"),
        (segments.TECHNOLOGIES_PLANNED, (technologies,), "technologies that planned routes need, not yet bought"),
        (segments.STATIONS_PLANNED, (len(variant.cities) * stations,), "cities where a station is planned (EU6)"),
        (
            segments.ROUTES_USED,
            (routes * stations,),
            "routes of others that stations, built or planned, use in the plan",
        ),
        (segments.CLAIMS_PLANNED, (2,), "planned routes: those for tickets, those for their points"),
        (
            segments.MISSING_BY_COLOUR,
            (CARD_TYPES,),
            "cards that the plan lacks, by colour; gray routes count in the colour of which most was left",
        ),
        (segments.SPARE_BY_COLOUR, (CARD_TYPES,), "cards that the plan leaves, by colour"),
        (
            segments.PLAN_MISSING,
            (2,),
            "cards missing in all, locomotives standing in: for the routes for tickets, for the whole plan",
        ),
        (
            segments.TURNS_FOR_PLAN,
            (2,),
            f"turns that it takes to draw these cards, {CARDS_PER_TURN} a turn, and to claim the routes: for tickets,"
            " for the whole plan",
        ),
        (segments.TRAINS_AFTER_PLAN, (2,), "trains left after the routes for tickets, after the whole plan"),
        (
            segments.TRAINS_TO_LAST_ROUND,
            (2,),
            "trains that must be placed before the last round begins (C15): by the team that has the fewest, by the"
            " seat's own",
        ),
        (
            segments.FACE_UP_MISSING,
            (FACE_UP_SLOTS,),
            "for each face-up card: how many of its colour the plan lacks; for a locomotive, of all colours",
        ),
        (segments.TICKETS_COMPLETE, (tickets,), f"{held}: 1 if it is complete"),
        (segments.TICKETS_PLANNED, (tickets,), f"{held}: 1 if it is not complete, but the plan completes it"),
        (segments.TICKETS_IMPOSSIBLE, (tickets,), f"{held}: 1 if no way is left within the seat's trains"),
        (segments.TICKET_TRAINS, (tickets,), f"{held}, if possible: the trains that its shortest way still takes"),
        (segments.TICKET_CARDS, (tickets,), f"{held}, if possible: the cards that the seat lacks for this way"),
        (
            segments.POINTS_AT_STAKE,
            (3,),
            f"points of the tickets {of_whom}: of the complete ones, of those that the plan completes, of the others",
        ),
        (
            segments.OFFER,
            (offered, OFFER_COLUMNS),
            f"for each ticket on offer that is not yet decided on, the subject first: {of_offer} 1 if trains suffice",
        ),
    ]


@compiled
def make_plan_and_decide(view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan) -> int:
    """Return the planner's action, and leave the plan of the tickets held and kept in `plan`."""
    action = decide_begun(view, mask, rules, parameters, plan)
    has_plan = (
        view.phase == phases.TURN
        or view.phase == phases.SECOND_CARD
        or view.phase == phases.PAY
        or view.phase == phases.PLACE
        or view.phase == phases.SECOND_CLAIM
    )
    if not has_plan:
        clear_plan(view, rules, plan)
        for ticket in range(rules.num_tickets):
            if _is_own_ticket(view, rules, ticket):
                bits.add(plan.unplanned_tickets, ticket)
        plan_tickets(view, rules, parameters, plan)
        plan_points(view, rules, parameters, plan)
    return action


@compiled
def write(
    view: MapState,
    mask: Array,
    rules: MapRules,
    parameters: Parameters,
    plan: Plan,
    probe: Plan,
    at: Array,
    vector: Array,
) -> None:
    """Write the features of a decision into a vector."""
    begin_plan(view, rules, parameters, plan)
    price_first(rules, parameters, plan)
    _write_routes(view, rules, plan, at, vector)
    _write_ways(view, rules, parameters, plan, probe, at, vector)
    _write_offer(view, rules, parameters, plan, at, vector)
    action = make_plan_and_decide(view, mask, rules, parameters, plan)
    vector[at[segments.PLANNER_ACTION] + action] = 1
    _write_plan(view, rules, plan, probe, at, vector)
    _write_tickets_planned(view, rules, plan, at, vector)
    _write_added(view, rules, parameters, plan, probe, at, vector)
    _write_end(view, rules, at, vector)


# Routes


@compiled
def _write_routes(view: MapState, rules: MapRules, plan: Plan, at: Array, vector: Array) -> None:
    """Write the cost and the gain of each open route for the seat's present network."""
    cities = bits.NONE  # that routes of other teams touch
    for seat in range(rules.num_seats):
        if rules.team[seat] != rules.team[view.current]:
            cities |= plan.networks[seat]
    for i in range(plan.num_candidates):
        route = plan.edge_route[i]
        readiness = READY - _cards_lacking(view, rules, plan, route)
        vector[at[segments.ROUTE_READINESS] + route] = max(1, readiness)
        vector[at[segments.ROUTE_CONTESTED] + route] = count_bits(ends(rules, route) & cities)
        if at[segments.ROUTE_POINTS] >= 0:
            put(vector, at[segments.ROUTE_POINTS] + route, route_points(rules, plan, route))
    for company in range(rules.num_companies):
        put(vector, at[segments.SHARE_POINTS] + company, plan.share_value[company])


@compiled
def _cards_lacking(view: MapState, rules: MapRules, plan: Plan, route: int) -> int:
    """Return how many cards the seat lacks for a route and its technologies; exchanges stand in (UK5).

    Nothing is planned yet: all its cards are spare.
    """
    seat = view.current
    coloured = plan.spare_cards[payment_colour(rules, plan, route)]
    takes_locomotives = pay_for_route(rules, route)
    locomotives = plan.spare_cards[LOCOMOTIVE] if takes_locomotives else 0
    if rules.route_exchange[route] > 0:
        for_one = exchange.rate_of(view, rules, seat, rules.route_exchange[route])
        cards = exchange.coloured_cards(view, seat) if takes_locomotives else view.hand_count[seat]
        locomotives += (cards - coloured) // for_one if for_one > 0 else 0
    for technology in range(rules.num_technologies):
        is_held = (view.technologies[seat] >> technology) & 1
        if not is_held and bits.contains(rules.takes_technology[technology], route):
            locomotives -= rules.technology_price[technology]
    price = payments.route_price(view, rules, seat, route)
    return max(0, price - coloured - locomotives, rules.route_ferry[route] - locomotives)


# Tickets


@compiled
def _is_own_ticket(view: MapState, rules: MapRules, ticket: int) -> bool:
    """Whether a ticket is held, on the rack, or on offer and kept."""
    seat = view.current
    if held_tickets(view, rules, ticket >> 6) & bits.bit(ticket & 63) != bits.NONE:
        return True
    for index in range(view.offered_count[seat]):
        if (view.kept[seat] >> index) & 1 and view.offered[seat, index] == ticket:
            return True
    return False


@compiled
def _write_ways(
    view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, probe: Plan, at: Array, vector: Array
) -> None:
    """Write for each of the seat's tickets whether it is complete, and the cost of its shortest way."""
    for ticket in range(rules.num_tickets):
        if _is_own_ticket(view, rules, ticket):
            distance = _follow_way(rules, parameters, plan, ticket)
            if distance >= UNREACHABLE or plan.path_trains > plan.spare_trains:
                vector[at[segments.TICKETS_IMPOSSIBLE] + ticket] = 1
            elif distance == 0:
                vector[at[segments.TICKETS_COMPLETE] + ticket] = 1
            else:
                count_resources(view, rules, probe)
                _add_path(view, rules, plan, probe)
                put(vector, at[segments.TICKET_TRAINS] + ticket, plan.path_trains)
                put(vector, at[segments.TICKET_CARDS] + ticket, missing_cards(probe))


@compiled
def _follow_way(rules: MapRules, parameters: Parameters, plan: Plan, ticket: int) -> int:
    """Follow a ticket's best way, write its points for it into the plan, and return the cost."""
    end, plan.points_if_joined, plan.points_otherwise = find_end(rules, parameters, plan, ticket)
    follow_path(rules, plan, end)
    return distance_to(plan, end)


@compiled
def _add_path(view: MapState, rules: MapRules, plan: Plan, probe: Plan) -> None:
    """Add the routes of the path that was followed last to the probe."""
    for i in range(plan.path_length):
        if not bits.contains(plan.usable_routes, plan.path_route[i]):
            add_route(view, rules, probe, plan.path_route[i])


@compiled
def _write_tickets_planned(view: MapState, rules: MapRules, plan: Plan, at: Array, vector: Array) -> None:
    """Write which tickets the plan completes, and the points at stake."""
    complete, planned, others = 0, 0, 0
    for ticket in range(rules.num_tickets):
        if _is_own_ticket(view, rules, ticket):
            points = _points_joined(rules, plan, ticket)
            if vector[at[segments.TICKETS_COMPLETE] + ticket]:
                complete += points
            elif points > 0:
                planned += points
                vector[at[segments.TICKETS_PLANNED] + ticket] = 1
            else:
                others += rules.ticket_points[ticket]
    put(vector, at[segments.POINTS_AT_STAKE], complete)
    put(vector, at[segments.POINTS_AT_STAKE] + 1, planned)
    put(vector, at[segments.POINTS_AT_STAKE] + 2, others)


@compiled
def _points_joined(rules: MapRules, plan: Plan, ticket: int) -> int:
    """Return the points of a ticket that the plan completes, those of the best country joined (SW8); else 0."""
    if rules.num_destinations[ticket] == 0:
        is_joined = _are_joined(plan, rules.ticket_a[ticket], rules.ticket_b[ticket])
        return rules.ticket_points[ticket] if is_joined else 0
    best = 0
    for index in range(rules.num_destinations[ticket]):
        if _are_joined(plan, rules.ticket_a[ticket], rules.destination[ticket, index]):
            best = max(best, rules.destination_points[ticket, index])
    return best


@compiled
def _are_joined(plan: Plan, starts: np.uint64, goals: np.uint64) -> bool:
    """Whether one of these cities is joined to one of those."""
    while starts != bits.NONE:
        component = plan.component[lowest_bit(starts)]
        starts = bits.without_lowest(starts)
        left = goals
        while left != bits.NONE:
            if plan.component[lowest_bit(left)] == component:
                return True
            left = bits.without_lowest(left)
    return False


@compiled
def _write_offer(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, at: Array, vector: Array) -> None:
    """Write the points of the tickets that are not yet decided on, and the trains of their shortest ways."""
    if view.phase == phases.KEEP_TICKET:
        for index in range(view.offer_index, view.offered_count[view.current]):
            ticket = view.offered[view.current, index]
            start = at[segments.OFFER] + (index - view.offer_index) * OFFER_COLUMNS
            _follow_way(rules, parameters, plan, ticket)
            put(vector, start + POINTS, plan.points_if_joined)
            put(vector, start + TRAINS, plan.path_trains)


@compiled
def _write_added(
    view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, probe: Plan, at: Array, vector: Array
) -> None:
    """Write how much each ticket that is not yet decided on adds to the plan by itself."""
    if view.phase == phases.KEEP_TICKET:
        for index in range(view.offer_index, view.offered_count[view.current]):
            ticket = view.offered[view.current, index]
            start = at[segments.OFFER] + (index - view.offer_index) * OFFER_COLUMNS
            distance = _follow_way(rules, parameters, plan, ticket)
            _count_ticket_routes(view, rules, plan, probe)
            missing, trains_left = missing_cards(probe), probe.spare_trains
            _add_path(view, rules, plan, probe)
            put(vector, start + ADDED_TRAINS, plan.path_trains)
            put(vector, start + ADDED_CARDS, missing_cards(probe) - missing)
            vector[start + FITS] = 1 if distance < UNREACHABLE and plan.path_trains <= trains_left else 0


@compiled
def _count_ticket_routes(view: MapState, rules: MapRules, plan: Plan, probe: Plan) -> None:
    count_resources(view, rules, probe)
    for route in bits.members(plan.ticket_routes):
        add_route(view, rules, probe, route)


# The plan


@compiled
def _write_plan(view: MapState, rules: MapRules, plan: Plan, probe: Plan, at: Array, vector: Array) -> None:
    _count_ticket_routes(view, rules, plan, probe)
    for_tickets = bits.count(plan.ticket_routes)
    claims = bits.count(plan.routes)
    for route in bits.members(plan.routes):
        vector[at[segments.ROUTES_PLANNED] + route] = 2 if bits.contains(plan.ticket_routes, route) else 1
    if rules.num_stations > 0:
        for route in bits.members(plan.used_routes):
            vector[at[segments.ROUTES_USED] + route] = 1
        for city in bits.ones(plan.stations):
            vector[at[segments.STATIONS_PLANNED] + city] = 1
    for technology in bits.ones(plan.technologies):
        vector[at[segments.TECHNOLOGIES_PLANNED] + technology] = 1
    missing_for_tickets, missing = missing_cards(probe), missing_cards(plan)
    for card in range(CARD_TYPES):
        put(vector, at[segments.MISSING_BY_COLOUR] + card, -plan.spare_cards[card])
        put(vector, at[segments.SPARE_BY_COLOUR] + card, plan.spare_cards[card])
    for slot in range(FACE_UP_SLOTS):
        card = view.face_up[slot]
        if card != EMPTY:
            lacking = missing if card == LOCOMOTIVE else -plan.spare_cards[card]
            put(vector, at[segments.FACE_UP_MISSING] + slot, lacking)
    _put_pair(vector, at[segments.CLAIMS_PLANNED], for_tickets, claims - for_tickets)
    _put_pair(vector, at[segments.PLAN_MISSING], missing_for_tickets, missing)
    _put_pair(vector, at[segments.TRAINS_AFTER_PLAN], probe.spare_trains, plan.spare_trains)
    _put_pair(vector, at[segments.TURNS_FOR_PLAN], for_tickets + _turns(missing_for_tickets), claims + _turns(missing))


@inlined
def _put_pair(vector: Array, start: int, first: int, second: int) -> None:
    put(vector, start, first)
    put(vector, start + 1, second)


@inlined
def _turns(cards: int) -> int:
    return (cards + CARDS_PER_TURN - 1) // CARDS_PER_TURN


@compiled
def _write_end(view: MapState, rules: MapRules, at: Array, vector: Array) -> None:
    """Write how close the last round is."""
    fewest, own = 255, 255
    for team in range(rules.num_teams):
        trains = -rules.last_round_trains
        for seat in range(rules.num_seats):
            if rules.team[seat] == team:
                trains += view.trains[seat]
        fewest = min(fewest, trains)
        if team == rules.team[view.current]:
            own = trains
    _put_pair(vector, at[segments.TRAINS_TO_LAST_ROUND], fewest, own)
