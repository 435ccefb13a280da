"""AgileRL: masked PPO learns one seat in Gymnasium's vector environment; the opponents play inside `step`.

AgileRL's rollouts read masks from `info["action_mask"]`, so the observation may be the vector alone. Needs AgileRL:

    pip install . agilerl
    python examples/agilerl_ppo.py
    python examples/agilerl_ppo.py --variant usa --updates 200
"""

import argparse
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from agilerl.algorithms import PPO
from agilerl.rollouts.on_policy import collect_rollouts
from gymnasium.spaces import Box, Dict
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space

import t2r_env


class Vectors(VectorWrapper):
    """The games' observations as vectors, float32 (num_envs, size), and their rewards in tens of points."""

    def __init__(self, games: VectorEnv) -> None:
        super().__init__(games)
        assert isinstance(games.single_observation_space, Dict)
        self.single_observation_space = Box(0, 6, games.single_observation_space["observation"].shape, np.float32)
        self.observation_space = batch_space(self.single_observation_space, games.num_envs)

    def reset(self, **options: Any) -> tuple[Any, dict[str, Any]]:
        seen, infos = self.env.reset(**options)
        return np.log1p(seen["observation"], dtype=np.float32), infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        seen, rewards, terminated, truncated, infos = self.env.step(actions)
        return np.log1p(seen["observation"], dtype=np.float32), rewards / 10, terminated, truncated, infos


def make(variant: str, num_envs: int) -> VectorEnv:
    """Return games against random opponents."""
    name = t2r_env.configure(variant).variant.environment_id
    return Vectors(
        gymnasium.make_vec(name, num_envs=num_envs, seat="random", reward="margin", autoreset_mode="SameStep")
    )


def evaluate(agent: PPO, variant: str, episodes: int, seed: int) -> float:
    """Return the share of games that the agent wins, with one game in each row."""
    games = make(variant, episodes)
    seen, infos = games.reset(seed=seed)
    won, over = np.zeros(episodes, np.bool_), np.zeros(episodes, np.bool_)
    while not over.all():
        actions, *_ = agent.get_action(seen, action_mask=infos["action_mask"])
        seen, _, terminated, truncated, infos = games.step(actions)
        if "final_info" in infos:
            won |= ~over & (infos["final_info"]["rank"] == 1)
        over |= terminated | truncated
    return float(won.mean())


def main(command: Sequence[str] | None = None) -> float:
    """Train and evaluate with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help=f"one of {', '.join(t2r_env.VARIANTS)}")
    parser.add_argument("--updates", type=int, default=10)
    parser.add_argument("--episodes", type=int, default=200, help="games of the evaluation")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(command)
    np.random.seed(arguments.seed)  # noqa: NPY002  # AgileRL draws from it
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)
    games = make(arguments.variant, 32)
    agent = PPO(
        games.single_observation_space,
        games.single_action_space,
        num_envs=games.num_envs,
        learn_step=4096,
        batch_size=256,
        lr=1e-3,
        gamma=1.0,
        share_encoders=False,
    )
    seen, info = games.reset(seed=arguments.seed)
    nothing = np.zeros(games.num_envs)
    played = {"last_obs": seen, "last_info": info, "last_done": nothing, "last_scores": nothing}
    for update in range(arguments.updates):
        returns, *kept = collect_rollouts(agent, games, **played)
        played = dict(zip(("last_obs", "last_done", "last_scores", "last_info"), kept, strict=True))
        agent.learn()
        margin = 10 * np.mean(returns)
        print(f"update {update + 1}/{arguments.updates}: {len(returns)} games, {margin:+.1f} points on average")
    share = evaluate(agent, arguments.variant, arguments.episodes, arguments.seed + 1)
    print(f"after training: {share:.1%} of {arguments.episodes} games won against random play")
    return share


if __name__ == "__main__":
    main()
