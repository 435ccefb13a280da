"""Luck in whole games: what cards and tickets that came by chance changed, as a control variate for results.

A result less the luck in it has the same mean, whatever the values are worth, and varies less: AIVAT (Burch, Schmid,
Moravčík, Morrill and Bowling 2018) without what is known of the players. After each action the value of what came is
compared with the mean value of what could have come, by the true probabilities, so luck is 0 on average. Corrected are
cards drawn or turned up, tunnels, and tickets drawn; the first deal is not, which pairs of games share.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from t2r_agents.values import Judge, take_actions
from t2r_env import Games
from t2r_env.agents import Array
from t2r_env.core.compiled import cached
from t2r_env.core.randomness import seed_rng
from t2r_env.rules import ticket_queue
from t2r_env.rules.names import outcomes

SAMPLES = 8
"""How often what comes by chance after an action comes anew."""
WIN, MARGIN = 0, 1
"""The kinds of luck: in the chance to win, and in points more than the best other team's."""


def luck_in_games(
    judge: Judge, seeds: Sequence[int], actions: Sequence[Sequence[int]], samples: int = SAMPLES
) -> NDArray[np.float64]:
    """Return the luck of each seat in whole games, (games, seats, 2): in chances to win, and in points.

    Parameters
    ----------
    judge
        Who judges positions from everything. Its quality decides how much of the luck is seen, not whether the mean is
        right.
    seeds, actions
        Of each game: the seed of its deal, and the actions of all seats. Illegal ones end a game.
    samples
        How often what comes by chance after an action comes anew.
    """
    games = Games(judge.configuration, batch=len(seeds), seed=0, autoreset=False, illegal_action="terminate")
    games.reset(np.arange(len(seeds)), np.array(seeds, np.uint64))
    luck = np.zeros((len(seeds), judge.configuration.num_players, 2))
    fresh = games.states["queue_count"].astype(np.int64)  # tickets of the deck that nobody has seen
    lengths = np.array([len(it) for it in actions])
    rng = np.random.default_rng(0)
    for step in range(lengths.max(initial=0)):
        rows = np.flatnonzero((step < lengths) & (games.states["outcome"] == outcomes.RUNNING))
        chosen = np.array([actions[row][step] for row in rows], np.int64)
        is_legal = games.masks[rows, chosen] == 1
        before = games.states[rows].copy()
        games.step(chosen, rows)
        words = rng.integers(2**63, size=(len(rows), samples), dtype=np.uint64)
        kept = rows[is_legal]
        luck[kept] += _luck(
            judge, before[is_legal], chosen[is_legal], games.states[kept], fresh[kept], words[is_legal]
        )
        drawn = (games.states["queue_head"][rows].astype(np.int64) - before["queue_head"]) % before["ticket_queue"].shape[1]
        fresh[rows] = np.maximum(fresh[rows] - drawn, 0)
    return luck


def _luck(
    judge: Judge,
    before: Array,
    actions: NDArray[np.int64],
    after: Array,
    fresh: NDArray[np.int64],
    seeds: NDArray[np.uint64],
) -> NDArray[np.float64]:
    """Return the luck after one action in each of k games, (k, seats, 2)."""
    samples = seeds.shape[1]
    luck = np.zeros((len(before), judge.configuration.num_players, 2))
    dealt = before.repeat(samples)
    _shuffle(dealt, fresh.repeat(samples), seeds.ravel())
    could_come = take_actions(judge.configuration, dealt, actions.repeat(samples)).reshape(len(before), samples)
    depends = np.flatnonzero(_differ(could_come, after))
    if depends.size:
        came = np.stack(judge.judge(after[depends], sees_all=True), axis=-1)
        others = np.stack(judge.judge(could_come[depends].ravel(), sees_all=True), axis=-1)
        luck[depends] = came - others.reshape(len(depends), samples, *came.shape[1:]).mean(axis=1)
    return luck


@cached
def _shuffle(states: Array, fresh: Array, seeds: Array) -> None:
    """Let cards come anew, and shuffle the tickets that nobody has seen: those at the top."""
    for row in range(states.shape[0]):
        state = states[row]
        seed_rng(state, seeds[row])
        count = state.queue_count
        state.queue_count = fresh[row]
        ticket_queue.shuffle(state)
        state.queue_count = count


def _differ(could_come: Array, after: Array) -> NDArray[np.bool_]:
    """Whether any of what could come (k, samples) differs from what came (k,), but for what is still hidden."""
    both = np.concatenate([after[:, None], could_come], axis=1)
    for name in ("rng", "ticket_queue"):
        both[name] = 0
    as_bytes = both.view(np.uint8).reshape(*both.shape, -1)
    return np.asarray((as_bytes[:, 1:] != as_bytes[:, :1]).any(axis=(1, 2)))
