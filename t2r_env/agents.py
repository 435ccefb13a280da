"""What plays: the interface of an agent, how one is found by name, and the random one.

An agent answers for many games at once. It sees of each game only what the seat that is asked may know (C20).
"""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from operator import attrgetter
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from t2r_env.configuration import Configuration
from t2r_env.core.compiled import compiled
from t2r_env.core.randomness import bounded, mix, next_word
from t2r_env.games import Games, IllegalActionError
from t2r_env.rules.rewards import RUNNING

Array = np.ndarray[Any, Any]

ENTRY_POINTS = "t2r_env.agents"
"""The entry-point group that gives agents their names."""

_APART = np.uint64(0xD6E8FEB86659FD93)
"""Keeps the chance of agents apart from the games' own."""

CHECKPOINT = ".zip"
"""How the files of trained agents end: such a path is that of the agent `policy`."""


@dataclass(frozen=True)
class Decisions:
    """The decisions that k games of one configuration put to an agent, each as its asked seat may see it (C20)."""

    configuration: Configuration
    """Variant, players and options; `rules`, `layout` and `words` explain the arrays."""
    views: Array
    """(k,) states (records of `configuration.kind.state`) without what the asked seat, `current`, can't know."""
    masks: NDArray[np.int8]
    """(k, actions): 1 for each legal answer."""
    observations: NDArray[np.uint8]
    """(k, size of the observation), without columns if the games write none (`observe=False`)."""
    seeds: NDArray[np.uint64]
    """(k,) the only source of the agent's chance, so that an answer depends on its own decision alone: not on the
    others of the batch, on their order, or on threads. They tell nothing of the games' chance."""

    def __len__(self) -> int:
        return len(self.views)

    def alone(self) -> Iterator["Decisions"]:
        """Each decision by itself."""
        for row in range(len(self)):
            only = slice(row, row + 1)
            yield Decisions(
                self.configuration, self.views[only], self.masks[only], self.observations[only], self.seeds[only]
            )


@runtime_checkable
class Agent(Protocol):
    """Whatever answers decisions."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision, shape (k,)."""
        ...


AnyAgent: TypeAlias = str | type[Agent] | Agent | Callable[[Decisions], NDArray[np.int64]]
"""What `find_agent` knows how to make an agent of."""


@dataclass(frozen=True)
class FunctionAgent:
    """A function that answers, as an agent."""

    act: Callable[[Decisions], NDArray[np.int64]]


class RandomAgent:
    """Chooses among the legal answers, each equally likely."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each decision, shape (k,)."""
        return choose_evenly(decisions.masks, decisions.seeds)


