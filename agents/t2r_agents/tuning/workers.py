"""Who plays the matches: this process, or several, each with agents of its own."""

import math
import os
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from multiprocessing import active_children, get_context, parent_process

from t2r_agents.tuning.matches import Match, Mirror, play_match, play_mirror
from t2r_env import Configuration
from t2r_env.agents import Agent, find_agent


@dataclass(frozen=True)
class Task:
    """A match to be played: parameters against an agent of the pool, or against themselves."""

    parameters: Mapping[str, int]
    opponent: int | None
    """Its index in the pool; None for a mirror."""
    deals: range
    purpose: str
    """Deals of another purpose are other deals."""

    def parts(self, number: int) -> list["Task"]:
        """At most so many tasks with parts of the deals."""
        bounds = [len(self.deals) * part // number for part in range(number + 1)]
        ranges = [self.deals[low:high] for low, high in pairwise(bounds) if low < high]
        return [replace(self, deals=deals) for deals in ranges]


@dataclass(frozen=True)
class Team:
    """The agents of a search, by name: `agent` with the parameters of the task, against those of the pool."""

    configuration: Configuration
    agent: str
    against: Sequence[str]
    seed: int

    def player(self) -> "Player":
        """One that plays with new agents."""
        return Player(self)


class Player:
    """Plays tasks, one after the other."""

    def __init__(self, team: Team) -> None:
        self._team = team
        self._agent = type(find_agent(team.agent, team.configuration))
        self._pool: list[Agent] = [find_agent(name, team.configuration) for name in team.against]

    def play(self, task: Task) -> Match | Mirror:
        """Play the match of a task. It depends on nothing that was played before."""
        agent: Agent = self._agent(parameters=task.parameters)  # type: ignore[call-arg]  # Tunable asks for it
        team = self._team
        if task.opponent is None:
            return play_mirror(team.configuration, agent, task.deals, team.seed, task.purpose)
        opponent = self._pool[task.opponent]
        return play_match(team.configuration, agent, opponent, task.deals, team.seed, task.purpose)


class Workers:
    """So many processes; with one, this process plays. Leaving the context ends them."""

    def __init__(self, team: Team, processes: int) -> None:
        self._player = team.player()
        self._processes = processes
        self._executor = None
        if processes > 1:
            context = get_context("spawn")
            self._executor = ProcessPoolExecutor(processes, context, initializer=_begin, initargs=(team,))

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, error: object, *_: object) -> None:
        if self._executor:
            self._executor.shutdown(wait=not error, cancel_futures=True)
            if error:  # do not wait for the matches that are being played
                for process in active_children():
                    process.terminate()

    def play(self, tasks: Sequence[Task]) -> Iterator[Match | Mirror]:
        """Play the tasks; yield their matches in order. Raises ChildProcessError if a process ends by itself.

        If there are fewer tasks than processes, several processes share each.
        """
        if not self._executor:
            yield from map(self._player.play, tasks)
            return
        shared = [task.parts(math.ceil(self._processes / len(tasks))) for task in tasks]
        try:
            played = self._executor.map(_play, [part for parts in shared for part in parts])
            for parts in shared:
                results = list(islice(played, len(parts)))
                yield type(results[0]).joined(results)  # type: ignore[arg-type]  # all are of the first one's type
        except BrokenProcessPool:
            raise ChildProcessError("a process has ended: it was killed, or an agent ended it") from None

    def warm_up(self, task: Task) -> None:
        """Play a match here, so that everything is compiled before several processes need it."""
        self._player.play(task)


_player: Player
"""Of this process, if it is one that `Workers` has started."""


def _begin(team: Team) -> None:
    """Begin a process."""
    global _player
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process handles an interruption
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _player = team.player()


def _play(task: Task) -> Match | Mirror:
    return _player.play(task)


def _end_with_parent() -> None:
    """End this process when the first one has ended, however it did."""
    if parent := parent_process():
        parent.join()
    os._exit(1)
