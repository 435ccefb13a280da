"""The sources of games: agents that play them, the folder of a tournament, or replays."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby, islice
from pathlib import Path
from typing import Any, Protocol

from t2r_agents.comparing.tournament.players import Player, Players, close_agents
from t2r_agents.comparing.tournament.playing import Entry, play, warm_up
from t2r_agents.comparing.tournament.schedule import Fixture, deal_out
from t2r_agents.comparing.tournament.tournament import Settings as TournamentSettings
from t2r_env import Configuration, Replay
from t2r_env.basics.caching import cached_property
from t2r_env.basics.checks import check_integer
from t2r_env.basics.reading import read_bytes
from t2r_env.replay import MAX_FILE_BYTES


@dataclass(frozen=True)
class Game:
    """A recorded game."""

    number: int
    replay: Replay
    deal: int | None = None
    """The number of the deal, which other games may have too; None if it is not known."""
    agents: tuple[str, ...] | None = None
    """The agents on seats 0, 1, ..., if they are known."""


class Reader(Protocol):
    """Makes recorded games of what a source lists. It can be sent to other processes."""

    def begin(self) -> None:
        """Prepare what takes long, such as making agents. Raises ValueError or TypeError if that is not possible."""

    def read(self, listed: Sequence[Any]) -> list[Game]:
        """Return these games, without those that can't be had."""

    def close(self) -> None:
        """End what `begin` has begun."""


class Source(Protocol):
    """The games of an export."""

    @property
    def configuration(self) -> Configuration:
        """Variant, players and options of all games."""

    @property
    def reader(self) -> Reader:
        """The reader of the games that are listed."""

    def __len__(self) -> int: ...

    def listed(self) -> Iterator[Any]:
        """Yield something for each game, in order, from which the reader makes it."""

    def settings(self) -> dict[str, Any]:
        """Return what the games follow from, as a JSON-able dictionary."""


# Agents


@dataclass(frozen=True)
class Listed:
    """A game that agents play."""

    fixture: Fixture
    expected: tuple[Entry, ...] | None = None
    """The results that a tournament has noted: a game that ends otherwise is left out."""


@dataclass(frozen=True)
class AgentReader:
    """Lets agents play the games that are listed."""

    players: Players

    def __reduce__(self) -> tuple[Any, ...]:
        return AgentReader, (self.players,)  # another process makes agents of its own

    @cached_property
    def _agents(self) -> dict[str, Player]:
        return self.players.make()

    def begin(self) -> None:
        """Make the agents, and let them compile. Raises ValueError or TypeError if one can't play here."""
        if asking := [name for name, agent in self._agents.items() if getattr(agent, "asks_person", False)]:
            raise ValueError(f"the agent {asking[0]} asks a person: record such games by t2r play --save")
        warm_up(self.players.configuration, self._agents)

    def read(self, listed: Sequence[Listed]) -> list[Game]:
        """Play these games together and return them, without those that end otherwise than a tournament has noted."""
        configuration = self.players.configuration
        entries = play(configuration, self._agents, [it.fixture for it in listed], record=True)
        games = []
        for it, (_, seats) in zip(listed, groupby(entries, lambda entry: entry.game)):
            played = tuple(seats)
            if it.expected in (None, played):
                fixture = it.fixture
                replay = Replay(configuration, fixture.seed, played[0].actions, "terminate")
                games.append(Game(fixture.game, replay, fixture.deal, fixture.seating))
        return games

    def close(self) -> None:
        """End the processes of isolated agents."""
        close_agents(self._agents)


