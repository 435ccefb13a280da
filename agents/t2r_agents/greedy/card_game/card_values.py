"""What cards are worth, in hand and on the pile, and which to draw."""

from t2r_agents.greedy.card_game.records import Plan
from t2r_env.agents import Array
from t2r_env.core.compiled import compiled
from t2r_env.core.game import NO_ACTION
from t2r_env.rules.card_game.modules import CardRules, CardState
from t2r_env.rules.cards import CARD_TYPES, EMPTY, FACE_UP_SLOTS, LOCOMOTIVE
from t2r_env.rules.names import blocks, phases

NEEDED_CARD_VALUE = 40
"""What it is worth to bring a card that the plan needs nearer to the pile, in tenths of a point: tickets score
4.4 points for each card that they take, on average."""
SPARE_CARD_VALUE = 20
"""The same of a card that the plan does not need: tickets that need it may yet be drawn."""
CARDS_PLAYED_PER_TURN = 2
"""How many cards of a hand can be played for each turn to come, roughly."""
NOTHING = -1_000
"""The value of what can't be done, less than that of anything that can."""


@compiled
def best_card(view: CardState, mask: Array, rules: CardRules, plan: Plan) -> int:
    """Draw the face-up card of the greatest value, or from the deck if that is likely to bring more; or NO_ACTION."""
    chosen = NO_ACTION
    best = NOTHING
    if mask[rules.first_action[blocks.DRAW_DECK]]:
        chosen = rules.first_action[blocks.DRAW_DECK]
        best = _value_of_blind_card(view, rules, plan)
    for slot in range(FACE_UP_SLOTS):
        action = rules.first_action[blocks.DRAW_FACE_UP] + slot
        if mask[action] and view.face_up[slot] != EMPTY:
            value = _value_of_card(view, rules, plan, view.face_up[slot])
            if view.phase == phases.TURN and view.face_up[slot] == LOCOMOTIVE:
                value -= _value_of_blind_card(view, rules, plan)  # it is the only card
            if value > best:
                best = value
                chosen = action
    return chosen


@compiled
def value_of_draw(view: CardState, rules: CardRules, plan: Plan, action: int) -> int:
    """What it is worth to draw this card first, and then another; NOTHING for NO_ACTION."""
    if action == NO_ACTION:
        return NOTHING
    blind = _value_of_blind_card(view, rules, plan)
    if action == rules.first_action[blocks.DRAW_DECK]:
        return 2 * blind
    drawn_slot = action - rules.first_action[blocks.DRAW_FACE_UP]
    drawn = view.face_up[drawn_slot]
    value = _value_of_card(view, rules, plan, drawn)
    if drawn == LOCOMOTIVE:
        return value
    second = blind
    for slot in range(FACE_UP_SLOTS):
        if slot != drawn_slot and view.face_up[slot] != EMPTY and view.face_up[slot] != LOCOMOTIVE:
            second = max(second, _value_of_card(view, rules, plan, view.face_up[slot]))
    return value + second


@compiled
def _value_of_card(view: CardState, rules: CardRules, plan: Plan, card: int) -> int:
    """What a card is worth in hand, if it can still be played and arrive."""
    seat = view.current
    is_in_time = plan.turns > 1 and view.hand_count[seat] < CARDS_PLAYED_PER_TURN * plan.turns
    if not is_in_time and view.scoring_round == rules.scorings:
        return 0
    if card == LOCOMOTIVE:
        return value_of_locomotive(plan)
    is_missing = plan.needed[card] > plan.on_track[card] + view.hand[seat, card]
    return NEEDED_CARD_VALUE if is_missing else SPARE_CARD_VALUE


@compiled
def _value_of_blind_card(view: CardState, rules: CardRules, plan: Plan) -> int:
    """The mean value over all cards of the game."""
    value = 0
    cards = 0
    for card in range(CARD_TYPES):
        value += rules.deck[card] * _value_of_card(view, rules, plan, card)
        cards += rules.deck[card]
    return value // cards


@compiled
def value_of_locomotive(plan: Plan) -> int:
    """What a locomotive is worth: as much as a needed card while any is missing."""
    return NEEDED_CARD_VALUE if plan.missing > 0 else SPARE_CARD_VALUE


@compiled
def value_of_arrivals(plan: Plan, colour: int, cards: int) -> int:
    """What it is worth that so many cards of a colour arrive on the pile."""
    needed = max(0, min(cards, plan.needed[colour] - plan.on_track[colour]))
    return NEEDED_CARD_VALUE * needed + SPARE_CARD_VALUE * (cards - needed)
