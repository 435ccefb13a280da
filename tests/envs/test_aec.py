"""The PettingZoo environments, `env` and `parallel_env`: PettingZoo's own checks, and more."""

import copy
import importlib
import json
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.utils import average_total_reward
from pettingzoo.utils.env_logger import EnvLogger

import t2r_env
from t2r_env import Games, IllegalActionError
from t2r_env.envs.aec import AECEnvironment
from t2r_env.envs.parallel import ParallelEnvironment
from tests.helpers.environments import by_pickle
from tests.helpers.playing import (
    Options,
    check_same,
    each_kind,
    each_kind_once,
    every_reward,
    play,
    play_to_the_end,
    returns,
    some_configurations,
    worth,
)


def by_state(env: AECEnvironment) -> AECEnvironment:
    """An environment that has never been reset, brought to the same point by the saved state."""
    other = AECEnvironment(env.configuration, reward=env.games.reward)
    other.set_state(env.get_state())
    return other


def started(players: int = 2, seed: int = 0, variant: str = "usa", **arguments: Any) -> AECEnvironment:
    env = t2r_env.env(variant, players, **arguments)
    env.reset(seed=seed)
    return env


@some_configurations
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
def test_pettingzoo_finds_the_interface_as_it_should_be(variant: str, players: int, options: Options) -> None:
    api_test(t2r_env.env(variant, players, **options), num_cycles=400)
    api_test(t2r_env.env(variant, players, observation="vector", **options), num_cycles=100)


@each_kind
@pytest.mark.filterwarnings("ignore:.*was not legal")
def test_pettingzoo_finds_seeds_pictures_the_truth_and_the_parallel_environment_as_they_should_be(
    variant: str, players: int, options: Options
) -> None:
    """The last checks play without masks, and so lose each game."""
    make: Callable[..., Any] = partial(t2r_env.env, variant, players, **options)
    parallel = partial(t2r_env.parallel_env, variant, players, **options)
    seed_test(make, num_cycles=200)
    render_test(make)
    checks = importlib.import_module("pettingzoo.test.state_test")
    for env in (make(), parallel()):
        checks.test_state_space(env)
    checks.test_state(make(), num_cycles=20)
    parallel_api_test(parallel(), num_cycles=300)
    parallel_api_test(parallel(observation="vector"), num_cycles=100)
    parallel_seed_test(parallel, num_cycles=50)
    assert average_total_reward(make(), max_episodes=5) == -1


def test_spaces_are_always_the_same_objects_and_draw_alike_only_if_seeded() -> None:
    env, parallel = t2r_env.env("usa", 3), t2r_env.parallel_env("usa", 3)
    for made, another in ((env, t2r_env.env("usa", 3)), (parallel, t2r_env.parallel_env("usa", 3))):
        for agent in env.possible_agents:
            assert made.observation_space(agent) is made.observation_spaces[agent]
            assert made.action_space(agent) is made.action_spaces[agent]
            drawn = [[it.action_space(agent).sample() for _ in range(10)] for it in (made, another)]
            assert drawn[0] != drawn[1]
    env.reset()
    for look in (parallel.action_space, env.action_space, env.observation_space, env.observe):
        with pytest.raises(ValueError, match="agent must be one of player_0, player_1, player_2, not 'player_3'"):
            look("player_3")


def test_before_the_first_reset_there_are_no_agents() -> None:
    env = t2r_env.env()
    for name in ("agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos"):
        assert not hasattr(env, name)
    for use in (lambda: next(iter(env.agent_iter())), env.last):
        with pytest.raises(AttributeError, match=r"call reset\(\) first"):
            use()
    with pytest.raises(AttributeError, match="no attribute 'agentz'"):
        env.agentz  # noqa: B018  # looking it up is the test
    assert env._repr_svg_() is None


def test_reset_ignores_options_and_begins_in_the_middle_of_a_game_too() -> None:
    env, fresh = started(seed=3), started(seed=4)
    play(env, 50)
    env.reset(seed=4, options={"unheard_of": 1})
    assert play(env) == play(fresh)


@each_kind
def test_every_agent_sees_its_own_team_at_any_time_but_only_the_acting_seat_has_legal_actions(
    variant: str, players: int, options: Options
) -> None:
    """C20: and nothing else, in new arrays, with the same mask as info. The state is the truth."""
    env = started(players, seed=1, variant=variant, **options)
    assert env.games.states[0] == Games(variant, players, seed=1, **options).states[0]
    rng = np.random.default_rng(1)
    while env.games.masks.any():
        check_what_agents_see(env)
        assert {tuple(info) for info in env.infos.values()} == {("action_mask",)}
        env.step(rng.choice(np.flatnonzero(env.games.masks[0])))
    check_what_agents_see(env)