def choose_evenly(masks: NDArray[np.int8], seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
    """A legal answer for each mask (k, actions), drawn by a seed of its own, (k,), each equally likely; new, (k,)."""
    actions = np.zeros(len(masks), np.int64)
    _choose_evenly(masks, seeds, actions)
    return actions


@compiled
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


def ask(games: Games, rows: NDArray[np.int64], seeds: NDArray[np.uint64]) -> Decisions:
    """The decisions that these rows are waiting to have answered; `seeds` (one for each row) are the agent's chance.

    Raises ValueError for rows that there are not or whose game has ended, and for other seeds than one word (uint64)
    for each row.
    """
    rows, seeds = np.asarray(rows), np.asarray(seeds)
    if seeds.dtype != np.uint64 or seeds.shape != rows.shape:
        raise ValueError(
            f"there must be one seed for each of the {rows.size} rows, uint64, not {seeds.size} of {seeds.dtype}"
        )
    views = games.views(rows)
    if np.any(views["outcome"] != RUNNING):
        raise ValueError("a game that has ended asks nothing")
    return Decisions(games.configuration, views, games.masks[rows], games.observations[rows], seeds)


def actions_of(agent: Agent, decisions: Decisions) -> NDArray[np.int64]:
    """What an agent answers, (k,). Raises IllegalActionError for anything but a legal action for each decision."""
    actions, masks = np.asarray(agent.act(decisions)), decisions.masks
    if actions.shape != masks.shape[:1] or actions.dtype.kind not in "iu":
        raise IllegalActionError(
            f"the agent {agent!r} must give integers of shape {masks.shape[:1]}, not {actions.dtype} of shape"
            f" {actions.shape}"
        )
    is_action = (actions >= 0) & (actions < masks.shape[1])
    is_legal = is_action & (masks[np.arange(len(masks)), np.where(is_action, actions, 0)] == 1)
    if not is_legal.all():
        wrong = np.flatnonzero(~is_legal)[0]
        legal = ", ".join(map(str, np.flatnonzero(masks[wrong])))
        raise IllegalActionError(f"the agent {agent!r} may not answer {actions[wrong]}; legal actions: {legal}")
    return actions.astype(np.int64)


def draw_seeds(rng: NDArray[np.uint64], numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Seeds for decisions (k,): each follows from a word of chance of its game and the decision's number there."""
    seeds = np.zeros(len(rng), np.uint64)
    _draw_seeds(rng, numbers, seeds)
    return seeds


def draw_rng(seeds: NDArray[np.uint64], number: int) -> NDArray[np.uint64]:
    """So many words of chance for each of k games, (k, number): they follow from the games' seeds, but tell nothing of
    the games' own chance.
    """
    words = np.zeros((len(seeds), number), np.uint64)
    _draw_rng(seeds, words)
    return words


@compiled
def _draw_rng(seeds: Array, words: Array) -> None:
    for row in range(words.shape[0]):
        word = mix(seeds[row] ^ _APART)
        for i in range(words.shape[1]):
            word = next_word(word)
            words[row, i] = mix(word)


@compiled
def _draw_seeds(rng: Array, numbers: Array, seeds: Array) -> None:
    for i in range(seeds.shape[0]):
        seeds[i] = mix(rng[i] ^ mix(np.uint64(numbers[i])))


def agent_names() -> dict[str, str]:
    """The agents that have a name, each with its import path."""
    # `random` is ours: it has its name even where this package lies on the path without being installed
    own = {"random": f"{__name__}:{RandomAgent.__name__}"}
    return own | {entry.name: entry.value for entry in sorted(entry_points(group=ENTRY_POINTS))}


def find_agent(agent: AnyAgent, configuration: Configuration | None = None) -> Agent:
    """The agent that is meant by a name (`random`), an import path (`module:Name`), a class, an object or a function.

    After a name or an import path may follow a colon and an argument, a string: the class is called with it
    (`ismcts:200` is `ISMCTSAgent("200")`), and otherwise without arguments. A path that ends in `.zip` is the file of a
    trained agent, `policy:PATH`. With a configuration, an agent that is made for some games only is asked, by its
    method `check(configuration)`, whether it can play this one.

    Raises ValueError for a name that nobody has, a path that can't be imported, an argument that is missing or not
    taken, a class that can't be called, and an agent that can't play what is asked of it; TypeError for what has no
    method `act`. The message says what is allowed.
    """
    found: Any = _make_agent(agent) if isinstance(agent, str) else agent() if isinstance(agent, type) else agent
    if inspect.isroutine(found):
        found = FunctionAgent(found)
    if not isinstance(found, Agent):
        raise TypeError(f"{agent!r} is no agent: it has no method act(decisions)")
    if configuration is not None and hasattr(found, "check"):
        found.check(configuration)
    return found


def _make_agent(name: str) -> Any:
    names = agent_names()
    if name.endswith(CHECKPOINT) and (":" not in name or Path(name).is_file()):
        name = f"policy:{name}"
    start, *rest = name.split(":", 1)
    if start in names:
        path, arguments = names[start], rest
    else:
        path, arguments = ":".join(name.split(":")[:2]), name.split(":", 2)[2:]
    title = f"the agent {name!r}" if path == name else f"the agent {name!r} ({path})"
    found = _import_agent(path, title)
    if not isinstance(found, type):
        if arguments:
            raise ValueError(f"{title} takes no argument: it is no class")
        return found
    try:
        inspect.signature(found).bind(*arguments)
    except TypeError:
        expected = "takes no argument" if arguments else "needs an argument: write it behind a colon"
        raise ValueError(f"{title} {expected}") from None
    try:
        return found(*arguments)
    except Exception as error:
        raise ValueError(f"{title} can't be made: {error}") from error


def _import_agent(path: str, title: str) -> Any:
    module, _, attribute = path.partition(":")
    if not module or not attribute:
        raise ValueError(
            f"there is no agent {path!r}; known are {', '.join(agent_names())},"
            f" and any other as an import path, module:Name"
        )
    try:
        imported = import_module(module)
    except ImportError as error:
        raise ValueError(f"{title} can't be imported from here: {error}") from error
    try:
        return attrgetter(attribute)(imported)
    except AttributeError as error:
        raise ValueError(f"{title} can't be found: {error}") from error
