"""The file of seats of a game: who plays it, and the secret keys of its screens, which are looked up in memory."""

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from t2r_agents.browser.players import Player, Wish, check_distinct, read_player, seat_players
from t2r_agents.browser.table import FORMAT, OLD_FORMAT, SEATS, Screen, is_key
from t2r_env.basics.reading import parse_json, read_text
from t2r_env.basics.sizes import MAX_SEATS

MAX_SEATS_BYTES = 1 << 16
LOOK_SECONDS = 1.0
"""The time after which a folder is searched again for a key that was not there, even if it seems unchanged."""


class Keys:
    """The games of a folder by the keys of their screens, in memory."""

    def __init__(self, folder: Path, names: Callable[[], Sequence[str]]) -> None:
        """Look in a folder, with a function that searches it for the names of games, the latest first."""
        self._folder, self._search = folder, names
        self._lock = threading.Lock()
        self._names: dict[str, str] = {}
        """The name of the game that has a key, as far as known."""
        self._read: dict[str, tuple[int, Sequence[str]]] = {}
        """The time of each game's file of seats and the keys in it, so that each file is read once."""
        self._folder_time, self._looked = -1, -LOOK_SECONDS

    def add(self, name: str, screens: Sequence[Screen]) -> None:
        """Take the keys of a game that has been begun or opened."""
        with self._lock:
            self._names |= {screen.key: name for screen in screens}

    def find(self, key: str) -> str | None:
        """Return the name of the game that has a key, None if there is none.

        The folder is searched only if it has changed since the last time, or if that was long ago.
        """
        if not is_key(key):
            return None
        with self._lock:
            if (name := self._name_of(key)) is None:
                self._look()
                name = self._name_of(key)
            return name

    def _name_of(self, key: str) -> str | None:
        name = self._names.get(key)
        return name if name is not None and key in self._keys_of(name) else None

    def _look(self) -> None:
        try:
            folder_time = self._folder.stat().st_mtime_ns
        except OSError:
            folder_time = -1
        now = time.monotonic()
        if folder_time == self._folder_time and now - self._looked < LOOK_SECONDS:
            return
        self._folder_time, self._looked = folder_time, now
        found = {name: self._keys_of(name) for name in reversed(self._search())}
        known = {key: name for key, name in self._names.items() if key in found.get(name, ())}  # copies have them, too
        self._names = {key: name for name, keys in found.items() for key in keys} | known
        self._read = {name: read for name, read in self._read.items() if name in found}

    def _keys_of(self, name: str) -> Sequence[str]:
        """Return the keys in a game's file of seats, none if that is missing or damaged."""
        path = self._folder / name / SEATS
        try:
            written = path.stat().st_mtime_ns
        except OSError:
            return ()
        known = self._read.get(name)
        if known is None or known[0] != written:
            try:
                keys = [screen.key for screen in read_seats(path).screens]
            except (TypeError, ValueError, OSError):
                keys = []
            known = self._read[name] = (written, keys)
        return known[1]


class Seats(NamedTuple):
    """The contents of the file of seats."""

    variant: str
    players: Sequence[Player]
    screens: Sequence[Screen]


def read_seats(path: Path) -> Seats:
    """Return the contents of the file of seats. Raises ValueError and OSError."""
    entries = parse_json(read_text(path, MAX_SEATS_BYTES))
    if not isinstance(entries, dict) or entries.get("format") not in (FORMAT, OLD_FORMAT):
        raise ValueError(f"{SEATS} must be an object of the format {FORMAT!r}")
    variant = entries.get("variant")
    if not isinstance(variant, str):
        raise ValueError(f"variant of {SEATS} must be a name or a folder")
    players = _read_players(entries.get("players"), is_old=entries["format"] == OLD_FORMAT)
    people = [seat for seat, player in enumerate(players) if player.agent is None]
    try:
        screens = [Screen(screen["key"], tuple(screen["seats"])) for screen in entries["screens"]]
        seats = [seat for screen in screens for seat in screen.seats]
        are_keys = all(is_key(screen.key) for screen in screens) and len({it.key for it in screens}) == len(screens)
        is_well = are_keys and {*map(type, seats)} <= {int} and sorted(seats) == people
        is_well = is_well and (all(screen.seats for screen in screens) if people else len(screens) == 1)
    except (TypeError, KeyError):
        is_well = False
    if not is_well:
        raise ValueError(f"screens of {SEATS} must have the seats of the people, each once, and keys")
    return Seats(variant, players, screens)


def _read_players(entries: Any, *, is_old: bool) -> Sequence[Player]:
    """Return the players of the file of seats; in the old format they have no names. Raises ValueError."""
    if not isinstance(entries, list) or not 1 <= len(entries) <= MAX_SEATS:
        raise ValueError(f"players of {SEATS} must be a list of 1 to {MAX_SEATS}")
    if is_old:
        if not all(it is None or isinstance(it, str) for it in entries):
            raise ValueError(f"players of {SEATS} must be names of agents, or null")
        return seat_players([Wish(agent) for agent in entries])
    try:
        players = [read_player(entry) for entry in entries]
        check_distinct([player.name for player in players], [player.colour for player in players])
    except ValueError as error:
        raise ValueError(f"players of {SEATS}: {error}") from error
    return players
