"""The greedy agent: a yardstick that plays as a sensible person does, without search and without chance.

At each question it makes a plan from what its seat may know, and forgets it again:

- the shortest ways, over its own lanes and those still open to it, that complete its tickets, the nearest first; a
  ticket for which the trains are too few is given up;
- with the trains left over, the lanes that bring the most points, mountains, attractions and shares included.

It claims what the plan holds and its cards pay, and otherwise draws the cards that the plan lacks. When its tickets are
done early, it draws more of them. Of shares it takes the one that improves its payments most, were the game to end now.
"""

import numpy as np
from numpy.typing import NDArray

from t2r_env.agents import Array, Questions
from t2r_env.boxes.box import MAX_CITIES, MAX_COMPANIES, MAX_LANES, MAX_LENGTH, MAX_SEATS
from t2r_env.rules import bits
from t2r_env.rules.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.rules.map_game import actions, ferries, shares
from t2r_env.rules.map_game.phases import keep_ticket
from t2r_env.rules.map_game.state import (
    ATTRACTIONS,
    GRAY,
    KEEP_TICKET,
    LANE_WORDS,
    NEUTRAL,
    NO_LANE,
    PAY,
    SECOND_CARD,
    TAKE_SHARE,
    TICKET_WORDS,
    TURN,
)
from t2r_env.rules.records import WORD, Record, record_dtype
from t2r_env.rules.train_cards import CARD_KINDS, EMPTY, LOCOMOTIVE, ROW_SLOTS

TRAINS_FOR_TICKETS = 20
"""More tickets are drawn with so many trains left at least."""
RESERVE = 2
"""The part of the trains that no new ticket is to need: one in so many."""
CLAIM_PRICE = 1
"""What a lane costs besides its trains: the turn that it is claimed in."""
LOCOMOTIVE_PRICE = 1
"""What a locomotive symbol costs besides its card."""
FAR = 1_000
"""The price of what can't be had."""
NO_ACTION = -1

PLAN = record_dtype(
    [
        ("candidate", "i8", (MAX_LANES,)),  # lanes open to the seat, within its trains
        ("candidates", "i8"),
        ("component", "i8", (MAX_CITIES,)),  # cities joined by its lanes and those planned share a label
        ("distance", "i8", (MAX_CITIES,)),  # by label: the price of the shortest way
        ("arrived_by", "i8", (MAX_CITIES,)),  # by label: that way's last lane, or NO_LANE
        ("tickets", WORD, (TICKET_WORDS,)),  # tickets still to be planned
        ("ticket_lanes", WORD, (LANE_WORDS,)),  # lanes planned for tickets
        ("lanes", WORD, (LANE_WORDS,)),  # all lanes planned
        ("worth", "i8"),  # points of the tickets planned less those given up, and less what the lanes cost
        ("spare", "i8", (CARD_KINDS,)),  # its cards less those that the plan takes: where negative, some are lacking
        ("trains", "i8"),  # its trains less those that the plan takes
        ("touched", WORD),  # cities that its lanes and those planned touch
        ("holdings", WORD, (MAX_SEATS + 1,)),  # shares, by holder
        ("share_value", "i8", (MAX_COMPANIES,)),  # points that a company's next share brings the seat as things stand
    ]
)


class GreedyAgent:
    """Plans its tickets by shortest ways; the same question always gets the same answer."""

    def __init__(self) -> None:
        self._plan = np.zeros(1, PLAN)

    def act(self, questions: Questions) -> NDArray[np.int64]:
        """A legal action for each question, shape (k,)."""
        answers = np.zeros(len(questions), np.int64)
        act(questions.views, questions.masks, questions.configuration.rules, self._plan, answers)
        return answers


@compiled
def act(views: Array, masks: Array, rules: Array, plans: Array, answers: Array) -> None:
    """Answer each question; `plans` is room for one plan."""
    for row in range(views.shape[0]):
        view = views[row]
        if view.phase == TURN:
            answers[row] = _take_turn(view, masks[row], rules[0], plans[0])
        elif view.phase == SECOND_CARD:
            _make_plan(view, rules[0], plans[0])
            answers[row] = _best_card(view, masks[row], rules[0], plans[0])
        elif view.phase == PAY:
            answers[row] = _pay(view, masks[row], rules[0], plans[0])
        elif view.phase == KEEP_TICKET:
            answers[row] = _choose_ticket(view, rules[0], plans[0])
        elif view.phase == TAKE_SHARE:
            first = rules[0].first_action[actions.TAKE_SHARE]
            answers[row] = _choose_share(view, masks[row], rules[0], plans[0], view.current, first)
        else:
            first = rules[0].first_action[actions.NEUTRAL_SHARE]
            answers[row] = _choose_share(view, masks[row], rules[0], plans[0], NEUTRAL, first)


# The questions


