"""What to do in a turn? (C8, C9, C12, C13, TA8, UK8)"""

from t2r_env.core.compiled import inlined
from t2r_env.rules import drawing, hooks, train_cards
from t2r_env.rules.cards import EMPTY
from t2r_env.rules.map_game import open_routes, racks
from t2r_env.rules.map_game.board import blocks as board_blocks
from t2r_env.rules.map_game.board import enter_claim
from t2r_env.rules.map_game.paying import RACK
from t2r_env.rules.map_game.prices import PriceRules, PriceState
from t2r_env.rules.names import blocks
from t2r_env.rules.state import SharedScratch
from t2r_env.rules.turns import finish_turn


@inlined
def list_legal(state: PriceState, rules: PriceRules, scratch: SharedScratch) -> int:
    """Draw cards or tickets, claim, or what rule modules allow; pass if, and only if, none can be done (C13)."""
    count = hooks.list_only_actions(state, rules, scratch, 0)
    if count > 0:
        return count
    count = drawing.list_draws(state, rules, scratch)
    count = open_routes.list_claims(state, rules, scratch, count)
    count = hooks.list_turn_actions(state, rules, scratch, count)
    if count == 0:
        scratch.legal[count] = rules.first_action[blocks.PASS]
        count += 1
    return hooks.list_extra_actions(state, rules, scratch, count)


@inlined
def apply(state: PriceState, rules: PriceRules, scratch: SharedScratch, action: int) -> None:
    """Begin the chosen action."""
    if action > rules.first_action[blocks.PASS]:
        hooks.begin_action(state, rules, action)
    elif action == rules.first_action[blocks.PASS]:
        state.passes += 1
        finish_turn(state)
    else:
        state.passes = 0
        if action <= rules.first_action[blocks.DRAW_DECK]:
            _draw_card(state, rules, action)
        elif action == rules.first_action[blocks.DRAW_TICKETS]:
            drawing.draw_tickets(state, rules)
        else:
            enter_claim(state, action - rules.first_action[board_blocks.CLAIM])


@inlined
def _draw_card(state: PriceState, rules: PriceRules, action: int) -> None:
    """The first card (C8); in team games it lies apart until the seat has decided where it goes (TA5)."""
    seat = state.current
    card = drawing.draw_first(state, rules, action)
    is_only = drawing.is_only_card(state)
    if rules.num_racks > 0:
        if not is_only:
            racks.enter_place(state, card)
            return
        racks.place_card(state, rules, seat, card, RACK, True)
    else:
        train_cards.give(state, seat, card, state.drawn != EMPTY)
    train_cards.restore(state, rules)
    if is_only:
        finish_turn(state)
    else:
        drawing.go_on_to_second_card(state)
