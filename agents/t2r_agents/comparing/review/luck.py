"""Luck in whole games: what cards and tickets that came by chance changed, as a control variate for results.

A result less the luck in it has the same mean, whatever the values are worth, and varies less: AIVAT (Burch, Schmid,
Moravčík, Morrill and Bowling 2018) without what is known of the players. After each action the value of what came is
compared with the mean value of what could have come, by the true probabilities, so luck is 0 on average. Corrected are
cards drawn or turned up, tunnels, and tickets drawn; the first deal is not, which pairs of games share.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.values import Judge, take_actions, with_new_chance
from t2r_env import Games
from t2r_env.agents import Array

SAMPLES = 8
"""How often what comes by chance after an action comes again."""
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
        Of each game: the seed of its deal, and the actions of all seats, all of them legal.
    samples
        How often what comes by chance after an action comes again.
    """
    games = Games(judge.configuration, batch=len(seeds), seed=0, autoreset=False)
    games.reset(np.arange(len(seeds)), np.array(seeds, np.uint64))
    luck = np.zeros((len(seeds), judge.configuration.num_players, 2))
    unseen = games.states["queue_count"].astype(np.int64)
    rng = np.random.default_rng(0)
    for step in range(max(map(len, actions), default=0)):
        rows = np.array([row for row, taken in enumerate(actions) if step < len(taken)])
        chosen = np.array([actions[row][step] for row in rows.tolist()], np.int64)
        before = games.states[rows].copy()
        games.step(chosen, rows)
        after = games.states[rows]
        words = rng.integers(2**63, size=(len(rows), samples), dtype=np.uint64)
        luck[rows] += luck_after(judge, before, chosen, after, unseen[rows], words)[0]
        unseen[rows] -= tickets_drawn(before, after)
    return luck


def luck_in_game(
    judge: Judge, states: Array, actions: NDArray[np.int64], samples: int = SAMPLES
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the luck of each seat after each decision of a game, (n, seats, 2), and its standard errors.

    `states` (n + 1,) are its positions from the deal on, `actions` (n,) what was done, all of it legal.
    """
    before, after = states[:-1], states[1:]
    drawn = tickets_drawn(before, after)
    unseen = states["queue_count"][0] - (drawn.cumsum() - drawn)
    seeds = np.random.default_rng(0).integers(2**63, size=(len(actions), samples), dtype=np.uint64)
    return luck_after(judge, before, actions, after, unseen, seeds)


def tickets_drawn(before: Array, after: Array) -> NDArray[np.int64]:
    """Return how many tickets have left the top of the ticket deck between positions (k,) and the next ones, (k,)."""
    heads = (it["queue_head"].astype(np.int64) for it in (after, before))
    return np.asarray((next(heads) - next(heads)) % before["ticket_queue"].shape[1])


def luck_after(
    judge: Judge,
    before: Array,
    actions: NDArray[np.int64],
    after: Array,
    unseen: NDArray[np.int64],
    seeds: NDArray[np.uint64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the luck of each seat after legal actions in k positions, (k, seats, 2), and its standard errors.

    Parameters
    ----------
    before, actions, after
        (k,) positions, what is done there, and what came of it.
    unseen
        (k,) tickets of the deck that nobody has seen before the action; no more than 0 if those are gone.
    seeds
        (k, samples) of what could have come.
    """
    samples = seeds.shape[1]
    luck, errors = np.zeros((2, len(before), judge.configuration.num_players, 2))
    dealt = with_new_chance(before.repeat(samples), seeds.ravel(), np.maximum(unseen, 0).repeat(samples))
    could_come = take_actions(judge.configuration, dealt, actions.repeat(samples)).reshape(len(before), samples)
    depends = np.flatnonzero(_differ(could_come, after))
    if depends.size:
        came = np.stack(judge.judge(after[depends], sees_all=True), axis=-1)
        others = np.stack(judge.judge(could_come[depends].ravel(), sees_all=True), axis=-1)
        others = others.reshape(len(depends), samples, *came.shape[1:])
        luck[depends] = came - others.mean(axis=1)
        errors[depends] = others.std(axis=1, ddof=1) / samples**0.5
    return luck, errors


def _differ(could_come: Array, after: Array) -> NDArray[np.bool_]:
    """Whether any of what could come (k, samples) differs from what came (k,), but for what is still hidden."""
    both = np.concatenate([after[:, None], could_come], axis=1)
    for name in ("rng", "ticket_queue"):
        both[name] = 0
    as_bytes = both.view(np.uint8).reshape(*both.shape, -1)
    return np.asarray((as_bytes[:, 1:] != as_bytes[:, :1]).any(axis=(1, 2)))
