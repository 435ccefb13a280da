"""The folder of a tournament, written while it is played, so that an interrupted tournament can be resumed.

- `tournament.json`: the settings and, at the end, the standings
- `games.csv`: one row for each seat of each game
- `forfeits.txt`: where agents raised errors, once for each agent and reason
- `log.jsonl`: what agents that ask a server were sent and answered, one line for each decision
- `report.html`, and in `figures/` its plots as SVG and its tables as CSV
- `replays/game_NUMBER.html`: pages of games, which the report links to: of those worth a look, and of those that
  `t2r replay FOLDER NUMBER --html` was asked for; and `game_NUMBER.json`, if an agent asks a server: each game as a
  replay, since it is not played again
- `lock`: locked by the process that plays
"""

import csv
import io
import json
import logging
import math
import os
import re
import weakref
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from types import UnionType
from typing import Any, get_origin, get_type_hints

from t2r_agents.comparing.tournament.habits import KINDS
from t2r_agents.comparing.tournament.playing import NOT_IN_ROWS, Entry, replay_path, write_replay
from t2r_agents.comparing.tournament.schedule import Fixture
from t2r_agents.comparing.tournament.standings import Standings
from t2r_agents.comparing.tournament.tournament import Settings, Tournament
from t2r_agents.comparing.tournament.workers import deferring_interruptions
from t2r_env import Configuration, Replay, __version__
from t2r_env.agents import is_harmless
from t2r_env.basics.checks import check_integer
from t2r_env.basics.locking import lock_file
from t2r_env.basics.reading import open_file, parse_json, read_text, shown
from t2r_env.basics.writing import is_new, naming, replacing
from t2r_env.replay import ReplayError
from t2r_env.rules.names import OUTCOMES

MAX_SETTINGS_BYTES, MAX_GAMES_BYTES, MAX_LINE_BYTES = 1 << 22, 1 << 32, 1 << 14
"""The limits of tournament.json, of games.csv and of its lines."""
MAX_GAMES, MAX_AGENTS = 1_000_000, 100
MAX_NAME = 5_000
"""The most characters of an agent's name, which may hold the path of a file."""
MAX_REASONS = 1_000
"""The most reasons of forfeits in tournament.json; the most frequent ones are kept."""

FILES = ("tournament.json", "games.csv", "forfeits.txt", "report.html", "replays", "log.jsonl", "lock", "figures")
"""The names in a folder, in addition to those of games that were played again."""

logger = logging.getLogger(__name__)


class FolderError(ValueError):
    """The error of a folder without the tournament that is looked for. The message says what is wrong."""


