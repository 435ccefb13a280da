"""How the greedy agent plays map games.

At each question it makes a plan from what its seat may know, and forgets it again:

- the shortest ways, over its own lanes and those still open to it, that complete its tickets, the nearest first; a
  ticket for which the trains are too few is given up;
- with the trains left over, the lanes that bring the most points, mountains, attractions and shares included.

It claims what the plan holds and its cards pay, and otherwise draws the cards that the plan lacks. When its tickets are
done early, it draws more of them. Of shares it takes the one that improves its payments most, were the game to end now.
"""

import numpy as np

from t2r_env.agents import Array
from t2r_env.boxes.box import MAX_CITIES, MAX_COMPANIES, MAX_LANES, MAX_LENGTH, MAX_SEATS
from t2r_env.rules import bits, ticket_choice
from t2r_env.rules.compiled import compiled, count_bits, inlined, lowest_bit
from t2r_env.rules.map_game import actions, exchange, payment, racks, shares, technologies
from t2r_env.rules.map_game.state import (
    ATTRACTIONS,
    BOILER_LAGGING,
    DIESEL_POWER,
    DOUBLE_HEADING,
    FROM_RACK,
    GRAY,
    HAND,
    KEEP_TICKET,
    LANE_WORDS,
    NEUTRAL,
    NO_LANE,
    PAY,
    PLACE,
    RACK,
    SECOND_CARD,
    SECOND_CLAIM,
    SHARE,
    TAKE_SHARE,
    TUNNEL,
    TURN,
)
from t2r_env.rules.records import WORD, Record, record_dtype
from t2r_env.rules.state import TICKET_WORDS
from t2r_env.rules.train_cards import CARD_KINDS, EMPTY, LOCOMOTIVE, ROW_SLOTS

TRAINS_FOR_TICKETS = 20
"""More tickets are drawn with so many trains left at least."""
RESERVE = 2
"""The part of the trains that no new ticket is to need: one in so many."""
CLAIM_PRICE = 1
"""What a lane costs besides its trains: the turn that it is claimed in."""
LOCOMOTIVE_PRICE = 1
"""What a locomotive symbol costs besides its card."""
TECHNOLOGY_PRICE = 3
"""What each locomotive of a technology costs that a lane takes and the seat has not."""
TECHNOLOGY_POINTS = 3
"""The points that each locomotive paid for a technology must bring, if no planned lane takes it."""
TRAINS_OF_LANE = 2
"""How many trains a lane takes, roughly, where the lanes to come are counted."""
FAR = 1_000
"""The price of what can't be had."""
NO_ACTION = -1

PLAN = record_dtype(
    [
        ("candidate", "i8", (MAX_LANES,)),  # lanes open to the seat, within its trains
        ("price", "i8", (MAX_LANES,)),  # of each candidate
        ("candidates", "i8"),
        ("component", "i8", (MAX_CITIES,)),  # cities joined by its lanes and those planned share a label
        ("distance", "i8", (MAX_CITIES,)),  # by label: the price of the shortest way
        ("arrived_by", "i8", (MAX_CITIES,)),  # by label: that way's last lane, or NO_LANE
        ("tickets", WORD, (TICKET_WORDS,)),  # tickets still to be planned
        ("ticket_lanes", WORD, (LANE_WORDS,)),  # lanes planned for tickets
        ("lanes", WORD, (LANE_WORDS,)),  # all lanes planned
        ("worth", "i8"),  # points of the tickets planned less those given up, and less what the lanes cost
        ("spare", "i8", (CARD_KINDS,)),  # its cards less those that the plan takes: where negative, some are lacking
        ("technologies", WORD),  # those that planned lanes take and the seat has not
        ("trains", "i8"),  # its trains less those that the plan takes
        ("touched", WORD),  # cities that its lanes and those planned touch
        ("holdings", WORD, (MAX_SEATS + 1,)),  # shares, by holder
        ("share_value", "i8", (MAX_COMPANIES,)),  # points that a company's next share brings the seat as things stand
    ]
)


