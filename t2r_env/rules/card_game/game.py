"""A game step by step: an answer, what it does, and the next question that is really a player's to answer."""

from typing import Any

import numpy as np

from t2r_env.rules.card_game import turns
from t2r_env.rules.card_game.phases import complete, keep_ticket, second_card, set_cards, set_locomotives, turn
from t2r_env.rules.card_game.state import COMPLETE, KEEP_TICKET, SECOND_CARD, SET_CARDS, SET_LOCOMOTIVES, TURN
from t2r_env.rules.compiled import compiled, inlined
from t2r_env.rules.records import Record
from t2r_env.rules.state import NO_ANSWER, TURN_OVER


@compiled
def play(state: Record, rules: Record, scratch: Record, action: Any) -> int:
    """Give a legal answer (or `NO_ANSWER`, to learn what is asked) and go on to the next question.

    A question with one legal answer is answered for the player, but for the one that opens a turn. Returns the number
    of legal answers to the question that is left, listed in `scratch.legal`; 0 after the end.
    """
    while True:
        if action != NO_ANSWER:
            _apply(state, rules, scratch, action)
        if state.phase == TURN_OVER:
            turns.end_turn(state, rules)
        count = _list_answers(state, rules, scratch)
        if count != 1 or state.phase == TURN:
            return count
        action = np.int64(scratch.legal[0])


@inlined
def _apply(state: Record, rules: Record, scratch: Record, action: Any) -> None:
    """What an answer does."""
    phase = state.phase
    if phase == TURN:
        turn.apply(state, rules, action)
    elif phase == SECOND_CARD:
        second_card.apply(state, rules, action)
    elif phase == SET_CARDS:
        set_cards.apply(state, rules, action)
    elif phase == SET_LOCOMOTIVES:
        set_locomotives.apply(state, rules, action)
    elif phase == KEEP_TICKET:
        keep_ticket.apply(state, rules, action)
    elif phase == COMPLETE:
        complete.apply(state, rules, scratch, action)


@compiled
def legal(state: Record, rules: Record, scratch: Record) -> int:
    """List the legal answers in `scratch.legal`; return how many there are, 0 after the end."""
    return _list_answers(state, rules, scratch)


@inlined
def _list_answers(state: Record, rules: Record, scratch: Record) -> int:
    phase = state.phase
    count = 0
    if phase == TURN:
        count = turn.legal(state, rules, scratch)
    elif phase == SECOND_CARD:
        count = second_card.legal(state, rules, scratch)
    elif phase == SET_CARDS:
        count = set_cards.legal(state, rules, scratch)
    elif phase == SET_LOCOMOTIVES:
        count = set_locomotives.legal(state, rules, scratch)
    elif phase == KEEP_TICKET:
        count = keep_ticket.legal(state, rules, scratch)
    elif phase == COMPLETE:
        count = complete.legal(state, rules, scratch)
    return count
