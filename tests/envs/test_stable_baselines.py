"""The Stable-Baselines3 environment: the same as single ones side by side, and what the algorithms need."""

import copy
import csv
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

from t2r_env import IllegalActionError, OpponentPool, configure
from t2r_env.core.randomness import next_seed
from t2r_env.envs.single import SeatEnvironment
from t2r_env.envs.stable_baselines import SeatVecEnv
from tests.agents.odd_agents import First
from tests.playing import Options, check_same, every_configuration, every_variant_once, id_of

ignoring_illegal_actions = pytest.mark.filterwarnings("ignore:.*was not legal")


def choose(masks: NDArray[np.int8], rng: np.random.Generator, illegal: float = 0) -> NDArray[np.int64]:
    """A random legal action for each game; with this probability an illegal one."""
    actions: NDArray[np.int64] = (masks * (0.1 + rng.random(masks.shape))).argmax(axis=1)
    return np.where(rng.random(len(masks)) < illegal, masks.argmin(axis=1), actions)


def play(env: SeatVecEnv, steps: int) -> list[Any]:
    """The results of so many steps, without times."""
    rng = np.random.default_rng(0)
    given = [env.step(choose(env.action_masks(), rng)) for _ in range(steps)]
    for *_, infos in given:
        for info in infos:
            info.get("episode", {}).pop("t", None)
    return given


def network() -> dict[str, Any]:
    """Hyperparameters of a small algorithm."""
    return {
        "n_steps": 32,
        "batch_size": 32,
        "n_epochs": 1,
        "policy_kwargs": {"net_arch": [8]},
        "seed": 3,
        "device": "cpu",
    }


# The interface


@every_configuration
@ignoring_illegal_actions
def test_stable_baselines_finds_the_single_environment_as_it_should_be(
    variant: str, players: int, options: Options
) -> None:
    check_env(gymnasium.make(id_of(variant), num_players=players, **options).unwrapped)


@every_variant_once
@ignoring_illegal_actions
def test_it_plays_as_single_environments_do(variant: str, players: int) -> None:
    """Also the infos at the end, except the observation, which has no mask, and `t`."""
    chosen = configure(variant, players, turn_limit=players * 12)
    arguments: dict[str, Any] = {
        "opponents": OpponentPool(["random", First], weights=[5, 1]),
        "seat": "random",
        "reward": "margin",
    }
    env = SeatVecEnv(chosen, num_envs=3, seed=2**64 - 2, **arguments)
    other = DummyVecEnv([lambda: Monitor(SeatEnvironment(chosen, **arguments))] * 3)
    other._seeds = [2**64 - 2, 2**64 - 1, 0]
    np.testing.assert_array_equal(env.reset(), other.reset()["observation"])  # type: ignore[call-overload]  # a dictionary here
    check_seeds_are_told_alike(env, other)
    rng = np.random.default_rng(0)
    ended = 0
    while ended < 12:
        masks = env.env_method("action_masks")
        np.testing.assert_array_equal(masks, other.env_method("action_masks"))
        actions = choose(masks, rng, illegal=0.005)
        observations, rewards, over, infos = env.step(actions)
        seen, *given, told = other.step(actions)
        check_same(observations, seen["observation"])  # type: ignore[call-overload]  # a dictionary here
        check_same([rewards, over], given)
        for info, expected, is_over in zip(infos, told, over, strict=True):
            if not is_over:
                assert info == {}
                assert expected.keys() == {"TimeLimit.truncated", "action_mask", "seed"}
                continue
            ended += 1
            check_seeds_are_told_alike(env, other)
            assert not expected.pop("action_mask").any()
            expected["terminal_observation"] = expected["terminal_observation"]["observation"]
            assert expected["episode"].pop("t") > 0
            assert info["episode"].pop("t") >= 0
            assert info.pop("is_success") == (expected.get("rank") == 1)
            assert sorted(info.pop("opponents"))[0] == -1
            check_same({name: info[name] for name in expected}, expected)
            assert info.keys() == expected.keys()


