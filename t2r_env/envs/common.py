"""The parts that the environments of all libraries share."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np
from gymnasium.envs.registration import EnvSpec
from gymnasium.logger import warn
from gymnasium.spaces import Box, Dict, Space
from numpy.typing import NDArray

from t2r_env.basics.checks import check_choice
from t2r_env.configuration import Configuration
from t2r_env.core.layout import Layout
from t2r_env.games import Games
from t2r_env.graph import GraphSize, GraphWriter

ObservationForm: TypeAlias = Literal["dict", "vector", "graph"] | GraphSize
"""A dictionary of the vector and the action mask; the vector alone; or the tables of the graph (docs/graph.md), with as
many rows as the configuration has or as a size says."""
Observation: TypeAlias = Any
"""A dictionary of arrays or one array: the argument `observation` decides, so type checkers can't tell."""
ObservationSpace: TypeAlias = Any
"""A `Dict` or a `Box` in the same way."""


class Observer:
    """Makes the observations of an environment in one form, and their space.

    Raises ValueError if the argument `observation` names no form, for the graph of a game that has none, and for
    features with it, which only follow vectors.
    """

    def __init__(self, observation: ObservationForm, games: Games) -> None:
        self._layout, self._writer = games.layout, None
        if isinstance(observation, GraphSize):
            self._writer = GraphWriter(games.configuration, observation)
        elif check_choice("observation", observation, ("dict", "vector", "graph")) == "graph":
            self._writer = GraphWriter(games.configuration)
        if self._writer and games.features:
            raise ValueError("features follow the vector, so observation must be 'dict' or 'vector' with them")
        self._is_vector = observation == "vector"
        self._seats = observation.players if isinstance(observation, GraphSize) else games.num_players

    @property
    def num_actions(self) -> int:
        """The length of action masks: of a graph the rows of its actions."""
        return self._writer.size.actions if self._writer else self._layout.actions.size

    def space(self) -> ObservationSpace:
        """Return the space of one seat's observations."""
        if self._writer:
            return Dict(_graph_boxes(self._writer.new_arrays(1)))
        if self._is_vector:
            return _vectors(self._layout)
        return observation_space(self._layout)

    def masks(self, masks: NDArray[np.int8]) -> NDArray[np.int8]:
        """Return action masks (..., actions) with zeros for the rows that a graph has to spare."""
        spare = self.num_actions - masks.shape[-1]
        return np.pad(masks, [(0, 0)] * (masks.ndim - 1) + [(0, spare)]) if spare else masks

    def of_seats(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return numbers of all seats (..., seats) with zeros for those of a size to spare: so they stack, too."""
        spare = max(0, self._seats - values.shape[-1])
        return np.pad(values, [(0, 0)] * (values.ndim - 1) + [(0, spare)])

    def of_size(self, ending: dict[str, Any]) -> dict[str, Any]:
        """Return the info of an ended game (`SeatGames.ending`) with `scores` and `ranks` as `of_seats` has them."""
        return ending | {name: self.of_seats(ending[name]) for name in ending.keys() & {"scores", "ranks"}}

    def observe(self, vectors: NDArray[np.uint8], masks: NDArray[np.int8], seats: NDArray[np.int64]) -> Observation:
        """Return observations, given vectors (k, size), action masks (k, actions) and seats (k,)."""
        if self._writer:
            return self._writer.observe(vectors, masks, seats)
        return vectors if self._is_vector else {"observation": vectors, "action_mask": masks}

    def observe_one(self, vector: NDArray[np.uint8], mask: NDArray[np.int8], seat: int) -> Observation:
        """Return one observation, given its vector (size,), action mask (actions,) and seat."""
        observed = self.observe(vector[None], mask[None], np.array([seat]))
        return {name: array[0] for name, array in observed.items()} if isinstance(observed, dict) else observed[0]


def observation_space(layout: Layout) -> Dict:
    """Return the space of one seat's observations with their action masks: the form `dict`."""
    mask = Box(0, 1, (layout.actions.size,), np.int8)
    return Dict({"observation": _vectors(layout), "action_mask": mask})


def _vectors(layout: Layout) -> Box:
    return Box(0, 255, (layout.observation.size,), np.uint8)


def _graph_boxes(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Space[Any]]:
    """Return the space of each array of a graph: counts, row numbers or -1, and the mask."""
    bounds = {np.dtype(np.uint8): (0, 255), np.dtype(np.int16): (-1, np.iinfo(np.int16).max)}
    return {
        name: Box(*bounds.get(array.dtype, (0, 1)), array.shape[1:], array.dtype.type) for name, array in arrays.items()
    }


class HasSpec:
    """The `spec` of an environment of Gymnasium."""

    _spec: EnvSpec | None = None

    @property
    def configuration(self) -> Configuration:
        """Variant, players and options."""
        raise NotImplementedError

    @property
    def spec(self) -> EnvSpec | None:
        """How Gymnasium made it, or None; the id is that of the variant, also of one given as `variant`."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        self._spec = None if spec is None else replace(spec, id=self.configuration.variant.environment_id)


def warn_of_illegal_action(action: int, seat: int) -> None:
    """Log a warning that an illegal action has ended a game. Each environment does so once: its infos tell of all."""
    warn(
        f"the action {action} of player_{seat} was not legal, and so it ended the game with a reward of -1: legal are"
        " those whose action_mask is 1. This warning comes once; info['illegal_action'] always tells. To get an error"
        ' instead, create the environment with illegal_action="raise"'
    )
