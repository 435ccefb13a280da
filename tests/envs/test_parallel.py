"""The parallel PettingZoo environment, in which those who are not to act wait: PettingZoo's checks, and more."""

import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import parallel_api_test, parallel_seed_test
from pettingzoo.test.state_test import test_state_space as check_state_space

import t2r_env
from t2r_env import IllegalActionError
from t2r_env.envs.parallel import ParallelEnvironment
from tests.helpers.playing import Options, check_same, each_kind, each_kind_once


def choose(env: ParallelEnvironment, infos: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """A legal action for each agent."""
    return {agent: rng.choice(np.flatnonzero(infos[agent]["action_mask"])) for agent in env.agents}


@each_kind
@pytest.mark.filterwarnings("ignore:.*was not legal")
def test_pettingzoo_finds_the_interface_the_state_and_seeds_as_they_should_be(
    variant: str, players: int, options: Options
) -> None:
    """It plays without masks."""
    make = partial(t2r_env.parallel_env, variant, players, **options)
    parallel_api_test(make(), num_cycles=300)
    parallel_api_test(make(observation="vector"), num_cycles=100)
    check_state_space(make())
    parallel_seed_test(make, num_cycles=50)


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
    with pytest.raises(TypeError, match=r"ParallelEnvironment.* got an unexpected keyword argument 'ticket'"):
        t2r_env.parallel_env("usa", ticket="mega")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="agent must be one of player_0, player_1"):
        t2r_env.parallel_env("usa").action_space("player_7")