def check_what_agents_see(env: AECEnvironment) -> None:
    """Check observations and masks of all agents, and that writing into what one is given changes nothing else."""
    assert env.state_space.contains(env.state())
    np.testing.assert_array_equal(env.state(), env.games.global_state()[0])
    for seat, agent in enumerate(env.possible_agents):
        seen, mask = env.observe(agent), env.infos[agent]["action_mask"]
        assert env.observation_space(agent).contains(seen)
        np.testing.assert_array_equal(seen["observation"], env.games.observe(seats=seat)[0])
        np.testing.assert_array_equal(seen["action_mask"], env.games.masks[0] * (agent == env.agent_selection))
        check_same(mask, seen["action_mask"])
        expected = copy.deepcopy(seen)
        for array in (*seen.values(), mask):
            array[:] = 99
        np.testing.assert_equal(env.observe(agent), expected)


@every_reward
def test_every_seat_is_given_its_return(variant: str, players: int, options: Options, reward: Any) -> None:
    env = t2r_env.env(variant, players, reward=reward, **options)
    for seed in range(3):
        env.reset(seed=seed)
        total = returns(play(env, seed=seed))
        final = env.snapshot()["final"]
        for seat, agent in enumerate(env.possible_agents):
            assert total[agent] == pytest.approx(worth(env.configuration, final, seat, reward))


def test_c19_a_game_at_its_turn_limit_is_truncated_for_all() -> None:
    env = started(3, turn_limit=20)
    play_to_the_end(env)
    assert env.truncations == dict.fromkeys(env.agents, True)
    assert env.terminations == dict.fromkeys(env.agents, False)
    assert env.rewards == dict.fromkeys(env.agents, 0.0)
    assert {tuple(info) for info in env.infos.values()} == {("action_mask",)}


def test_after_the_end_each_agent_steps_none_in_the_order_of_seats() -> None:
    env = started(4)
    play_to_the_end(env)
    final = env.snapshot()["final"]
    refused = "must be None after the end of the game, not 0"
    for seat, agent in enumerate(env.possible_agents):
        assert env.agents == env.possible_agents[seat:]
        assert env.agent_selection == agent
        _, reward, terminated, truncated, info = env.last()
        assert (terminated, truncated) == (True, False)
        assert (info["score"], info["rank"]) == (final[seat]["score"], final[seat]["rank"])
        assert sum(info["breakdown"].values()) == info["score"]
        assert (info["completed"], info["failed"]) == (len(final[seat]["completed"]), len(final[seat]["failed"]))
        assert not info.pop("action_mask").any()
        assert json.loads(json.dumps(info)) == info
        assert reward == pytest.approx(1 - 2 * (info["rank"] - 1) / 3)
        for kept in (env.rewards, env.terminations, env.truncations, env.infos):
            assert list(kept) == env.agents
        with pytest.raises(IllegalActionError, match=f"action of {agent} {refused}"):
            env.step(0)
        env.step(None)
    assert env.agents == []
    EnvLogger.flush()
    before = env.get_state()
    env.step(None)
    env.step(0)
    assert env.get_state() == before
    assert all("step() called after all agents are terminated" in message for message in EnvLogger.mqueue)
    assert len(EnvLogger.mqueue) >= 2


@each_kind
@pytest.mark.parametrize("action", [-1, 10_000, "illegal"])
def test_an_illegal_action_ends_the_game_for_the_offender_and_is_warned_of_once_and_always_told(
    variant: str, players: int, options: Options, action: Any
) -> None:
    env = started(players, seed=2, variant=variant, **options)
    play(env, 41)
    offender = env.agent_selection
    chosen = int(env.games.masks[0].argmin()) if action == "illegal" else action
    with pytest.warns(UserWarning, match=f"the action {chosen} of {offender} was not legal, and so it ended the game"):
        env.step(chosen)
    told = {agent: info["illegal_action"] for agent, info in env.infos.items() if "illegal_action" in info}
    assert told == {offender: chosen}
    assert set(env.terminations.values()) == {True}
    assert set(env.truncations.values()) == {False}
    total = returns(play(env))
    assert total == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
    assert env.snapshot()["outcome"] == "forfeited"
    env.reset()
    env.step(np.int64(chosen))  # a second warning would be an error
    assert env.infos["player_0"]["illegal_action"] == chosen


@some_configurations
def test_snapshots_and_descriptions_go_through_json_unchanged(variant: str, players: int, options: Options) -> None:
    env, is_over = started(players, seed=2, variant=variant, **options), False
    while not is_over:
        is_over = not env.games.masks.any()  # then the result is told
        for told in (env.snapshot(), *map(env.describe, np.flatnonzero(env.games.masks[0]))):
            assert json.loads(json.dumps(told)) == told
        play(env, 10)


