"""Exports as datasets of Minari: one for each agent, whose episodes are what it saw and did, on whichever seat.

Minari keeps datasets where MINARI_DATASETS_PATH says, else in the user's home folder.
"""

import copy
import os
import re
import shutil
import warnings
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeAlias

import gymnasium
import numpy as np
from gymnasium.envs.registration import EnvSpec
from gymnasium.spaces import Discrete

from t2r_env.basics.packages import needs

with needs("data"):
    import minari
    from minari.data_collector import EpisodeBuffer
    from minari.dataset.minari_dataset import parse_dataset_id
    from minari.storage import get_dataset_path

from t2r_agents.comparing.export.card import UNKNOWN
from t2r_agents.comparing.export.folder import ExportError, Folder
from t2r_agents.comparing.export.played import Look, Played, Texts, play_again
from t2r_agents.comparing.export.reading import read_configuration, read_games
from t2r_agents.comparing.export.workers import GAMES_AT_ONCE
from t2r_env import VARIANTS, Configuration
from t2r_env.envs.common import observation_space
from t2r_env.variants import load_variant

Form: TypeAlias = Literal["dict", "vector"]
"""A dictionary of the vector and the action mask; or the vector alone, and the mask among the infos."""
DECISIONS_OF_A_TURN = 100
"""More than any turn has: tools such as d3rlpy ask for a limit of steps, which no game is to reach."""
LONGEST_NAME = 60
"""The most characters of an agent's name in the id of a dataset: file systems have a limit, too."""


def write_datasets(
    path: str | os.PathLike[str], dataset_id: str, variant: str | None = None, form: Form = "dict"
) -> list[str]:
    """Write a dataset for each agent of the export in a folder; return their ids.

    Of one agent it is `dataset_id`; of several `usa/mine-v0` becomes `usa/mine-greedy-v0`, and so on. `variant` is as
    for `read_replay`. Raises ExportError if there is no such export, if its files are damaged, if Minari does not take
    the id, and if one of the datasets is there already.
    """
    folder = Folder(Path(path))
    configuration, content = read_configuration(folder, variant), folder.content()
    if "figures" not in content:
        raise ExportError(f"{path} is not complete: export again by the same command")
    names = dataset_ids(dataset_id, content["figures"]["agents"])
    _check_new(names.values())
    look = Look(content["settings"]["reward"], text=False)
    datasets: dict[str, minari.MinariDataset] = {}
    try:
        for played in _portions(folder, configuration, look):
            for agent, name in names.items():
                episodes = list(episodes_of(played, agent, form))
                if name in datasets:
                    datasets[name].storage.update_episodes(episodes)
                elif episodes:
                    datasets[name] = _create(name, episodes, configuration, agent, look, form)
    except BaseException:
        for name in names.values():  # the last one may be half made
            shutil.rmtree(get_dataset_path(name), ignore_errors=True)
        raise
    return list(datasets)


def _portions(folder: Folder, configuration: Configuration, look: Look) -> Iterator[Played]:
    """Yield the games of an export, played again, some at a time."""
    games, texts = read_games(folder, configuration), Texts(configuration)
    while portion := list(islice(games, GAMES_AT_ONCE)):
        yield play_again(portion, texts, look)


def episodes_of(played: Played, agent: str, form: Form) -> Iterator[EpisodeBuffer]:
    """Yield the episodes of an agent, game by game and seat by seat. No decision, no episode.

    An episode has T decisions; observations and infos have T + 1 entries, the last at the end, where the mask is zero.
    A reward is all that the seat earned from one of its decisions to the next. Infos tell the `seat`, and the `agents`
    on all seats, as bytes (in UTF-8) since HDF5 has no other strings in arrays.
    """
    for index, game in enumerate(played.games):
        agents = game.agents or [UNKNOWN] * played.ending.ranks.shape[1]
        for seat in (seat for seat, name in enumerate(agents) if name == agent):
            own = played.decisions.take((played.decisions.game == index) & (played.decisions.seat == seat))
            if not len(own):
                continue
            truncated = played.ending.outcome[index] == "truncated"
            to_go = np.append(own.returns[:, seat], 0.0)
            ends = np.arange(len(own)) == len(own) - 1
            observation = np.concatenate([own.observation, played.ending.observations[index, seat][None]])
            mask = {"action_mask": np.concatenate([own.mask, np.zeros_like(own.mask[:1])])}
            infos: dict[str, Any] = {
                "seat": np.full(len(observation), seat),
                "agents": np.tile(np.strings.encode(np.array(agents), "utf-8"), (len(observation), 1)),
            }
            yield EpisodeBuffer(
                seed=game.replay.start if isinstance(game.replay.start, int) else None,
                observations=observation if form == "vector" else {"observation": observation} | mask,
                actions=own.action,
                rewards=to_go[:-1] - to_go[1:],
                terminations=ends & (not truncated),
                truncations=ends & truncated,
                infos=infos | mask if form == "vector" else infos,
            )


def dataset_ids(dataset_id: str, agents: Iterable[str]) -> dict[str, str]:
    """Return the id of each agent's dataset, with the version at its end."""
    version = found[0] if (found := re.search(r"-v\d+$", dataset_id)) else "-v0"
    stem = dataset_id.removesuffix(version)
    if len(of_all := list(agents)) == 1:
        return {of_all[0]: f"{stem}{version}"}
    names: dict[str, str] = {}
    for number, agent in enumerate(of_all):
        shown = re.sub(r"\W+", "_", agent)[:LONGEST_NAME]  # Minari takes no other characters
        name = f"{stem}-{shown}{version}"
        names[agent] = f"{stem}-{shown}-{number}{version}" if name in names.values() else name
    return names


def _check_new(names: Iterable[str]) -> None:
    """Raise ExportError if Minari does not take the names, or has such datasets, damaged ones included."""
    for name in names:
        try:
            parse_dataset_id(name)
        except ValueError as error:
            raise ExportError(f"--minari: {error}") from None
        if get_dataset_path(name).exists():
            raise ExportError(f"--minari must be the id of new datasets, and there is a dataset {name}")


def _create(
    name: str, episodes: list[EpisodeBuffer], configuration: Configuration, agent: str, look: Look, form: Form
) -> minari.MinariDataset:
    space = observation_space(configuration.layout)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="minari")  # that nobody is named as the author
        return minari.create_dataset_from_buffers(
            name,
            episodes,
            env=_environment(configuration, look, form),
            observation_space=space["observation"] if form == "vector" else space,
            action_space=Discrete(configuration.layout.actions.size),
            algorithm_name=agent,
            description=f"{agent} in games of {configuration.title}",
        )


def _environment(configuration: Configuration, look: Look, form: Form) -> EnvSpec | None:
    """Return the environment in which one seat learns, drawn for each game; None for a map of one's own.

    Such a map may have the id of another one. The environment is the same for all agents, so that their datasets can be
    combined.
    """
    variant = configuration.variant
    if variant.id not in VARIANTS or load_variant(variant.id) != variant:
        return None
    spec = copy.deepcopy(gymnasium.spec(variant.environment_id))
    spec.kwargs |= {"num_players": configuration.num_players, "seat": "random", "reward": look.reward}
    spec.kwargs |= {"observation": form, **configuration.options}
    spec.max_episode_steps = configuration.options["turn_limit"] * DECISIONS_OF_A_TURN
    return spec
