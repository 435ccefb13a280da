"""Exports as datasets of Minari: one for each seat, whose episodes are what the seat saw and did.

Minari keeps datasets where MINARI_DATASETS_PATH says, else in the user's home folder.
"""

import copy
import re
import warnings
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import gymnasium
import minari
import numpy as np
from gymnasium.envs.registration import EnvSpec
from gymnasium.spaces import Discrete
from minari.data_collector import EpisodeBuffer
from minari.dataset.minari_dataset import parse_dataset_id

from t2r_agents.export.folder import ExportError, Folder
from t2r_agents.export.played import Look, Played, Texts, play_again
from t2r_agents.export.reading import read_configuration, read_games
from t2r_agents.export.workers import GAMES_AT_ONCE
from t2r_env import VARIANTS, Configuration
from t2r_env.envs.common import observation_space
from t2r_env.games import Reward


def write_datasets(path: Path, dataset_id: str, variant: str | None = None) -> list[str]:
    """Write a dataset for each seat of the export in a folder; return their ids.

    `usa/greedy-v0` becomes `usa/greedy-seat-0-v0`, and so on. `variant` is as for `read_replay`. Raises ExportError if
    there is no such export, if its files are damaged, if Minari does not take the id, and if one of the datasets is
    there already.
    """
    folder = Folder(path)
    configuration, content = read_configuration(folder, variant), folder.content()
    if "figures" not in content:
        raise ExportError(f"{path} is not complete: export again by the same command")
    names = [_name(dataset_id, seat) for seat in range(configuration.num_players)]
    _check_new(names)
    datasets: list[minari.MinariDataset] = []
    try:
        for played in _portions(folder, configuration, content["settings"]["reward"]):
            for seat, name in enumerate(names):
                episodes = list(episodes_of(played, seat))
                if len(datasets) > seat:
                    datasets[seat].storage.update_episodes(episodes)
                else:
                    datasets.append(_create(name, episodes, configuration, seat, content))
    except BaseException:
        for name in names[: len(datasets)]:
            minari.delete_dataset(name)
        raise
    return names


def _portions(folder: Folder, configuration: Configuration, reward: Reward) -> Iterator[Played]:
    """Yield the games of an export, played again, some at a time."""
    games, texts = read_games(folder, configuration), Texts(configuration)
    while portion := list(islice(games, GAMES_AT_ONCE)):
        yield play_again(portion, texts, Look(reward, text=False))


def episodes_of(played: Played, seat: int) -> Iterator[EpisodeBuffer]:
    """Yield the episode of a seat in each game: its T decisions, and what it saw at the end. No decision, no episode.

    Observations have T + 1 entries; `action_mask` is zero after the end. A reward is all that the seat earned from one
    of its decisions to the next.
    """
    for index, game in enumerate(played.games):
        own = played.decisions.take((played.decisions.game == index) & (played.decisions.seat == seat))
        if not len(own):
            continue
        truncated = played.ending.outcome[index] == "truncated"
        to_go = np.append(own.returns[:, seat], 0.0)
        ends = np.arange(len(own)) == len(own) - 1
        yield EpisodeBuffer(
            seed=game.replay.start if isinstance(game.replay.start, int) else None,
            observations={
                "observation": np.concatenate([own.observation, played.ending.observations[index, seat][None]]),
                "action_mask": np.concatenate([own.mask, np.zeros_like(own.mask[:1])]),
            },
            actions=own.action,
            rewards=to_go[:-1] - to_go[1:],
            terminations=ends & (not truncated),
            truncations=ends & truncated,
        )


def _name(dataset_id: str, seat: int) -> str:
    """Return the id of a seat's dataset, with the version at its end."""
    version = found[0] if (found := re.search(r"-v\d+$", dataset_id)) else "-v0"
    return f"{dataset_id.removesuffix(version)}-seat-{seat}{version}"


def _check_new(names: list[str]) -> None:
    """Raise ExportError if Minari does not take the names, or has such datasets."""
    present = minari.list_local_datasets()
    for name in names:
        try:
            parse_dataset_id(name)
        except ValueError as error:
            raise ExportError(f"--minari: {error}") from None
        if name in present:
            raise ExportError(f"--minari must be the id of new datasets, and there is a dataset {name}")


def _create(
    name: str, episodes: list[EpisodeBuffer], configuration: Configuration, seat: int, content: dict[str, Any]
) -> minari.MinariDataset:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="minari")  # that nobody is named as the author
        return minari.create_dataset_from_buffers(
            name,
            episodes,
            env=_environment(configuration, seat, content["settings"]["reward"]),
            observation_space=observation_space(configuration.layout),
            action_space=Discrete(configuration.layout.actions.size),
            algorithm_name=", ".join(content["figures"]["agents"]),
            description=f"Seat {seat} in games of {configuration.title}",
        )


def _environment(configuration: Configuration, seat: int, reward: Reward) -> EnvSpec | None:
    """Return the environment in which this seat learns; None for a map that comes without an id."""
    if configuration.variant.id not in VARIANTS:
        return None
    spec = copy.deepcopy(gymnasium.spec(configuration.variant.environment_id))
    spec.kwargs |= {"num_players": configuration.num_players, "seat": seat, "reward": reward, **configuration.options}
    return spec
