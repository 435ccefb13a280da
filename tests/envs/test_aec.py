"""The PettingZoo environment: PettingZoo's own checks, and more."""

import copy
import importlib
import inspect
import itertools
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils import average_total_reward
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

import t2r_env
from t2r_env import Games, IllegalActionError, configure
from t2r_env.envs.aec import AECEnvironment
from t2r_env.variants import load_variant
from tests.helpers.environments import by_pickle
from tests.helpers.playing import (
    Options,
    check_same,
    each_kind,
    each_kind_once,
    every_reward,
    every_variant,
    play,
    play_to_the_end,
    returns,
    some_configurations,
    worth,
)

Copy = Callable[[AECEnvironment], AECEnvironment]


def by_state(env: AECEnvironment) -> AECEnvironment:
    """An environment that has never been reset, brought to the same point by the saved state."""
    other = AECEnvironment(env.configuration, reward=env.games.reward)
    other.set_state(env.get_state())
    return other


COPIES: list[Copy] = [AECEnvironment.clone, copy.deepcopy, by_pickle, by_state]
every_copy = pytest.mark.parametrize("duplicate", COPIES)


def started(players: int = 2, seed: int = 0, variant: str = "usa", **arguments: Any) -> AECEnvironment:
    env = t2r_env.env(variant, players, **arguments)
    env.reset(seed=seed)
    return env


# PettingZoo's checks


@some_configurations
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
def test_pettingzoo_finds_the_interface_as_it_should_be(variant: str, players: int, options: Options) -> None:
    api_test(t2r_env.env(variant, players, **options), num_cycles=400)


@each_kind_once
def test_pettingzoo_finds_vectors_alone_as_they_should_be(variant: str, players: int) -> None:
    api_test(t2r_env.env(variant, players, observation="vector"), num_cycles=400)


@each_kind
def test_pettingzoo_finds_games_of_one_seed_alike(variant: str, players: int, options: Options) -> None:
    seed_test(partial(t2r_env.env, variant, players, **options), num_cycles=200)


@pytest.mark.parametrize("variant", ["usa", "card_game"])
def test_pettingzoo_finds_rendering_as_it_should_be(variant: str) -> None:
    make: Callable[..., Any] = partial(t2r_env.env, variant)
    render_test(make)


@each_kind
@pytest.mark.filterwarnings("ignore:.*was not legal")
def test_pettingzoo_finds_the_truth_in_its_space(variant: str, players: int, options: Options) -> None:
    checks = importlib.import_module("pettingzoo.test.state_test")
    env = t2r_env.env(variant, players, **options)  # the check plays without masks
    checks.test_state_space(env)
    checks.test_state(env, num_cycles=20)


@pytest.mark.parametrize("variant", ["usa", "card_game"])
@pytest.mark.filterwarnings("ignore:.*was not legal")
def test_pettingzoos_random_agent_which_sees_no_mask_loses_each_game(variant: str) -> None:
    assert average_total_reward(t2r_env.env(variant), max_episodes=5) == -1


@each_kind_once
@pytest.mark.parametrize("form", ["dict", "vector"])
@pytest.mark.filterwarnings("ignore:.*was not legal")
def test_pettingzoo_makes_a_parallel_environment_of_it(variant: str, players: int, form: Any) -> None:
    parallel_api_test(turn_based_aec_to_parallel(t2r_env.env(variant, players, observation=form)), num_cycles=200)


@each_kind_once
def test_a_parallel_environment_plays_the_same_game(variant: str, players: int) -> None:
    env = started(players, variant=variant, seed=6, reward="score")
    parallel = turn_based_aec_to_parallel(t2r_env.env(variant, players, reward="score"))
    seen, infos = parallel.reset(seed=6)
    rng, total = np.random.default_rng(1), dict.fromkeys(parallel.agents, 0.0)
    while parallel.agents:
        acting = [agent for agent in parallel.agents if infos[agent]["action_mask"].any()]
        assert acting == [env.agent_selection]
        check_same(seen, {agent: env.observe(agent) for agent in env.agents})
        action = rng.choice(np.flatnonzero(infos[env.agent_selection]["action_mask"]))
        seen, rewards, terminated, truncated, infos = parallel.step(dict.fromkeys(parallel.agents, action))
        env.step(action)
        assert (rewards, terminated, truncated) == (env.rewards, env.terminations, env.truncations)
        total = {agent: total[agent] + reward for agent, reward in rewards.items()}
    assert total == {agent: info["score"] for agent, info in infos.items()}


# Creation


