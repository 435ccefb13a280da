"""MaskablePPO plays both seats of PettingZoo's environment, as in PettingZoo's tutorial on action masking.

A wrapper makes a Gymnasium environment of the AEC environment: each step is a decision of the acting seat, and one
policy takes them all. The reward is the acting seat's own. The next decision may be another seat's, whose gain is this
one's loss, so rewards are points as they are scored, with a small `gamma`. For serious training let one seat learn, as
in stable_baselines.py. Needs the extra `train`.

    python examples/stable_baselines_pettingzoo.py
    python examples/stable_baselines_pettingzoo.py --variant usa --total-timesteps 1000000
"""

import argparse
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

import t2r_env
from t2r_env.agents import Decisions


class TurnsEnvironment(gymnasium.Env[NDArray[np.uint8], np.int64]):
    """A PettingZoo environment as one learner's: each step is a decision of the acting seat."""

    def __init__(self, variant: str) -> None:
        self.games = t2r_env.env(variant, 2, reward="score")
        agent = self.games.possible_agents[0]
        self.observation_space = self.games.observation_space(agent)["observation"]
        self.action_space = self.games.action_space(agent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin a new game."""
        super().reset(seed=seed)
        self.games.reset(seed=seed)
        return self._observe(), {}

    def step(self, action: np.int64) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Take a decision of the acting seat; the reward is that seat's."""
        games, agent = self.games, self.games.agent_selection
        games.step(action)
        return self._observe(), games.rewards[agent], games.terminations[agent], games.truncations[agent], {}

    def _observe(self) -> NDArray[np.uint8]:
        observed: NDArray[np.uint8] = self.games.observe(self.games.agent_selection)["observation"]
        return observed

    def action_masks(self) -> NDArray[np.int8]:
        """Return the acting seat's mask, which MaskablePPO asks for before each decision."""
        masks: NDArray[np.int8] = self.games.observe(self.games.agent_selection)["action_mask"]
        return masks


def play(model: MaskablePPO, variant: str, episodes: int, seed: int) -> float:
    """Return the share of games of two that the model, as the first player, wins against random play."""

    def act(decisions: Decisions) -> NDArray[np.int64]:
        return np.asarray(model.predict(decisions.observations, action_masks=decisions.masks)[0])

    played = t2r_env.trajectories(variant, 2, agents=[act, "random"], games=episodes, seed=seed, reward="win")
    return sum(float(it.rewards.sum()) for it in played if it.seat == 0) / episodes


def train(variant: str, total_timesteps: int, episodes: int, seed: int) -> float:
    """Train a model; return its share of wins."""
    torch.set_num_threads(1)
    model = MaskablePPO(
        "MlpPolicy", TurnsEnvironment(variant), n_steps=2048, batch_size=256, gamma=0.9, seed=seed, device="cpu"
    )
    model.learn(total_timesteps)
    share = play(model, variant, episodes, 1_000_000)
    print(f"after {model.num_timesteps:,} decisions: {share:.1%} of {episodes} games won against random play")
    return share


def main(command: Sequence[str] | None = None) -> float:
    """Train with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help="the name of a variant, or a folder")
    parser.add_argument("--total-timesteps", type=int, default=16_384, help="decisions of both seats")
    parser.add_argument("--episodes", type=int, default=100, help="games of the evaluation")
    parser.add_argument("--seed", type=int, default=0)
    return train(**vars(parser.parse_args(command)))


if __name__ == "__main__":
    main()
