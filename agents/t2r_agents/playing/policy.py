"""The agent `policy`: a trained network, read from a file (policy_file.py). Playing needs no PyTorch."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.network import Layer, apply_layers
from t2r_agents.playing.policy_file import (
    POLICY,
    PolicyError,
    check_size,
    entry,
    follow_layers,
    read_identity,
    read_layers,
    read_segments,
    reading,
    write_layers,
)
from t2r_agents.playing.telling import tell
from t2r_env import Configuration, __version__
from t2r_env.agents import POLICY_SUFFIX, Decisions, Opinion
from t2r_env.basics.caching import cached_property
from t2r_env.basics.reading import shown
from t2r_env.core.layout import Segments
from t2r_env.features import Features, compute_features, feature_names, find_features
from t2r_env.seeding import uniform_of

SHIPPED = Path(__file__).parent / "policies"
"""The folder of the policies that come with the library, `VARIANT_TICKETS_PLAYERS.safetensors`, where
`PLAYERS` are the numbers of players that it plays with, such as 345."""
VALUE = "the expected reward for the rank at the end, from -1 (last) to 1 (first)"


class Skip(NamedTuple):
    """A part of the inputs, as long as there are actions, that is added to the logits `weight` times."""

    first: int
    """The index in the inputs at which it begins."""
    weight: float


class PolicyFeatures(NamedTuple):
    """The derived features that a policy was trained with."""

    name: str
    versions: tuple[int, ...]
    """The version for each of the policy's configurations: planners differ by the number of players."""
    segments: Segments

    @classmethod
    def of(cls, name: str, configurations: Sequence[Configuration]) -> "PolicyFeatures":
        """Return the features of this name, with room for all configurations. Raises PolicyError if there are none."""
        found = [_find_features(name, configuration) for configuration in configurations]
        return cls(
            name, tuple(it.version for it in found), Segments.covering([features.segments for features in found])
        )

    def check(self, configuration: Configuration, version: int) -> None:
        """Raise PolicyError if there are no features of this name, or if they have another version than this."""
        found = _find_features(self.name, configuration)
        title = f"the policy was trained with the features {self.name!r}"
        if found.version != version:
            raise PolicyError(f"{title} of version {version}, not {found.version}; train it again")
        _check_segments(f"{title} and reads their", self.segments, found.segments)


@lru_cache(maxsize=32)
def _find_features(name: str, configuration: Configuration) -> Features:
    """Return features by their name. Import paths are not allowed, since a file must not choose which code is run."""
    if name not in (names := feature_names()):
        allowed = ", ".join(names) or "none"
        raise PolicyError(f"a policy's features must have a name, one of {allowed}, not {shown(name)}")
    try:
        return find_features(name, configuration)
    except (TypeError, ValueError) as error:
        raise PolicyError(f"a policy's features: {error}") from error