@every_variant
def test_each_variant_has_a_module_that_documents_itself_and_an_id_of_its_version(variant: str) -> None:
    name = f"{variant}_v{load_variant(variant).environment_version}"
    module = importlib.import_module(f"t2r_env.{name}")
    players = load_variant(variant).max_players
    made = pettingzoo.make("aec", f"t2r_env/{name.replace('_v', '-v')}", num_players=players)
    for env in (made, module.env(num_players=players), module.raw_env(num_players=players)):
        assert isinstance(env, AECEnvironment)
        assert str(env) == env.metadata["name"] == name
        assert env.configuration == configure(variant, players)
    for function, illegal_action in ((module.env, "terminate"), (module.raw_env, "raise")):
        assert pickle.loads(pickle.dumps(function)) is function
        parameters = inspect.signature(function).parameters
        assert [*parameters] == [
            *(
                "num_players",
                "render_mode",
                "reward",
                "illegal_action",
                "features",
                "render_seat",
                "observation",
                "options",
            )
        ]
        assert parameters["illegal_action"].default == illegal_action
        assert function()._games.illegal_action == illegal_action
        for text in ("Parameters", "illegal_action", "terminate", "RLlib", variant):
            assert text in (inspect.getdoc(function) or "")
        with pytest.raises(TypeError, match="got an unexpected keyword argument 'ticket'"):
            function(ticket="mega")


def test_a_new_process_has_the_modules_of_all_variants() -> None:
    """Whatever the tests have imported."""
    names = [f"t2r_env.{variant}_v0.env" for variant in t2r_env.VARIANTS]
    subprocess.run([sys.executable, "-c", f"import t2r_env; print({', '.join(names)})"], check=True)


def test_what_it_is_and_where_the_game_is_can_be_printed() -> None:
    env = t2r_env.env("usa", 3, tickets="classic", turn_limit=40)
    title = "<AECEnvironment usa, 3 players, tickets classic, turn_limit 40, reward rank: "
    assert repr(env) == f"{title}call reset() first>"
    env.reset(seed=1)
    assert repr(env) == f"{title}turn 0, player_0 to act (keep_ticket)>"
    play_to_the_end(env)
    assert repr(env) == f"{title}over (truncated)>"
    assert repr(env.configuration) == "<MapConfiguration usa, 3 players, tickets classic, turn_limit 40>"


def test_spaces_are_always_the_same_objects_and_seeded() -> None:
    env, other = t2r_env.env("usa", 3), t2r_env.env("usa", 3)
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent) is env.observation_spaces[agent]
        assert env.action_space(agent) is env.action_space(agent) is env.action_spaces[agent]
        assert [env.action_space(agent).sample() for _ in range(9)] == [
            other.action_space(agent).sample() for _ in range(9)
        ]
        sample = env.observation_space(agent).sample()
        assert env.observation_space(agent).contains(sample)
        np.testing.assert_equal(sample, other.observation_space(agent).sample())
    with pytest.raises(ValueError, match="agent must be one of player_0, player_1, player_2, not 'player_3'"):
        env.action_space("player_3")
    with pytest.raises(ValueError, match=r"agent must be one of .*, not 'player_3'"):
        env.observation_space("player_3")


# Reset


def test_before_the_first_reset_there_are_no_agents() -> None:
    env = t2r_env.env()
    for name in ("agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos"):
        assert not hasattr(env, name)
    with pytest.raises(AttributeError, match=r"call reset\(\) first"):
        next(iter(env.agent_iter()))
    with pytest.raises(AttributeError, match=r"call reset\(\) first"):
        env.last()
    with pytest.raises(AttributeError, match="no attribute 'agentz'"):
        env.agentz  # noqa: B018  # looking it up is the test
    assert env.max_num_agents == 2
    assert env._repr_svg_() is None


def test_reset_ignores_options_and_begins_in_the_middle_of_a_game_too() -> None:
    env, fresh = started(seed=3), started(seed=4)
    play(env, 50)
    env.reset(seed=4, options={"unheard_of": 1})
    assert play(env) == play(fresh)


# Playing


@each_kind
def test_only_the_acting_seat_has_legal_actions(variant: str, players: int, options: Options) -> None:
    env = t2r_env.env(variant, players, **options)
    env.reset(seed=1)
    assert env.games.states[0] == Games(variant, players, seed=1, **options).states[0]
    rng = np.random.default_rng(1)
    while not any(env.terminations.values()):
        masks = {agent: env.observe(agent)["action_mask"] for agent in env.possible_agents}
        assert {agent for agent, mask in masks.items() if mask.any()} == {env.agent_selection}
        for agent, mask in masks.items():
            check_same(env.infos[agent]["action_mask"], mask)
        env.step(rng.choice(np.flatnonzero(masks[env.agent_selection])))
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.possible_agents)
    assert not any(info["action_mask"].any() for info in env.infos.values())