def check_seeds_are_told_alike(env: SeatVecEnv, other: DummyVecEnv) -> None:
    told = [info.get("seed") for info in other.reset_infos]
    check_same([info.get("seed") for info in env.reset_infos], told)
    assert {type(seed) for seed in told} == {np.uint64}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs must be an integer, at least 1, not 0"),
        ({"seed": -1}, r"a seed must be an integer from 0 to 2\^64 - 1, not -1"),
        ({"seed": "1"}, r"a seed must be an integer from 0 to 2\^64 - 1, not '1'"),
        ({"seat": 2}, "seat must be an integer from 0 to 1, or 'random', not 2"),
        (
            {"batch": 2},
            r"SeatVecEnv.__init__\(\) got an unexpected keyword argument 'batch': usa has no option 'batch'; its"
            " options are: tickets, turn_limit; the other arguments are: variant, num_players, num_envs, opponents,"
            " seat, reward, illegal_action, threads, seed, features$",
        ),
        ({"autoreset_mode": "NextStep"}, "usa has no option 'autoreset_mode'"),
    ],
)
def test_an_argument_that_is_not_allowed_is_named_with_what_is_allowed(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        SeatVecEnv(**arguments)


def test_before_the_first_reset_every_use_says_that_a_reset_is_needed() -> None:
    env = SeatVecEnv(num_envs=2)
    for use in (lambda: env.step(np.zeros(2, np.int64)), env.action_masks):
        with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
            use()


# Reset


def seeds_of(env: SeatVecEnv) -> list[int]:
    seeds: list[int] = env.games.games.seeds.tolist()
    return seeds


def test_the_seed_counts_once_and_then_games_follow() -> None:
    env = SeatVecEnv(num_envs=2, seed=7)
    for expected in ([7, 8], [int(next_seed(np.uint64(seed))) for seed in (7, 8)]):
        env.reset()
        assert seeds_of(env) == expected
    assert env.seed(2**64 - 1) == [2**64 - 1, 0]
    env.reset()
    assert seeds_of(env) == [2**64 - 1, 0]
    drawn = env.seed()
    env.reset()
    assert seeds_of(env) == drawn
    with pytest.raises(ValueError, match="a seed must be an integer"):
        env.seed(-1)


def test_without_a_seed_the_first_games_are_random_ones_and_then_games_follow() -> None:
    envs = [SeatVecEnv(num_envs=2) for _ in range(2)]
    envs.append(copy.deepcopy(envs[0]))  # as in a process of its own
    for env in envs:
        env.reset()
    seeds = [seed for env in envs for seed in seeds_of(env)]
    assert len(set(seeds)) == 6
    assert max(seeds) > 2**60  # 64 bits
    assert [info["seed"] for env in envs for info in env.reset_infos] == seeds
    envs[0].reset()
    assert seeds_of(envs[0]) == [int(next_seed(np.uint64(seed))) for seed in seeds[:2]]


def test_a_reset_in_the_middle_forgets_what_was_earned() -> None:
    env = SeatVecEnv("new_york", num_envs=2, reward="score", seed=4)
    env.reset()
    play(env, 15)
    env.seed(4)
    env.reset()
    fresh = SeatVecEnv("new_york", num_envs=2, reward="score", seed=4)
    fresh.reset()
    check_same(play(env, 60), play(fresh, 60))


# Playing


@every_variant_once
def test_after_an_end_the_mask_is_that_of_the_new_game_and_infos_tell_of_the_old(variant: str, players: int) -> None:
    chosen = configure(variant, players, turn_limit=players * 4)
    env = SeatVecEnv(chosen, num_envs=4, seat="random", reward="score", seed=3)
    env.reset()
    single = SeatEnvironment(chosen, seat="random", reward="score")
    rng = np.random.default_rng(0)
    returns, lengths, ended = np.zeros(4), np.zeros(4, np.int64), 0
    while ended < 12:
        seeds, before = seeds_of(env), copy.deepcopy(env.games)
        actions = choose(env.action_masks(), rng)
        observations, rewards, over, infos = env.step(actions)
        assert isinstance(observations, np.ndarray)
        returns += rewards
        lengths += 1
        before.step(actions)
        for row in np.flatnonzero(over):
            seed = int(next_seed(np.uint64(seeds[row])))
            fresh = single.reset(seed=seed)[0]
            assert seeds_of(env)[row] == seed
            np.testing.assert_array_equal(env.action_masks()[row], fresh["action_mask"])
            np.testing.assert_array_equal(observations[row], fresh["observation"])
            np.testing.assert_array_equal(infos[row]["terminal_observation"], before.observe()[row])
            assert infos[row]["TimeLimit.truncated"] is True
            assert infos[row]["is_success"] is False
            assert (infos[row]["episode"]["r"], infos[row]["episode"]["l"]) == (returns[row], lengths[row])
            returns[row] = lengths[row] = 0
            ended += 1


def test_each_seat_and_its_opponents_stay_through_a_game() -> None:
    env = SeatVecEnv("new_york", 4, 20, seat="random", opponents=OpponentPool([First, "random"]), seed=1)
    env.reset()
    rng = np.random.default_rng(0)
    seats, numbers = set(), set()
    seating = env.games.seating.copy()
    for _ in range(60):
        _, _, over, infos = env.step(choose(env.action_masks(), rng))
        assert np.array_equal(seating[~over], env.games.seating[~over])
        for row in np.flatnonzero(over):
            assert infos[row]["opponents"] == seating[row].tolist()
            assert not infos[row]["TimeLimit.truncated"]
        seating = env.games.seating.copy()
        seats.update(env.games.seats.tolist())
        numbers.update(seating.ravel().tolist())
    assert seats == {0, 1, 2, 3}
    assert numbers == {-1, 0, 1}


def test_winning_is_success_and_the_reward_follows_the_rank() -> None:
    env = SeatVecEnv("new_york", 2, 8, seat="random", seed=1)
    env.reset()
    told = [(rewards[row], infos[row]) for _, rewards, over, infos in play(env, 120) for row in np.flatnonzero(over)]
    assert {(reward, info["rank"], info["is_success"]) for reward, info in told} >= {(1, 1, True), (-1, 2, False)}
    assert all(info["episode"]["r"] == reward == 3 - 2 * info["rank"] for reward, info in told if reward)


def test_an_illegal_action_raises_or_ends_the_game() -> None:
    env = SeatVecEnv(num_envs=2, reward="score")
    env.reset()
    actions = env.action_masks().argmax(axis=1)
    actions[1] = env.action_masks()[1].argmin()
    with pytest.warns(UserWarning, match=f"the action {actions[1]} of player_0 was not legal, and so it ended"):
        _, rewards, over, infos = env.step(actions)
    assert infos[1]["illegal_action"] == actions[1]
    assert (rewards.tolist(), over.tolist()) == ([0, -1], [False, True])
    assert (infos[1]["TimeLimit.truncated"], infos[1]["is_success"], infos[1]["episode"]["r"]) == (False, False, -1)
    env = SeatVecEnv(num_envs=2, illegal_action="raise")
    env.reset()
    with pytest.raises(IllegalActionError, match=r"game 1: action .* of player_0 is not legal"):
        env.step(actions)


# What algorithms and wrappers need


def test_masks_come_as_one_array() -> None:
    env = SeatVecEnv("card_game", 3, 4)
    env.reset()
    play(env, 9)
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


@pytest.mark.filterwarnings("ignore:The environment is already wrapped with a `Monitor` wrapper")
def test_a_monitor_writes_the_same_returns(tmp_path: Path) -> None:
    inner = SeatVecEnv("new_york", 2, 2, reward="score", seed=1)
    env = VecMonitor(inner, str(tmp_path / "it"), info_keywords=("score", "rank"))
    env.reset()
    rng = np.random.default_rng(0)
    for _ in range(150):
        env.step(choose(get_action_masks(env), rng))
    env.close()
    with (tmp_path / "it.monitor.csv").open() as file:
        next(file)
        rows = list(csv.DictReader(file))
    assert len(rows) > 2
    assert all(float(row["r"]) == float(row["score"]) for row in rows)


def test_maskable_ppo_learns_on_it_and_is_evaluated() -> None:
    env = SeatVecEnv("new_york", 2, 4, opponents=OpponentPool(["random", First]), seat="random")
    model = MaskablePPO("MlpPolicy", env, **network())
    model.learn(256)
    assert model.num_timesteps == 256
    assert seeds_of(env) != [0, 1, 2, 3]
    assert model.ep_info_buffer
    returns, lengths = evaluate_policy(model, env, 6, return_episode_rewards=True)
    assert isinstance(returns, list)
    assert isinstance(lengths, list)
    assert set(returns) <= {-1.0, 0.0, 1.0}
    assert min(lengths) > 5  # no game ended by an illegal action


def test_maskable_ppo_learns_on_a_single_environment() -> None:
    model = MaskablePPO("MultiInputPolicy", gymnasium.make(id_of("new_york"), seat="random"), **network())
    model.learn(64)
    assert model.num_timesteps == 64


# Copies


def by_pickle(env: SeatVecEnv) -> SeatVecEnv:
    other: SeatVecEnv = pickle.loads(pickle.dumps(env))
    return other


@pytest.mark.parametrize("duplicate", [copy.deepcopy, by_pickle])
def test_a_copy_goes_on_as_the_original_does(duplicate: Callable[[SeatVecEnv], SeatVecEnv]) -> None:
    pool = OpponentPool(["random", First])
    env = SeatVecEnv("new_york", 3, 3, opponents=pool, seat="random", reward="score")
    env.reset()
    for steps in (0, 7, 40):
        play(env, steps)
        other = duplicate(env)
        check_same(play(duplicate(env), 60), play(other, 60))
    check_same(play(duplicate(env), 60), play(env, 60))
