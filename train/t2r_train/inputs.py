"""The inputs of a network that learns a game with several numbers of players: they have room for the most players."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from t2r_env import Configuration, Games
from t2r_env.core.layout import Segments
from t2r_train.settings import Settings

PLANNER_ACTION = "planner_action"
"""The segment of the features that tells the planner's action, one-hot."""


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
        """Return the inputs for the configurations of a training run."""
        configurations = settings.configurations()
        games = [Games(it, seed=0, **settings.observation_options()) for it in configurations]
        observation = Segments.covering([it.layout.observation for it in configurations])
        features = Segments.covering([it.features.segments for it in games if it.features])
        sees = settings.critic == "global_state"
        return cls(
            observation=observation.followed_by(features),
            hidden=Segments.covering([hidden_part(it)[0] for it in configurations if sees]),
            num_actions=max(it.layout.actions.size for it in configurations),
        )

    def masks(self, masks: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Return masks of all actions, (k, num_actions), given those of a configuration."""
        return np.pad(masks.astype(np.bool_), ((0, 0), (0, self.num_actions - masks.shape[1])))

    def planned(self, observations: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the planner's actions (k,), given the inputs (k, size) with features that tell them."""
        actions: NDArray[np.int64] = observations[:, self.observation[PLANNER_ACTION].slice].argmax(axis=1)
        return actions


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
