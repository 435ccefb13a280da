"""RLlib: one masked network learns both seats by PPO, on the environment of all seats.

Needs RLlib:

    pip install '.[rllib]'
    python examples/rllib_ppo.py
    python examples/rllib_ppo.py --variant usa --iterations 50
"""

import argparse
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

import t2r_env
from t2r_env.envs.rllib import MultiAgentEnvironment


class MaskedNetwork(TorchRLModule, ValueFunctionAPI):
    """A policy and a value function; the logits of illegal actions are -1e9."""

    def setup(self) -> None:
        """Make the layers."""
        size, actions = self.observation_space["observation"].shape[0], int(self.action_space.n)
        self.actor, self.critic = (
            nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, outputs))
            for outputs in (actions, 1)
        )

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        logits = self.actor(seen["observation"].float().log1p())
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(seen["action_mask"] == 0, -1e9)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """Return the values, (k,)."""
        values: torch.Tensor = self.critic(batch[Columns.OBS]["observation"].float().log1p()).squeeze(-1)
        return values


def evaluate(module: MaskedNetwork, variant: str, episodes: int, seed: int) -> float:
    """Return the share of games of two that the most likely actions win against random play."""
    name = t2r_env.configure(variant).variant.environment_id
    games = gymnasium.make_vec(name, num_envs=episodes, seat="random", reward="win", autoreset_mode="Disabled")
    observations, _ = games.reset(seed=seed)
    wins, over = 0.0, np.zeros(episodes, np.bool_)
    while not over.all():
        with torch.no_grad():
            tensors = {name: torch.from_numpy(array) for name, array in observations.items()}
            logits = module.forward_inference({Columns.OBS: tensors})[Columns.ACTION_DIST_INPUTS]
        observations, rewards, terminated, truncated, _ = games.step(logits.argmax(dim=1).numpy())
        wins += float(rewards[~over].sum())
        over |= terminated | truncated
    return wins / episodes


def main(command: Sequence[str] | None = None) -> float:
    """Train and evaluate with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help=f"one of {', '.join(t2r_env.VARIANTS)}")
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--episodes", type=int, default=200, help="games of the evaluation")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(command)
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    config = (
        PPOConfig()
        .environment(
            MultiAgentEnvironment,
            env_config={"variant": arguments.variant, "num_players": 2, "reward": "margin"},
            disable_env_checking=True,  # it plays without masks, and is warned of it
        )
        .env_runners(num_env_runners=0, rollout_fragment_length="auto")
        .multi_agent(policies={"both"}, policy_mapping_fn=lambda agent, *_, **__: "both")
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedNetwork))
        .training(
            train_batch_size=4000,
            minibatch_size=256,
            num_epochs=4,
            lr=1e-3,
            gamma=1.0,
            entropy_coeff=0.01,
            vf_loss_coeff=0.01,
            vf_clip_param=1000.0,
            grad_clip=0.5,
        )
        .debugging(seed=arguments.seed)
    )
    algorithm = config.build_algo()
    for iteration in range(arguments.iterations):
        results = algorithm.train()["env_runners"]
        print(f"iteration {iteration + 1}: games of {results['episode_len_mean']:.0f} decisions")
    share = evaluate(algorithm.get_module("both"), arguments.variant, arguments.episodes, arguments.seed)
    print(f"after training: {share:.1%} of {arguments.episodes} games won against random play")
    ray.shutdown()
    return share


if __name__ == "__main__":
    main()
