"""The games of a folder. They can be begun, and opened again after the server was stopped."""

import os
import threading
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from t2r_agents.browser.levels import agents_of_levels, offered_agents
from t2r_agents.browser.lobby import short_name
from t2r_agents.browser.players import Player, Wish, read_wish, seat_players
from t2r_agents.browser.positions import Positions
from t2r_agents.browser.seats import MAX_SEATS_BYTES, Keys, read_seats
from t2r_agents.browser.table import REPLAY, SEATS, STANDING, Pace, RefusedError, Screen, Table, new_key
from t2r_env import Replay, configure
from t2r_env.agents import POLICY_SUFFIX, Agent, find_agent, is_harmless
from t2r_env.basics.checks import draw_seed
from t2r_env.basics.locking import lock_file
from t2r_env.basics.reading import parse_json, read_text, shown
from t2r_env.basics.sizes import MAX_SEATS
from t2r_env.commands.options import OPTIONS
from t2r_env.configuration import Configuration
from t2r_env.rules.names import OUTCOMES, outcomes
from t2r_env.variants import VARIANTS, load_variant

_STUDENT = "planner"
"""Who takes the seats of other people, when one of them plays on alone."""
MAX_TABLES = 500
"""The most games in a folder."""


class TableError(ValueError):
    """The error of a folder without a game that can be opened. The message says why."""