def test_rendering_without_a_mode_warns() -> None:
    with pytest.warns(UserWarning, match="without a render mode"):
        assert started().render() is None


# Copying and saving


def wait_for_rewards(env: AECEnvironment) -> None:
    """Play until the acting agent has rewards that `last` has not told yet."""
    rng = np.random.default_rng(0)
    while env._cumulative_rewards[env.agent_selection] == 0:
        env.step(rng.choice(np.flatnonzero(env.games.masks[0])))


def let_one_leave(env: AECEnvironment) -> None:
    play_to_the_end(env)
    env.step(None)


@pytest.mark.parametrize("duplicate", [AECEnvironment.clone, copy.deepcopy, by_pickle, by_state])
@pytest.mark.parametrize("begin", [lambda env: None, wait_for_rewards, play_to_the_end, let_one_leave, play])
def test_a_copy_goes_on_as_the_original_does(
    begin: Callable[[AECEnvironment], object], duplicate: Callable[[AECEnvironment], AECEnvironment]
) -> None:
    """Also while agents take their leave."""
    env = started(4, variant="team_asia", reward="score")
    begin(env)
    other, agents = duplicate(env), list(env.agents)
    course = play(env, seed=5)
    assert other.agents == agents  # stepping one does not change the other
    assert play(other, seed=5) == course
    env.reset()
    other.reset()
    if duplicate is not by_state:  # a saved state does not contain the seeds of further games
        assert env.get_state() == other.get_state()


def test_states_go_between_environments_and_games_of_one_configuration_but_rewards_of_another_kind_do_not() -> None:
    env = started(3)
    play(env, 80)
    games = Games("usa", 3, seed=0)
    games.set_state(env.get_state())
    assert games.states[0] == env.games.states[0]
    games.play_random(10)
    env.set_state(games.get_state())
    assert env.games.states[0] == games.states[0]
    assert env.agent_selection == f"player_{games.current[0]}"
    env = started(3, reward="score")
    play(env, 60)
    assert any(env._cumulative_rewards.values())
    other = t2r_env.env("usa", 3, reward="rank")
    other.set_state(env.get_state())
    assert set(other._cumulative_rewards.values()) == {0.0}


@pytest.mark.filterwarnings("ignore:.*illegal")
@pytest.mark.parametrize("reward", ["rank", "score"])
def test_agents_that_have_left_and_the_illegal_action_that_ended_the_game_come_with_its_state(reward: Any) -> None:
    env, other = started(3, variant="new_york"), t2r_env.env("new_york", 3, reward=reward)
    env.step(5)
    for left in range(3):
        other.set_state(env.get_state())
        assert other.agents == env.agents == [f"player_{seat}" for seat in range(left, 3)]
        told = [[it.get("illegal_action") for it in each.infos.values()] for each in (env, other)]
        assert told == [[5, None, None][left:]] * 2
        env.step(None)


ZEROS = [0.0] * 3
NOTE = {"reward": "rank", "agents": ["player_0", "player_1", "player_2"], "rewards": ZEROS, "cumulative_rewards": ZEROS}
WRONG_NOTES: dict[str, list[Any]] = {
    "agents": [*([f"player_{seat}" for seat in seats] for seats in ((0, 1), (1, 0, 2), (0, 1, 3))), 3],
    "rewards": [[0.0] * 2, [0.0, "1", 0.0], None],
    "cumulative_rewards": [[0.0, 10**90, 0.0], [0.0, True, 0.0]],
    "reward": ["money"],
    "illegal_action": ["7"],
    "more": [1],
}


@pytest.mark.parametrize("changes", [{name: value} for name, values in WRONG_NOTES.items() for value in values])
def test_a_note_that_no_environment_saves_is_refused_and_changes_nothing(changes: dict[str, Any]) -> None:
    env = started(3)
    play(env, 30)
    before = env.get_state()
    foreign = Games("usa", 3, seed=8).get_state(note=NOTE | changes)
    with pytest.raises(ValueError, match="the note of the saved state must have one of rank, win, "):
        env.set_state(foreign)
    assert env.get_state() == before
    for note in ({"agents": ["greedy", "planner", "me"]}, {"rewards": 5}):  # of one's own
        env.set_state(Games("usa", 3, seed=8).get_state(note=note))
    env.set_state(Games("usa", 3, seed=8).get_state(note=NOTE))
    assert env.agents == NOTE["agents"]
    play_to_the_end(env)  # then the last agents may be missing no more than before
    over = env.games.get_state(note=NOTE | {"agents": ["player_0"], "rewards": [0.0], "cumulative_rewards": [0.0]})
    with pytest.raises(ValueError, match="the note of the saved state must have"):
        started(3).set_state(over)