@compiled
def act(views: Array, masks: Array, rules: Array, plans: Array, answers: Array) -> None:
    """Answer each question; `plans` is room for one plan."""
    for row in range(views.shape[0]):
        view = views[row]
        if view.phase == TURN:
            answers[row] = _take_turn(view, masks[row], rules[0], plans[0])
        elif view.phase == SECOND_CLAIM:
            answers[row] = _claim_second(view, masks[row], rules[0], plans[0])
        elif view.phase == SECOND_CARD:
            _make_plan(view, rules[0], plans[0])
            answers[row] = _best_card(view, masks[row], rules[0], plans[0])
        elif view.phase == PAY:
            answers[row] = _pay(view, masks[row], rules[0], plans[0])
        elif view.phase == KEEP_TICKET:
            answers[row] = _choose_ticket(view, rules[0], plans[0])
        elif view.phase == PLACE:
            answers[row] = _place_card(view, rules[0], plans[0])
        elif view.phase == FROM_RACK:
            answers[row] = _first_legal(masks[row], rules[0].first_action[actions.FROM_RACK])
        elif view.phase == TUNNEL:
            answers[row] = _first_legal(masks[row], rules[0].first_action[actions.PAY_MORE])
        elif view.phase == SHARE:
            answers[row] = _share_ticket(view, masks[row], rules[0])
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
    action = _best_purchase(view, mask, rules, plan)
    if action == NO_ACTION:
        action = _best_claim(view, mask, rules, plan)
    if action == NO_ACTION:
        action = _best_card(view, mask, rules, plan)
    if action == NO_ACTION:
        action = _longest_lane(mask, rules)
    if action == NO_ACTION:
        action = draw_tickets if mask[draw_tickets] else rules.first_action[actions.PASS]
    return action


