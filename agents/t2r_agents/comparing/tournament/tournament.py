"""A tournament: its games, their agents, and their results."""

import shlex
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from t2r_agents.comparing.tournament.isolation import Limits
from t2r_agents.comparing.tournament.players import Players, close_agents
from t2r_agents.comparing.tournament.playing import Entry, play, record, warm_up
from t2r_agents.comparing.tournament.schedule import make_schedule
from t2r_agents.comparing.tournament.workers import Portions, Workers, play_in_processes
from t2r_env import Configuration, Replay, configure
from t2r_env.agents import RandomAgent
from t2r_env.basics.checks import check_integer, check_seed
from t2r_env.basics.plain import plain
from t2r_env.commands.options import describe_options


class Tournament:
    """A tournament, before, during or after its games.

    With `limits` each agent plays each seat of each game in a process of its own (`isolation`). With `first_in_all` the
    first agent plays in every game. With `record`, or if an agent asks a server, entries have the actions of their
    games. Agents that keep a log write it into the file `log`.

    Raises ValueError or TypeError if an argument is not allowed.
    """

    def __init__(
        self,
        configuration: Configuration,
        agents: Sequence[str],
        games: int,
        seed: int,
        played: Iterable[Entry] = (),
        limits: Limits | None = None,
        *,
        first_in_all: bool = False,
        record: bool = False,
        log: Path | None = None,
    ) -> None:
        self.configuration = configuration
        if not agents or len(set(agents)) < len(agents):
            raise ValueError(f"agents must be one or more different names, not {plain(', '.join(agents)) or 'none'}")
        teams, team_size = configuration.num_teams, configuration.variant.team_size
        games, seed = check_integer("games", games, 1), check_seed(seed)
        self.fixtures = make_schedule(agents, teams, team_size, games, seed, first_in_all=first_in_all)
        players = Players(configuration, tuple(agents), limits, log=log)
        self.agents = players.make()
        self.asks_person = any(getattr(agent, "asks_person", False) for agent in self.agents.values())
        """Whether one of the agents asks a person on the terminal."""
        self.asks_server = any(getattr(agent, "asks_server", False) for agent in self.agents.values())
        """Whether one of the agents asks a server, which costs something each time."""
        self._players = replace(players, record=record or self.asks_server)
        self.entries: list[Entry] = list(played)
        """The results so far, one entry for each seat of each game."""

    def play(self, processes: int = 1, workers: Workers = play_in_processes) -> Generator[list[Entry], None, None]:
        """Play the games that are missing, some at a time; yield their entries, and add them without tracebacks.

        The games are the same for every number of processes. With several processes, each finds the agents by their
        names. `workers` plays in them: by default on this machine, and a single one is this process. Raises
        ChildProcessError if a process ends by itself, and UnavailableError if an agent's server does not answer. At the
        end no process is left.
        """
        try:
            done = {entry.game for entry in self.entries}
            missing = [fixture for fixture in self.fixtures if fixture.game not in done]
            processes = min(processes, len({fixture.deal for fixture in missing}))
            portions = Portions(missing)
            if missing:
                self._compile()
            if processes > 1 or (processes and workers is not play_in_processes):
                self.close()
                playing = workers(processes, self._players, portions)
            else:
                playing = self._play_here(portions)
            with closing(playing):
                for entries in playing:
                    self.entries += [replace(entry, traceback="") if entry.traceback else entry for entry in entries]
                    yield entries
        finally:
            self.close()

    @property
    def is_recorded(self) -> bool:
        """Whether entries have the actions of their games."""
        return self._players.record

    def close(self) -> None:
        """End the processes of isolated agents; they are started again when they are needed."""
        close_agents(self.agents)

    def record(self, game: int) -> Replay:
        """Return a game: as it was recorded, or else played again; it may differ if an agent looks at the clock."""
        actions = next((entry.actions for entry in self.entries if entry.game == game), ())
        if actions:
            return Replay(self.configuration, self.fixtures[game].seed, actions, "terminate")
        try:
            return record(self.configuration, self.agents, self.fixtures[game])
        finally:
            self.close()

    def _play_here(self, portions: Portions) -> Generator[list[Entry], None, None]:
        while fixtures := portions.take():
            began = perf_counter()
            players = self._players
            entries = play(self.configuration, self.agents, fixtures, record=players.record, log=players.log)
            portions.adapt(entries, perf_counter() - began)
            yield entries

    def _compile(self) -> None:
        """Compile everything before it is measured or needed by several processes: let each agent act, play a game."""
        fixture = self.fixtures[0]
        warm_up(self.configuration, self.agents)
        play(self.configuration, dict.fromkeys(fixture.seating, RandomAgent()), [fixture])


@dataclass(frozen=True)
class Settings:
    """The settings of a tournament. The same settings play the same games."""

    variant: str
    """The name of a variant, or the path of its folder."""
    num_players: int
    options: dict[str, Any]
    agents: list[str]
    games: int
    seed: int
    isolate: bool = False
    """Whether each agent acts in a process of its own."""
    seconds: list[float] = field(default_factory=list)
    """The limits of time of isolated agents: none, that of a decision, or those of a decision and of a game."""
    memory: int | None = None
    """The limit of memory of isolated agents, in MiB."""
    rated: bool = False
    """Whether these are the games of a rating: the first agent plays in every one of them, and they are recorded."""

    def configuration(self) -> Configuration:
        """Return variant, players and options. Raises ValueError or TypeError if they are not allowed."""
        return configure(self.variant, self.num_players, **self.options)

    def tournament(self, log: Path | None = None, *, record: bool = False) -> Tournament:
        """Return the tournament, before its first game, with `record` as for `Tournament`.

        Raises ValueError or TypeError if a setting is not allowed.
        """
        return Tournament(
            self.configuration(),
            self.agents,
            self.games,
            self.seed,
            limits=self.limits(),
            first_in_all=self.rated,
            record=self.rated or record,
            log=log,
        )

    def limits(self) -> Limits | None:
        """Return the limits of isolated agents, None if they are not isolated. Raises ValueError or TypeError."""
        if not self.isolate:
            if self.seconds or self.memory is not None:
                raise ValueError("seconds and memory are limits of agents in processes of their own: add --isolate")
            return None
        if len(self.seconds) > 2:
            raise ValueError(f"seconds must be one or two numbers, for a decision and for a game, not {self.seconds}")
        return Limits(**dict(zip(("decision", "game"), self.seconds)), memory=self.memory)

    def title(self) -> str:
        """Return the configuration and the seed as text."""
        return plain(f"{self.configuration()}, tickets {self.options['tickets']}, seed {self.seed}")

    def command(self) -> str:
        """Return the command that plays these games."""
        parts = ["t2r", "tournament", "--variant", self.variant, "--num-players", self.num_players]
        parts += ["--agents", *self.agents, "--games", self.games, "--seed", self.seed]
        parts += describe_options(self.options)
        parts += ["--isolate"] if self.isolate else []
        parts += ["--seconds", *self.seconds] if self.seconds else []
        parts += ["--memory", self.memory] if self.memory is not None else []
        return shlex.join(map(str, parts))
