"""Many games at once: the functions that Python calls. Rows are games; arrays are written in place.

`begin`, `step`, `play_random` and `resume` are one loop over rows, compiled once. The dtype of the states says by which
ruleset they are played. Masks and observations of no width are not written.
"""

from typing import Any, NamedTuple

import numpy as np

from t2r_env.core.compiled import compiled, inlined
from t2r_env.core.game import (
    ENDED,
    NO_ACTION,
    Scratch,
    deal,
    derive,
    determinize,
    note_scores,
    observe,
    outcomes,
    play_and_score,
    reduce_to_view,
    reward,
    write_global_state,
)
from t2r_env.core.randomness import bounded, next_seed, next_word, seed_rng
from t2r_env.core.records import Array, Record, bitset, dtype_of, flag, float32, int64
from t2r_env.sizes import MAX_SEATS

ALL_LEGAL = -1


class Row(Record):
    """What a batch keeps of each game beside its state."""

    seed: np.uint64 = bitset()
    rng: np.uint64 = bitset()  # of actions chosen at random inside the core, apart from the game's own
    current: int = int64()  # the acting seat
    random_seats: Array = flag(MAX_SEATS)  # those for which the core chooses at random
    rewards: Array = float32(MAX_SEATS)  # of the last step
    terminated: bool = flag()
    truncated: bool = flag()
    num_legal: int = int64()  # actions listed, while a row is being stepped


class Settings(Record):
    """What is the same for all rows."""

    reward: int = int64()  # an index of `REWARDS`
    autoreset: bool = flag()


ROW, SETTINGS = dtype_of(Row), dtype_of(Settings)


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
    """What every seat saw at its end."""
    rules: Array
    opening: Array
    """The state before the deal."""
    settings: Array


_BEGIN, _RESUME, _STEP, _PLAY_RANDOM = range(4)
_NO_ACTIONS = np.zeros(0, np.int64)


def begin(batch: Batch, scratch: Scratch, rows: Array) -> int:
    """Deal the next game of each of these rows from its seed; return how many games ended."""
    ended: int = _run(_BEGIN, rows, _NO_ACTIONS, 1, *scratch, *batch)
    return ended


def resume(batch: Batch, scratch: Scratch, rows: Array) -> int:
    """List the legal actions of rows whose states were replaced; return how many games ended."""
    ended: int = _run(_RESUME, rows, _NO_ACTIONS, 1, *scratch, *batch)
    return ended


def step(batch: Batch, scratch: Scratch, rows: Array, actions: Array) -> int:
    """Take `actions[row]` in each of these rows; return how many games ended."""
    ended: int = _run(_STEP, rows, actions, 1, *scratch, *batch)
    return ended


def play_random(batch: Batch, scratch: Scratch, rows: Array, decisions: int) -> int:
    """Take so many decisions of each of these rows at random, by its `rng`; return how many games ended."""
    ended: int = _run(_PLAY_RANDOM, rows, _NO_ACTIONS, decisions, *scratch, *batch)
    return ended


@compiled
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
    rules: Array,
    opening: Array,
    settings: Array,
) -> int:
    """Do in the chosen rows what `order` says; return how many games ended.

    The arrays of the batch come one by one, since Python would take longer to hand over a tuple of them.
    """
    batch = Batch(rows, states, finished, masks, observations, final_observations, rules, opening, settings)
    ended = 0
    for row in chosen:
        if order == _BEGIN:
            deal_next(states, row, rules[0], opening, rows[row].seed)
        if order != _STEP:
            rows[row].num_legal = play_and_score(states[row], rules[0], scratch[0], scoring[0], np.int64(NO_ACTION))
        for _ in range(decisions):
            action = actions[row] if order == _STEP else np.int64(NO_ACTION)
            ended += _advance(batch, scratch[0], scoring[0], row, action, order == _STEP, order == _PLAY_RANDOM)
    return ended


@inlined
def _advance(batch: Batch, scratch: Any, scoring: Any, row: int, action: Any, is_given: bool, is_random: bool) -> int:
    """Take a decision, given or at random, and those of random seats that follow; write what is then to be seen.

    The step's rewards are for all of it, up to the end of its game. An illegal action ends its game as a forfeit. A
    game that ends leaves its state and what every seat sees of it; with `autoreset` the next one begins at once. Ended
    games stay as they are. Returns how many games ended.
    """
    own, state, rules = batch.rows[row], batch.states[row], batch.rules[0]
    ended = 0
    is_first_game = True
    own.rewards[:] = 0
    note_scores(state, rules, scratch)
    while (is_given or is_random or own.random_seats[state.current]) and state.outcome == outcomes.RUNNING:
        if is_given and not _is_legal(batch.masks, row, action):
            state.outcome = outcomes.FORFEITED
            state.phase = ENDED
            own.num_legal = 0
            own.rewards[state.current] = -1
        else:
            if not is_given:
                action = choose(own, scratch)
            state.decisions += 1
            own.num_legal = play_and_score(state, rules, scratch, scoring, action)
            if is_first_game:
                reward(state, rules, scratch, batch.settings[0].reward, own.rewards)
        if is_first_game:
            note_end(own, state)
        if state.outcome != outcomes.RUNNING:
            ended += 1
            keep(state, rules, batch.finished, row, batch.final_observations[row])
            if batch.settings[0].autoreset:
                is_first_game = False
                own.seed = next_seed(own.seed)
                deal_next(batch.states, row, rules, batch.opening, own.seed)
                own.num_legal = play_and_score(state, rules, scratch, scoring, np.int64(NO_ACTION))
        is_given = False
        is_random = False
    own.current = state.current
    show(state, rules, scratch, own, batch.masks[row], batch.observations[row])
    return ended


