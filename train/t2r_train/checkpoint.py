"""Checkpoints: a policy that can be played, and everything needed to resume its training.

A resumed training gives the same results as one that was not interrupted: network, optimiser, games, opponents and
random states are saved. `training.pickle` is a pickle, which may run any code when it is read: sizes are checked, but
no check makes a pickle safe. So resume only from your own files. To play the policy of a checkpoint it is not read.
"""

import io
import json
import pickle
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from t2r_agents.policy import MAX_FILE_BYTES, PARTS, Policy, PolicyError, new_archive
from t2r_env.reading import open_archive, parse_json, read_part
from t2r_train.settings import Settings

SETTINGS, MODEL, STATE = "settings.json", "model.pt", "training.pickle"
MAX_SETTINGS_BYTES = 1 << 16
MAX_MODEL_BYTES = 1 << 29
MAX_STATE_BYTES = 1 << 30
CHECKPOINT_PARTS = {**PARTS, SETTINGS: MAX_SETTINGS_BYTES, MODEL: MAX_MODEL_BYTES, STATE: MAX_STATE_BYTES}
"""The parts of the file and their limits in bytes, unpacked."""


class CheckpointError(ValueError):
    """A file from which no training can be resumed. The message says why."""


@dataclass(frozen=True)
class Checkpoint:
    """The state of a training between two iterations."""

    settings: Settings
    policy: Policy
    learner: dict[str, Any]
    """What has been learned (`Learner.state`): tensors, as PyTorch saves them."""
    state: dict[str, Any]
    """The games, the progress of the training, and the state of its random numbers."""

    def save(self, path: Path) -> None:
        """Write the file. If that is interrupted, the file that was there before stays.

        Raises CheckpointError if a part is too large to be read again.
        """
        settings, state = json.dumps(asdict(self.settings)).encode(), pickle.dumps(self.state)
        torch.save(self.learner, model := io.BytesIO())
        with new_archive(path, zipfile.ZIP_STORED) as archive:
            self.policy.write(archive)
            for name, content in {SETTINGS: settings, MODEL: model.getvalue(), STATE: state}.items():
                if len(content) > (most := CHECKPOINT_PARTS[name]):
                    raise CheckpointError(f"{name} must have at most {most:,} bytes, not {len(content):,}")
                archive.writestr(name, content)

    @classmethod
    def load(cls, path: Path) -> "Checkpoint":
        """Read a file.

        Raises CheckpointError if it does not exist, is not a checkpoint, is damaged or too large, holds only a policy,
        or has settings that are not allowed.
        """
        if not path.exists():
            raise CheckpointError(f"there is no training to resume in {path.parent}: {path.name} is missing")
        try:
            policy = Policy.load(path)
            with open_archive(path, MAX_FILE_BYTES, CHECKPOINT_PARTS) as archive:
                if STATE not in archive.namelist():
                    raise CheckpointError(f"{path} holds only a policy to play, not a training to resume")
                settings = _settings(parse_json(read_part(archive, SETTINGS, MAX_SETTINGS_BYTES).decode()))
                policy.check(settings.configuration())
                model = io.BytesIO(read_part(archive, MODEL, MAX_MODEL_BYTES))
                learner = torch.load(model, map_location="cpu", weights_only=True)
                state = pickle.loads(read_part(archive, STATE, MAX_STATE_BYTES))
            if not isinstance(state, dict):
                raise TypeError(f"{STATE} must hold a dictionary")
            return cls(settings, policy, learner, state)
        except CheckpointError:
            raise
        except PolicyError as error:
            raise CheckpointError(str(error)) from None
        except Exception as error:  # zipfile and pickle raise many types for damaged files and those of other versions
            raise CheckpointError(f"{path} is not a checkpoint, or it is damaged: {error}") from None


def _settings(fields: Any) -> Settings:
    if not isinstance(fields, dict):
        raise TypeError(f"{SETTINGS} must hold an object")
    return Settings(**{name: _as_tuple(value) for name, value in fields.items()})


def _as_tuple(value: Any) -> Any:
    """JSON has lists where settings have tuples."""
    return tuple(value) if isinstance(value, list) else value
