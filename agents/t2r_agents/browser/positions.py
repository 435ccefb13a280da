"""Study positions: games up to a step, kept with names in a folder, so that they can be played on again and again."""

import threading
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

from t2r_agents.browser.lobby import short_name
from t2r_agents.browser.table import RefusedError
from t2r_env import Replay
from t2r_env.basics.reading import parse_json, read_text, shown
from t2r_env.replay import MAX_FILE_BYTES, MAX_NAME
from t2r_env.variants import VARIANTS, load_variant

FOLDER = "positions"
MOST = 200
"""The most positions that are kept."""


class Positions:
    """The positions in a folder; each is the file of a replay that has a name."""

    def __init__(self, folder: Path, variants: Collection[str] = ()) -> None:
        """Keep them in a folder of the folder of games. `variants` may name folders of one's own games."""
        self.folder = folder / FOLDER
        self._own = [it for it in variants if it not in VARIANTS]
        self._lock = threading.Lock()
        """The lock that is held while a position is kept, so that each has a file of its own."""
        self._deleted: set[str] = set()
        """The names of deleted files. They are not given again: a page that still lists one would mean another."""

    def files(self) -> list[Path]:
        """Return the files, in the order of their names."""
        return sorted(file for file in self.folder.glob("*.json") if file.name.isprintable())

    def keep(self, replay: Replay, name: Any) -> str:
        """Keep a position under a name, and return the name of its file. Raises RefusedError."""
        if not isinstance(name, str) or not name.strip():
            raise RefusedError(f"a position needs a name of 1 to {MAX_NAME} printable characters")
        with self._lock:
            if len(self.files()) >= MOST:
                raise RefusedError(f"{self.folder} has {MOST} positions already: delete some")
            number = 1
            while (file := self.folder / f"{replay.configuration.variant.id}-{number}.json").exists() or (
                file.name in self._deleted
            ):
                number += 1
            try:
                self.folder.mkdir(parents=True, mode=0o700, exist_ok=True)
                replay.until(len(replay.actions), name.strip()).save(file)
            except (OSError, ValueError) as error:
                raise RefusedError(str(error)) from error
        return file.name

    def listed(self) -> list[dict[str, Any]]:
        """Return how the positions are listed, from their files alone; damaged ones have only their file."""
        return [self._listed(file) for file in self.files()]

    def _listed(self, file: Path) -> dict[str, Any]:
        entry: dict[str, Any] = {"file": file.name}
        with suppress(OSError, TypeError, ValueError, KeyError):
            fields = parse_json(read_text(file, MAX_FILE_BYTES))
            players, name, variant = fields["num_players"], fields["name"], self._variant_of(fields["variant"])
            if type(players) is int and isinstance(name, str) and variant is not None:
                entry |= {"name": name[:MAX_NAME], "game": short_name(load_variant(variant)), "players": players}
        return entry

    def load(self, file: Any) -> tuple[str, Replay]:
        """Return the variant of a position, a name or a folder, and the position.

        Raises RefusedError if there is none in this file, it is of a game that is not known here, or it is damaged.
        """
        path = self._path(file)
        try:
            fields = parse_json(read_text(path, MAX_FILE_BYTES))
            named = fields.get("variant") if isinstance(fields, dict) else None
            variant = self._variant_of(named)
            if variant is None:
                raise ValueError(f"the folder of its game {shown(named)} was not given as --variant")
            return variant, Replay.load(path, variant)
        except (OSError, ValueError) as error:
            raise RefusedError(f"the position can't be taken up: {error}") from error

    def _variant_of(self, name: Any) -> str | None:
        """Return the name of a game of the library, or the folder of one's own that it is the id of, if any."""
        return name if name in VARIANTS else next((it for it in self._own if load_variant(it).id == name), None)

    def delete(self, file: Any) -> None:
        """Delete a position. Raises RefusedError if there is none in this file, or it can't be deleted."""
        path = self._path(file)
        try:
            path.unlink()
            self._deleted.add(path.name)
        except OSError as error:
            raise RefusedError(f"the position can't be deleted: {error}") from error

    def _path(self, file: Any) -> Path:
        found = [path for path in self.files() if path.name == file]
        if not found:
            raise RefusedError(f"there is no position {shown(file)}")
        return found[0]
