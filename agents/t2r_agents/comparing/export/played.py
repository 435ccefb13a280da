"""Recorded games played again together, with a look at each decision."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.comparing.export.sources import Game
from t2r_agents.comparing.tournament.playing import ranks_and_wins
from t2r_env import Configuration, Games
from t2r_env.agents import find_legal
from t2r_env.games import Reward
from t2r_env.results import Results
from t2r_env.rules.names import OUTCOMES, outcomes
from t2r_env.text import action_text, view_text

Strings = np.ndarray[Any, np.dtype[np.object_]]


@dataclass(frozen=True)
class Look:
    """The choice of what is looked at besides observation, mask and action."""

    reward: Reward = "rank"
    text: bool = True
    """The action as text."""
    view: bool = False
    """All that the acting seat knows, as text."""
    hidden: bool = False
    """The global state."""


@dataclass(frozen=True)
class Decisions:
    """The n decisions of some games, game by game in the order of play."""

    game: NDArray[np.int64]
    """(n,): which of the games, by its index."""
    step: NDArray[np.int64]
    """(n,): the number of decisions before it in the game, of all seats."""
    action: NDArray[np.int64]
    """(n,)."""
    seat: NDArray[np.int64]
    """(n,): the acting seat."""
    observation: NDArray[np.uint8]
    """(n, size): what it saw."""
    mask: NDArray[np.int8]
    """(n, actions): its legal actions."""
    returns: NDArray[np.float64]
    """(n, seats): the rewards of each seat from this decision to the end of the game."""
    text: Strings
    """(n,): the action as text; empty unless it was looked at, as the next two."""
    view: Strings
    global_state: NDArray[np.uint8]
    """(n, size of the global state), or without columns."""

    @classmethod
    def of(cls, games: Sequence[Game], batch: Games, look: Look) -> "Decisions":
        """Return the decisions of these games, with the actions; all else is zero or empty."""
        lengths = [len(game.replay.actions) for game in games]
        n, layout = sum(lengths), batch.layout
        return cls(
            game=np.repeat(np.arange(len(games)), lengths),
            step=np.concatenate([np.arange(length) for length in lengths]),
            action=np.concatenate([np.array(game.replay.actions, np.int64) for game in games]),
            seat=np.zeros(n, np.int64),
            observation=np.zeros((n, layout.observation.size), np.uint8),
            mask=np.zeros((n, layout.actions.size), np.int8),
            returns=np.zeros((n, batch.num_players)),
            text=np.full(n, "", np.object_),
            view=np.full(n, "", np.object_),
            global_state=np.zeros((n, layout.global_state.size if look.hidden else 0), np.uint8),
        )

    def __len__(self) -> int:
        return len(self.game)

    def take(self, chosen: NDArray[Any]) -> "Decisions":
        """Return these decisions alone, by their indices or by a mask (n,)."""
        return Decisions(**{field.name: getattr(self, field.name)[chosen] for field in fields(self)})

    def rounds(self) -> Iterator[NDArray[np.int64]]:
        """Yield the indices of all decisions with the same step, for each step."""
        order = np.argsort(self.step, kind="stable")
        return iter(np.split(order, np.cumsum(np.bincount(self.step))[:-1]))


@dataclass(frozen=True)
class Ending:
    """How k games ended."""

    results: Results
    outcome: list[str]
    """(k): `finished`, `truncated` or `forfeited`, as in a tournament's `Entry`."""
    ranks: NDArray[np.int64]
    """(k, seats): as in `Entry`, also of forfeited games."""
    wins: NDArray[np.float64]
    """(k, seats): as in `Entry`."""
    observations: NDArray[np.uint8]
    """(k, seats, size): what each seat saw."""


@dataclass(frozen=True)
class Played:
    """Games that were played again."""

    games: Sequence[Game]
    decisions: Decisions
    """Without the illegal action with which a game may have ended."""
    ending: Ending


class Texts:
    """The texts of actions, each made once."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._known: dict[str, str] = {}

    def of(self, state: Any, action: int) -> str:
        """Return the text of a legal action at the decision that a state waits for."""
        description = self._configuration.text.describe(state, action)
        key = repr(description)
        if key not in self._known:
            self._known[key] = action_text(description, self._configuration)
        return self._known[key]


def play_again(games: Sequence[Game], texts: Texts, look: Look) -> Played:
    """Play whole games of one configuration again, all together. `texts` are of this configuration."""
    batch = _begin(games, look.reward)
    decisions = Decisions.of(games, batch, look)
    for at in decisions.rounds():
        rows = decisions.game[at]
        decisions.seat[at] = batch.current[rows]
        decisions.observation[at] = batch.observations[rows]
        decisions.mask[at] = batch.masks[rows]
        _look(batch, decisions, at, texts, look)
        batch.step(decisions.action[at], rows)
        decisions.returns[at] = batch.rewards[rows]
    ends = np.cumsum(np.bincount(decisions.game, minlength=len(games)))
    for rewards in np.split(decisions.returns, ends[:-1]):
        rewards[:] = rewards[::-1].cumsum(axis=0)[::-1]
    forfeited = batch.states["outcome"] == outcomes.FORFEITED
    offenders = zip(np.flatnonzero(forfeited).tolist(), batch.states["current"][forfeited].tolist())
    return Played(games, decisions.take(find_legal(decisions.action, decisions.mask)), _ending(batch, offenders))


def _begin(games: Sequence[Game], reward: Reward) -> Games:
    """Return a batch in which these games begin."""
    configuration = games[0].replay.configuration
    batch = Games(configuration, batch=len(games), autoreset=False, illegal_action="terminate", reward=reward, seed=0)
    for row, game in enumerate(games):
        start = game.replay.start
        if isinstance(start, int):
            batch.reset([row], [start])
        else:
            batch.set_state(start, row)
    return batch


def _look(batch: Games, decisions: Decisions, at: NDArray[np.int64], texts: Texts, look: Look) -> None:
    """Note what else is looked at, of the decisions with these indices, which the batch waits for."""
    rows = decisions.game[at]
    if look.hidden:
        decisions.global_state[at] = batch.global_state(rows)
    if look.view:
        decisions.view[at] = [view_text(view, batch.configuration) for view in batch.views(rows)]
    if look.text:
        legal = at[find_legal(decisions.action[at], decisions.mask[at])].tolist()
        for index, row, action in zip(legal, decisions.game[legal].tolist(), decisions.action[legal].tolist()):
            decisions.text[index] = texts.of(batch.states[row], action)


def _ending(batch: Games, offenders: Iterator[tuple[int, int]]) -> Ending:
    """Return how the games of a batch have ended. `offenders` are games and the seats that forfeited them."""
    results = batch.results
    ranks, wins = ranks_and_wins(batch.configuration, results.ranks, offenders)
    outcome = [OUTCOMES[number] for number in batch.states["outcome"].tolist()]
    return Ending(results, outcome, ranks, wins, batch.final_observations)
