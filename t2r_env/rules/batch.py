"""Batches of games: the functions that Python calls. Rows are games; arrays are written in place.

`run` is one loop over rows, compiled once. The dtype of the states says by which ruleset they are played. Masks,
observations and global states of no width are not written.
"""

from typing import Any, NamedTuple

import numpy as np

from t2r_env.basics.sizes import MAX_SEATS
from t2r_env.core.compiled import cached, compiled, inlined
from t2r_env.core.randomness import bounded, next_seed, next_word, seed_rng
from t2r_env.core.records import Array, Record, bitset, dtype_of, flag, int64
from t2r_env.rules.names import ENDED, NO_ACTION, outcomes, schemes
from t2r_env.rules.ranking import note_scores, reward
from t2r_env.rules.rulesets import (
    deal,
    derive,
    determinize,
    list_legal,
    observe,
    play,
    reduce_to_view,
    write_global_state,
)
from t2r_env.rules.state import Scratch

ALL_LEGAL = -1


class Row(Record):
    """The record that a batch keeps of each game, apart from its state."""

    seed: np.uint64 = bitset()
    rng: np.uint64 = bitset()  # of actions chosen at random inside the core, apart from the game's own
    current: int = int64()  # the acting seat
    random_seats: Array = flag(MAX_SEATS)  # those for which the core chooses at random
    terminated: bool = flag()
    truncated: bool = flag()
    num_legal: int = int64()  # actions listed, while a row is being stepped


class Settings(Record):
    """The settings that are the same for all rows."""

    reward: int = int64()  # an index of `REWARDS`
    autoreset: bool = flag()


ROW = dtype_of(Row)
_SETTINGS = dtype_of(Settings)


def new_settings(reward: int, autoreset: bool) -> Array:
    """Return the record of settings, (1,)."""
    settings = np.zeros(1, _SETTINGS)
    settings["reward"], settings["autoreset"] = reward, autoreset
    return settings


class Batch(NamedTuple):
    """The arrays of a batch of games. One row for each game, but for `rules`, `opening` and `settings`, which have one
    record each."""

    rows: Array
    states: Array
    finished: Array
    """The last state of the game that ended last in each row."""
    masks: Array
    observations: Array
    final_observations: Array
    """The observations of every seat at its end."""
    global_states: Array
    rewards: Array
    """The seats' rewards of the last step."""
    rules: Array
    opening: Array
    """The state before the deal."""
    settings: Array


BEGIN, RESUME, STEP, PLAY_RANDOM = range(4)
"""Orders for rows: deal the next game from its seed; list the legal actions of a state that was replaced; take
`actions[row]`; take decisions at random, by the row's `rng`."""
NO_ACTIONS = np.zeros(0, np.int64)


def run(
    order: int, batch: Batch, scratch: Scratch, rows: Array, actions: Array = NO_ACTIONS, decisions: int = 1
) -> int:
    """Carry out an order in these rows, this many decisions long; return how many games ended."""
    return _run(order, rows, actions, decisions, *scratch, *batch)


@cached
def _run(
    order: int,
    chosen: Array,
    actions: Array,
    decisions: int,
    scratch: Array,
    scoring: Array,
    rows: Array,
    states: Array,
    finished: Array,
    masks: Array,
    observations: Array,
    final_observations: Array,
    global_states: Array,
    rewards: Array,
    rules: Array,
    opening: Array,
    settings: Array,
) -> int:
    """Carry out an order in the chosen rows; return how many games ended.

    The arrays of the batch come one by one, since Python would take longer to hand over a tuple of them. A step's
    rewards are for all of it, up to the end of its game: the acting seat's action, given or at random, and the
    decisions of random seats that follow. An illegal action ends its game as a forfeit. A game that ends leaves its
    state and what every seat sees of it; with `autoreset` the next one begins at once. Ended games stay as they are.
    """
    counts_points = settings[0].reward == schemes.SCORE or settings[0].reward == schemes.MARGIN
    ended = 0
    for row in chosen:
        own, state = rows[row], states[row]
        if order == BEGIN:
            _deal(states, row, rules[0], opening, own.seed)
        if order != STEP:
            own.num_legal = play(state, rules[0], scratch[0], scoring[0], np.int64(NO_ACTION))
        for _ in range(decisions):
            is_first_game = True
            is_due = order >= STEP
            is_given = order == STEP
            rewards[row] = 0
            if counts_points:
                note_scores(state, rules[0], scratch[0])
            while (is_due or own.random_seats[state.current]) and state.outcome == outcomes.RUNNING:
                if is_given and not _is_legal(masks, row, actions[row]):
                    state.outcome = outcomes.FORFEITED
                    state.phase = ENDED
                    own.num_legal = 0
                    rewards[row, state.current] = -1
                else:
                    action = actions[row] if is_given else _choose(own, scratch[0])
                    state.decisions += 1
                    own.num_legal = play(state, rules[0], scratch[0], scoring[0], action)
                    if is_first_game and (counts_points or state.outcome == outcomes.FINISHED):
                        reward(state, rules[0], scratch[0], settings[0].reward, rewards[row])
                if is_first_game:
                    own.truncated = state.outcome == outcomes.TRUNCATED
                    own.terminated = state.outcome != outcomes.RUNNING and not own.truncated
                if state.outcome != outcomes.RUNNING:
                    ended += 1
                    _keep(states, row, rules[0], finished, final_observations)
                    if settings[0].autoreset:
                        is_first_game = False
                        own.seed = next_seed(own.seed)
                        _deal(states, row, rules[0], opening, own.seed)
                        own.num_legal = play(state, rules[0], scratch[0], scoring[0], np.int64(NO_ACTION))
                is_due, is_given = False, False
            own.current = state.current
            if masks.shape[1]:
                masks[row] = 0
                for i in range(own.num_legal):
                    masks[row, np.uint64(scratch[0].legal[i])] = 1  # unsigned: no index is counted from the end
            if observations.shape[1]:
                observe(state, rules[0], state.current, observations[row])
            if global_states.shape[1]:
                write_global_state(state, rules[0], global_states[row])
    return ended


