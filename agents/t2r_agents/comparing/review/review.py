"""The review of a recorded game: chances over the game, decisions against those of agents, and luck.

The chances of all seats are judged from everything at each position (`t2r_agents.playing.values.Judge`). Each of their
changes, from one decision to the next, is split into three parts that add up to it, and with the chances at the
beginning to the result:

- *decision*: the action played against the one that the reviewing agent would have chosen, both by what the acting seat
  knew. Each is judged in the same deals of what it could not know, so 0 if both are the same. It may be above 0.
- *luck*: what came by chance against what could have come: cards drawn, cards turned up, tickets. The action is taken
  again with decks that are shuffled again, from the true position.
- *rest*: what is left, which has no name: what the seat could not know made the action better or worse, and the values
  are not exact.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from t2r_agents.comparing.review.luck import WIN, luck_in_game
from t2r_agents.playing.beliefs import find_beliefs
from t2r_agents.playing.values import Judge, chances_at_end, first_twins, play_out, take_actions, with_new_chance
from t2r_agents.playing.values.judge import DEALS
from t2r_env import Configuration, Replay
from t2r_env.agents import (
    Agent,
    AnyAgent,
    Array,
    Decisions,
    Opinion,
    decisions_of,
    find_agent,
    is_stateless,
    opinions,
)
from t2r_env.basics.checks import check_integer
from t2r_env.envs.opponents import InstancePerSeat, find_player
from t2r_env.rules.names import outcomes
from t2r_env.seeding import agent_keys, decision_seeds

CHANCES = 16
"""The number of times that an action is taken with other luck, to tell what luck did."""
MISTAKE = 0.03
"""The least loss of a chance to win that is called a mistake."""
CONFIDENCE = 0.95
AT_ONCE = 16
"""Decisions that an agent thinks about between two looks at the progress."""
STRONGEST, SECOND = "policy", "planner"
"""Who reviews if nobody is named: the first, or where there is none for the game the second."""

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how much is done, and how much there is."""
Pair: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The actions played and those chosen by an agent, (n,) each."""
Judgement: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]
"""The fields `decision` and `error` of `Choices`."""


@dataclass(frozen=True)
class Choices:
    """The choices of an agent at the n decisions of a game, and what they would have changed."""

    agent: str
    opinions: Sequence[Opinion]
    """(n,)"""
    decision: NDArray[np.float64]
    """(n, seats): the chances after the action played less those after the agent's choice, by what the acting seat
    knew; 0 if they are the same."""
    error: NDArray[np.float64]
    """(n,): half of the 95 % interval of the acting seat's part of it, over deals or play-outs; 0
    if they are the same."""

    @property
    def actions(self) -> NDArray[np.int64]:
        """The actions that it would have chosen, (n,)."""
        return np.array([opinion.action for opinion in self.opinions], np.int64)


@dataclass(frozen=True)
class Review:
    """A recorded game with n decisions, reviewed. Chances are from 0 to 1, ties shared; teammates have the same."""

    replay: Replay
    states: Array
    """(n + 1,) the true positions, the last one that after the last action."""
    masks: NDArray[np.int8]
    """(n, actions): the legal actions."""
    chances: NDArray[np.float64]
    """(n + 1, seats) of each seat, judged from everything; at the end the result."""
    margins: NDArray[np.float64]
    """(n + 1, seats) points at the end less those of the best other team, judged in the same way."""
    known: NDArray[np.float64]
    """(n + 1, seats, seats): the chances of all seats (last axis) by what each seat knew (second axis)."""
    luck: NDArray[np.float64]
    """(n, seats): the changes that came by chance after each decision."""
    luck_error: NDArray[np.float64]
    """(n, seats): half of their 95 % intervals, over what could have come."""
    known_luck: NDArray[np.float64]
    """(n,): the changes of the acting seats' chances that came by chance, all judged by what these seats knew: of the
    cards and tickets that a seat drew, none of which depends on what it could not know."""
    known_luck_error: NDArray[np.float64]
    """(n,): half of their 95 % intervals."""
    ticket_chances: NDArray[np.float64] | None
    """(n + 1, seats, seats, tickets): the chance that each seat (third axis) holds each ticket, as each seat (second
    axis) knew the game, NaN for itself; None where the library has no network of beliefs for the game."""
    choices: Sequence[Choices]
    """Those of each reviewing agent; the first one's are part of the split."""
    rollouts: int
    """The play-outs of each action by which decisions are judged; 0: by the values alone."""
    from_true: bool
    """Whether these begin from the true positions."""
    deals: int
    """The deals by which the values judge decisions."""
    calibration: Mapping[str, Any]
    """That of the values (`Judge.calibration`)."""

    @property
    def configuration(self) -> Configuration:
        """The game's variant, players and options."""
        return self.replay.configuration

    @property
    def actions(self) -> NDArray[np.int64]:
        """The actions played, (n,)."""
        return np.array(self.replay.actions[: len(self.luck)], np.int64)

    @property
    def seats(self) -> NDArray[np.int64]:
        """The acting seats, (n,)."""
        return np.asarray(self.states["current"][:-1], np.int64)

    @property
    def decision(self) -> NDArray[np.float64]:
        """The part of decisions, (n, seats), against the first agent."""
        return self.choices[0].decision

    @property
    def rest(self) -> NDArray[np.float64]:
        """The part that neither decisions nor luck explain, (n, seats)."""
        return np.asarray(np.diff(self.chances, axis=0) - self.decision - self.luck)

    def loss(self, number: int = 0) -> NDArray[np.float64]:
        """Return what the acting seats lost against the choice of an agent, (n,); below 0 where they gained."""
        return -self.choices[number].decision[np.arange(len(self.luck)), self.seats]

    def mistakes(self, number: int = 0) -> NDArray[np.bool_]:
        """Return which decisions cost at least MISTAKE, and more than noise explains, against an agent's, (n,)."""
        loss = self.loss(number)
        return (loss >= MISTAKE) & (loss > self.choices[number].error)


