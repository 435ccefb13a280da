"""Many games at once: the functions that Python calls. Rows are games; arrays are written in place.

`states`, `rules`, `opening` and `scratch` are structured arrays, the last three of one record each. With observations
of no width none are written.
"""

from typing import Any, TypeAlias

import numpy as np

from t2r_env.rules import rewards as reward_schemes
from t2r_env.rules.compiled import compiled
from t2r_env.rules.map_game import deal, game, hidden, observe
from t2r_env.rules.map_game.state import ENDED, FINISHED, FORFEITED, TRUNCATED
from t2r_env.rules.randomness import bounded, next_seed, next_word, seed_generator

Array: TypeAlias = np.ndarray[Any, Any]

ALL_LEGAL = -1


@compiled
def begin(
    states: Array,
    rules: Array,
    opening: Array,
    scratch: Array,
    rows: Array,
    seeds: Array,
    masks: Array,
    observations: Array,
    current: Array,
) -> None:
    """Deal new games from `seeds` (one for every row of the batch) in the given rows."""
    for row in rows:
        _begin(states, rules, opening, scratch, row, seeds, masks, observations, current)


@compiled
def ask(
    states: Array, rules: Array, scratch: Array, rows: Array, masks: Array, observations: Array, current: Array
) -> None:
    """Bring masks, observations and the current seat of the given rows in line with their states."""
    for row in rows:
        _ask(states, rules, scratch, row, masks, observations, current)


@compiled
def first_illegal(states: Array, masks: Array, actions: Array) -> int:
    """The first row whose game is running and whose action is not legal; `ALL_LEGAL` if there is none."""
    for row in range(states.shape[0]):
        if not game.has_ended(states[row]) and not _is_legal(masks, row, actions[row]):
            return row
    return ALL_LEGAL


@compiled
def step(
    states: Array,
    rules: Array,
    opening: Array,
    scratch: Array,
    start: int,
    stop: int,
    actions: Array,
    seeds: Array,
    masks: Array,
    observations: Array,
    current: Array,
    rewards: Array,
    terminated: Array,
    truncated: Array,
    finished: Array,
    final_observations: Array,
    scheme: int,
    autoreset: bool,
) -> None:
    """Answer the question of each row from `start` to `stop`.

    An illegal action ends its game as a forfeit. A game that ends leaves its state in `finished` and what every seat
    sees in `final_observations`; with `autoreset` the row's next game begins at once. Ended games stay as they are.
    """
    for row in range(start, stop):
        if game.has_ended(states[row]):
            rewards[row, :] = 0
            continue
        action = actions[row] if _is_legal(masks, row, actions[row]) else -1
        _step(states, rules, scratch, row, action, masks, observations, current, rewards, scheme)
        ended = game.has_ended(states[row])
        terminated[row] = ended and states[row].outcome != TRUNCATED
        truncated[row] = ended and states[row].outcome == TRUNCATED
        if ended:
            _keep(states, rules, row, finished, final_observations)
            if autoreset:
                seeds[row] = next_seed(seeds[row])
                _begin(states, rules, opening, scratch, row, seeds, masks, observations, current)


@compiled
def play_random(
    states: Array,
    rules: Array,
    opening: Array,
    scratch: Array,
    start: int,
    stop: int,
    decisions: int,
    generators: Array,
    seeds: Array,
    masks: Array,
    observations: Array,
    current: Array,
    rewards: Array,
    terminated: Array,
    truncated: Array,
    finished: Array,
    final_observations: Array,
    scheme: int,
    autoreset: bool,
) -> int:
    """Answer `decisions` questions of each row, each legal answer equally likely; return how many games ended.

    `generators` (one word for every row of the batch) choose; they are apart from the games' own chance.
    """
    ended = 0
    for row in range(start, stop):
        count = _ask(states, rules, scratch, row, masks, observations, current)
        for _ in range(decisions):
            if count == 0:
                break
            generators[row] = next_word(generators[row])
            action = scratch[0].legal[bounded(generators[row], count)]
            count = _step(states, rules, scratch, row, action, masks, observations, current, rewards, scheme)
            if count == 0:
                ended += 1
                terminated[row] = states[row].outcome != TRUNCATED
                truncated[row] = states[row].outcome == TRUNCATED
                _keep(states, rules, row, finished, final_observations)
                if autoreset:
                    seeds[row] = next_seed(seeds[row])
                    count = _begin(states, rules, opening, scratch, row, seeds, masks, observations, current)
            else:
                terminated[row] = False
                truncated[row] = False
    return ended


