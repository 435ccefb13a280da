"""The plan of a map game, which agents make from what their seat may know: lanes for tickets, and lanes for points.

- The cheapest ways, over own lanes and those still open, that complete its tickets, the nearest first; a ticket for
  which the trains are too few is given up.
- With the trains left over, the lanes that bring the most points, mountains, attractions and shares included.

What agents differ in are their `TASTES`; those of which an agent says nothing are `USUAL`.
"""

import numpy as np

from t2r_env.agents import Array
from t2r_env.boxes.box import MAX_CITIES, MAX_COMPANIES, MAX_LANES, MAX_LENGTH, MAX_SEATS, MAX_TICKETS
from t2r_env.rules import bits
from t2r_env.rules.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.rules.map_game import racks, shares, technologies
from t2r_env.rules.map_game.state import (
    ATTRACTIONS,
    GRAY,
    LANE_WORDS,
    NO_LANE,
    PAY,
)
from t2r_env.rules.records import WORD, Field, Record, record_dtype
from t2r_env.rules.state import TICKET_WORDS
from t2r_env.rules.train_cards import CARD_KINDS, LOCOMOTIVE

TECHNOLOGY_PRICE = 12
"""What each locomotive of a technology costs that a lane takes and the seat has not."""
FAR = 10_000
"""The price of what can't be had."""

TASTES: list[Field] = [
    # What a lane costs, in quarters of a card
    ("claim_price", "i8"),  # for the turn that it is claimed in
    ("train_price", "i8"),  # for each train
    ("locomotive_price", "i8"),  # for each locomotive symbol
    ("points_price", "i8"),  # taken off for each point that it brings
    # Of its trains one part in so many is left out when it chooses tickets: others may take lanes of a plan
    ("reserve", "i8"),
    ("aims", "i8"),  # tickets that it plans at a time, besides those completed
    # It draws tickets while it holds fewer, completed or not, than so many for a hundred trains of the set-up
    ("hunger", "i8"),
    ("trains_for_tickets", "i8"),  # it draws more when all are done and it has so many trains left at least
    ("likes_length", "i8"),  # 1: of the lanes planned it claims the longest, and waits with the others
    # Who waits with claims (agents/planner/map_game.py) waits no more,
    ("lacking_allowed", "i8"),  # when no more cards than so many are lacking for all that is planned
    ("end_is_near", "i8"),  # when somebody has no more trains than so many
    ("largest_hand", "i8"),  # when it holds more cards than this
    ("long_lane", "i8"),  # and with lanes of so many spaces and more, which others want too
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
    "long_lane": 0,
}
"""The tastes of the greedy agent."""

