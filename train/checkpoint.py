"""Checkpoints: a policy that can be played, and everything needed to resume its training.

A resumed training gives the same results as one that was not interrupted: network, optimiser, games, opponents and
random states are saved. Everything but the policy is a pickle, so resume only from your own files.
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
    """A file from which no training can be resumed. The message says why."""


@dataclass(frozen=True)
class Checkpoint:
    """The state of a training between two iterations."""

    settings: Settings
    policy: Policy
    model: bytes
    """The algorithm, as Stable-Baselines3 saves it."""
    state: dict[str, Any]
    """The games, the progress of the training, and the random states."""

    def save(self, path: Path) -> None:
        """Write the file. If that is interrupted, the file that was there before stays."""
        with new_archive(path, zipfile.ZIP_STORED) as archive:
            self.policy.write(archive)
            archive.writestr(SETTINGS, json.dumps(asdict(self.settings)))
            archive.writestr(MODEL, self.model)
            archive.writestr(STATE, pickle.dumps(self.state))

    @classmethod
    def load(cls, path: Path) -> "Checkpoint":
        """Read a file.

        Raises CheckpointError if it does not exist, is not a checkpoint, is damaged, or holds only a policy; and
        ValueError for settings that are not allowed.
        """
        if not path.exists():
            raise CheckpointError(f"there is no training to resume in {path.parent}: {path.name} is missing")
        try:
            policy = Policy.load(path)
            with zipfile.ZipFile(path) as archive:
                if STATE not in archive.namelist():
                    raise CheckpointError(f"{path} holds only a policy to play, not a training to resume")
                fields = json.loads(archive.read(SETTINGS))
                settings = Settings(**{name: _as_tuple(value) for name, value in fields.items()})
                policy.check(settings.configuration())
                return cls(settings, policy, archive.read(MODEL), pickle.loads(archive.read(STATE)))
        except PolicyError as error:
            raise CheckpointError(str(error)) from None
        except ValueError:  # its message is clear already
            raise
        except Exception as error:  # zipfile and pickle raise many types for damaged files and those of other versions
            raise CheckpointError(f"{path} is not a checkpoint, or it is damaged: {error}") from None


def _as_tuple(value: Any) -> Any:
    """JSON has lists where settings have tuples."""
    return tuple(value) if isinstance(value, list) else value


def random_states() -> dict[str, Any]:
    """The states of the global random number generators; the games' own are part of the games.

    Stable-Baselines3 draws its minibatches from NumPy's global one.
    """
    return {"python": random.getstate(), "numpy": np.random.get_state(), "torch": torch.get_rng_state()}  # noqa: NPY002  # theirs


def set_random_states(states: dict[str, Any]) -> None:
    """Restore what `random_states` returned."""
    random.setstate(states["python"])
    np.random.set_state(states["numpy"])  # noqa: NPY002  # theirs
    torch.set_rng_state(states["torch"])


def model_bytes(model: Any) -> bytes:
    """A Stable-Baselines3 algorithm as the bytes of its file."""
    buffer = io.BytesIO()
    model.save(buffer)
    return buffer.getvalue()
