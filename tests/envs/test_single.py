"""The Gymnasium environment of one seat: Gymnasium's own checks, and more."""

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RecordEpisodeStatistics, RenderCollection

from t2r_env import Games, IllegalActionError, OpponentPool, configure
from t2r_env.agents import RandomAgent
from t2r_env.core.randomness import next_seed
from t2r_env.envs.single import SeatEnvironment
from tests.agents.odd_agents import First
from tests.playing import (
    Options,
    check_same,
    every_configuration,
    every_reward,
    every_variant,
    every_variant_once,
    id_of,
    play_seat,
    worth,
)


class Asked(RandomAgent):
    """Plays as `random` does, but not inside the core."""


def started(players: int = 2, seed: int = 0, variant: str = "usa", **arguments: Any) -> SeatEnvironment:
    env = SeatEnvironment(variant, players, **arguments)
    env.reset(seed=seed)
    return env


def ended(env: SeatEnvironment) -> SeatEnvironment:
    play_seat(env)
    return env


# Gymnasium's checks


@every_configuration
@pytest.mark.filterwarnings("ignore:.*was not legal")
def test_gymnasium_finds_the_interface_as_it_should_be(variant: str, players: int, options: Options) -> None:
    """Its checks play without masks."""
    check_env(gymnasium.make(id_of(variant), num_players=players, seat=players - 1, **options).unwrapped)


@every_variant_once
def test_wrappers_find_nothing_to_warn_of_and_count_right(variant: str, players: int) -> None:
    env = RecordEpisodeStatistics(
        gymnasium.make(id_of(variant), num_players=players, seat="random", reward="score", render_mode="ansi")
    )
    for seed in range(2):
        env.reset(seed=seed)
        steps = play_seat(env)
        assert all(env.observation_space.contains(observation) for observation, *_ in steps)
        info = steps[-1][-1]
        assert info["episode"]["l"] == len(steps)
        assert info["episode"]["r"] == sum(reward for _, reward, *_ in steps) == info["score"]
        assert isinstance(env.render(), str)
    env.close()


# Creation


