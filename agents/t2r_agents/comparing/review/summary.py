"""The summary of a review: what made up the result, the costliest decisions and the luckiest events, in sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from t2r_agents.comparing.review.review import Review
from t2r_env.render.narration import Chronicler
from t2r_env.render.replay_steps import called

MOST = 5
"""The most moments of each kind."""


@dataclass(frozen=True)
class Moment:
    """A decision, or what came by chance after one."""

    position: int
    """The number of actions before it."""
    turn: int
    seat: int
    change: float
    """The change of the seat's chance to win, from -1 to 1."""
    error: float
    """Half of its 95 % interval; 0 if it is not known."""
    text: str
    """A sentence of the game."""


@dataclass(frozen=True)
class Summary:
    """The parts that add up to the result of a game. Arrays are (seats,), in chances to win."""

    names: Sequence[str]
    even: NDArray[np.float64]
    """The chance without knowing anything: that of a team among all."""
    deal: NDArray[np.float64]
    """The change by the deal and the seat."""
    own_decisions: NDArray[np.float64]
    """The changes by the seat's own decisions, against the choices of the first agent."""
    others_decisions: NDArray[np.float64]
    luck: NDArray[np.float64]
    rest: NDArray[np.float64]
    """The part that has no name (`review`)."""
    result: NDArray[np.float64]
    """1 shared among the winners; of a game that is not over the chance at its end."""
    is_over: bool
    mistakes: NDArray[np.int64]
    """How many mistakes each seat made (`Review.mistakes`)."""
    costliest: Sequence[Moment]
    """The costliest mistakes."""
    luckiest: Sequence[Moment]
    """The events that changed the acting seat's chance most, for better or worse."""


def summarise(review: Review, names: Sequence[str] = (), most: int = MOST) -> Summary:
    """Return the summary of a review. `names` of the players are as for `t2r_env.render.replay_steps.replay_steps`."""
    configuration = review.configuration
    seats = np.arange(configuration.num_players)
    is_own = review.seats[:, None] == seats
    even = np.full(len(seats), 1 / configuration.num_teams)
    mistakes = review.mistakes()
    players = called(names, len(seats))
    costliest = [it for it in np.argsort(-review.loss(), kind="stable").tolist() if mistakes[it]][:most]
    own_luck = review.luck[np.arange(len(review.luck)), review.seats]
    luckiest = np.argsort(-abs(own_luck), kind="stable")[:most].tolist()
    return Summary(
        names=players,
        even=even,
        deal=review.chances[0] - even,
        own_decisions=(review.decision * is_own).sum(axis=0),
        others_decisions=(review.decision * ~is_own).sum(axis=0),
        luck=review.luck.sum(axis=0),
        rest=review.rest.sum(axis=0),
        result=review.chances[-1],
        is_over=bool(review.states["outcome"][-1]),
        mistakes=np.bincount(review.seats[mistakes], minlength=len(seats)),
        costliest=[_decision(review, position, players) for position in costliest],
        luckiest=[_event(review, position, players, float(own_luck[position])) for position in luckiest],
    )


def _decision(review: Review, position: int, players: Sequence[str]) -> Moment:
    """Return a decision against the first agent's choice."""
    choices, state = review.choices[0], review.states[position]
    played, better = (_described(review, position, int(it[position])) for it in (review.actions, choices.actions))
    text = f"{players[state['current']]}: {played}; {choices.agent} would {better}"
    if reason := choices.opinions[position].reason:
        text += f". {reason.rstrip('.')}"
    change, error = -review.loss()[position], choices.error[position]
    return Moment(position, int(state["turn"]), int(state["current"]), float(change), float(error), f"{text}.")


def _event(review: Review, position: int, players: Sequence[str], change: float) -> Moment:
    """Return what came by chance after a decision, as it is told in a log."""
    configuration, state = review.configuration, review.states[position]
    before, after = (configuration.snapshot(review.states[it]) for it in (position, position + 1))
    action = configuration.text.describe(state, int(review.actions[position]))
    told = " ".join(Chronicler(configuration, None, players).narrate(before, after, action))
    shown = _turned_up(before, after)
    return Moment(position, int(state["turn"]), int(state["current"]), change, 0.0, f"{told}{shown}")


def _turned_up(before: Any, after: Any) -> str:
    """Return which cards have come face up."""
    cards = [now for was, now in zip(before["face_up"], after["face_up"], strict=True) if now and was != now]
    return f" Face up {'come' if len(cards) > 1 else 'comes'} {', '.join(cards)}." if cards else ""


def _described(review: Review, position: int, action: int) -> str:
    return str(review.configuration.text.describe(review.states[position], action))
