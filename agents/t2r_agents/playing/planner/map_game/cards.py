"""The choice of train cards to draw, and of cards to pay with."""

from t2r_agents.playing.planner.map_game.position import missing_cards
from t2r_agents.playing.planner.map_game.records import LOWEST, Parameters, Plan
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled
from t2r_env.rules.cards import CARD_TYPES, EMPTY, FACE_UP_SLOTS, LOCOMOTIVE
from t2r_env.rules.map_game import payments
from t2r_env.rules.map_game.records import MapRules, MapState
from t2r_env.rules.names import NO_ACTION, blocks, phases

MISSING = 100
LOCOMOTIVE_PRICE = 10_000
"""The price of a locomotive in coloured cards when payments are compared: the fewest locomotives come first."""


@compiled
def best_card(view: MapState, mask: Array, rules: MapRules, parameters: Parameters, plan: Plan) -> int:
    """Draw the card of the greatest value, by the odds of the deck for a blind one; or NO_ACTION.

    A face-up locomotive is the turn's only card, so it must be worth two, unless these are free (NO4).
    """
    chosen = NO_ACTION
    best = -1
    blind = _value_of_blind_card(view, rules, parameters, plan)
    is_first = view.phase == phases.TURN
    for slot in range(FACE_UP_SLOTS):
        action = rules.first_action[blocks.DRAW_FACE_UP] + slot
        if mask[action] and view.face_up[slot] != EMPTY:
            value = _value_of_card(parameters, plan, view.face_up[slot])
            if is_first and (view.face_up[slot] != LOCOMOTIVE or rules.free_locomotives):
                value += _value_of_second(view, rules, parameters, plan, slot, blind)
            if value > best:
                best = value
                chosen = action
    if mask[rules.first_action[blocks.DRAW_DECK]]:
        value = blind
        if is_first:
            value += _value_of_second(view, rules, parameters, plan, FACE_UP_SLOTS, blind)
        if value >= best:
            chosen = rules.first_action[blocks.DRAW_DECK]
    return chosen


@compiled
def _value_of_second(
    view: MapState, rules: MapRules, parameters: Parameters, plan: Plan, drawn_slot: int, blind: int
) -> int:
    """Return what the second card of a turn is worth, if the first is drawn from a slot or from the deck."""
    best = blind
    for slot in range(FACE_UP_SLOTS):
        card = view.face_up[slot]
        if slot != drawn_slot and card != EMPTY and (card != LOCOMOTIVE or rules.free_locomotives):
            value = _value_of_card(parameters, plan, card)
            if drawn_slot < FACE_UP_SLOTS and card == view.face_up[drawn_slot] and plan.spare_cards[card] >= -1:
                value = parameters.spare_value
            best = max(best, value)
    return best


@compiled
def _value_of_card(parameters: Parameters, plan: Plan, card: int) -> int:
    """Return what a card is worth, in percent of one that the plan lacks."""
    if card == LOCOMOTIVE:
        is_of_use = missing_cards(plan) > 0 or plan.spare_cards[card] < 0
        if plan.spare_cards[card] >= plan.most_locomotives:
            return parameters.spare_value
        return parameters.locomotive_value if is_of_use else MISSING
    missing = -plan.spare_cards[card]
    return MISSING + parameters.near_value // missing if missing > 0 else parameters.spare_value


@compiled
def _value_of_blind_card(view: MapState, rules: MapRules, parameters: Parameters, plan: Plan) -> int:
    """Return the mean value of the cards that the seat has not seen."""
    value = 0
    cards = 0
    for card in range(CARD_TYPES):
        unseen = rules.deck[card] - view.discard[card] - view.hand[view.current, card]
        for seat in range(rules.num_seats):
            if seat != view.current:
                unseen -= view.known[seat, card]
        for slot in range(FACE_UP_SLOTS):
            if view.face_up[slot] == card:
                unseen -= 1
        unseen = max(0, unseen)
        value += unseen * _value_of_card(parameters, plan, card)
        cards += unseen
    return value // max(1, cards)


@compiled
def cheapest_payment(mask: Array, rules: MapRules, plan: Plan) -> int:
    """Pay with the fewest locomotives, then in the colour that the plan can best spare; else exchange such a card."""
    chosen = NO_ACTION
    best = LOWEST
    for colour in range(CARD_TYPES):
        for column in range(rules.pay_width):
            action = rules.first_action[blocks.PAY] + colour * rules.pay_width + column
            if mask[action]:
                value = plan.spare_cards[colour] - LOCOMOTIVE_PRICE * payments.locomotives_of(rules, action)
                if value > best:
                    best = value
                    chosen = action
    if chosen == NO_ACTION:
        for colour in range(rules.block_size[blocks.SPEND]):
            action = rules.first_action[blocks.SPEND] + colour
            if mask[action] and plan.spare_cards[colour] > best:
                best = plan.spare_cards[colour]
                chosen = action
    return chosen
