"""The agent `policy`: a trained network, read from a file.

The file of a policy is a zip archive of a card, `policy.json`, which says what it was trained for, and the weights of
its layers as NumPy arrays, `policy.npz`. A checkpoint of `t2r train` is such a file too; its other parts are not
read, so that loading a policy never runs code from the file. Playing needs only NumPy.
"""

import io
import json
import math
import os
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from t2r_env import Configuration, __version__
from t2r_env.agents import Decisions, Opinion
from t2r_env.checks import as_integer
from t2r_env.features import Features, compute_features, digest_of, feature_names, find_features
from t2r_env.reading import open_archive, parse_json, read_part, shown
from t2r_env.writing import replacing

FORMAT = "t2r_env policy 2"
READABLE_FORMATS = ("t2r_env policy 1", FORMAT)
"""The first one had no skip and no value."""
CARD, WEIGHTS = "policy.json", "policy.npz"
MAX_FILE_BYTES = 1 << 31
"""Of the file of a policy; as large as that of a checkpoint, which is one too."""
MAX_CARD_BYTES = 1 << 16
MAX_WEIGHTS_BYTES = 1 << 25
"""Of the part with the weights, and of these together; unpacked."""
MAX_PARAMETERS = 1 << 23
MAX_LAYERS = 16
PARTS = {CARD: MAX_CARD_BYTES, WEIGHTS: MAX_WEIGHTS_BYTES}
"""The parts of the file and their limits in bytes, unpacked."""
OTHER_PARTS = 8
"""How many more a file may have, as a checkpoint does. They are not read."""
SHIPPED = Path(__file__).parent / "policies"
"""The folder of the policies that come with the library, `VARIANT_PLAYERS.zip`."""
VERSIONS = ("v1",)
"""Earlier versions of them, kept until the next release as yardsticks; each has a folder of its own there."""

Layer = tuple[NDArray[np.floating], NDArray[np.floating]]
"""Weight (inputs, outputs) and bias (outputs,)."""
VALUE = "the expected reward for the rank at the end, from -1 (last) to 1 (first)"
"""What the values of a policy predict."""


class Skip(NamedTuple):
    """A part of the observation, as long as there are actions, that is added to the logits `weight` times."""

    first: int
    """Where it begins in the observation."""
    weight: float


class PolicyError(ValueError):
    """A file that is not a policy, or a policy that was trained for another configuration. The message says which."""