def review_game(
    replay: Replay,
    agents: Sequence[AnyAgent] = (),
    *,
    rollouts: int = 0,
    from_true: bool = False,
    deals: int = DEALS,
    judge: Judge | None = None,
    progress: Progress = lambda done, total: None,
) -> Review:
    """Review a recorded game; it may have been broken off.

    The same arguments give the same review, but for agents that look at the clock. Raises PolicyError if there are no
    values for the game, ValueError and TypeError for agents that can't play it and numbers that are not allowed, and
    ReplayError as `Replay.games`.

    Parameters
    ----------
    agents
        Who reviews: names, or what else `find_agent` takes; by default the policy, or the planner where there is none.
    rollouts
        If it is not 0, decisions are judged by this many games, at least 2, which the first agent plays to the end
        after the action played and, with the same random numbers, after the choice.
    from_true
        Whether these begin from the true position, decks shuffled again, instead of deals of what the seat could not
        know. What it shows is then partly luck: the seat did not see it.
    deals
        The deals by which the values judge decisions.
    judge
        Who judges positions, by default by the values that come with the library.
    """
    if rollouts:
        check_integer("rollouts", rollouts, 2)
    check_integer("deals", deals, 2)
    configuration = replay.configuration
    judge = judge or Judge(configuration)
    named = list(agents) or [default_agent(configuration)]
    found = [find_agent(agent, configuration) for agent in named]
    if asking := [agent for agent in found if getattr(agent, "asks_person", False)]:
        raise ValueError(f"{type(asking[0]).__name__} would ask you at each decision: name another agent")
    if rollouts and not is_stateless(found[0]):
        raise ValueError(
            f"{_title(named[0])} may remember, and can't play all seats of games to their end: name another"
        )
    states, decisions = _decisions_of(replay)
    actions = np.array(replay.actions[: len(decisions)], np.int64)
    done, total = 0, len(actions) * (len(found) + 1)

    def advance(number: int) -> None:
        nonlocal done
        done += number
        progress(done, total)

    chances, margins = judge.judge(states, sees_all=True)
    seats = range(configuration.num_players)
    known = [judge.judge(states, np.full(len(states), seat), sees_all=False).chances for seat in seats]
    of_seats = np.stack(known, axis=1)
    luck, luck_error = (it[..., WIN] for it in luck_in_game(judge, states, actions, CHANCES))
    known_luck, known_luck_error = _luck_as_known(judge, decisions, actions, states, of_seats)
    advance(len(actions))
    thoughts = [
        _think(_for_seats(agent, it, configuration.num_players), decisions, advance)
        for agent, it in zip(named, found, strict=True)
    ]
    choices = []
    for name, thought in zip(named, thoughts, strict=True):
        chosen = np.array([opinion.action for opinion in thought], np.int64)
        pair = _standing_for(decisions, actions), _standing_for(decisions, chosen)
        if rollouts:
            total += len(actions)
            judged = _by_play_outs(decisions, states if from_true else None, pair, found[0], rollouts, advance)
        else:
            judged = _by_values(judge, decisions, pair, deals)
        choices.append(Choices(_title(name), thought, *judged))
    return Review(
        replay=replay,
        states=states,
        masks=decisions.masks,
        chances=chances,
        margins=margins,
        known=of_seats,
        luck=luck,
        luck_error=_deviate(CHANCES) * luck_error,
        known_luck=known_luck,
        known_luck_error=known_luck_error,
        ticket_chances=_believed(configuration, states),
        choices=choices,
        rollouts=rollouts,
        from_true=from_true,
        deals=deals,
        calibration=judge.calibration,
    )


