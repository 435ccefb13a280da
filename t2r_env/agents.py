"""Agents: their interface, how they are found by name, how they act in a batch of games, and the random one.

An agent acts in many games at once. Of each game it sees only what the acting seat may know (C20).
"""

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from t2r_env.basics.checks import check_seeds
from t2r_env.basics.packages import MissingExtraError, find_by_path, names_of
from t2r_env.configuration import Configuration
from t2r_env.core.compiled import cached
from t2r_env.core.randomness import bounded
from t2r_env.games import Games, IllegalActionError
from t2r_env.position import Position, position_of
from t2r_env.rules import batch
from t2r_env.rules.names import outcomes

Array = np.ndarray[Any, Any]

ENTRY_POINTS = "t2r_env.agents"
"""The entry-point group that gives agents their names."""

LONGEST_ARGUMENT, MAX_SECONDS = 6, 10.0
"""The most characters of an agent's argument, such as a number of simulations, and the most seconds of a search for a
decision, that a file or a page may ask for: a tree of 10^9 simulations would fill the memory."""

CHANCE_ERROR = 1e-3
"""How far the chances of all seats may be from their sum."""

POLICY_SUFFIX = ".safetensors"
"""The suffix of the files of trained agents: such a path stands for the agent `policy`."""


@dataclass(frozen=True)
class Decisions:
    """Decisions that k games of one configuration wait for, each as its acting seat may see it (C20)."""

    configuration: Configuration
    """Variant, players and options; its `rules`, `layout` and `text` explain the arrays."""
    views: Array
    """(k,) states (records of `configuration.ruleset.state`) without what the acting seat, `current`, can't know. Their
    fields are listed in docs/agent_interface.md; `position` reads them."""
    masks: NDArray[np.int8]
    """(k, actions): 1 for each legal action."""
    observations: NDArray[np.uint8]
    """(k, size of the observation), without features."""
    seeds: NDArray[np.uint64]
    """(k,) one seed for each decision. They are the only source of an agent's randomness, so that an action depends on
    its own decision alone: not on the others of the batch, on their order, or on threads. They come from a secret
    through a one-way function (seeding.py): they reveal nothing of the game's seed, nor of other seeds."""

    def __len__(self) -> int:
        return len(self.views)

    def position(self, row: int = 0) -> Position:
        """Return one of the decisions as an object to be read: cards, tickets, routes and legal actions by name."""
        return position_of(self.configuration, self.views[row], self.masks[row])

    def determinize(self, seeds: ArrayLike) -> Array:
        """Return states in which all that the acting seats can't know is dealt again, future draws included (C20).

        They can be played on: `Games.set_states` takes them. `seeds`, integers from 0 to 2^64 - 1, are one for each
        decision, (k,), or several, (k, n); the result is a new array of their shape. A deal depends on its seed and on
        what the seat knows, on nothing else. Raises ValueError for other seeds.
        """
        given = np.asarray(seeds, object)  # integers of 64 bits stay exact
        if given.ndim not in (1, 2) or len(given) != len(self):
            raise ValueError(f"seeds must be of shape ({len(self)},) or ({len(self)}, n), not {given.shape}")
        rows = np.arange(len(self)).repeat(given.size // max(len(self), 1))
        ruleset, rules = self.configuration.ruleset, self.configuration.rules
        states, dealt_from = ruleset.new_states(given.size), check_seeds(given.ravel(), given.size)
        batch.determinize_rows(self.views, rules, ruleset.new_scratch().deciding, rows, dealt_from, states)
        return states.reshape(given.shape)

    def copy(self) -> "Decisions":
        """Return the same decisions in arrays of their own."""
        arrays: tuple[Array, ...] = (self.views, self.masks, self.observations, self.seeds)
        return Decisions(self.configuration, *(array.copy() for array in arrays))

    def take(self, rows: NDArray[np.int64] | slice) -> "Decisions":
        """Return the decisions of these rows, in arrays of their own unless they are a slice."""
        arrays: tuple[Array, ...] = (self.views, self.masks, self.observations, self.seeds)
        return Decisions(self.configuration, *(array[rows] for array in arrays))

    def split(self) -> Iterator["Decisions"]:
        """Yield each decision by itself."""
        for row in range(len(self)):
            yield self.take(slice(row, row + 1))


@runtime_checkable
class Agent(Protocol):
    """Anything with a method `act`.

    A class of agents that keep nothing from one decision to the next may say so: `stateless = True`. Then a tournament
    lets one instance act in many games together, which is faster; of others each seat of each game gets an instance of
    its own. Subclasses say it again; an instance that does keep something says `self.stateless = False`.
    """

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return a legal action for each decision, shape (k,)."""
        ...


class ForfeitError(Exception):
    """An agent's error at some of k decisions, where it gives no action; its actions at the others count.

    A tournament does not ask again, as it does after other errors: for agents whose answers cost something.
    """

    def __init__(self, actions: Sequence[int], reasons: Mapping[int, str]) -> None:
        """Take the actions (k,), whatever they are where it gives none, and why it gives none, by index."""
        super().__init__("; ".join(reasons.values()))
        self.actions, self.reasons = np.array(actions, np.int64), dict(reasons)


class UnavailableError(ConnectionError):
    """The error of an agent that can't play for no fault of its play: its server does not answer, or refuses it.

    A tournament counts no forfeit, but ends: the games played are kept, and it can be resumed.
    """


AnyAgent: TypeAlias = str | type[Agent] | Agent | Callable[[Decisions], NDArray[np.int64]]
"""The types that `find_agent` makes an agent of."""


@dataclass(frozen=True)
class Opinion:
    """The action that an agent would take at one decision, and how it weighs the actions."""

    action: int
    probabilities: NDArray[np.float64] | None = None
    """(actions,): zero for illegal ones, 1 in all; None for an agent that weighs nothing, or does not tell."""
    meaning: str = ""
    """The kind of probabilities, in words: `policy probabilities`, `share of visits`."""
    values: NDArray[np.float64] | None = None
    """(seats,): each seat's chance to win, from 0 to 1, ties shared, so that they sum to 1; in team games the chance of
    the seat's team. As the acting seat knows the game; None where it is unknown."""
    action_values: NDArray[np.float64] | None = None
    """(actions,): the acting seat's chance to win after each action, NaN for illegal ones and where it is unknown; None
    if all are."""
    action_errors: NDArray[np.float64] | None = None
    """(actions,): half of the 95 % interval of the value of `action`, and of the difference between it and the value of
    each other action; NaN where it is unknown, None if all are."""
    ticket_chances: NDArray[np.float64] | None = None
    """(seats, tickets): the chance that each other seat holds each ticket of the deck, as the acting seat knows the
    game; NaN in its own row. None where it is unknown."""
    card_counts: NDArray[np.float64] | None = None
    """(seats, colours): the number of cards of each colour to expect in each other seat's hand, as `ticket_chances`."""
    reason: str = ""
    """Why, in a sentence, such as what the agent plans; empty for an agent that does not tell."""


@dataclass(frozen=True)
class FunctionAgent:
    """A function of `Decisions` as an agent."""

    stateless: ClassVar = True  # there is but one of a function

    act: Callable[[Decisions], NDArray[np.int64]]


class RandomAgent:
    """Chooses among the legal actions, each equally likely."""

    stateless = True

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return a legal action for each decision, shape (k,)."""
        return choose_evenly(decisions.masks, decisions.seeds)

    def opinions(self, decisions: Decisions) -> list[Opinion]:
        """Return the same actions, each legal one with the same probability."""
        shares = decisions.masks / decisions.masks.sum(axis=1, keepdims=True)
        actions = self.act(decisions).tolist()
        return [Opinion(action, share, "policy probabilities") for action, share in zip(actions, shares, strict=True)]


def choose_evenly(masks: NDArray[np.int8], seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return a random legal action for each mask (k, actions), from a seed of its own (k,), as a new array (k,)."""
    actions = np.zeros(len(masks), np.int64)
    _choose_evenly(masks, seeds, actions)
    return actions


@cached
def _choose_evenly(masks: Array, seeds: Array, actions: Array) -> None:
    for row in range(masks.shape[0]):
        legal = 0
        for action in range(masks.shape[1]):
            legal += masks[row, action]
        skip = bounded(seeds[row], legal)
        for action in range(masks.shape[1]):
            if masks[row, action]:
                if skip == 0:
                    actions[row] = action
                    break
                skip -= 1


# Acting in a batch of games


def decisions_of(games: Games, rows: NDArray[np.int64], seeds: NDArray[np.uint64]) -> Decisions:
    """Return the decisions that these rows (k,) wait for, with the agent's seeds (k,).

    Raises ValueError for rows outside the batch or whose game has ended, and for seeds of another shape or type.
    """
    rows, seeds = np.asarray(rows), np.asarray(seeds)
    if seeds.dtype != np.uint64 or seeds.shape != rows.shape:
        raise ValueError(f"seeds must be uint64 of shape {rows.shape}, not {seeds.dtype} of shape {seeds.shape}")
    views = games.views(rows)
    if np.any(views["outcome"] != outcomes.RUNNING):
        raise ValueError("rows must be of running games: a game that has ended waits for no decision")
    configuration, size = games.configuration, games.configuration.layout.observation.size
    observations = games.observations[rows, :size]
    if observations.shape[1] < size:  # the games write none (`observe=False`)
        observations = np.zeros((len(rows), size), np.uint8)
        seats = views["current"].astype(np.int64)
        batch.observe_seats(views, configuration.rules, np.arange(len(rows)), seats, observations)
    return Decisions(configuration, views, games.masks[rows], observations, seeds)


def choose_actions(agent: Agent, decisions: Decisions) -> NDArray[np.int64]:
    """Return an agent's actions, (k,). Raises IllegalActionError unless they are a legal action for each decision."""
    return _legal(agent, act(agent, decisions), decisions.masks)


def _legal(agent: Agent, actions: NDArray[Any], masks: NDArray[np.int8]) -> NDArray[np.int64]:
    is_legal = find_legal(actions, masks)
    if not is_legal.all():
        wrong = np.flatnonzero(~is_legal)[0]
        legal = ", ".join(map(str, np.flatnonzero(masks[wrong])))
        raise IllegalActionError(
            f"{_name(agent)} returned {actions[wrong]}, which is not legal; legal actions: {legal}"
        )
    return actions.astype(np.int64)


def opinions(agent: Agent, decisions: Decisions) -> list[Opinion]:
    """Return an agent's opinion on each of k decisions: what it would do, and how it weighs the actions.

    An agent may have a method `opinions(decisions)` next to `act`, which returns an `Opinion` for each decision: the
    action that `act` chooses, and what it knows of the rest, so that it thinks but once. Of other agents the action
    alone is known. The agent gets a copy of the decisions.

    Raises IllegalActionError unless the actions are legal, and ValueError for probabilities and values that are none.
    """
    if not hasattr(agent, "opinions"):
        return [Opinion(action) for action in choose_actions(agent, decisions).tolist()]
    given: list[Opinion] = list(agent.opinions(decisions.copy()))
    configuration, layout = decisions.configuration, decisions.configuration.layout.global_state
    seats_tickets, seats_cards = layout["tickets"].shape, layout["hand"].shape
    all_cards = int(configuration.rules["deck"][0].sum())
    actions = _integers(agent, [opinion.action for opinion in given], len(decisions))
    actions = _legal(agent, actions, decisions.masks)
    return [
        Opinion(
            action=action,
            probabilities=_checked_probabilities(agent, opinion.probabilities, mask),
            meaning=str(opinion.meaning),
            values=_checked_values(agent, opinion.values, configuration),
            action_values=_checked_of_actions(agent, "action_values", opinion.action_values, mask),
            action_errors=_checked_of_actions(agent, "action_errors", opinion.action_errors, mask),
            ticket_chances=_checked_of_seats(agent, "ticket_chances", opinion.ticket_chances, seats_tickets, 1),
            card_counts=_checked_of_seats(agent, "card_counts", opinion.card_counts, seats_cards, all_cards),
            reason=str(opinion.reason),
        )
        for action, opinion, mask in zip(actions.tolist(), given, decisions.masks, strict=True)
    ]


def _checked_probabilities(agent: Agent, given: Any, mask: NDArray[np.int8]) -> NDArray[np.float64] | None:
    """Return the probabilities as a new array. Raises ValueError if they are not those of legal actions."""
    if given is None:
        return None
    probabilities = np.array(given, np.float64)
    fits = probabilities.shape == mask.shape and np.all(probabilities >= 0) and not probabilities[mask == 0].any()
    if not fits or not np.isclose(probabilities.sum(), 1):
        raise ValueError(
            f"the probabilities of {type(agent).__name__} must have the shape {mask.shape}, be 0 or more, 0 for illegal"
            " actions, and sum to 1"
        )
    return probabilities


def _checked_values(agent: Agent, given: Any, configuration: Configuration) -> NDArray[np.float64] | None:
    """Return the values of the seats as a new array. Raises ValueError if they are no chances."""
    if given is None:
        return None
    values, seats = np.array(given, np.float64), configuration.num_players
    winners = seats // configuration.num_teams  # who win together
    fits = values.shape == (seats,) and np.all((values >= 0) & (values <= 1))
    if not fits or not np.isclose(values.sum(), winners, atol=CHANCE_ERROR):
        raise ValueError(
            f"the values of {type(agent).__name__} must have the shape ({seats},), be from 0 to 1, and sum to {winners}"
        )
    return values


def _checked_of_seats(
    agent: Agent, name: str, given: Any, shape: tuple[int, ...], most: int
) -> NDArray[np.float64] | None:
    """Return what is believed of seats as a new array. Raises ValueError if it can't be that."""
    if given is None:
        return None
    believed = np.array(given, np.float64)
    known = believed[~np.isnan(believed)]
    if believed.shape != shape or not np.all((known >= 0) & (known <= most)):
        raise ValueError(
            f"the {name} of {type(agent).__name__} must have the shape {shape} and be from 0 to {most}, or NaN where it"
            " is unknown"
        )
    return believed


def _checked_of_actions(agent: Agent, name: str, given: Any, mask: NDArray[np.int8]) -> NDArray[np.float64] | None:
    """Return the values of actions, or their errors, as a new array. Raises ValueError if they can't be these."""
    if given is None:
        return None
    values = np.array(given, np.float64)
    is_known = ~np.isnan(values)
    if values.shape != mask.shape or is_known[mask == 0].any() or not np.all(abs(values[is_known] - 0.5) <= 0.5):
        raise ValueError(
            f"the {name} of {type(agent).__name__} must have the shape {mask.shape} and be from 0 to 1, or NaN"
            " for illegal actions and where they are unknown"
        )
    return values


def act(agent: Agent, decisions: Decisions) -> NDArray[Any]:
    """Return the actions of an agent, legal or not: integers of any type, as a new plain array (k,).

    The agent gets a copy, so it can't change what its actions are checked against. The result shares nothing with what
    the agent holds. Raises IllegalActionError for anything but k integers.
    """
    return _integers(agent, agent.act(decisions.copy()), len(decisions))


def _integers(agent: Agent, given: Any, number: int) -> NDArray[Any]:
    actions = np.asarray(given)
    if actions.shape != (number,) or (actions.dtype.kind not in "iu" and number):
        raise IllegalActionError(
            f"{_name(agent)} must return integers of shape ({number},), not {actions.dtype} of shape {actions.shape}"
        )
    return actions.copy() if number else np.zeros(0, np.int64)  # an empty list has no type


def find_legal(actions: NDArray[Any], masks: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Whether each action (k,) is legal by its mask (k, actions), as a new array (k,)."""
    exists = (actions >= 0) & (actions < masks.shape[1])
    is_legal: NDArray[np.bool_] = exists & (masks[np.arange(len(masks)), np.where(exists, actions, 0)] == 1)
    return is_legal


def _name(agent: Agent) -> str:
    """Return the name of an agent's method or function, the same in every process."""
    return getattr(agent.act, "__qualname__", type(agent).__name__)


Choose: TypeAlias = Callable[[Agent, Decisions, NDArray[np.int64]], NDArray[np.int64]]
"""How an agent is made to act at decisions (k) of the given rows (k,): returns its actions, (k,)."""


def step_agents(
    games: Games,
    rows: NDArray[np.int64],
    agents: Sequence[Agent],
    seating: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    choose: Choose = lambda agent, decisions, rows: choose_actions(agent, decisions),
) -> NDArray[np.int64]:
    """Let the agents of the acting seats act in these rows, and step the rows; return the actions, (k,).

    Raises what `choose` and `Games.step` raise; then no game has changed.

    Parameters
    ----------
    rows
        (k,) rows whose games are running.
    agents, seating
        `seating`, (batch, seats), says who plays each seat: an index in `agents`. An agent acts once, in all of its
        rows together; agents act in the order of their indices.
    seeds
        (k,) the seeds of the decisions (`seeding.decision_seeds`).
    choose
        Called for each agent in place of `choose_actions`, to measure its time or to handle its errors.
    """
    sitting = seating[rows, games.current[rows]]
    actions = np.zeros(len(rows), np.int64)
    for index in np.flatnonzero(np.bincount(sitting)).tolist():
        own = sitting == index
        actions[own] = choose(agents[index], decisions_of(games, rows[own], seeds[own]), rows[own])
    games.step(actions, rows)
    return actions


# Finding agents


def agent_names() -> dict[str, str]:
    """Return the names of agents, each with its import path."""
    # `random` has its name even where this package is on the path but not installed
    own = {"random": f"{__name__}:{RandomAgent.__name__}"}
    return {**own, **names_of(ENTRY_POINTS)}


def find_agent(agent: AnyAgent, configuration: Configuration | None = None) -> Agent:
    """Return the agent for a name (`random`), an import path (`module:Name`), a class, an object or a function.

    A name or an import path may be followed by a colon and an argument, a string: the class is called with it
    (`ismcts:200` is `ISMCTSAgent("200")`). Otherwise a class is called without arguments. A path that ends in
    `.safetensors` is the file of a trained agent and stands for `policy:PATH`. A `functools.partial` counts as a
    function. With a configuration, an agent that has a method `check(configuration)` may refuse to play this one by
    raising ValueError.

    Raises ValueError for an unknown name, a path that can't be imported, an argument that is missing or not taken, a
    class that can't be called, and an agent that can't play the configuration; TypeError for anything without a method
    `act`; UnavailableError if a class raises it.
    """
    found: Any = _make_agent(agent) if isinstance(agent, str) else agent() if isinstance(agent, type) else agent
    if inspect.isroutine(found) or isinstance(found, functools.partial):
        found = FunctionAgent(found)
    if not isinstance(found, Agent):
        raise TypeError(f"an agent must have a method act(decisions), and {agent!r} has none")
    if configuration is not None and hasattr(found, "check"):
        try:
            found.check(configuration)
        except (ValueError, UnavailableError, MissingExtraError):
            raise
        except (Exception, SystemExit) as error:
            raise ValueError(f"the agent {agent!r} can't say whether it plays this game: {error!r}") from error
    return found


def is_stateless(agent: object) -> bool:
    """Whether one instance may act in many games, and on all seats: its class itself says so (`Agent`)."""
    return bool(vars(type(agent)).get("stateless") and getattr(agent, "stateless", False))


def is_harmless(name: str) -> bool:
    """Whether an agent may be made because a file of a stranger names it. Others must be named by who runs the command.

    It is a registered agent, since any other name imports a module, or the file of a policy. It asks neither a person
    nor a server, whose answers cost something, and its argument no long search: LONGEST_ARGUMENT, MAX_SECONDS.
    """
    path, arguments = _import_path(name)
    if path not in agent_names().values():
        return False
    with suppress(ValueError):  # it can't be imported: making it says why
        found = find_by_path(path, name, "is no agent", ())
        if getattr(found, "asks_person", False) or getattr(found, "asks_server", False):
            return False
    return all(map(_costs_little, arguments))


def is_policy_file(name: str) -> bool:
    """Whether the name of an agent is the path of a policy's file, and not an agent that has the file as argument."""
    return name.endswith(POLICY_SUFFIX) and (":" not in name or Path(name).is_file())


def _costs_little(argument: str) -> bool:
    """Whether an argument is the file of a policy, or a short one, such as a budget with or without a policy's file."""
    budget = argument.partition(",")[0]
    if budget.endswith(POLICY_SUFFIX):
        return True
    if budget.endswith("s"):
        with suppress(ValueError):
            return float(budget[:-1]) <= MAX_SECONDS
    return len(budget) <= LONGEST_ARGUMENT


def _import_path(name: str) -> tuple[str, list[str]]:
    """Return the import path of the agent for a name, and its argument if there is one."""
    names = agent_names()
    if is_policy_file(name):
        name = f"policy:{name}"
    start, *rest = name.split(":", 1)
    if start in names:
        return names[start], rest
    return ":".join(name.split(":")[:2]), name.split(":", 2)[2:]


def _make_agent(name: str) -> Any:
    path, arguments = _import_path(name)
    title = f"the agent {name!r}" if path == name else f"the agent {name!r} ({path})"
    found = find_by_path(path, title, "is no agent", agent_names())
    if not isinstance(found, type):
        if arguments:
            raise ValueError(f"{title} takes no argument: it is not a class")
        return found
    try:
        inspect.signature(found).bind(*arguments)
    except TypeError:
        expected = "takes no argument" if arguments else "needs an argument: write it after a colon"
        raise ValueError(f"{title} {expected}") from None
    try:
        return found(*arguments)
    except UnavailableError:
        raise
    except (Exception, SystemExit) as error:
        raise ValueError(f"{title} can't be created: {error}") from error
