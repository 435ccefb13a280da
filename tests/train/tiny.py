"""Trainings that take no time."""

from pathlib import Path
from typing import Any

import torch

from train.settings import Settings, settings_for
from train.training import Training

TINY: dict[str, Any] = {
    "steps": 8 * 16 * 4,
    "seed": 3,
    "trunk": 16,
    "heads": (16,),
    "lessons": 6,
    "lesson_games": 2,
    "lesson_batch": 64,
    "environments": 8,
    "rollout": 16,
    "batch": 64,
    "epochs": 2,
    "fixed": ("random", "greedy"),
    "snapshots": 2,
    "snapshot_every": 1,
    "evaluate_every": 2,
    "evaluate_against": ("random",),
    "evaluation_games": 4,
}
LESSONS, UPDATES = 3, 4
"""What a tiny training goes through."""


def tiny_settings(variant: str = "new_york", **others: Any) -> Settings:
    """Settings of a training of four small updates after three lessons."""
    torch.set_num_threads(1)
    return settings_for(variant, TINY | others)


def train(training: Training, rounds: int | None = None) -> Training:
    """Train to the end, or for so many lessons and updates."""
    left = iter(range(rounds)) if rounds is not None else iter(int, 1)
    training.run(lambda news: None, lambda: next(left, None) is None)
    return training


def trained(folder: Path, rounds: int | None = None, variant: str = "new_york", **others: Any) -> Training:
    """A tiny training in a folder."""
    return train(Training(folder, tiny_settings(variant, **others)), rounds)
