"""What cards are worth, in hand and on the pile, and which to draw."""

from t2r_agents.greedy.card_game.records import Parameters, Plan
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.game import NO_ACTION
from t2r_env.rules.card_game.modules import CardRules, CardState
from t2r_env.rules.cards import CARD_TYPES, EMPTY, FACE_UP_SLOTS, LOCOMOTIVE
from t2r_env.rules.names import blocks, phases

NOTHING = -1_000
"""The value of what can't be done, less than that of anything that can."""


@compiled
def best_card(view: CardState, mask: Array, rules: CardRules, parameters: Parameters, plan: Plan) -> int:
    """Draw the face-up card of the greatest value, or from the deck if that is likely to bring more; or NO_ACTION."""
    chosen = NO_ACTION
    best = NOTHING
    if mask[rules.first_action[blocks.DRAW_DECK]]:
        chosen = rules.first_action[blocks.DRAW_DECK]
        best = _value_of_blind_card(view, rules, parameters, plan)
    for slot in range(FACE_UP_SLOTS):
        action = rules.first_action[blocks.DRAW_FACE_UP] + slot
        if mask[action] and view.face_up[slot] != EMPTY:
            value = _value_of_card(view, rules, parameters, plan, view.face_up[slot])
            if view.phase == phases.TURN and view.face_up[slot] == LOCOMOTIVE:
                value -= _value_of_blind_card(view, rules, parameters, plan)  # it is the only card
            if value > best:
                best = value
                chosen = action
    return chosen


@compiled
def value_of_draw(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan, action: int) -> int:
    """What it is worth to draw this card first, and then another; NOTHING for NO_ACTION."""
    if action == NO_ACTION:
        return NOTHING
    blind = _value_of_blind_card(view, rules, parameters, plan)
    if action == rules.first_action[blocks.DRAW_DECK]:
        return 2 * blind
    drawn_slot = action - rules.first_action[blocks.DRAW_FACE_UP]
    drawn = view.face_up[drawn_slot]
    value = _value_of_card(view, rules, parameters, plan, drawn)
    if drawn == LOCOMOTIVE:
        return value
    second = blind
    for slot in range(FACE_UP_SLOTS):
        if slot != drawn_slot and view.face_up[slot] != EMPTY and view.face_up[slot] != LOCOMOTIVE:
            second = max(second, _value_of_card(view, rules, parameters, plan, view.face_up[slot]))
    return value + second


@compiled
def _value_of_card(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan, card: int) -> int:
    """What a card is worth in hand, if it can still be played and arrive."""
    seat = view.current
    playable = parameters.cards_played_per_10_turns * plan.turns
    is_in_time = plan.turns > 1 and 10 * view.hand_count[seat] < playable
    if not is_in_time and view.scoring_round == rules.scorings:
        return 0
    if card == LOCOMOTIVE:
        return value_of_locomotive(parameters, plan) + parameters.locomotive_value
    if parameters.waits_for_rows and turns_after_row(view, plan, card) <= view.hand[seat, card]:
        return 0
    is_missing = plan.needed[card] > plan.on_track[card] + view.hand[seat, card]
    value = parameters.needed_card_value if is_missing else parameters.spare_card_value
    return value + parameters.same_colour_value * view.hand[seat, card]


@compiled
def _value_of_blind_card(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan) -> int:
    """The mean value over all cards of the game, or those that it has not seen."""
    value = 0
    cards = 0
    for card in range(CARD_TYPES):
        number = plan.unseen[card] if parameters.counts_cards else rules.deck[card]
        value += number * _value_of_card(view, rules, parameters, plan, card)
        cards += number
    return value // max(1, cards)


@compiled
def value_of_locomotive(parameters: Parameters, plan: Plan) -> int:
    """What a locomotive is worth: as much as a needed card while any is missing."""
    return parameters.needed_card_value if plan.missing > 0 else parameters.spare_card_value


@compiled
def value_of_arrivals(parameters: Parameters, plan: Plan, colour: int, cards: int) -> int:
    """What it is worth that so many cards of a colour arrive on the pile."""
    needed = max(0, min(cards, plan.needed[colour] - plan.on_track[colour]))
    return parameters.needed_card_value * needed + parameters.spare_card_value * (cards - needed)


@inlined
def turns_after_row(view: CardState, plan: Plan, colour: int) -> int:
    """How many of its turns to come are left once its own row of a colour, if there is one, has arrived."""
    if view.yard_owner[colour] != view.current:
        return plan.turns
    return max(0, plan.turns - view.yard_cards[colour] - view.yard_locomotives[colour])
