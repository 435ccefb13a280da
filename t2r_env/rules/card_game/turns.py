"""The round of turns: who is next, the last round, the scorings, the second deck (CG4, CG9, CG11, CG12)."""

from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.game import outcomes
from t2r_env.rules import train_cards
from t2r_env.rules.card_game import scoring, yard
from t2r_env.rules.card_game.completing import CompletingScratch, enter_complete
from t2r_env.rules.card_game.completing import phases as completing_phases
from t2r_env.rules.card_game.scoring import ScoringRules, ScoringState
from t2r_env.rules.cards import EMPTY, FACE_UP_SLOTS
from t2r_env.rules.turns import begin_turn, end_game, next_seat, seat_after_the_last


@inlined
def seat_of_next_turn(state: ScoringState, rules: ScoringRules) -> int:
    """After a scoring, the seat after the one that took the last turn (CG12)."""
    return state.resuming if state.phase == completing_phases.COMPLETE else seat_after_the_last(state, rules)


@inlined
def end_turn(state: ScoringState, rules: ScoringRules, scratch: CompletingScratch) -> None:
    """Go on to the next seat's turn, or after the last one to a scoring."""
    if state.last_turns_left == 0:
        begin_last_round_if_empty(state, rules)
    else:
        state.last_turns_left -= 1
        if state.last_turns_left == 0:
            state.resuming = next_seat(state, rules)
            enter_complete(state, 0)
            return
    begin_turn(state, rules, next_seat(state, rules))


@compiled
def begin_last_round_if_empty(state: ScoringState, rules: ScoringRules) -> None:
    """Every seat has one more turn, if the deck is empty (CG9)."""
    if state.deck_count == 0:
        state.last_turns_left = rules.num_seats


@compiled
def end_scoring(state: ScoringState, rules: ScoringRules, scratch: CompletingScratch) -> None:
    """All have chosen: score; then the second deck is played, if there is one, or the game ends (CG11, CG12)."""
    scoring.settle_completions(state, rules, scratch)
    if state.scoring_round < rules.scorings:
        state.scoring_round += 1
        _deal_second_deck(state, rules)
        begin_turn(state, rules, state.resuming)
    else:
        end_game(state, outcomes.FINISHED)


@compiled
def _deal_second_deck(state: ScoringState, rules: ScoringRules) -> None:
    """All train cards but those in hands make the new deck; each seat is dealt some of it (CG12)."""
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
    begin_last_round_if_empty(state, rules)
