"""The Gymnasium vector environment: the same as single ones side by side, and more."""

from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from t2r_env import IllegalActionError, OpponentPool, configure
from t2r_env.core.randomness import next_seed
from t2r_env.envs.single import SeatEnvironment
from t2r_env.envs.vector import SeatVectorEnvironment
from tests.helpers.environments import TURN_LIMITS, choose, played, seeds_of
from tests.helpers.odd_agents import First
from tests.helpers.playing import check_same

every_mode = pytest.mark.parametrize("mode", list(AutoresetMode))


def started(num_envs: int = 3, players: int = 2, variant: str = "usa", **arguments: Any) -> SeatVectorEnvironment:
    env = SeatVectorEnvironment(variant, players, num_envs, **arguments)
    env.reset(seed=5)
    return env


@every_mode
@pytest.mark.parametrize(
    ("variant", "players", "form"),
    [("usa", 3, "dict"), ("usa", 3, "vector"), ("team_asia", 4, "dict"), ("card_game", 3, "dict")],
)
@pytest.mark.filterwarnings("ignore:.*was not legal")
def test_it_plays_as_single_environments_do(variant: str, players: int, form: str, mode: AutoresetMode) -> None:
    """Observations, masks, rewards, ends, infos and their structure are the same."""
    seats = {AutoresetMode.NEXT_STEP: "random", AutoresetMode.SAME_STEP: 0, AutoresetMode.DISABLED: players - 1}
    opponents = OpponentPool(["random", First], weights=[5, 1])
    arguments: dict[str, Any] = {"opponents": opponents, "seat": seats[mode], "reward": "margin", "observation": form}
    chosen = configure(variant, players, turn_limit=TURN_LIMITS[variant])
    env = SeatVectorEnvironment(chosen, num_envs=3, autoreset_mode=mode, **arguments)
    other = SyncVectorEnv([lambda: SeatEnvironment(chosen, **arguments)] * 3, autoreset_mode=mode)
    for name in ("single_observation_space", "observation_space", "single_action_space", "action_space", "metadata"):
        assert getattr(env, name) == getattr(other, name)
    check_same(env.reset(seed=20), other.reset(seed=20))
    rng = np.random.default_rng(0)
    over, steps = np.zeros(3, np.bool_), 0
    endings: set[tuple[bool, bool, bool]] = set()
    while steps < 200 or len(endings) < 3:  # played to the end, truncated, and ended by an illegal action
        assert steps < 3000
        steps += 1
        actions = choose(env.action_masks(), rng, illegal=0.01)
        if mode == AutoresetMode.NEXT_STEP:
            actions[over] = (-5, 0, 10**9, 7)[steps % 4]  # ignored in the step that begins a new game
        given = env.step(actions)
        check_same(given, other.step(actions))
        _, _, terminated, truncated, infos = given
        over = terminated | truncated
        told = infos.get("final_info", infos)
        scored, forfeited = (told.get(name, np.zeros_like(over)) for name in ("_score", "_illegal_action"))
        endings.update(zip(*(each[over].tolist() for each in (terminated, scored, forfeited)), strict=True))
        if mode == AutoresetMode.DISABLED and over.any():
            check_same(*(it.reset(options={"reset_mask": over}) for it in (env, other)))
    assert endings == {(True, True, False), (False, False, False), (True, False, True)}


def test_seeds_may_be_one_or_a_list_or_follow() -> None:
    env = SeatVectorEnvironment(num_envs=3)
    with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
        env.reset(options={"reset_mask": np.array([True, False, False])})
    env.reset(seed=[9, None, None], options={"reset_mask": np.ones(3, np.bool_)})
    assert seeds_of(env)[0] == 9
    assert len({*seeds_of(env)}) == 3
    env.reset(seed=0)
    following = [int(next_seed(np.uint64(seed))) for seed in (0, 1, 2)]
    for seed, expected in (
        (np.int64(7), [7, 8, 9]),
        (2**64 - 2, [2**64 - 2, 2**64 - 1, 0]),
        ([4, 2, 2], [4, 2, 2]),
        (np.array([0, 1, 2]), [0, 1, 2]),
        ([9, None, None], [9, *following[1:]]),
    ):
        _, infos = env.reset(seed=seed)
        assert seeds_of(env) == expected
        check_same(infos["seed"], np.array(expected, np.uint64).astype(np.int64))
        assert infos["_seed"].all()


