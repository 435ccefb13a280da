"""What do you do this turn? (C8, C9, C12, C13)"""

from t2r_env.rules import bits, ticket_queue, train_cards
from t2r_env.rules.compiled import inlined, lowest_bit
from t2r_env.rules.map_game import actions, routes
from t2r_env.rules.map_game.phases import second_card
from t2r_env.rules.map_game.state import FROM_DECK, KEEP_TICKET, PAY, TURN_OVER
from t2r_env.rules.records import Record
from t2r_env.rules.train_cards import EMPTY, LOCOMOTIVE, ROW_SLOTS


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """Draw a card, draw tickets or claim a lane; pass if, and only if, none of them can be done (C13)."""
    count = 0
    for slot in range(ROW_SLOTS):
        if state.row[slot] != EMPTY:
            scratch.legal[count] = rules.first_action[actions.DRAW_ROW] + slot
            count += 1
    if state.deck_count > 0:
        scratch.legal[count] = rules.first_action[actions.DRAW_DECK]
        count += 1
    if state.queue_count > 0:
        scratch.legal[count] = rules.first_action[actions.DRAW_TICKETS]
        count += 1
    low, high = routes.claimable(state, rules, state.current)
    first = rules.first_action[actions.CLAIM]
    while low != bits.NONE:
        scratch.legal[count] = first + lowest_bit(low)
        low = bits.without_lowest(low)
        count += 1
    while high != bits.NONE:
        scratch.legal[count] = first + 64 + lowest_bit(high)
        high = bits.without_lowest(high)
        count += 1
    if count == 0:
        scratch.legal[count] = rules.first_action[actions.PASS]
        count += 1
    return count


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Begin the chosen action."""
    seat = state.current
    if action == rules.first_action[actions.PASS]:
        state.passes += 1
        state.phase = TURN_OVER
        return
    state.passes = 0
    if action < rules.first_action[actions.DRAW_DECK]:
        slot = action - rules.first_action[actions.DRAW_ROW]
        card = train_cards.take_from_row(state, seat, slot)
        train_cards.restore(state, rules)
        second_card.ask(state, slot, card)
        if card == LOCOMOTIVE:
            state.phase = TURN_OVER
    elif action == rules.first_action[actions.DRAW_DECK]:
        train_cards.draw_into_hand(state, seat)
        train_cards.restore(state, rules)
        second_card.ask(state, FROM_DECK, EMPTY)
    elif action == rules.first_action[actions.DRAW_TICKETS]:
        ticket_queue.offer(state, seat, rules.later_offer)
        state.phase = KEEP_TICKET
    else:
        state.lane = action - rules.first_action[actions.CLAIM]
        state.phase = PAY
