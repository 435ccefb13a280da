"""The plan of a map game, which agents make from what their seat may know: routes for tickets, and routes for points.

- The cheapest ways, over own routes and those still open, that complete its tickets, the nearest first; a ticket for
  which the trains are too few is given up.
- With the trains left over, the routes that bring the most points, mountains, attractions and shares included.

What agents differ in are their `TASTES`; those of which an agent says nothing are `USUAL`.
"""

import numpy as np

from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.core.records import WORD, Field, Record, record_dtype
from t2r_env.rules.cards import CARD_TYPES, LOCOMOTIVE
from t2r_env.rules.map_game import racks, shares, technologies
from t2r_env.rules.map_game.attractions import parts as attraction_parts
from t2r_env.rules.map_game.board import GRAY, NO_ROUTE, ROUTE_WORDS
from t2r_env.rules.map_game.board import phases as board_phases
from t2r_env.rules.state import TICKET_WORDS
from t2r_env.sizes import MAX_CITIES, MAX_COMPANIES, MAX_LENGTH, MAX_ROUTES, MAX_SEATS, MAX_TICKETS

TECHNOLOGY_PRICE = 12
"""What each locomotive of a technology costs that a route takes and the seat has not."""
FAR = 10_000
"""The price of what can't be had."""

TASTES: list[Field] = [
    # What a route costs, in quarters of a card
    ("claim_price", "i8"),  # for the turn that it is claimed in
    ("train_price", "i8"),  # for each train
    ("locomotive_price", "i8"),  # for each locomotive symbol
    ("points_price", "i8"),  # taken off for each point that it brings
    # Of its trains one part in so many is left out when it chooses tickets: others may take routes of a plan
    ("reserve", "i8"),
    ("aims", "i8"),  # tickets that it plans at a time, besides those completed
    # It draws tickets while it holds fewer, completed or not, than so many for a hundred trains of the set-up
    ("hunger", "i8"),
    ("trains_for_tickets", "i8"),  # it draws more when all are done and it has so many trains left at least
    ("likes_length", "i8"),  # 1: of the routes planned it claims the longest, and waits with the others
    # Who waits with claims (agents/planner/map_game.py) waits no more,
    ("lacking_allowed", "i8"),  # when no more cards than so many are lacking for all that is planned
    ("end_is_near", "i8"),  # when somebody has no more trains than so many
    ("largest_hand", "i8"),  # when it holds more cards than this
    ("long_route", "i8"),  # and with routes of so many spaces and more, which others want too
]
"""What agents may differ in; the first fields of a plan."""

USUAL = {
    "claim_price": 4,
    "train_price": 4,
    "locomotive_price": 4,
    "points_price": 0,
    "reserve": 2,
    "aims": MAX_TICKETS,
    "hunger": 0,
    "trains_for_tickets": 20,
    "likes_length": 0,
    "lacking_allowed": 0,
    "end_is_near": 0,
    "largest_hand": 0,
    "long_route": 0,
}
"""The tastes of the greedy agent."""

PLAN = record_dtype(
    [
        *TASTES,
        ("candidate", "i8", (MAX_ROUTES,)),  # routes open to the seat, within its trains
        ("price", "i8", (MAX_ROUTES,)),  # of each candidate
        ("candidates", "i8"),
        ("component", "i8", (MAX_CITIES,)),  # cities joined by its routes and those planned share a label
        ("distance", "i8", (MAX_CITIES,)),  # by label: the price of the shortest way
        ("arrived_by", "i8", (MAX_CITIES,)),  # by label: that way's last route, or NO_ROUTE
        ("nearest_by", "i8", (MAX_CITIES,)),  # the same for the nearest ticket so far
        ("tickets", WORD, (TICKET_WORDS,)),  # tickets still to be planned
        ("ticket_routes", WORD, (ROUTE_WORDS,)),  # routes planned for tickets
        ("routes", WORD, (ROUTE_WORDS,)),  # all routes planned
        ("worth", "i8"),  # points of the tickets planned less those given up, and less what the routes cost
        ("spare", "i8", (CARD_TYPES,)),  # its cards less those that the plan takes: where negative, some are lacking
        ("technologies", WORD),  # those that planned routes take and the seat has not
        ("trains", "i8"),  # its trains less those that the plan takes
        ("touched", WORD),  # cities that its routes and those planned touch
        ("holdings", WORD, (MAX_SEATS + 1,)),  # shares, by holder
        ("least_claim", "i8"),  # shorter routes are not claimed now
        ("share_value", "i8", (MAX_COMPANIES,)),  # points that a company's next share brings the seat as things stand
        # Of plans that are kept from decision to decision
        ("is_made", "i8"),  # 1: it was made in this game
        ("tickets_held", "i8"),  # then
        ("trains_held", "i8"),  # then
    ]
)
"""One layout for all agents: what takes plans is compiled once."""


