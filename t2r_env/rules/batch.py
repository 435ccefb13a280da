"""Many games at once, of either kind: the functions that Python calls. Rows are games; arrays are written in place.

The dtype of the states says by which kind's rules they are played. `states`, `rules`, `opening` and `scratch` are
structured arrays, the last three of one record each. Masks and observations of no width are not written.
"""

from typing import Any, TypeAlias

import numpy as np

from t2r_env.rules import rewards as reward_schemes
from t2r_env.rules.compiled import by_record, compiled, inlined
from t2r_env.rules.game import play
from t2r_env.rules.randomness import bounded, next_seed, next_word, seed_rng
from t2r_env.rules.records import Record
from t2r_env.rules.rewards import FORFEITED, RUNNING, TRUNCATED
from t2r_env.rules.rulesets import RULESETS
from t2r_env.rules.state import ENDED, NO_ACTION

Array: TypeAlias = np.ndarray[Any, Any]

ALL_LEGAL = -1

_deal = by_record({ruleset.state: ruleset.deal for ruleset in RULESETS.values()})
legal = by_record({ruleset.state: ruleset.legal for ruleset in RULESETS.values()})
_observe = by_record({ruleset.state: ruleset.observe for ruleset in RULESETS.values()})
_write_global_state = by_record({ruleset.state: ruleset.write_global_state for ruleset in RULESETS.values()})
_blank_unknown = by_record({ruleset.state: ruleset.blank_unknown for ruleset in RULESETS.values()})
determinize_state = by_record({ruleset.state: ruleset.determinize_state for ruleset in RULESETS.values()})

BEGIN, ASK, ACTION, PLAY_RANDOMLY = range(4)
"""What `run` does with a row: begin a new game, only ask (its state was replaced), answer, or answer at random."""


@compiled
def first_illegal(states: Array, masks: Array, rows: Array, actions: Array) -> int:
    """The first of the rows whose game is running and whose action is not legal; `ALL_LEGAL` if there is none."""
    for row in rows:
        if states[row].outcome == RUNNING and not _is_legal(masks, row, actions[row]):
            return row
    return ALL_LEGAL


@compiled
def fewest_legal_actions(states: Array, rules: Array, scratch: Array) -> int:
    """The fewest legal answers that any of the decisions has."""
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
    rngs: Array,
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
    """Do in the given rows what `order` says; write each next decision's mask and what the asked seat sees.

    Answers come from `actions`; at random, `decisions` times over, from `generators` (one word a row, apart from the
    games' own chance), each legal answer being equally likely. The decisions that come next to `random_seats` are
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
        if order != ACTION:
            count = play(state, rules[0], scratch[0], np.int64(NO_ACTION))
        for _ in range(decisions):
            rewards[row, :] = 0
            reward_schemes.note_scores(state, rules[0], scratch[0])
            is_given = order == ACTION
            is_given_or_random = order >= ACTION or random_seats[row, state.current]
            is_first_game = True
            while is_given_or_random and state.outcome == RUNNING:
                action = actions[row] if is_given else _choose(rngs, row, scratch[0], count)
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
                        count = play(state, rules[0], scratch[0], np.int64(NO_ACTION))
                is_given = False
                is_given_or_random = random_seats[row, state.current]
            current[row] = state.current
            _show(state, rules[0], scratch[0], count, current[row], masks[row], observations[row])
    return ended


@compiled
def _begin(states: Array, row: int, rules: Record, opening: Array, seed: Any) -> None:
    """Deal the row's next game."""
    states[row] = opening[0]
    seed_rng(states[row], seed)
    _deal(states[row], rules)


@inlined
def _choose(rngs: Array, row: int, scratch: Record, count: int) -> Any:
    """One of the legal answers listed, each equally likely."""
    rngs[row] = next_word(rngs[row])
    return np.int64(scratch.legal[bounded(rngs[row], count)])


@compiled
def observe_seats(states: Array, rules: Array, rows: Array, seats: Array, vectors: Array) -> None:
    """Write into `vectors[i]` what seat `seats[i]` sees of game `rows[i]`."""
    for i in range(rows.shape[0]):
        _observe(states[rows[i]], rules[0], seats[i], vectors[i])


@compiled
def write_global_state(states: Array, rules: Array, rows: Array, vectors: Array) -> None:
    """Write into `vectors[i]` all there is to know of game `rows[i]`."""
    for i in range(rows.shape[0]):
        _write_global_state(states[rows[i]], rules[0], vectors[i])


@compiled
def views(states: Array, rules: Array, rows: Array, seats: Array, views: Array) -> None:
    """Write into `views[i]` the state of game `rows[i]` without what seat `seats[i]` can't know."""
    for i in range(rows.shape[0]):
        views[i] = states[rows[i]]
        _blank_unknown(views[i], rules[0], seats[i])


@compiled
def determinize(
    states: Array, rules: Array, scratch: Array, rows: Array, seats: Array, seeds: Array, copies: Array
) -> None:
    """Write into `copies[i]` the state of game `rows[i]`, what seat `seats[i]` can't know being dealt anew."""
    for i in range(rows.shape[0]):
        copies[i] = states[rows[i]]
        determinize_state(copies[i], rules[0], scratch[0], seats[i], seeds[i])


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
