"""Games played to their end by agents, and how each seat came out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.tournament.schedule import Fixture
from t2r_env import Configuration, Games, Replay
from t2r_env.agents import Agent, Decisions, ask, draw_seeds, find_agent
from t2r_env.rules.rewards import OUTCOMES, RUNNING

NO_ACTION = -1
"""What is put down for an agent that gives no answer: an answer that is never legal, and so ends the game."""
LONGEST_REASON = 200


@dataclass(frozen=True)
class Entry:
    """How one seat of one game came out. Points are zero unless the game was played to its end."""

    deal: int
    seed: int
    """Of the game's deal: `env.reset(seed=...)` deals it again."""
    game: int
    seat: int
    agent: str
    outcome: str
    """`finished`; `truncated` at the turn limit (C19); or `forfeited`."""
    win: float
    """1 shared among the winners, or the winning teams."""
    rank: int
    """0 in a truncated game. In a forfeited one its side is the last, and the others share the first place."""
    score: int
    completed: int
    failed: int
    turns: int
    """Of the game, all seats together."""
    decisions: int
    """Questions that this seat was asked."""
    seconds: float = field(compare=False)
    """What its answers took: its share of the time of decisions that were put together."""
    forfeit: str
    """Why this seat forfeited the game."""
    parts: dict[str, int]
    """The parts of the score, by name."""

    def row(self) -> dict[str, Any]:
        """The entry as a row of games.csv."""
        fields = {name: value for name, value in vars(self).items() if name != "parts"}
        return fields | self.parts


def play(configuration: Configuration, agents: Mapping[str, Agent], fixtures: Sequence[Fixture]) -> list[Entry]:
    """How each seat of these games comes out; the games are played together."""
    return Round(configuration, agents, fixtures).entries()


def warm_up(configuration: Configuration, agents: Mapping[str, Agent]) -> None:
    """Ask each agent one decision, so that what is compiled is so before its time is taken."""
    games = Games(configuration)
    for agent in agents.values():
        actions_of(agent, ask(games, np.zeros(1, np.int64), np.zeros(1, np.uint64)))


def record(configuration: Configuration, fixture: Fixture) -> Replay:
    """A game once more, with new agents, written down. An agent that looks at the clock may play another game."""
    agents = {name: find_agent(name) for name in fixture.seating}
    return Replay.of(Round(configuration, agents, [fixture], record=True).games)


class Round:
    """Games that were played together to their end.

    An agent that raises an exception, or whose answer is not legal or no answer at all, forfeits the game in which it
    was asked.
    """

    def __init__(
        self,
        configuration: Configuration,
        agents: Mapping[str, Agent],
        fixtures: Sequence[Fixture],
        *,
        record: bool = False,
    ) -> None:
        self.fixtures = fixtures
        self.games = Games(
            configuration, batch=len(fixtures), autoreset=False, illegal_action="terminate", record=record
        )
        shape = (len(fixtures), configuration.num_players)
        self.seconds, self.decisions = np.zeros(shape), np.zeros(shape, np.int64)
        self.reasons: dict[tuple[int, int], str] = {}
        self._play(agents)

    def _play(self, agents: Mapping[str, Agent]) -> None:
        games, rows = self.games, np.arange(len(self.fixtures))
        names = list(agents)
        sits = np.array([[names.index(name) for name in fixture.seating] for fixture in self.fixtures])
        rng = np.array([fixture.rng for fixture in self.fixtures], np.uint64)
        games.reset(seeds=[fixture.seed for fixture in self.fixtures])
        decision = 0
        while (running := games.states["outcome"] == RUNNING).any():
            asked = sits[rows, games.current]
            seeds = draw_seeds(rng, np.full(len(rows), decision))
            actions = np.zeros(len(rows), np.int64)
            for number, agent in enumerate(agents.values()):
                waiting = rows[running & (asked == number)]
                if waiting.size:
                    actions[waiting] = self._actions(agent, waiting, ask(games, waiting, seeds[waiting]))
            games.step(actions)
            decision += 1

    def _actions(self, agent: Agent, rows: NDArray[np.int64], decisions: Decisions) -> NDArray[np.int64]:
        """An agent's answers, with the time they took; the reason of each that is none is put down."""
        seats = self.games.current[rows]
        began = perf_counter()
        actions, reasons = actions_of(agent, decisions)
        self.seconds[rows, seats] += (perf_counter() - began) / len(rows)
        self.decisions[rows, seats] += 1
        for place, reason in reasons.items():
            self.reasons[int(rows[place]), int(seats[place])] = reason
        return actions

    def entries(self) -> list[Entry]:
        """How each seat came out, game by game."""
        results, configuration = self.games.results, self.games.configuration
        outcomes = self.games.states["outcome"]
        ranks = results.ranks
        for row, seat in self.reasons:
            teams = np.arange(ranks.shape[1]) // configuration.variant.team_size
            ranks[row] = np.where(teams == teams[seat], configuration.num_teams, 1)
        winners = ranks == 1
        wins = winners * configuration.variant.team_size / np.maximum(1, winners.sum(axis=1, keepdims=True))
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
                forfeit=self.reasons.get((row, seat), ""),
                parts={name: int(points[row, seat]) for name, points in results.breakdown.items()},
            )
            for row, fixture in enumerate(self.fixtures)
            for seat, agent in enumerate(fixture.seating)
        ]


def actions_of(agent: Agent, decisions: Decisions) -> tuple[NDArray[np.int64], dict[int, str]]:
    """An agent's answers, and by the decision's place why it has no legal one.

    If something is wrong with all the answers together, each decision is put once more by itself.
    """
    try:
        actions = _integers(agent, decisions)
    except (Exception, SystemExit) as error:  # whatever an agent does wrong
        if len(decisions) > 1:
            one_by_one = [actions_of(agent, decision) for decision in decisions.alone()]
            faults = {place: reason for place, (_, reasons) in enumerate(one_by_one) for reason in reasons.values()}
            return np.concatenate([action for action, _ in one_by_one]), faults
        return np.array([NO_ACTION]), {0: _in_a_line(error)}
    is_action = (actions >= 0) & (actions < decisions.masks.shape[1])
    actions = np.where(is_action, actions, NO_ACTION).astype(np.int64)
    is_legal = is_action & (decisions.masks[np.arange(len(decisions)), actions] == 1)
    return actions, {place: _not_legal(decisions, actions, place) for place in np.flatnonzero(~is_legal).tolist()}


def _integers(agent: Agent, decisions: Decisions) -> NDArray[Any]:
    actions = np.asarray(agent.act(decisions))
    if actions.shape != (len(decisions),) or actions.dtype.kind not in "iu":
        raise TypeError(
            f"the answers must be integers of shape ({len(decisions)},), not {actions.dtype} of shape {actions.shape}"
        )
    return actions


def _not_legal(decisions: Decisions, actions: NDArray[np.int64], place: int) -> str:
    if actions[place] == NO_ACTION:
        return f"the answer is no action: they are 0 to {decisions.masks.shape[1] - 1}"
    try:
        words = f" ({decisions.configuration.text.describe(decisions.views[place], int(actions[place]))})"
    except ValueError:
        words = ""
    return f"the answer {actions[place]}{words} is not legal"


def _in_a_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_REASON]