@dataclass(frozen=True)
class Policy:
    """A network that maps observations to logits of actions and values, and what it was trained for.

    It is a multilayer perceptron with ReLU between its layers. Its inputs are observations as they are, uint8, followed
    by derived features if it was trained with some. Values come from layers of their own behind the first one. It
    computes in the dtype of its layers. Policies from files compute in float64, so that an action does not depend on
    how many decisions are made together: in float32 the rounding of sums differs visibly.
    """

    identity: Mapping[str, Any]
    """Variant, hash of its tables and layouts, number of players, options, environment version."""
    layers: tuple[Layer, ...]
    training: Mapping[str, Any] = field(default_factory=dict)
    """How it was trained: settings, timesteps and time. Information only."""
    features: Mapping[str, str] | None = None
    """The name of the features that it was trained with, and their digest (`features_identity`); None: no features."""
    skip: Skip | None = None
    """What is added to the logits."""
    value_layers: tuple[Layer, ...] = ()
    """From the first layer's outputs to the value (VALUE). Without them there are no values."""

    def __post_init__(self) -> None:
        """Raise PolicyError for a network that is too large for a file."""
        _check_size([weight.shape for weight, _ in (*self.layers, *self.value_layers)])

    def logits(self, observations: NDArray[np.uint8]) -> NDArray[np.floating]:
        """The logits of all actions, legal or not, (k, actions), for observations (k, size) with their features."""
        return self.with_skip(observations, _apply(self.layers, observations.astype(self.layers[0][0].dtype)))

    def logits_and_values(self, observations: NDArray[np.uint8]) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
        """Logits (k, actions) and values (k,), see VALUE. Raises PolicyError for a policy without `value_layers`."""
        if not self.value_layers:
            raise PolicyError("this policy has no values: train it again")
        first = _apply(self.layers[:1], observations.astype(self.layers[0][0].dtype))
        features = np.maximum(first, 0)
        logits = _apply(self.layers[1:], features) if len(self.layers) > 1 else first
        return self.with_skip(observations, logits), _apply(self.value_layers, features)[:, 0]

    def with_skip(self, observations: NDArray[np.uint8], logits: NDArray[np.floating]) -> NDArray[np.floating]:
        """These logits plus what the skip adds to them."""
        if not self.skip:
            return logits
        first, weight = self.skip
        added: NDArray[np.floating] = observations[:, first : first + logits.shape[1]] * logits.dtype.type(weight)
        return logits + added

    def inputs(self, decisions: Decisions) -> NDArray[np.uint8]:
        """What `logits` takes of k decisions, (k, size): their observations, and the features if it was trained with
        some. Raises PolicyError if there are no such features."""
        features = self.find_features(decisions.configuration)
        if features is None:
            return decisions.observations
        return np.hstack([decisions.observations, compute_features(features, decisions.views, decisions.masks)])

    def check(self, configuration: Configuration) -> None:
        """Raise PolicyError if it was trained for another configuration, or if its layers do not fit this one."""
        title = f"the policy was trained for {_title(self.identity)}"
        for name, here in identity_of(configuration).items():
            if self.identity[name] != here:
                if name == "digest":
                    raise PolicyError(f"{title}, with other tables or layouts than this version has; train it again")
                label = name.replace("environment_version", "environment version")
                fault = f"{title}, with {label} {self.identity[name]!r}, not {here!r}"
                if name == "environment_version":
                    raise PolicyError(fault)
                wanted = self.identity["options"] if name == "options" else {name: self.identity[name]}
                present = configuration.options if name == "options" else {}
                changed = {option: value for option, value in wanted.items() if present.get(option) != value}
                raise PolicyError(f"{fault}{_advice(changed)}")
        features = self.find_features(configuration)
        inputs = configuration.layout.observation.size + (features.segments.size if features else 0)
        sizes = inputs, configuration.layout.actions.size
        widths = [sizes[0], *(bias.size for _, bias in self.layers)]
        expected = [((inputs, outputs), (outputs,)) for inputs, outputs in pairwise(widths)]
        if [(weight.shape, bias.shape) for weight, bias in self.layers] != expected or widths[-1] != sizes[1]:
            shapes = ", ".join(str(weight.shape) for weight, _ in self.layers)
            raise PolicyError(f"{title}, but its layers have the shapes {shapes}, not from {sizes[0]} to {sizes[1]}")
        if self.skip and not 0 <= self.skip.first <= sizes[0] - sizes[1]:
            raise PolicyError(f"{title}, but its skip begins at {self.skip.first}, not from 0 to {sizes[0] - sizes[1]}")
        if self.value_layers and (self.value_layers[0][0].shape[0], self.value_layers[-1][1].size) != (widths[1], 1):
            raise PolicyError(f"{title}, but its value is not one number computed from {widths[1]}")

    def find_features(self, configuration: Configuration) -> Features | None:
        """The features that it takes. Raises PolicyError if there are none of this name, or if they have changed."""
        return None if self.features is None else _find_features(**self.features, configuration=configuration)

    def write(self, archive: zipfile.ZipFile) -> None:
        """Write card and weights to an archive; weights are rounded to float16."""
        fields = {"format": FORMAT, **self.identity, "library_version": __version__}
        fields |= {"features": dict(self.features)} if self.features else {}
        fields |= {"skip": self.skip._asdict()} if self.skip else {}
        fields |= {"value": VALUE} if self.value_layers else {}
        card = json.dumps(fields | {"training": dict(self.training)}, indent=2)
        if len(card.encode()) > MAX_CARD_BYTES:
            raise PolicyError(f"the card of a policy must have at most {MAX_CARD_BYTES:,} bytes, not {len(card):,}")
        arrays = {}
        for begin, layers in (("", self.layers), (_VALUE, self.value_layers)):
            for number, layer in enumerate(layers):
                for name, array in zip(("weight", "bias"), layer, strict=True):
                    arrays[f"{begin}{name}_{number}"] = array.astype(np.float16)
        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, **arrays)
        archive.writestr(CARD, card)
        archive.writestr(WEIGHTS, buffer.getvalue())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file. If that is interrupted, the file that was there before stays."""
        with new_archive(path, zipfile.ZIP_DEFLATED) as archive:
            self.write(archive)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Policy":
        """Read the file of a policy, or a checkpoint. Raises PolicyError if it is neither, damaged or too large.

        Sizes, names and shapes are checked before anything is unpacked.
        """
        try:
            with open_archive(path, MAX_FILE_BYTES, PARTS, OTHER_PARTS) as archive:
                card = parse_json(read_part(archive, CARD, MAX_CARD_BYTES).decode())
                if not isinstance(card, dict) or card.get("format") not in READABLE_FORMATS:
                    raise PolicyError(f"this is not a policy of the format {FORMAT!r}")
                _check_card(card)
                identity = {name: card[name] for name in _IDENTITY}
                layers, value_layers = _read_layers(read_part(archive, WEIGHTS, MAX_WEIGHTS_BYTES))
            skip = Skip(**card["skip"]) if "skip" in card else None
            return cls(identity, layers, card.get("training", {}), card.get("features"), skip, value_layers)
        except FileNotFoundError:
            raise PolicyError(f"there is no file {path}") from None
        except PolicyError as error:
            raise PolicyError(f"{path}: {error}") from None
        except Exception as error:  # zipfile, zlib and NumPy raise many types for damaged files
            raise PolicyError(f"{path} is not a policy, or it is damaged: {error}") from None


def _check_card(card: Mapping[str, Any]) -> None:
    if missing := [name for name in _IDENTITY if name not in card]:
        raise ValueError(f"its {missing[0]} is missing")
    for name, is_right, meaning in (
        ("variant", isinstance(card["variant"], str), "a string"),
        ("num_players", as_integer(card["num_players"]) is not None, "an integer"),
        ("options", isinstance(card["options"], dict), "an object"),
        ("environment_version", as_integer(card["environment_version"]) is not None, "an integer"),
        ("digest", isinstance(card["digest"], str), "a string"),
        ("training", isinstance(card.get("training", {}), dict), "an object"),
        ("skip", "skip" not in card or _is_skip(card["skip"]), "an object of an integer `first` and a number `weight`"),
        ("features", _are_features(card.get("features")), "null, or an object of name and digest, strings"),
    ):
        if not is_right:
            raise ValueError(f"its {name} must be {meaning}, not {shown(card[name])}")


def _is_skip(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == set(Skip._fields)
        and as_integer(value["first"]) is not None
        and isinstance(value["weight"], int | float)
        and not isinstance(value["weight"], bool)
        and math.isfinite(value["weight"])
    )


def _are_features(given: object) -> bool:
    if not isinstance(given, dict):
        return given is None
    return given.keys() == {"name", "digest"} and all(isinstance(value, str) for value in given.values())


def _apply(layers: Sequence[Layer], values: NDArray[np.floating]) -> NDArray[np.floating]:
    """The outputs (k, outputs) of layers with ReLU between them, from inputs (k, inputs)."""
    for weight, bias in layers[:-1]:
        values = np.maximum(values @ weight + bias, 0)
    weight, bias = layers[-1]
    return values @ weight + bias


def _read_layers(content: bytes) -> tuple[tuple[Layer, ...], tuple[Layer, ...]]:
    """The layers in the part with the weights, and those of the value.

    The headers of all arrays are checked before the first is read.
    """
    kinds = ("weight", "bias", f"{_VALUE}weight", f"{_VALUE}bias")
    limits = {f"{name}_{i}.npy": MAX_WEIGHTS_BYTES for i in range(MAX_LAYERS) for name in kinds}
    with open_archive(content, MAX_WEIGHTS_BYTES, limits) as archive:
        entries = {entry.filename: entry.file_size for entry in archive.infolist()}
        if not entries or sum(entries.values()) > MAX_WEIGHTS_BYTES:
            raise ValueError(f"its weights must have 1 to {MAX_WEIGHTS_BYTES:,} bytes, not {sum(entries.values()):,}")
        numbers = {begin: sum(entry.startswith(begin) for entry in entries) for begin in ("", _VALUE)}
        numbers[""] -= numbers[_VALUE]
        names = {
            begin: [(f"{begin}weight_{i}.npy", f"{begin}bias_{i}.npy") for i in range((number + 1) // 2)]
            for begin, number in numbers.items()
        }
        shapes = {name: _read_shape(archive, name) for pairs in names.values() for pair in pairs for name in pair}
        _check_size([shapes[weight] for pairs in names.values() for weight, _ in pairs])
        for pairs in names.values():
            _check_shapes(pairs, shapes)
        policy, value = (
            tuple((_read_array(archive, weight), _read_array(archive, bias)) for weight, bias in pairs)
            for pairs in names.values()
        )
    if not all(np.isfinite(array).all() for layer in (*policy, *value) for array in layer):
        raise ValueError("its weights are not all finite")
    return policy, value


def _check_shapes(names: Sequence[tuple[str, str]], shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Raise ValueError if the shapes of weights and biases, which follow each other, do not fit."""
    if not names:
        return
    widths = [shapes[names[0][0]][:1], *(shapes[bias] for _, bias in names)]
    for (weight, bias), inputs, outputs in zip(names, widths, widths[1:], strict=False):
        if len(outputs) != 1 or shapes[weight] != inputs + outputs:
            raise ValueError(
                f"{weight} and {bias} must be of shapes (inputs, outputs) and (outputs,), the inputs being the"
                f" outputs before, not {shapes[weight]} and {shapes[bias]}"
            )


