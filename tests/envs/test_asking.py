"""Any agent can be asked about the present decision of any environment."""

from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from stable_baselines3.common.vec_env import VecCheckNan

import t2r_env
from t2r_env.agents import choose_actions, decisions_of, find_agent
from t2r_env.envs.seat_games import SeatGames
from t2r_env.envs.stable_baselines import SeatVecEnv
from t2r_env.games import Games, IllegalActionError

SEED = 5
GAME: Any = {"num_players": 3}
NAME = "t2r_env/new_york-v0"
PLANNER = find_agent("planner")


def planners(games: Games) -> list[int]:
    """What the planner does in all of these games, which are running."""
    rows = np.arange(games.batch)
    return [*map(int, choose_actions(PLANNER, decisions_of(games, rows, np.zeros(games.batch, np.uint64))))]


aec: Callable[[], Any] = partial(t2r_env.env, "new_york", **GAME)
single: Callable[[], Any] = partial(gymnasium.make, NAME, seat=1, opponents="greedy", **GAME)
ONE_GAME = {
    "pettingzoo": aec,
    "pettingzoo, as parallel": lambda: turn_based_aec_to_parallel(aec()),
    "pettingzoo, parallel": partial(t2r_env.parallel_env, "new_york", **GAME),
    "gymnasium, wrapped": lambda: TimeLimit(single(), 1000),
}
MANY_GAMES = {
    "gymnasium vector, wrapped": lambda: RecordEpisodeStatistics(gymnasium.make_vec(NAME, num_envs=3, **GAME)),
    "gymnasium sync vector": lambda: SyncVectorEnv([single] * 3),
    "stable-baselines3, wrapped": lambda: VecCheckNan(SeatVecEnv("new_york", num_envs=3, seed=SEED, **GAME)),
}


def begun(made: Callable[[], Any]) -> Any:
    """An environment that could not be asked about before its reset: from a seed where `reset` takes one."""
    env = made()
    with pytest.raises(ResetNeeded):
        t2r_env.ask("planner", env)
    env.reset(**({} if hasattr(env, "reset_infos") else {"seed": SEED}))
    return env


def games_in(env: Any) -> Games:
    """The core's games in an environment of one."""
    found = env.unwrapped
    found = getattr(found, "aec_env", getattr(found, "game", found)).games
    return found.games if isinstance(found, SeatGames) else found


@pytest.mark.parametrize("made", ONE_GAME.values(), ids=ONE_GAME.keys())
def test_of_one_game_the_answer_is_the_agent_s_action_and_nothing_changes(made: Any) -> None:
    env = begun(made)
    games = games_in(env)
    before = games.get_state()
    action = t2r_env.ask("planner", env)
    assert type(action) is int
    assert [action] == planners(games)
    assert games.get_state() == before
    assert t2r_env.present_decisions(env).position().seat == games.current[0]


@pytest.mark.parametrize("made", MANY_GAMES.values(), ids=MANY_GAMES.keys())
def test_of_many_games_the_answer_is_an_action_for_each(made: Any) -> None:
    envs = begun(made)
    bare = envs.unwrapped
    for _ in range(12):
        each = [games_in(env) for env in bare.envs] if hasattr(bare, "envs") else [bare.games.games]
        actions = t2r_env.ask(PLANNER, envs)
        assert actions.dtype == np.int64
        assert actions.tolist() == [action for games in each for action in planners(games)]
        envs.step(actions)


def test_where_a_game_is_over_there_is_no_action() -> None:
    """None, which PettingZoo's `step` then takes; 0 for each of many."""
    env = t2r_env.env("new_york")
    env.reset(seed=1)
    for agent in env.agent_iter():
        env.step(t2r_env.ask("planner" if agent == "player_0" else "random", env))
    assert env.games.snapshot()["outcome"] == "finished"
    games = Games("new_york", batch=4, seed=1, autoreset=False)
    while not (games.terminated | games.truncated).all():
        actions = t2r_env.ask("greedy", games)
        assert not actions[games.terminated].any()
        games.step(actions)
    assert t2r_env.ask("greedy", games).tolist() == [0] * 4
    assert len(t2r_env.present_decisions(games)) == 0


def test_games_that_begin_again_by_themselves_are_all_asked_about() -> None:
    games = Games("new_york", batch=8, seed=1)
    while not games.terminated.any():
        games.step(t2r_env.ask("greedy", games))
    assert len(t2r_env.present_decisions(games)) == 8
    alone = [choose_actions(find_agent("greedy"), one)[0] for one in t2r_env.present_decisions(games).split()]
    assert t2r_env.ask("greedy", games).tolist() == alone


def test_the_agent_s_randomness_follows_from_the_game_s_seed_and_decision() -> None:
    games = Games("usa", batch=50, seed=1)
    games.play_random(30)
    actions = t2r_env.ask("random", games)
    assert np.array_equal(t2r_env.ask("random", games), actions)
    other = games.clone()
    other.seeds[:] += np.uint64(50)
    assert not np.array_equal(t2r_env.ask("random", other), actions)


def test_what_is_no_environment_of_the_library_and_an_agent_that_can_not_play_are_refused() -> None:
    for other in (gymnasium.make("CartPole-v1"), "usa", None):
        with pytest.raises(TypeError, match="env must be a Games or an environment of t2r_env in this process"):
            t2r_env.ask("planner", other)
    env = t2r_env.env("card_game")
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match="which is not legal"):
        t2r_env.ask(lambda decisions: decisions.masks.argmin(axis=1), env)
    with pytest.raises(ValueError, match="map games"):
        t2r_env.ask("any_board", env)