@inlined
def note_end(own: Row, state: Any) -> None:
    """Note whether the row's game has ended, and how."""
    own.terminated = state.outcome != outcomes.RUNNING and state.outcome != outcomes.TRUNCATED
    own.truncated = state.outcome == outcomes.TRUNCATED


@compiled
def deal_next(states: Array, row: int, rules: Any, opening: Array, seed: np.uint64) -> None:
    """Deal the row's next game."""
    states[row] = opening[0]
    seed_rng(states[row], seed)
    deal(states[row], rules)


@inlined
def choose(own: Row, scratch: Any) -> Any:
    """One of the legal actions listed, each equally likely."""
    own.rng = next_word(own.rng)
    return np.int64(scratch.legal[bounded(own.rng, own.num_legal)])


@inlined
def _is_legal(masks: Array, row: int, action: int) -> bool:
    return 0 <= action < masks.shape[1] and masks[row, action] == 1


@inlined
def show(state: Any, rules: Any, scratch: Any, own: Row, mask: Array, observation: Array) -> None:
    """Write the mask of the legal actions and what the acting seat sees."""
    if mask.size:
        mask[:] = 0
        for i in range(own.num_legal):
            mask[np.uint64(scratch.legal[i])] = 1  # unsigned, so no place is looked at that counts from the end
    if observation.size:
        observe(state, rules, own.current, observation)


@compiled
def keep(state: Any, rules: Any, finished: Array, row: int, final_observations: Array) -> None:
    """Keep the state of a game that has ended and what every seat sees of it."""
    finished[row] = state
    if final_observations.shape[1]:
        for seat in range(rules.num_seats):
            observe(state, rules, np.int64(seat), final_observations[seat])


# Looking


@compiled
def first_illegal(states: Array, masks: Array, rows: Array, actions: Array) -> int:
    """The first of the rows whose game is running and whose action is not legal; `ALL_LEGAL` if there is none."""
    for row in rows:
        if states[row].outcome == outcomes.RUNNING and not _is_legal(masks, row, actions[row]):
            return row
    return ALL_LEGAL


@compiled
def derive_rows(states: Array, rules: Array, opening: Array, scoring: Array, copies: Array) -> None:
    """Write into `copies` the states, in which all that follows from the rest of each is written anew."""
    for row in range(states.shape[0]):
        copies[row] = states[row]
        derive(copies[row], rules[0], opening[0], scoring[0], states[row])


@compiled
def observe_seats(states: Array, rules: Array, rows: Array, seats: Array, vectors: Array) -> None:
    """Write into `vectors[i]` what seat `seats[i]` sees of game `rows[i]`."""
    for i in range(rows.shape[0]):
        observe(states[rows[i]], rules[0], seats[i], vectors[i])


@compiled
def write_global_states(states: Array, rules: Array, rows: Array, vectors: Array) -> None:
    """Write into `vectors[i]` the global state of game `rows[i]`."""
    for i in range(rows.shape[0]):
        write_global_state(states[rows[i]], rules[0], vectors[i])


@compiled
def write_views(states: Array, rules: Array, rows: Array, seats: Array, views: Array) -> None:
    """Write into `views[i]` the state of game `rows[i]` without what seat `seats[i]` can't know."""
    for i in range(rows.shape[0]):
        views[i] = states[rows[i]]
        reduce_to_view(views[i], rules[0], seats[i])


@compiled
def determinize_rows(
    states: Array, rules: Array, scratch: Array, rows: Array, seats: Array, seeds: Array, copies: Array
) -> None:
    """Write into `copies[i]` the state of game `rows[i]`, what seat `seats[i]` can't know being dealt anew."""
    for i in range(rows.shape[0]):
        copies[i] = states[rows[i]]
        determinize(copies[i], rules[0], scratch[0], seats[i], seeds[i])


def new_rows(number: int) -> Array:
    """Room for so many rows."""
    return np.zeros(number, ROW)


def new_settings(reward: int, autoreset: bool) -> Array:
    """The settings of a batch, in an array of shape (1,)."""
    return np.array([(reward, autoreset)], SETTINGS)
