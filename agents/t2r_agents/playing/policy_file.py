"""The files of policies, values and beliefs: the weights of layers and a card, which says what they are for.

The format is safetensors. Layers are tensors of float16: `policy.0.weight`, `policy.0.bias` and so on, and those of the
value and of the rollout network begin with `value` and `rollout`. The card is JSON in the metadata. No code is run to
read a file.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from t2r_agents.playing.network import Layer
from t2r_env import Configuration
from t2r_env.agents import POLICY_SUFFIX
from t2r_env.basics.packages import needs
from t2r_env.basics.reading import open_file, parse_json, shown
from t2r_env.basics.writing import replacing
from t2r_env.core.layout import Segments

with needs("play"):
    from safetensors import safe_open
    from safetensors.numpy import save


class FileFormat(NamedTuple):
    """A kind of file."""

    name: str
    """The name and version, as on the card."""
    kind: str
    """The thing that a file holds, in words."""
    parts: tuple[str, ...]
    """The names of its parts, each of several layers."""


POLICY = FileFormat("t2r_env policy 4", "a policy", ("policy", "value", "rollout"))
VALUES = FileFormat("t2r_env values 1", "a network of values", ("known", "everything"))
BELIEFS = FileFormat("t2r_env beliefs 1", "a network of beliefs", ("belief", "ticket"))
CARD = "card"
"""The name of the card among the metadata."""
MAX_PARAMETERS = 1 << 23
MAX_LAYERS = 16
MAX_CARD_BYTES = 1 << 16
MAX_FILE_BYTES = 17 << 20
"""The size of a file at most: two bytes for each weight, the card, and the names and shapes of the tensors."""


class PolicyError(ValueError):
    """A file that is not a policy, or a policy that was trained for another configuration. The message says which.

    The same of networks of values and beliefs.
    """


def check_size(layers: Sequence[Layer], kind: str = POLICY.kind) -> None:
    """Raise PolicyError for no layers, and for more layers or weights than a file may have."""
    number = sum(array.size for layer in layers for array in layer)
    if not 1 <= len(layers) <= MAX_LAYERS or number > MAX_PARAMETERS:
        raise PolicyError(
            f"{kind} must have 1 to {MAX_LAYERS} layers and at most {MAX_PARAMETERS:,} weights, not {len(layers)}"
            f" layers and {number:,} weights"
        )


@contextmanager
def reading(path: str | os.PathLike[str], form: FileFormat) -> Iterator[None]:
    """Turn whatever reading a file raises into a PolicyError that names the file."""
    try:
        yield
    except FileNotFoundError:
        raise PolicyError(f"there is no file {path}") from None
    except PolicyError as error:
        raise PolicyError(f"{path}: {error}") from None
    except Exception as error:  # safetensors raises errors of its own for damaged files
        raise PolicyError(f"{path} is not {form.kind}, or it is damaged: {error}") from None


def file_for(folder: Path, configuration: Configuration) -> Path:
    """Return where a folder has the network for a configuration, if there is one."""
    name = f"{configuration.variant.id}_{configuration.options['tickets']}_{configuration.num_players}"
    return folder / f"{name}{POLICY_SUFFIX}"


def write_layers(
    path: str | os.PathLike[str], form: FileFormat, card: Mapping[str, Any], *parts: Sequence[Layer]
) -> None:
    """Write a file of a card and the layers of each part; weights are rounded to float16.

    If that is interrupted, an earlier file stays. Raises PolicyError if the card or a weight is too large.
    """
    text = json.dumps({"format": form.name, **card})
    if len(text) > MAX_CARD_BYTES:
        raise PolicyError(f"the card of {form.kind} must have at most {MAX_CARD_BYTES:,} bytes, not {len(text):,}")
    tensors = {
        f"{part}.{number}.{kind}": _rounded(f"{part}.{number}.{kind}", array)
        for part, layers in zip(form.parts, parts, strict=True)
        for number, layer in enumerate(layers)
        for kind, array in zip(("weight", "bias"), layer, strict=True)
    }
    content = save(tensors, {CARD: text})
    with replacing(path) as new:
        new.write_bytes(content)


def _rounded(name: str, array: NDArray[np.floating]) -> NDArray[np.float16]:
    with np.errstate(over="ignore"):
        rounded = np.ascontiguousarray(array, np.float16)
    if not np.isfinite(rounded).all():
        raise PolicyError(f"{name} must hold finite numbers up to {np.finfo(np.float16).max:,.0f}, which float16 holds")
    return rounded


def read_layers(path: str | os.PathLike[str], form: FileFormat) -> tuple[dict[str, Any], list[tuple[Layer, ...]]]:
    """Return the card of a file and the layers of each part in float32.

    Raises ValueError, or what safetensors raises, if it is not of this format, damaged or too large, and OSError if it
    can't be read.
    """
    open_file(path, MAX_FILE_BYTES).close()  # raises for what is too large, and for pipes, which would be waited for
    with safe_open(path, "numpy") as file:
        return _read_card(file.metadata(), form), _read_layers(file, form)


def _read_card(metadata: Mapping[str, str] | None, form: FileFormat) -> dict[str, Any]:
    text = (metadata or {}).get(CARD, "null")
    if len(text) > MAX_CARD_BYTES:
        raise ValueError(f"its card must have at most {MAX_CARD_BYTES:,} bytes")
    card = parse_json(text)
    if not isinstance(card, dict) or card.get("format") != form.name:
        raise PolicyError(f"this is not {form.kind} of the format {form.name!r}")
    return card


def _read_layers(file: Any, form: FileFormat) -> list[tuple[Layer, ...]]:
    names = file.keys()
    numbers = {part: sum(name.startswith(part) for name in names) // 2 for part in form.parts}
    if len(names) > 2 * MAX_LAYERS or len(names) != 2 * sum(numbers.values()):
        raise ValueError(f"its tensors must be the weights and biases of at most {MAX_LAYERS} layers")
    return [
        tuple((_read(file, f"{part}.{number}.weight"), _read(file, f"{part}.{number}.bias")) for number in range(count))
        for part, count in numbers.items()
    ]


def _read(file: Any, name: str) -> NDArray[np.float32]:
    array = file.get_tensor(name)
    if array.dtype != np.float16 or not np.isfinite(array).all():
        raise ValueError(f"{name} must hold finite numbers of float16")
    return np.asarray(array, np.float32)


def entry(fields: Mapping[str, Any], name: str, *kinds: type) -> Any:
    """Return an entry of a card. Raises ValueError if it is missing or of another type than these."""
    value = fields.get(name)
    if type(value) not in kinds:
        allowed = " or ".join(kind.__name__ for kind in kinds)
        raise ValueError(f"its {name} must be of type {allowed}, not {shown(value)}")
    return value


def read_identity(fields: Any) -> dict[str, Any]:
    if not isinstance(fields, dict):
        raise ValueError(f"an identity must be a table, not {shown(fields)}")
    kinds = {"variant": str, "num_players": int, "options": dict, "rules": str}
    return {name: entry(fields, name, kind) for name, kind in kinds.items()}


def read_segments(fields: Mapping[str, Any], name: str) -> Segments:
    shapes: dict[str, Any] = entry(fields, name, dict)
    for shape in shapes.values():
        if not isinstance(shape, list) or not all(type(length) is int and length > 0 for length in shape):
            raise ValueError(f"its {name} must have shapes, lists of positive integers, not {shown(shape)}")
    return Segments.of((segment, tuple(shape), "") for segment, shape in shapes.items())


def follow_layers(part: str, layers: Sequence[Layer], inputs: int) -> int:
    """Return how many outputs the last layer has. Raises PolicyError unless layers fit each other and the inputs."""
    for number, (weight, bias) in enumerate(layers):
        if weight.shape != (inputs, bias.size) or bias.ndim != 1:
            raise PolicyError(
                f"its {part}.{number} must have a weight (inputs, outputs) and a bias (outputs,) for {inputs:,} inputs,"
                f" not {weight.shape} and {bias.shape}"
            )
        inputs = bias.size
    return inputs
