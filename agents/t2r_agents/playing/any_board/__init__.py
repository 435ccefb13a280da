"""The agent `any_board`: one network for every map and number of players, trained on generated maps alone.

examples/any_board.py trained it and has the same network in PyTorch; playing needs NumPy only. It reads the graph
observation and the planner's plan (tables.py, docs/any_board.md).
"""

import os
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.any_board.tables import PLANNER_ACTION, WIDTHS, AnyMapPlan, PlanColumns, Tables
from t2r_agents.playing.network import apply_layers
from t2r_env import Configuration
from t2r_env.agents import Agent, Decisions
from t2r_env.basics.packages import needs
from t2r_env.basics.reading import open_file
from t2r_env.features import Features, compute_features, find_features
from t2r_env.graph import GraphSize, GraphWriter

with needs("play"):
    from safetensors.numpy import load

Array: TypeAlias = NDArray[np.float32]
Weights: TypeAlias = dict[str, Array]

SHIPPED = Path(__file__).parent / "network.safetensors"
MAX_FILE_BYTES = 1 << 24
AT_ONCE = 256
"""Decisions whose hidden layers are held at the same time: memory, not results, depends on it."""


class AnyBoardAgent(Agent):
    """An agent that plays the network's most probable action. `any_board:FILE` is a network of one's own.

    It plays map games alone: the Card Game has no graph.
    """

    stateless = True

    def __init__(self, path: str | os.PathLike[str] = SHIPPED) -> None:
        """Read a network. Raises ValueError if the file is none, or of other columns than this version has."""
        self._weights = read_network(path)

    def check(self, configuration: Configuration) -> None:
        """Raise ValueError if the configuration is no map game."""
        GraphSize.of(configuration)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return the actions, (k,)."""
        actions = np.zeros(len(decisions), np.int64)
        for start in range(0, len(decisions), AT_ONCE):
            rows = np.arange(start, min(start + AT_ONCE, len(decisions)))
            actions[rows] = _logits(self._weights, tables_of(decisions.take(rows))).argmax(axis=1)
        return actions


def read_network(path: str | os.PathLike[str]) -> Weights:
    """Return the weights of a file as float32, of linear layers (inputs, outputs). Raises ValueError for another file.

    The format is safetensors, with the names that PyTorch gives the layers of the example's network.
    """
    try:
        with open_file(path, MAX_FILE_BYTES) as file:
            read = load(file.read())
        weights = {name: np.ascontiguousarray(tensor.T, np.float32) for name, tensor in read.items()}
        for name, width in WIDTHS.items():
            if len(weights[f"tables.{name}.weight"]) != width:
                raise ValueError(f"it was trained with other columns of {name}; train it again")
    except FileNotFoundError:
        raise ValueError(f"there is no file {path}") from None
    except Exception as error:  # safetensors raises errors of its own for damaged files
        raise ValueError(f"{path} is not a network for any board: {error}") from error
    return weights


def tables_of(decisions: Decisions) -> Tables:
    """Return what the network reads of k decisions."""
    writer, features, columns = _writers(decisions.configuration)
    seats = decisions.views["current"].astype(np.int64)
    graphs = writer.observe(decisions.observations, decisions.masks, seats)
    return columns.widen(graphs, compute_features(features, decisions.views, decisions.masks))


@lru_cache(maxsize=32)
def _writers(configuration: Configuration) -> tuple[GraphWriter, Features, PlanColumns]:
    features = find_features(AnyMapPlan, configuration)
    return GraphWriter(configuration), features, PlanColumns(configuration, features.segments)


# The network


def _linear(weights: Weights, name: str, inputs: Array) -> Array:
    """Return the outputs of a linear layer, row by row, so that no decision depends on those it comes with.

    No input is below zero: they are roots of counts, or what follows a ReLU.
    """
    weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
    rows = apply_layers([(weight, bias)], np.ascontiguousarray(inputs).reshape(-1, len(weight)))
    return np.asarray(rows.reshape(*inputs.shape[:-1], bias.size), np.float32)


def _relu(values: Array) -> Array:
    return np.maximum(values, 0)


def _logits(weights: Weights, given: Tables) -> Array:
    """Return the logits of all actions, -inf for illegal ones, (k, actions)."""
    tables = {name: np.sqrt(given[name].astype(np.float32)) for name in WIDTHS if name != "actions"}
    players = _relu(_linear(weights, "tables.players", tables["players"])) * tables["players"][..., :1]
    context = _relu(_linear(weights, "tables.table", tables["table"]) + players.sum(axis=1, keepdims=True))
    cities = _relu(_linear(weights, "tables.cities", tables["cities"]) + context)
    routes = _relu(_linear(weights, "tables.routes", tables["routes"]) + context)
    cities, routes = _pass_messages(weights, cities, routes, given["route_ends"][0].astype(np.int64))
    is_city = tables["cities"][..., :1]
    attention = _linear(weights, "attention", routes)
    attention = np.exp(attention - attention.max(axis=1, keepdims=True))
    attention /= attention.sum(axis=1, keepdims=True)
    pooled = [
        (cities * is_city).sum(axis=1) / is_city.sum(axis=1),
        (attention.swapaxes(1, 2) @ routes).reshape(len(routes), -1),
    ]
    context = _relu(context + _linear(weights, "summary", np.concatenate(pooled, axis=1))[:, None])
    return _scores(weights, given, tables["tickets"], cities, routes, context)


def _pass_messages(weights: Weights, cities: Array, routes: Array, ends: NDArray[np.int64]) -> tuple[Array, Array]:
    """Let cities and routes send each other messages along the ends of routes (routes, 2)."""
    number = sum(name.startswith("to_cities.") and name.endswith(".weight") for name in weights)
    arriving = np.zeros((cities.shape[1], len(ends)), np.float32)  # which routes end in each city
    for end in ends.T:
        arriving[end, np.arange(len(ends))] = 1
    for turn in range(number):
        at_ends = cities[:, ends[:, 0]] + cities[:, ends[:, 1]]
        told = _linear(weights, f"of_routes.{turn}", routes) + _linear(weights, f"to_routes.{turn}", at_ends)
        routes = _relu(routes + told)
        cities = _relu(cities + _linear(weights, f"to_cities.{turn}", arriving @ routes))
    return cities, routes


def _scores(weights: Weights, given: Tables, tickets: Array, cities: Array, routes: Array, context: Array) -> Array:
    """Return the logits: an action is scored from its own row and those of what it is about."""
    decision, action = np.nonzero(given["action_mask"])
    columns = np.sqrt(given["actions"][decision, action].astype(np.float32))
    hidden = _linear(weights, "tables.actions", columns) + context[decision, 0]
    targets = given["action_targets"][decision, action].astype(np.int64)
    for number, rows in enumerate((routes, cities, tickets)):
        named = np.flatnonzero(targets[:, number] >= 0)
        row = rows[decision[named], targets[named, number]]
        if rows is tickets:
            row = _relu(_linear(weights, "tables.tickets", row))
        hidden[named] += _linear(weights, f"of_targets.{number}", row)
    logits = np.full(given["action_mask"].shape, -np.inf, np.float32)
    hidden = _relu(_linear(weights, "hidden", _relu(hidden)))
    prior = weights["prior_weight"] * columns[:, PLANNER_ACTION]
    logits[decision, action] = _linear(weights, "score", hidden)[:, 0] + prior
    return logits