@compiled
def observe_seats(states: Array, rules: Array, rows: Array, seats: Array, vectors: Array) -> None:
    """Write into `vectors[i]` what seat `seats[i]` sees of game `rows[i]`."""
    for i in range(rows.shape[0]):
        observe.observe(states[rows[i]], rules[0], seats[i], vectors[i])


@compiled
def tell_truth(states: Array, rules: Array, rows: Array, vectors: Array) -> None:
    """Write into `vectors[i]` all there is to know of game `rows[i]`."""
    for i in range(rows.shape[0]):
        observe.tell_truth(states[rows[i]], rules[0], vectors[i])


@compiled
def known(states: Array, rules: Array, rows: Array, seats: Array, views: Array) -> None:
    """Write into `views[i]` the state of game `rows[i]` without what seat `seats[i]` can't know."""
    for i in range(rows.shape[0]):
        views[i] = states[rows[i]]
        hidden.hide(views[i], rules[0], seats[i])


@compiled
def determinize(states: Array, rules: Array, rows: Array, seats: Array, seeds: Array, copies: Array) -> None:
    """Write into `copies[i]` the state of game `rows[i]`, what seat `seats[i]` can't know being dealt anew."""
    for i in range(rows.shape[0]):
        copies[i] = states[rows[i]]
        hidden.deal_anew(copies[i], rules[0], seats[i], seeds[i])


@compiled
def _is_legal(masks: Array, row: int, action: int) -> bool:
    return 0 <= action < masks.shape[1] and masks[row, action] == 1


@compiled
def _begin(
    states: Array,
    rules: Array,
    opening: Array,
    scratch: Array,
    row: int,
    seeds: Array,
    masks: Array,
    observations: Array,
    current: Array,
) -> int:
    states[row] = opening[0]
    seed_generator(states[row], seeds[row])
    deal.deal(states[row], rules[0])
    return _ask(states, rules, scratch, row, masks, observations, current)


@compiled
def _ask(
    states: Array, rules: Array, scratch: Array, row: int, masks: Array, observations: Array, current: Array
) -> int:
    """Come to the next real question; write its mask and what the asked seat sees; return the number of answers."""
    state = states[row]
    count = game.settle(state, rules[0], scratch[0])
    masks[row, :] = 0
    for i in range(count):
        masks[row, scratch[0].legal[i]] = 1
    current[row] = state.current
    if observations.shape[1]:
        observe.observe(state, rules[0], state.current, observations[row])
    return count


@compiled
def _step(
    states: Array,
    rules: Array,
    scratch: Array,
    row: int,
    action: int,
    masks: Array,
    observations: Array,
    current: Array,
    rewards: Array,
    scheme: int,
) -> int:
    """Answer a question, go on to the next, write the rewards; return the number of legal answers."""
    state = states[row]
    reward_schemes.note_scores(state, rules[0], scratch[0])
    if action < 0:
        state.outcome = FORFEITED
        state.phase = ENDED
    else:
        state.decisions += 1
        game.apply(state, rules[0], scratch[0], action)
    count = _ask(states, rules, scratch, row, masks, observations, current)
    rewards[row, :] = 0
    if state.outcome == FORFEITED:
        rewards[row, state.current] = -1
    elif scheme == reward_schemes.SCORE:
        reward_schemes.reward_points(state, rules[0], scratch[0], rewards[row])
    elif state.outcome == FINISHED:
        reward_schemes.reward_places(state, rules[0], scheme, rewards[row])
    return count


@compiled
def _keep(states: Array, rules: Array, row: int, finished: Array, final_observations: Array) -> None:
    """Keep the state of a game that has ended and what every seat sees of it."""
    finished[row] = states[row]
    if final_observations.shape[2]:
        for seat in range(rules[0].num_seats):
            observe.observe(states[row], rules[0], seat, final_observations[row, seat])