def test_writing_into_the_masks_of_infos_changes_no_other() -> None:
    env, other = started(3), started(3)
    for _ in range(20):
        for info in env.infos.values():
            info["action_mask"][:] = 1
        play(env, 1)
        play(other, 1)
        for agent in env.agents:
            check_same(env.infos[agent], other.infos[agent])


@each_kind_once
def test_every_agent_sees_its_own_team_at_any_time_in_new_arrays_and_the_state_is_the_truth(
    variant: str, players: int
) -> None:
    env = started(players, variant=variant)
    for _ in range(4):
        assert env.state_space.contains(env.state())
        np.testing.assert_array_equal(env.state(), env.games.global_state()[0])
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            np.testing.assert_array_equal(seen["observation"], env.games.observe(seats=seat)[0])
            expected = copy.deepcopy(seen)
            seen["observation"][:] = 99
            seen["action_mask"][:] = 1
            np.testing.assert_equal(env.observe(agent), expected)
        play(env, 30)
    with pytest.raises(ValueError, match=rf"agent must be one of .*, not 'player_{players}'"):
        env.observe(f"player_{players}")


@each_kind_once
def test_an_observation_may_be_the_vector_alone_with_the_mask_in_the_info(variant: str, players: int) -> None:
    env, other = (started(players, variant=variant, observation=form) for form in ("vector", "dict"))
    while not env.terminations[env.agent_selection]:
        for agent in env.possible_agents:
            assert env.observation_space(agent) == other.observation_space(agent)["observation"]
            check_same(env.observe(agent), other.observe(agent)["observation"])
        last: Any = other.last()
        (seen, *told, info), (expected, *expected_told, _) = env.last(), last
        check_same([seen, told], [expected["observation"], expected_told])
        check_same(info["action_mask"], expected["action_mask"])
        for it in (env, other):
            it.step(info["action_mask"].argmax())


@pytest.mark.parametrize("number", [int, np.int16, np.int64, np.uint16, np.array])
def test_any_integer_may_be_an_action(number: Callable[[int], Any]) -> None:
    env, other = started(), started()
    action = int(np.flatnonzero(env.games.masks[0])[0])
    env.step(action)
    other.step(number(action))
    assert env.get_state() == other.get_state()


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
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert set(env.rewards.values()) == {0.0}
    assert {tuple(info) for info in env.infos.values()} == {("action_mask",)}


def test_after_the_end_each_agent_steps_none_in_the_order_of_seats() -> None:
    env = started(4)
    play_to_the_end(env)
    final = env.snapshot()["final"]
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
        with pytest.raises(
            IllegalActionError, match=f"action of {agent} must be None after the end of the game, not 0"
        ):
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


# Illegal actions


def illegal(env: AECEnvironment) -> int:
    return int(np.flatnonzero(env.games.masks[0] == 0)[0])


def test_the_error_names_the_acting_seat_and_its_legal_actions() -> None:
    env = t2r_env.raw_env()
    env.reset(seed=0)
    pattern = (
        r"usa, 2 players.* action 5 \(draw a card from the deck\) of player_0 is not legal in phase keep_ticket;"
        " legal .* 162"
    )
    with pytest.raises(IllegalActionError, match=pattern):
        env.step(5)


@each_kind
@pytest.mark.parametrize("action", [-1, 10_000, "illegal"])
def test_an_illegal_action_ends_the_game_for_the_offender_and_is_warned_of_once_and_always_told(
    variant: str, players: int, options: Options, action: Any
) -> None:
    env = t2r_env.env(variant, players, **options)
    env.reset(seed=2)
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


@each_kind_once
@pytest.mark.filterwarnings("ignore:.*was not legal")
def test_an_illegal_action_ends_the_game_as_in_pettingzoos_wrapper(variant: str, players: int) -> None:
    """Except that the wrapper says of all agents that they are truncated, too."""
    wrapped = TerminateIllegalWrapper(t2r_env.raw_env(variant, players), -1)
    courses: list[list[Any]] = []
    it: Any
    for it in (t2r_env.env(variant, players), wrapped):
        it.reset(seed=4)
        for choose in [np.argmax] * 50 + [np.argmin]:
            it.step(choose(it.last()[0]["action_mask"]))
        courses.append([])
        for agent in it.agent_iter():
            courses[-1].append((agent, it.last()[1], it.terminations[agent], dict(it.rewards)))
            it.step(None)
    assert courses[0] == courses[1]
    assert sorted(reward for _, reward, _, _ in courses[0]) == [-1] + [0] * (players - 1)


# Looking