@compiled
def _claim_second(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """What is planned; else no second lane."""
    _make_plan(view, rules, plan)
    action = _best_claim(view, mask, rules, plan)
    return rules.first_action[actions.STOP] if action == NO_ACTION else action


@compiled
def _best_claim(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """The longest lane planned that can be claimed, those for tickets before the others."""
    chosen = NO_ACTION
    best = 0
    for i in range(plan.candidates):
        lane = plan.candidate[i]
        action = rules.first_action[actions.CLAIM] + lane
        if mask[action] and bits.contains(plan.lanes, lane) and _is_payable(view, rules, plan, lane):
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
def _is_payable(view: Record, rules: Record, plan: Record, lane: int) -> bool:
    """Whether a lane that could be claimed is so without waste.

    Cards that the plan takes elsewhere are not exchanged for locomotives, and at a tunnel a card is held ready.
    """
    seat = view.current
    cards = payment.price(view, rules, seat, lane)
    if rules.lane_tunnel[lane] > 0:
        cards += 1
    elif rules.exchange == 0:
        return True
    coloured = 0
    for colour in range(LOCOMOTIVE):
        if rules.lane_colour[lane] == GRAY or rules.lane_colour[lane] == colour:
            coloured = max(coloured, racks.held(view, rules, seat, colour))
    locomotives = racks.held(view, rules, seat, LOCOMOTIVE)
    lacking = max(cards - coloured - locomotives, rules.lane_ferry[lane] - locomotives)
    return lacking <= 0 or (rules.exchange > 0 and lacking * exchange.rate(view, rules, seat) <= _surplus(plan))


@compiled
def _surplus(plan: Record) -> int:
    """How many coloured cards the plan does not take."""
    number = 0
    for colour in range(LOCOMOTIVE):
        number += max(0, plan.spare[colour])
    return number


@compiled
def _best_purchase(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """A technology that planned lanes take, or that is worth its price, if cards to spare pay for it."""
    chosen = NO_ACTION
    if rules.num_technologies > 0:
        locomotives = view.hand[view.current, LOCOMOTIVE]
        for technology in range(rules.num_technologies):
            action = rules.first_action[actions.BUY] + technology
            if mask[action]:
                price = rules.technology_price[technology]
                is_planned = bits.bit(technology) & plan.technologies != bits.NONE
                is_worth_it = _points_of_technology(view, rules, technology) >= TECHNOLOGY_POINTS * price
                to_exchange = exchange.rate(view, rules, view.current) * max(0, price - locomotives)
                is_cheap = plan.spare[LOCOMOTIVE] >= price
                if (is_planned and to_exchange <= _surplus(plan)) or (is_worth_it and is_cheap):
                    chosen = action
    return chosen


@compiled
def _points_of_technology(view: Record, rules: Record, technology: int) -> int:
    """What a technology may bring that no lane takes, roughly; a card saved counts as a point."""
    lanes_to_come = view.trains[view.current] // TRAINS_OF_LANE
    points = 0
    if technology == rules.technology_with[BOILER_LAGGING] or technology == rules.technology_with[DIESEL_POWER]:
        points = lanes_to_come
    elif technology == rules.technology_with[DOUBLE_HEADING]:
        points = 2 * view.ticket_count[view.current]
    return points


@compiled
def _pay(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """Spend as few locomotives as possible, then the colour that the plan can best spare."""
    _make_plan(view, rules, plan)
    chosen = NO_ACTION
    best = -FAR * FAR
    for colour in range(CARD_KINDS):
        for column in range(rules.pay_width):
            action = rules.first_action[actions.PAY] + colour * rules.pay_width + column
            if mask[action]:
                value = plan.spare[colour] - FAR * actions.payment_locomotives(rules, action)
                if value > best:
                    best = value
                    chosen = action
    return _spend(mask, rules, plan) if chosen == NO_ACTION else chosen


@compiled
def _spend(mask: Array, rules: Record, plan: Record) -> int:
    """Exchange the colour that the plan can best spare."""
    chosen = NO_ACTION
    best = -FAR * FAR
    for colour in range(LOCOMOTIVE):
        action = rules.first_action[actions.SPEND] + colour
        if mask[action] and plan.spare[colour] > best:
            best = plan.spare[colour]
            chosen = action
    return chosen


@compiled
def _first_legal(mask: Array, first: int) -> int:
    """The first legal answer of a block: the fewest cards from the rack, the fewest locomotives for a tunnel."""
    while not mask[first]:
        first += 1
    return first


@compiled
def _place_card(view: Record, rules: Record, plan: Record) -> int:
    """What the plan lacks into the hand, the rest on the rack, where the mate can use it."""
    _make_plan(view, rules, plan)
    where = HAND if plan.spare[view.unplaced] < 0 else RACK
    return rules.first_action[actions.PLACE] + where


@compiled
def _share_ticket(view: Record, mask: Array, rules: Record) -> int:
    """The ticket that is worth most: the mate is to help."""
    chosen = NO_ACTION
    most = 0
    for ticket in range(rules.num_tickets):
        action = rules.first_action[actions.SHARE_TICKET] + ticket
        if mask[action] and rules.ticket_points[ticket] > most:
            most = rules.ticket_points[ticket]
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
        if allowed and count_bits(np.uint64(kept)) >= ticket_choice.must_keep(view, rules, seat):
            _begin_plan(view, rules, plan)
            plan.trains -= rules.trains // RESERVE
            for place in range(view.offered_count[seat]):
                if (kept >> place) & 1:
                    bits.add(plan.tickets, view.offered[seat, place])
            _plan_tickets(view, rules, plan)
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
    _plan_tickets(view, rules, plan)
    _value_shares(view, rules, plan)
    _plan_points(view, rules, plan)


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
        price = CLAIM_PRICE + rules.lane_trains[lane] + LOCOMOTIVE_PRICE * rules.lane_ferry[lane]
        price += rules.lane_tunnel[lane] // 4  # what is demanded in the mean
        for technology in range(rules.num_technologies):
            if _lacks(view, rules, plan, lane, technology):
                price += TECHNOLOGY_PRICE * rules.technology_price[technology]
        plan.price[i] = price


@compiled
def _lacks(view: Record, rules: Record, plan: Record, lane: int, technology: int) -> bool:
    """Whether a lane takes a technology that the seat has not and that is not yet planned."""
    is_there = (
        technologies.holds(view, view.current, technology) or bits.bit(technology) & plan.technologies != bits.NONE
    )
    return not is_there and bits.contains(rules.takes_technology[technology], lane)


@compiled
def _plan_tickets(view: Record, rules: Record, plan: Record) -> None:
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
            _plan_way(view, rules, plan, end)
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
            _plan_lane(view, rules, plan, lane)
            _join(rules, plan, lane)
    if rules.num_technologies > 0:
        _price_lanes(view, rules, plan)


@compiled
def _plan_lane(view: Record, rules: Record, plan: Record, lane: int) -> None:
    """Lay trains and cards aside for a lane."""
    bits.add(plan.lanes, lane)
    plan.trains -= rules.lane_trains[lane]
    plan.spare[_paying_colour(rules, plan, lane)] -= rules.lane_length[lane] - rules.lane_ferry[lane]
    plan.spare[LOCOMOTIVE] -= rules.lane_ferry[lane]
    plan.touched |= _ends(rules, lane)
    for technology in range(rules.num_technologies):
        if _lacks(view, rules, plan, lane, technology):
            plan.technologies |= bits.bit(technology)
            plan.spare[LOCOMOTIVE] -= rules.technology_price[technology]


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
        best = -FAR
        for i in range(plan.candidates):
            lane = plan.candidate[i]
            is_permitted = True
            for technology in range(rules.num_technologies):
                is_permitted = is_permitted and not _lacks(view, rules, plan, lane, technology)
            if (
                is_permitted
                and rules.lane_trains[lane] <= plan.trains
                and not _meets(plan.lanes, rules.connection[lane])
            ):
                value = FAR * _points_of(rules, plan, lane) - _lacking(rules, plan, lane)
                if value > best:
                    best = value
                    chosen = lane
        if chosen == NO_LANE:
            return
        _plan_lane(view, rules, plan, chosen)


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