class Tables:
    """The games of a folder. Not all of them are loaded: `names` lists them, `open` loads one, `put_away` closes it.

    A name stands for one game as long as this object lives: it is not given again when the game has been removed.
    """

    def __init__(self, folder: Path, variants: Collection[str] = (), agents: Collection[str] = ()) -> None:
        """Allow `variants` and `agents` in addition to those with names: folders, import paths, files of policies.

        Nobody who begins a game in the browser, or writes into the folder, can have anything else imported.
        """
        self.folder = folder
        self._variants, self._agents = frozenset(variants), frozenset(agents)
        self._open: dict[str, Table] = {}
        self._lock = threading.Lock()
        """The lock that is held while a game is begun or opened, so that each is loaded only once."""
        self._taken: set[str] = set()
        """The names of all games that were ever here."""
        self._rematching = threading.Lock()
        """The lock that is held while a rematch is begun or found, so that there is one for all screens."""
        self._rematches: dict[str, str] = {}
        """The names of games and of their rematches."""
        self._paces: dict[str, Pace] = {}
        """How fast the agents play in games that were closed."""
        self._keys = Keys(folder, self.names)
        self.positions = Positions(folder, variants)

    def names(self) -> list[str]:
        """Return the names of the games, the latest first, without folders whose names can't be printed."""
        if not self.folder.is_dir():
            return []
        times = {}
        for path in self.folder.glob(f"*/{SEATS}"):
            if path.parent.name.isprintable():
                with suppress(OSError):  # it may have been removed
                    times[path.parent.name] = path.stat().st_mtime
        self._taken |= times.keys()
        return sorted(times, key=lambda name: times[name], reverse=True)

    def close(self) -> None:
        """Release the games to other servers. Nothing is saved from now on."""
        for table in list(self._open.values()):
            table.close()

    def put_away(self, table: Table) -> bool:
        """Close a game, which can be opened again as it is, and return True; False if it could not be saved."""
        if not table.is_replaced() and not table.close_if_saved():
            return False
        table.close()
        self._paces[table.name] = table.pace
        if self._open.get(table.name) is table:
            del self._open[table.name]
        return True

    def delete(self, name: str) -> None:
        """Delete the files of a game, and its folder if nothing else is in it. Raises TableError if that can't be done.

        If that is not done to its end, what is left can be deleted again.
        """
        folder = self.folder / name
        with self._lock:
            if not self._is_game(name):
                raise TableError(f"there is no game {shown(name)}")
            try:
                if folder.is_symlink():
                    raise OSError("its folder is a link")
                table = self._open.get(name)
                if table is None or table.is_replaced():
                    os.close(lock_file(folder / SEATS))  # nobody plays it
                if table is not None:
                    table.close()
                    del self._open[name]
                for file in (REPLAY, STANDING, SEATS):  # without the last one it is no game any more
                    (folder / file).unlink(missing_ok=True)
            except OSError as error:
                raise TableError(f"the game {name} can't be deleted: {error}") from error
            with suppress(OSError):  # other files may be there
                folder.rmdir()

    def _is_game(self, name: str) -> bool:
        """Whether a folder of this name is a game."""
        if not name.isprintable() or name in ("", "..") or Path(name).name != name:
            return False
        with suppress(OSError):  # it may be too long
            return (self.folder / name / SEATS).exists()
        return False

    def begin(
        self,
        variant: str,
        configuration: Configuration,
        players: Sequence[str | Wish | None],
        *,
        own_windows: bool = False,
        seed: int | None = None,
    ) -> Table:
        """Begin a game and save it.

        `players` says who plays each seat: the name of an agent, None for a person, or a wish. With `own_windows` each
        person has a screen, otherwise they share one; without people the screen is a watcher's. Raises ValueError for
        players that are not allowed, OSError if it can't be saved.
        """
        wishes = [it if isinstance(it, Wish) else Wish(it) for it in players]
        return self._begin(variant, configuration, seat_players(wishes), own_windows, seed)

    def begin_from(
        self, variant: str, replay: Replay, players: Sequence[str | Wish | None], own_windows: bool = False
    ) -> Table:
        """Begin a game that goes on where a replay stops, and save it.

        `players` are as in `begin`. Raises ValueError for players that are not allowed, and for a game that is over;
        OSError if it can't be saved.
        """
        if replay.final().states["outcome"][0] != outcomes.RUNNING:
            raise RefusedError("the game is over at this step: choose one before")
        wishes = [it if isinstance(it, Wish) else Wish(it) for it in players]
        return self._begin(variant, replay.configuration, seat_players(wishes), own_windows, replay)

    def play_on(self, table: Table, screen: Screen, wish: Mapping[str, Any]) -> tuple[Table, Screen]:
        """Begin a game from a step of a game that is over, with one person, and return it with the person's screen.

        `wish` has the index of the `step` that the screen shows, and the `seat` that the person takes: who played it
        takes the person's seat. Raises RefusedError.
        """
        seat = wish.get("seat")
        replay = table.until(screen, wish.get("step"))
        if type(seat) is not int or not 0 <= seat < len(table.players):
            raise RefusedError(f"seat must be a number from 0 to {len(table.players) - 1}")
        agents = [player.agent for player in table.players]
        person = next((it for it in screen.seats if agents[it] is None), seat)
        agents[person], agents[seat] = agents[seat], None
        players = [None if it == seat else agent or _STUDENT for it, agent in enumerate(agents)]
        try:
            following = self.begin_from(table.variant, replay, players)
        except (OSError, TypeError, ValueError) as error:
            raise RefusedError(str(error)) from error
        return following, following.screens[0]

    def keep_position(self, table: Table, screen: Screen, wish: Mapping[str, Any]) -> None:
        """Keep a step of a game that is over as a study position: `wish` has `step` and `name`. Raises RefusedError."""
        self.positions.keep(table.until(screen, wish.get("step")), wish.get("name"))

    def study(self, wish: Any) -> Table:
        """Begin a game from a study position, with a person in the seat to act; `wish` has its `file`.

        Raises RefusedError.
        """
        variant, replay = self.positions.load(wish.get("file") if isinstance(wish, dict) else None)
        seat = int(replay.final().current[0])
        players = [None if it == seat else _STUDENT for it in range(replay.configuration.num_players)]
        try:
            return self.begin_from(variant, replay, players)
        except (OSError, TypeError, ValueError) as error:
            raise RefusedError(str(error)) from error

    def _begin(
        self,
        variant: str,
        configuration: Configuration,
        players: Sequence[Player],
        own_windows: bool,
        start: int | Replay | None = None,
    ) -> Table:
        agents = self._find_agents(players, configuration)
        people = [seat for seat, player in enumerate(players) if player.agent is None]
        with self._lock:
            names = self.names()
            if len(names) >= MAX_TABLES:
                raise RefusedError(
                    f"{self.folder} has {len(names)} games already, and may have {MAX_TABLES}: delete some"
                )
            groups = [(seat,) for seat in people] if own_windows and people else [tuple(people)]
            number = 1
            while (name := f"{configuration.variant.id}-{number}") in self._taken or (self.folder / name).exists():
                number += 1
            table = Table(
                name,
                self.folder / name,
                variant,
                configuration,
                players,
                agents,
                [Screen(new_key(), seats) for seats in groups],
                start.start if isinstance(start, Replay) else draw_seed() if start is None else start,
            )
            if isinstance(start, Replay):
                table.repeat(start)
                table.forget_undo()
            table.create()
            self._add(table)
            return table

    def _add(self, table: Table) -> None:
        """Count a game among the open ones."""
        self._open[table.name] = table
        self._taken.add(table.name)
        self._keys.add(table.name, table.screens)

    def begin_by_name(self, wish: Any) -> Table:
        """Begin the game that a page asks for: an object with `variant`, `options`, `players` and `own_windows`.

        A player is null for a person, the name of an agent, or an object with `name` and `colour`, and for an agent
        `agent` or `level`. Raises RefusedError for anything that is not allowed.
        """
        if not isinstance(wish, dict) or wish.keys() - {"variant", "options", "players", "own_windows"}:
            raise RefusedError("a new game must be an object with variant, options, players and own_windows")
        variant, players, options = wish.get("variant"), wish.get("players"), wish.get("options", {})
        own_windows = wish.get("own_windows", False)
        if not isinstance(variant, str) or not isinstance(options, dict) or options.keys() - set(OPTIONS):
            raise RefusedError(f"variant must be a name, options an object with some of {', '.join(OPTIONS)}")
        if not isinstance(players, list):
            raise RefusedError("players must be a list")
        if not isinstance(own_windows, bool):
            raise RefusedError("own_windows must be true or false")
        try:
            self._check_variant(variant)
            configuration = configure(variant, len(players), **options)
            wishes = [_with_agent(read_wish(player), configuration) for player in players]
            return self.begin(variant, configuration, wishes, own_windows=own_windows)
        except (TypeError, ValueError) as error:
            raise RefusedError(str(error)) from error
        except OSError as error:
            raise RefusedError(f"the game can't be saved: {error}") from error

    def levels(self, wish: Any) -> Mapping[str, str]:
        """Return the agent of each level for the game that a page asks about: `variant`, `options`, `num_players`.

        Raises RefusedError for anything that is not allowed.
        """
        if not isinstance(wish, dict) or not isinstance(options := wish.get("options", {}), dict):
            raise RefusedError("a game must be an object with variant, options and num_players")
        try:
            self._check_variant(str(wish.get("variant")))
            if options.keys() - set(OPTIONS):
                raise ValueError(f"options must be some of {', '.join(OPTIONS)}")
            return agents_of_levels(configure(str(wish["variant"]), wish.get("num_players"), **options))
        except (TypeError, ValueError) as error:
            raise RefusedError(str(error)) from error

    def rematch(self, table: Table, screen: Screen) -> tuple[Table, Screen]:
        """Begin a game of the same players, once for all of its screens, and return it with the screen's successor.

        Each player sits one seat further, a team together, so that another one plays first. Raises RefusedError.
        """
        if not table.is_over:
            raise RefusedError("there can be a rematch when the game is over")
        with self._rematching:
            name = self._rematches.get(table.name)
            if name is not None and self._is_game(name):
                following = self.open(name)
            else:
                turn = table.configuration.variant.team_size
                players = [*table.players[turn:], *table.players[:turn]]
                try:
                    following = self._begin(table.variant, table.configuration, players, len(table.screens) > 1)
                except (OSError, TypeError, ValueError) as error:
                    raise RefusedError(str(error)) from error
                self._rematches[table.name] = following.name
        if screen.is_watcher:
            return following, following.screens[0]
        name = table.players[screen.seats[0]].name
        (found,) = (it for it in following.screens if name in [following.players[seat].name for seat in it.seats])
        return following, found

    def open_by_key(self, key: str) -> Table | None:
        """Return the game that has a screen of this key, as it was left; None if there is none. Raises TableError."""
        name = self._keys.find(key)
        return None if name is None else self.open(name)

    def listed(self, name: str) -> dict[str, Any]:
        """Return how a game is listed, from its files alone: nothing is compiled or played."""
        folder = self.folder / name
        entry: dict[str, Any] = {"name": name}
        with suppress(TypeError, ValueError, OSError):  # it may be damaged: opening it says how
            seats = read_seats(folder / SEATS)
            self._check_variant(seats.variant)
            entry["game"] = short_name(load_variant(seats.variant))
            entry["players"] = [{"name": it.shown, "agent": it.agent, "colour": it.colour} for it in seats.players]
            entry["screens"] = _listed_screens(seats.players, seats.screens)
            entry["time"] = (folder / REPLAY).stat().st_mtime
            entry["standing"] = _read_standing(folder / STANDING, len(seats.players))
        return entry

    def open(self, name: str) -> Table:
        """Return the game of a name, as it was left. Raises TableError, naming the game, if it is damaged."""
        with self._lock:
            table = self._open.get(name)
            if table is not None and table.is_replaced():
                table.close()
                table = None
            if table is None:
                if not self._is_game(name):
                    raise TableError(f"there is no game {shown(name)}")
                try:
                    table = self._load(name)
                except (TypeError, ValueError, OSError) as error:
                    raise TableError(f"the game {name} can't be taken up: {error}") from error
                self._add(table)
            return table

    def open_by_name(self, wish: Any) -> Table:
        """Open the game that a page asks for: an object with `name`. Raises RefusedError for anything else."""
        return self.open(name_of(wish))

    def delete_by_name(self, wish: Any) -> None:
        """Delete the game that a page asks for: an object with `name`. Raises RefusedError for anything else."""
        self.delete(name_of(wish))

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
        seats = read_seats(folder / SEATS)
        variant, players, screens = seats
        keys = {screen.key for screen in screens}
        for other in list(self._open.values()):
            if other.name != name and not keys.isdisjoint(screen.key for screen in other.screens):
                raise ValueError(f"it has the keys of the game {other.name}, of which it is a copy: take up only one")
        self._check_variant(variant)
        replay = Replay.load(folder / REPLAY, variant)
        configuration = replay.configuration
        if len(players) != configuration.num_players:
            raise ValueError(f"{SEATS} does not fit {REPLAY}")
        if replay.illegal_action != "raise":
            raise ValueError(f"{REPLAY} is not of a game at a table: its illegal_action must be 'raise'")
        agents = self._find_agents(players, configuration)
        table = Table(name, folder, variant, configuration, players, agents, screens, replay.start)
        table.repeat(replay)
        table.pace = self._paces.get(name, table.pace)
        return table

    def _check_variant(self, variant: str) -> None:
        if variant not in VARIANTS and variant not in self._variants:
            raise ValueError(
                f"variant must be one of {', '.join(VARIANTS)}, or a folder that was given as --variant, not"
                f" {shown(variant)}"
            )

    def _find_agents(self, players: Sequence[Player], configuration: Configuration) -> Mapping[int, Agent]:
        return {
            seat: self.find_agent(player.agent, configuration)
            for seat, player in enumerate(players)
            if player.agent is not None
        }

    def find_agent(self, name: str, configuration: Configuration) -> Agent:
        """Return the agent of an allowed name. Raises ValueError, which lists the allowed names."""
        start, _, argument = name.partition(":")
        policy = argument.partition(",")[2]  # of `ismcts`
        is_named = start in offered_agents() and is_harmless(name)
        is_file = (start == "policy" and argument) or name.endswith(POLICY_SUFFIX) or policy not in ("", "policy")
        if name not in self._agents and (not is_named or is_file):
            known = ", ".join(offered_agents())
            raise ValueError(f"{shown(name)} is no agent here; allowed are {known}, and those named as --opponents")
        agent = find_agent(name, configuration)
        if getattr(agent, "asks_person", False):
            raise ValueError(f"{name} would ask a person on the terminal; allowed is null, for a person at the browser")
        return agent