def _check_size(shapes: Sequence[tuple[int, ...]]) -> None:
    """Raise PolicyError if a network with weights of these shapes is too large."""
    number = sum(math.prod(shape) for shape in shapes)
    if len(shapes) > MAX_LAYERS or number > MAX_PARAMETERS:
        raise PolicyError(
            f"a policy may have at most {MAX_LAYERS} layers and {MAX_PARAMETERS:,} weights, not {len(shapes)} layers"
            f" and {number:,} weights"
        )


def _read_shape(archive: zipfile.ZipFile, name: str) -> tuple[int, ...]:
    """The shape that an array's header gives. It must agree with the array's size."""
    header = _Header.of(archive, name)
    size = archive.getinfo(name).file_size
    if header.offset + math.prod(header.shape) * header.dtype.itemsize != size:
        raise ValueError(f"{name} has {size:,} bytes, which is not the size of an array of shape {header.shape}")
    return header.shape


def _read_array(archive: zipfile.ZipFile, name: str) -> NDArray[np.float64]:
    header = _Header.of(archive, name)
    content = read_part(archive, name, MAX_WEIGHTS_BYTES)
    values = np.frombuffer(content, header.dtype, offset=header.offset)
    return values.reshape(header.shape, order=header.order).astype(np.float64)


class _Header(NamedTuple):
    """The header of an array's file."""

    shape: tuple[int, ...]
    order: Literal["C", "F"]
    dtype: np.dtype[Any]
    offset: int
    """Of the values, in bytes."""

    @classmethod
    def of(cls, archive: zipfile.ZipFile, name: str) -> "_Header":
        if name not in archive.namelist():
            raise ValueError(f"its part {name} is missing")
        with archive.open(name) as part:
            if np.lib.format.read_magic(part) != (1, 0):
                raise ValueError(f"{name} must be of version 1.0 of NumPy's format")
            shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(part)
            offset = part.tell()
        if any(length < 0 for length in shape):  # NumPy's header is a Python expression, -1 too
            raise ValueError(f"{name} must have a shape of lengths from 0, not {shape}")
        if dtype not in _DTYPES:
            raise ValueError(
                f"{name} must be of dtype {', '.join(map(str, _DTYPES))}, not {dtype} (allow_pickle=False)"
            )
        return cls(shape, "F" if is_fortran else "C", dtype, offset)


