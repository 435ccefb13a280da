"""Tianshou: masked DQN learns to play `player_0` against random play, in PettingZoo's environment.

`PettingZooEnv` passes the mask on, and DQN and the random policy choose legal actions. The buffer holds the decisions
of all seats in a row, so the "next" observation is mostly another seat's. Returns over the whole game
(`n_step_return_horizon`) do not use it: they add up the seat's own rewards. Needs Tianshou:

    pip install . tianshou
    python examples/tianshou_dqn.py
    python examples/tianshou_dqn.py --variant usa --steps 300000
"""

import argparse
import logging
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from torch import nn

import t2r_env
from t2r_env.games import Reward

ENVS = 16
"""The number of games in a batch."""
HORIZON = 100
"""The number of decisions that a return looks ahead: more than most games have."""


class Network(nn.Module):
    """A network for the values of all actions, with the arguments that Tianshou's policies pass."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(size, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, actions)
        )

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Return the values, (k, actions), for observations (k, size), and the state unchanged."""
        return self.layers(torch.as_tensor(obs, dtype=torch.float32).log1p()), state


def make(variant: str, reward: Reward) -> Callable[[], PettingZooEnv]:
    """Return a function that makes an environment with these rewards."""
    return lambda: PettingZooEnv(t2r_env.env(variant, 2, reward=reward))


def train(variant: str, steps: int, episodes: int, seed: int) -> float:
    """Train for some decisions, the opponent's included; return the share of games won afterwards."""
    env = make(variant, "margin")()
    size, actions = env.observation_space["observation"].shape[0], env.action_space.n
    policy = DiscreteQLearningPolicy(model=Network(size, actions), action_space=env.action_space, eps_training=0.2)
    learner = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        n_step_return_horizon=HORIZON,
        huber_loss_delta=5.0,
    )
    opponent = MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space)
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=[learner, opponent], env=env)
    games = DummyVectorEnv([make(variant, "margin") for _ in range(ENVS)])
    collector = Collector[CollectStats](algorithm, games, VectorReplayBuffer(50_000, ENVS), exploration_noise=True)
    collector.reset(gym_reset_kwargs={"seed": seed})
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=steps,
            collection_step_num_env_steps=512,
            update_step_num_gradient_steps_per_sample=0.05,
            batch_size=128,
            multi_agent_return_reduction=lambda returns: returns[:, 0],
            show_progress=False,
            verbose=False,
        )
    )
    return evaluate(algorithm, variant, episodes, seed)


def evaluate(algorithm: MultiAgentOffPolicyAlgorithm, variant: str, episodes: int, seed: int) -> float:
    """Return the share of games that `player_0` wins."""
    games = DummyVectorEnv([make(variant, "win") for _ in range(ENVS)])
    collector = Collector[CollectStats](algorithm, games)
    collector.reset(gym_reset_kwargs={"seed": seed + 1_000_000})
    return float(collector.collect(n_episode=episodes).returns[:, 0].mean())


def main(command: Sequence[str] | None = None) -> float:
    """Train with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help="the name of a variant, or a folder")
    parser.add_argument("--steps", type=int, default=20_000, help="decisions of both players")
    parser.add_argument("--episodes", type=int, default=200, help="games of the evaluation")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(command)
    np.random.seed(arguments.seed)  # noqa: NPY002  # Tianshou draws from it
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)
    logging.getLogger("tianshou").setLevel(logging.ERROR)  # it logs each time that returns have two seats
    share = train(arguments.variant, arguments.steps, arguments.episodes, arguments.seed)
    print(f"after {arguments.steps:,} decisions: {share:.1%} of {arguments.episodes} games won against random play")
    return share


if __name__ == "__main__":
    main()
