"""The players: the agents of games by name, made so that none knows in one game what it saw in another."""

import copy
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from t2r_agents.comparing.tournament.isolation import IsolatedAgent, Limits
from t2r_env import Configuration
from t2r_env.agents import Agent, find_agent, is_stateless


class NewInstances:
    """An agent that may keep a memory: a new instance plays each seat of each game."""

    def __init__(self, make: Callable[[], Agent], first: Agent) -> None:
        """Take what makes an instance, and one that says whether it asks a person or a server."""
        self._make, self._first = make, first
        self.asks_person = getattr(first, "asks_person", False)
        self.asks_server = getattr(first, "asks_server", False)

    @contextmanager
    def seat(self) -> Iterator[Agent]:
        """Give a new instance; of an object that is named by its import path a copy."""
        made = self._make()
        yield copy.deepcopy(made) if made is self._first else made


Player: TypeAlias = Agent | NewInstances | IsolatedAgent
"""An agent that plays all games together, or an object that gives one for each seat of each game."""


@dataclass(frozen=True)
class Players:
    """The agents of games and how they are made. It can be sent to other processes."""

    configuration: Configuration
    names: tuple[str, ...]
    limits: Limits | None = None
    """If there are limits, each seat of each game is played by a process of its own."""
    folder: Path = field(default_factory=Path.cwd)
    """The folder in which relative paths in names begin; agents may change to other folders while they play."""
    record: bool = False
    """Whether the games' actions are recorded."""
    log: Path | None = None
    """The file into which agents that keep a log write it."""

    def make(self) -> dict[str, Player]:
        """Return the agents by name. Raises ValueError or TypeError if one can't be made or can't play here."""
        agents: dict[str, Player] = {}
        try:
            for name in self.names:
                agents[name] = self._player(name)
        except BaseException:
            close_agents(agents)
            raise
        return agents

    def _player(self, name: str) -> Player:
        if self.limits is None:
            agent = self._find(name)
            if is_stateless(agent):
                return agent
            return NewInstances(lambda: self._find(name), agent)
        isolated = IsolatedAgent(name, self.configuration, self.limits)
        isolated.start()
        return isolated

    def _find(self, name: str) -> Agent:
        with chdir(self.folder):
            return find_agent(name, self.configuration)


def close_agents(agents: Mapping[str, Player]) -> None:
    """End the processes of agents that act in processes of their own; they are started again when they are needed."""
    for agent in agents.values():
        if isinstance(agent, IsolatedAgent):
            agent.close()