_VALUE = "value_"
"""With this begin the names of the arrays of the value's layers."""
_DTYPES = tuple(map(np.dtype, (np.float16, np.float32, np.float64)))


@contextmanager
def new_archive(path: str | os.PathLike[str], compression: int) -> Iterator[zipfile.ZipFile]:
    """A new zip archive, which replaces the file at `path` once it is complete."""
    with replacing(path) as new, zipfile.ZipFile(new, "w", compression) as archive:
        yield archive


_IDENTITY = ("variant", "num_players", "options", "environment_version", "digest")


def identity_of(configuration: Configuration) -> dict[str, Any]:
    """What must agree for a policy to fit a configuration."""
    identity = configuration.identity | {"environment_version": configuration.variant.environment_version}
    return {name: identity[name] for name in _IDENTITY}


@lru_cache(maxsize=32)
def _find_features(name: str, digest: str, configuration: Configuration) -> Features:
    """The features of a policy. A file names no import path: it can't say which code is run."""
    title = f"the policy was trained with the features {shown(name)}"
    if name not in (names := feature_names()):
        raise PolicyError(f"{title}, which are not installed; there are: {', '.join(names) or 'none'}")
    try:
        found = find_features(name, configuration)
    except (TypeError, ValueError) as error:
        raise PolicyError(f"{title}: {error}") from error
    if digest_of(found) != digest:
        raise PolicyError(f"{title}, which this version computes or lays out otherwise; train it again")
    return found


