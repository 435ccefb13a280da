"""The turn of the Card Game, from top to bottom: who decides what, in which order, and what follows (CG4-CG13).

`play` takes an action and goes on to the next decision. For each phase, `list_legal` says which actions are legal and
`_apply` what an action does.
"""

from typing import Any

import numpy as np

from t2r_env.core import bits
from t2r_env.core.compiled import compiled, inlined
from t2r_env.rules import deal as dealing
from t2r_env.rules import ticket_choice, ticket_queue, train_cards
from t2r_env.rules.card_game import completing, yard
from t2r_env.rules.card_game.records import CardRules, CardState
from t2r_env.rules.card_game.scoring import score_game
from t2r_env.rules.cards import EMPTY, FACE_UP_SLOTS
from t2r_env.rules.names import NO_ACTION, TURN_OVER, blocks, outcomes, phases
from t2r_env.rules.state import ScoringScratch, SharedScratch
from t2r_env.rules.turns import begin_turn, end_game, is_starting_choice, next_seat


@compiled
def deal(state: CardState, rules: CardRules) -> None:
    """Deal as in all games (CG2); if the deck is then empty, the last round begins (CG9)."""
    dealing.deal(state, rules)
    _begin_last_round_if_empty(state, rules)


@compiled
def play(state: CardState, rules: CardRules, scratch: SharedScratch, scoring: ScoringScratch, action: Any) -> int:
    """Take a legal action, or `NO_ACTION`, and go on to the next decision, as in map games."""
    is_running = state.outcome == outcomes.RUNNING
    while True:
        if action != NO_ACTION:
            _apply(state, rules, scratch, action)
            if state.phase == TURN_OVER:
                _end_turn(state, rules)
        count = list_legal(state, rules, scratch)
        if count != 1 or state.phase == phases.TURN:
            break
        action = np.int64(scratch.legal[0])
    if is_running and state.outcome == outcomes.FINISHED:
        score_game(state, rules, scoring)
    return count


@compiled
def list_legal(state: CardState, rules: CardRules, scratch: SharedScratch) -> int:
    """List the legal actions of the present decision in `scratch.legal`; return how many there are, 0 after the end."""
    if state.phase == phases.TURN:
        return _list_turn(state, rules, scratch)
    if state.phase == phases.SECOND_CARD:
        count = train_cards.list_draws(state, rules, scratch, True)
        scratch.legal[count] = rules.first_action[blocks.STOP]
        return count + 1
    if state.phase == phases.SET_CARDS:
        return yard.list_cards(state, rules, scratch)
    if state.phase == phases.SET_LOCOMOTIVES:
        return yard.list_locomotives(state, rules, scratch)
    if state.phase == phases.KEEP_TICKET:
        return ticket_choice.list_legal(state, rules, scratch)
    if state.phase == phases.COMPLETE:
        count = completing.list_completable(state, rules, scratch, state.current)
        scratch.legal[count] = rules.first_action[blocks.STOP]
        return count + 1
    return 0


@inlined
def _apply(state: CardState, rules: CardRules, scratch: SharedScratch, action: int) -> None:
    """Do what a legal action does, up to the next decision or the end of the turn."""
    if state.phase == phases.TURN:
        _begin_action(state, rules, action)
    elif state.phase == phases.SECOND_CARD:
        _draw_second_card(state, rules, action)
    elif state.phase == phases.SET_CARDS:
        state.set_cards = action - rules.first_action[blocks.SET_CARDS] + 1
        state.phase = phases.SET_LOCOMOTIVES
    elif state.phase == phases.SET_LOCOMOTIVES:
        yard.lay(state, action - rules.first_action[blocks.SET_LOCOMOTIVES])
        state.phase = TURN_OVER
    elif state.phase == phases.KEEP_TICKET:
        _decide_on_ticket(state, rules, action)
    elif state.phase == phases.COMPLETE:
        _complete(state, rules, scratch, action)


# A turn: phase 1 has no choice, phase 2 is one of these actions (CG4, CG5)


@inlined
def _begin_turn(state: CardState, rules: CardRules, seat: int) -> None:
    """Begin a seat's turn: one card of each of its rows goes on its pile (CG4)."""
    if begin_turn(state, rules, seat):
        yard.move_to_track(state, seat)


@inlined
def _list_turn(state: CardState, rules: CardRules, scratch: SharedScratch) -> int:
    """List drawing cards or tickets, playing a set or three colours; a pass only if none can be done (CG5)."""
    count = train_cards.list_draws(state, rules, scratch, False)
    count = yard.list_sets(state, rules, scratch, count)
    count = yard.list_threes(state, rules, scratch, count)
    if count == 0:
        scratch.legal[0] = rules.first_action[blocks.PASS]
        count = 1
    return count


