"""Many games at once, of either kind: the functions that Python calls. Rows are games; arrays are written in place.

The dtype of the states says by which kind's rules they are played. `states`, `rules`, `opening` and `scratch` are
structured arrays, the last three of one record each. Masks and observations of no width are not written.
"""

from typing import Any, TypeAlias

import numpy as np

from t2r_env.rules import rewards as reward_schemes
from t2r_env.rules.compiled import by_record, compiled, inlined
from t2r_env.rules.game import play
from t2r_env.rules.kinds import KINDS
from t2r_env.rules.randomness import bounded, next_seed, next_word, seed_generator
from t2r_env.rules.records import Record
from t2r_env.rules.rewards import FORFEITED, RUNNING, TRUNCATED
from t2r_env.rules.state import ENDED, NO_ANSWER

Array: TypeAlias = np.ndarray[Any, Any]

ALL_LEGAL = -1

_deal = by_record({kind.state: kind.deal for kind in KINDS.values()})
legal = by_record({kind.state: kind.legal for kind in KINDS.values()})
_observe = by_record({kind.state: kind.observe for kind in KINDS.values()})
_tell_truth = by_record({kind.state: kind.tell_truth for kind in KINDS.values()})
_hide = by_record({kind.state: kind.hide for kind in KINDS.values()})
deal_anew = by_record({kind.state: kind.deal_anew for kind in KINDS.values()})

BEGIN, ASK, ANSWER, PLAY_RANDOMLY = range(4)
"""What `run` does with a row: begin a new game, only ask (its state was replaced), answer, or answer at random."""


@compiled
def first_illegal(states: Array, masks: Array, rows: Array, actions: Array) -> int:
    """The first of the rows whose game is running and whose action is not legal; `ALL_LEGAL` if there is none."""
    for row in rows:
        if states[row].outcome == RUNNING and not _is_legal(masks, row, actions[row]):
            return row
    return ALL_LEGAL


@compiled
def count_answers(states: Array, rules: Array, scratch: Array) -> int:
    """The fewest legal answers that any of the questions has."""
    fewest = legal(states[0], rules[0], scratch[0])
    for row in range(1, states.shape[0]):
        fewest = min(fewest, legal(states[row], rules[0], scratch[0]))
    return fewest


@compiled
def run(
    states: Array,
    rules: Array,
    opening: Array,
    scratch: Array,
    rows: Array,
    order: int,
    decisions: int,
    actions: Array,
    generators: Array,
    random_seats: Array,
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
    """Do in the given rows what `order` says; write each next question's mask and what the asked seat sees.

    Answers come from `actions`; at random, `decisions` times over, from `generators` (one word a row, apart from the
    games' own chance), each legal answer being equally likely. The questions that come next to `random_seats` are
    answered at random in the same step: its rewards are for all of it, up to the end of its game. An illegal answer
    ends its game as a forfeit. A game that ends leaves its state in `finished` and what every seat sees in
    `final_observations`; with `autoreset` the row's next game begins at once. Ended games stay as they are. Returns how
    many games ended.
    """
    ended = 0
    for row in rows:
        state = states[row]
        count = 0
        if order == BEGIN:
            _begin(states, row, rules[0], opening, seeds[row])
        if order != ANSWER:
            count = play(state, rules[0], scratch[0], np.int64(NO_ANSWER))
        for _ in range(decisions):
            rewards[row, :] = 0
            reward_schemes.note_scores(state, rules[0], scratch[0])
            is_given = order == ANSWER
            is_answered = order >= ANSWER or random_seats[row, state.current]
            is_first_game = True
            while is_answered and state.outcome == RUNNING:
                action = actions[row] if is_given else _choose(generators, row, scratch[0], count)
                if is_given and not _is_legal(masks, row, action):
                    state.outcome = FORFEITED
                    state.phase = ENDED
                    count = 0
                    rewards[row, state.current] = -1
                else:
                    state.decisions += 1
                    count = play(state, rules[0], scratch[0], action)
                    if is_first_game:
                        reward_schemes.reward(state, rules[0], scratch[0], scheme, rewards[row])
                if is_first_game:
                    terminated[row] = state.outcome != RUNNING and state.outcome != TRUNCATED
                    truncated[row] = state.outcome == TRUNCATED
                if state.outcome != RUNNING:
                    ended += 1
                    _keep(state, rules[0], finished, row, final_observations[row])
                    if autoreset:
                        is_first_game = False
                        seeds[row] = next_seed(seeds[row])
                        _begin(states, row, rules[0], opening, seeds[row])
                        count = play(state, rules[0], scratch[0], np.int64(NO_ANSWER))
                is_given = False
                is_answered = random_seats[row, state.current]
            current[row] = state.current
            _show(state, rules[0], scratch[0], count, current[row], masks[row], observations[row])
    return ended


@compiled
def _begin(states: Array, row: int, rules: Record, opening: Array, seed: Any) -> None:
    """Deal the row's next game."""
    states[row] = opening[0]
    seed_generator(states[row], seed)
    _deal(states[row], rules)


@inlined
def _choose(generators: Array, row: int, scratch: Record, count: int) -> Any:
    """One of the legal answers listed, each equally likely."""
    generators[row] = next_word(generators[row])
    return np.int64(scratch.legal[bounded(generators[row], count)])


@compiled
def observe_seats(states: Array, rules: Array, rows: Array, seats: Array, vectors: Array) -> None:
    """Write into `vectors[i]` what seat `seats[i]` sees of game `rows[i]`."""
    for i in range(rows.shape[0]):
        _observe(states[rows[i]], rules[0], seats[i], vectors[i])


@compiled
def tell_truth(states: Array, rules: Array, rows: Array, vectors: Array) -> None:
    """Write into `vectors[i]` all there is to know of game `rows[i]`."""
    for i in range(rows.shape[0]):
        _tell_truth(states[rows[i]], rules[0], vectors[i])


@compiled
def known(states: Array, rules: Array, rows: Array, seats: Array, views: Array) -> None:
    """Write into `views[i]` the state of game `rows[i]` without what seat `seats[i]` can't know."""
    for i in range(rows.shape[0]):
        views[i] = states[rows[i]]
        _hide(views[i], rules[0], seats[i])


@compiled
def determinize(
    states: Array, rules: Array, scratch: Array, rows: Array, seats: Array, seeds: Array, copies: Array
) -> None:
    """Write into `copies[i]` the state of game `rows[i]`, what seat `seats[i]` can't know being dealt anew."""
    for i in range(rows.shape[0]):
        copies[i] = states[rows[i]]
        deal_anew(copies[i], rules[0], scratch[0], seats[i], seeds[i])


@inlined
def _is_legal(masks: Array, row: int, action: int) -> bool:
    return 0 <= action < masks.shape[1] and masks[row, action] == 1


@inlined
def _show(
    state: Record, rules: Record, scratch: Record, count: int, seat: int, mask: Array, observation: Array
) -> None:
    """Write the mask of the legal answers and what the asked seat sees."""
    if mask.size:
        mask[:] = 0
        for i in range(count):
            mask[scratch.legal[i]] = 1
    if observation.size:
        _observe(state, rules, seat, observation)


@compiled
def _keep(state: Record, rules: Record, finished: Array, row: int, final_observations: Array) -> None:
    """Keep the state of a game that has ended and what every seat sees of it."""
    finished[row] = state
    if final_observations.shape[1]:
        for seat in range(rules.num_seats):
            _observe(state, rules, seat, final_observations[seat])
