"""Games played to their end by agents, and the result of each seat."""

import json
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import current_thread, main_thread
from time import perf_counter
from types import FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.comparing.tournament.habits import Notes
from t2r_agents.comparing.tournament.players import Player
from t2r_agents.comparing.tournament.schedule import Fixture
from t2r_agents.playing.failures import Failure, failure_of, reason_line
from t2r_agents.playing.game_log import KeepsLog
from t2r_env import Configuration, Games, Replay
from t2r_env.agents import (
    Agent,
    Decisions,
    ForfeitError,
    FunctionAgent,
    UnavailableError,
    act,
    decisions_of,
    find_legal,
    step_agents,
)
from t2r_env.basics.writing import append_line, replacing
from t2r_env.rules.names import OUTCOMES, outcomes
from t2r_env.seeding import decision_seeds, key_words

NO_ACTION = -1
"""The action of an agent that returns none. It is never legal, so it ends the game."""


@dataclass(frozen=True)
class Entry:
    """The result of one seat of one game. Points are zero unless the game was played to its end."""

    deal: int
    seed: int
    """The seed of the deal: `env.reset(seed=...)` deals it again."""
    game: int
    seat: int
    agent: str
    outcome: str
    """`finished`; `truncated` at the turn limit (C19); or `forfeited`."""
    win: float
    """1 shared among the winners, or the winning teams."""
    rank: int
    """0 in a truncated game. In a forfeited one the seat's team is last, and the other teams share the first rank."""
    score: int
    completed: int
    failed: int
    turns: int
    """The turns of the game, all seats together."""
    decisions: int
    """The seat's own decisions."""
    seconds: float = field(compare=False)
    """The time that its actions took: its share of the time of all games that its agent acted in together."""
    forfeit: str
    """Why this seat forfeited the game."""
    parts: dict[str, int]
    """The parts of the score, by name."""
    traceback: str = field(default="", compare=False)
    """The traceback of the error for which the agent forfeited the game."""
    claimed: str = ""
    """The numbers of the routes that the seat has at the end, in the order of the variant's routes, with spaces."""
    kept: str = ""
    refused: str = ""
    first_claim: str = ""
    cards_before_claim: int = 0
    moves: str = ""
    """As in `Habits`, which says what these mean."""
    actions: tuple[int, ...] = field(default=(), compare=False)
    """The actions of all seats of the game, if they were recorded."""

    def row(self) -> dict[str, Any]:
        """Return the entry as a row of games.csv."""
        return {name: value for name, value in vars(self).items() if name not in NOT_IN_ROWS} | self.parts


NOT_IN_ROWS = ("parts", "traceback", "actions")
"""The fields of an entry that are not columns of games.csv; each part of the score has its own column."""


def play(
    configuration: Configuration,
    agents: Mapping[str, Player],
    fixtures: Sequence[Fixture],
    *,
    record: bool = False,
    log: Path | None = None,
    states: NDArray[Any] | None = None,
) -> list[Entry]:
    """Play these games and return the result of each seat, with `record` the actions too.

    All are played together if their agents may play several games, else one after the other. Agents that keep a log
    write it into the file `log`. With `states`, (games,), each begins from a state instead of its deal.
    """
    if all(isinstance(agents[name], Agent) for fixture in fixtures for name in fixture.seating):
        return _play(configuration, agents, fixtures, record=record, log=log, states=states).entries()
    found: list[Entry] = []
    for number, fixture in enumerate(fixtures):
        own = None if states is None else states[number : number + 1]
        found += _play(configuration, agents, [fixture], record=record, log=log, states=own).entries()
    return found


def record(configuration: Configuration, agents: Mapping[str, Player], fixture: Fixture) -> Replay:
    """Play a game again and record it. It differs if an agent depends on the time it takes."""
    return Replay.of(_play(configuration, agents, [fixture], record=True).games)


def replay_path(folder: Path, game: int) -> Path:
    """Return the file of a game's replay in a folder of replays."""
    return folder / f"game_{game}.json"


def write_replay(folder: Path, configuration: Configuration, entry: Entry) -> None:
    """Write the recorded game of an entry as a replay without sentences.

    Raises OSError if it can't be written, and ValueError if the game is too long for a file.
    """
    replay = Replay(configuration, entry.seed, entry.actions, "terminate")
    with replacing(replay_path(folder, entry.game)) as new:
        new.write_text(replay.to_json(described=False), encoding="utf-8")


def warm_up(configuration: Configuration, agents: Mapping[str, Player]) -> None:
    """Let each agent act once, so that it compiles and loads what it needs before its time is measured.

    One that asks a person or a server does not.
    """
    decisions = decisions_of(Games(configuration, seed=0), np.zeros(1, np.int64), np.zeros(1, np.uint64))
    for agent in agents.values():
        if not (getattr(agent, "asks_person", False) or getattr(agent, "asks_server", False)):
            with ExitStack() as stack:
                choose(take_seat(agent, stack), decisions)