def test_a_mask_says_which_games_begin_anew() -> None:
    env = started()
    played(env, 20)
    before = env.games.games.states.copy()
    mask = np.array([False, True, False])
    observations, _ = env.reset(seed=[1, 2, 3], options={"unheard_of": 1, "reset_mask": mask})
    assert (env.games.games.states == before).tolist() == [True, False, True]
    assert seeds_of(env) == [5, 2, 7]
    single = SeatEnvironment("usa", 2).reset(seed=2)[0]
    np.testing.assert_equal({name: array[1] for name, array in observations.items()}, single)


def test_seeds_and_masks_that_are_not_allowed_change_nothing() -> None:
    env, other = started(), started()
    wrong = (([1, 2, -3], "a seed must be an integer"), ([1, 2], "seed must be one integer, or a list of 3"))
    for seed, message in wrong:
        with pytest.raises(ValueError, match=message):
            env.reset(seed=seed)
    for mask in (np.array([1, 0, 0]), np.array([True]), np.zeros(3, np.bool_), [True] * 3, None):
        with pytest.raises(ValueError, match="reset_mask must be"):
            env.reset(options={"reset_mask": mask})
    assert env.np_random.random() == other.np_random.random()
    check_same(played(env, 20), played(other, 20))


@pytest.mark.parametrize("turn_limit", [10, 1000])
def test_without_autoreset_actions_of_ended_games_are_ignored(turn_limit: int) -> None:
    """Their infos come once."""
    env = started(1, variant="new_york", turn_limit=turn_limit, autoreset_mode=AutoresetMode.DISABLED)
    while not env.games.over.any():
        (told,) = played(env, 1)
    assert ("_score" in told[-1]) == (turn_limit == 1000)
    before = env.games.games.states.copy()
    for action in (0, -7):
        observations, rewards, terminated, truncated, infos = env.step([action])
        assert env.games.games.states == before
        check_same(observations, told[0])
        assert (rewards[0], set(infos)) == (0, {"seed", "_seed", "action_mask", "_action_mask"})
        assert (terminated[0], truncated[0]) == (turn_limit == 1000, turn_limit == 10)


def test_what_is_returned_is_never_written_again_and_may_be_written_to() -> None:
    arguments: dict[str, Any] = {"reward": "score", "autoreset_mode": AutoresetMode.SAME_STEP, "turn_limit": 12}
    env, other = started(**arguments), started(**arguments)
    kept = played(env, 60)
    check_same(kept, played(other, 60))
    for observations, *arrays, _ in kept:
        for array in (*observations.values(), *arrays):
            array[:] = 1
    check_same(played(env, 60), played(other, 60))


@pytest.mark.parametrize("illegal_action", ["terminate", "raise"])
def test_wrong_actions_change_nothing(illegal_action: Any) -> None:
    """Also in the step that only begins new games, and where one is over: it does not begin anew."""
    env, other = (started(illegal_action=illegal_action, turn_limit=30) for _ in range(2))
    wrong: Any
    for _ in range(42):
        masks = env.action_masks()
        actions = choose(masks, np.random.default_rng(0))
        for wrong in (None, 0, [0, 0], [[0], [0], [0]], [0.0] * 3, ["0"] * 3, [True] * 3):
            with pytest.raises(ValueError, match=r"actions must be integers of shape \(3,\), not"):
                env.step(wrong)
        running = np.flatnonzero(masks.any(axis=1))
        if running.size and illegal_action == "raise":
            illegal = actions.copy()
            illegal[running[-1]] = -1
            with pytest.raises(IllegalActionError, match=f"game {running[-1]}: action -1 of player_0 is not legal"):
                env.step(illegal)
        check_same(env.step(actions), other.step(actions))


@every_mode
def test_the_games_are_shown_as_pictures(mode: AutoresetMode) -> None:
    """Through the ends of games, in each mode; rows that have begun anew tell of no last action."""
    env = SeatVectorEnvironment(num_envs=2, turn_limit=4, autoreset_mode=mode, render_mode="rgb_array")
    env.reset(seed=1)
    tells: set[tuple[bool, ...]] = set()
    for step in range(14):
        if step == 5:
            pictures = env.render()
            assert pictures is not None
            assert [(picture.dtype, picture.shape) for picture in pictures] == [(np.uint8, (800, 1200, 3))] * 2
        tells.add(tuple(last is not None for last in env._display.last))
        env.step(env.action_masks().argmax(axis=1))
    assert (False, False) in tells
    assert (True, True) in tells
    env.reset(seed=1)
    assert env._display.last == [None, None]
