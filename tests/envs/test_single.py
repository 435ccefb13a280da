"""The Gymnasium environment of one seat: Gymnasium's own checks, and more."""

import copy
import json
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from t2r_env import OpponentPool, configure
from t2r_env.envs.single import SeatEnvironment
from t2r_env.envs.vector import SeatVectorEnvironment
from tests.helpers.odd_agents import COUNTING, First, counting
from tests.helpers.playing import Options, check_same, each_kind, each_kind_once, every_reward, id_of, play_seat, worth


def started(players: int = 2, seed: int = 0, variant: str = "usa", **arguments: Any) -> SeatEnvironment:
    env = SeatEnvironment(variant, players, **arguments)
    env.reset(seed=seed)
    return env


@each_kind
@pytest.mark.filterwarnings("ignore:.*was not legal")
def test_gymnasium_finds_the_interface_as_it_should_be(variant: str, players: int, options: Options) -> None:
    """Its checks play without masks."""
    check_env(gymnasium.make(id_of(variant), num_players=players, seat=players - 1, **options).unwrapped)
    check_env(gymnasium.make(id_of(variant), num_players=players, observation="vector", **options).unwrapped)


@pytest.mark.parametrize("seed", [2**63 - 1, 2**63, 2**64 - 1])
def test_the_seed_in_infos_is_int64_and_begins_the_game_again(seed: int) -> None:
    """PyTorch can't index uint64."""
    env, envs = SeatEnvironment("new_york", 2), SeatVectorEnvironment("new_york", 2, num_envs=2)
    _, info = env.reset(seed=seed)
    told = info["seed"]
    assert (told.dtype, int(told) % 2**64) == (np.int64, seed)
    _, infos = envs.reset(seed=told)
    assert infos["seed"].dtype == np.int64
    states = envs.games.games.states.copy()
    assert states[0] == env.games.games.states[0]
    for it in (envs, SeatVectorEnvironment("new_york", 2, num_envs=2)):
        it.reset(seed=infos["seed"])
        assert (it.games.games.states == states).all()
    env.reset(seed=told)
    assert (env.games.games.states[0], int(env.games.games.seeds[0])) == (states[0], seed)


@every_reward
def test_every_seat_is_given_its_return(variant: str, players: int, options: Options, reward: Any) -> None:
    """Points and leads come as they are made, also by others; ranks and wins at the end."""
    chosen = configure(variant, players, **options)
    teams = np.arange(players) // chosen.variant.team_size
    for seat in range(players):
        env = SeatEnvironment(chosen, seat=seat, reward=reward, opponents=OpponentPool(["random", First]))
        env.reset(seed=seat)
        rng, total, over = np.random.default_rng(seat), 0.0, False
        while not over:
            _, earned, over, truncated, _ = env.step(rng.choice(np.flatnonzero(env.action_masks())))
            total += earned
            points = env.games.games.states["score"][0, teams]
            lead = points[seat] - points[teams != teams[seat]].max()
            assert total == {"score": points[seat], "margin": lead}.get(reward, total if over else 0)
            assert not truncated
        assert env.seat == seat
        assert total == pytest.approx(worth(chosen, env.snapshot()["final"], seat, reward))


@each_kind_once
def test_observation_and_mask_are_those_of_the_seat_until_after_the_end_a_reset_is_needed(
    variant: str, players: int
) -> None:
    env = started(players, variant=variant, seat=1, opponents=First)
    kept, rng, over = [], np.random.default_rng(0), False
    while not over:
        games = env.games.games
        assert games.current[0] == 1
        action = rng.choice(np.flatnonzero(env.action_masks()))
        observation, _, over, _, info = env.step(action)
        assert env.observation_space.contains(observation)
        np.testing.assert_array_equal(observation["observation"], games.observe(seats=1)[0])
        np.testing.assert_array_equal(observation["action_mask"], games.masks[0])
        check_same(info["action_mask"], observation["action_mask"])
        kept.append((observation, copy.deepcopy(observation)))
    with pytest.raises(ResetNeeded, match=r"call reset\(\) first: the game is over"):
        env.step(0)
    for given, as_it_was in kept:  # every step returns new arrays
        check_same(given, as_it_was)
    assert not observation["action_mask"].any()
    final = env.snapshot()["final"][1]
    assert (info["score"], info["rank"], info["breakdown"]) == (final["score"], final["rank"], final["breakdown"])
    assert (info["completed"], info["failed"]) == (len(final["completed"]), len(final["failed"]))
    assert info.pop("seed") == env.games.games.seeds[0]
    assert info["seat"] == 1
    for name in ("score", "rank"):
        check_same(info.pop(f"{name}s"), np.array([entry[name] for entry in env.snapshot()["final"]]))
    del info["action_mask"]
    assert json.loads(json.dumps(info)) == info


@pytest.mark.parametrize("opponent", ["ismcts:5", "llm:small"])
def test_a_copy_shares_opponents_that_have_threads_or_a_server(opponent: str) -> None:
    env = SeatEnvironment("new_york", 2, opponents=opponent)
    env.reset(seed=1)
    copy = env.clone()
    before = copy.action_masks().copy()
    env.step(env.action_masks().argmax())
    assert np.array_equal(copy.action_masks(), before)


def test_a_copy_copies_an_opponent_that_is_an_object_named_by_its_import_path() -> None:
    other = started(opponents=COUNTING).clone()
    taken = counting.taken
    other.reset(seed=1)
    play_seat(other)
    assert counting.taken == taken


@pytest.mark.parametrize("action", [-1, 10_000, "illegal"])
def test_an_illegal_action_may_end_the_game_and_is_warned_of_once_and_always_told(action: Any) -> None:
    env = started(4, variant="team_asia", reward="score", seat=1)
    play_seat(env, 20)
    chosen = np.int64(env.action_masks().argmin() if action == "illegal" else action)
    with pytest.warns(UserWarning, match=f"the action {chosen} of player_1 was not legal, and so it ended the game"):
        observation, reward, terminated, truncated, info = env.step(chosen)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert set(info) == {"seed", "action_mask", "illegal_action", "seat"}
    check_same(info["illegal_action"], int(chosen))
    assert not observation["action_mask"].any()
    np.testing.assert_array_equal(observation["observation"], env.games.games.observe(seats=1)[0])
    env.reset()
    assert env.step(chosen)[-1]["illegal_action"] == chosen  # a second warning would be an error
