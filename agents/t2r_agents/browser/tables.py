"""The games of a folder. They can be begun, and opened again after the server was stopped."""

import os
import threading
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from t2r_agents.browser.table import FORMAT, REPLAY, SEATS, RefusedError, Screen, Table, is_key, new_key
from t2r_agents.locking import lock_file
from t2r_env import Replay, configure
from t2r_env.agents import Agent, agent_names, find_agent
from t2r_env.checks import draw_seed
from t2r_env.commands.options import OPTIONS
from t2r_env.configuration import Configuration
from t2r_env.reading import parse_json, read_text, shown
from t2r_env.variants import VARIANTS

MAX_SEATS_BYTES = 1 << 16
MAX_TABLES = 500
"""The most games in a folder."""
_LONGEST_ARGUMENT = 6
"""The most characters of an agent's argument from a page: a tree of 10^9 simulations would fill the memory."""


class TableError(ValueError):
    """The error of a folder without a game that can be opened. The message says why."""


class Tables:
    """The games of a folder. Not all of them are loaded: `names` lists them, `open` loads one."""

    def __init__(self, folder: Path, variants: Collection[str] = (), agents: Collection[str] = ()) -> None:
        """Allow `variants` and `agents` in addition to those with names: folders, import paths, files of policies.

        Nobody who begins a game in the browser, or writes into the folder, can have anything else imported.
        """
        self.folder = folder
        self._variants, self._agents = frozenset(variants), frozenset(agents)
        self._open: dict[str, Table] = {}
        self._lock = threading.Lock()
        """The lock that is held while a game is begun or opened, so that each is loaded only once."""

    def names(self) -> list[str]:
        """Return the names of the games, the latest first, without folders whose names can't be printed."""
        if not self.folder.is_dir():
            return []
        times = {}
        for path in self.folder.glob(f"*/{SEATS}"):
            if path.parent.name.isprintable():
                with suppress(OSError):  # it may have been removed
                    times[path.parent.name] = path.stat().st_mtime
        return sorted(times, key=lambda name: times[name], reverse=True)

    def close(self) -> None:
        """Release the games to other servers. Nothing is saved from now on."""
        for table in self._open.values():
            table.close()

    def begin(
        self,
        variant: str,
        configuration: Configuration,
        players: Sequence[str | None],
        *,
        own_windows: bool = False,
        seed: int | None = None,
    ) -> Table:
        """Begin a game and save it.

        `players` names the agent of each seat; None stands for a person. With `own_windows` each person has a screen,
        otherwise they share one. Raises ValueError for players that are not allowed, OSError if it can't be saved.
        """
        agents = self._find_agents(players, configuration)
        people = [seat for seat, player in enumerate(players) if player is None]
        with self._lock:
            names = self.names()
            if len(names) >= MAX_TABLES:
                raise RefusedError(
                    f"{self.folder} has {len(names)} games already, and may have {MAX_TABLES}: remove some"
                )
            groups = [(seat,) for seat in people] if own_windows else [tuple(people)]
            number = 1
            while (self.folder / (name := f"{configuration.variant.id}-{number}")).exists():
                number += 1
            table = Table(
                name,
                self.folder / name,
                variant,
                configuration,
                players,
                agents,
                [Screen(new_key(), seats) for seats in groups],
                draw_seed() if seed is None else seed,
            )
            table.create()
            self._open[name] = table
            return table

    def begin_by_name(self, wish: Any) -> Table:
        """Begin the game that a page asks for: an object with `variant`, `options`, `players` and `own_windows`.

        Raises RefusedError for anything that is not allowed.
        """
        if not isinstance(wish, dict) or wish.keys() - {"variant", "options", "players", "own_windows"}:
            raise RefusedError("a new game must be an object with variant, options, players and own_windows")
        variant, players, options = wish.get("variant"), wish.get("players"), wish.get("options", {})
        own_windows = wish.get("own_windows", False)
        if not isinstance(variant, str) or not isinstance(options, dict) or options.keys() - set(OPTIONS):
            raise RefusedError(f"variant must be a name, options an object with some of {', '.join(OPTIONS)}")
        if not isinstance(players, list) or not all(it is None or isinstance(it, str) for it in players):
            raise RefusedError("players must be a list with the name of an agent for each seat, or null for a person")
        if not isinstance(own_windows, bool):
            raise RefusedError("own_windows must be true or false")
        try:
            self._check_variant(variant)
            configuration = configure(variant, len(players), **options)
            return self.begin(variant, configuration, players, own_windows=own_windows)
        except (TypeError, ValueError) as error:
            raise RefusedError(str(error)) from error
        except OSError as error:
            raise RefusedError(f"the game can't be saved: {error}") from error

    def open(self, name: str) -> Table:
        """Return the game of a name, as it was left. Raises TableError, naming the game, if it is damaged."""
        with self._lock:
            if name not in self._open:
                if name not in self.names():
                    raise TableError(f"there is no game {shown(name)}")
                try:
                    self._open[name] = self._load(name)
                except (TypeError, ValueError, OSError) as error:
                    raise TableError(f"the game {name} can't be taken up: {error}") from error
            return self._open[name]

    def open_by_name(self, wish: Any) -> Table:
        """Open the game that a page asks for: an object with `name`. Raises RefusedError for anything else."""
        name = wish.get("name") if isinstance(wish, dict) else None
        if not isinstance(name, str):
            raise RefusedError("name must be the name of a game")
        return self.open(name)

    def _load(self, name: str) -> Table:
        folder = self.folder / name
        descriptor = lock_file(folder / SEATS)  # so that what is read is not changed any more
        try:
            table = self._read(name, folder)
        except BaseException:
            os.close(descriptor)
            raise
        table.reserve(descriptor)
        return table

    def _read(self, name: str, folder: Path) -> Table:
        entries = parse_json(read_text(folder / SEATS, MAX_SEATS_BYTES))
        variant, players, screens = _check_entries(entries)
        keys = {screen.key for screen in screens}
        for other in self._open.values():
            if not keys.isdisjoint(screen.key for screen in other.screens):
                raise ValueError(f"it has the keys of the game {other.name}, of which it is a copy: take up only one")
        self._check_variant(variant)
        replay = Replay.load(folder / REPLAY, variant)
        configuration = replay.configuration
        if len(players) != configuration.num_players or not isinstance(replay.start, int):
            raise ValueError(f"{SEATS} does not fit {REPLAY}")
        if replay.illegal_action != "raise":
            raise ValueError(f"{REPLAY} is not of a game at a table: its illegal_action must be 'raise'")
        agents = self._find_agents(players, configuration)
        table = Table(name, folder, variant, configuration, players, agents, screens, replay.start)
        table.repeat(replay)
        return table

    def _check_variant(self, variant: str) -> None:
        if variant not in VARIANTS and variant not in self._variants:
            raise ValueError(
                f"variant must be one of {', '.join(VARIANTS)}, or a folder that was given as --variant, not"
                f" {shown(variant)}"
            )

    def _find_agents(self, players: Sequence[str | None], configuration: Configuration) -> Mapping[int, Agent]:
        if None not in players:
            raise ValueError("one player at least must be a person")
        return {
            seat: self.find_agent(player, configuration) for seat, player in enumerate(players) if player is not None
        }

    def find_agent(self, name: str, configuration: Configuration) -> Agent:
        """Return the agent of an allowed name. Raises ValueError, which lists the allowed names."""
        start, _, argument = name.partition(":")
        budget, _, policy = argument.partition(",")  # of `ismcts`
        is_named = start in agent_names() and start != "human" and len(budget) <= _LONGEST_ARGUMENT
        is_file = (start == "policy" and argument) or policy not in ("", "policy")
        if name not in self._agents and (not is_named or is_file):
            known = ", ".join(it for it in agent_names() if it != "human")
            raise ValueError(f"{shown(name)} is no agent here; allowed are {known}, and those named as --opponents")
        agent = find_agent(name, configuration)
        if getattr(agent, "asks_person", False):
            raise ValueError(f"{name} would ask a person on the terminal; allowed is null, for a person at the browser")
        return agent