def new_plan(**tastes: int) -> Array:
    """Room for one plan, made with these tastes and otherwise the usual ones: an array of one record."""
    plans = np.zeros(1, PLAN)
    set_tastes(plans, **tastes)
    return plans


def set_tastes(plans: Array, **tastes: int) -> None:
    """Have plans made with these tastes and otherwise the usual ones."""
    for name, taste in (USUAL | tastes).items():
        plans[name] = taste


@compiled
def make_plan(view: Record, rules: Record, plan: Record) -> None:
    """Plan the tickets that are held, or as many as it aims at, and points with the trains left over."""
    begin_plan(view, rules, plan)
    plan_tickets(view, rules, plan)
    value_shares(view, rules, plan)
    _plan_points(view, rules, plan)


@compiled
def begin_plan(view: Record, rules: Record, plan: Record) -> None:
    """Nothing is planned yet; a route that is being paid for counts as the seat's own."""
    seat = view.current
    for city in range(rules.num_cities):
        plan.component[city] = view.component[rules.team[seat], city]
    for word in range(ROUTE_WORDS):
        plan.ticket_routes[word] = bits.NONE
        plan.routes[word] = bits.NONE
    for word in range(TICKET_WORDS):
        plan.tickets[word] = view.tickets[seat, word]
        if rules.num_racks > 0:
            plan.tickets[word] |= view.rack_tickets[rules.team[seat], word]
    for card in range(CARD_TYPES):
        plan.spare[card] = racks.held(view, rules, seat, card)
    plan.technologies = bits.NONE
    plan.trains = view.trains[seat]
    plan.worth = 0
    for holder in range(plan.holdings.size):
        plan.holdings[holder] = view.shares[holder]
    plan.touched = _touched(view, rules, seat) if rules.bonus[attraction_parts.ATTRACTIONS] else bits.NONE
    is_paying = view.phase == board_phases.PAY and view.route != NO_ROUTE
    if is_paying:
        plan.trains -= rules.route_trains[view.route]
        _join(rules, plan, view.route)
    plan.candidates = 0
    for word in range(ROUTE_WORDS):
        routes = view.open[seat, word] & rules.up_to_trains[min(plan.trains, MAX_LENGTH), word]
        if is_paying:
            routes &= ~rules.parallel[view.route, word]
        while routes != bits.NONE:
            plan.candidate[plan.candidates] = 64 * word + lowest_bit(routes)
            plan.candidates += 1
            routes = bits.without_lowest(routes)
    _price_routes(view, rules, plan)