@every_variant
def test_each_variant_is_registered_with_its_options(variant: str) -> None:
    env = gymnasium.make(id_of(variant), turn_limit=77).unwrapped
    assert isinstance(env, SeatEnvironment)
    assert env.configuration == configure(variant, turn_limit=77)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"variant": "mars"}, "unknown variant 'mars'"),
        ({"num_players": 6}, "num_players of usa must be an integer from 2 to 5, not 6"),
        ({"seat": 2}, "seat must be an integer from 0 to 1, or 'random', not 2"),
        ({"seat": -1}, "seat must be an integer from 0 to 1, or 'random', not -1"),
        ({"seat": True}, "seat must be an integer"),
        ({"seat": "first"}, "or 'random', not 'first'"),
        ({"reward": "money"}, "reward must be one of rank, win, score, margin, not 'money'"),
        ({"illegal_action": "forgive"}, "illegal_action must be one of raise, terminate, not 'forgive'"),
        (
            {"render_mode": "ascii"},
            r"SeatEnvironment.__init__\(\) got an unexpected keyword argument 'render_mode': render_mode must be one of"
            " human, ansi, rgb_array, not 'ascii'",
        ),
        ({"opponents": "nobody"}, "there is no agent 'nobody'; allowed are random"),
        ({"opponents": None}, "and None has none"),
        ({"opponents": ["random"] * 2}, "must be of length 1, one for each other seat, not 2; .* use an OpponentPool"),
        ({"variant": configure("usa", 2), "num_players": 3}, "a Configuration already settles"),
        *(
            (
                {option: 1},
                rf"SeatEnvironment.__init__\(\) got an unexpected keyword argument '{option}': usa has no option"
                f" '{option}'; its options are: tickets, turn_limit; the other arguments are: variant, num_players,"
                " opponents, seat, reward, illegal_action, render_mode, render_seat, features$",
            )
            for option in ("batch", "num_envs", "observe", "seed", "threads", "autoreset", "record")
        ),
    ],
)
def test_an_argument_that_is_not_allowed_is_named_with_what_is_allowed(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        SeatEnvironment(**arguments)


def test_what_it_is_and_where_the_game_is_can_be_printed() -> None:
    env = SeatEnvironment("usa", 3, seat="random")
    title = "<SeatEnvironment usa, 3 players, tickets anniversary, turn_limit 1000, seat random, reward rank: "
    assert repr(env) == f"{title}1 to begin, call reset() first>"
    env.reset(seed=1)
    assert repr(env).startswith(f"{title}turn ")
    assert repr(ended(env)) == f"{title}over (finished)>"


def test_a_configuration_may_stand_for_the_variant() -> None:
    chosen = configure("usa", 3, tickets="classic")
    assert SeatEnvironment(chosen).configuration is chosen


# Reset


@pytest.mark.parametrize(
    "use",
    [
        lambda env: env.step(0),
        lambda env: env.games,
        lambda env: env.seat,
        lambda env: env.action_masks(),
        lambda env: env.render(),
        lambda env: env.snapshot(),
        lambda env: env.describe(0),
    ],
)
def test_before_the_first_reset_every_use_says_that_a_reset_is_needed(use: Callable[[SeatEnvironment], Any]) -> None:
    env = SeatEnvironment(render_mode="ansi")
    with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
        use(env)
    env.close()


@every_configuration
def test_a_seed_begins_the_same_game_as_in_games(variant: str, players: int, options: Options) -> None:
    """The first seat acts before anyone else."""
    env = SeatEnvironment(variant, players, **options)
    games = Games(variant, players, batch=3, seed=40, **options)
    for row in range(3):
        observation, info = env.reset(seed=40 + row)
        assert set(info) == {"seed", "action_mask"}
        check_same(info["seed"], np.uint64(40 + row))
        assert env.games.games.states[0] == games.states[row]
        np.testing.assert_array_equal(observation["observation"], games.observations[row])
        np.testing.assert_array_equal(observation["action_mask"], games.masks[row])


def test_without_a_seed_the_first_game_is_a_random_one_and_each_game_follows_from_the_last() -> None:
    envs = [SeatEnvironment() for _ in range(3)]
    envs.append(copy.deepcopy(envs[0]))  # as in a process of its own
    seeds = [int(env.reset()[1]["seed"]) for env in envs]
    assert len(set(seeds)) == 4
    assert max(seeds) > 2**60  # 64 bits
    for env, seed in zip(envs, seeds, strict=True):
        assert env.np_random_seed == seed
        other = SeatEnvironment()
        other.reset(seed=seed)
        check_same(play_seat(env, 9), play_seat(other, 9))
        following = next_seed(np.uint64(seed))
        check_same(env.reset(), other.reset(seed=following))
        assert env.np_random_seed == seed  # as Gymnasium has it
        check_same(play_seat(env), play_seat(other))


def test_the_seed_settles_the_deal_the_seat_the_opponents_and_their_chance() -> None:
    def made() -> SeatEnvironment:
        pool = OpponentPool(["random", First, lambda decisions: decisions.masks.argmax(axis=1)])
        return SeatEnvironment("usa", 4, opponents=pool, seat="random")

    env, other = made(), made()
    seats, seating = set(), set()
    for seed in range(12):
        env.reset(seed=seed)
        play_seat(env, 40)
        other.reset(seed=seed + 100)
        check_same(env.reset(seed=seed), other.reset(seed=seed))
        check_same(play_seat(env), play_seat(other))
        seats.add(env.seat)
        seating.update(env.games.seating[0].tolist())
    assert (seats, seating) == ({0, 1, 2, 3}, {-1, 0, 1, 2})


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", True])
def test_a_seed_that_is_none_changes_nothing(seed: Any) -> None:
    env, other = started(seed=3), started(seed=3)
    with pytest.raises(ValueError, match=r"a seed must be an integer from 0 to 2\^64 - 1"):
        env.reset(seed=seed)
    assert env.np_random.random() == other.np_random.random()
    check_same(play_seat(env), play_seat(other))


def test_any_integer_from_0_to_the_largest_is_a_seed() -> None:
    numpys: Any = np.int64(7)
    check_same(SeatEnvironment().reset(seed=numpys), SeatEnvironment().reset(seed=7))
    env = started(seed=2**64 - 1)
    assert env.games.games.seeds[0] == 2**64 - 1
    env.reset()
    assert env.games.games.seeds[0] == next_seed(np.uint64(2**64 - 1))


# Playing


@every_reward
def test_every_seat_is_given_its_return(variant: str, players: int, options: Options, reward: Any) -> None:
    chosen = configure(variant, players, **options)
    opponents = OpponentPool(["random", Asked])
    for seat in range(players):
        env = SeatEnvironment(chosen, seat=seat, reward=reward, opponents=opponents)
        env.reset(seed=seat)
        steps = play_seat(env, seed=seat)
        final = env.snapshot()["final"]
        assert env.seat == seat
        assert sum(reward for _, reward, *_ in steps) == pytest.approx(worth(chosen, final, seat, reward))
        assert [(terminated, truncated) for *_, terminated, truncated, _ in steps] == [
            *([(False, False)] * (len(steps) - 1)),
            (True, False),
        ]


@every_variant_once
def test_a_loss_arrives_whoever_ends_the_game(variant: str, players: int) -> None:
    env = SeatEnvironment(variant, players, seat="random", opponents=Asked)
    seen = set()
    for seed in range(200):
        env.reset(seed=seed)
        reward = play_seat(env)[-1][1]
        assert reward == worth(env.configuration, env.snapshot()["final"], env.seat, "rank")
        seen.add((reward == -1, bool(env.games.games.current[0] == env.seat)))
        if {(True, False), (False, True)} <= seen:
            break
    assert {(True, False), (False, True)} <= seen


@every_variant_once
def test_observation_and_mask_are_those_of_the_seat(variant: str, players: int) -> None:
    env = started(players, variant=variant, seat=1, opponents=First)
    kept = []
    rng = np.random.default_rng(0)
    over = False
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
    for given, as_it_was in kept:  # every step returns new arrays
        check_same(given, as_it_was)
    assert not observation["action_mask"].any()
    final = env.snapshot()["final"][1]
    assert (info["score"], info["rank"], info["breakdown"]) == (final["score"], final["rank"], final["breakdown"])
    assert (info["completed"], info["failed"]) == (len(final["completed"]), len(final["failed"]))
    assert info.pop("seed") == env.games.games.seeds[0]
    del info["action_mask"]
    assert json.loads(json.dumps(info)) == info


def test_points_come_as_they_are_made() -> None:
    """The reward `score`; and `margin` falls by the opponent's points."""
    for reward, is_own in (("score", True), ("margin", False)):
        env = started(2, reward=reward)
        before = [0, 0]
        over = False
        while not over:
            ((_, earned, over, _, _),) = play_seat(env, 1, seed=before[0])
            now = [player["score"] for player in env.snapshot()["players"]]
            made = [points - earlier for points, earlier in zip(now, before, strict=True)]
            assert earned == made[0] - (0 if is_own else made[1])
            before = now


def test_c19_a_game_at_its_turn_limit_is_truncated() -> None:
    *before, last = play_seat(started(3, turn_limit=20))
    assert not any(terminated or truncated for *_, terminated, truncated, _ in before)
    observation, reward, terminated, truncated, info = last
    assert (reward, terminated, truncated, set(info)) == (0, False, True, {"seed", "action_mask"})
    assert not observation["action_mask"].any()


def test_after_the_end_a_reset_is_needed() -> None:
    env = ended(started())
    with pytest.raises(ResetNeeded, match=r"call reset\(\) first: the game is over"):
        env.step(0)
    assert env.reset()[0]["action_mask"].any()


# Illegal actions


def illegal(env: SeatEnvironment) -> int:
    return int(np.flatnonzero(env.action_masks() == 0)[0])


@pytest.mark.parametrize("illegal_action", ["raise", "terminate"])
@pytest.mark.parametrize("action", [None, 1.0, float("nan"), "1", [1], True, 10**30])
def test_an_action_that_is_not_an_integer_always_raises_and_changes_nothing(action: Any, illegal_action: Any) -> None:
    env, other = (started(3, illegal_action=illegal_action) for _ in range(2))
    with pytest.raises(IllegalActionError, match="the action of player_0 must be an integer from 0 to"):
        env.step(action)
    check_same(play_seat(env), play_seat(other))


@pytest.mark.parametrize("action", [-1, 10_000, "illegal"])
def test_an_illegal_action_may_raise_and_then_changes_nothing(action: Any) -> None:
    env, other = (started(3, illegal_action="raise", reward="margin") for _ in range(2))
    play_seat(env, 20)
    play_seat(other, 20)
    with pytest.raises(IllegalActionError, match=r"action .* of player_0 is not legal .* legal actions: "):
        env.step(np.int64(illegal(env) if action == "illegal" else action))
    check_same(play_seat(env), play_seat(other))


@every_variant_once
@pytest.mark.parametrize("action", [-1, 10_000, "illegal"])
def test_an_illegal_action_may_end_the_game(variant: str, players: int, action: Any) -> None:
    env = started(players, variant=variant, reward="score", seat=1)
    play_seat(env, 20)
    chosen = np.int64(illegal(env) if action == "illegal" else action)
    with pytest.warns(UserWarning, match=f"the action {chosen} of player_1 was not legal, and so it ended the game"):
        observation, reward, terminated, truncated, info = env.step(chosen)
    assert (reward, terminated, truncated, set(info)) == (-1, True, False, {"seed", "action_mask", "illegal_action"})
    check_same(info["illegal_action"], int(chosen))
    assert not observation["action_mask"].any()
    np.testing.assert_array_equal(observation["observation"], env.games.games.observe(seats=1)[0])


def test_an_illegal_action_is_warned_of_once_and_always_told() -> None:
    env = started()
    with pytest.warns(UserWarning, match="was not legal"):
        env.step(np.int64(5))
    env.reset()
    assert env.step(np.int64(5))[-1]["illegal_action"] == 5


# Looking


def test_pictures_show_the_own_action_and_what_has_changed_since() -> None:
    env = started(render_mode="rgb_array")
    assert ">Last:<" not in (env._repr_svg_() or "")
    first = env.render()
    play_seat(env, 2)
    second = env.render()
    for picture in (first, second):
        assert isinstance(picture, np.ndarray)
        assert picture.dtype == np.uint8
        assert picture.shape == (800, 1200, 3)
    assert not np.array_equal(first, second)  # type: ignore[arg-type]  # arrays, as above
    assert ">Last:<" in (env._repr_svg_() or "")
    env.reset()
    assert ">Last:<" not in (env._repr_svg_() or "")


def test_gymnasium_collects_pictures_and_adds_them_to_observations() -> None:
    env = RenderCollection(gymnasium.make("t2r_env/usa-v0", render_mode="rgb_array"))
    env.reset(seed=1)
    play_seat(env, 2)
    frames = env.render()
    assert isinstance(frames, list)
    assert [np.shape(frame) for frame in frames] == [(800, 1200, 3)] * 3
    assert env.metadata["render_fps"] == 2


def test_actions_are_described_at_the_present_decision() -> None:
    env = started()
    games = Games("usa", 2)
    legal = np.flatnonzero(env.action_masks())
    assert [env.describe(int(action)) for action in legal] == [games.describe(int(action)) for action in legal]
    assert env.snapshot() == games.snapshot()


# Copies


def by_pickle(env: SeatEnvironment) -> SeatEnvironment:
    other: SeatEnvironment = pickle.loads(pickle.dumps(env))
    return other


@pytest.mark.parametrize("duplicate", [SeatEnvironment.clone, copy.deepcopy, by_pickle])
@every_variant_once
def test_a_copy_goes_on_as_the_original_does(
    variant: str, players: int, duplicate: Callable[[SeatEnvironment], SeatEnvironment]
) -> None:
    pool = OpponentPool(["random", First], weights=[1, 2])
    env = started(players, variant=variant, opponents=pool, seat="random", reward="margin")
    for decisions in (0, 5, 15, None):
        play_seat(env, decisions)
        other = duplicate(env)
        check_same(play_seat(duplicate(env)), play_seat(other))  # playing the copy leaves the original as it is
        assert other.games.over[0]
        assert env.games.over[0] == (decisions is None)
        check_same(env.reset(seed=5), other.reset(seed=5))
        env.reset(seed=decisions)
    with pytest.raises(ResetNeeded):
        duplicate(SeatEnvironment()).action_masks()
