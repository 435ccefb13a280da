"""A batch of games in each of which one seat is asked from outside; opponents play the others.

What the Gymnasium and Stable-Baselines3 environments have in common.
"""

import os
import time
from typing import Any, Literal

import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import ArrayLike, NDArray

from t2r_env.agents import RandomAgent, actions_of, ask, draw_rng, draw_seeds, find_agent
from t2r_env.configuration import Configuration, as_configuration
from t2r_env.core.randomness import next_seed
from t2r_env.envs.opponents import AnyOpponents, find_opponents
from t2r_env.games import Games, IllegalAction, Reward

LEARNER = -1
"""Stands for the learner among the numbers of opponents."""

_SEAT, _CORE_RNG, _AGENT_RNG, _OPPONENTS = range(4)
"""What a game's words of chance are for, in their order; the last are one for each other seat."""


class SeatGames:
    """Many games, stepped together, whose other seats are played by opponents within each step.

    A game depends on its seed alone, its learner's seat, its opponents and their chance included: not on its row, nor
    on what is played beside it.

    Parameters
    ----------
    variant, num_players, options
        As for `t2r_env.configure`; or a `Configuration` in the place of the variant.
    batch
        How many games.
    opponents
        Who plays the other seats: an agent as for `t2r_env.agents.find_agent` (a name, an import path, a class, an
        object, or a function of `Questions`), a list of them, one for each seat after the learner's in turn order, or
        an `OpponentPool`. `random` plays inside the core.
    seat
        The learner's; `random` draws one for every game.
    reward, illegal_action, threads
        As for `Games`; `illegal_action` is about the learner. An opponent's illegal answer always raises
        IllegalActionError; the games that then wait for an opponent can only be reset.

    Attributes
    ----------
    games : Games
        To be looked at, not stepped.
    seats : int64, (batch,)
        The learner's seat in each game.
    sitters : int64, (batch, seats)
        Who sits where: the number of an opponent, or `LEARNER`.
    rewards : float64, (batch,)
        All that the learner has earned since its last decision; of the last step.
    terminated, truncated : bool, (batch,)
        Whether a game has ended. It stays so until `reset`.
    opponent_seconds : float
        What the opponents' answers have taken so far, but for those inside the core.

    Raises ValueError or TypeError for any argument that is not allowed; the message says what is.
    """

    def __init__(
        self,
        variant: str | os.PathLike[str] | Configuration = "usa",
        num_players: int | None = None,
        batch: int = 1,
        *,
        opponents: AnyOpponents = "random",
        seat: int | Literal["random"] = 0,
        reward: Reward = "rank",
        illegal_action: IllegalAction = "terminate",
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.games = Games(
            as_configuration(variant, num_players, options),
            batch=batch,
            reward=reward,
            autoreset=False,
            illegal_action=illegal_action,
            threads=threads,
        )
        self.batch, num_seats = self.games.batch, self.games.num_players
        is_seat = isinstance(seat, int | np.integer) and not isinstance(seat, bool) and 0 <= seat < num_seats
        if not is_seat and seat != "random":
            raise ValueError(f"seat must be an integer from 0 to {num_seats - 1}, or 'random', not {seat!r}")
        self.seat = seat
        self.opponents = find_opponents(opponents, num_seats - 1)
        for agent in self.opponents.agents:
            find_agent(agent, self.games.configuration)
        self.seats = np.zeros(batch, np.int64)
        self.sitters = np.full((batch, num_seats), LEARNER)
        self.rewards = np.zeros(batch)
        self.opponent_seconds = 0.0
        self.terminated, self.truncated = self.games.terminated, self.games.truncated
        self._rng = np.zeros(batch, np.uint64)
        self._earlier = np.zeros(batch)  # what the learner has earned before its first decision
        self._all_rows = np.arange(batch)
        self._has_begun = False

    @property
    def configuration(self) -> Configuration:
        """What is played."""
        return self.games.configuration

    @property
    def over(self) -> NDArray[np.bool_]:
        """Whether each game has ended, as a new array (batch,)."""
        return self.terminated | self.truncated

    def check_begun(self) -> None:
        """Raise ResetNeeded if there has been no `reset`."""
        if not self._has_begun:
            raise ResetNeeded("no game has begun: call reset() first")

    def following_seed(self, row: int) -> int:
        """The seed of the row's next game if none is given; the first of all is the row's number."""
        seed = self.games.seeds[row]
        return int(next_seed(seed) if self._has_begun else seed)

    def reset(self, rows: NDArray[np.int64] | None = None, seeds: ArrayLike | None = None) -> None:
        """Begin new games in the given rows (all by default), from the given seeds or those that follow.

        Game i of the first reset without seeds is that of seed i. Raises ValueError for seeds that are none, and
        ResetNeeded if the first reset is of some rows only.
        """
        games = self.games
        begun = self._all_rows if rows is None else rows
        if len(begun) < self.batch:
            self.check_begun()
        if seeds is None:
            seeds = [self.following_seed(row) for row in begun]
        words = draw_rng(games.as_seeds(seeds, begun), _OPPONENTS + games.num_players - 1)
        self._has_begun = True
        self._seat(begun, words)
        games.reset(begun, seeds)
        self._earlier[begun] = games.rewards[begun, self.seats[begun]]
        self._play_others(begun, self._earlier)
        if self.over[begun].any():
            raise ValueError(f"a game of {games.configuration} ends before the learner is asked: the turn limit is low")

    def _seat(self, rows: NDArray[np.int64], words: NDArray[np.uint64]) -> None:
        """Say who sits where in new games."""
        games, opponents = self.games, self.opponents
        self.seats[rows] = words[:, _SEAT] % np.uint64(games.num_players) if self.seat == "random" else self.seat
        games.rngs[rows] = words[:, _CORE_RNG]
        self._rng[rows] = words[:, _AGENT_RNG]
        numbers = opponents.draw(words[:, _OPPONENTS:])
        after = (self.seats[rows, None] + 1 + np.arange(games.num_players - 1)) % games.num_players
        self.sitters[rows, self.seats[rows]] = LEARNER
        self.sitters[rows[:, None], after] = numbers
        is_random = np.array([type(agent) is RandomAgent for agent in opponents.agents])
        games.random_seats[rows, self.seats[rows]] = False
        games.random_seats[rows[:, None], after] = is_random[numbers]

    def step(self, actions: ArrayLike) -> None:
        """Answer the learner's decisions, integers of shape (batch,), and play on to its next ones.

        Actions of ended games are ignored. Raises what `Games.step` does, and ResetNeeded before the first `reset` and
        for games that an opponent has not answered; then nothing has changed.
        """
        self.check_begun()
        rows = self._all_rows
        if (waiting := self._waiting(rows)).size:
            raise ResetNeeded(f"an opponent has failed to answer: reset the games {waiting.tolist()}")
        self.games.step(actions)
        self.rewards[:] = self._earlier + self.games.rewards[rows, self.seats]
        self._earlier[:] = 0
        self._play_others(rows, self.rewards)

    def _waiting(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of the rows where an opponent is to answer."""
        is_over = self.terminated[rows] | self.truncated[rows]
        waiting: NDArray[np.int64] = rows[(self.games.current[rows] != self.seats[rows]) & ~is_over]
        return waiting

    def _play_others(self, rows: NDArray[np.int64], earned: NDArray[np.float64]) -> None:
        """Let opponents answer until the learner is asked; add what that earned it."""
        games = self.games
        while (rows := self._waiting(rows)).size:
            sitting = self.sitters[rows, games.current[rows]]
            actions = np.zeros(len(rows), np.int64)
            for number in np.unique(sitting):
                asked = sitting == number
                actions[asked] = self._actions(number, rows[asked])
            games.step(actions, rows)
            earned[rows] += games.rewards[rows, self.seats[rows]]

    def _actions(self, number: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """An opponent's answers."""
        games = self.games
        decisions = ask(games, rows, draw_seeds(self._rng[rows], games.states["decisions"][rows].astype(np.int64)))
        began = time.perf_counter()
        actions = actions_of(self.opponents.agents[number], decisions)
        self.opponent_seconds += time.perf_counter() - began
        return actions

    def observe(self) -> NDArray[np.uint8]:
        """What the learner sees of each game, as a new array (batch, size); at the end too."""
        self.check_begun()
        games, over = self.games, self.over
        vectors = games.observations.copy()
        vectors[over] = games.final_observations[over, self.seats[over]]
        return vectors

    def masks(self) -> NDArray[np.int8]:
        """The learner's legal answers, as a new array (batch, actions); all zero after the end."""
        self.check_begun()
        return self.games.masks.copy()