class Folder:
    """The folder of a tournament. Beginning or resuming it locks it for others until `close`."""

    LEFTOVERS = ("lock", "tournament.json.new")
    """The files that are left if it is killed at its beginning."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()  # an agent may go to another folder
        self._settings, self._games, self.forfeits, self.report, self.replays, self.log, self._lock, _ = map(
            self.path.joinpath, FILES
        )
        self._reasons: set[tuple[str, str]] = set()  # of forfeits, by agent, whose tracebacks are written
        self._release: Callable[[], object] = lambda: None

    def exists(self) -> bool:
        """Return whether the folder contains a tournament."""
        return self._settings.exists()

    def begin(self, settings: Settings) -> None:
        """Create the folder and write the settings. Raises FolderError if that fails or there is one."""
        try:
            _check_limits(settings)
        except ValueError as error:
            raise FolderError(f"{self.path} can't hold this tournament: {error}") from None
        if self.exists():
            raise FolderError(f"{self.path} contains a tournament already: use --resume to go on with it")
        if not is_new(self.path, self.LEFTOVERS):
            raise FolderError(f"--out must be a new or empty folder, and {self.path} is not")
        self.path.mkdir(parents=True, exist_ok=True)
        self._reserve()
        if self.exists():
            raise FolderError(f"{self.path} contains a tournament already: another process has just begun it")
        self._write_settings(settings)

    def resume(self, settings: Settings) -> Tournament:
        """Return the tournament of this folder, with the games played so far.

        Raises FolderError for rows of other games, for settings that are not allowed, and if it is being played.
        """
        self._reserve()
        try:
            tournament = settings.tournament(self.log)
        except (ValueError, TypeError) as error:
            raise FolderError(f"{self._settings}: {error}") from None
        self._take_up(settings, tournament)
        return tournament

    def begin_or_resume(self, settings: Settings, tournament: Tournament) -> None:
        """Begin the games of a rating, or give its tournament those played so far.

        Raises FolderError as `begin` and `resume`, and if the folder has the games of other settings.
        """
        if not self.exists():
            self.begin(settings)
        elif self._read_settings() == settings:  # so it names no agents that the command does not name
            self._reserve()
            self._take_up(settings, tournament)
        else:
            raise FolderError(f"--out must be a new or empty folder, or one of the same rating, and {self.path} is not")

    def _take_up(self, settings: Settings, tournament: Tournament) -> None:
        tournament.entries = self.entries(tournament)
        if tournament.is_recorded:
            tournament.entries = self.with_actions(settings, tournament.entries)
        self._reasons = {(entry.agent, entry.forfeit) for entry in tournament.entries}
        self.keep(tournament.entries)

    def _reserve(self) -> None:
        """Lock this tournament for others, until `close` or the end of the process."""
        self._check_links()
        self._lock.touch()
        try:
            self._release = weakref.finalize(self, os.close, lock_file(self._lock))
        except OSError as error:
            raise FolderError(f"{self.path} can't be played: {error}") from None

    def close(self) -> None:
        """Unlock this tournament for others."""
        self._release()

    def _check_links(self) -> None:
        """Raise FolderError for links: a stranger's folder must not make us write or delete elsewhere."""
        for name in FILES:
            if (self.path / name).is_symlink():
                raise FolderError(f"{self.path / name} must not be a symbolic link")

    def write(self, configuration: Configuration, entries: Sequence[Entry]) -> None:
        """Write games that were played without delay: their replays if they were recorded, and their entries."""
        with deferring_interruptions():  # no game without its replay
            self._write_replays(configuration, entries)
            self.add(entries)

    def _write_replays(self, configuration: Configuration, entries: Sequence[Entry]) -> None:
        for entry in entries:
            if entry.seat == 0 and entry.actions:
                self.replays.mkdir(exist_ok=True)
                write_replay(self.replays, configuration, entry)

    def with_actions(self, settings: Settings, entries: Sequence[Entry]) -> list[Entry]:
        """Return entries with the actions of their games, from the replays.

        Raises FolderError if a replay is missing, damaged or of another game.
        """
        identity = settings.configuration().identity
        actions: dict[int, tuple[int, ...]] = {}
        for entry in entries:
            path = replay_path(self.replays, entry.game)
            if entry.game in actions:
                continue
            try:
                replay = Replay.load(path, settings.variant)
            except (ReplayError, OSError) as error:
                raise FolderError(f"game {entry.game} has no replay: {error}") from None
            if (replay.start, replay.configuration.identity) != (entry.seed, identity):
                raise FolderError(f"{path} is not a replay of game {entry.game}")
            actions[entry.game] = replay.actions
        return [replace(entry, actions=actions[entry.game]) for entry in entries]

    def add(self, entries: Sequence[Entry]) -> None:
        """Write the entries of games that were played, and the tracebacks of their forfeits."""
        for entry in entries:
            reason = entry.agent, entry.forfeit
            if entry.traceback and reason not in self._reasons and len(self._reasons) < MAX_REASONS:
                self._reasons.add(reason)
                with naming(self.forfeits), self.forfeits.open("a", encoding="utf-8", errors="replace") as file:
                    file.write(f"{entry.agent} in game {entry.game}, seat {entry.seat}: {entry.forfeit}\n")
                    file.write(f"{entry.traceback}\n\n")
        is_new = not self._games.exists()
        with naming(self._games), self._games.open("a", newline="", encoding="utf-8") as file:
            file.write(_as_csv(entries, heading=is_new))
            file.flush()
            os.fsync(file.fileno())

    def finish(self, settings: Settings, entries: Sequence[Entry], standings: Standings) -> None:
        """Write the standings, and the games in order, since several processes end them in a different order."""
        self.keep(entries)
        results = asdict(standings)
        results["forfeits"] = results["forfeits"][:MAX_REASONS]
        self._write_settings(settings, {"played": len({entry.game for entry in entries})} | results)

    def keep(self, entries: Sequence[Entry]) -> None:
        """Replace the entries in the file by these."""
        if entries:
            in_order = sorted(entries, key=lambda entry: (entry.game, entry.seat))
            _replace(self._games, _as_csv(in_order, heading=True))
        else:
            self._games.unlink(missing_ok=True)

    def _write_settings(self, settings: Settings, results: dict[str, Any] | None = None) -> None:
        content = {
            "library": __version__,
            "identity": settings.configuration().identity,
            # as a string: other readers of JSON may not hold 64 bits
            "settings": asdict(settings) | {"seed": str(settings.seed)},
            "results": results,
        }
        _replace(self._settings, json.dumps(content, indent=2) + "\n")

    def settings(self, trusted: Collection[str] = (), flag: str = "--agents") -> Settings:
        """Return the settings of the tournament of this folder. `flag` is that by which a command names `trusted`.

        Raises FolderError if there is none, if the version of the library or the variant's tables have changed, and if
        it names an agent that is neither harmless (`t2r_env.agents.is_harmless`) nor `trusted`.
        """
        settings = self._read_settings()
        if unknown := [name for name in settings.agents if name not in trusted and not is_harmless(name)]:
            raise FolderError(
                f"{self.path} names agents that must be named by you, too, as their code would be run, they ask"
                f" somebody, or they search for long: {shown(unknown)}; if you want that, repeat all agents as {flag}"
            )
        return settings

    def _read_settings(self) -> Settings:
        """Return the settings, whatever agents they name. Raises FolderError as `settings`, but for those."""
        self._check_links()
        try:
            content = parse_json(read_text(self._settings, MAX_SETTINGS_BYTES))
            settings = _settings(content["settings"])
            library, identity = content["library"], content["identity"]
        except OSError as error:
            raise FolderError(f"{self.path} does not contain a tournament: {error}") from None
        except (ValueError, TypeError, KeyError) as error:
            raise FolderError(f"{self._settings} can't be read: {error!r}") from None
        if library != __version__:
            raise FolderError(
                f"{self.path} was played with version {shown(library)} of t2r_env, and this is {__version__!r}"
            )
        try:
            present = settings.configuration().identity
        except (ValueError, TypeError) as error:
            raise FolderError(f"{self._settings}: {error}") from None
        if identity != present:
            raise FolderError(f"{self.path} was played with other tables of {settings.variant}")
        return settings

    def entries(self, tournament: Tournament) -> list[Entry]:
        """Return the entries of the games of a tournament that were written as a whole.

        If two processes have written the same games, as versions without a lock allowed, the first rows of a game
        count. Raises FolderError for a row that does not belong to these games, and for a result that no game has.
        """
        fixtures, parts = tournament.fixtures, tournament.configuration.score_parts
        if not self._games.exists():
            return []
        games: dict[int, dict[int, Entry]] = defaultdict(dict)
        repeated = 0
        try:
            for number, row in enumerate(csv.DictReader(_complete_lines(self._games)), 2):
                if all(name == value for name, value in row.items()):  # the heading
                    continue
                try:
                    entry = _entry(row, fixtures, parts)
                except (ValueError, KeyError, TypeError, IndexError) as error:
                    raise FolderError(f"{self._games}, row {number}: {error!r}") from None
                repeated += entry.seat in games[entry.game]
                games[entry.game].setdefault(entry.seat, entry)
        except FolderError:
            raise
        except (OSError, ValueError, csv.Error) as error:
            raise FolderError(f"{self._games} can't be read: {error}") from None
        if repeated:
            logger.warning("%s has %d rows of games that it has already: they are dropped", self._games, repeated)
        whole = [list(seats.values()) for game, seats in games.items() if len(seats) == len(fixtures[game].seating)]
        for entries in whole:
            try:
                _check_result(entries, tournament.configuration.variant.team_size)
                _check_claims(entries, tournament.configuration)
                _check_habits(entries, tournament.configuration)
            except ValueError as error:
                raise FolderError(f"{self._games}, game {entries[0].game}: {error}") from None
        return [entry for entries in whole for entry in entries]


