"""How many decisions per second of one core RLlib samples, by each of the ways to play these games with it.

It needs the extra `rllib`. All play with the same small masked network and without a learner. The rows without a number
of games play one game at a time. Seconds are the process's CPU time.

    python -m benchmarks.rllib
    python -m benchmarks.rllib --variant usa --decisions 50000
"""

import argparse
import os
import time
from collections.abc import Sequence
from typing import Any

os.environ.setdefault("RAY_AUTH_MODE", "disabled")  # otherwise Ray writes a token into the home folder

import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from torch import nn

import t2r_env
from t2r_env.envs.rllib import MultiAgentEnvironment

UNITS = 256
ROUNDS = 3
"""Measurements of each way, in turn, of which the median counts."""


class MaskedNetwork(TorchRLModule):
    """Two hidden layers; the logits of what is not legal are -1e9."""

    def setup(self) -> None:
        """Make the layers."""
        size, actions = self.observation_space["observation"].shape[0], int(self.action_space.n)
        self.layers = nn.Sequential(
            nn.Linear(size, UNITS), nn.ReLU(), nn.Linear(UNITS, UNITS), nn.ReLU(), nn.Linear(UNITS, actions)
        )

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        logits = self.layers(seen["observation"].float().log1p())
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(seen["action_mask"] == 0, -1e9)}


class WrappedGame(PettingZooEnv):
    """PettingZoo's environment in RLlib's wrapper."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__(t2r_env.env(**config, illegal_action="terminate"))


def vector_runner(configuration: t2r_env.Configuration, games: int, opponents: str) -> Any:
    """A runner of the native vector environment, in which one seat learns."""
    game = {"num_players": configuration.num_players, "opponents": opponents, "seat": "random", **configuration.options}
    config = PPOConfig().environment(f"t2r_env:{configuration.variant.environment_id}", env_config=game)
    config.env_runners(gym_env_vectorize_mode="vector_entry_point", num_envs_per_env_runner=games)
    return SingleAgentEnvRunner(config=_with_network(config))


def seats_runner(configuration: t2r_env.Configuration, environment: type) -> Any:
    """A runner of an environment of all seats, which all learn."""
    game = {"variant": configuration.variant.id, "num_players": configuration.num_players, **configuration.options}
    config = PPOConfig().environment(environment, env_config=game, disable_env_checking=True)
    config.multi_agent(policies={"all"}, policy_mapping_fn=lambda agent, *_, **__: "all")
    return MultiAgentEnvRunner(config=_with_network(config))


def _with_network(config: Any) -> Any:
    config.rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedNetwork))
    return config.env_runners(num_env_runners=0)


def rate(runner: Any, decisions: int) -> float:
    """Decisions per second of CPU time."""
    begun = time.process_time()
    sampled = sum(episode.env_steps() for episode in runner.sample(num_timesteps=decisions))
    return float(sampled / (time.process_time() - begun))


def main(command: Sequence[str] | None = None) -> dict[str, float]:
    """Measure what the command line says and print a table; return the decisions per second of each way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help=f"one of {', '.join(t2r_env.VARIANTS)}")
    parser.add_argument("--num-players", type=int, help="the fewest that the game allows, by default")
    parser.add_argument("--games", type=int, nargs="+", default=[64, 256], help="games of the vector environment")
    parser.add_argument("--opponents", default="random", help="who plays in the vector environment")
    parser.add_argument("--decisions", type=int, default=20_000, help="of a measurement; a tenth of one game at a time")
    arguments = parser.parse_args(command)
    torch.set_num_threads(1)
    configuration = t2r_env.configure(arguments.variant, arguments.num_players)
    ways = {
        f"native vector environment, {games} games": (
            vector_runner(configuration, games, arguments.opponents),
            arguments.decisions,
        )
        for games in arguments.games
    }
    for title, environment in (("MultiAgentEnvironment", MultiAgentEnvironment), ("PettingZooEnv", WrappedGame)):
        ways[title] = (seats_runner(configuration, environment), arguments.decisions // 10)
    for runner, decisions in ways.values():
        rate(runner, decisions // 10)  # to warm up
    rates: dict[str, list[float]] = {title: [] for title in ways}
    for _ in range(ROUNDS):
        for title, (runner, decisions) in ways.items():
            rates[title].append(rate(runner, decisions))
    medians = {title: sorted(found)[ROUNDS // 2] for title, found in rates.items()}
    print(f"{configuration}, opponents {arguments.opponents}\n\n| environment | decisions/s |\n| --- | ---: |")
    for title, median in medians.items():
        print(f"| {title} | {median:,.0f} |")
    return medians


if __name__ == "__main__":
    main()
