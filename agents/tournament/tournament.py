"""A tournament: which games are played, by whom, and how they come out."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from agents.tournament.playing import Entry, play, record, warm_up
from agents.tournament.schedule import Fixture, draw_up
from agents.tournament.workers import Portions, Workers
from t2r_env import Configuration, Replay, configure
from t2r_env.agents import Agent, RandomAgent, find_agent
from t2r_env.games import check_number, check_seed


class Tournament:
    """Games of some agents, played in part or in whole.

    Raises ValueError or TypeError for what is not allowed; the message says what is.
    """

    def __init__(
        self, configuration: Configuration, agents: Sequence[str], games: int, seed: int, played: Iterable[Entry] = ()
    ) -> None:
        self.configuration = configuration
        if not agents or len(set(agents)) < len(agents):
            raise ValueError(f"agents must be one or more, each named once, not {', '.join(agents) or 'none'}")
        self.agents: dict[str, Agent] = {name: find_agent(name, configuration) for name in agents}
        self.asks_person = any(getattr(agent, "asks_person", False) for agent in self.agents.values())
        """Whether one of the agents asks a person on the terminal."""
        teams, team_size = configuration.num_teams, configuration.variant.team_size
        self.fixtures = draw_up(agents, teams, team_size, check_number("games", games, 1), check_seed(seed))
        self.entries: list[Entry] = list(played)
        """What has been played."""

    def play(self, processes: int = 1) -> Iterator[list[Entry]]:
        """Play what has not been played, some games at a time, and give them; `entries` holds them too.

        The games are the same for every number of processes. With more than one the agents are found by their names
        in each; raises ChildProcessError if one of them ends by itself.
        """
        done = {entry.game for entry in self.entries}
        missing = [fixture for fixture in self.fixtures if fixture.game not in done]
        processes = min(processes, len({fixture.deal for fixture in missing}))
        for entries in self._play_here(Portions(missing)) if processes <= 1 else self._share(processes, missing):
            self.entries += entries
            yield entries

    def record(self, game: int) -> Replay:
        """One of the games once more, written down. An agent that looks at the clock may play another game."""
        return record(self.configuration, self.fixtures[game])

    def _play_here(self, portions: Portions) -> Iterator[list[Entry]]:
        while fixtures := portions.take():
            began = perf_counter()
            entries = play(self.configuration, self.agents, fixtures)
            portions.took(entries, perf_counter() - began)
            yield entries

    def _share(self, processes: int, missing: Sequence[Fixture]) -> Iterator[list[Entry]]:
        self._compile()
        with Workers(processes, self.configuration, list(self.agents)) as workers:
            yield from workers.play(Portions(missing))

    def _compile(self) -> None:
        """Let all that is compiled be so before several processes want it: ask each agent one decision, play a game."""
        fixture = self.fixtures[0]
        warm_up(self.configuration, self.agents)
        play(self.configuration, dict.fromkeys(fixture.seating, RandomAgent()), [fixture])


@dataclass(frozen=True)
class Settings:
    """What makes a tournament: the same settings play the same games."""

    variant: str
    """The name of a game, or the path of a folder."""
    players: int
    options: dict[str, Any]
    agents: list[str]
    games: int
    seed: int

    def configuration(self) -> Configuration:
        """The game that is played. Raises ValueError or TypeError for what is not allowed."""
        return configure(self.variant, self.players, **self.options)

    def tournament(self) -> Tournament:
        """The tournament, before its first game. Raises ValueError or TypeError for what is not allowed."""
        return Tournament(self.configuration(), self.agents, self.games, self.seed)

    def title(self) -> str:
        """The game that is played, in words."""
        return f"{self.configuration()}, tickets {self.options['tickets']}"

    def command(self) -> str:
        """The command that plays these games."""
        words = ["python", "-m", "agents.tournament", "--variant", self.variant, "--players", self.players]
        words += ["--agents", *self.agents, "--games", self.games, "--seed", self.seed]
        for name, value in self.options.items():
            if value is not False:
                words += [f"--{name.replace('_', '-')}", *([] if value is True else [value])]
        return shlex.join(map(str, words))