def _settings(given: Any) -> Settings:
    """Return the settings in tournament.json, of the right types; their values are checked where they are used."""
    if not isinstance(given, dict):
        raise TypeError(f"settings must be an object, not {shown(given)}")
    seed = given.get("seed")
    if not isinstance(seed, str) or not re.fullmatch("[0-9]{1,20}", seed):
        raise ValueError(f"seed must be a decimal number in a string, not {shown(seed)}")
    settings = Settings(**given | {"seed": int(seed)})
    for name, kind in get_type_hints(Settings).items():
        value = getattr(settings, name)
        checked = kind if isinstance(kind, UnionType) else get_origin(kind) or kind  # `list` for `list[str]`
        if not isinstance(value, checked) or (isinstance(value, bool) and kind is not bool):
            raise TypeError(f"{name} must be of type {getattr(kind, '__name__', kind)}, not {shown(value)}")
    if not all(isinstance(agent, str) for agent in settings.agents):
        raise TypeError(f"agents must be a list of names, not {shown(settings.agents)}")
    _check_limits(settings)
    return settings


def _check_limits(settings: Settings) -> None:
    check_integer("games", settings.games, 1, MAX_GAMES)
    check_integer("the number of agents", len(settings.agents), 1, MAX_AGENTS)
    check_integer("the length of an agent's name", max(map(len, settings.agents)), 1, MAX_NAME)
    for name in settings.agents:
        if re.search("[\r\ud800-\udfff]", name):  # which games.csv would not keep
            raise ValueError(f"an agent's name must be Unicode text without carriage returns, not {shown(name)}")


