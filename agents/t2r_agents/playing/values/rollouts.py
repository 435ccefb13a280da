"""Play-outs: positions played to their end by an agent, with other cards and tickets to come."""

import numpy as np
from numpy.typing import NDArray

from t2r_env import Configuration, Games
from t2r_env.agents import Agent, Array, choose_actions, decisions_of
from t2r_env.core.compiled import cached
from t2r_env.core.randomness import seed_rng
from t2r_env.results import Results
from t2r_env.rules import ticket_queue
from t2r_env.rules.names import outcomes
from t2r_env.seeding import agent_keys, decision_seeds


def with_new_chance(states: Array, seeds: NDArray[np.uint64], unseen: NDArray[np.int64] | None = None) -> Array:
    """Return copies of states (k,) whose decks are shuffled again from seeds (k,); hands and face-up cards stay.

    Of the ticket deck the `unseen` (k,) at the top are shuffled, those that nobody has refused; by default all of it.
    """
    copies = states.copy()
    _shuffle(copies, seeds, states["queue_count"].astype(np.int64) if unseen is None else unseen)
    return copies


@cached
def _shuffle(states: Array, seeds: Array, unseen: Array) -> None:
    for row in range(states.shape[0]):
        state = states[row]
        seed_rng(state, seeds[row])
        count = state.queue_count
        state.queue_count = unseen[row]
        ticket_queue.shuffle(state)
        state.queue_count = count


def play_out(configuration: Configuration, states: Array, agent: Agent, seeds: NDArray[np.uint64]) -> Results:
    """Return the results of k games that an agent plays on all seats from these states (k,) to the end.

    What comes by chance, and the agent's randomness, follow from the seeds (k,).
    """
    games = Games(configuration, batch=len(states), seed=0, autoreset=False)
    games.set_states(None, states)
    keys = agent_keys(seeds)
    rows = np.flatnonzero(games.states["outcome"] == outcomes.RUNNING)
    while rows.size:
        decisions = decisions_of(games, rows, decision_seeds(games, rows, keys))
        games.step(choose_actions(agent, decisions), rows)
        rows = rows[games.states["outcome"][rows] == outcomes.RUNNING]
    return Results.from_states(configuration, games.states)