def _play(
    configuration: Configuration,
    agents: Mapping[str, Player],
    fixtures: Sequence[Fixture],
    *,
    record: bool = False,
    log: Path | None = None,
    states: NDArray[Any] | None = None,
) -> "Round":
    """Play games together: one, or several whose agents may all play several."""
    with ExitStack() as stack:
        seated = [[take_seat(agents[name], stack) for name in fixture.seating] for fixture in fixtures]
        players = {id(player): player for game in seated for player in game}
        indices = {key: index for index, key in enumerate(players)}
        seating = np.array([[indices[id(player)] for player in game] for game in seated])
        return Round(configuration, list(players.values()), seating, fixtures, record=record, log=log, states=states)


def take_seat(agent: Player, stack: ExitStack) -> Agent:
    """Return an agent for a seat of a game; if it can't be made, one that raises the reason."""
    if isinstance(agent, Agent):
        return agent
    with _heeding_interruptions():
        try:
            return stack.enter_context(agent.seat())
        except BaseException as error:
            fault = error

    def fail(decisions: Decisions) -> NDArray[np.int64]:
        raise fault

    return FunctionAgent(fail)


class Round:
    """The games that are played together to their end.

    An agent that raises anything or returns an illegal action, or none at all, forfeits the game of that decision. Only
    an UnavailableError is raised.
    """

    def __init__(
        self,
        configuration: Configuration,
        players: Sequence[Agent],
        seating: NDArray[np.int64],
        fixtures: Sequence[Fixture],
        *,
        record: bool = False,
        log: Path | None = None,
        states: NDArray[Any] | None = None,
    ) -> None:
        """Play the games. `seating` (games, seats) says who plays each seat: an index in `players`."""
        self.fixtures, self.is_recorded, self._log = fixtures, record, log
        games = Games(
            configuration, batch=len(fixtures), autoreset=False, illegal_action="terminate", record=record, seed=0
        )
        self.games = games
        self.seconds, self.decisions = np.zeros(seating.shape), np.zeros(seating.shape, np.int64)
        self.failures: dict[tuple[int, int], Failure] = {}
        self._begun = datetime.now(UTC).isoformat()
        keys = key_words([fixture.agent_key for fixture in fixtures])
        games.reset(seeds=[fixture.seed for fixture in fixtures])
        if states is not None:
            games.set_states(None, states)
        self._notes = Notes(games)
        while (rows := np.flatnonzero(games.states["outcome"] == outcomes.RUNNING)).size:
            noted = self._notes.before_step(rows)
            actions = step_agents(games, rows, players, seating, decision_seeds(games, rows, keys), self._choose)
            self._notes.after_step(noted, actions)

    def _choose(self, agent: Agent, decisions: Decisions, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return an agent's actions, illegal ones included; count decisions, measure the time and note forfeits."""

        def begin(first: int) -> None:
            if self._log and isinstance(agent, KeepsLog):
                agent.game_log = partial(self._write_log, self._log, rows[first:])

        seats, began = self.games.current[rows], perf_counter()
        actions, failures = choose(agent, decisions, begin)
        self.seconds[rows, seats] += (perf_counter() - began) / len(rows)
        self.decisions[rows, seats] += 1
        for index, failure in failures.items():
            self.failures[int(rows[index]), int(seats[index])] = failure
        return actions

    def _write_log(self, path: Path, rows: NDArray[np.int64], index: int, line: Mapping[str, Any]) -> None:
        """Write what an agent says of one of its decisions as a line, with game, seat and step.

        Threads may do so. Raises UnavailableError if it can't be written.
        """
        row = int(rows[index])
        fixture, seat = self.fixtures[row], int(self.games.current[row])
        place = {"game": fixture.game, "seed": str(fixture.seed), "begun": self._begun, "seat": seat}
        place |= {"step": int(self.games.states["decisions"][row]), "agent": fixture.seating[seat]}
        try:
            append_line(path, json.dumps(place | dict(line), ensure_ascii=False))
        except OSError as error:
            raise UnavailableError(f"the log can't be written: {error}") from None

    def entries(self) -> list[Entry]:
        """Return the result of each seat, game by game."""
        games = self.games
        results, configuration = games.results, games.configuration
        outcomes = games.states["outcome"]
        ranks, wins = ranks_and_wins(configuration, results.ranks, self.failures)
        no_failure = Failure("")
        claimed, habits = _claimed(games), self._notes.habits()
        actions = [tuple(games.history(row)[1]) if self.is_recorded else () for row in range(games.batch)]
        return [
            Entry(
                deal=fixture.deal,
                seed=fixture.seed,
                game=fixture.game,
                seat=seat,
                agent=agent,
                outcome=OUTCOMES[outcomes[row]],
                win=float(wins[row, seat]),
                rank=int(ranks[row, seat]),
                score=int(results.scores[row, seat]),
                completed=int(results.completed[row, seat]),
                failed=int(results.failed[row, seat]),
                turns=int(results.turns[row]),
                decisions=int(self.decisions[row, seat]),
                seconds=float(self.seconds[row, seat]),
                forfeit=self.failures.get((row, seat), no_failure).reason,
                parts={name: int(points[row, seat]) for name, points in results.breakdown.items()},
                traceback=self.failures.get((row, seat), no_failure).traceback,
                claimed=" ".join(map(str, claimed[row, seat].nonzero()[0])),
                **vars(habits[row][seat]),
                actions=actions[row],
            )
            for row, fixture in enumerate(self.fixtures)
            for seat, agent in enumerate(fixture.seating)
        ]


def ranks_and_wins(
    configuration: Configuration, ranks: NDArray[np.int64], forfeits: Iterable[tuple[int, int]]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the ranks of games with forfeits, and the wins, both new arrays (games, seats), as in `Entry`.

    `ranks` (games, seats) are those of `Results`; `forfeits` are games and the seats that forfeited them.
    """
    ranks, teams = ranks.copy(), np.arange(ranks.shape[1]) // configuration.variant.team_size
    for game, seat in forfeits:
        ranks[game] = np.where(teams == teams[seat], configuration.num_teams, 1)
    winners = ranks == 1
    return ranks, winners * configuration.variant.team_size / np.maximum(1, winners.sum(axis=1, keepdims=True))


def _claimed(games: Games) -> NDArray[np.bool_]:
    """Return which routes each seat of each game has, (games, seats, routes); of the Card Game none."""
    configuration = games.configuration
    routes = len(getattr(configuration.variant, "routes", ()))
    if not routes:
        return np.zeros((games.batch, configuration.num_players, 0), np.bool_)
    words = np.ascontiguousarray(games.states["claimed"], "<u8").view(np.uint8)
    bits = np.unpackbits(words, axis=-1, count=routes, bitorder="little")
    return bits[:, : configuration.num_players].astype(np.bool_)


def choose(
    agent: Agent, decisions: Decisions, begin: Callable[[int], None] = lambda first: None
) -> tuple[NDArray[np.int64], dict[int, Failure]]:
    """Return an agent's actions at k decisions, (k,), and by a decision's index why its action is not legal.

    NO_ACTION stands for a missing or impossible action. An agent that fails at several decisions together acts again,
    at each of them alone. `begin` is called before it acts, with the index of the first decision that it is given.
    """
    begin(0)
    actions, told = _act(agent, decisions)
    if isinstance(actions, Failure):
        if len(decisions) == 1:
            return np.array([NO_ACTION]), {0: actions}
        return _choose_alone(agent, decisions, begin)
    actions[list(told)] = NO_ACTION
    is_legal = find_legal(actions, decisions.masks)
    actions = np.where((actions >= 0) & (actions < decisions.masks.shape[1]), actions, NO_ACTION)
    illegal = np.flatnonzero(~is_legal).tolist()
    return actions, {index: told.get(index) or _not_legal(decisions, actions, index) for index in illegal}


def _choose_alone(
    agent: Agent, decisions: Decisions, begin: Callable[[int], None]
) -> tuple[NDArray[np.int64], dict[int, Failure]]:
    """Return what `choose` does, of an agent that acts at each decision alone."""
    actions, failures = np.zeros(len(decisions), np.int64), dict[int, Failure]()
    for index, decision in enumerate(decisions.split()):
        begin(index)
        (actions[index],), failed = choose(agent, decision)
        if failed:
            failures[index] = failed[0]
    return actions, failures


def _act(agent: Agent, decisions: Decisions) -> tuple[NDArray[np.int64] | Failure, dict[int, Failure]]:
    """Return an agent's actions, (k,), legal or not, and by index why it gives some up; or why there are none.

    Only Ctrl-C at the terminal and UnavailableError are raised.
    """
    with _heeding_interruptions():
        try:
            return act(agent, decisions).astype(np.int64), {}  # larger integers become negative: not legal either
        except UnavailableError:
            raise
        except ForfeitError as error:
            if error.actions.shape != (len(decisions),) or not error.reasons.keys() <= set(range(len(decisions))):
                return failure_of(error), {}
            return error.actions, {index: Failure(reason_line(reason)) for index, reason in error.reasons.items()}
        except BaseException as error:  # whatever an agent may raise
            return failure_of(error), {}


def _not_legal(decisions: Decisions, actions: NDArray[np.int64], index: int) -> Failure:
    if actions[index] == NO_ACTION:
        return Failure(f"actions must be from 0 to {decisions.masks.shape[1] - 1}")
    try:
        text = f" ({decisions.configuration.text.describe(decisions.views[index], int(actions[index]))})"
    except ValueError:
        text = ""
    return Failure(f"action {actions[index]}{text} is not legal")


@contextmanager
def _heeding_interruptions() -> Iterator[None]:
    """Let an agent act, and raise again at the end what the process's own handler of Ctrl-C has raised.

    So Ctrl-C stops an agent at once, also one that catches all exceptions, and the tournament with it; a
    KeyboardInterrupt that an agent raises is the agent's error. Outside the main thread, and in processes that ignore
    Ctrl-C, this does nothing.
    """
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler) or current_thread() is not main_thread():
        yield
        return
    raised: list[BaseException] = []

    def heed(number: int, frame: FrameType | None) -> None:
        try:
            handler(number, frame)
        except BaseException as interruption:
            raised.append(interruption)
            raise

    signal.signal(signal.SIGINT, heed)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if raised:
            raise raised[0]
