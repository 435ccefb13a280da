"""A game that is played by texts alone: what language models, their trainers and harnesses play."""

import os
from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex, Unpack, get_args

import numpy as np
from gymnasium.error import ResetNeeded

from t2r_env.agents import AnyAgent, RandomAgent, find_agent, step_agents
from t2r_env.basics.checks import as_integer, check_choice, check_integer, check_seeds, draw_seed
from t2r_env.configuration import Configuration, Options, as_configuration
from t2r_env.core.randomness import next_seed
from t2r_env.envs.asking import ask
from t2r_env.envs.opponents import AnyOpponents, Seated, find_opponents
from t2r_env.games import Games, Reward
from t2r_env.seeding import agent_keys, decision_seeds, other_seeds
from t2r_env.text.actions import LegalAction, action_text, legal_actions, parse_action
from t2r_env.text.game_rules import rules_text
from t2r_env.text.prompts import TRIES, Listed, answering_text, decision_text, fault_text
from t2r_env.text.view import view_text
from t2r_env.variants import Variant


class TextGame:
    """A game in which some seats are played by replies in text, and agents play the others.

    `reset` and `step` return what the seat that is now to reply is told: at first the rules, how to answer and all that
    it knows, later what has changed; or what was wrong with its reply. It never holds what that seat can't know. A
    reply may think first and names its move at the end (`parse_action`). When the game is over the text says how it
    ended. Raises ValueError or TypeError if an argument is not allowed.

    Parameters
    ----------
    variant, num_players, options
        As for `t2r_env.configure`. A `Configuration` may stand for all of them.
    seats
        The seats that are played by replies: one, several, or `random`, which draws one for every game.
    opponents
        Who plays the other seats, as for `SeatEnvironment`. A list has one agent for each of them, in turn order after
        the first of `seats`.
    reward
        As for `t2r_env.env`: `rank`, `win`, `score` or `margin`.
    tries
        The replies without a legal move, one after the other, with which a seat forfeits the game; None for no end.
    rules
        Whether the first text of each seat begins with `rules`. Leave them out where a system prompt holds them.
    changes
        Whether a seat's later texts tell what has changed since its last decision, for conversations that keep what
        was said, or all that it knows.
    list_moves
        Where texts list the legal moves: `few`, but at the first decision of a turn, where they may be a hundred;
        `all`; or `none`. After the second reply without a legal move they are always listed.

    Attributes
    ----------
    games : Games
        The game as a batch of one, to be looked at, not stepped.
    seats : tuple of int
        The seats that are played by replies, in this game.
    moves : int
        The replies that were taken.
    refused : int
        The replies that named no legal move.
    fault : str
        Why the last reply was not taken, empty if it was.
    forfeited_by : int or None
        The seat that has forfeited the game.

    Examples
    --------
    >>> from t2r_env.text import TextGame
    >>> game = TextGame("new_york", opponents="random")
    >>> text = game.reset(seed=1)
    >>> while not game.over:
    ...     reply = game.suggest("random")  # or what a model answers to the text
    ...     text = game.step(reply)
    >>> game.reward in (-1.0, 0.0, 1.0)
    True
    """

    def __init__(
        self,
        variant: str | os.PathLike[str] | Variant | Configuration = "usa",
        num_players: int | None = None,
        *,
        seats: int | Sequence[int] | Literal["random"] = 0,
        opponents: AnyOpponents = "random",
        reward: Reward = "rank",
        tries: int | None = TRIES,
        rules: bool = True,
        changes: bool = True,
        list_moves: Listed = "few",
        **options: Unpack[Options],
    ) -> None:
        configuration = as_configuration(variant, num_players, options, TextGame)
        self.games = Games(configuration, reward=reward, autoreset=False, illegal_action="terminate", seed=0)
        self._draws_seat = isinstance(seats, str) and seats == "random"
        self.seats = (0,) if self._draws_seat else _as_seats(seats, configuration.num_players)
        self._opponents = find_opponents(opponents, configuration.num_players - len(self.seats))
        for agent in self._opponents.agents:
            find_agent(agent, configuration)
        self.tries = None if tries is None else check_integer("tries", tries, 1)
        self.list_moves: Listed = check_choice("list_moves", list_moves, get_args(Listed))
        self._with_rules = check_choice("rules", rules, (True, False))
        self._changes = check_choice("changes", changes, (True, False))
        self._has_begun = False
        self._seat = self.seats[0]
        self._begin()

    def _begin(self) -> None:
        self.moves = self.refused = self._faults = 0
        self.fault = ""
        self.forfeited_by: int | None = None
        self._seated = Seated()
        self._shown: dict[int, Any] = {}
        self._earned = np.zeros(self.games.num_players)

    @property
    def configuration(self) -> Configuration:
        """Variant, players and options."""
        return self.games.configuration

    @property
    def rules(self) -> str:
        """The rules of this game, the words of its actions, and how to answer: a system prompt."""
        return f"{rules_text(self.configuration)}\n{answering_text(changes=self._changes)}"

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.games.terminated[0] | self.games.truncated[0])

    @property
    def seat(self) -> int:
        """The seat that is to reply; after the end, the one that replied last."""
        return self._seat

    @property
    def rewards(self) -> list[float]:
        """The sum of each seat's rewards, one for each; all 0 until the end. A seat that forfeits has -1."""
        return self._earned.tolist() if self.over else [0.0] * self.games.num_players

    @property
    def reward(self) -> float:
        """The reward of the first of `seats`."""
        return self.rewards[self.seats[0]]

    def reset(self, seed: SupportsIndex | None = None) -> str:
        """Begin a game from `seed`; without one, from the seed that follows from the last, at first a random one.

        The seed settles the deal, a random seat, the opponents and their random choices, as in `SeatEnvironment`.
        Raises ValueError if the seed is not an integer from 0 to 2^64 - 1.
        """
        games = self.games
        if seed is None:
            seed = int(next_seed(games.seeds[0])) if self._has_begun else draw_seed()
        self._keys = agent_keys(check_seeds([seed], 1))
        self._sit(other_seeds(self._keys, 2 + games.num_players - 1))
        games.reset(None, [seed])
        self._has_begun = True
        self._begin()
        self._earned += games.rewards[0]
        return self._go_on()

    def _sit(self, derived: Any) -> None:
        """Let the seats be played by replies and by opponents, from seeds as `SeatGames` uses them, (1, seats + 1)."""
        games = self.games
        if self._draws_seat:
            self.seats = (int(derived[0, 0] % np.uint64(games.num_players)),)
        self._seat = self.seats[0]
        after = [(self.seats[0] + 1 + it) % games.num_players for it in range(games.num_players - 1)]
        others = [it for it in after if it not in self.seats]
        drawn = self._opponents.draw(derived[:, 2 : 2 + len(others)], np.array(self.seats[:1]))[0]
        self._seating = np.full((1, games.num_players), -1)
        self._seating[0, others] = drawn
        games.rngs[0] = derived[0, 1]
        games.random_seats[0] = False
        games.random_seats[0, others] = [type(self._opponents.agents[it]) is RandomAgent for it in drawn]

    def step(self, reply: str) -> str:
        """Take the move that the seat's reply names, and let agents play until the next seat is to reply.

        A reply that names no legal move changes nothing but `fault`, until with the last of the `tries` the seat
        forfeits the game. Raises ResetNeeded before `reset`, after the end, and after an opponent failed to act.
        """
        self._check_running()
        legal = self._legal()
        try:
            action = parse_action(reply, legal)
        except ValueError as error:
            self.fault = str(error)
            self._faults += 1
            self.refused += 1
            if self._faults != self.tries:
                return fault_text(self.fault, legal, self._faults)
            return self.forfeit()
        self._faults, self.fault = 0, ""
        self.moves += 1
        self._take(action)
        return self._go_on()

    def play_on(self, agent: AnyAgent, moves: int | None = None) -> str:
        """Let an agent reply for the seats, to the end of the game or for `moves` moves; return what `step` returned.

        For positions in the middle of a game, and to see what becomes of one. At the end of a game it returns `result`.
        Raises ResetNeeded before `reset`, and after an opponent failed to act; ValueError if `moves` is not an integer
        from 1; and what `t2r_env.ask` raises.
        """
        self._check_begun()
        last = None if moves is None else self.moves + check_integer("moves", moves, 1)
        text = self.result()
        while not self.over and self.moves != last:
            text = self.step(self.suggest(agent))
        return text

    def forfeit(self) -> str:
        """Let the seat that is to reply lose the game, which is over; return the text that says so.

        Its reward is -1, that of the others what they have. Raises ResetNeeded as `step` does.
        """
        self._check_running()
        self.forfeited_by = self._seat
        self._take(int(np.flatnonzero(self.games.masks[0] == 0)[0]))
        self._earned[self._seat] = -1.0
        return self.result()

    def result(self) -> str:
        """Return how the game ended in words; before the end, that it is not over."""
        if not self.over:
            return "The game is not over."
        if self.forfeited_by is not None:
            return f"The game is over: player_{self.forfeited_by} has forfeited it."
        if self.games.truncated[0]:
            return "The game is over: it has reached the limit of turns."
        results = self.games.results
        points = zip(results.scores[0].tolist(), results.ranks[0].tolist(), strict=True)
        return (
            f"The game is over. {'; '.join(f'player_{it}: {a} points, rank {b}' for it, (a, b) in enumerate(points))}."
        )

    def view(self) -> str:
        """Return all that the seat knows as text, whatever `step` returns. Raises ResetNeeded before `reset`."""
        self._check_begun()
        return view_text(self._view(), self.configuration)

    def legal_moves(self) -> list[str]:
        """Return the texts of the legal moves; none after the end.

        Raises ResetNeeded before `reset`, and after an opponent failed to act.
        """
        self._check_begun()
        if self.over:
            return []
        self._check_running()
        return [it.text for it in self._legal()]

    def suggest(self, agent: AnyAgent) -> str:
        """Return the move that an agent would take now, as a reply. It sees what the seat sees, and nothing changes.

        Raises ResetNeeded as `step` does, and what `t2r_env.ask` raises.
        """
        self._check_running()
        return action_text(self.games.describe(int(ask(agent, self.games)[0])), self.configuration)

    def _check_begun(self) -> None:
        if not self._has_begun:
            raise ResetNeeded("call reset() first: no game has begun")

    def _check_running(self) -> None:
        self._check_begun()
        if self.over:
            raise ResetNeeded("call reset() first: the game is over")
        if self.games.current[0] != self._seat:
            raise ResetNeeded("call reset() first: an opponent has failed to act")

    def _take(self, action: int) -> None:
        self.games.step([action])
        self._earned += self.games.rewards[0]

    def _go_on(self) -> str:
        """Let agents act until a seat is to reply; return what it is told, or at the end the result."""
        games = self.games
        row = np.zeros(1, np.int64)
        while not self.over and int(games.current[0]) not in self.seats:
            seeds = decision_seeds(games, row, self._keys)
            step_agents(games, row, self._opponents.agents, self._seating, seeds, self._seated.choose)
            self._earned += games.rewards[0]
        if self.over:
            return self.result()
        self._seat = int(games.current[0])
        view, before = self._view(), self._shown.get(self._seat)
        self._shown[self._seat] = view
        before_it = before if self._changes else None
        text = decision_text(self.configuration, view, self._legal(), before_it, self.list_moves)
        return f"{self.rules}\n{text}" if before is None and self._with_rules else text

    def _view(self) -> Any:
        return self.games.views(None, [self._seat])[0]

    def _legal(self) -> list[LegalAction]:
        return legal_actions(self.configuration, self._view(), self.games.masks[0])


def _as_seats(seats: object, num_players: int) -> tuple[int, ...]:
    """Return the seats, each once. Raises ValueError."""
    given = [as_integer(it) for it in (seats if isinstance(seats, Sequence | np.ndarray) else [seats])]
    found = tuple(it for it in given if it is not None and it in range(num_players))
    if not found or len(set(found)) < len(given):
        raise ValueError(
            f"seats must be an integer from 0 to {num_players - 1}, several of them, or 'random', not {seats!r}"
        )
    return found