def _complete_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file of UTF-8 text; the last one is left out if it is incomplete."""
    with open_file(path, MAX_GAMES_BYTES) as file:
        while line := file.readline(MAX_LINE_BYTES + 1):
            if len(line) > MAX_LINE_BYTES:
                raise ValueError(f"its lines must have at most {MAX_LINE_BYTES:,} bytes")
            if line.endswith(b"\n"):
                yield line.decode()


_PLAIN = {field.name: field.type for field in fields(Entry) if field.name not in NOT_IN_ROWS}
_LARGEST = 1_000_000
"""The largest absolute value of numbers in games.csv, except the seed."""


def _entry(row: dict[str, str], fixtures: Sequence[Fixture], parts: Iterable[str]) -> Entry:
    """Return a row as an entry. Raises ValueError and others if it does not belong to a game of the tournament."""
    plain: dict[str, Any] = {name: kind(row.pop(name)) for name, kind in _PLAIN.items() if callable(kind)}
    entry = Entry(**plain, parts={name: int(row.pop(name)) for name in parts})
    if row:
        raise ValueError(f"there must be no column {shown(next(iter(row)))}")
    counts = (entry.game, entry.seat, entry.rank, entry.completed, entry.failed, entry.turns, entry.decisions)
    if min(counts) < 0 or not 0 <= entry.seconds < math.inf:
        raise ValueError("seconds and numbers of things must be at least 0")
    fixture = fixtures[entry.game]
    if (entry.deal, entry.seed, entry.agent) != (fixture.deal, fixture.seed, fixture.seating[entry.seat]):
        raise ValueError("this row is not of a game of the tournament")
    if entry.outcome not in OUTCOMES[1:]:
        raise ValueError(f"outcome must be one of {', '.join(OUTCOMES[1:])}, not {shown(entry.outcome)}")
    if max(map(abs, (*counts, entry.score, *entry.parts.values()))) > _LARGEST:
        raise ValueError(f"numbers must lie between {-_LARGEST:,} and {_LARGEST:,}")
    return entry


def _check_result(entries: Sequence[Entry], team_size: int) -> None:
    """Raise ValueError if no game can have this result."""
    outcome, turns = entries[0].outcome, entries[0].turns
    if any((entry.outcome, entry.turns) != (outcome, turns) for entry in entries):
        raise ValueError("outcome and turns must be the same for all seats")
    if any(entry.score != sum(entry.parts.values()) for entry in entries):
        raise ValueError("score must be the sum of its parts")
    teams = {entry.seat // team_size: entry.rank for entry in entries}
    for entry in entries:
        rank = 0 if outcome == "truncated" else 1 + sum(other < entry.rank for other in teams.values())
        winners = max(1, [*teams.values()].count(1))  # no rank is 1 in a damaged file, which is refused below
        win = 1 / winners if rank == 1 else 0
        if (entry.rank, teams[entry.seat // team_size], entry.win) != (rank, rank, win):
            raise ValueError(
                f"seat {entry.seat} must have the rank {rank} and the win {win}, as the others have theirs"
            )


def _check_claims(entries: Sequence[Entry], configuration: Configuration) -> None:
    """Raise ValueError for routes that the variant has not, and for those that are not in order."""
    numbers = [str(number) for number in range(len(getattr(configuration.variant, "routes", ())))]
    for entry in entries:
        given = set(entry.claimed.split())
        if entry.claimed != " ".join(number for number in numbers if number in given):
            claimed = shown(entry.claimed)
            raise ValueError(f"claimed must be numbers of routes below {len(numbers)} in order, not {claimed}")


_MOVES = re.compile(f"[{''.join(KINDS)}]+( [{''.join(KINDS)}]+)*")


def _check_habits(entries: Sequence[Entry], configuration: Configuration) -> None:
    """Raise ValueError for tickets and routes that the game has not, and for moves that are none."""
    routes, tickets = len(getattr(configuration.variant, "routes", ())), configuration.num_tickets
    for entry in entries:
        if not 0 <= entry.cards_before_claim <= _LARGEST:
            raise ValueError(f"cards_before_claim must be from 0 to {_LARGEST:,}, not {entry.cards_before_claim}")
        if entry.first_claim and not _is_number(entry.first_claim, routes):
            raise ValueError(
                f"first_claim must be the number of a route below {routes}, not {shown(entry.first_claim)}"
            )
        if entry.moves and not _MOVES.fullmatch(entry.moves):
            raise ValueError(f"moves must be letters of {', '.join(KINDS)}, not {shown(entry.moves)}")
        if not all(_is_number(ticket, tickets) for ticket in entry.refused.split(" ") if entry.refused):
            raise ValueError(f"refused must be numbers of tickets below {tickets}, not {shown(entry.refused)}")
        for ticket in entry.kept.split(" ") if entry.kept else ():
            found = re.fullmatch("([0-9]+)[+-][0-9]{1,3}", ticket)
            if not found or not _is_number(found[1], tickets):
                raise ValueError(f"kept must be tickets below {tickets} with points, not {shown(entry.kept)}")


def _is_number(text: str, end: int) -> bool:
    """Whether a text is a number below `end`, as it is written."""
    return len(text) <= 4 and text.isascii() and text.isdecimal() and str(int(text)) == text and int(text) < end


def _as_csv(entries: Iterable[Entry], *, heading: bool) -> str:
    rows = [entry.row() for entry in entries]
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0], lineterminator="\n")
    if heading:
        writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _replace(path: Path, text: str) -> None:
    with replacing(path) as new:
        new.write_text(text, encoding="utf-8", newline="")