@dataclass(frozen=True)
class AgentGames:
    """Games that agents play: those of the tournament with the same settings, and exactly as many as these say."""

    played: TournamentSettings

    @cached_property
    def configuration(self) -> Configuration:
        """Variant, players and options. Raises ValueError or TypeError if they are not allowed."""
        return self.played.configuration()

    @cached_property
    def reader(self) -> AgentReader:
        """The reader that lets the agents play. Raises ValueError or TypeError for limits that are not allowed."""
        return AgentReader(Players(self.configuration, tuple(self.played.agents), self.played.limits(), record=True))

    def __len__(self) -> int:
        return self.played.games

    def listed(self) -> Iterator[Listed]:
        """Yield the games of the schedule."""
        return map(Listed, islice(self._schedule(), len(self)))

    def _schedule(self) -> Iterator[Fixture]:
        configuration = self.configuration
        teams, team_size = configuration.num_teams, configuration.variant.team_size
        return deal_out(self.played.agents, teams, team_size, self.played.seed, first_in_all=self.played.rated)

    def settings(self) -> dict[str, Any]:
        """Return the settings of the tournament, with the seed as a string, as other readers may not hold 64 bits."""
        return asdict(self.played) | {"seed": str(self.played.seed)}


@dataclass(frozen=True)
class TournamentGames(AgentGames):
    """The games that a tournament has played so far: its agents play them again."""

    entries: Sequence[Entry] = field(repr=False)

    @cached_property
    def _by_game(self) -> Mapping[int, tuple[Entry, ...]]:
        in_order = sorted(self.entries, key=lambda entry: (entry.game, entry.seat))
        return {game: tuple(seats) for game, seats in groupby(in_order, lambda entry: entry.game)}

    def __len__(self) -> int:
        return len(self._by_game)

    def listed(self) -> Iterator[Listed]:
        """Yield the games that were played, with their results."""
        last = max(self._by_game)
        for fixture in islice(self._schedule(), last + 1):
            if fixture.game in self._by_game:
                yield Listed(fixture, self._by_game[fixture.game])

    def settings(self) -> dict[str, Any]:
        """Return the settings of the tournament, with the number of games that were played."""
        return super().settings() | {"played": len(self)}


# Replays


@dataclass(frozen=True)
class ReplayReader:
    """Reads files of replays."""

    variant: str | None
    """The folder of the variant, if it is none that comes with the library."""

    def begin(self) -> None:
        """Do nothing: a file needs nothing before it is read."""

    def read(self, listed: Sequence[tuple[int, Path]]) -> list[Game]:
        """Return the games in these files, which have numbers. Raises ReplayError and OSError as `Replay.load`."""
        return [Game(number, Replay.load(path, self.variant)) for number, path in listed]

    def close(self) -> None:
        """Do nothing."""


@dataclass(frozen=True)
class ReplayFiles:
    """Games in files of replays, numbered in the order of the files. `check` them first."""

    paths: Sequence[Path]
    variant: str | None = None

    @cached_property
    def configuration(self) -> Configuration:
        """Variant, players and options of the first replay. Raises ReplayError and OSError as `Replay.load`."""
        return Replay.load(self.paths[0], self.variant).configuration

    @property
    def reader(self) -> ReplayReader:
        """The reader of the files."""
        return ReplayReader(self.variant)

    def check(self) -> None:
        """Raise ValueError or OSError unless all files are replays of whole games of one configuration."""
        check_integer("the number of replays", len(self.paths), 1)
        for path in self.paths:
            replay = Replay.load(path, self.variant)
            if replay.configuration != self.configuration:
                raise ValueError(
                    f"all replays must be of the same game: {path} is of {replay.configuration.title}, and"
                    f" {self.paths[0]} of {self.configuration.title}"
                )
            games = replay.final()
            if not games.terminated[0] | games.truncated[0]:
                raise ValueError(f"{path}: the game is not over, so its rewards are not known: leave this file out")

    def __len__(self) -> int:
        return len(self.paths)

    def listed(self) -> Iterator[tuple[int, Path]]:
        """Yield the number and the file of each game."""
        return enumerate(self.paths)

    def settings(self) -> dict[str, Any]:
        """Return the number of files and a digest of their contents."""
        digest = hashlib.sha256()
        for path in self.paths:
            digest.update(hashlib.sha256(read_bytes(path, MAX_FILE_BYTES)).digest())
        identity = {name: self.configuration.identity[name] for name in ("num_players", "options")}
        variant = self.variant or self.configuration.variant.id
        return {"variant": variant} | identity | {"replays": len(self), "digest": digest.hexdigest()[:16]}