@compiled
def _price_routes(view: Record, rules: Record, plan: Record) -> None:
    """What each candidate costs: the turn, its trains, its symbols, the technologies that are not yet planned."""
    for i in range(plan.candidates):
        route = plan.candidate[i]
        price = plan.claim_price + plan.train_price * rules.route_trains[route]
        price += plan.locomotive_price * rules.route_ferry[route]
        price += 4 * (rules.route_tunnel[route] // 4)  # what is demanded in the mean
        price -= plan.points_price * rules.points[rules.route_length[route]]
        for technology in range(rules.num_technologies):
            if _lacks(view, rules, plan, route, technology):
                price += TECHNOLOGY_PRICE * rules.technology_price[technology]
        plan.price[i] = max(price, 1)


@compiled
def _lacks(view: Record, rules: Record, plan: Record, route: int, technology: int) -> bool:
    """Whether a route takes a technology that the seat has not and that is not yet planned."""
    is_there = (
        technologies.holds(view, view.current, technology) or bits.bit(technology) & plan.technologies != bits.NONE
    )
    return not is_there and bits.contains(rules.takes_technology[technology], route)


@compiled
def plan_tickets(view: Record, rules: Record, plan: Record) -> None:
    """Plan `plan.tickets`, the nearest to completion first: it may bring others nearer."""
    aims = plan.aims
    while True:
        nearest = -1
        nearest_end = 0
        least = 2 * FAR
        for word in range(TICKET_WORDS):
            tickets = plan.tickets[word]
            while tickets != bits.NONE:
                ticket = 64 * word + lowest_bit(tickets)
                tickets = bits.without_lowest(tickets)
                end = _find_ways(rules, plan, rules.ticket_a[ticket], rules.ticket_b[ticket])
                if plan.distance[end] < least:
                    least = plan.distance[end]
                    nearest = ticket
                    nearest_end = end
                    for city in range(rules.num_cities):
                        plan.nearest_by[city] = plan.arrived_by[city]
        if nearest < 0:
            return
        plan.tickets[nearest >> 6] &= ~bits.bit(nearest & 63)
        for city in range(rules.num_cities):
            plan.arrived_by[city] = plan.nearest_by[city]
        is_aim = least == 0 or aims > 0
        if is_aim and least < FAR and _has_trains_for(rules, plan, nearest_end):
            aims -= 1 if least > 0 else 0
            plan.worth += rules.ticket_points[nearest] - least // 8
            _plan_way(view, rules, plan, nearest_end)
        else:
            plan.worth -= rules.ticket_points[nearest]


@compiled
def _find_ways(rules: Record, plan: Record, from_cities: np.uint64, to_cities: np.uint64) -> int:
    """Find the shortest ways from a set of cities; return the label of the nearest city of another set.

    The way leads back over `arrived_by`. Cities that are joined count as one.
    """
    for city in range(rules.num_cities):
        plan.distance[city] = FAR
        plan.arrived_by[city] = NO_ROUTE
    while from_cities != bits.NONE:
        plan.distance[plan.component[lowest_bit(from_cities)]] = 0
        from_cities = bits.without_lowest(from_cities)
    changed = True
    while changed:
        changed = False
        for i in range(plan.candidates):
            route = plan.candidate[i]
            price = plan.price[i]
            a = plan.component[rules.route_a[route]]
            b = plan.component[rules.route_b[route]]
            if plan.distance[a] + price < plan.distance[b]:
                plan.distance[b] = plan.distance[a] + price
                plan.arrived_by[b] = route
                changed = True
            elif plan.distance[b] + price < plan.distance[a]:
                plan.distance[a] = plan.distance[b] + price
                plan.arrived_by[a] = route
                changed = True
    nearest = plan.component[lowest_bit(to_cities)]
    while to_cities != bits.NONE:
        label = plan.component[lowest_bit(to_cities)]
        to_cities = bits.without_lowest(to_cities)
        if plan.distance[label] < plan.distance[nearest]:
            nearest = label
    return nearest


@compiled
def _before(rules: Record, plan: Record, label: int) -> int:
    """The label from which a way comes to this one."""
    route = plan.arrived_by[label]
    a = plan.component[rules.route_a[route]]
    return plan.component[rules.route_b[route]] if a == label else a


@compiled
def _has_trains_for(rules: Record, plan: Record, end: int) -> bool:
    """Whether the trains suffice for the way to `end` besides what is planned."""
    trains = 0
    while plan.arrived_by[end] != NO_ROUTE:
        trains += rules.route_trains[plan.arrived_by[end]]
        end = _before(rules, plan, end)
    return trains <= plan.trains


@compiled
def _plan_way(view: Record, rules: Record, plan: Record, end: int) -> None:
    """Plan the routes of a way; cities are joined only when all of it is known, since that changes labels."""
    way = end
    while plan.arrived_by[way] != NO_ROUTE:
        bits.add(plan.ticket_routes, plan.arrived_by[way])
        way = _before(rules, plan, way)
    for i in range(plan.candidates):
        route = plan.candidate[i]
        if bits.contains(plan.ticket_routes, route) and not bits.contains(plan.routes, route):
            plan_route(view, rules, plan, route)
            _join(rules, plan, route)
    if rules.num_technologies > 0:
        _price_routes(view, rules, plan)


@compiled
def plan_route(view: Record, rules: Record, plan: Record, route: int) -> None:
    """Lay trains and cards aside for a route."""
    bits.add(plan.routes, route)
    plan.trains -= rules.route_trains[route]
    plan.spare[_paying_colour(rules, plan, route)] -= rules.route_length[route] - rules.route_ferry[route]
    plan.spare[LOCOMOTIVE] -= rules.route_ferry[route]
    plan.touched |= ends(rules, route)
    for technology in range(rules.num_technologies):
        if _lacks(view, rules, plan, route, technology):
            plan.technologies |= bits.bit(technology)
            plan.spare[LOCOMOTIVE] -= rules.technology_price[technology]


@compiled
def keep_plan(view: Record, rules: Record, plan: Record) -> bool:
    """Go on with a plan made at an earlier decision: lay trains and cards aside anew for what is left of it.

    False if a new plan is due, since another has claimed a route of it, the trains don't suffice, or nothing is left.
    """
    seat = view.current
    for card in range(CARD_TYPES):
        plan.spare[card] = racks.held(view, rules, seat, card)
    plan.technologies = bits.NONE
    plan.trains = view.trains[seat]
    is_paying = view.phase == board_phases.PAY and view.route != NO_ROUTE
    if is_paying:
        plan.trains -= rules.route_trains[view.route]
    is_left = False
    for word in range(ROUTE_WORDS):
        routes = plan.routes[word] & ~view.claimed[seat, word]
        if routes & ~view.open[seat, word] != bits.NONE:
            return False
        plan.ticket_routes[word] &= ~view.claimed[seat, word]
        while routes != bits.NONE:
            route = 64 * word + lowest_bit(routes)
            routes = bits.without_lowest(routes)
            if not is_paying or route != view.route:
                plan_route(view, rules, plan, route)
            is_left = True
    return is_left and plan.trains >= 0


@compiled
def _join(rules: Record, plan: Record, route: int) -> None:
    label = plan.component[rules.route_a[route]]
    old_label = plan.component[rules.route_b[route]]
    for city in range(rules.num_cities):
        if plan.component[city] == old_label:
            plan.component[city] = label


@compiled
def _paying_colour(rules: Record, plan: Record, route: int) -> int:
    """The route's colour; for a gray one the colour of which most cards are to spare."""
    if rules.route_colour[route] != GRAY:
        return rules.route_colour[route]
    colour = 0
    for other in range(1, LOCOMOTIVE):
        if plan.spare[other] > plan.spare[colour]:
            colour = other
    return colour


@compiled
def _plan_points(view: Record, rules: Record, plan: Record) -> None:
    """With the trains left, plan the routes that bring the most points, where they are equal for the fewest cards."""
    while True:
        chosen = NO_ROUTE
        most = 0
        least = FAR
        for i in range(plan.candidates):
            route = plan.candidate[i]
            if rules.route_trains[route] <= plan.trains and not _meets(plan.routes, rules.parallel[route]):
                points = points_of(rules, plan, route)
                if points >= most and _is_permitted(view, rules, plan, route):
                    lacking = _lacking(rules, plan, route)
                    if points > most or lacking < least:
                        most = points
                        least = lacking
                        chosen = route
        if chosen == NO_ROUTE:
            return
        plan_route(view, rules, plan, chosen)


@inlined
def _is_permitted(view: Record, rules: Record, plan: Record, route: int) -> bool:
    """Whether a route takes no technology but those that the seat has or plans."""
    for technology in range(rules.num_technologies):
        if _lacks(view, rules, plan, route, technology):
            return False
    return True


@compiled
def points_of(rules: Record, plan: Record, route: int) -> int:
    """What a route brings: for its spaces, its mountains, the attractions that it is the first to touch, and a share."""
    points = rules.points[rules.route_length[route]]
    points += rules.mountain_points * (rules.route_trains[route] - rules.route_length[route])
    points += rules.bonus[attraction_parts.ATTRACTIONS] * count_bits(
        ends(rules, route) & rules.attractions & ~plan.touched
    )
    share = 0
    for company in range(rules.num_companies):
        if rules.route_shares[route] & rules.company_shares[company] != bits.NONE:
            share = max(share, plan.share_value[company])
    return points + share


@compiled
def value_shares(view: Record, rules: Record, plan: Record) -> None:
    """Note what each company's next share brings the seat."""
    for company in range(rules.num_companies):
        plan.share_value[company] = 0
        if view.shares_left & rules.company_shares[company] != bits.NONE:
            plan.share_value[company] = gain(view, rules, plan, view.current, company) // (rules.num_seats - 1)


@compiled
def gain(view: Record, rules: Record, plan: Record, holder: int, company: int) -> int:
    """What a company would then pay the seat more and the others, in the mean, less; times the number of others."""
    before = _lead(view, rules, plan, company)
    held = plan.holdings[holder]
    top = bits.bit(lowest_bit(view.shares_left & rules.company_shares[company]))
    plan.holdings[holder] = held | top
    after = _lead(view, rules, plan, company)
    plan.holdings[holder] = held
    return after - before


@compiled
def _lead(view: Record, rules: Record, plan: Record, company: int) -> int:
    lead = 0
    for seat in range(rules.num_seats):
        weight = rules.num_seats - 1 if seat == view.current else -1
        lead += weight * shares.payout(plan.holdings, rules, seat, company)
    return lead


@compiled
def _touched(view: Record, rules: Record, seat: int) -> np.uint64:
    """The cities that a seat's routes touch."""
    cities = bits.NONE
    for city in range(rules.num_cities):
        if _meets(view.claimed[seat], rules.touching[city]):
            cities |= bits.bit(city)
    return cities


@inlined
def ends(rules: Record, route: int) -> np.uint64:
    """The two cities of a route."""
    return bits.bit(rules.route_a[route]) | bits.bit(rules.route_b[route])


@compiled
def _lacking(rules: Record, plan: Record, route: int) -> int:
    """How many cards a route takes beyond those to spare."""
    to_spare = max(0, plan.spare[_paying_colour(rules, plan, route)])
    locomotives_to_spare = max(0, plan.spare[LOCOMOTIVE])
    symbols = rules.route_ferry[route]
    return max(0, rules.route_length[route] - symbols - to_spare) + max(0, symbols - locomotives_to_spare)


@compiled
def _meets(some: Array, others: Array) -> bool:
    """Whether two sets have a route in common."""
    return some[0] & others[0] != bits.NONE or some[1] & others[1] != bits.NONE
