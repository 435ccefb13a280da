"""Games played to their end by agents, and how each seat came out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.tournament.schedule import Fixture
from t2r_env import Configuration, Games, Replay
from t2r_env.agents import Agent, Questions, ask, draw_seeds, find_agent
from t2r_env.rules.rewards import OUTCOMES, RUNNING

NO_ANSWER = -1
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
    """What its answers took: its share of the time of questions that were put together."""
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
    """Ask each agent one question, so that what is compiled is so before its time is taken."""
    games = Games(configuration)
    for agent in agents.values():
        answers_of(agent, ask(games, np.zeros(1, np.int64), np.zeros(1, np.uint64)))


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
        chance = np.array([fixture.chance for fixture in self.fixtures], np.uint64)
        games.reset(seeds=[fixture.seed for fixture in self.fixtures])
        question = 0
        while (running := games.states["outcome"] == RUNNING).any():
            asked = sits[rows, games.current]
            seeds = draw_seeds(chance, np.full(len(rows), question))
            actions = np.zeros(len(rows), np.int64)
            for number, agent in enumerate(agents.values()):
                waiting = rows[running & (asked == number)]
                if waiting.size:
                    actions[waiting] = self._answers(agent, waiting, ask(games, waiting, seeds[waiting]))
            games.step(actions)
            question += 1

    def _answers(self, agent: Agent, rows: NDArray[np.int64], questions: Questions) -> NDArray[np.int64]:
        """An agent's answers, with the time they took; the reason of each that is none is put down."""
        seats = self.games.current[rows]
        began = perf_counter()
        answers, reasons = answers_of(agent, questions)
        self.seconds[rows, seats] += (perf_counter() - began) / len(rows)
        self.decisions[rows, seats] += 1
        for place, reason in reasons.items():
            self.reasons[int(rows[place]), int(seats[place])] = reason
        return answers

    def entries(self) -> list[Entry]:
        """How each seat came out, game by game."""
        results, setup = self.games.results, self.games.configuration.setup
        outcomes = self.games.states["outcome"]
        ranks = results.ranks
        for row, seat in self.reasons:
            sides = np.arange(ranks.shape[1]) // setup.box.team_size
            ranks[row] = np.where(sides == sides[seat], setup.num_sides, 1)
        winners = ranks == 1
        wins = winners * setup.box.team_size / np.maximum(1, winners.sum(axis=1, keepdims=True))
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


def answers_of(agent: Agent, questions: Questions) -> tuple[NDArray[np.int64], dict[int, str]]:
    """An agent's answers, and by the question's place why it has no legal one.

    If something is wrong with all the answers together, each question is put once more by itself.
    """
    try:
        answers = _whole_numbers(agent, questions)
    except (Exception, SystemExit) as error:  # whatever an agent does wrong
        if len(questions) > 1:
            one_by_one = [answers_of(agent, question) for question in questions.alone()]
            faults = {place: reason for place, (_, reasons) in enumerate(one_by_one) for reason in reasons.values()}
            return np.concatenate([answer for answer, _ in one_by_one]), faults
        return np.array([NO_ANSWER]), {0: _in_a_line(error)}
    is_action = (answers >= 0) & (answers < questions.masks.shape[1])
    answers = np.where(is_action, answers, NO_ANSWER).astype(np.int64)
    is_legal = is_action & (questions.masks[np.arange(len(questions)), answers] == 1)
    return answers, {place: _not_legal(questions, answers, place) for place in np.flatnonzero(~is_legal).tolist()}


def _whole_numbers(agent: Agent, questions: Questions) -> NDArray[Any]:
    answers = np.asarray(agent.act(questions))
    if answers.shape != (len(questions),) or answers.dtype.kind not in "iu":
        raise TypeError(
            f"the answers must be whole numbers of shape ({len(questions)},), not {answers.dtype} of shape"
            f" {answers.shape}"
        )
    return answers


def _not_legal(questions: Questions, answers: NDArray[np.int64], place: int) -> str:
    if answers[place] == NO_ANSWER:
        return f"the answer is no action: they are 0 to {questions.masks.shape[1] - 1}"
    try:
        words = f" ({questions.configuration.words.describe(questions.views[place], int(answers[place]))})"
    except ValueError:
        words = ""
    return f"the answer {answers[place]}{words} is not legal"


def _in_a_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_REASON]
