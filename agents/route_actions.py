"""How an agent with a plan answers the decisions of a map game, as far as agents do that alike."""

import numpy as np

from agents.route_plan import FAR, begin_plan, gain, make_plan, plan_tickets
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, count_bits
from t2r_env.core.records import Record
from t2r_env.rules import ticket_choice
from t2r_env.rules.cards import CARD_TYPES, EMPTY, FACE_UP_SLOTS, LOCOMOTIVE
from t2r_env.rules.map_game import exchange, paying, payment, racks
from t2r_env.rules.map_game.board import GRAY
from t2r_env.rules.map_game.board import blocks as board_blocks
from t2r_env.rules.map_game.board import phases as board_phases
from t2r_env.rules.map_game.exchange import blocks as exchange_blocks
from t2r_env.rules.map_game.paying import HAND, RACK, extra_blocks
from t2r_env.rules.map_game.purchases import blocks as purchase_blocks
from t2r_env.rules.map_game.racks import blocks as rack_blocks
from t2r_env.rules.map_game.racks import phases as rack_phases
from t2r_env.rules.map_game.shares import NEUTRAL
from t2r_env.rules.map_game.shares import blocks as share_blocks
from t2r_env.rules.map_game.shares import phases as share_phases
from t2r_env.rules.map_game.sharing import blocks as sharing_blocks
from t2r_env.rules.map_game.sharing import phases as sharing_phases
from t2r_env.rules.map_game.tunnels import phases as tunnel_phases
from t2r_env.rules.names import blocks, phases
from t2r_env.variants.variant import effects

TECHNOLOGY_POINTS = 3
"""The points that each locomotive paid for a technology must bring, if no planned route takes it."""
TRAINS_OF_ROUTE = 2
"""How many trains a route takes, roughly, where the routes to come are counted."""
NO_ACTION = -1


