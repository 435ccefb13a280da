"""The rating of an agent, which plays the references of a ladder until its interval is narrow enough."""

from collections import defaultdict, deque
from collections.abc import Callable, Collection
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.comparing.rating.estimate import estimate, looks
from t2r_agents.comparing.rating.ladder import Ladder, LadderError, bounds
from t2r_agents.comparing.tournament import Tournament
from t2r_agents.comparing.tournament.adjusted import Adjusted
from t2r_agents.comparing.tournament.isolation import Limits
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.ratings import Interval, games_of, head_to_head, points_by_deal
from t2r_agents.comparing.tournament.standings import Results, results_of
from t2r_agents.comparing.tournament.workers import Workers, play_in_processes
from t2r_env.basics.checks import check_integer

NARROW, ALL_GAMES, TIME, INTERRUPTED = "the interval is narrow enough", "max_games", "max_seconds", "interrupted"


@dataclass(frozen=True)
class Rating:
    """An agent's rating and the games that it follows from. The same games follow from the same ladder and seed."""

    ladder: Ladder
    agent: str
    rating: Interval
    """The result of `estimate`; a bound may be open."""
    results: dict[str, Results]
    """The results of the agent and of the references in these games."""
    against: dict[str, Interval]
    """The share of points against each reference, with Wilson's interval."""
    deals: int
    seed: int
    ended: str
    """One of NARROW, ALL_GAMES, TIME, INTERRUPTED."""
    less_luck: Adjusted | None = None
    """The agent's results less luck, if they were asked for and are known."""

    def fields(self) -> dict[str, Any]:
        """Return the rating for JSON."""
        return {
            **{name: getattr(self.ladder, name) for name in ("variant", "num_players", "options", "rules", "library")},
            "agent": {"rating": bounds(self.rating), **asdict(replace(self.own, decisions_per_second=None))},
            "against": {name: bounds(share) for name, share in self.against.items()},
            "decisions_per_second": {name: it.decisions_per_second for name, it in self.results.items()},
            "deals": self.deals,
            "seed": str(self.seed),
            "ended": self.ended,
            "references": {name: asdict(rating) for name, rating in self.ladder.references.items()},
            "less_luck": self.less_luck
            and {name: bounds(it) for name, it in vars(self.less_luck).items() if isinstance(it, Interval)},
        }

    @property
    def own(self) -> Results:
        """Return the agent's own results."""
        return self.results[self.agent]


class Rater:
    """The games of an agent with the references of a ladder. An agent that is a reference itself plays the others.

    Raises LadderError for an agent that asks a person, and for references that are neither harmless nor `trusted`
    (`Ladder.opponents`). Otherwise raises the errors of Tournament.
    """

    def __init__(
        self,
        ladder: Ladder,
        agent: str,
        max_games: int,
        seed: int,
        limits: Limits | None = None,
        trusted: Collection[str] = (),
        *,
        record: bool = False,
        log: Path | None = None,
    ) -> None:
        check_integer("max_games", max_games, 1)
        self.ladder, self.agent, self.seed = ladder, agent, seed
        self._references = ladder.opponents(agent, trusted)
        self.names = [agent, *self._references]
        """The agent, and then its references."""
        self.tournament = Tournament(
            ladder.configuration(),
            self.names,
            max_games,
            seed,
            limits=limits,
            first_in_all=True,
            record=record,
            log=log,
        )
        """The games; those that were played before, if there are any, count."""
        if self.tournament.asks_person:
            raise LadderError(f"{agent} asks a person, and a rating takes hundreds of games")
        self._deals: dict[int, list[Entry]] = defaultdict(list)

    def rate(
        self,
        width: float,
        max_seconds: float,
        processes: int = 1,
        report: Callable[[int, Interval | None], object] = lambda games, interval: None,
        workers: Workers = play_in_processes,
        keep: Callable[[list[Entry]], object] = lambda entries: None,
    ) -> Rating | None:
        """Play until the interval is narrower than `width`, all games are played, or the time is over.

        Ctrl-C also ends it, after the first deal. The games that count are always the same, unless time or Ctrl-C ends
        them. `processes` and `workers` are those of `Tournament.play`. `report` is told the number of games
        so far and the interval of the last look; `keep` is given the entries of games when they have been played.
        Returns None if no game had ranks. Raises ChildProcessError if a process ends by itself, UnavailableError if an
        agent's server does not answer, and the errors of `keep`.
        """
        configuration = self.tournament.configuration
        for entry in self.tournament.entries:
            self._deals[entry.deal].append(entry)
        planned = deque(looks(self.tournament.fixtures[-1].deal + 1))
        look, interval, ended = 0, None, ALL_GAMES
        until = monotonic() + max_seconds
        try:
            with closing(self.tournament.play(processes, workers)) as playing:
                for entries in playing:
                    keep(entries)
                    for entry in entries:
                        self._deals[entry.deal].append(entry)
                    while planned and self._complete() >= planned[0] and ended == ALL_GAMES:
                        look = planned.popleft()
                        interval = self._interval(look)
                        if interval and interval.high - interval.low < width:
                            ended = NARROW
                    report(len(self.tournament.entries) // configuration.num_players, interval)
                    if ended == NARROW:
                        return self._rating(look, ended)
                    if monotonic() > until:
                        ended = TIME
                        break
        except KeyboardInterrupt:
            if not self._complete():
                raise
            ended = INTERRUPTED
        finally:
            self.tournament.close()
        return self._rating(self._complete(), ended)

    @property
    def entries(self) -> list[Entry]:
        """The results of all games so far, in order; with `record` they have the actions."""
        return sorted(self.tournament.entries, key=lambda entry: (entry.game, entry.seat))

    def _complete(self) -> int:
        """Return how many deals have been played, without those after one that has not: several processes end them in
        another order, and slow ones must not be missing."""
        return next(deal for deal in range(len(self._deals) + 1) if deal not in self._deals)

    def _entries(self, deals: int) -> list[Entry]:
        return [entry for deal in range(deals) for entry in self._deals[deal]]

    def _points(self, deals: int) -> NDArray[np.float64]:
        games = games_of(self._entries(deals), self.tournament.configuration.variant.team_size)
        return points_by_deal(games, self.names)

    def _interval(self, deals: int) -> Interval | None:
        """Return the rating after this many deals; None if no game has ranks."""
        points = self._points(deals)
        ratings = np.array([rating.value for rating in self._references.values()])
        return estimate(points[:, 0, 1:], points[:, 1:, 0], ratings) if len(points) else None

    def _rating(self, deals: int, ended: str) -> Rating | None:
        if not deals or (interval := self._interval(deals)) is None:
            return None
        entries, names = self._entries(deals), self.names
        shares = head_to_head(self._points(deals))[0]
        played = {entry.agent for entry in entries}
        return Rating(
            ladder=self.ladder,
            agent=self.agent,
            rating=interval,
            results={name: results_of(entries, name) for name in names if name in played},
            against={name: share for name, share in zip(names, shares) if share},
            deals=deals,
            seed=self.seed,
            ended=ended,
        )