def _check_entries(entries: Any) -> tuple[str, list[str | None], list[Screen]]:
    """Return the contents of the file of seats. Raises ValueError."""
    if not isinstance(entries, dict) or entries.get("format") != FORMAT:
        raise ValueError(f"{SEATS} must be an object of the format {FORMAT!r}")
    variant, players = entries.get("variant"), entries.get("players")
    if not isinstance(variant, str):
        raise ValueError(f"variant of {SEATS} must be a name or a folder")
    if not isinstance(players, list) or not all(it is None or isinstance(it, str) for it in players):
        raise ValueError(f"players of {SEATS} must be names of agents, or null")
    people = [seat for seat, player in enumerate(players) if player is None]
    try:
        read = [Screen(screen["key"], tuple(screen["seats"])) for screen in entries["screens"]]
        seats = [seat for screen in read for seat in screen.seats]
        are_keys = all(is_key(screen.key) for screen in read) and len({screen.key for screen in read}) == len(read)
        is_well = are_keys and all(screen.seats for screen in read) and {*map(type, seats)} <= {int}
    except (TypeError, KeyError):
        is_well = False
    if not is_well or sorted(seats) != people:
        raise ValueError(f"screens of {SEATS} must have the seats of the people, each once, and keys")
    return variant, players, read
