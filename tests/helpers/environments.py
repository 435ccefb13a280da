"""The environments by their names, made, played and copied alike: they share no class."""

import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import t2r_env
from t2r_env import Games
from t2r_env.envs.aec import AECEnvironment
from t2r_env.envs.single import SeatEnvironment
from t2r_env.envs.stable_baselines import SeatVecEnv
from t2r_env.envs.vector import SeatVectorEnvironment
from tests.helpers.playing import play, play_seat

Env = Any
Make = Callable[..., Env]


MAKERS: dict[str, Make] = {
    "aec": t2r_env.env,
    "single": SeatEnvironment,
    "vector": partial(SeatVectorEnvironment, num_envs=2),
    "stable_baselines": partial(SeatVecEnv, num_envs=2),
}
"""Each takes a variant, the number of players, and arguments by name. The last two have two games by default."""


def _each(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("make", [MAKERS[name] for name in names], ids=names)


each_environment = _each(*MAKERS)
each_with_pictures = _each("aec", "single", "vector")
each_with_one_game = _each("aec", "single")


TURN_LIMITS = {"usa": 145, "new_york": 51, "legendary_asia": 118, "team_asia": 155, "pennsylvania": 147}
TURN_LIMITS |= {"united_kingdom": 188, "card_game": 72, "europe": 171, "india": 158, "switzerland": 161, "nordic": 154}
"""Turn limits that about half of the random games reach."""


def games_of(env: Env) -> Games:
    games: Games = env.games if isinstance(env, AECEnvironment) else env.games.games
    return games


def seeds_of(env: Env) -> list[int]:
    seeds: list[int] = games_of(env).seeds.tolist()
    return seeds


def choose(masks: NDArray[np.int8], rng: np.random.Generator, illegal: float = 0) -> NDArray[np.int64]:
    """A random legal action for each game (0 for an ended one); with this probability an illegal one."""
    actions: NDArray[np.int64] = (masks * (0.1 + rng.random(masks.shape))).argmax(axis=1)
    return np.where(rng.random(len(masks)) < illegal, masks.argmin(axis=1), actions)


def step(env: Env, rng: np.random.Generator | None = None) -> None:
    """Take a random legal action in each game, or the first one."""
    masks = games_of(env).masks
    actions = choose(masks, rng) if rng else masks.argmax(axis=1)
    env.step(actions if isinstance(env, SeatVectorEnvironment | SeatVecEnv) else int(actions[0]))


def played(env: Env, steps: int | None = None) -> list[Any]:
    """All that an environment tells while it is played at random: so many steps; or one game to its end, others 60."""
    if isinstance(env, AECEnvironment):
        return play(env, steps)
    if isinstance(env, SeatEnvironment):
        return list(play_seat(env, steps))
    rng = np.random.default_rng(0)
    told = [env.step(choose(env.action_masks(), rng)) for _ in range(60 if steps is None else steps)]
    if isinstance(env, SeatVecEnv):
        for info in (info for *_, infos in told for info in infos if "episode" in info):
            del info["episode"]["t"]  # the time
    return told


def by_pickle(env: Env) -> Env:
    """A copy as another process gets it."""
    return pickle.loads(pickle.dumps(env))