@dataclass(frozen=True)
class Policy:
    """A network that maps observations to logits of actions and values, and what it was trained for.

    It is a multilayer perceptron with ReLU between its layers. Its inputs are the segments of the observation that it
    was trained on, uint8, followed by those of derived features if it was trained with some. It finds segments by name,
    so it plays on where others are added. Values come from layers of their own behind the first one. It computes in the
    dtype of its layers, those from files in float32, and each decision by itself: what it returns for one does not
    depend on how many are made together (network.py).

    One policy may play a game with several numbers of players. Its segments then have room for the most: with fewer,
    zeros stand for those who are missing. An action has the same number in all; a game may lack the last ones.
    """

    identities: tuple[Mapping[str, Any], ...]
    """The configurations that it plays: the variant, number of players, options and rules of each
    (`Configuration.identity`)."""
    observation: Segments
    """The segments of the observation that it reads."""
    layers: tuple[Layer, ...]
    training: Mapping[str, Any] = field(default_factory=dict)
    """The settings, timesteps and time of its training run. Information only."""
    features: PolicyFeatures | None = None
    skip: Skip | None = None
    """The part of the inputs that is added to the logits."""
    value_layers: tuple[Layer, ...] = ()
    """The layers from the first layer's outputs to the value (VALUE). Without them there are no values."""
    rollout_layers: tuple[Layer, ...] = ()
    """The two layers from the observation alone to logits that are quickly computed and, with `planner_weight`, near
    those of `layers`: they play the simulations of a search (`t2r distill`)."""
    planner_weight: float = 0.0
    """The number that is added to the planner's action among the logits of `rollout_layers`."""

    def __post_init__(self) -> None:
        """Raise PolicyError if the network is too large for a file, or its parts do not fit each other."""
        if not self.identities:
            raise PolicyError("a policy must have an identity, of the configuration that it plays")
        check_size((*self.layers, *self.value_layers, *self.rollout_layers))
        inputs = self.reads.size
        outputs = follow_layers("policy", self.layers, inputs)
        if self.features and len(self.features.versions) != len(self.identities):
            raise PolicyError("its features must have a version for each of its identities")
        if self.skip and not 0 <= self.skip.first <= inputs - outputs:
            raise PolicyError(f"its skip must begin at 0 to {inputs - outputs}, not at {self.skip.first}")
        if self.value_layers and follow_layers("value", self.value_layers, self.layers[0][1].size) != 1:
            raise PolicyError("its last layer of the value must have one output")
        if self.rollout_layers:
            last = follow_layers("rollout", self.rollout_layers, self.observation.size)
            if len(self.rollout_layers) != 2 or last != outputs:
                raise PolicyError(f"its rollout must have two layers, the last with {outputs} outputs")

    @cached_property
    def reads(self) -> Segments:
        """The segments of its inputs: those of the observation, then those of the features."""
        return self.observation.followed_by(self.features.segments) if self.features else self.observation

    def observation_of(self, configuration: Configuration) -> Segments:
        """Return the layout of the observations of environments that are made with its features.

        Raises PolicyError if there are none of this name.
        """
        layout = configuration.layout.observation
        if self.features is None:
            return layout
        return layout.followed_by(_find_features(self.features.name, configuration).segments)

    def logits(self, inputs: NDArray[np.uint8]) -> NDArray[np.floating]:
        """Return the logits of all actions, legal or not, (k, actions), for `inputs`, (k, size)."""
        return self.with_skip(inputs, apply_layers(self.layers, inputs))

    def logits_and_values(self, inputs: NDArray[np.uint8]) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
        """Return logits (k, actions) and values (k,), see VALUE; as estimates these may go beyond -1 and 1.

        Raises PolicyError without `value_layers`.
        """
        if not self.value_layers:
            raise PolicyError("this policy has no values: train it again")
        first = apply_layers(self.layers[:1], inputs)
        logits = apply_layers(self.layers[1:], first)
        return self.with_skip(inputs, logits), apply_layers(self.value_layers, first)[:, 0]

    @staticmethod
    def legal_logits(logits: NDArray[np.floating], masks: NDArray[np.int8]) -> NDArray[np.floating]:
        """Return logits as far as there are actions, -inf for illegal ones, given masks (k, actions)."""
        return np.where(masks == 1, logits[:, : masks.shape[1]], logits.dtype.type(-np.inf))

    def with_skip(self, inputs: NDArray[np.uint8], logits: NDArray[np.floating]) -> NDArray[np.floating]:
        """Return these logits plus those of the skip."""
        if not self.skip:
            return logits
        first, weight = self.skip
        added: NDArray[np.floating] = inputs[:, first : first + logits.shape[1]] * logits.dtype.type(weight)
        return logits + added

    def inputs(self, decisions: Decisions) -> NDArray[np.uint8]:
        """Return the inputs of `logits` for k decisions, (k, size): its segments of their observations and features.

        Their configuration must be one that `check` allows."""
        observed = self.observation.fit(decisions.observations, decisions.configuration.layout.observation)
        if self.features is None:
            return observed
        features = _find_features(self.features.name, decisions.configuration)
        computed = compute_features(features, decisions.views, decisions.masks)
        return np.hstack([observed, self.features.segments.fit(computed, features.segments)])

    def check(self, configuration: Configuration) -> None:
        """Raise PolicyError if it was trained for another configuration, or reads segments that this version lacks."""
        variant, chosen = (self.identities[0][name] for name in ("variant", "options"))
        numbers = ", ".join(str(identity["num_players"]) for identity in self.identities)
        options = ", ".join(f"{name} {value}" for name, value in chosen.items())
        title = f"the policy was trained for {variant}, {numbers} players, {options}"
        if (here := configuration.identity) not in self.identities:
            same = [identity for identity in self.identities if identity["num_players"] == here["num_players"]]
            raise PolicyError(f"{title}, {_difference((same or self.identities)[0], here)}")
        _check_segments(f"{title} and reads the observation's", self.observation, configuration.layout.observation)
        if self.features:
            self.features.check(configuration, self.features.versions[self.identities.index(here)])
        if (outputs := self.layers[-1][1].size) < (actions := configuration.layout.actions.size):
            raise PolicyError(f"{title}, but has logits of {outputs} actions, not of {actions}")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file; weights are rounded to float16. If that is interrupted, an earlier file stays.

        Raises PolicyError if the card or a weight is too large.
        """
        card = {
            "identities": [dict(identity) for identity in self.identities],
            "observation": self.observation.shapes,
            "features": self.features and self.features._asdict() | {"segments": self.features.segments.shapes},
            "skip": self.skip and self.skip._asdict(),
            "value": VALUE if self.value_layers else None,
            "planner_weight": self.planner_weight,
            "library_version": __version__,
            "training": dict(self.training),
        }
        write_layers(path, POLICY, card, self.layers, self.value_layers, self.rollout_layers)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Policy":
        """Read the file of a policy. Raises PolicyError if it is none, damaged or too large."""
        with reading(path, POLICY):
            card, (layers, value_layers, rollout_layers) = read_layers(path, POLICY)
            fields = _read_card(card)
            return cls(layers=layers, value_layers=value_layers, rollout_layers=rollout_layers, **fields)


def _read_card(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `Policy` except the layers. Raises ValueError for an entry that is missing or wrong."""
    features, skip = (entry(card, name, dict, type(None)) for name in ("features", "skip"))
    if features is not None:
        name, versions = entry(features, "name", str), entry(features, "versions", list)
        features = PolicyFeatures(name, tuple(versions), read_segments(features, "segments"))
    if skip is not None:
        skip = Skip(entry(skip, "first", int), entry(skip, "weight", int, float))
    return {
        "identities": tuple(map(read_identity, entry(card, "identities", list))),
        "observation": read_segments(card, "observation"),
        "features": features,
        "skip": skip,
        "planner_weight": entry(card, "planner_weight", int, float),
        "training": entry(card, "training", dict),
    }