PLAN = record_dtype(
    [
        *TASTES,
        ("candidate", "i8", (MAX_LANES,)),  # lanes open to the seat, within its trains
        ("price", "i8", (MAX_LANES,)),  # of each candidate
        ("candidates", "i8"),
        ("component", "i8", (MAX_CITIES,)),  # cities joined by its lanes and those planned share a label
        ("distance", "i8", (MAX_CITIES,)),  # by label: the price of the shortest way
        ("arrived_by", "i8", (MAX_CITIES,)),  # by label: that way's last lane, or NO_LANE
        ("nearest_by", "i8", (MAX_CITIES,)),  # the same for the nearest ticket so far
        ("tickets", WORD, (TICKET_WORDS,)),  # tickets still to be planned
        ("ticket_lanes", WORD, (LANE_WORDS,)),  # lanes planned for tickets
        ("lanes", WORD, (LANE_WORDS,)),  # all lanes planned
        ("worth", "i8"),  # points of the tickets planned less those given up, and less what the lanes cost
        ("spare", "i8", (CARD_KINDS,)),  # its cards less those that the plan takes: where negative, some are lacking
        ("technologies", WORD),  # those that planned lanes take and the seat has not
        ("trains", "i8"),  # its trains less those that the plan takes
        ("touched", WORD),  # cities that its lanes and those planned touch
        ("holdings", WORD, (MAX_SEATS + 1,)),  # shares, by holder
        ("least_claim", "i8"),  # shorter lanes are not claimed now
        ("share_value", "i8", (MAX_COMPANIES,)),  # points that a company's next share brings the seat as things stand
        # Of plans that are kept from question to question
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
    """Nothing is planned yet; a lane that is being paid for counts as the seat's own."""
    seat = view.current
    for city in range(rules.num_cities):
        plan.component[city] = view.component[rules.side[seat], city]
    for word in range(LANE_WORDS):
        plan.ticket_lanes[word] = bits.NONE
        plan.lanes[word] = bits.NONE
    for word in range(TICKET_WORDS):
        plan.tickets[word] = view.tickets[seat, word]
        if rules.num_teams > 0:
            plan.tickets[word] |= view.rack_tickets[rules.side[seat], word]
    for card in range(CARD_KINDS):
        plan.spare[card] = racks.held(view, rules, seat, card)
    plan.technologies = bits.NONE
    plan.trains = view.trains[seat]
    plan.worth = 0
    for holder in range(plan.holdings.size):
        plan.holdings[holder] = view.shares[holder]
    plan.touched = _touched(view, rules, seat) if rules.bonus[ATTRACTIONS] else bits.NONE
    is_paying = view.phase == PAY and view.lane != NO_LANE
    if is_paying:
        plan.trains -= rules.lane_trains[view.lane]
        _join(rules, plan, view.lane)
    plan.candidates = 0
    for word in range(LANE_WORDS):
        lanes = view.open[seat, word] & rules.up_to_trains[min(plan.trains, MAX_LENGTH), word]
        if is_paying:
            lanes &= ~rules.connection[view.lane, word]
        while lanes != bits.NONE:
            plan.candidate[plan.candidates] = 64 * word + lowest_bit(lanes)
            plan.candidates += 1
            lanes = bits.without_lowest(lanes)
    _price_lanes(view, rules, plan)


@compiled
def _price_lanes(view: Record, rules: Record, plan: Record) -> None:
    """What each candidate costs: the turn, its trains, its symbols, the technologies that are not yet planned."""
    for i in range(plan.candidates):
        lane = plan.candidate[i]
        price = plan.claim_price + plan.train_price * rules.lane_trains[lane]
        price += plan.locomotive_price * rules.lane_ferry[lane]
        price += 4 * (rules.lane_tunnel[lane] // 4)  # what is demanded in the mean
        price -= plan.points_price * rules.points[rules.lane_length[lane]]
        for technology in range(rules.num_technologies):
            if _lacks(view, rules, plan, lane, technology):
                price += TECHNOLOGY_PRICE * rules.technology_price[technology]
        plan.price[i] = max(price, 1)


@compiled
def _lacks(view: Record, rules: Record, plan: Record, lane: int, technology: int) -> bool:
    """Whether a lane takes a technology that the seat has not and that is not yet planned."""
    is_there = (
        technologies.holds(view, view.current, technology) or bits.bit(technology) & plan.technologies != bits.NONE
    )
    return not is_there and bits.contains(rules.takes_technology[technology], lane)


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
        plan.arrived_by[city] = NO_LANE
    while from_cities != bits.NONE:
        plan.distance[plan.component[lowest_bit(from_cities)]] = 0
        from_cities = bits.without_lowest(from_cities)
    changed = True
    while changed:
        changed = False
        for i in range(plan.candidates):
            lane = plan.candidate[i]
            price = plan.price[i]
            a = plan.component[rules.lane_a[lane]]
            b = plan.component[rules.lane_b[lane]]
            if plan.distance[a] + price < plan.distance[b]:
                plan.distance[b] = plan.distance[a] + price
                plan.arrived_by[b] = lane
                changed = True
            elif plan.distance[b] + price < plan.distance[a]:
                plan.distance[a] = plan.distance[b] + price
                plan.arrived_by[a] = lane
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
    lane = plan.arrived_by[label]
    a = plan.component[rules.lane_a[lane]]
    return plan.component[rules.lane_b[lane]] if a == label else a


@compiled
def _has_trains_for(rules: Record, plan: Record, end: int) -> bool:
    """Whether the trains suffice for the way to `end` besides what is planned."""
    trains = 0
    while plan.arrived_by[end] != NO_LANE:
        trains += rules.lane_trains[plan.arrived_by[end]]
        end = _before(rules, plan, end)
    return trains <= plan.trains


@compiled
def _plan_way(view: Record, rules: Record, plan: Record, end: int) -> None:
    """Plan the lanes of a way; cities are joined only when all of it is known, since that changes labels."""
    way = end
    while plan.arrived_by[way] != NO_LANE:
        bits.add(plan.ticket_lanes, plan.arrived_by[way])
        way = _before(rules, plan, way)
    for i in range(plan.candidates):
        lane = plan.candidate[i]
        if bits.contains(plan.ticket_lanes, lane) and not bits.contains(plan.lanes, lane):
            plan_lane(view, rules, plan, lane)
            _join(rules, plan, lane)
    if rules.num_technologies > 0:
        _price_lanes(view, rules, plan)


@compiled
def plan_lane(view: Record, rules: Record, plan: Record, lane: int) -> None:
    """Lay trains and cards aside for a lane."""
    bits.add(plan.lanes, lane)
    plan.trains -= rules.lane_trains[lane]
    plan.spare[_paying_colour(rules, plan, lane)] -= rules.lane_length[lane] - rules.lane_ferry[lane]
    plan.spare[LOCOMOTIVE] -= rules.lane_ferry[lane]
    plan.touched |= ends(rules, lane)
    for technology in range(rules.num_technologies):
        if _lacks(view, rules, plan, lane, technology):
            plan.technologies |= bits.bit(technology)
            plan.spare[LOCOMOTIVE] -= rules.technology_price[technology]


@compiled
def keep_plan(view: Record, rules: Record, plan: Record) -> bool:
    """Go on with a plan made at an earlier question: lay trains and cards aside anew for what is left of it.

    False if a new plan is due, since another has claimed a lane of it, the trains don't suffice, or nothing is left.
    """
    seat = view.current
    for card in range(CARD_KINDS):
        plan.spare[card] = racks.held(view, rules, seat, card)
    plan.technologies = bits.NONE
    plan.trains = view.trains[seat]
    is_paying = view.phase == PAY and view.lane != NO_LANE
    if is_paying:
        plan.trains -= rules.lane_trains[view.lane]
    is_left = False
    for word in range(LANE_WORDS):
        lanes = plan.lanes[word] & ~view.claimed[seat, word]
        if lanes & ~view.open[seat, word] != bits.NONE:
            return False
        plan.ticket_lanes[word] &= ~view.claimed[seat, word]
        while lanes != bits.NONE:
            lane = 64 * word + lowest_bit(lanes)
            lanes = bits.without_lowest(lanes)
            if not is_paying or lane != view.lane:
                plan_lane(view, rules, plan, lane)
            is_left = True
    return is_left and plan.trains >= 0


@compiled
def _join(rules: Record, plan: Record, lane: int) -> None:
    label = plan.component[rules.lane_a[lane]]
    old_label = plan.component[rules.lane_b[lane]]
    for city in range(rules.num_cities):
        if plan.component[city] == old_label:
            plan.component[city] = label


@compiled
def _paying_colour(rules: Record, plan: Record, lane: int) -> int:
    """The lane's colour; for a gray one the colour of which most cards are to spare."""
    if rules.lane_colour[lane] != GRAY:
        return rules.lane_colour[lane]
    colour = 0
    for other in range(1, LOCOMOTIVE):
        if plan.spare[other] > plan.spare[colour]:
            colour = other
    return colour


@compiled
def _plan_points(view: Record, rules: Record, plan: Record) -> None:
    """With the trains left, plan the lanes that bring the most points, where they are equal for the fewest cards."""
    while True:
        chosen = NO_LANE
        most = 0
        least = FAR
        for i in range(plan.candidates):
            lane = plan.candidate[i]
            if rules.lane_trains[lane] <= plan.trains and not _meets(plan.lanes, rules.connection[lane]):
                points = points_of(rules, plan, lane)
                if points >= most and _is_permitted(view, rules, plan, lane):
                    lacking = _lacking(rules, plan, lane)
                    if points > most or lacking < least:
                        most = points
                        least = lacking
                        chosen = lane
        if chosen == NO_LANE:
            return
        plan_lane(view, rules, plan, chosen)


@inlined
def _is_permitted(view: Record, rules: Record, plan: Record, lane: int) -> bool:
    """Whether a lane takes no technology but those that the seat has or plans."""
    for technology in range(rules.num_technologies):
        if _lacks(view, rules, plan, lane, technology):
            return False
    return True


@compiled
def points_of(rules: Record, plan: Record, lane: int) -> int:
    """What a lane brings: for its spaces, its mountains, the attractions that it is the first to touch, and a share."""
    points = rules.points[rules.lane_length[lane]]
    points += rules.mountain_points * (rules.lane_trains[lane] - rules.lane_length[lane])
    points += rules.bonus[ATTRACTIONS] * count_bits(ends(rules, lane) & rules.attractions & ~plan.touched)
    share = 0
    for company in range(rules.num_companies):
        if rules.lane_shares[lane] & rules.company_shares[company] != bits.NONE:
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
    """The cities that a seat's lanes touch."""
    cities = bits.NONE
    for city in range(rules.num_cities):
        if _meets(view.claimed[seat], rules.touching[city]):
            cities |= bits.bit(city)
    return cities


@inlined
def ends(rules: Record, lane: int) -> np.uint64:
    """The two cities of a lane."""
    return bits.bit(rules.lane_a[lane]) | bits.bit(rules.lane_b[lane])


@compiled
def _lacking(rules: Record, plan: Record, lane: int) -> int:
    """How many cards a lane takes beyond those to spare."""
    to_spare = max(0, plan.spare[_paying_colour(rules, plan, lane)])
    locomotives_to_spare = max(0, plan.spare[LOCOMOTIVE])
    symbols = rules.lane_ferry[lane]
    return max(0, rules.lane_length[lane] - symbols - to_spare) + max(0, symbols - locomotives_to_spare)


@compiled
def _meets(some: Array, others: Array) -> bool:
    """Whether two sets have a lane in common."""
    return some[0] & others[0] != bits.NONE or some[1] & others[1] != bits.NONE
