"""Checkpoints: a policy that can be played, and all that a training needs to go on from there.

A training goes on exactly as it would have without the interruption: networks, optimiser, games under way, opponents
and all chance are kept. What is more than the policy is a pickle: only resume from files of your own.
"""

import io
import json
import pickle
import random
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from agents.policy import Policy, PolicyError, new_archive
from train.settings import Settings

SETTINGS, MODEL, STATE = "settings.json", "model.zip", "training.pickle"


class CheckpointError(ValueError):
    """A file from which no training can go on. The message says why."""


@dataclass(frozen=True)
class Checkpoint:
    """A training as it stands between two updates."""

    settings: Settings
    policy: Policy
    model: bytes
    """The algorithm, as Stable-Baselines3 saves it."""
    state: dict[str, Any]
    """Everything else that must be as it was."""

    def save(self, path: Path) -> None:
        """Write the file, or leave the former one as it is."""
        with new_archive(path, zipfile.ZIP_STORED) as archive:
            self.policy.write(archive)
            archive.writestr(SETTINGS, json.dumps(asdict(self.settings)))
            archive.writestr(MODEL, self.model)
            archive.writestr(STATE, pickle.dumps(self.state))

    @classmethod
    def load(cls, path: Path) -> "Checkpoint":
        """Read a file.

        Raises CheckpointError for a file that is none, is cut short, or holds a policy alone, and ValueError for
        settings that can't be.
        """
        if not path.exists():
            raise CheckpointError(f"there is no training to go on with in {path.parent}: it has no {path.name}")
        try:
            policy = Policy.load(path)
            with zipfile.ZipFile(path) as archive:
                if STATE not in archive.namelist():
                    raise CheckpointError(f"{path} holds a policy to be played, not a training to go on with")
                fields = json.loads(archive.read(SETTINGS))
                settings = Settings(**{name: _as_tuple(value) for name, value in fields.items()})
                policy.check(settings.configuration())
                return cls(settings, policy, archive.read(MODEL), pickle.loads(archive.read(STATE)))
        except PolicyError as error:
            raise CheckpointError(str(error)) from None
        except ValueError:  # in good words already
            raise
        except Exception as error:  # whatever zipfile and pickle say of a file that is none, or of another version's
            raise CheckpointError(f"{path} is no checkpoint, or it is damaged: {error}") from None


def _as_tuple(value: Any) -> Any:
    """JSON has lists where settings have tuples."""
    return tuple(value) if isinstance(value, list) else value


def rng() -> dict[str, Any]:
    """All chance of a training that does not lie in its games.

    NumPy's global generator is the one that Stable-Baselines3 takes its minibatches from.
    """
    return {"python": random.getstate(), "numpy": np.random.get_state(), "torch": torch.get_rng_state()}  # noqa: NPY002  # theirs


def set_rng(state: dict[str, Any]) -> None:
    """Go on from `chance`."""
    random.setstate(state["python"])
    np.random.set_state(state["numpy"])  # noqa: NPY002  # theirs
    torch.set_rng_state(state["torch"])


def model_bytes(model: Any) -> bytes:
    """A Stable-Baselines3 algorithm as the bytes of its file."""
    buffer = io.BytesIO()
    model.save(buffer)
    return buffer.getvalue()
