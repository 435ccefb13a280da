"""Self-play of a small network, and what it has played."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from t2r_agents.playing.policy import Skip
from t2r_train.experience import Experience
from t2r_train.inputs import Inputs, samples_of
from t2r_train.network import Network
from t2r_train.pool import TrainingPool
from t2r_train.self_play import SelfPlay, collect
from t2r_train.settings import Settings
from tests.train.tiny import tiny_settings

ALONE: dict[str, Any] = {"fixed_opponents": (), "n_steps": 200, "n_envs": 6}
FIRST_SEED = 5


def beginning(
    settings: Settings, skip: Skip | None = None, *, groups: int = 1, threads: int = 1
) -> tuple[list[SelfPlay], Network]:
    """Groups of games, and a network for them."""
    inputs, (configuration, *_) = Inputs.of(settings), settings.configurations()
    experience = Experience.empty(settings.n_envs * settings.n_steps, inputs, torch.device("cpu"))
    pool, plays, first = TrainingPool(settings), [], 0
    for seeds in np.array_split(FIRST_SEED + np.arange(settings.n_envs, dtype=np.uint64), groups):
        rows = slice(first, first + len(seeds) * settings.n_steps)
        plays.append(SelfPlay(configuration, settings, inputs, pool, experience[rows], seeds, threads))
        first = rows.stop
    torch.manual_seed(0)
    return plays, Network(*samples_of(settings, inputs), inputs.num_actions, settings, skip)


def played(variant: str, num_players: int, **others: Any) -> SelfPlay:
    """Games of one rollout."""
    (play,), network = beginning(tiny_settings(variant, num_players=(num_players,), **others))
    collect([play], network)
    return play


def whereabouts(play: SelfPlay) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The step, the game and the seat of each decision of the learner, (M,)."""
    steps = np.repeat(np.arange(len(play.places)), [*map(len, play.places)])
    return steps, *np.divmod(np.concatenate(play.places), play.games.num_players)
