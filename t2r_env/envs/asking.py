"""Asking an agent in a loop of one's own: about the present decision of any environment."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_env.agents import AnyAgent, Decisions, choose_actions, decisions_of, find_agent
from t2r_env.envs.seat_games import SeatGames
from t2r_env.games import Games
from t2r_env.rules.names import outcomes
from t2r_env.seeding import agent_keys, decision_seeds

_INNER = ("games", "game", "aec_env")
"""The names under which environments hold what leads to their games: ours, and PettingZoo's conversion."""


def ask(agent: AnyAgent, env: Any) -> Any:
    """Return the action that an agent would take at the present decision of an environment; nothing changes.

    `agent` is anything that `t2r_env.agents.find_agent` takes, such as `"planner"`. A name makes a new agent in each
    call: in a loop with an agent that takes long to make, such as a policy, call `find_agent` once before it.

    `env` is this library's environment for PettingZoo, Gymnasium, Stable-Baselines3 or RLlib, single or vector, wrapped
    or not, or a `Games`. Of a vector environment of Gymnasium or Stable-Baselines3 that runs single ones in this
    process each is asked about.

    Of one game the result is an int, or None where it is over, which is what PettingZoo's `step` then takes. Of many
    it is int64, (games,), with 0 for games that are over.

    Raises TypeError for another environment, ResetNeeded before its first `reset`, what `find_agent` raises, and
    IllegalActionError if the agent's action is not legal.
    """
    found, bare = find_agent(agent), _unwrapped(env)
    if isinstance(each := getattr(bare, "envs", None), list | tuple):
        return np.array([ask(found, one) or 0 for one in each], np.int64)
    games = _games_of(bare)
    rows = _running(games)
    actions = np.zeros(games.batch, np.int64)
    if rows.size:
        find_agent(found, games.configuration)
        actions[rows] = choose_actions(found, _decisions(games, rows))
    if _is_batch(bare):
        return actions
    return int(actions[0]) if rows.size else None


def present_decisions(env: Any) -> Decisions:
    """Return the decisions that an environment's running games wait for, as agents get them.

    `env` is as for `ask`, but no vector environment that runs single ones. Of one game there is one decision,
    `present_decisions(env).position(0)`. Their seeds follow from those of the games.

    Raises TypeError and ResetNeeded as `ask` does.
    """
    games = _games_of(_unwrapped(env))
    return _decisions(games, _running(games))


def _running(games: Games) -> NDArray[np.int64]:
    """Return the rows whose games wait for a decision: with autoreset all, also where the last step ended a game."""
    return np.flatnonzero(games.states["outcome"] == outcomes.RUNNING)


def _decisions(games: Games, rows: NDArray[np.int64]) -> Decisions:
    return decisions_of(games, rows, decision_seeds(games, rows, agent_keys(games.seeds)))


def _unwrapped(env: Any) -> Any:
    return getattr(env, "unwrapped", env)


def _is_batch(bare: Any) -> bool:
    return isinstance(bare, Games | SeatGames) or hasattr(bare, "num_envs")


def _games_of(bare: Any) -> Games:
    """Return the games in an environment without wrappers. Raises TypeError and ResetNeeded as `ask` does."""
    found = bare
    while not isinstance(found, Games):
        if isinstance(found, SeatGames):
            found.check_begun()
        inner = [name for name in _INNER if hasattr(found, name)]
        if not inner:
            raise TypeError(
                "env must be a Games or an environment of t2r_env in this process, wrapped or not, not"
                f" {type(bare).__name__}"
            )
        found = getattr(found, inner[0])
    return found
