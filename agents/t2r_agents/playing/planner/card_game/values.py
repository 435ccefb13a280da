"""The values of drawing cards, of drawing tickets and of plays (CG7), in tenths of a point."""

from t2r_agents.playing.planner.card_game.planning import cards_lacking, prospective_value, turns_after_row
from t2r_agents.playing.planner.card_game.records import Parameters, Plan
from t2r_env.agents import Array
from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules import train_cards
from t2r_env.rules.card_game import yard
from t2r_env.rules.card_game.records import NOBODY, CardRules, CardState
from t2r_env.rules.cards import CARD_TYPES, EMPTY, FACE_UP_SLOTS, LOCOMOTIVE
from t2r_env.rules.names import NO_ACTION, blocks, phases

NOTHING = -1_000
"""The value of an action that is not legal: less than that of any legal action."""


# Drawing cards


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
    """Return the value of drawing this card first, and then another; NOTHING for NO_ACTION."""
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
    """Return the value of a card in hand, if it can still be played and arrive."""
    seat = view.current
    playable = parameters.cards_played_per_10_turns * plan.turns
    is_in_time = plan.turns > 1 and 10 * view.hand_count[seat] < playable
    if not is_in_time and view.scoring_round == rules.scorings:
        return 0
    if card == LOCOMOTIVE:
        return _value_of_locomotive(parameters, plan) + parameters.locomotive_value
    if parameters.waits_for_rows and turns_after_row(view, plan, card) <= view.hand[seat, card]:
        return 0
    is_missing = plan.needed[card] > plan.on_track[card] + view.hand[seat, card]
    value = parameters.needed_card_value if is_missing else parameters.spare_card_value
    return value + parameters.same_colour_value * view.hand[seat, card]


@compiled
def _value_of_blind_card(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan) -> int:
    """Return the mean value over all cards of the game, or those that it has not seen."""
    value = 0
    cards = 0
    for card in range(CARD_TYPES):
        number = plan.unseen[card] if parameters.counts_cards else rules.deck[card]
        value += number * _value_of_card(view, rules, parameters, plan, card)
        cards += number
    return value // max(1, cards)


@inlined
def _value_of_locomotive(parameters: Parameters, plan: Plan) -> int:
    """Return the value of a locomotive: that of a needed card while any is missing."""
    return parameters.needed_card_value if plan.missing > 0 else parameters.spare_card_value


# Plays


@inlined
def cards_in_set(view: CardState, plan: Plan, colour: int) -> int:
    """Return how many coloured cards to play in a set: those that arrive in time, and as many as the rules demand."""
    seat = view.current
    return min(view.hand[seat, colour], max(plan.turns, yard.least_set(view, seat, colour)))


@compiled
def locomotives_in_set(view: CardState, rules: CardRules, plan: Plan, colour: int, cards: int) -> int:
    """Return how many locomotives to play in a set.

    Those that the plan lacks and that arrive in time, or all of these when it is late; besides, those that the rules
    demand, and one that keeps the row from being robbed.
    """
    seat = view.current
    held = view.hand[seat, LOCOMOTIVE]
    in_time = max(0, min(held, plan.turns - cards))
    number = in_time if plan.is_late else max(0, min(in_time, plan.missing))
    number = max(number, yard.least_set(view, seat, colour) - cards)
    if number < held and _is_exposed(view, rules, colour, cards + number):
        if not _is_exposed(view, rules, colour, cards + number + 1):
            number += 1
    return min(number, held)


@compiled
def value_of_set(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan, colour: int) -> int:
    """Return the value of playing a set of a colour: its cards that arrive in time, and those that are robbed."""
    cards = cards_in_set(view, plan, colour)
    locomotives = locomotives_in_set(view, rules, plan, colour, cards)
    coloured = min(cards, plan.turns)
    arriving_locomotives = min(locomotives, plan.turns - coloured)
    value = _value_of_arrivals(parameters, plan, colour, coloured)
    value += _value_of_locomotive(parameters, plan) * arriving_locomotives
    value = value * _percent_that_arrives(view, rules, parameters, colour, cards + locomotives) // 100
    lost = parameters.spare_card_value * (locomotives - arriving_locomotives)
    return value + _value_of_robbing(view, rules, parameters, plan, colour) - lost


