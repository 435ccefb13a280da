"""The folder of a search: `tuning.json` with settings, ranges and the result, `evaluations.jsonl` with all candidates.

A line is written after each evaluation. The search goes on from there by proposing the same candidates again and taking
the results that it has from the file.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from t2r_agents.tuning.tuning import Evaluation, Settings, Tuning, Validation, as_fields
from t2r_env import __version__
from t2r_env.reading import parse_json, read_text, shown
from t2r_env.writing import naming, replacing

MAX_SETTINGS_BYTES = 1 << 24
MAX_EVALUATIONS_BYTES = 1 << 30


class FolderError(ValueError):
    """A folder does not contain the search that is looked for; the message says what is wrong."""


class Folder:
    """The folder of a search."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._settings, self._evaluations = path / "tuning.json", path / "evaluations.jsonl"

    def begin(self, tuning: Tuning) -> None:
        """Create the folder and write the settings. Raises FolderError if it contains a search already."""
        if self._settings.exists():
            raise FolderError(f"{self.path} contains a search already: use --resume to go on with it")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise FolderError(f"--out must be a folder, not the file {self.path}") from None
        self._evaluations.unlink(missing_ok=True)
        self.write(tuning)

    def add(self, evaluation: Evaluation) -> None:
        """Write an evaluation that was played, at once."""
        with naming(self._evaluations), self._evaluations.open("a", encoding="utf-8") as file:
            file.write(json.dumps(as_fields(evaluation)) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def write(self, tuning: Tuning, validation: Validation | None = None) -> None:
        """Write the settings and what has been found so far."""
        content = {
            "library": __version__,
            "identity": tuning.configuration.identity,
            "settings": as_fields(tuning.settings),
            "parameters": _ranges(tuning),
            "result": tuning.result,
            "validation": as_fields(validation) if validation else None,
        }
        with replacing(self._settings) as new:
            new.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")

    def settings(self) -> Settings:
        """The settings of the search of this folder. Raises FolderError if there is none."""
        settings: Settings = self._read()[0]
        return settings

    def resume(self, tuning: Tuning) -> None:
        """Let a search take over the evaluations of this folder.

        Raises FolderError if the game or the agent's parameters are others now, or the files are damaged.
        """
        _, content = self._read()
        if content.get("library") != __version__:
            raise FolderError(f"{self.path} was made with version {shown(content.get('library'))} of t2r_env")
        if content.get("identity") != tuning.configuration.identity:
            raise FolderError(f"{self.path} was played with other tables of {tuning.settings.variant}")
        if content.get("parameters") != _ranges(tuning):
            raise FolderError(f"{self.path}: the parameters of {tuning.settings.agent} are others now")
        try:
            tuning.restore([Evaluation(**parse_json(line)) for line in self._lines()])
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise FolderError(f"{self._evaluations} can't be used: {error}") from None
        # an incomplete line would spoil the next one
        if tuning.evaluations:
            text = "".join(json.dumps(as_fields(evaluation)) + "\n" for evaluation in tuning.evaluations.values())
            with replacing(self._evaluations) as new:
                new.write_text(text, encoding="utf-8")

    def _read(self) -> tuple[Settings, Mapping[str, Any]]:
        try:
            content = parse_json(read_text(self._settings, MAX_SETTINGS_BYTES))
            given = content["settings"]
            return Settings(**given | {"seed": int(given["seed"])}), content
        except OSError as error:
            raise FolderError(f"{self.path} does not contain a search: {error}") from None
        except (ValueError, TypeError, KeyError) as error:
            raise FolderError(f"{self._settings} can't be read: {error}") from None

    def _lines(self) -> list[str]:
        """The complete lines of the evaluations."""
        if not self._evaluations.exists():
            return []
        text = read_text(self._evaluations, MAX_EVALUATIONS_BYTES)
        return [line for line in text.splitlines(keepends=True) if line.endswith("\n")]


def _ranges(tuning: Tuning) -> dict[str, Any]:
    """Of the agent's parameters."""
    return {name: {"low": it.low, "high": it.high} for name, it in tuning.parameters.items()}
