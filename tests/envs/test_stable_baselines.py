"""The Stable-Baselines3 environment: the same as single ones side by side, and what the algorithms need."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

from t2r_env import IllegalActionError, OpponentPool, configure
from t2r_env.envs.single import SeatEnvironment
from t2r_env.envs.stable_baselines import SeatVecEnv
from tests.helpers.environments import TURN_LIMITS, choose, played
from tests.helpers.odd_agents import First
from tests.helpers.playing import Options, check_same, each_kind, each_kind_once, id_of


@each_kind
@pytest.mark.filterwarnings("ignore:.*was not legal")
def test_stable_baselines_finds_the_single_environment_as_it_should_be(
    variant: str, players: int, options: Options
) -> None:
    check_env(gymnasium.make(id_of(variant), num_players=players, **options).unwrapped)


@each_kind_once
@pytest.mark.filterwarnings("ignore:.*was not legal")
def test_it_plays_as_single_environments_do(variant: str, players: int) -> None:
    """Also the infos at the end, except the observation, which has no mask, `t`, and who the opponents were."""
    chosen = configure(variant, players, turn_limit=TURN_LIMITS[variant])
    opponents = OpponentPool(["random", First], weights=[5, 1])
    arguments: dict[str, Any] = {"opponents": opponents, "seat": "random", "reward": "margin"}
    env = SeatVecEnv(chosen, num_envs=3, seed=2**64 - 2, **arguments)
    other = DummyVecEnv([lambda: Monitor(SeatEnvironment(chosen, **arguments))] * 3)
    other._seeds = [2**64 - 2, 2**64 - 1, 0]
    np.testing.assert_array_equal(env.reset(), other.reset()["observation"])  # type: ignore[call-overload]  # a dictionary here
    check_seeds_are_told_alike(env, other)
    rng = np.random.default_rng(0)
    endings: list[tuple[bool, bool, bool]] = []
    while len(endings) < 12 or len({*endings}) < 4:  # won, lost, truncated, and ended by an illegal action
        masks, seating = env.env_method("action_masks"), env.games.seating.copy()
        np.testing.assert_array_equal(masks, other.env_method("action_masks"))
        actions = choose(masks, rng, illegal=0.005)
        observations, rewards, over, infos = env.step(actions)
        seen, *given, told = other.step(actions)
        check_same(observations, seen["observation"])  # type: ignore[call-overload]  # a dictionary here
        check_same([rewards, over], given)
        for row, (info, expected) in enumerate(zip(infos, told, strict=True)):
            if not over[row]:
                assert info == {}
                assert expected.keys() == {"TimeLimit.truncated", "action_mask", "seed"}
                continue
            check_seeds_are_told_alike(env, other)
            endings.append((info["is_success"], info["TimeLimit.truncated"], "illegal_action" in info))
            assert not expected.pop("action_mask").any()
            expected["terminal_observation"] = expected["terminal_observation"]["observation"]
            assert expected["episode"].pop("t") > 0
            assert info["episode"].pop("t") >= 0
            assert info.pop("is_success") == (expected.get("rank") == 1)
            assert info.pop("opponents") == seating[row].tolist()
            check_same({name: info[name] for name in expected}, expected)
            assert info.keys() == expected.keys()


def check_seeds_are_told_alike(env: SeatVecEnv, other: DummyVecEnv) -> None:
    told = [info.get("seed") for info in other.reset_infos]
    check_same([info.get("seed") for info in env.reset_infos], told)
    assert {type(seed) for seed in told} == {np.int64}


def test_a_reset_in_the_middle_forgets_what_was_earned() -> None:
    """The seed counts once; one may also be drawn."""
    env, fresh = (SeatVecEnv("new_york", num_envs=2, reward="score", illegal_action="raise") for _ in range(2))
    env.reset()
    played(env, 15)
    drawn = env.seed()
    for it in (env, fresh):
        it.seed(drawn[0])
        it.reset()
    with pytest.raises(IllegalActionError, match=r"game 1: action .* of player_0 is not legal"):
        env.step(np.array([env.action_masks()[0].argmax(), env.action_masks()[1].argmin()]))
    check_same(played(env), played(fresh))
    with pytest.raises(ValueError, match=r"a seed must be an integer from 0 to 2\^64 - 1, not -1"):
        SeatVecEnv(seed=-1)


def test_masks_come_as_one_array() -> None:
    env = SeatVecEnv("card_game", 3, 4)
    env.reset()
    played(env, 9)
    masks = env.env_method("action_masks")
    assert isinstance(masks, np.ndarray)
    assert (masks.dtype, masks.shape) == (np.int8, (4, env.action_space.n))  # type: ignore[attr-defined]  # it is Discrete
    np.testing.assert_array_equal(masks, env.games.masks())
    np.testing.assert_array_equal(env.env_method("action_masks", indices=[2, 0]), masks[[2, 0]])
    np.testing.assert_array_equal(env.env_method("action_masks", indices=1), masks[[1]])
    np.testing.assert_array_equal(get_action_masks(env), masks)
    assert env.has_attr("action_masks")
    assert is_masking_supported(env)
    assert not env.has_attr("action_maskz")
    with pytest.raises(AttributeError, match="no_such_method"):
        env.env_method("no_such_method")


def test_attributes_are_shared_by_all_games() -> None:
    env = SeatVecEnv(num_envs=3)
    assert env.get_attr("render_mode") == [None] * 3
    assert env.get_attr("configuration", indices=[0, 2]) == [env.configuration] * 2
    env.set_attr("note", 5)
    assert env.get_attr("note") == [5, 5, 5]
    with pytest.raises(ValueError, match="indices must be all games to set 'note', which they share"):
        env.set_attr("note", 6, indices=[1])
    assert env.env_is_wrapped(Monitor) == [True] * 3
    assert list(env.get_images()) == [None] * 3
    env.close()
