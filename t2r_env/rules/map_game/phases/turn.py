"""What do you do this turn? (C8, C9, C12, C13, TA8, UK8)"""

from t2r_env.rules import drawing, train_cards
from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.map_game import actions, exchange, open_routes, payment, racks, right_of_way, technologies
from t2r_env.rules.map_game.phases import place, second_card, share
from t2r_env.rules.map_game.state import NO_TECHNOLOGY, PAY, RACK, RIGHT_OF_WAY, ROUTE_WORDS, WATER_TENDERS
from t2r_env.rules.records import Record
from t2r_env.rules.state import TURN_OVER
from t2r_env.rules.train_cards import EMPTY, LOCOMOTIVE


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """Draw cards or tickets, claim, share a ticket; pass if, and only if, none can be done (C13). Or buy first."""
    has_technologies = rules.num_technologies > 0
    if has_technologies and technologies.was_bought(state, rules.technology_with[RIGHT_OF_WAY]):
        return _list_right_of_way(state, rules, scratch)
    count = drawing.list_draws(state, rules, scratch)
    count = open_routes.list_claims(state, rules, scratch, count)
    if rules.num_racks > 0:
        tickets = state.tickets[state.current]
        count = share.list_tickets(scratch, tickets, count, rules.first_action[actions.SHARE_TICKET])
    if has_technologies and state.deck_count > 0:
        if technologies.holds(state, state.current, rules.technology_with[WATER_TENDERS]):
            scratch.legal[count] = rules.first_action[actions.DRAW_THREE]
            count += 1
    if count == 0:
        scratch.legal[count] = rules.first_action[actions.PASS]
        count += 1
    if has_technologies and state.bought == NO_TECHNOLOGY:
        count = _list_purchases(state, rules, scratch, count)
    return count


@compiled
def _list_right_of_way(state: Record, rules: Record, scratch: Record) -> int:
    """The routes of others that can be paid: nothing else may be done in the turn that it is bought (UK9)."""
    seat = state.current
    payable = payment.payable(state, rules, seat)
    count = 0
    for word in range(ROUTE_WORDS):
        count = open_routes.list_routes(
            rules, scratch, payable[word] & right_of_way.routes(state, rules, seat, word), word, count
        )
    return count


@compiled
def _list_purchases(state: Record, rules: Record, scratch: Record, count: int) -> int:
    """The technologies in the supply that the seat has not and can pay, after `count` other answers (UK8)."""
    seat = state.current
    coloured, locomotives = exchange.coloured_cards(state, seat), state.hand[seat, LOCOMOTIVE]
    units = coloured // exchange.rate(state, rules, seat) + locomotives
    for technology in range(rules.num_technologies):
        price = rules.technology_price[technology]
        is_there = technologies.copies_left(state, rules, technology) > 0
        if is_there and price <= units and not technologies.holds(state, seat, technology):
            is_right_of_way = technology == rules.technology_with[RIGHT_OF_WAY]
            if not is_right_of_way or right_of_way.stays_possible(state, rules, seat):
                scratch.legal[count] = rules.first_action[actions.BUY] + technology
                count += 1
    return count


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Begin the chosen action, or the purchase before it."""
    seat = state.current
    if rules.num_technologies > 0 and action >= rules.first_action[actions.BUY]:
        state.technology = action - rules.first_action[actions.BUY]
        state.phase = PAY
        return
    if action == rules.first_action[actions.PASS]:
        state.passes += 1
        state.phase = TURN_OVER
        return
    state.passes = 0
    if action <= rules.first_action[actions.DRAW_DECK]:
        _draw_card(state, rules, seat, action)
    elif action == rules.first_action[actions.DRAW_TICKETS]:
        drawing.draw_tickets(state, rules)
    elif action < rules.first_action[actions.PASS]:
        state.route = action - rules.first_action[actions.CLAIM]
        state.phase = PAY
    elif action == rules.first_action[actions.DRAW_THREE]:
        _draw_three(state, rules, seat)
    else:
        racks.put_ticket(state, rules, seat, action - rules.first_action[actions.SHARE_TICKET])
        state.moved = 1
        state.phase = TURN_OVER
        if state.ticket_count[seat] > 0:
            share.ask(state, seat)


@inlined
def _draw_card(state: Record, rules: Record, seat: int, action: int) -> None:
    """The first card (C8); in team games it lies apart until the seat has said where it goes (TA5)."""
    card = drawing.draw_first(state, rules, action)
    is_only = drawing.is_only_card(state)
    if rules.num_racks > 0:
        if not is_only:
            place.ask(state, card)
            return
        racks.place_card(state, rules, seat, card, RACK, True)
    else:
        train_cards.give(state, seat, card, state.drawn != EMPTY)
    train_cards.restore(state, rules)
    if is_only:
        state.phase = TURN_OVER
    else:
        second_card.ask(state)


@compiled
def _draw_three(state: Record, rules: Record, seat: int) -> None:
    """Three cards blind, or as many as there are (UK12)."""
    for _ in range(3):
        if state.deck_count > 0:
            train_cards.draw_into_hand(state, rules, seat)
    train_cards.restore(state, rules)
    state.phase = TURN_OVER
