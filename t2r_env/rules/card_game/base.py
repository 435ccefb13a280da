"""The turn of the Card Game, as a rule module (CG5, CG6, CG8)."""

from typing import Any

from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.layout import Part
from t2r_env.rules import actions, deal, drawing, hooks, train_cards
from t2r_env.rules.card_game import completing, sets
from t2r_env.rules.card_game.configuration import CardConfiguration
from t2r_env.rules.card_game.scoring import ScoringRules, ScoringState
from t2r_env.rules.card_game.turns import begin_last_round_if_empty
from t2r_env.rules.cards import EMPTY
from t2r_env.rules.check import find_fault_of_drawn_card, of_current
from t2r_env.rules.module import Phase, RuleModule, States
from t2r_env.rules.names import blocks, phases
from t2r_env.rules.ruleset import KEEP_TICKET
from t2r_env.rules.state import SharedScratch
from t2r_env.rules.turns import finish_turn


@compiled
def deal_game(state: ScoringState, rules: ScoringRules) -> None:
    """As in all games (CG2); if the deck is then empty, the last round begins (CG9)."""
    deal.deal(state, rules)
    begin_last_round_if_empty(state, rules)


@inlined
def _list_turn(state: ScoringState, rules: ScoringRules, scratch: SharedScratch) -> int:
    """Draw cards or tickets, play a set or three colours; pass if, and only if, none can be done (CG5)."""
    count = drawing.list_draws(state, rules, scratch)
    count = hooks.list_turn_actions(state, rules, scratch, count)
    if count == 0:
        scratch.legal[count] = rules.first_action[blocks.PASS]
        count += 1
    return count


@inlined
def _apply_turn(state: ScoringState, rules: ScoringRules, scratch: SharedScratch, action: int) -> None:
    """Begin the chosen action."""
    if action <= rules.first_action[blocks.DRAW_DECK]:
        card = drawing.draw_first(state, rules, action)
        train_cards.give(state, state.current, card, state.drawn != EMPTY)
        train_cards.restore(state, rules)
        if drawing.is_only_card(state):
            finish_turn(state)
        else:
            drawing.go_on_to_second_card(state)
    elif action == rules.first_action[blocks.DRAW_TICKETS]:
        drawing.draw_tickets(state, rules)
    elif action == rules.first_action[blocks.PASS]:
        finish_turn(state)
    else:
        hooks.begin_action(state, rules, action)


@inlined
def _list_second_card(state: ScoringState, rules: ScoringRules, scratch: SharedScratch) -> int:
    """What may be drawn; or none (CG6)."""
    count = drawing.list_second_cards(state, rules, scratch)
    scratch.legal[count] = rules.first_action[blocks.STOP]
    return count + 1


@inlined
def _apply_second_card(state: ScoringState, rules: ScoringRules, scratch: SharedScratch, action: int) -> None:
    """Draw the card, or decline it. The turn is over."""
    if action != rules.first_action[blocks.STOP]:
        card = drawing.draw_second(state, rules, action)
        train_cards.give(state, state.current, card, action != rules.first_action[blocks.DRAW_DECK])
        train_cards.restore(state, rules)
    finish_turn(state)


def _lay_out_blocks(configuration: CardConfiguration) -> list[Part]:
    return [
        *actions.DRAWING,
        *sets.lay_out_plays(configuration),
        *actions.PASSING,
        *sets.lay_out_sizes(configuration),
        *actions.CHOOSING_TICKETS,
        *completing.lay_out_blocks(configuration),
        (blocks.STOP, (1,), "draw no second card (CG6), or complete no more tickets (CG10)"),
    ]


def _find_fault_of_decision(states: States, rules: Any) -> str:
    drawn = states[states["phase"] == phases.SECOND_CARD]
    known = of_current(drawn, "known")
    return find_fault_of_drawn_card(drawn, known, known.sum(-1), of_current(drawn, "hand_count"))


BASE = RuleModule(
    phases=[
        Phase(phases.TURN, _list_turn, _apply_turn),
        Phase(phases.SECOND_CARD, _list_second_card, _apply_second_card),
        KEEP_TICKET,
    ],
    blocks=_lay_out_blocks,
    find_fault_of_decision=_find_fault_of_decision,
)
"""Turns."""
