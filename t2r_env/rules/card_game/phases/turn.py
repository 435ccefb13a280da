"""What do you do this turn? Phase 2 of a turn (CG5-CG8)."""

from t2r_env.rules import drawing, train_cards
from t2r_env.rules.card_game import actions, yard
from t2r_env.rules.card_game.phases import second_card
from t2r_env.rules.card_game.state import NOBODY, NUM_COLOURS, SET_CARDS
from t2r_env.rules.compiled import inlined
from t2r_env.rules.records import Record
from t2r_env.rules.state import TURN_OVER
from t2r_env.rules.train_cards import EMPTY, LOCOMOTIVE


@inlined
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """Draw cards or tickets, play a set or three colours; pass if, and only if, none can be done (CG5)."""
    count = drawing.list_draws(state, rules, scratch)
    seat = state.current
    locomotives = state.hand[seat, LOCOMOTIVE]
    for colour in range(NUM_COLOURS):
        cards = state.hand[seat, colour]
        if cards > 0 and cards + locomotives >= yard.least_set(state, seat, colour):
            scratch.legal[count] = rules.first_action[actions.PLAY_SET] + colour
            count += 1
    count = _list_threes(state, rules, scratch, seat, count)
    if count == 0:
        scratch.legal[count] = rules.first_action[actions.PASS]
        count += 1
    return count


@inlined
def _list_threes(state: Record, rules: Record, scratch: Record, seat: int, count: int) -> int:
    """List, after `count` other answers, every three colours that lie in no rail yard: one card robs nobody (CG7)."""
    for third in range(2, NUM_COLOURS):
        if _has_free(state, seat, third):
            for second in range(1, third):
                if _has_free(state, seat, second):
                    for first in range(second):
                        if _has_free(state, seat, first):
                            number = actions.number_of_three(first, second, third)
                            scratch.legal[count] = rules.first_action[actions.PLAY_THREE] + number
                            count += 1
    return count


@inlined
def _has_free(state: Record, seat: int, colour: int) -> bool:
    """Whether the seat has a card of a colour that lies in no rail yard."""
    return state.hand[seat, colour] > 0 and state.yard_owner[colour] == NOBODY


@inlined
def apply(state: Record, rules: Record, action: int) -> None:
    """Begin the chosen action."""
    seat = state.current
    state.phase = TURN_OVER
    if action <= rules.first_action[actions.DRAW_DECK]:
        card = drawing.draw_first(state, rules, action)
        train_cards.give(state, seat, card, state.drawn != EMPTY)
        train_cards.restore(state, rules)
        if not drawing.is_only_card(state):
            second_card.ask(state)
    elif action == rules.first_action[actions.DRAW_TICKETS]:
        drawing.draw_tickets(state, rules)
    elif action < rules.first_action[actions.PLAY_THREE]:
        state.set_colour = action - rules.first_action[actions.PLAY_SET]
        state.phase = SET_CARDS
    elif action < rules.first_action[actions.PASS]:
        three = action - rules.first_action[actions.PLAY_THREE]
        for place in range(3):
            yard.lay_row(state, seat, rules.threes[three, place], 1, 0)