def _check_segments(title: str, wanted: Segments, present: Segments) -> None:
    """Raise PolicyError unless all segments that are wanted are present, with as many rows or fewer."""
    here = present.shapes
    for name, segment in wanted.items():
        if name not in here or not wanted.has_room_for(present[name]):
            found = f"has the shape {here[name]}" if name in here else "is missing"
            raise PolicyError(
                f"{title} segment {shown(name)} of shape {segment.shape}, which {found} here; train it again"
            )


def _difference(trained: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """Return in which entry two identities differ first, and how to play what it was trained for."""
    name = next(name for name in here if trained[name] != here[name])
    given, present = trained[name], here[name]
    if name == "rules":
        return "with other tables or actions than this version has; train it again"
    wanted, others = (given, present) if name == "options" else ({name: given}, {})
    changed = {option: value for option, value in wanted.items() if others.get(option) != value}
    return f"with {name} {given!r}, not {present!r}{_advice(changed)}"


def _advice(changed: Mapping[str, Any]) -> str:
    """Return how to give these values of arguments, on the command line and in Python."""
    if not changed:
        return ""
    flags = []
    for name, value in changed.items():
        flag = f"--{name.replace('_', '-')}"
        flags.append(flag if value is True else f"without {flag}" if value is False else f"{flag} {value}")
    arguments = ", ".join(f"{name}={value!r}" for name, value in changed.items())
    return f"; play it with {' '.join(flags)} ({arguments})"


class PolicyAgent:
    """An agent that plays a policy's most probable action, or with `sample` one drawn from its probabilities.

    `policy:FILE` is the policy of that file, `policy` the one that comes with the library for the configuration.
    """

    stateless = True

    def __init__(self, policy: Policy | str | os.PathLike[str] | None = None, *, sample: bool = False) -> None:
        """Play a policy or its file; None: the one that comes with the library for the configuration."""
        self._policy = policy if isinstance(policy, Policy | None) else Policy.load(policy)
        self._sample = sample
        self._checked: list[Configuration] = []

    def check(self, configuration: Configuration) -> None:
        """Raise PolicyError if the policy does not fit the configuration, or if there is none for it."""
        self._policy_for(configuration).check(configuration)

    def _policy_for(self, configuration: Configuration) -> Policy:
        return self._policy or shipped_policy(configuration)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return a legal action for each decision, shape (k,). Raises PolicyError if the policy does not fit."""
        return self._choose(self._exponentials(decisions), decisions.seeds)

    def opinions(self, decisions: Decisions) -> list[Opinion]:
        """Return the same actions, with the probabilities of the policy, and what networks tell (`tell`).

        Chances to win are those of a network of values: the policy's own values tell less.
        """
        exponentials = self._exponentials(decisions)
        actions = self._choose(exponentials, decisions.seeds)
        probabilities = exponentials / exponentials.sum(axis=1, keepdims=True)
        return [
            Opinion(action, shares, "policy probabilities", **told)
            for action, shares, told in zip(actions.tolist(), probabilities, tell(decisions, actions), strict=True)
        ]

    def _exponentials(self, decisions: Decisions) -> NDArray[np.float64]:
        """Return the actions' probabilities, (k, actions), divided by that of the most probable one."""
        policy = self._policy_for(decisions.configuration)
        if not any(decisions.configuration is checked for checked in self._checked):  # they never change
            policy.check(decisions.configuration)
            self._checked.append(decisions.configuration)
        return relative_probabilities(policy.legal_logits(policy.logits(policy.inputs(decisions)), decisions.masks))

    def _choose(self, exponentials: NDArray[np.float64], seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        if not self._sample:
            return np.asarray(exponentials.argmax(axis=1), np.int64)
        return draw_actions(exponentials, uniform_of(seeds))


def relative_probabilities(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the actions' probabilities, divided by that of the most probable one, from logits (k, actions)."""
    return np.asarray(np.exp(logits - logits.max(axis=1, keepdims=True)), np.float64)


def draw_actions(weights: NDArray[np.float64], drawn: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return an action for each row of weights (k, actions), from random numbers from 0 to 1, (k,)."""
    cumulative = np.cumsum(weights, axis=1)
    return np.asarray((cumulative > (drawn * cumulative[:, -1])[:, None]).argmax(axis=1), np.int64)


def shipped_policy(configuration: Configuration) -> Policy:
    """Return the policy that comes with the library for a variant, its tickets and a number of players.

    Raises PolicyError if there is none.
    """
    game = f"{configuration.variant.id}_{configuration.options['tickets']}_"
    names = sorted(file.stem for file in SHIPPED.glob(f"*{POLICY_SUFFIX}"))
    for name in names:
        if name.startswith(game) and str(configuration.num_players) in name.removeprefix(game):
            return _load(SHIPPED / f"{name}{POLICY_SUFFIX}")
    raise PolicyError(f"there is no policy for {configuration}, only {', '.join(names)}; or name a file: policy:FILE")


_load = cache(Policy.load)
