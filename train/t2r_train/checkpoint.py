"""Checkpoints: everything that is needed to resume a training run.

A resumed run gives the same results as one that was not interrupted: network, optimiser, games, opponents and random
states are saved, as tensors and plain values: reading the file runs no code of its writer. What opponents of one's own
remember of a game under way is not saved.
"""

import io
import json
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from t2r_env.basics.packages import needs

with needs("train"):
    import torch

from t2r_env import Games
from t2r_env.basics.reading import open_archive, parse_json, read_part
from t2r_env.basics.writing import replacing
from t2r_env.history.saving import state_identity
from t2r_train.settings import Settings

SETTINGS, STATE = "settings.json", "training.pt"
MAX_SETTINGS_BYTES = 1 << 16
MAX_STATE_BYTES = 1 << 30
MAX_FILE_BYTES = 1 << 31
CHECKPOINT_PARTS = {SETTINGS: MAX_SETTINGS_BYTES, STATE: MAX_STATE_BYTES}
"""The parts of the file and their limits in bytes, unpacked."""


class CheckpointError(ValueError):
    """A file from which no training run can be resumed. The message says why."""


@dataclass(frozen=True)
class Checkpoint:
    """The state of a training run between two iterations."""

    settings: Settings
    state: dict[str, Any]
    """The progress of the training run, the learner, the pool, and for each rank the games and random numbers."""

    def save(self, path: Path) -> None:
        """Write the file. If that is interrupted, the file that was there before stays.

        Raises CheckpointError if a part is too large to be read again.
        """
        settings = json.dumps({"settings": asdict(self.settings), "identity": _identity(self.settings)}).encode()
        torch.save(self.state, state := io.BytesIO())
        parts = {SETTINGS: settings, STATE: state.getvalue()}
        with replacing(path) as new, zipfile.ZipFile(new, "w") as archive:
            for name, content in parts.items():
                if len(content) > (most := CHECKPOINT_PARTS[name]):
                    raise CheckpointError(f"{name} must have at most {most:,} bytes, not {len(content):,}")
                archive.writestr(name, content)

    @classmethod
    def load(cls, path: Path) -> "Checkpoint":
        """Read a file.

        Raises CheckpointError if it does not exist, is not a checkpoint, is damaged or too large, has settings that are
        not allowed, or was made where games, observations or features were others.
        """
        if not path.exists():
            raise CheckpointError(f"there is no training to resume in {path.parent}: {path.name} is missing")
        try:
            with open_archive(path, MAX_FILE_BYTES, CHECKPOINT_PARTS) as archive:
                content = parse_json(read_part(archive, SETTINGS, MAX_SETTINGS_BYTES).decode())
                given = content["settings"].items()  # JSON has lists where settings have tuples
                values: dict[str, Any] = {name: tuple(it) if isinstance(it, list) else it for name, it in given}
                settings = Settings(**values)
                if content["identity"] != _identity(settings):
                    raise CheckpointError(
                        f"{path} was made with other rules, observations or features than this version has: begin a new"
                        " training run"
                    )
                read = io.BytesIO(read_part(archive, STATE, MAX_STATE_BYTES))
                state = torch.load(read, map_location="cpu", weights_only=True)
            if not isinstance(state, dict):
                raise TypeError(f"{STATE} must hold a dictionary")
            return cls(settings, state)
        except CheckpointError:
            raise
        except Exception as error:  # zipfile and PyTorch raise many types for damaged files and those of other versions
            raise CheckpointError(f"{path} is not a checkpoint, or it is damaged: {error}") from None


def _identity(settings: Settings) -> list[dict[str, Any]]:
    """Return for each configuration the identities that a checkpoint depends on, as JSON has them: rules, states, the
    network's inputs."""
    identities = []
    for configuration in settings.configurations():
        games = Games(configuration, seed=0, **settings.observation_options())
        vectors = {name: [*getattr(games.layout, name).shapes.items()] for name in ("observation", "global_state")}
        features = {"state": state_identity(configuration), "features": games.features and games.features.version}
        identities.append(configuration.identity | vectors | features)
    read: list[dict[str, Any]] = json.loads(json.dumps(identities))
    return read