@compiled
def decide(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """Answer any decision but those about what to do in a turn."""
    if view.phase == phases.SECOND_CARD:
        make_plan(view, rules, plan)
        return best_card(view, mask, rules, plan)
    if view.phase == board_phases.PAY:
        return pay(view, mask, rules, plan)
    if view.phase == phases.KEEP_TICKET:
        return choose_ticket(view, rules, plan)
    if view.phase == rack_phases.PLACE:
        return place_card(view, rules, plan)
    if view.phase == rack_phases.FROM_RACK:
        return first_legal(mask, rules.first_action[rack_blocks.FROM_RACK])
    if view.phase == tunnel_phases.TUNNEL:
        return first_legal(mask, rules.first_action[extra_blocks.PAY_MORE])
    if view.phase == sharing_phases.SHARE:
        return share_ticket(view, mask, rules)
    holder = view.current if view.phase == share_phases.TAKE_SHARE else NEUTRAL
    block = share_blocks.TAKE_SHARE if view.phase == share_phases.TAKE_SHARE else share_blocks.NEUTRAL_SHARE
    return choose_share(view, mask, rules, plan, holder, rules.first_action[block])


@compiled
def best_claim(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """The longest route planned that can be claimed, those for tickets before the others.

    Who likes length waits for the longest ones planned, whether they are for tickets or not. Routes shorter than
    `plan.least_claim` are not claimed.
    """
    shortest = _longest_planned(rules, plan) if plan.likes_length else plan.least_claim
    chosen = NO_ACTION
    best = 0
    for i in range(plan.candidates):
        route = plan.candidate[i]
        action = rules.first_action[board_blocks.CLAIM] + route
        length = rules.route_length[route]
        is_wanted = bits.contains(plan.routes, route) and length >= shortest
        if mask[action] and is_wanted and is_payable(view, rules, plan, route):
            value = length + (FAR if bits.contains(plan.ticket_routes, route) else 0)
            if value > best:
                best = value
                chosen = action
    return chosen


@compiled
def _longest_planned(rules: Record, plan: Record) -> int:
    longest = 0
    for i in range(plan.candidates):
        if bits.contains(plan.routes, plan.candidate[i]):
            longest = max(longest, rules.route_length[plan.candidate[i]])
    return longest


@compiled
def best_card(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """The row's card of the colour that is lacking least, else a locomotive for ferries, one from the deck, or any."""
    chosen = NO_ACTION
    least = FAR
    for slot in range(FACE_UP_SLOTS):
        action = rules.first_action[blocks.DRAW_FACE_UP] + slot
        if mask[action] and view.face_up[slot] != EMPTY and view.face_up[slot] != LOCOMOTIVE:
            lacking = -plan.spare[view.face_up[slot]]
            if 0 < lacking < least:
                least = lacking
                chosen = action
    for slot in range(FACE_UP_SLOTS):
        action = rules.first_action[blocks.DRAW_FACE_UP] + slot
        if chosen == NO_ACTION and mask[action] and view.face_up[slot] == LOCOMOTIVE and plan.spare[LOCOMOTIVE] < 0:
            chosen = action
    if chosen == NO_ACTION and mask[rules.first_action[blocks.DRAW_DECK]]:
        chosen = rules.first_action[blocks.DRAW_DECK]
    for slot in range(FACE_UP_SLOTS):
        action = rules.first_action[blocks.DRAW_FACE_UP] + slot
        if chosen == NO_ACTION and mask[action]:
            chosen = action
    return chosen


@compiled
def last_resort(mask: Array, rules: Record) -> int:
    """When no card can be drawn: any route, or tickets, or pass."""
    action = longest_route(mask, rules)
    draw_tickets = rules.first_action[blocks.DRAW_TICKETS]
    if action == NO_ACTION:
        action = draw_tickets if mask[draw_tickets] else rules.first_action[blocks.PASS]
    return action


@compiled
def longest_route(mask: Array, rules: Record) -> int:
    """The longest route that can be claimed."""
    chosen = NO_ACTION
    longest = 0
    for route in range(rules.num_routes):
        action = rules.first_action[board_blocks.CLAIM] + route
        if mask[action] and rules.route_length[route] > longest:
            longest = rules.route_length[route]
            chosen = action
    return chosen


@compiled
def is_payable(view: Record, rules: Record, plan: Record, route: int) -> bool:
    """Whether a route that could be claimed is so without waste.

    Cards that the plan takes elsewhere are not exchanged for locomotives, and at a tunnel a card is held ready.
    """
    seat = view.current
    cards = payment.price(view, rules, seat, route)
    if rules.route_tunnel[route] > 0:
        cards += 1
    elif rules.exchange == 0:
        return True
    coloured = 0
    for colour in range(LOCOMOTIVE):
        if rules.route_colour[route] == GRAY or rules.route_colour[route] == colour:
            coloured = max(coloured, racks.held(view, rules, seat, colour))
    locomotives = racks.held(view, rules, seat, LOCOMOTIVE)
    lacking = max(cards - coloured - locomotives, rules.route_ferry[route] - locomotives)
    return lacking <= 0 or (rules.exchange > 0 and lacking * exchange.rate(view, rules, seat) <= _surplus(plan))


@compiled
def _surplus(plan: Record) -> int:
    """How many coloured cards the plan does not take."""
    number = 0
    for colour in range(LOCOMOTIVE):
        number += max(0, plan.spare[colour])
    return number


@compiled
def best_purchase(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """A technology that planned routes take, or that is worth its price, if cards to spare pay for it."""
    chosen = NO_ACTION
    if rules.num_technologies > 0:
        locomotives = view.hand[view.current, LOCOMOTIVE]
        for technology in range(rules.num_technologies):
            action = rules.first_action[purchase_blocks.BUY] + technology
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
    """What a technology may bring that no route takes, roughly; a card saved counts as a point."""
    routes_to_come = view.trains[view.current] // TRAINS_OF_ROUTE
    points = 0
    if (
        technology == rules.technology_with[effects.BOILER_LAGGING]
        or technology == rules.technology_with[effects.DIESEL_POWER]
    ):
        points = routes_to_come
    elif technology == rules.technology_with[effects.DOUBLE_HEADING]:
        points = 2 * view.ticket_count[view.current]
    return points


@compiled
def pay(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """Spend as few locomotives as possible, then the colour that the plan can best spare."""
    make_plan(view, rules, plan)
    return cheapest_payment(mask, rules, plan)


@compiled
def cheapest_payment(mask: Array, rules: Record, plan: Record) -> int:
    """The payment with the fewest locomotives, then of the colour that the plan can best spare."""
    chosen = NO_ACTION
    best = -FAR * FAR
    for colour in range(CARD_TYPES):
        for column in range(rules.pay_width):
            action = rules.first_action[board_blocks.PAY] + colour * rules.pay_width + column
            if mask[action]:
                value = plan.spare[colour] - FAR * paying.locomotives_of(rules, action)
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
        action = rules.first_action[exchange_blocks.SPEND] + colour
        if mask[action] and plan.spare[colour] > best:
            best = plan.spare[colour]
            chosen = action
    return chosen


@compiled
def first_legal(mask: Array, first: int) -> int:
    """The first legal answer of a block: the fewest cards from the rack, the fewest locomotives for a tunnel."""
    while not mask[first]:
        first += 1
    return first


@compiled
def place_card(view: Record, rules: Record, plan: Record) -> int:
    """What the plan lacks into the hand, the rest on the rack, where the teammate can use it."""
    make_plan(view, rules, plan)
    where = HAND if plan.spare[view.unplaced] < 0 else RACK
    return rules.first_action[rack_blocks.PLACE] + where


@compiled
def share_ticket(view: Record, mask: Array, rules: Record) -> int:
    """The ticket that is worth most: the teammate is to help."""
    chosen = NO_ACTION
    most = 0
    for ticket in range(rules.num_tickets):
        action = rules.first_action[sharing_blocks.SHARE_TICKET] + ticket
        if mask[action] and rules.ticket_points[ticket] > most:
            most = rules.ticket_points[ticket]
            chosen = action
    return chosen


@compiled
def choose_ticket(view: Record, rules: Record, plan: Record) -> int:
    """Keep those tickets, of all choices that the rules and the answers so far allow, that make the best plan.

    Other players may take routes of it, so a plan that needs most of the trains is no good plan.
    """
    seat = view.current
    decided = (1 << view.offer_index) - 1
    chosen = 0
    best = -FAR * FAR
    for kept in range(1 << view.offered_count[seat]):
        allowed = kept & decided == view.kept[seat]
        if allowed and count_bits(np.uint64(kept)) >= ticket_choice.must_keep(view, rules, seat):
            begin_plan(view, rules, plan)
            plan.trains -= rules.trains // plan.reserve
            for place in range(view.offered_count[seat]):
                if (kept >> place) & 1:
                    bits.add(plan.tickets, view.offered[seat, place])
            plan_tickets(view, rules, plan)
            if plan.worth > best:
                best = plan.worth
                chosen = kept
    keeps = (chosen >> view.offer_index) & 1
    return rules.first_action[blocks.KEEP_TICKET if keeps else blocks.REFUSE_TICKET]


@compiled
def choose_share(view: Record, mask: Array, rules: Record, plan: Record, holder: int, first: int) -> int:
    """The company whose top share, given to the holder, serves the seat best."""
    begin_plan(view, rules, plan)
    chosen = first
    best = -FAR * FAR
    for company in range(rules.num_companies):
        if mask[first + company]:
            value = gain(view, rules, plan, holder, company)
            if value > best:
                best = value
                chosen = first + company
    return chosen


@compiled
def wants_tickets(view: Record, rules: Record, plan: Record) -> bool:
    """Whether it is hungry, or all tickets are done early."""
    seat = view.current
    if 100 * view.ticket_count[seat] < plan.hunger * rules.trains:
        return True
    tickets_are_done = plan.ticket_routes[0] == bits.NONE and plan.ticket_routes[1] == bits.NONE
    return tickets_are_done and view.trains[seat] >= plan.trains_for_tickets


@compiled
def claim_second(view: Record, mask: Array, rules: Record, plan: Record) -> int:
    """What is planned; else no second route."""
    make_plan(view, rules, plan)
    action = best_claim(view, mask, rules, plan)
    return rules.first_action[blocks.STOP] if action == NO_ACTION else action