@inlined
def _begin_action(state: CardState, rules: CardRules, action: int) -> None:
    """Begin the chosen action of a turn."""
    first = rules.first_action
    if action <= first[blocks.DRAW_DECK]:
        _draw_first_card(state, rules, action)
    elif action == first[blocks.DRAW_TICKETS]:
        ticket_queue.offer(state, state.current, rules.later_offer)
        state.phase = phases.KEEP_TICKET
    elif action == first[blocks.PASS]:
        state.phase = TURN_OVER
    elif action < first[blocks.PLAY_THREE]:
        state.set_colour = action - first[blocks.PLAY_SET]
        state.phase = phases.SET_CARDS
    else:
        yard.lay_three(state, rules, action - first[blocks.PLAY_THREE])
        state.phase = TURN_OVER


@inlined
def _draw_first_card(state: CardState, rules: CardRules, action: int) -> None:
    """Draw the first card; a second one follows, unless it was a face-up locomotive or none is left (CG6)."""
    card = train_cards.draw_first(state, rules, action)
    train_cards.give(state, state.current, card, state.drawn != EMPTY)
    train_cards.restore(state, rules)
    state.phase = phases.SECOND_CARD if train_cards.may_draw_second(state, rules) else TURN_OVER


@inlined
def _draw_second_card(state: CardState, rules: CardRules, action: int) -> None:
    """Draw the second card, or decline it (CG6)."""
    if action != rules.first_action[blocks.STOP]:
        card = train_cards.draw_second(state, rules, action)
        train_cards.give(state, state.current, card, action != rules.first_action[blocks.DRAW_DECK])
        train_cards.restore(state, rules)
    state.phase = TURN_OVER


@inlined
def _decide_on_ticket(state: CardState, rules: CardRules, action: int) -> None:
    """Keep or refuse a ticket; all decisions on an offer take effect together, those of the start for all seats."""
    seat = state.current
    if not ticket_choice.decide(state, rules, action):
        return
    if not is_starting_choice(state):
        ticket_choice.settle(state, rules, seat)
        state.phase = TURN_OVER
    elif seat + 1 < rules.num_seats:
        state.current += 1
    else:
        ticket_choice.settle_start(state, rules)
        _begin_turn(state, rules, 0)


# The end of a turn, of a deck, of the game


@compiled
def _end_turn(state: CardState, rules: CardRules) -> None:
    """Go on to the next seat's turn, or after the last one to a scoring (CG9, CG10)."""
    if state.last_turns_left == 0:
        _begin_last_round_if_empty(state, rules)
    else:
        state.last_turns_left -= 1
        if state.last_turns_left == 0:
            state.resuming = next_seat(state, rules)
            state.current = 0
            state.phase = phases.COMPLETE
            return
    _begin_turn(state, rules, next_seat(state, rules))


@inlined
def _begin_last_round_if_empty(state: CardState, rules: CardRules) -> None:
    """Give every seat one more turn, if the deck is empty (CG9)."""
    if state.deck_count == 0:
        state.last_turns_left = rules.num_seats


@inlined
def _complete(state: CardState, rules: CardRules, scratch: SharedScratch, action: int) -> None:
    """Note a ticket to complete; or go on to the next seat, and after the last one to the scoring (C6, CG10)."""
    if action != rules.first_action[blocks.STOP]:
        bits.add(state.completing[state.current], action - rules.first_action[blocks.COMPLETE])
    elif state.current + 1 < rules.num_seats:
        state.current += 1
    else:
        _end_scoring(state, rules, scratch)


@compiled
def _end_scoring(state: CardState, rules: CardRules, scratch: SharedScratch) -> None:
    """Score; then the second deck is played, if there is one, or the game ends (CG11, CG12)."""
    completing.settle(state, rules, scratch)
    if state.scoring_round < rules.scorings:
        state.scoring_round += 1
        _deal_second_deck(state, rules)
        _begin_turn(state, rules, state.resuming)
    else:
        end_game(state, outcomes.FINISHED)


@compiled
def _deal_second_deck(state: CardState, rules: CardRules) -> None:
    """Make the new deck of all train cards but those in hands, and deal some of it to each seat (CG12)."""
    yard.discard_all(state, rules)
    for slot in range(FACE_UP_SLOTS):
        if state.face_up[slot] != EMPTY:
            train_cards.discard(state, train_cards.take_face_up(state, slot), 1)
    train_cards.reshuffle(state)
    for _ in range(rules.second_deck_hand):
        for distance in range(rules.num_seats):
            seat = state.resuming + distance
            if state.deck_count > 0:
                train_cards.draw_into_hand(state, rules, seat if seat < rules.num_seats else seat - rules.num_seats)
    train_cards.restore(state, rules)
    _begin_last_round_if_empty(state, rules)