# All agents in each step, in which those who are not to act wait


def choose(env: ParallelEnvironment, infos: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """A legal action for each agent."""
    return {agent: rng.choice(np.flatnonzero(infos[agent]["action_mask"])) for agent in env.agents}


@each_kind_once
def test_one_agent_is_to_act_and_the_others_can_only_wait(variant: str, players: int) -> None:
    """To the end, where all wait; and all else is as in the environment in which agents act in turn.

    But who waits does not see whether another has a choice within its move, which its hidden hand decides (C20).
    """
    parallel = t2r_env.parallel_env(variant, players, reward="margin")
    env = t2r_env.env(variant, players, reward="margin")
    env.reset(seed=5)
    seen, infos = parallel.reset(seed=5)
    rng = np.random.default_rng(5)
    before, hidden = seen, 0
    while parallel.agents:
        is_seen = env.snapshot()["phase"] in ("turn", "second_card") or before is seen
        for agent in parallel.agents:
            mask = seen[agent]["action_mask"]
            assert parallel.observation_space(agent).contains(seen[agent])
            assert parallel.action_space(agent).n == parallel.wait + 1 == mask.size
            assert mask is infos[agent]["action_mask"]
            assert mask[parallel.wait] == (agent != env.agent_selection)
            check_same(mask[: parallel.wait], env.infos[agent]["action_mask"])
            sees_it = is_seen or agent == env.agent_selection
            check_same(seen[agent]["observation"], (env.observe(agent) if sees_it else before[agent])["observation"])
            hidden += not sees_it
        check_same(parallel.state(), env.state())
        actions = choose(parallel, infos, rng)
        before = seen
        seen, rewards, terminated, truncated, infos = parallel.step(actions)
        env.step(actions[env.agent_selection])
        assert (rewards, terminated, truncated) == (env.rewards, env.terminations, env.truncations)
    assert hidden > 0
    assert [infos[agent]["score"] for agent in env.agents] == [env.infos[agent]["score"] for agent in env.agents]
    assert all(np.flatnonzero(it["action_mask"]).tolist() == [parallel.wait] for it in seen.values())


def test_an_agent_that_does_not_wait_is_taken_to_wait_or_refused() -> None:
    env, other = (t2r_env.parallel_env("new_york", 2, illegal_action=it) for it in ("terminate", "raise"))
    (_, infos), _ = env.reset(seed=1), other.reset(seed=1)
    actions = choose(env, infos, np.random.default_rng(1))
    waiting = next(agent for agent in env.agents if actions[agent] == env.wait)
    before = other.game.get_state()
    with pytest.raises(IllegalActionError, match=f"of {waiting} was not legal: it is not to act, and must wait"):
        other.step(actions | {waiting: 0})
    assert other.game.get_state() == before
    with pytest.warns(UserWarning, match="was not legal"):
        env.step(actions | {waiting: 0})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        other.step(actions)
    assert env.game.get_state() == other.game.get_state()


@pytest.mark.filterwarnings("ignore:.*was not legal")
def test_waiting_is_not_legal_for_the_agent_that_is_to_act() -> None:
    env = t2r_env.parallel_env("usa", 3)
    env.reset(seed=2)
    acting = env.game.agent_selection
    _, rewards, terminated, _, infos = env.step(dict.fromkeys(env.agents, env.wait))
    assert rewards == {agent: -1.0 if agent == acting else 0.0 for agent in env.possible_agents}
    assert all(terminated.values())
    assert infos[acting]["illegal_action"] == env.wait
    assert env.agents == []


def test_each_agent_must_give_an_action_in_a_game_under_way() -> None:
    env = t2r_env.parallel_env("new_york")
    with pytest.raises(ResetNeeded):
        env.step({})
    _, infos = env.reset(seed=1)
    before = env.game.get_state()
    with pytest.raises(ValueError, match="a dictionary with one of each of player_0, player_1, not"):
        env.step({"player_0": env.wait})
    assert env.game.get_state() == before
    rng = np.random.default_rng(1)
    while env.agents:
        *_, infos = env.step(choose(env, infos, rng))
    with pytest.raises(ResetNeeded):
        env.step({})


def test_a_parallel_environment_has_no_graph_as_that_has_no_row_for_waiting() -> None:
    observation: Any = "graph"
    with pytest.raises(ValueError, match="observation must be one of dict, vector"):
        t2r_env.parallel_env("usa", observation=observation)
