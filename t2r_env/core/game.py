"""A game step by step: an action, what it does, and the next decision that is really a player's to make.

What the rules of a game are, each ruleset says by implementing the functions declared here for its records.
"""

from typing import Any, NamedTuple

import numpy as np

from t2r_env.core.compiled import by_record, compiled, inlined
from t2r_env.core.names import Names
from t2r_env.core.records import Array, Record, bitset, int8, int32, int64

NO_ACTION = -1

PHASES = Names()
"""Each phase is a kind of decision of one player."""


class _Phases(NamedTuple):
    TURN: int


phases = PHASES.add(_Phases)
TURN_OVER, ENDED = -1, -2
"""No decision: between turns, which lasts only within a step; after the end."""

OUTCOMES = Names()
"""How a game stands."""


class _Outcomes(NamedTuple):
    RUNNING: int
    FINISHED: int
    TRUNCATED: int
    FORFEITED: int


outcomes = OUTCOMES.add(_Outcomes)


class GameState(Record):
    """What the core reads and writes of every state."""

    rng: np.uint64 = bitset()  # the counter of the game's random numbers (core/randomness.py)
    phase: int = int8()
    current: int = int64()  # the acting seat
    decisions: int = int32()  # taken by the players
    outcome: int = int8()


class Scratch(NamedTuple):
    """Room for one thread to compute in: arrays of one record each."""

    deciding: Array
    """Of what every decision needs: little."""
    scoring: Array
    """Of what only the end of a game needs: much."""


@by_record
def deal(state: GameState, rules: Any) -> None:
    """From an opening state with a seeded generator: shuffle and deal, up to the first decision."""


@by_record
def apply(state: GameState, rules: Any, scratch: Any, action: int) -> None:
    """What a legal action does; if the turn is then over, the phase says so."""


@by_record
def end_turn(state: GameState, rules: Any, scratch: Any) -> None:
    """What follows a turn: another one, or whatever the rules say."""


@by_record
def score_game(state: GameState, rules: Any, scoring: Any) -> None:
    """Score a game that the rules have ended, and rank the teams. `scoring` is scratch memory."""


@by_record
def list_legal(state: GameState, rules: Any, scratch: Any) -> Any:
    """List the legal actions in `scratch.legal`; return how many there are, 0 after the end."""


@by_record
def observe(state: GameState, rules: Any, seat: Any, vector: Array) -> None:
    """Write what a seat sees into a vector of uint8."""


@by_record
def write_global_state(state: GameState, rules: Any, vector: Array) -> None:
    """Write all that there is to know into a vector of uint8."""


@by_record
def reduce_to_view(state: GameState, rules: Any, seat: Any) -> None:
    """Blank all that a seat can't know (C20). Counts stay; hands show only the cards known to be there."""


@by_record
def determinize(state: GameState, rules: Any, scratch: Any, seat: Any, seed: Any) -> None:
    """Deal anew all that a seat can't know (C20): every deal that agrees with what it knows is possible."""


@by_record
def derive(state: GameState, rules: Any, opening: Any, scoring: Any, given: GameState) -> None:
    """Write anew, into a copy of a state from outside, what follows from the rest of it: points, open routes, ranks."""


@by_record
def note_scores(state: GameState, rules: Any, scratch: Any) -> None:
    """Note the scores before a step, for `reward`."""


@by_record
def reward(state: GameState, rules: Any, scratch: Any, scheme: int, rewards: Array) -> None:
    """Write what the step since `note_scores` was worth to each seat."""


@compiled
def play(state: GameState, rules: Any, scratch: Any, action: Any) -> int:
    """Take a legal action (or `NO_ACTION`, to learn what is to be decided) and go on to the next decision.

    A decision with one legal action is taken for the player, but for the one that opens a turn. Returns the number of
    legal actions of the decision that is left, listed in `scratch.legal`; 0 after the end, which is not yet scored.
    """
    while True:
        if action != NO_ACTION:
            apply(state, rules, scratch, action)
        if state.phase == TURN_OVER:
            end_turn(state, rules, scratch)
        count = list_legal(state, rules, scratch)
        if count != 1 or state.phase == phases.TURN:
            return count
        action = np.int64(scratch.legal[0])


@inlined
def play_and_score(state: GameState, rules: Any, scratch: Any, scoring: Any, action: Any) -> int:
    """As `play`; if that ends the game, score it."""
    is_running = state.outcome == outcomes.RUNNING
    count = play(state, rules, scratch, action)
    if is_running and state.outcome == outcomes.FINISHED:
        score_game(state, rules, scoring)
    return count