@compiled
def _take_turn(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """Claim what is planned; draw tickets when all are done early; else draw cards; if none are left, any lane."""
    _make_plan(view, rules, plan)
    draw_tickets = rules.first_action[actions.DRAW_TICKETS]
    tickets_are_done = plan.ticket_lanes[0] == bits.NONE and plan.ticket_lanes[1] == bits.NONE
    if tickets_are_done and mask[draw_tickets] and view.trains[view.current] >= TRAINS_FOR_TICKETS:
        return draw_tickets
    action = _best_claim(mask, rules, plan)
    if action == NO_ACTION:
        action = _best_card(view, mask, rules, plan)
    if action == NO_ACTION:
        action = _longest_lane(mask, rules)
    if action == NO_ACTION:
        action = draw_tickets if mask[draw_tickets] else rules.first_action[actions.PASS]
    return action


@compiled
def _best_claim(mask: Array, rules: Record, plan: Record) -> int:
    """The longest lane planned that can be claimed, those for tickets before the others."""
    chosen = NO_ACTION
    best = 0
    for i in range(plan.candidates):
        lane = plan.candidate[i]
        action = rules.first_action[actions.CLAIM] + lane
        if mask[action] and bits.contains(plan.lanes, lane):
            value = rules.lane_length[lane] + (FAR if bits.contains(plan.ticket_lanes, lane) else 0)
            if value > best:
                best = value
                chosen = action
    return chosen


@compiled
def _best_card(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """The row's card of the colour that is lacking least, else a locomotive for ferries, one from the deck, or any."""
    chosen = NO_ACTION
    least = FAR
    for slot in range(ROW_SLOTS):
        action = rules.first_action[actions.DRAW_ROW] + slot
        if mask[action] and view.row[slot] != EMPTY and view.row[slot] != LOCOMOTIVE:
            lacking = -plan.spare[view.row[slot]]
            if 0 < lacking < least:
                least = lacking
                chosen = action
    for slot in range(ROW_SLOTS):
        action = rules.first_action[actions.DRAW_ROW] + slot
        if chosen == NO_ACTION and mask[action] and view.row[slot] == LOCOMOTIVE and plan.spare[LOCOMOTIVE] < 0:
            chosen = action
    if chosen == NO_ACTION and mask[rules.first_action[actions.DRAW_DECK]]:
        chosen = rules.first_action[actions.DRAW_DECK]
    for slot in range(ROW_SLOTS):
        action = rules.first_action[actions.DRAW_ROW] + slot
        if chosen == NO_ACTION and mask[action]:
            chosen = action
    return chosen


@compiled
def _longest_lane(mask: Array, rules: Record) -> int:
    chosen = NO_ACTION
    longest = 0
    for lane in range(rules.num_lanes):
        action = rules.first_action[actions.CLAIM] + lane
        if mask[action] and rules.lane_length[lane] > longest:
            longest = rules.lane_length[lane]
            chosen = action
    return chosen


@compiled
def _pay(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """Spend as few locomotives as possible, then the colour that the plan can best spare."""
    _make_plan(view, rules, plan)
    price = rules.lane_length[view.lane]
    chosen = actions.payment(rules, LOCOMOTIVE, price)
    best = -FAR * FAR
    for colour in range(LOCOMOTIVE):
        locomotives = max(ferries.least_locomotives(rules, view.lane), price - view.hand[view.current, colour])
        action = actions.payment(rules, colour, locomotives)
        value = plan.spare[colour] - FAR * locomotives
        if locomotives < price and mask[action] and value > best:
            best = value
            chosen = action
    return chosen


@compiled
def _choose_ticket(view: Record, rules: Record, plan: Record) -> int:
    """Keep those tickets, of all choices that the rules and the answers so far allow, that make the best plan.

    Other players may take lanes of it, so a plan that needs most of the trains is no good plan.
    """
    seat = view.current
    answered = (1 << view.asked) - 1
    chosen = 0
    best = -FAR * FAR
    for kept in range(1 << view.offered_count[seat]):
        allowed = kept & answered == view.kept[seat]
        if allowed and count_bits(np.uint64(kept)) >= keep_ticket.must_keep(view, rules, seat):
            _begin_plan(view, rules, plan)
            plan.trains -= rules.trains // RESERVE
            for place in range(view.offered_count[seat]):
                if (kept >> place) & 1:
                    bits.add(plan.tickets, view.offered[seat, place])
            _plan_tickets(rules, plan)
            if plan.worth > best:
                best = plan.worth
                chosen = kept
    keeps = (chosen >> view.asked) & 1
    return rules.first_action[actions.KEEP_TICKET if keeps else actions.REFUSE_TICKET]


@compiled
def _choose_share(view: Record, mask: Array, rules: Record, plan: Record, holder: int, first: int) -> int:
    """The company whose top share, given to the holder, serves the seat best."""
    _begin_plan(view, rules, plan)
    chosen = first
    best = -FAR * FAR
    for company in range(rules.num_companies):
        if mask[first + company]:
            value = _gain(view, rules, plan, holder, company)
            if value > best:
                best = value
                chosen = first + company
    return chosen


@compiled
def _gain(view: Record, rules: Record, plan: Record, holder: int, company: int) -> int:
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


# The plan


@compiled
def _make_plan(view: Record, rules: Record, plan: Record) -> None:
    _begin_plan(view, rules, plan)
    _plan_tickets(rules, plan)
    _value_shares(view, rules, plan)
    _plan_points(rules, plan)


@compiled
def _begin_plan(view: Record, rules: Record, plan: Record) -> None:
    """Nothing is planned yet; a lane that is being paid for counts as the seat's own."""
    seat = view.current
    for city in range(rules.num_cities):
        plan.component[city] = view.component[rules.side[seat], city]
    for word in range(LANE_WORDS):
        plan.ticket_lanes[word] = bits.NONE
        plan.lanes[word] = bits.NONE
    for word in range(TICKET_WORDS):
        plan.tickets[word] = view.tickets[seat, word]
    for card in range(CARD_KINDS):
        plan.spare[card] = view.hand[seat, card]
    plan.trains = view.trains[seat]
    plan.worth = 0
    for holder in range(plan.holdings.size):
        plan.holdings[holder] = view.shares[holder]
    plan.touched = _touched(view, rules, seat) if rules.bonus[ATTRACTIONS] else bits.NONE
    is_paying = view.phase == PAY
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


@compiled
def _plan_tickets(rules: Record, plan: Record) -> None:
    """Plan `plan.tickets`, the nearest to completion first: it may bring others nearer."""
    while True:
        nearest = -1
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
        if nearest < 0:
            return
        plan.tickets[nearest >> 6] &= ~bits.bit(nearest & 63)
        end = _find_ways(rules, plan, rules.ticket_a[nearest], rules.ticket_b[nearest])
        if least < FAR and _has_trains_for(rules, plan, end):
            plan.worth += rules.ticket_points[nearest] - least // 2
            _plan_way(rules, plan, end)
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
            price = CLAIM_PRICE + rules.lane_trains[lane] + LOCOMOTIVE_PRICE * rules.lane_ferry[lane]
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
def _plan_way(rules: Record, plan: Record, end: int) -> None:
    """Plan the lanes of a way; cities are joined only when all of it is known, since that changes labels."""
    way = end
    while plan.arrived_by[way] != NO_LANE:
        bits.add(plan.ticket_lanes, plan.arrived_by[way])
        way = _before(rules, plan, way)
    for i in range(plan.candidates):
        lane = plan.candidate[i]
        if bits.contains(plan.ticket_lanes, lane) and not bits.contains(plan.lanes, lane):
            _plan_lane(rules, plan, lane)
            _join(rules, plan, lane)


@compiled
def _plan_lane(rules: Record, plan: Record, lane: int) -> None:
    """Lay trains and cards aside for a lane."""
    bits.add(plan.lanes, lane)
    plan.trains -= rules.lane_trains[lane]
    plan.spare[_paying_colour(rules, plan, lane)] -= rules.lane_length[lane] - rules.lane_ferry[lane]
    plan.spare[LOCOMOTIVE] -= rules.lane_ferry[lane]
    plan.touched |= _ends(rules, lane)


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
def _plan_points(rules: Record, plan: Record) -> None:
    """With the trains left, plan the lanes that bring the most points, where they are equal for the fewest cards."""
    while True:
        chosen = NO_LANE
        best = -FAR
        for i in range(plan.candidates):
            lane = plan.candidate[i]
            if rules.lane_trains[lane] <= plan.trains and not _meets(plan.lanes, rules.connection[lane]):
                value = FAR * _points_of(rules, plan, lane) - _lacking(rules, plan, lane)
                if value > best:
                    best = value
                    chosen = lane
        if chosen == NO_LANE:
            return
        _plan_lane(rules, plan, chosen)


@compiled
def _points_of(rules: Record, plan: Record, lane: int) -> int:
    """What a lane brings: for its spaces, its mountains, the attractions that it is the first to touch, and a share."""
    points = rules.points[rules.lane_length[lane]]
    points += rules.mountain_points * (rules.lane_trains[lane] - rules.lane_length[lane])
    points += rules.bonus[ATTRACTIONS] * count_bits(_ends(rules, lane) & rules.attractions & ~plan.touched)
    share = 0
    for company in range(rules.num_companies):
        if rules.lane_shares[lane] & rules.company_shares[company] != bits.NONE:
            share = max(share, plan.share_value[company])
    return points + share


@compiled
def _value_shares(view: Record, rules: Record, plan: Record) -> None:
    for company in range(rules.num_companies):
        plan.share_value[company] = 0
        if view.shares_left & rules.company_shares[company] != bits.NONE:
            gain = _gain(view, rules, plan, view.current, company)
            plan.share_value[company] = gain // (rules.num_seats - 1)


@compiled
def _touched(view: Record, rules: Record, seat: int) -> np.uint64:
    """The cities that a seat's lanes touch."""
    cities = bits.NONE
    for city in range(rules.num_cities):
        if _meets(view.claimed[seat], rules.touching[city]):
            cities |= bits.bit(city)
    return cities


@inlined
def _ends(rules: Record, lane: int) -> np.uint64:
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