def name_of(wish: Any) -> str:
    """Return the name in a page's wish. Raises RefusedError for anything else."""
    name = wish.get("name") if isinstance(wish, dict) else None
    if not isinstance(name, str):
        raise RefusedError("name must be the name of a game")
    return name


def _with_agent(wish: Wish, configuration: Configuration) -> Wish:
    """Return a wish with the agent of its level. Raises ValueError if it names an agent, too."""
    if wish.level is None:
        return wish
    if wish.agent is not None:
        raise ValueError("a player must have a level or an agent, not both")
    return replace(wish, agent=agents_of_levels(configuration)[wish.level])


def _listed_screens(players: Sequence[Player], screens: Sequence[Screen]) -> list[dict[str, Any]]:
    return [
        {"players": [players[seat].shown for seat in screen.seats], "path": f"/table/{screen.key}/"}
        for screen in screens
    ]


def _read_standing(path: Path, num_players: int) -> dict[str, Any] | None:
    """Return how a game stands, for the list; None for a file that is missing or wrong, as of an older version."""
    try:
        standing = parse_json(read_text(path, MAX_SEATS_BYTES))
        turn, outcome = standing["turn"], standing["outcome"]
        scores, winners = standing["scores"], standing["winners"]
        are_lists = isinstance(scores, list) and isinstance(winners, list) and len(scores) <= MAX_SEATS
        are_numbers = are_lists and {*map(type, [turn, *scores, *winners])} == {int}
        if not are_numbers or outcome not in OUTCOMES or not set(winners) <= set(range(num_players)):
            return None
    except (TypeError, KeyError, ValueError, OSError):
        return None
    return {"turn": turn, "outcome": outcome, "scores": scores, "winners": winners}
