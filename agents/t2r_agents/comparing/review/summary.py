"""The summary of a review: what made up the result, the costliest decisions and the luckiest events, in sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from t2r_agents.comparing.review.review import Review
from t2r_env.render.narration import Chronicler, turned_up
from t2r_env.render.page_review import MOST, Part
from t2r_env.render.replay_steps import called


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
    own_decisions_error: NDArray[np.float64]
    """Half of their 95 % intervals."""
    others_decisions: NDArray[np.float64]
    others_decisions_error: NDArray[np.float64] | None
    """Half of their 95 % intervals: known of two teams, of which one wins what the other one loses."""
    luck: NDArray[np.float64]
    luck_error: NDArray[np.float64]
    """Half of its 95 % intervals."""
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

    @property
    def parts(self) -> list[Part]:
        """The parts, and what they add up to."""
        return [
            Part("even", self.even),
            Part("deal", self.deal),
            Part("own decisions", self.own_decisions, self.own_decisions_error),
            Part("others'", self.others_decisions, self.others_decisions_error),
            Part("luck", self.luck, self.luck_error),
            Part("rest", self.rest),
            Part("result" if self.is_over else "chance", self.result),
        ]


def summarise(review: Review, names: Sequence[str] = (), most: int = MOST) -> Summary:
    """Return the summary of a review. `names` of the players are as for `t2r_env.render.replay_steps.replay_steps`."""
    configuration = review.configuration
    seats = np.arange(configuration.num_players)
    is_own, error = review.seats[:, None] == seats, review.choices[0].error[:, None]
    even = np.full(len(seats), 1 / configuration.num_teams)
    mistakes = review.mistakes()
    players = called(names, len(seats))
    costliest = [it for it in np.argsort(-review.loss(), kind="stable").tolist() if mistakes[it]][:most]
    own_luck, own_luck_error = (it[np.arange(len(it)), review.seats] for it in (review.luck, review.luck_error))
    luckiest = np.argsort(-abs(own_luck), kind="stable")[:most].tolist()
    return Summary(
        names=players,
        even=even,
        deal=review.chances[0] - even,
        own_decisions=(review.decision * is_own).sum(axis=0),
        others_decisions=(review.decision * ~is_own).sum(axis=0),
        others_decisions_error=combined(error * ~is_own) if configuration.num_teams == 2 else None,
        own_decisions_error=combined(error * is_own),
        luck=review.luck.sum(axis=0),
        luck_error=combined(review.luck_error),
        rest=review.rest.sum(axis=0),
        result=review.chances[-1],
        is_over=bool(review.states["outcome"][-1]),
        mistakes=np.bincount(review.seats[mistakes], minlength=len(seats)),
        costliest=[_decision(review, position, players) for position in costliest],
        luckiest=[_event(review, it, players, float(own_luck[it]), float(own_luck_error[it])) for it in luckiest],
    )


def combined(errors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return half of the intervals (seats,) of sums over decisions, from those of the decisions (n, seats)."""
    return np.asarray(np.sqrt((errors**2).sum(axis=0)))


def _decision(review: Review, position: int, players: Sequence[str]) -> Moment:
    """Return a decision against the first agent's choice."""
    choices, state = review.choices[0], review.states[position]
    played, better = (_described(review, position, int(it[position])) for it in (review.actions, choices.actions))
    text = f"{players[state['current']]}: {played}; {choices.agent} would {better}"
    if reason := choices.opinions[position].reason:
        text += f". {reason.rstrip('.')}"
    change, error = -review.loss()[position], choices.error[position]
    return Moment(position, int(state["turn"]), int(state["current"]), float(change), float(error), f"{text}.")


def _event(review: Review, position: int, players: Sequence[str], change: float, error: float) -> Moment:
    """Return what came by chance after a decision, as it is told in a log."""
    configuration, state = review.configuration, review.states[position]
    before, after = (configuration.snapshot(review.states[it]) for it in (position, position + 1))
    action = configuration.text.describe(state, int(review.actions[position]))
    told = [*Chronicler(configuration, None, players).narrate(before, after, action), *turned_up(before, after)]
    return Moment(position, int(state["turn"]), int(state["current"]), change, error, " ".join(told))


def _described(review: Review, position: int, action: int) -> str:
    return str(review.configuration.text.describe(review.states[position], action))
