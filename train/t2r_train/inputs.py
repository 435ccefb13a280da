"""The inputs of a network that learns a game with several numbers of players: they have room for the most players."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from t2r_env import Configuration, Games
from t2r_env.agents import choose_actions, decisions_of, find_agent
from t2r_env.core.layout import Segments
from t2r_train.settings import Settings

PLANNER_ACTION = "planner_action"
"""The segment of the features that tells the planner's action, one-hot."""
SAMPLED_GAMES, SAMPLED_STEPS = 32, 512
"""The games and steps in which mean and standard deviation of the inputs are measured."""
Columns: TypeAlias = Tensor | slice


@dataclass(frozen=True)
class Inputs:
    """The inputs and actions that all configurations of a training run share."""

    observation: Segments
    """The observation and the features."""
    hidden: Segments
    """The part of the global state that the acting seat can't see; empty if the critic does not see it either."""
    num_actions: int

    @classmethod
    def of(cls, settings: Settings) -> "Inputs":
        """Return the inputs for the configurations of a training run.

        Raises ValueError if settings need the planner's action, and the features do not tell it.
        """
        configurations = settings.configurations()
        games = [Games(it, seed=0, **settings.observation_options()) for it in configurations]
        observation = Segments.covering([it.layout.observation for it in configurations])
        features = Segments.covering([it.features.segments for it in games if it.features])
        for name in ("prior_weight", "ticket_warmup"):
            if getattr(settings, name) and PLANNER_ACTION not in features:
                raise ValueError(f"{name} needs features that tell the planner's action, else 0: features=plan does")
        sees = settings.critic == "global_state"
        return cls(
            observation=observation.followed_by(features),
            hidden=Segments.covering([hidden_part(it)[0] for it in configurations if sees]),
            num_actions=max(it.layout.actions.size for it in configurations),
        )

    def columns_of(self, layout: Segments) -> tuple[Columns, Columns]:
        """Return the columns of the inputs that are in the observations of a layout, and where they are there."""
        there = self.observation.fit(np.arange(1, layout.size + 1)[None], layout)[0]
        if there.size == layout.size and there.all():
            return slice(None), slice(None)  # all, in the same order
        here = np.flatnonzero(there)
        return torch.from_numpy(here), torch.from_numpy(there[here] - 1)

    def hidden_columns_of(self, configuration: Configuration) -> NDArray[np.int64]:
        """Return for each seat where its hidden inputs are in the global state, (seats, size).

        The column behind the last one stands for those that a game with fewer players has not.
        """
        segments, columns = hidden_part(configuration)
        if not self.hidden:
            return np.zeros((len(columns), 0), np.int64)
        there = self.hidden.fit(columns + 1, segments)
        return np.where(there > 0, there - 1, configuration.layout.global_state.size)

    def planned(self, inputs: Tensor) -> Tensor:
        """Return the planner's actions, (k,), given inputs (k, size) with features that tell them."""
        return inputs[:, self.observation[PLANNER_ACTION].slice].argmax(dim=1)


def samples_of(settings: Settings, inputs: Inputs) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return a network's inputs (k, size), seen and hidden, in games of the greedy agent against itself."""
    greedy, seen, hidden = find_agent("greedy"), [], []
    for configuration in settings.configurations():
        games = Games(configuration, batch=SAMPLED_GAMES, seed=settings.seed, **settings.observation_options())
        rows, seeds = np.arange(SAMPLED_GAMES), np.zeros(SAMPLED_GAMES, np.uint64)  # it draws no random numbers
        columns = inputs.hidden_columns_of(configuration)
        for _ in range(SAMPLED_STEPS):
            seen.append(inputs.observation.fit(games.observations.copy(), games.layout.observation))
            states = np.pad(games.global_state(), ((0, 0), (0, 1)))
            hidden.append(np.take_along_axis(states, columns[games.current], axis=1))
            games.step(choose_actions(greedy, decisions_of(games, rows, seeds)))
    return np.concatenate(seen), np.concatenate(hidden)


def hidden_part(configuration: Configuration) -> tuple[Segments, NDArray[np.int64]]:
    """Return the segments of the global state that a seat's observation lacks, and for each seat where they lie.

    The columns of the global state have the shape (seats, size). Segments with a row for each seat or team are taken in
    turn order from the seat's own row on, which is left out.
    """
    layout, teams = configuration.layout, configuration.rules[0].team
    columns: list[list[NDArray[np.int64]]] = [[] for _ in range(configuration.num_players)]
    segments: list[tuple[str, tuple[int, ...], str]] = []
    for name, segment in layout.global_state.items():
        places = np.arange(segment.start, segment.start + segment.size)
        seen = layout.observation.get(name)
        if seen is not None and seen.shape == segment.shape:
            continue
        owners, shape = segment.shape[0], segment.shape
        if seen is not None:
            shape = (owners - 1, *shape[1:])
        segments.append((name, shape, segment.meaning))
        for seat, own in enumerate(columns):
            if seen is None:
                own.append(places)
            else:
                first = seat if owners == configuration.num_players else int(teams[seat])
                own.append(np.roll(places.reshape(owners, -1), -first, axis=0)[1:].ravel())
    return Segments.of(segments), np.array([np.concatenate(own) for own in columns])