@compiled
def _value_of_arrivals(parameters: Parameters, plan: Plan, colour: int, cards: int) -> int:
    """Return the value of this many cards of a colour that arrive on the pile."""
    needed = max(0, min(cards, plan.needed[colour] - plan.on_track[colour]))
    return parameters.needed_card_value * needed + parameters.spare_card_value * (cards - needed)


@compiled
def _value_of_robbing(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan, colour: int) -> int:
    """Return the value of robbing an opponent of the row of a colour: of those cards that would have arrived."""
    owner = view.yard_owner[colour]
    if owner == NOBODY:
        return 0
    ahead = owner - view.current
    if ahead < 0:
        ahead += rules.num_seats
    turns = plan.turns
    if view.last_turns_left > 0:
        turns = 1 if ahead < view.last_turns_left else 0
    cards = min(turns, view.yard_cards[colour] + view.yard_locomotives[colour])
    return parameters.robbed_card_value * cards // (rules.num_seats - 1)


@compiled
def best_three(view: CardState, mask: Array, rules: CardRules, parameters: Parameters, plan: Plan) -> tuple[int, int]:
    """Play the three colours of the greatest value, and return it too; or NO_ACTION, NOTHING."""
    chosen = NO_ACTION
    best = NOTHING
    for three in range(rules.threes.shape[0]):
        if mask[rules.first_action[blocks.PLAY_THREE] + three]:
            value = 0
            for i in range(3):
                colour = rules.threes[three, i]
                arriving = _value_of_arrivals(parameters, plan, colour, min(1, plan.turns))
                value += arriving * _percent_that_arrives(view, rules, parameters, colour, 1) // 100
            if value > best:
                best = value
                chosen = rules.first_action[blocks.PLAY_THREE] + three
    return chosen, best


@inlined
def _percent_that_arrives(view: CardState, rules: CardRules, parameters: Parameters, colour: int, cards: int) -> int:
    """Return what a row of this many cards counts, as it may be robbed."""
    if _is_exposed(view, rules, colour, cards):
        return parameters.exposed_percent
    return parameters.small_row_percent if cards <= parameters.small_row_cards else 100


@compiled
def _is_exposed(view: CardState, rules: CardRules, colour: int, cards: int) -> bool:
    """Whether an opponent is known to hold enough cards to rob a row of this many."""
    for seat in range(rules.num_seats):
        if seat != view.current and view.known[seat, colour] > 0:
            if view.known[seat, colour] + view.known[seat, LOCOMOTIVE] > cards:
                return True
    return False


# Drawing tickets


@inlined
def may_find_tickets(view: CardState, rules: CardRules) -> bool:
    """Whether it may pay to draw tickets: if turns go by faster than cards, all seats draw tickets and refuse them."""
    cards = view.scoring_round * train_cards.count(rules.deck) - view.deck_count
    return view.last_turns_left > 0 or view.turn < cards


@compiled
def value_of_drawing_tickets(view: CardState, rules: CardRules, parameters: Parameters, plan: Plan) -> int:
    """Return what drawn tickets are likely to bring besides those planned, from the cards that these leave."""
    value = 0
    unseen = 0
    for ticket in range(rules.num_tickets):
        is_seen = bits.contains(view.tickets[view.current], ticket)
        for seat in range(rules.num_seats):
            is_seen = is_seen or bits.contains(view.completed_tickets[seat], ticket)
        if not is_seen:
            unseen += 1
            lacking = cards_lacking(rules, plan, ticket)
            if lacking <= plan.left[LOCOMOTIVE]:
                value += max(0, prospective_value(rules, parameters, ticket) - parameters.needed_card_value * lacking)
    if unseen == 0:
        return 0
    drawn = min(rules.later_offer, view.queue_count)
    return drawn * value * parameters.drawn_tickets_percent // (100 * unseen)