def features_identity(name: str | None, configuration: Configuration) -> dict[str, str] | None:
    """What a policy's card says of the features that it was trained with: their name and digest; None without any.

    Raises ValueError for features without a name (`t2r_env.features.feature_names`), and what `find_features` does.
    """
    if name is None:
        return None
    if name not in (names := feature_names()):
        raise ValueError(f"a policy's features must have a name, one of {', '.join(names) or 'none'}, not {name!r}")
    return {"name": name, "digest": digest_of(find_features(name, configuration))}


def _title(identity: Mapping[str, Any]) -> str:
    options = ", ".join(f"{name} {value}" for name, value in identity["options"].items())
    return f"{identity['variant']}, {identity['num_players']} players, {options}"


def _advice(changed: Mapping[str, Any]) -> str:
    """What to type for these values of arguments, on the command line and in Python."""
    if not changed:
        return ""
    flags = []
    for name, value in changed.items():
        flag = f"--{name.replace('_', '-')}"
        flags.append(flag if value is True else f"without {flag}" if value is False else f"{flag} {value}")
    arguments = ", ".join(f"{name}={value!r}" for name, value in changed.items())
    return f"; play it with {' '.join(flags)} ({arguments})"


class PolicyAgent:
    """Plays the most probable action of a policy, or with `sample` one drawn from its probabilities.

    `policy:FILE` is the policy of that file, `policy` the one that comes with the library for the configuration, and
    `policy:v1` the one that came with version 0.1.
    """

    stateless = True

    def __init__(self, policy: Policy | str | os.PathLike[str] | None = None, *, sample: bool = False) -> None:
        """A policy, its file or a version (VERSIONS); None: the one that comes with the library for the
        configuration."""
        self._version = policy if isinstance(policy, str) and policy in VERSIONS else ""
        given = None if self._version else policy
        self._policy = given if isinstance(given, Policy | None) else Policy.load(given)
        self._sample = sample

    def check(self, configuration: Configuration) -> None:
        """Raise PolicyError if the policy does not fit the configuration, or if there is none for it."""
        self._policy_for(configuration).check(configuration)

    def _policy_for(self, configuration: Configuration) -> Policy:
        return self._policy or shipped_policy(configuration.variant.id, configuration.num_players, self._version)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision, shape (k,). Raises PolicyError if the policy does not fit."""
        return self._choose(self._exponentials(decisions), decisions.seeds)

    def opinions(self, decisions: Decisions) -> list[Opinion]:
        """The same actions, with the probabilities of the policy."""
        exponentials = self._exponentials(decisions)
        actions = self._choose(exponentials, decisions.seeds).tolist()
        probabilities = exponentials / exponentials.sum(axis=1, keepdims=True)
        return [Opinion(*both, "policy probabilities") for both in zip(actions, probabilities, strict=True)]

    def _exponentials(self, decisions: Decisions) -> NDArray[np.float64]:
        """The probabilities of the actions, (k, actions), divided by that of the most probable one."""
        policy = self._policy_for(decisions.configuration)
        policy.check(decisions.configuration)
        logits = np.where(decisions.masks == 1, policy.logits(policy.inputs(decisions)), -np.inf)
        return np.asarray(np.exp(logits - logits.max(axis=1, keepdims=True)), np.float64)

    def _choose(self, exponentials: NDArray[np.float64], seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        if not self._sample:
            return np.asarray(exponentials.argmax(axis=1), np.int64)
        cumulative = np.cumsum(exponentials, axis=1)
        drawn = (seeds >> np.uint64(11)).astype(np.float64) / 2.0**53 * cumulative[:, -1]
        return np.asarray((cumulative > drawn[:, None]).argmax(axis=1), np.int64)


@cache
def shipped_policy(variant: str, num_players: int, version: str = "") -> Policy:
    """The policy that comes with the library for a variant, the newest or that of an earlier version (VERSIONS).

    Raises PolicyError if there is none.
    """
    folder = SHIPPED / version
    path = folder / f"{variant}_{num_players}.zip"
    if not path.exists():
        shipped = ", ".join(sorted(file.stem for file in folder.glob("*.zip")))
        raise PolicyError(
            f"there is no policy for {variant} with {num_players} players, only {shipped}; or name a file: policy:FILE"
        )
    return Policy.load(path)