@compiled
def _deal(states: Array, row: int, rules: Any, opening: Array, seed: np.uint64) -> None:
    """Deal a row's game from its seed. It happens once in a game: the loop is faster without its machine code."""
    states[row] = opening[0]
    seed_rng(states[row], seed)
    deal(states[row], rules)


@compiled
def _keep(states: Array, row: int, rules: Any, finished: Array, final_observations: Array) -> None:
    """Keep the last state of a row's game, and what every seat sees of it. This, too, happens once in a game."""
    finished[row] = states[row]
    if final_observations.shape[2]:
        for seat in range(rules.num_seats):
            observe(states[row], rules, np.int64(seat), final_observations[row, seat])


@inlined
def _choose(own: Row, scratch: Any) -> Any:
    """Return one of the legal actions listed, each equally likely."""
    own.rng = next_word(own.rng)
    return np.int64(scratch.legal[bounded(own.rng, own.num_legal)])


@inlined
def _is_legal(masks: Array, row: int, action: int) -> bool:
    return 0 <= action < masks.shape[1] and masks[row, action] == 1


# Looking


@cached
def first_illegal(states: Array, masks: Array, rows: Array, actions: Array) -> int:
    """Return the first of the rows whose game is running and whose action is illegal; `ALL_LEGAL` if there is none."""
    for row in rows:
        if states[row].outcome == outcomes.RUNNING and not _is_legal(masks, row, actions[row]):
            return row
    return ALL_LEGAL


@cached
def first_stuck(states: Array, rules: Array, scratch: Array) -> int:
    """Return the first of the states that runs on without a legal action; `ALL_LEGAL` if there is none."""
    for row in range(states.shape[0]):
        if states[row].outcome == outcomes.RUNNING and list_legal(states[row], rules[0], scratch[0]) == 0:
            return row
    return ALL_LEGAL


@cached
def derive_rows(states: Array, rules: Array, opening: Array, scoring: Array, copies: Array) -> None:
    """Write the states into `copies`, with all that follows from the rest of each computed again."""
    for row in range(states.shape[0]):
        copies[row] = states[row]
        derive(copies[row], rules[0], opening[0], scoring[0], states[row])


@cached
def observe_seats(states: Array, rules: Array, rows: Array, seats: Array, vectors: Array) -> None:
    """Write into `vectors[i]` what seat `seats[i]` sees of game `rows[i]`."""
    for i in range(rows.shape[0]):
        observe(states[rows[i]], rules[0], seats[i], vectors[i])


@cached
def write_global_states(states: Array, rules: Array, rows: Array, vectors: Array) -> None:
    """Write into `vectors[i]` the global state of game `rows[i]`."""
    for i in range(rows.shape[0]):
        write_global_state(states[rows[i]], rules[0], vectors[i])


@cached
def write_views(states: Array, rules: Array, rows: Array, seats: Array, views: Array) -> None:
    """Write into `views[i]` the state of game `rows[i]` without what seat `seats[i]` can't know."""
    for i in range(rows.shape[0]):
        views[i] = states[rows[i]]
        reduce_to_view(views[i], rules[0], seats[i])


class Waiting(NamedTuple):
    """Memory for some rows that wait for decisions: what features are computed from, and the features."""

    rows: Array
    views: Array
    masks: Array
    features: Array


@cached
def list_waiting(
    states: Array,
    masks: Array,
    rules: Array,
    chosen: Array,
    featured_seats: Array,
    rows: Array,
    views: Array,
    view_masks: Array,
    features: Array,
) -> int:
    """Write those of the chosen rows whose games run and whose acting seats get features; return how many there are.

    The arrays written are those of `Waiting`; its features are cleared.
    """
    number = 0
    for row in chosen:
        seat = states[row].current
        if states[row].outcome == outcomes.RUNNING and featured_seats[row, seat]:
            rows[number] = row
            views[number] = states[row]
            reduce_to_view(views[number], rules[0], seat)
            for action in range(masks.shape[1]):
                view_masks[number, action] = masks[row, action]
            features[number] = 0
            number += 1
    return number


@cached
def place_features(rows: Array, number: int, features: Array, observations: Array, start: int) -> None:
    """Write the features of the first of the rows, this many, into their observations, where features start."""
    for i in range(number):
        vector = observations[rows[i], start:]
        for j in range(features.shape[1]):
            vector[j] = features[i, j]


@cached
def determinize_rows(states: Array, rules: Array, scratch: Array, rows: Array, seeds: Array, copies: Array) -> None:
    """Write into `copies[i]` the state of game `rows[i]`, what its acting seat can't know being dealt again."""
    for i in range(rows.shape[0]):
        copies[i] = states[rows[i]]
        determinize(copies[i], rules[0], scratch[0], seeds[i])
