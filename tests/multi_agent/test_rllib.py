"""RLlib's environment of all seats: RLlib's own check, and the same games as PettingZoo's."""

from typing import Any

import numpy as np
import pytest
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

import t2r_env
from t2r_env.envs.rllib import MultiAgentEnvironment
from t2r_env.games import IllegalActionError

each_kind_of_game = pytest.mark.parametrize(("variant", "players"), [("usa", 3), ("team_asia", 4), ("card_game", 3)])
"""Maps, teams and cards; what differs between variants of a kind is PettingZoo's environment's."""


def made(variant: str, players: int, **arguments: Any) -> MultiAgentEnvironment:
    return MultiAgentEnvironment({"variant": variant, "num_players": players, **arguments})


@pytest.mark.filterwarnings("ignore:.*was not legal")  # it tries actions that are not masked
@each_kind_of_game
def test_rllib_finds_no_fault(variant: str, players: int) -> None:
    check_multiagent_environments(made(variant, players))


@each_kind_of_game
def test_a_game_is_that_of_pettingzoo_action_by_action(variant: str, players: int) -> None:
    """What each agent gets, with the rewards that RLlib adds up, and the last observations of all."""
    aec: Any = t2r_env.env(variant, players, reward="margin")
    game = made(variant, players, reward="margin")
    aec.reset(seed=11)
    observations, infos = game.reset(seed=11)
    earned = dict.fromkeys(aec.possible_agents, 0.0)
    rng = np.random.default_rng(3)
    terminated = truncated = {"__all__": False}
    while not (terminated["__all__"] or truncated["__all__"]):
        agent = aec.agent_selection
        observation, reward, *_, info = aec.last()
        assert list(observations) == list(infos) == [agent]
        np.testing.assert_equal(observations[agent], observation)
        np.testing.assert_equal(infos[agent], info)
        assert earned[agent] == reward
        earned[agent] = 0.0
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        aec.step(action)
        observations, rewards, terminated, truncated, infos = game.step({agent: action})
        earned = {name: earned[name] + rewards[name] for name in earned}
    for agent in aec.agent_iter():
        observation, reward, ended, cut, info = aec.last()
        np.testing.assert_equal(observations.pop(agent), observation)
        np.testing.assert_equal(infos.pop(agent), info)
        assert (earned.pop(agent), terminated[agent], truncated[agent]) == (reward, ended, cut)
        aec.step(None)
    assert (observations, infos, earned) == ({}, {}, {})


def test_a_turn_limit_truncates_the_game_for_all_seats_and_then_it_takes_no_action() -> None:
    game = made("new_york", 3, turn_limit=3)
    observations, _ = game.reset(seed=0)
    terminated = truncated = {"__all__": False}
    while not truncated["__all__"]:
        ((agent, observation),) = observations.items()
        observations, _, terminated, truncated, _ = game.step({agent: int(observation["action_mask"].argmax())})
    assert truncated == dict.fromkeys([*game.agents, "__all__"], True)
    assert terminated == dict.fromkeys([*game.agents, "__all__"], False)
    assert list(observations) == game.agents
    with pytest.raises(ValueError, match=r"call reset\(\) first: the game is over"):
        game.step({agent: 0})


def test_other_actions_than_one_of_the_acting_agent_are_refused_and_change_nothing() -> None:
    game = made("new_york", 2, illegal_action="raise")
    observations, _ = game.reset(seed=0)
    ((agent, observation),) = observations.items()
    other = next(name for name in game.agents if name != agent)
    legal, illegal = int(observation["action_mask"].argmax()), int(observation["action_mask"].argmin())
    before = game.game.get_state()
    for actions in ({}, {other: legal}, {agent: legal, other: legal}):
        with pytest.raises(ValueError, match=f"the action must be that of {agent} alone"):
            game.step(actions)
    with pytest.raises(IllegalActionError, match="is not legal"):
        game.step({agent: illegal})
    assert game.game.get_state() == before


class IllegalNetwork(TorchRLModule):
    """Each illegal action is equally likely."""

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {Columns.ACTION_DIST_INPUTS: -1e9 * batch[Columns.OBS]["action_mask"].float()}


@pytest.mark.filterwarnings("ignore")  # RLlib's own
def test_a_game_that_ends_before_a_seat_has_acted_is_recorded_by_rllib_s_runner() -> None:
    agents, game = t2r_env.configure("new_york", 3).agents, {"variant": "new_york", "num_players": 3}
    config = (
        PPOConfig()
        .environment(MultiAgentEnvironment, env_config=game, disable_env_checking=True)
        .env_runners(num_env_runners=0)
        .multi_agent(policies=set(agents), policy_mapping_fn=lambda agent, *_, **__: agent)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=IllegalNetwork))
        .debugging(seed=5)
    )
    (episode,) = MultiAgentEnvRunner(config=config).sample(num_episodes=1)
    assert episode.is_terminated
    assert {agent: len(seat) for agent, seat in episode.agent_episodes.items() if len(seat)} == {"player_0": 1}
    assert episode.agent_episodes["player_0"].get_return() == -1