def _luck_as_known(
    judge: Judge, decisions: Decisions, actions: NDArray[np.int64], states: Array, known: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the fields `known_luck` and `known_luck_error` of `Review`.

    What came, as the acting seat then knew the game, against what comes in deals of what it could not know before. The
    end of a game shows all hidden tickets, which are no luck: nothing is said of it.
    """
    rows, seats = np.arange(len(actions)), decisions.views["current"]
    deals = decisions.determinize(decisions.seeds[:, None] + np.arange(CHANCES, dtype=np.uint64))
    after = take_actions(judge.configuration, deals.ravel(), actions.repeat(CHANCES))
    could_come = judge.judge(after, seats.repeat(CHANCES), sees_all=False).chances.reshape(len(rows), CHANCES, -1)
    luck, error = _mean_and_error(known[1:][rows, seats][:, None] - could_come, seats)
    goes_on = states["outcome"][1:] == outcomes.RUNNING
    return np.where(goes_on, luck[rows, seats], 0), np.where(goes_on, error, 0)


def _standing_for(decisions: Decisions, actions: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return actions (n,), the first of equal face-up cards standing for all of them."""
    return first_twins(decisions)[np.arange(len(actions)), actions]


def default_agent(configuration: Configuration) -> str:
    """Return who reviews if nobody is named."""
    try:
        find_agent(STRONGEST, configuration)
    except ValueError:
        return SECOND
    return STRONGEST


def _title(agent: AnyAgent) -> str:
    return agent if isinstance(agent, str) else getattr(agent, "__name__", type(agent).__name__)


def _believed(configuration: Configuration, states: Array) -> NDArray[np.float64] | None:
    """Return the field `ticket_chances` of `Review`."""
    beliefs = find_beliefs(configuration)
    if beliefs is None:
        return None
    by = (np.full(len(states), seat) for seat in range(configuration.num_players))
    return np.stack([beliefs.believe(states, seats).by_seat(seats).tickets for seats in by], axis=1)


def _decisions_of(replay: Replay) -> tuple[Array, Decisions]:
    """Return the true positions (n + 1,) of a game, and its n decisions; an illegal action at the end is left out."""
    states: list[Array] = []
    given: list[Decisions] = []
    row = np.zeros(1, np.int64)
    for position, games in enumerate(replay.games()):
        if games.states["outcome"][0] == outcomes.FORFEITED:
            given.pop()
            break
        states.append(games.states.copy())
        if games.states["outcome"][0] == outcomes.RUNNING and position < len(replay.actions):
            given.append(decisions_of(games, row, decision_seeds(games, row, agent_keys(games.seeds))).copy())
    if not given:
        raise ValueError("there is nothing to review: no decision has been taken")
    arrays = ([getattr(it, name) for it in given] for name in ("views", "masks", "observations", "seeds"))
    return np.concatenate(states), Decisions(replay.configuration, *map(np.concatenate, arrays))


def _for_seats(agent: AnyAgent, found: Agent, seats: int) -> list[Agent]:
    """Return who thinks for each seat: one for all, or of an agent that may remember one each, where it can be made."""
    player = find_player(agent)
    return [player.make() for _ in range(seats)] if isinstance(player, InstancePerSeat) else [found] * seats


def _think(agents: Sequence[Agent], decisions: Decisions, advance: Callable[[int], None]) -> list[Opinion]:
    """Return opinions on all decisions, of the agent of each seat (`_for_seats`). Raises ValueError if one fails."""
    found: list[Opinion] = []
    size = AT_ONCE if agents[0] is agents[-1] else 1  # of several each has its decisions in their order
    for start in range(0, len(decisions), size):
        some = decisions.take(np.arange(start, min(start + size, len(decisions))))
        agent = agents[int(some.views["current"][0])]
        try:
            found += opinions(agent, some)
        except Exception as error:  # an agent may raise anything
            raise ValueError(f"{type(agent).__name__} has failed: {error}") from error
        advance(len(some))
    return found


def _by_values(judge: Judge, decisions: Decisions, pair: Pair, deals: int) -> Judgement:
    """Judge decisions by the values, in deals of what the acting seats could not know."""
    decision, error = _nothing(decisions)
    rows = np.flatnonzero(pair[0] != pair[1])
    if rows.size:
        differing = decisions.take(rows)
        played, chosen = (judge.after(differing, actions[rows], deals) for actions in pair)
        decision[rows], error[rows] = _mean_and_error(played - chosen, differing.views["current"])
    return decision, error


def _nothing(decisions: Decisions) -> Judgement:
    """Return the judgement where the actions played are the chosen ones."""
    return np.zeros((len(decisions), decisions.configuration.num_players)), np.zeros(len(decisions))


def _by_play_outs(
    decisions: Decisions,
    states: Array | None,
    pair: Pair,
    agent: Agent,
    rollouts: int,
    advance: Callable[[int], None],
) -> Judgement:
    """Judge decisions by games that an agent plays to the end, from the true positions if they are given."""
    configuration, seats = decisions.configuration, decisions.views["current"]
    decision, error = _nothing(decisions)
    for row in range(len(decisions)):
        advance(1)
        if pair[0][row] == pair[1][row]:
            continue
        seeds = decisions.seeds[row] + np.arange(rollouts, dtype=np.uint64)
        if states is None:
            begin = decisions.take(np.array([row])).determinize(seeds[None])[0]
        else:
            begin = with_new_chance(states[[row]].repeat(rollouts), seeds)
        played, chosen = (_play_on(configuration, begin, actions[row], agent, seeds) for actions in pair)
        decision[[row]], error[[row]] = _mean_and_error((played - chosen)[None], seats[[row]])
    return decision, error


def _play_on(
    configuration: Configuration, states: Array, action: int, agent: Agent, seeds: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """Return the results (n, seats) of games in which an action is taken in each state (n,), and an agent plays on."""
    after = take_actions(configuration, states, np.full(len(states), action))
    return chances_at_end(configuration, play_out(configuration, after, agent, seeds))


def _mean_and_error(differences: NDArray[np.float64], seats: NDArray[np.int64]) -> Judgement:
    """Return the means (n, seats) of differences (n, number, seats), and half of the seats' 95 % intervals (n,)."""
    number = differences.shape[1]
    own = differences[np.arange(len(seats)), :, seats]
    return differences.mean(axis=1), _deviate(number) * own.std(axis=1, ddof=1) / np.sqrt(number)


def _deviate(number: int) -> float:
    """Return how many standard errors of a mean of this many values are half of its 95 % interval."""
    return float(stdtrit(number - 1, (1 + CONFIDENCE) / 2))