@some_configurations
def test_snapshots_and_descriptions_go_through_json_unchanged(variant: str, players: int, options: Options) -> None:
    env = started(players, seed=2, variant=variant, **options)
    rng = np.random.default_rng(2)
    while env.agents and not any(env.terminations.values()):
        legal = np.flatnonzero(env.games.masks[0])
        snapshot = env.snapshot()
        assert json.loads(json.dumps(snapshot)) == snapshot
        for action in legal:
            description = env.describe(action)
            assert json.loads(json.dumps(description)) == description
            assert str(description)
        for _ in range(10):
            if not any(env.terminations.values()):
                env.step(rng.choice(np.flatnonzero(env.games.masks[0])))
    assert json.loads(json.dumps(env.snapshot())) == env.snapshot()


def test_rendering_gives_text_or_prints_it_or_warns(capsys: pytest.CaptureFixture[str]) -> None:
    text = started(render_mode="ansi").render()
    assert isinstance(text, str)
    assert "Turn 0. player_0: keep " in text
    printing = started(render_mode="human")
    printing.step(162)
    assert capsys.readouterr().out.startswith(text)
    assert printing.render() is None
    assert "Ticket to Ride" in capsys.readouterr().out
    with pytest.warns(UserWarning, match="without a render mode"):
        assert started().render() is None


# Copying and saving


@each_kind_once
@every_copy
@pytest.mark.parametrize("decisions", [0, 21])
def test_a_copy_goes_on_as_the_original_does(duplicate: Copy, decisions: int, variant: str, players: int) -> None:
    env = started(players, variant=variant, reward="score")
    play(env, decisions)
    other = duplicate(env)
    course = play(env, seed=5)
    assert other.agents == other.possible_agents  # stepping one does not change the other
    assert play(other, seed=5) == course
    env.reset()
    other.reset()
    if duplicate is not by_state:  # a saved state does not contain the seeds of further games
        assert env.get_state() == other.get_state()


@every_copy
@pytest.mark.parametrize("leaves", range(4))
def test_a_copy_may_be_made_while_agents_take_their_leave(duplicate: Copy, leaves: int) -> None:
    env = started(3)
    play_to_the_end(env)
    play(env, leaves)
    other = duplicate(env)
    assert other.agents == env.agents
    assert other.agent_selection == env.agent_selection
    assert play(other) == play(env)


@every_copy
def test_a_copy_has_the_rewards_that_wait_to_be_fetched(duplicate: Copy) -> None:
    env = started(2, reward="score")
    rng = np.random.default_rng(0)
    while env._cumulative_rewards[env.agent_selection] == 0:
        env.step(rng.choice(np.flatnonzero(env.games.masks[0])))
    other = duplicate(env)
    check_same(other.last(observe=False), env.last(observe=False))
    assert other._cumulative_rewards == env._cumulative_rewards
    assert other.rewards == env.rewards


def test_iterators_survive_with_their_environment() -> None:
    env = started()
    iterator = iter(env.agent_iter(5))
    other_iterator = copy.deepcopy(iterator)
    assert [next(iterator) for _ in range(5)] == [next(other_iterator) for _ in range(5)]
    for spent in (iterator, other_iterator):
        with pytest.raises(StopIteration):
            next(spent)


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
    env = started(3)
    play(env, 30)
    before = env.get_state()
    with pytest.raises(ValueError, match="the saved state has num_players"):
        env.set_state(started(2).get_state())
    assert env.get_state() == before


NOTE = {"reward": "rank", "agents": [f"player_{seat}" for seat in range(3)], "rewards": [0.0] * 3}
NOTE["cumulative_rewards"] = [0.0] * 3


WRONG_NOTES: dict[str, list[Any]] = {
    "agents": [*([f"player_{seat}" for seat in seats] for seats in ((0, 1), (1, 0, 2), (0, 1, 3))), 3],
    "rewards": [[0.0] * 2, [0.0, "1", 0.0], None],
    "cumulative_rewards": [[0.0, 10**90, 0.0], [0.0, True, 0.0]],
    "reward": ["money"],
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
    env.set_state(Games("usa", 3, seed=8).get_state(note=NOTE))
    assert env.agents == NOTE["agents"]


def test_agents_may_be_missing_from_a_note_only_after_the_end() -> None:
    env = started(3)
    play_to_the_end(env)
    for left in range(4):
        other = started(3)
        other.set_state(env.get_state())
        assert other.agents == env.agents == env.possible_agents[left:]
        if env.agents:
            env.step(None)
    over = env.games.get_state(note=NOTE | {"agents": ["player_0"], "rewards": [0.0], "cumulative_rewards": [0.0]})
    with pytest.raises(ValueError, match="the note of the saved state must have"):
        started(3).set_state(over)


@each_kind_once
def test_a_game_can_be_played_again_from_its_replay(variant: str, players: int) -> None:
    env = started(players, seed=9, variant=variant)
    for decisions in itertools.repeat(40):
        play(env, decisions)
        assert env.replay().start == 9
        assert env.replay().final().states[0] == env.games.states[0]
        if not env.agents:
            break
