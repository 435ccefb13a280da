"""Trainings that take a few seconds."""

from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import patch

from t2r_train.curves import Curves
from t2r_train.settings import FLAGS, Settings, settings_for
from t2r_train.training import Training

TINY: dict[str, Any] = {
    "total_timesteps": 330,
    "seed": 3,
    "features": "",
    **dict.fromkeys(("prior_weight", "critic_warmup", "ticket_warmup"), 0.0),
    "features_dim": 16,
    "net_arch": (16,),
    "n_envs": 8,
    "n_steps": 16,
    "batch_size": 64,
    "n_epochs": 2,
    "average_timesteps": 200,
    "fixed_opponents": ("random", "greedy"),
    "fixed_opponents_share": 0.5,
    "latest_policy_share": 0.25,
    "snapshot_freq": 1,
    "eval_freq": 180,
    "eval_opponents": ("random",),
    "n_eval_episodes": 4,
}
ITERATIONS = 4
"""The iterations of a tiny training."""


def tiny_settings(variant: str = "new_york", **others: Any) -> Settings:
    """Settings of a training of four small iterations."""
    return settings_for(variant, TINY | others)


def as_arguments(*without: str, **others: Any) -> list[str]:
    """The settings of a tiny training for `--set`, without some."""
    return [
        f"{name}={','.join(map(str, value)) if isinstance(value, tuple) else value}"
        for name, value in vars(tiny_settings(**others)).items()
        if name not in (*FLAGS, "options", *without)
    ]


def train(training: Training, rounds: int | None = None, *, plots: bool = False) -> Training:
    """Train to the end, or for so many iterations. Plots take half of the time."""
    left = iter(range(rounds)) if rounds is not None else iter(int, 1)
    with nullcontext() if plots else patch.object(Curves, "plot"):
        training.run(lambda line: None, lambda: next(left, None) is None)
    return training


def trained(folder: Path, rounds: int | None = None, variant: str = "new_york", **others: Any) -> Training:
    """A tiny training in a folder."""
    return train(Training(folder, tiny_settings(variant, **others)), rounds)
