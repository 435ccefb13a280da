"""A batch of games in each of which one seat is played from outside, and opponents play the others.

The Gymnasium and Stable-Baselines3 environments are made of it.
"""

import os
from typing import Any, Literal, Unpack

import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from t2r_env.agents import RandomAgent, find_agent, step_agents
from t2r_env.basics.checks import Actions, Integers, as_integer, check_distinct_rows, check_seeds, draw_seed
from t2r_env.configuration import Configuration, Options, as_configuration
from t2r_env.core.randomness import next_seed
from t2r_env.envs.common import warn_of_illegal_action
from t2r_env.envs.opponents import AnyOpponents, Seated, find_opponents
from t2r_env.features import AnyFeatures
from t2r_env.games import Games, IllegalAction, Reward
from t2r_env.results import Results
from t2r_env.rules.names import outcomes
from t2r_env.seeding import agent_keys, decision_seeds, other_seeds
from t2r_env.variants import Variant

LEARNER = -1
"""Stands for the learner among the indices of opponents."""

_SEAT, _CORE_RNG, _OPPONENTS = range(3)
"""The uses of a game's seeds that are not for decisions, in their order; the last are one for each other seat."""


class SeatGames:
    """Many games, stepped together. Opponents play the other seats within each step.

    A game depends on its seed alone, which settles its learner's seat, its opponents and their random choices, too. It
    does not depend on its row, nor on the games next to it.

    Raises ValueError or TypeError if an argument is not allowed.

    Parameters
    ----------
    variant, num_players, options, opponents, seat
        As for `SeatEnvironment`. The opponent `random` plays inside the core.
    batch
        The number of games.
    reward, illegal_action, threads, features
        As for `Games`; `illegal_action` and `features` are about the learner. An opponent's illegal action always
        raises IllegalActionError; the games that then wait for an opponent can only be reset.

    Attributes
    ----------
    games : Games
        To be looked at, not stepped.
    seats : int64, (batch,)
        The learner's seat in each game.
    seating : int64, (batch, seats)
        Who plays each seat: the index of an opponent, or `LEARNER`.
    rewards : float64, (batch,)
        The learner's rewards since its last decision, summed; of the last step.
    has_begun : bool
        Whether there has been a reset.
    """

    def __init__(
        self,
        variant: str | os.PathLike[str] | Variant | Configuration = "usa",
        num_players: int | None = None,
        batch: int = 1,
        *,
        opponents: AnyOpponents = "random",
        seat: int | Literal["random"] = 0,
        reward: Reward = "rank",
        illegal_action: IllegalAction = "terminate",
        threads: int = 1,
        features: AnyFeatures | None = None,
        **options: Unpack[Options],
    ) -> None:
        self.games = Games(
            as_configuration(variant, num_players, options, SeatGames),
            batch=batch,
            reward=reward,
            autoreset=False,
            illegal_action=illegal_action,
            threads=threads,
            features=features,
            seed=0,
        )
        self.batch, num_seats = self.games.batch, self.games.num_players
        if not (isinstance(seat, str) and seat == "random") and as_integer(seat) not in range(num_seats):
            raise ValueError(f"seat must be an integer from 0 to {num_seats - 1}, or 'random', not {seat!r}")
        self.seat = seat
        self.opponents = find_opponents(opponents, num_seats - 1)
        for agent in self.opponents.agents:
            find_agent(agent, self.games.configuration)
        self._seated = Seated()
        self.seats = np.zeros(batch, np.int64)
        self.seating = np.full((batch, num_seats), LEARNER)
        self.rewards = np.zeros(batch)
        self._agent_keys = np.zeros((batch, 2), np.uint64)
        self._earlier = np.zeros(batch)  # the learner's rewards before its first decision
        self._all_rows = np.arange(batch)
        self.has_begun = False
        self._has_warned = False

    @property
    def configuration(self) -> Configuration:
        """Variant, players and options."""
        return self.games.configuration

    def __repr__(self) -> str:
        return f"<SeatGames {self.title}>"

    @property
    def title(self) -> str:
        """The configuration, the learner's seat, and where the games are, in words."""
        games = self.games
        standing = games.standing if self.has_begun else f"{self.batch} to begin, call reset() first"
        return f"{games.configuration.title}, seat {self.seat}, reward {games.reward}: {standing}"

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """Whether each game has ended by the rules or an illegal action, (batch,)."""
        return self.games.terminated

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Whether each game has ended by the turn limit, (batch,)."""
        return self.games.truncated

    @property
    def over(self) -> NDArray[np.bool_]:
        """Whether each game has ended, as a new array (batch,)."""
        return self.terminated | self.truncated

    def check_begun(self) -> None:
        """Raise ResetNeeded before the first `reset`."""
        if not self.has_begun:
            raise ResetNeeded("call reset() first: no game has begun")

    def following_seed(self, row: int) -> int:
        """Return the seed of the row's next game if none is given; before the first reset, a random one."""
        return int(next_seed(self.games.seeds[row])) if self.has_begun else draw_seed()

    def reset(self, rows: Integers | None = None, seeds: Integers | None = None) -> None:
        """Begin new games in the given rows, all by default, from the given seeds or those that follow.

        Without seeds, the first reset draws them at random. Raises ValueError for rows outside the batch or twice, and
        if the seeds are not one for each row, and ResetNeeded if the first reset is not of all rows.
        """
        games = self.games
        begun = self._all_rows if rows is None else check_distinct_rows(rows, self.batch)
        if len(begun) < self.batch:
            self.check_begun()
        if seeds is None:
            seeds = [self.following_seed(row) for row in begun]
        keys = agent_keys(check_seeds(seeds, len(begun)))
        self._seat(begun, other_seeds(keys, _OPPONENTS + games.num_players - 1))
        self.has_begun = True
        self._agent_keys[begun] = keys
        self._seated.begin(begun.tolist())
        games.reset(begun, seeds)
        self._earlier[begun] = games.rewards[begun, self.seats[begun]]
        self._play_others(begun, self._earlier)
        if self.over[begun].any():
            raise ValueError(f"turn_limit is too low: a game of {games.configuration} ends before the learner acts")

    def _seat(self, rows: NDArray[np.int64], derived: NDArray[np.uint64]) -> None:
        """Seat the learner and its opponents in new games, given the games' seeds for other things than decisions."""
        games, opponents = self.games, self.opponents
        others, number = derived[:, _OPPONENTS:], len(opponents.agents)
        learner: Any = derived[:, _SEAT] % np.uint64(games.num_players) if self.seat == "random" else self.seat
        seats = np.full(len(rows), learner, np.int64)
        drawn = np.asarray(opponents.draw(others, seats))
        fits = drawn.dtype.kind in "iu" and drawn.shape == others.shape
        if not fits or not ((drawn >= 0) & (drawn < number)).all():
            raise ValueError(f"draw must return integers {others.shape} from 0 to {number - 1}, not {drawn!r}")
        self.seats[rows] = seats
        games.rngs[rows] = derived[:, _CORE_RNG]
        after = (seats[:, None] + 1 + np.arange(games.num_players - 1)) % games.num_players
        self.seating[rows, seats] = LEARNER
        self.seating[rows[:, None], after] = drawn
        games.featured_seats[rows] = self.seating[rows] == LEARNER
        is_random = np.array([type(agent) is RandomAgent for agent in opponents.agents])
        games.random_seats[rows, seats] = False
        games.random_seats[rows[:, None], after] = is_random[drawn]

    def step(self, actions: Actions) -> None:
        """Take the learner's actions, integers of shape (batch,), and play on to its next decisions.

        Actions of ended games are ignored. Raises what `Games.step` does, and ResetNeeded before the first `reset` and
        after an opponent failed to act; then nothing has changed.
        """
        self.check_begun()
        rows = self._all_rows
        if (waiting := self._waiting(rows)).size:
            raise ResetNeeded(f"reset the games {waiting.tolist()}: an opponent has failed to act")
        self.games.step(actions)
        self.rewards[:] = self._earlier + self.games.rewards[rows, self.seats]
        self._earlier[:] = 0
        self._play_others(rows, self.rewards)

    def _waiting(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return those of these rows that wait for an opponent."""
        is_over = self.terminated[rows] | self.truncated[rows]
        waiting: NDArray[np.int64] = rows[(self.games.current[rows] != self.seats[rows]) & ~is_over]
        return waiting

    def _play_others(self, rows: NDArray[np.int64], earned: NDArray[np.float64]) -> None:
        """Let opponents act until the learner is to act; add to `earned`, (batch,), its rewards meanwhile."""
        games = self.games
        while (rows := self._waiting(rows)).size:
            seeds = decision_seeds(games, rows, self._agent_keys)
            step_agents(games, rows, self.opponents.agents, self.seating, seeds, self._seated.choose)
            earned[rows] += games.rewards[rows, self.seats[rows]]

    def forfeited(self, ended: NDArray[np.int64], actions: Actions) -> NDArray[np.int64]:
        """Return the rows, of these in which the learner's actions (batch,) have ended games, where they were illegal.

        The first time, a warning is logged.
        """
        forfeited: NDArray[np.int64] = ended[self.games.states["outcome"][ended] == outcomes.FORFEITED]
        if forfeited.size and not self._has_warned:
            self._has_warned = True
            row = forfeited[0]
            warn_of_illegal_action(int(np.asarray(actions)[row]), int(self.seats[row]))
        return forfeited

    def ending(self, row: int, results: Results, index: int = 0) -> dict[str, Any]:
        """Return what infos tell of an ended game: its learner's `seat` and result, and `scores` and `ranks` of all.

        `index` is the row's in the results. A game that was not played to its end has no more than the seat.
        """
        seat = int(self.seats[row])
        if not (result := results.of(index, seat)):
            return {"seat": seat}
        return result | {"seat": seat, "scores": results.scores[index], "ranks": results.ranks[index]}

    def observe(self) -> NDArray[np.uint8]:
        """Return the learner's observations, as a new array (batch, size); of a game that is over, that at its end."""
        self.check_begun()
        games, over = self.games, self.over
        vectors = games.observations.copy()
        vectors[over] = games.final_observations[over, self.seats[over]]
        return vectors

    def masks(self) -> NDArray[np.int8]:
        """Return masks, 1 for each legal action of the learner, as a new array (batch, actions); zero after the end."""
        self.check_begun()
        return self.games.masks.copy()
