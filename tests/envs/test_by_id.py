"""Environments made by id, as the tools of others make them."""

from pathlib import Path

import gymnasium
import pettingzoo
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import SubprocVecEnv

from t2r_env.envs import aec, parallel
from t2r_env.envs.single import SeatEnvironment
from t2r_env.envs.vector import SeatVectorEnvironment
from tests.helpers.example_map import write_example_map
from tests.helpers.playing import each_kind_once, id_of


@each_kind_once
def test_stable_baselines_makes_vector_environments_by_id(variant: str, players: int) -> None:
    """It asks for `rgb_array`, and may never ask for a picture."""
    env = make_vec_env(id_of(variant), n_envs=4, seed=3, env_kwargs={"num_players": players, "seat": "random"})
    env.reset()
    for _ in range(20):
        env.step(get_action_masks(env).argmax(axis=1))
    assert env.get_attr("render_mode") == ["rgb_array"] * 4


def test_workers_without_a_seed_play_games_of_their_own() -> None:
    """Even if they are copies of one process."""
    env = make_vec_env(id_of("usa"), n_envs=3, vec_env_cls=SubprocVecEnv, vec_env_kwargs={"start_method": "fork"})
    env._seeds = [None] * 3  # without those that Stable-Baselines3 draws itself
    env.reset()
    assert len({int(info["seed"]) for info in env.reset_infos}) == 3
    env.close()


def test_a_map_of_ones_own_has_an_environment_that_calls_itself_by_the_map(tmp_path: Path) -> None:
    """By the id of any published one; PettingZoo's environments say it in their metadata."""
    write_example_map(tmp_path / "map")
    single = gymnasium.make(id_of("usa"), variant=tmp_path / "map", max_episode_steps=300)
    many = gymnasium.make_vec(id_of("usa"), num_envs=2, variant=tmp_path / "map")
    assert single.spec is not None
    assert single.spec is not gymnasium.spec(id_of("usa"))
    assert many.spec is not None
    assert single.spec.id == many.spec.id == single.unwrapped.spec.id == "t2r_env/lakes-v0"  # type: ignore[union-attr]
    again = gymnasium.make(single.spec)
    assert again.unwrapped.configuration.variant.id == "lakes"  # type: ignore[attr-defined]
    assert str(pettingzoo.make("parallel", id_of("usa"), variant=tmp_path / "map")) == "lakes_v0"
    assert gymnasium.make(id_of("usa")).spec == gymnasium.spec(id_of("usa"))
    assert SeatEnvironment().spec is SeatVectorEnvironment().spec is None


def test_a_pettingzoo_without_a_registry_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """As before 1.27."""
    monkeypatch.delattr(pettingzoo, "register")
    aec.register()
    parallel.register()
