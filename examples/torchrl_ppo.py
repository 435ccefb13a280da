"""TorchRL: masked PPO learns one seat in `GymEnv`, then plays against random play in `PettingZooWrapper`.

In `GymEnv` one seat learns and the opponents play inside `step`. `PettingZooWrapper` has a group of tensors for each
seat; `mask` says whether the seat is to act, `action_mask` holds its legal actions. Needs TorchRL:

    pip install . torchrl
    python examples/torchrl_ppo.py
    python examples/torchrl_ppo.py --variant usa --updates 100
"""

import argparse
from collections.abc import Sequence

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.envs import (
    ActionMask,
    Compose,
    DTypeCastTransform,
    GymEnv,
    PettingZooWrapper,
    RewardScaling,
    TransformedEnv,
)
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import t2r_env


class Network(nn.Sequential):
    """A multilayer perceptron on the counts of an observation, (..., size)."""

    def __init__(self, size: int, outputs: int) -> None:
        super().__init__(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, outputs))

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """Return the outputs, (..., outputs)."""
        observation = observation.float().log1p()
        for layer in self:
            observation = layer(observation)
        return observation


def train(variant: str, updates: int, frames: int, seed: int) -> ProbabilisticActor:
    """Return a policy trained by PPO on one seat against random opponents."""
    configuration = t2r_env.configure(variant)
    game = configuration.variant.environment_id
    env = TransformedEnv(
        GymEnv(game, categorical_action_encoding=True, opponents="random", seat="random", reward="margin"),
        Compose(
            DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]), ActionMask(), RewardScaling(0, 0.1)
        ),
    )
    env.set_seed(seed)
    size, actions = configuration.layout.observation.size, configuration.layout.actions.size
    policy = ProbabilisticActor(
        TensorDictModule(Network(size, actions), in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(Network(size, 1))
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic, average_gae=True)
    loss = ClipPPOLoss(policy, critic, entropy_coeff=0.01, critic_coeff=0.5)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    for update in range(updates):
        with torch.no_grad():
            played = env.rollout(frames, policy, break_when_any_done=False)
        for _ in range(4):
            advantage(played)
            for rows in torch.split(torch.randperm(frames), 256):
                losses = loss(played[rows])
                optimizer.zero_grad()
                (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
        games, points = played["next", "done"].sum(), played["next", "reward"].sum() * 10
        print(f"update {update + 1}/{updates}: {games} games, won or lost by {points / games:+.1f} points on average")
    return policy


@torch.no_grad()
def play(variant: str, policy: ProbabilisticActor, episodes: int, seed: int) -> float:
    """Return the share of games of two that the policy wins against random play; it has either seat in turn."""
    env = PettingZooWrapper(t2r_env.env(variant, reward="win"), use_mask=True, seed=seed)
    wins = 0.0
    for episode in range(episodes):
        own = f"player_{episode % 2}"
        tensors = env.reset()
        while not tensors["done"]:
            tensors = env.rand_action(tensors)  # each seat's action; only that of the acting one counts
            if tensors[own, "mask"].item():
                seen = tensors[own].select("action_mask")
                seen["observation"] = tensors[own, "observation", "observation"]
                tensors[own, "action"] = policy(seen)["action"]
            tensors = env.step(tensors)["next"]
            wins += tensors[own, "reward"].item()
    return wins / episodes


def main(command: Sequence[str] | None = None) -> float:
    """Train and play with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help=f"one of {', '.join(t2r_env.VARIANTS)}")
    parser.add_argument("--updates", type=int, default=10)
    parser.add_argument("--frames", type=int, default=2048, help="decisions of the learner between two updates")
    parser.add_argument("--episodes", type=int, default=60, help="games of the evaluation")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(command)
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)
    policy = train(arguments.variant, arguments.updates, arguments.frames, arguments.seed)
    share = play(arguments.variant, policy, arguments.episodes, arguments.seed)
    print(f"after training: {share:.1%} of {arguments.episodes} games won against random play")
    return share


if __name__ == "__main__":
    main()
